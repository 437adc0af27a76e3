//! What an entry says of a server, in the keys of the library, whatever its program calls them.

use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;

/// Keys of the library, and what programs call them. The first that an entry has is used.
const KEYS: [(&str, &[&str]); 8] = [
    ("command", &["command", "cmd"]),
    ("args", &["args"]),
    ("env", &["env", "envs", "environment"]),
    (ENV_FILE, &[ENV_FILE]),
    ("cwd", &["cwd", "workingDirectory"]),
    ("url", &["url", "serverUrl", "httpUrl", "uri"]),
    ("headers", &["headers"]),
    ("auth", &["auth"]),
];
/// A file with variables for a server that is started, as VS Code and Cursor have it.
pub const ENV_FILE: &str = "envFile";
/// Keys that choose among the tools of a server; this program shows all of them.
const FILTERS: [&str; 8] = [
    "includeTools",
    "excludeTools",
    "enabled_tools",
    "disabled_tools",
    "enabledTools",
    "disabledTools",
    "available_tools",
    "tools",
];
/// Keys that are read in another way, or are about the program that has the entry: which of its questions are asked, how it shows the
/// server, how long it waits.
const OF_THEIRS: [&str; 44] = [
    "$schema",
    "alwaysAllow",
    "autoAllow",
    "autoApprove",
    "bearer_token_env_var",
    "bundled",
    "config",
    "connectionTimeout",
    "default_tools_approval_mode",
    "description",
    "dev",
    "disabled",
    "display_name",
    "enabled",
    "env_http_headers",
    "env_keys",
    "env_vars",
    "gallery",
    "http_headers",
    "icon",
    "installPath",
    "isActive",
    "name",
    "networkTimeout",
    "oauth",
    "remote",
    "requestOptions",
    "required",
    "restart",
    "schema",
    "settings",
    "source",
    "startup_timeout_ms",
    "startup_timeout_sec",
    "timeout",
    "title",
    "tool_timeout_sec",
    "transport",
    "transportType",
    "trust",
    "type",
    "version",
    "watchPaths",
    "x-metadata",
];
/// Why an entry cannot be used.
pub fn fault(config: &Map<String, Value>) -> Option<String> {
    let is = |key: &str, right: fn(&Value) -> bool| config.get(key).is_none_or(right);
    if !["command", "url", "socket"].iter().any(|key| config.contains_key(*key)) {
        return Some("it has no 'command' that starts it, and no 'url'".to_owned());
    }
    for (key, right, what) in [
        ("command", Value::is_string as fn(&Value) -> bool, "a text"),
        ("url", Value::is_string, "a text"),
        ("cwd", Value::is_string, "a text"),
        (ENV_FILE, Value::is_string, "a text"),
        ("args", Value::is_array, "an array of texts"),
        ("env", Value::is_object, "an object of texts"),
        ("headers", Value::is_object, "an object of texts"),
    ] {
        if !is(key, right) {
            return Some(format!("its '{key}' is not {what}"));
        }
    }
    None
}

/// The keys of an entry that would change what is used of the server.
pub fn unheeded(entry: &Map<String, Value>) -> Vec<&'static str> {
    let is_all = |value: &Value| {
        value.is_null()
            || value.as_array().is_some_and(|list| list.is_empty() || list.iter().any(|one| one == "*"))
    };
    FILTERS.into_iter().filter(|key| entry.get(*key).is_some_and(|value| !is_all(value))).collect()
}

/// The keys of an entry that are not known.
pub fn unknown(entry: &Map<String, Value>) -> Vec<String> {
    let is_known = |key: &str| {
        KEYS.iter().any(|(_, names)| names.contains(&key))
            || FILTERS.contains(&key)
            || OF_THEIRS.contains(&key)
    };
    entry.keys().filter(|key| !is_known(key)).cloned().collect()
}

/// The keys of the library that an entry has beside those that programs have, too: a socket, limits, times.
pub fn of_library(entry: &Map<String, Value>) -> Map<String, Value> {
    let is_other = |key: &str| !KEYS.iter().any(|(ours, theirs)| *ours == key || theirs.contains(&key));
    entry
        .iter()
        .filter(|(key, value)| {
            let is_theirs = OF_THEIRS.contains(&key.as_str());
            is_other(key) && !is_theirs && !value.is_null() && mcp::client::knows_key(key)
        })
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// What starts a server or waits for it may stand in seconds: a smaller number is not in milliseconds.
const LEAST_MS: f64 = 1000.0;
/// A year: the longest time that the library takes.
const MOST_S: f64 = 31_536_000.0;

/// How long a server is waited for, as programs write it.
fn times(entry: &Map<String, Value>) -> Option<Value> {
    let mut times = Map::new();
    for (theirs, ours) in [
        ("startup_timeout_sec", "start_ms"),
        ("startup_timeout_ms", "start_ms"),
        ("tool_timeout_sec", "call_ms"),
        ("timeout", "call_ms"),
    ] {
        let Some(time) = entry.get(theirs).and_then(Value::as_f64).filter(|time| *time > 0.0) else {
            continue;
        };
        let is_seconds = theirs.ends_with("_sec") || theirs == "timeout" && time < LEAST_MS;
        let seconds = if is_seconds { time } else { time / 1000.0 };
        // A longer time than the library takes means no bound.
        let time = Some(seconds).filter(|seconds| *seconds <= MOST_S).map(Duration::try_from_secs_f64);
        let Some(Ok(time)) = time else { continue };
        // 0 would be refused, and means another thing to some programs.
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        times.entry(ours).or_insert_with(|| millis.into());
    }
    (!times.is_empty()).then_some(Value::Object(times))
}

/// Whether the first word of a command is the bare name of a program, or is in quotes as in a shell. Anything else may be a path with a
/// space in it, or a variable whose value is one.
fn begins_with_program(line: &str) -> bool {
    let line = line.trim_start();
    let first = line.split(char::is_whitespace).next().unwrap_or_default();
    line.starts_with(['"', '\'']) || !first.contains(['/', '\\', '~', '$', '{'])
}

/// What an entry says, in the keys of the library.
pub fn plain(entry: &Map<String, Value>) -> Map<String, Value> {
    let first =
        |names: &[&str]| names.iter().find_map(|name| entry.get(*name).filter(|value| !value.is_null()));
    let mut config: Map<String, Value> =
        KEYS.iter().filter_map(|(key, names)| Some(((*key).to_owned(), first(names)?.clone()))).collect();
    match config.remove("command") {
        // Older settings of Zed have the command as an object: <https://zed.dev/docs/ai/mcp>
        Some(Value::Object(command)) => {
            config.extend(plain(&command));
            config.extend(command.get("path").map(|path| ("command".to_owned(), path.clone())));
        }
        // opencode has the command and its arguments in one list.
        Some(Value::Array(mut words)) if !words.is_empty() => {
            config.insert("command".to_owned(), words.remove(0));
            if let Some(Value::Array(more)) = config.remove("args") {
                words.extend(more);
            }
            config.insert("args".to_owned(), Value::Array(words));
        }
        // Some programs take a whole command line, as a shell does.
        Some(Value::String(line))
            if line.contains(char::is_whitespace)
                && config.get("args").is_none_or(|args| args.as_array().is_some_and(Vec::is_empty))
                && begins_with_program(&line)
                && !Path::new(&line).exists() =>
        {
            let mut words =
                shlex::split(&line).filter(|words| !words.is_empty()).unwrap_or_else(|| vec![line]);
            config.insert("command".to_owned(), words.remove(0).into());
            config.insert("args".to_owned(), words.into());
        }
        Some(command) => {
            config.insert("command".to_owned(), command);
        }
        None => {}
    }
    // Continue has them below what else it says of requests.
    if let Some(headers) = entry.get("requestOptions").and_then(|options| options.get("headers")) {
        config.entry("headers").or_insert_with(|| headers.clone());
    }
    // Cursor has its words for it below a key that is one of ours.
    let is_of_cursor = |auth: &Map<String, Value>| auth.contains_key("CLIENT_ID");
    if let Some(theirs) = entry.get("auth").and_then(Value::as_object).filter(|auth| is_of_cursor(auth)) {
        config.extend(oauth(theirs).map(|auth| ("auth".to_owned(), auth)));
    }
    if let Some(auth) = entry.get("oauth").and_then(Value::as_object).and_then(oauth) {
        config.entry("auth").or_insert(auth);
    }
    if let Some(times) = times(entry) {
        config.insert("timeouts".to_owned(), times);
    }
    // Docker's form of variables: a list of NAME=VALUE.
    if let Some(Value::Array(list)) = config.get("env") {
        let split =
            |one: &Value| one.as_str()?.split_once('=').map(|(name, value)| (name.to_owned(), value.into()));
        if let Some(variables) = list.iter().map(split).collect::<Option<Map<String, Value>>>() {
            config.insert("env".to_owned(), Value::Object(variables));
        }
    }
    // Some programs write the environment with numbers and switches, which a process gets as text.
    for key in ["env", "headers"] {
        if let Some(Value::Object(values)) = config.get_mut(key) {
            values.retain(|_, value| !value.is_null());
            values.values_mut().for_each(to_text);
        }
    }
    match config.get_mut("args") {
        Some(Value::Array(list)) => list.iter_mut().for_each(to_text),
        Some(text @ Value::String(_)) => *text = Value::Array(vec![text.take()]),
        _ => {}
    }
    config
}

/// A number or a switch as text.
fn to_text(value: &mut Value) {
    if value.is_number() || value.is_boolean() {
        *value = value.to_string().into();
    }
}

/// Variables for a server whose names an entry lists, as references.
pub fn of_names(entry: &Map<String, Value>, key: &str) -> Map<String, Value> {
    let names = entry.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let variables: Map<String, Value> =
        names.map(|name| (name.to_owned(), format!("${{{name}}}").into())).collect();
    if variables.is_empty() {
        variables
    } else {
        Map::from_iter([("env".to_owned(), Value::Object(variables))])
    }
}

/// The client with which a person logs in: Claude Code calls it `clientId` with a `callbackPort`, Cursor `CLIENT_ID`, Codex
/// `client_id`.
fn oauth(entry: &Map<String, Value>) -> Option<Value> {
    let first =
        |keys: &[&str]| keys.iter().find_map(|key| entry.get(*key)).filter(|value| !value.is_null()).cloned();
    let mut auth = Map::new();
    for (key, theirs) in [
        ("client_id", &["clientId", "CLIENT_ID", "client_id"][..]),
        ("client_secret", &["clientSecret", "CLIENT_SECRET", "client_secret"]),
        ("scopes", &["scopes", "scope"]),
    ] {
        auth.extend(first(theirs).map(|value| (key.to_owned(), value)));
    }
    if let Some(Value::String(scopes)) = auth.get("scopes") {
        let scopes = scopes.split_whitespace().map(Value::from).collect();
        auth.insert("scopes".to_owned(), scopes);
    }
    if let Some(port) = first(&["callbackPort"]).and_then(|port| port.as_u64()) {
        auth.insert("redirect_uri".to_owned(), format!("http://localhost:{port}/callback").into());
        auth.insert("listen".to_owned(), true.into());
    }
    if auth.contains_key("client_secret") {
        // The person's own file names this server and no other; its metadata says where it logs in.
        auth.insert("allow_any_issuer".to_owned(), true.into());
    }
    (!auth.is_empty()).then_some(Value::Object(auth))
}

/// What stands in the file, and beside it references: tokens, some headers and some variables of Codex are in its environment
/// (<https://developers.openai.com/codex/mcp>). A reference is `${NAME}` and stays one until a server is reached, so that its value
/// gets into no list and no other file.
pub fn codex(entry: &Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let mut config = plain(entry);
    let mut references = Map::new();
    let mut headers = Map::new();
    for (name, variable) in entry.get("env_http_headers").and_then(Value::as_object).into_iter().flatten() {
        if let Some(variable) = variable.as_str() {
            headers.insert(name.clone(), format!("${{{variable}}}").into());
        }
    }
    if let Some(variable) = entry.get("bearer_token_env_var").and_then(Value::as_str) {
        headers.insert("Authorization".to_owned(), format!("Bearer ${{{variable}}}").into());
    }
    if let Some(Value::Object(given)) = entry.get("http_headers") {
        let mut given = given.clone();
        given.retain(|name, _| !headers.keys().any(|other| other.eq_ignore_ascii_case(name)));
        config.insert("headers".to_owned(), Value::Object(given));
    }
    if !headers.is_empty() {
        references.insert("headers".to_owned(), Value::Object(headers));
    }
    // A name, or a table with one; a table may say that the variable is on the machine of a remote executor.
    let name_of = |value: &Value| match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(table) if table.get("source").is_none_or(|source| source == "local") => {
            table.get("name").and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    };
    let names = entry.get("env_vars").and_then(Value::as_array).into_iter().flatten().filter_map(name_of);
    let is_given = |name: &String| config.get("env").is_some_and(|variables| variables.get(name).is_some());
    let variables: Map<String, Value> = names
        .filter(|name| !is_given(name))
        .map(|name| {
            let reference = format!("${{{name}}}").into();
            (name, reference)
        })
        .collect();
    if !variables.is_empty() {
        references.insert("env".to_owned(), Value::Object(variables));
    }
    (config, references)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_of_an_entry_are_ones_that_the_library_takes() {
        const MOST_MS: u64 = 31_536_000_000;
        for (key, time, wanted) in [
            ("timeout", json!(2.5), Some(json!({"call_ms": 2500}))),
            ("timeout", json!(60_000), Some(json!({"call_ms": 60_000}))),
            ("timeout", json!(0.000_1), Some(json!({"call_ms": 1}))),
            ("tool_timeout_sec", json!(0.000_1), Some(json!({"call_ms": 1}))),
            ("startup_timeout_ms", json!(0.5), Some(json!({"start_ms": 1}))),
            ("startup_timeout_ms", json!(MOST_MS), Some(json!({"start_ms": MOST_MS}))),
            ("startup_timeout_ms", json!(MOST_MS + 1), None),
            ("startup_timeout_sec", json!(MOST_MS), None),
            ("timeout", json!(1e300), None),
            ("timeout", json!(0), None),
            ("timeout", json!(-1), None),
        ] {
            let mut entry = json!({"url": "http://h/"});
            entry[key] = time;
            let config = plain(entry.as_object().expect("an object"));
            assert_eq!(config.get("timeouts"), wanted.as_ref(), "{entry}");
            mcp::client::Client::new(&Value::Object(config).to_string(), None).expect("a client");
        }
        let longer = json!({"url": "http://h/", "timeouts": {"call_ms": MOST_MS + 1}});
        assert!(mcp::client::Client::new(&longer.to_string(), None).is_err());
    }

    #[test]
    fn a_command_line_is_split_and_a_path_is_not() {
        for (command, program, args) in [
            ("npx -y foo", "npx", Some(&["-y", "foo"][..])),
            (" npx  -y 'a b'", "npx", Some(&["-y", "a b"])),
            ("\"/opt/My Apps/srv\" -v", "/opt/My Apps/srv", Some(&["-v"])),
            ("srv", "srv", None),
            ("~/My Apps/srv", "~/My Apps/srv", None),
            ("/opt/My Apps/srv", "/opt/My Apps/srv", None),
            ("./My Apps/srv", "./My Apps/srv", None),
            ("${HOME}/My Apps/srv", "${HOME}/My Apps/srv", None),
            ("$HOME/My Apps/srv", "$HOME/My Apps/srv", None),
            ("{env:HOME}/My Apps/srv", "{env:HOME}/My Apps/srv", None),
            ("C:\\Program Files\\x", "C:\\Program Files\\x", None),
        ] {
            let entry = json!({"command": command});
            let config = plain(entry.as_object().expect("an object"));
            assert_eq!(config["command"], program, "{command}");
            assert_eq!(config.get("args"), args.map(|args| json!(args)).as_ref(), "{command}");
        }
    }
}
