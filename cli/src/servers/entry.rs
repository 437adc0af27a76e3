//! What an entry says of a server, in the keys of the library, whatever its program calls them.

use mcp::client::{SWITCHES, adopted, adopts, shaped, unread_of_login};
use serde_json::{Map, Value};
use std::path::Path;

/// Keys of the library, and what programs call them. The first that an entry has is used.
const KEYS: [(&str, &[&str]); 9] = [
    ("command", &["command", "cmd"]),
    ("args", &["args"]),
    ("env", &["env", "envs", "environment"]),
    (ENV_FILE, &[ENV_FILE]),
    ("cwd", &["cwd", "workingDirectory"]),
    ("url", &["url", "serverUrl", "serverURL", "httpUrl", "baseUrl", "uri"]),
    ("headers", &["headers"]),
    (HEADERS_HELPER, &[HEADERS_HELPER]),
    ("auth", &["auth"]),
];
/// A file with variables for a server that is started, as VS Code and Cursor have it.
pub const ENV_FILE: &str = "envFile";
/// A key for a server at a URL, as Continue has it.
pub const API_KEY: &str = "apiKey";
/// Variables of the environment, as Codex has them: one with a token, those of headers, those for a server that is started.
const BEARER: &str = "bearer_token_env_var";
const HEADER_VARIABLES: &str = "env_http_headers";
const ENV_VARS: &str = "env_vars";
const AUTHORIZATION: &str = "Authorization";
/// What Continue says of requests.
const REQUEST_OPTIONS: &str = "requestOptions";
/// A command that writes headers for a server at a URL, as Claude Code has it.
pub const HEADERS_HELPER: &str = "headersHelper";
/// Keys that are read in another way, or are about the program that has the entry: which of its questions are asked, how it shows the
/// server, how long it waits.
const OF_THEIRS: [&str; 35] = [
    "$schema",
    "alwaysAllow",
    "alwaysLoad",
    "autoAllow",
    "autoApprove",
    "bundled",
    "default_tools_approval_mode",
    "description",
    "dev",
    "display_name",
    "env_keys",
    "gallery",
    "http_headers",
    "icon",
    "id",
    "installPath",
    "key",
    "longRunning",
    "name",
    "remote",
    "remoteConfigured",
    REQUEST_OPTIONS,
    "required",
    "restart",
    "schema",
    "settings",
    "source",
    "title",
    "transport",
    "transportType",
    "trust",
    "type",
    "version",
    "watchPaths",
    "x-metadata",
];
/// Keys for the headers of a server at a URL alone.
const OF_REACHED: [&str; 2] = [BEARER, HEADER_VARIABLES];
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
        (HEADERS_HELPER, Value::is_string, "a text"),
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

/// The keys of an entry that are not known, or say nothing of a server that is used as `config` says.
pub fn unknown(entry: &Map<String, Value>, config: &Map<String, Value>) -> Vec<String> {
    let is_known = |key: &str| {
        KEYS.iter().any(|(_, names)| names.contains(&key))
            || SWITCHES.iter().any(|(switch, _)| *switch == key)
            || adopts(key)
            || OF_THEIRS.contains(&key)
            || OF_REACHED.contains(&key) && config.contains_key("url")
            || key == ENV_VARS && entry[ENV_VARS].is_array() && config.contains_key("command")
    };
    // Of the ways in which Gemini CLI gets a token this is the one that it takes by itself, and so does a client here.
    let says_something = |(key, value): &(&String, &Value)| {
        !(value.is_null() || *key == "authProviderType" && *value == "dynamic_discovery")
    };
    let unknown = entry.iter().filter(says_something).map(|(key, _)| key).filter(|key| !is_known(key));
    let options = entry.get(REQUEST_OPTIONS).and_then(Value::as_object).into_iter().flatten();
    let unread = options.filter(|(key, value)| !value.is_null() && *key != "headers");
    let unread = unread.map(|(key, _)| format!("{REQUEST_OPTIONS}.{key}"));
    unknown.cloned().chain(unread_of_login(entry)).chain(unread).collect()
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

/// Whether the first word of a command is the bare name of a program, or is in quotes as in a shell. Anything else may be a path with a
/// space in it, or a variable whose value is one.
fn begins_with_program(line: &str) -> bool {
    let line = line.trim_start();
    let first = line.split(char::is_whitespace).next().unwrap_or_default();
    line.starts_with(['"', '\'']) || !first.contains(['/', '\\', '~', '$', '{'])
}

/// What an entry says, in the keys of the library.
pub fn plain(entry: &Map<String, Value>) -> Map<String, Value> {
    let mut entry = entry.clone();
    shaped(&mut entry);
    let first = |names: &[&str]| names.iter().find_map(|name| entry.get(*name));
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
    if let Some(headers) = entry.get(REQUEST_OPTIONS).and_then(|options| options.get("headers")) {
        config.entry("headers").or_insert_with(|| headers.clone());
    }
    config.extend(adopted(&entry).config);
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

/// Writes a header in the place of one with the same name, whose letters may be large or small.
pub fn put_header(headers: &mut Map<String, Value>, name: &str, value: Value) {
    headers.retain(|other, _| !other.eq_ignore_ascii_case(name));
    headers.insert(name.to_owned(), value);
}

/// What an entry says in the keys of all programs, and beside it references: tokens, some headers and some variables of Codex
/// (<https://developers.openai.com/codex/mcp>) and variables of Goose are in the environment. A reference is `${NAME}` and stays one until a
/// server is reached, so that its value gets into no list and no other file.
pub fn of_all(entry: &Map<String, Value>, sends_key: bool) -> (Map<String, Value>, Map<String, Value>) {
    let mut config = plain(entry);
    let (is_started, is_reached) = (config.contains_key("command"), config.contains_key("url"));
    let mut references = Map::new();
    let mut headers = Map::new();
    for (name, variable) in entry.get(HEADER_VARIABLES).and_then(Value::as_object).into_iter().flatten() {
        if let Some(variable) = variable.as_str() {
            put_header(&mut headers, name, format!("${{{variable}}}").into());
        }
    }
    if let Some(variable) = entry.get(BEARER).and_then(Value::as_str) {
        put_header(&mut headers, AUTHORIZATION, format!("Bearer ${{{variable}}}").into());
    }
    if let Some(Value::Object(given)) = entry.get("http_headers") {
        let all = config.entry("headers").or_insert_with(|| Value::Object(Map::new()));
        if let Some(all) = all.as_object_mut() {
            given.iter().for_each(|(name, value)| put_header(all, name, value.clone()));
        }
    }
    // Continue sends a key of an entry as a bearer token (`sends_key`), unless another one is written beside it. What another program
    // does with such a key is not known.
    let key = entry.get(API_KEY).and_then(Value::as_str).filter(|_| sends_key && is_reached);
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        let all = config.entry("headers").or_insert_with(|| Value::Object(Map::new()));
        let is_there =
            |all: &Map<String, Value>| all.keys().any(|name| name.eq_ignore_ascii_case(AUTHORIZATION));
        if let Some(all) = all.as_object_mut().filter(|all| !is_there(all)) {
            all.insert(AUTHORIZATION.to_owned(), format!("Bearer {key}").into());
        }
    }
    if let Some(Value::Object(written)) = config.get_mut("headers") {
        written.retain(|name, _| !headers.keys().any(|other| other.eq_ignore_ascii_case(name)));
    }
    if is_reached && !headers.is_empty() {
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
    // Goose has them for the headers of a server at a URL, too, where they are references anyway.
    let lists = [ENV_VARS, "env_keys"].into_iter().filter_map(|key| entry.get(key)?.as_array());
    let names = lists.flatten().filter_map(name_of);
    let is_given = |name: &String| config.get("env").is_some_and(|variables| variables.get(name).is_some());
    let variables: Map<String, Value> = names
        .filter(|name| !is_given(name))
        .map(|name| {
            let reference = format!("${{{name}}}").into();
            (name, reference)
        })
        .collect();
    if is_started && !variables.is_empty() {
        references.insert("env".to_owned(), Value::Object(variables));
    }
    (config, references)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
