//! What entries of other programs say, in the forms and keys of a client: of a server's variables and headers, times, tools and logins. Each
//! program has names and units of its own.

use crate::engine::matches_name;
use serde_json::{Map, Value};
use std::time::Duration;

/// What a key of another program means.
#[derive(Clone, Copy)]
enum Meaning {
    /// A time in seconds, for this key of `timeouts`.
    Seconds(&'static str),
    /// The same in milliseconds.
    Millis(&'static str),
    /// The same in either, as the number says.
    Either(&'static str),
    /// The tools that are used, and no others.
    Only,
    /// The same, but an empty list is what the program writes for all of them.
    OnlyIfAny,
    /// Tools that are not used.
    Not,
    /// The client with which a person logs in.
    Login,
}

/// The keys. Of several times with one meaning the first that can be read is used. What several say of tools narrows: one that is used is
/// chosen by each, and excluded by none.
const KEYS: [(&str, Meaning); 20] = [
    ("startup_timeout_sec", Meaning::Seconds("start_ms")),
    ("startup_timeout_ms", Meaning::Millis("start_ms")),
    ("start_mcp_timeout_ms", Meaning::Millis("start_ms")),
    ("initTimeout", Meaning::Either("start_ms")),
    ("connectionTimeout", Meaning::Either("start_ms")),
    ("tool_timeout_sec", Meaning::Seconds("call_ms")),
    ("run_mcp_timeout_ms", Meaning::Millis("call_ms")),
    ("timeout", Meaning::Either("call_ms")),
    ("allowedTools", Meaning::Only),
    ("allowed_tools", Meaning::Only),
    ("includeTools", Meaning::Only),
    ("enabledTools", Meaning::Only),
    ("enabled_tools", Meaning::Only),
    ("available_tools", Meaning::OnlyIfAny),
    ("tools", Meaning::OnlyIfAny),
    ("excludeTools", Meaning::Not),
    ("disabledTools", Meaning::Not),
    ("disabled_tools", Meaning::Not),
    ("oauth", Meaning::Login),
    ("scopes", Meaning::Login),
];

/// What says in an entry that its server is not used: a key, and its value that does.
pub const SWITCHES: [(&str, bool); 4] =
    [("disabled", true), ("enabled", false), ("isActive", false), ("active", false)];

/// The keys of a client that stand for them.
const ALLOWED: &str = "allow_tools";
const DENIED: &str = "deny_tools";
const AUTH: &str = "auth";
const TIMES: &str = "timeouts";

/// A number below this is in seconds, where it may be in either: no call of a tool is bounded by less than a second.
const LEAST_MS: f64 = 1000.0;
/// A year: the longest time that a client takes.
const MOST_S: f64 = 31_536_000.0;

/// What was read.
#[derive(Debug, Default, PartialEq)]
pub struct Adopted {
    /// Keys of a client.
    pub config: Map<String, Value>,
    /// Keys whose values were not understood.
    pub unread: Vec<Unread>,
}

/// A key whose value was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its name.
    pub key: &'static str,
    /// Whether it chooses among the tools; else it is a time.
    pub chooses: bool,
}

impl Unread {
    /// What the value is not.
    pub fn wanted(self) -> &'static str {
        if self.chooses { "a list of names of tools" } else { "a number of seconds or milliseconds" }
    }
}

/// Gives an entry the forms that a client has:
///
/// * what is null is left out, also at the end of `args`, so is a `command`, `url` or folder without a text, and what is empty and belongs to the other
///   of the two;
/// * a URL has no white space around it;
/// * `transport` with members of its own, as Continue wrote it, has them beside it, and so has `config` where nothing else says how the server
///   is started or reached, as in older files of Goose and of the agents of Hugging Face;
/// * variables and headers are objects of texts, where some programs have lists (`NAME=VALUE`, `Name: value`, or objects with `name` and
///   `value`, as the Agent Client Protocol has them), the empty list of PHP, numbers or switches;
/// * `auth` with a text is what `FastMCP` has: `"oauth"`, as without it, or a bearer token.
pub fn shaped(entry: &mut Map<String, Value>) {
    entry.retain(|key, value| {
        !value.is_null() && (key != AUTH || value.as_str().is_none_or(|text| !text.trim().is_empty()))
    });
    let says_how = COMMANDS.iter().chain(&URLS).any(|key| entry.contains_key(*key));
    for outer in ["transport", "config"].into_iter().take(if says_how { 1 } else { 2 }) {
        if let Some(Value::Object(inner)) = entry.get(outer).cloned() {
            entry.remove(outer);
            for (key, value) in inner {
                entry.entry(key).or_insert(value);
            }
        }
    }
    for (key, value) in entry.iter_mut() {
        match value {
            Value::String(url) if URLS.contains(&key.as_str()) => *url = url.trim().to_owned(),
            // Without one between others those behind it would have another meaning: it stays, and is refused.
            Value::Array(list) if key == "args" => while list.pop_if(|last| last.is_null()).is_some() {},
            _ => {}
        }
    }
    let is_blank = |value: &Value| match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    let is_said =
        |names: &[&str]| names.iter().any(|name| entry.get(*name).is_some_and(|value| !is_blank(value)));
    let left_out: &[&str] = match (is_said(&COMMANDS), is_said(&URLS)) {
        (false, true) => &OF_COMMANDS,
        (true, false) => &OF_URLS,
        _ => &[],
    };
    let can_be_blank = |key: &str| ![&COMMANDS[..], &URLS, &FOLDERS, left_out].concat().contains(&key);
    entry.retain(|key, value| !value.is_null() && (can_be_blank(key) || !is_blank(value)));
    if let Some(Value::String(token)) = entry.get(AUTH).cloned() {
        entry.remove(AUTH);
        if token != "oauth" {
            let headers = entry.entry("headers").or_insert_with(|| Value::Object(Map::new()));
            let names = || headers.as_object().into_iter().flatten().map(|(name, _)| name);
            let is_there = names().any(|name| name.eq_ignore_ascii_case("authorization"));
            if let Some(headers) = headers.as_object_mut().filter(|_| !is_there) {
                headers.insert("Authorization".to_owned(), format!("Bearer {token}").into());
            }
        }
    }
    for (key, mark) in [("env", '='), ("envs", '='), ("environment", '='), ("headers", ':')] {
        let Some(value) = entry.get_mut(key) else { continue };
        if let Value::Array(list) = value
            && let Some(pairs) = list.iter().map(|one| pair(one, mark)).collect()
        {
            *value = Value::Object(pairs);
        }
        if let Value::Object(values) = value {
            values.retain(|_, value| !value.is_null());
            for value in values.values_mut().filter(|value| value.is_number() || value.is_boolean()) {
                *value = value.to_string().into();
            }
        }
    }
}

/// What programs call the command of a server, and its URL.
const COMMANDS: [&str; 2] = ["command", "cmd"];
const URLS: [&str; 6] = ["url", "uri", "baseUrl", "httpUrl", "serverUrl", "serverURL"];
/// What programs call the folder in which a server is started.
const FOLDERS: [&str; 3] = ["cwd", "workingDirectory", "working_directory"];
/// What goes with a command alone, and with a URL.
const OF_COMMANDS: [&str; 9] = [
    "args",
    "arguments",
    "env",
    "envs",
    "environment",
    "envFile",
    "cwd",
    "workingDirectory",
    "working_directory",
];
const OF_URLS: [&str; 2] = ["headers", AUTH];

/// What Codex, Continue and Claude Code call the variable with a token, the token, and a command that writes headers.
const TOKENS: [&str; 3] = ["bearer_token_env_var", "apiKey", "headersHelper"];

/// A name and its value, of a list.
fn pair(one: &Value, mark: char) -> Option<(String, Value)> {
    let Value::Object(object) = one else {
        let (name, value) = one.as_str()?.split_once(mark)?;
        let value = if mark == ':' { value.trim() } else { value };
        return Some((name.trim().to_owned(), value.into()));
    };
    Some((object.get("name")?.as_str()?.to_owned(), object.get("value")?.clone()))
}

/// A switch: true or false, the same as text, 1 or 0.
pub fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is_on) => Some(*is_on),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => value.as_u64().filter(|number| *number < 2).map(|number| number == 1),
    }
}

/// Whether [`adopted`] reads a key of another program.
pub fn adopts(key: &str) -> bool {
    KEYS.iter().any(|(known, _)| *known == key)
}

/// Reads times, choices of tools and the client of a login of an entry, whatever program it is of.
pub fn adopted(entry: &Map<String, Value>) -> Adopted {
    let (mut times, mut unread) = (Map::new(), Vec::new());
    let (mut only, mut not): (Option<Vec<Value>>, Vec<Value>) = (None, Vec::new());
    for (key, meaning) in KEYS {
        let Some(value) = entry.get(key).filter(|value| !value.is_null()) else { continue };
        // Some programs keep a number as text.
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
        let mut time = |ours: &str, is_seconds: fn(f64) -> bool| match number {
            Some(time) => {
                if let Some(millis) = millis(time, is_seconds(time)) {
                    times.entry(ours).or_insert_with(|| millis.into());
                }
            }
            None => unread.push(Unread { key, chooses: false }),
        };
        match meaning {
            Meaning::Seconds(ours) => time(ours, |_| true),
            Meaning::Millis(ours) => time(ours, |_| false),
            Meaning::Either(ours) => time(ours, |time| time < LEAST_MS),
            Meaning::Login => {}
            Meaning::Only | Meaning::OnlyIfAny | Meaning::Not => match names(value) {
                // Codex has a table for each tool there, opencode a switch.
                None => match switched_off(value) {
                    Some(names) if matches!(meaning, Meaning::OnlyIfAny) => not.extend(names),
                    _ => unread.push(Unread { key, chooses: true }),
                },
                Some(names) if matches!(meaning, Meaning::Not) => not.extend(names),
                Some(names) if names.is_empty() && matches!(meaning, Meaning::OnlyIfAny) => {}
                // All of them: no limit.
                Some(names) if names.iter().any(|name| name == "*") => {}
                Some(names) => only = Some(only.map_or_else(|| names.clone(), |only| in_both(&only, &names))),
            },
        }
    }
    let mut config = Map::new();
    if !times.is_empty() {
        config.insert(TIMES.to_owned(), Value::Object(times));
    }
    if let Some(only) = only {
        config.insert(ALLOWED.to_owned(), Value::Array(only));
    }
    if !not.is_empty() {
        config.insert(DENIED.to_owned(), Value::Array(not));
    }
    let written = |key: &str| entry.get(key).and_then(Value::as_object);
    // Cursor calls it `auth`, as a client does.
    let foreign = written(AUTH).filter(|auth| OF_LOGINS.iter().any(|key| auth.contains_key(*key)));
    let auth = match foreign {
        Some(auth) => login(auth, true),
        None if entry.get(AUTH).is_none_or(Value::is_null) => {
            let mut oauth = written("oauth").cloned().unwrap_or_default();
            // Codex has them beside the URL. Where a token is written there is no login.
            let is_reached = URLS.iter().any(|key| entry.contains_key(*key));
            let is_beside = is_reached && !oauth.contains_key("scope") && !has_token(entry);
            if let Some(scopes) = entry.get("scopes").filter(|_| is_beside) {
                oauth.entry("scopes").or_insert_with(|| scopes.clone());
            }
            login(&oauth, false)
        }
        None => None,
    };
    config.extend(auth.map(|auth| (AUTH.to_owned(), auth)));
    Adopted { config, unread }
}

/// Whether an entry says with which token its server is reached, or where that is.
fn has_token(entry: &Map<String, Value>) -> bool {
    let headers = |key: &str| entry.get(key).and_then(Value::as_object).into_iter().flatten();
    let below = entry.get("requestOptions").and_then(|options| options.get("headers"));
    TOKENS.iter().any(|key| entry.get(*key).is_some_and(|value| !value.is_null()))
        || ["headers", "http_headers", "env_http_headers"]
            .into_iter()
            .flat_map(headers)
            .chain(below.and_then(Value::as_object).into_iter().flatten())
            .any(|(name, value)| name.eq_ignore_ascii_case("authorization") && !value.is_null())
}

/// The names, and patterns of names, that one list has and the other covers. Of two patterns of which neither covers the other nothing is
/// left: fewer tools rather than more.
fn in_both(one: &[Value], other: &[Value]) -> Vec<Value> {
    let covers = |list: &[Value], name: &Value| {
        list.iter().any(|pattern| {
            matches_name(pattern.as_str().unwrap_or_default(), name.as_str().unwrap_or_default())
        })
    };
    let mut both: Vec<Value> = one.iter().filter(|name| covers(other, name)).cloned().collect();
    for name in other.iter().filter(|name| covers(one, name)) {
        if !both.contains(name) {
            both.push(name.clone());
        }
    }
    both
}

/// A time as a client takes it: one without a bound, and what is not a time, gives no time.
fn millis(time: f64, is_seconds: bool) -> Option<u64> {
    let seconds = if is_seconds { time } else { time / 1000.0 };
    if seconds <= 0.0 || seconds > MOST_S {
        return None;
    }
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    // 0 would be refused.
    Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1))
}

/// The names of tools in a list, or the only one. Gemini CLI also takes a name with arguments behind it: `read(path)`.
fn names(value: &Value) -> Option<Vec<Value>> {
    let name = |value: &Value| {
        let text = value.as_str()?;
        Some(Value::from(text.split('(').next().unwrap_or(text).trim()))
    };
    match value {
        Value::Array(list) => list.iter().filter(|value| !value.is_null()).map(name).collect(),
        value => name(value).map(|name| vec![name]),
    }
}

/// The tools of an object of switches, or of tables with one, that are off. `None` for any other value.
fn switched_off(value: &Value) -> Option<Vec<Value>> {
    let is_off = |one: &Value| match one {
        Value::Bool(is_on) => Some(!is_on),
        Value::Object(table) => {
            Some(table.get("enabled") == Some(&false.into()) || table.get("disabled") == Some(&true.into()))
        }
        _ => None,
    };
    let mut off = Vec::new();
    for (name, one) in value.as_object()? {
        if is_off(one)? {
            off.push(name.as_str().into());
        }
    }
    Some(off)
}

/// The other keys of a login that are read.
const LOGIN_KEYS: [&str; 7] =
    ["client_id", "client_secret", "scopes", "scope", "issuer", "callbackPort", "redirectUri"];

/// The members of a login that change it and are not read here: addresses that are found by themselves, in most cases.
#[must_use]
pub fn unread_of_login(entry: &Map<String, Value>) -> Vec<String> {
    let login = entry.get("oauth").and_then(Value::as_object).into_iter().flatten();
    let is_read = |key: &str| LOGIN_KEYS.contains(&key) || OF_LOGINS.contains(&key) || key == "enabled";
    let unread = login.filter(|(key, value)| !value.is_null() && !is_read(key));
    unread.map(|(key, _)| format!("oauth.{key}")).collect()
}

/// Keys of a login that no client has at this place.
const OF_LOGINS: [&str; 4] = ["CLIENT_ID", "CLIENT_SECRET", "clientId", "clientSecret"];

/// The client with which a person logs in: Claude Code calls it `clientId` with a `callbackPort`, Cursor `CLIENT_ID`, Codex
/// `client_id`. Beside keys of other programs `auth` may have those of a client (`is_auth`): none of them is lost, and one that a client
/// does not know is refused where its configuration is read.
fn login(entry: &Map<String, Value>, is_auth: bool) -> Option<Value> {
    let first =
        |keys: &[&str]| keys.iter().find_map(|key| entry.get(*key)).filter(|value| !value.is_null()).cloned();
    let mut auth = Map::new();
    if is_auth {
        let read = |key: &str| LOGIN_KEYS.contains(&key) || OF_LOGINS.contains(&key);
        let own = entry.iter().filter(|(key, value)| !read(key) && !value.is_null());
        auth.extend(own.map(|(key, value)| (key.clone(), value.clone())));
    }
    for (key, theirs) in [
        ("client_id", &["clientId", "CLIENT_ID", "client_id"][..]),
        ("client_secret", &["clientSecret", "CLIENT_SECRET", "client_secret"]),
        ("scopes", &["scopes", "scope"]),
        ("issuer", &["issuer"]),
    ] {
        auth.extend(first(theirs).map(|value| (key.to_owned(), value)));
    }
    if let Some(Value::String(scopes)) = auth.get("scopes") {
        let scopes = scopes.split_whitespace().map(Value::from).collect();
        auth.insert("scopes".to_owned(), scopes);
    }
    let port = first(&["callbackPort"]).and_then(|port| port.as_u64());
    let redirect = port.map(|port| format!("http://localhost:{port}/callback").into());
    // A client listens at its own machine only.
    if let Some(url) = redirect.or_else(|| first(&["redirectUri"]))
        && ["http://localhost:", "http://127.0.0.1:", "http://[::1]:"]
            .iter()
            .any(|own| url.as_str().is_some_and(|url| url.starts_with(own)))
    {
        auth.insert("redirect_uri".to_owned(), url);
        auth.insert("listen".to_owned(), true.into());
    }
    if auth.contains_key("client_secret") && !auth.contains_key("issuer") {
        // No such program has a key for it. The person's own file names this server and no other; its metadata says where it logs in.
        auth.entry("allow_any_issuer").or_insert_with(|| true.into());
    }
    (!auth.is_empty()).then_some(Value::Object(auth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use serde_json::json;

    fn of(entry: &Value) -> Adopted {
        adopted(entry.as_object().expect("an object"))
    }

    #[test]
    fn times_are_ones_that_a_client_takes() {
        const MOST_MS: u64 = 31_536_000_000;
        for (entry, wanted) in [
            (json!({"timeout": 2.5}), Some(json!({"call_ms": 2500}))),
            (json!({"timeout": 999}), Some(json!({"call_ms": 999_000}))),
            (json!({"timeout": 1000}), Some(json!({"call_ms": 1000}))),
            (
                json!({"initTimeout": 10_000, "timeout": 9}),
                Some(json!({"start_ms": 10_000, "call_ms": 9000})),
            ),
            (json!({"connectionTimeout": 5000}), Some(json!({"start_ms": 5000}))),
            (
                json!({"start_mcp_timeout_ms": 900, "run_mcp_timeout_ms": 800}),
                Some(json!({"start_ms": 900, "call_ms": 800})),
            ),
            (json!({"timeout": 60_000}), Some(json!({"call_ms": 60_000}))),
            (json!({"timeout": 0.000_1}), Some(json!({"call_ms": 1}))),
            (json!({"tool_timeout_sec": 0.000_1}), Some(json!({"call_ms": 1}))),
            (json!({"tool_timeout_sec": 2000}), Some(json!({"call_ms": 2_000_000}))),
            (json!({"tool_timeout_sec": 7, "timeout": 9}), Some(json!({"call_ms": 7000}))),
            (json!({"tool_timeout_sec": null, "timeout": 9}), Some(json!({"call_ms": 9000}))),
            (json!({"startup_timeout_ms": 0.5}), Some(json!({"start_ms": 1}))),
            (json!({"startup_timeout_ms": MOST_MS}), Some(json!({"start_ms": MOST_MS}))),
            (
                json!({"startup_timeout_sec": 20, "timeout": 5}),
                Some(json!({"start_ms": 20_000, "call_ms": 5000})),
            ),
            (json!({"startup_timeout_ms": MOST_MS + 1}), None),
            (json!({"startup_timeout_sec": MOST_MS}), None),
            (json!({"timeout": 1e300}), None),
            (json!({"timeout": 0}), None),
            (json!({"timeout": -1}), None),
            (json!({"timeout": "60s"}), None),
            (json!({"timeout": " 60"}), Some(json!({"call_ms": 60_000}))),
            (json!({"timeout": null}), None),
        ] {
            let found = of(&entry);
            assert_eq!(found.config.get(TIMES), wanted.as_ref(), "{entry}");
            let told: &[Unread] = match entry["timeout"] == "60s" {
                true => &[Unread { key: "timeout", chooses: false }],
                false => &[],
            };
            assert_eq!(found.unread, told, "{entry}");
            let mut config = Value::Object(found.config);
            config["command"] = "x".into();
            Client::new(&config.to_string(), None).expect("a client");
        }
        let longer = json!({"command": "x", "timeouts": {"call_ms": MOST_MS + 1}});
        assert!(Client::new(&longer.to_string(), None).is_err());
    }

    #[test]
    fn what_changes_a_login_and_is_not_read_is_known() {
        for (entry, unread) in [
            (json!({"oauth": {"enabled": true, "clientId": "c", "scope": "a", "callbackPort": 1}}), &[][..]),
            (json!({"oauth": {"authorizationUrl": "u", "tokenUrl": null}}), &["oauth.authorizationUrl"]),
            (json!({"oauth": {"authServerMetadataUrl": "u"}}), &["oauth.authServerMetadataUrl"]),
            (json!({"oauth": false}), &[]),
        ] {
            assert_eq!(unread_of_login(entry.as_object().expect("an object")), unread, "{entry}");
        }
    }

    #[test]
    fn an_entry_gets_the_forms_of_a_client() {
        let url = "https://a.example/mcp";
        for (entry, wanted) in [
            (
                json!({"command": "", "cmd": " ", "args": [], "env": {}, "cwd": "", "baseUrl": url, "headers": {}}),
                json!({"baseUrl": url, "headers": {}}),
            ),
            (json!({"command": "x", "args": [], "headers": {}}), json!({"command": "x", "args": []})),
            (json!({"command": "x", "url": "", "args": null}), json!({"command": "x"})),
            (
                json!({"command": "x", "cwd": "", "args": ["-y", null]}),
                json!({"command": "x", "args": ["-y"]}),
            ),
            (
                json!({"command": "x", "args": ["--deny", null, "--root", "/srv", null, null]}),
                json!({"command": "x", "args": ["--deny", null, "--root", "/srv"]}),
            ),
            (json!({"serverUrl": format!(" {url}\n")}), json!({"serverUrl": url})),
            (
                json!({"type": "stdio", "config": {"type": "sse", "command": "x"}}),
                json!({"type": "stdio", "command": "x"}),
            ),
            (
                json!({"command": "x", "config": {"cmd": "y"}}),
                json!({"command": "x", "config": {"cmd": "y"}}),
            ),
            (
                json!({"transport": {"type": "stdio", "command": "x", "env": {"A": 1}}, "name": "n"}),
                json!({"type": "stdio", "command": "x", "env": {"A": "1"}, "name": "n"}),
            ),
            (json!({"transport": "stdio", "command": "x"}), json!({"transport": "stdio", "command": "x"})),
            (json!({"env": [], "headers": []}), json!({"env": {}, "headers": {}})),
            (json!({"env": {"A": 1, "B": null, "C": true}}), json!({"env": {"A": "1", "C": "true"}})),
            (json!({"env": ["A=1=2", "B="]}), json!({"env": {"A": "1=2", "B": ""}})),
            (json!({"environment": [{"name": "A", "value": 1}]}), json!({"environment": {"A": "1"}})),
            (json!({"headers": ["X-A: b:c", "X-B:d"]}), json!({"headers": {"X-A": "b:c", "X-B": "d"}})),
            (json!({"headers": [{"name": "X-A", "value": "b"}]}), json!({"headers": {"X-A": "b"}})),
            // What is in no known form stays, and is refused with its name.
            (json!({"env": ["A"]}), json!({"env": ["A"]})),
            (json!({"headers": [{"X-A": "b"}]}), json!({"headers": [{"X-A": "b"}]})),
            (json!({"url": url, "auth": "oauth"}), json!({"url": url})),
            (json!({"url": url, "auth": "t"}), json!({"url": url, "headers": {"Authorization": "Bearer t"}})),
            (
                json!({"auth": "t", "headers": {"authorization": "Basic x"}}),
                json!({"headers": {"authorization": "Basic x"}}),
            ),
        ] {
            let mut shape = entry.as_object().expect("an object").clone();
            shaped(&mut shape);
            assert_eq!(Value::Object(shape), wanted, "{entry}");
        }
        for (value, is_on) in [
            (json!(true), Some(true)),
            (json!("False"), Some(false)),
            (json!(0), Some(false)),
            (json!(1), Some(true)),
            (json!(2), None),
            (json!("no"), None),
            (json!([]), None),
        ] {
            assert_eq!(switch(&value), is_on, "{value}");
        }
    }

    #[test]
    fn the_tools_that_a_program_chose_are_those_of_the_client() {
        for (entry, config, unread) in [
            (json!({"includeTools": ["a", "b(x)"]}), json!({"allow_tools": ["a", "b"]}), &[][..]),
            (json!({"includeTools": []}), json!({"allow_tools": []}), &[]),
            (
                json!({"includeTools": ["nav_*"], "excludeTools": ["nav_to"]}),
                json!({"allow_tools": ["nav_*"], "deny_tools": ["nav_to"]}),
                &[],
            ),
            (
                json!({"enabled_tools": ["a"], "disabled_tools": ["b"]}),
                json!({"allow_tools": ["a"], "deny_tools": ["b"]}),
                &[],
            ),
            (json!({"disabledTools": ["a"], "excludeTools": ["b"]}), json!({"deny_tools": ["b", "a"]}), &[]),
            (json!({"disabledTools": "a"}), json!({"deny_tools": ["a"]}), &[]),
            (json!({"disabledTools": []}), json!({}), &[]),
            (json!({"disabledTools": null, "tools": null}), json!({}), &[]),
            (json!({"available_tools": []}), json!({}), &[]),
            (json!({"available_tools": ["a"]}), json!({"allow_tools": ["a"]}), &[]),
            (json!({"tools": ["*"]}), json!({}), &[]),
            (json!({"tools": ["a", null]}), json!({"allow_tools": ["a"]}), &[]),
            (json!({"tools": {"a": false, "b": true}}), json!({"deny_tools": ["a"]}), &[]),
            (
                json!({"tools": {"a": {"approval_mode": "approve"}, "b": {"enabled": false}}}),
                json!({"deny_tools": ["b"]}),
                &[],
            ),
            (json!({"tools": {"a": 1}}), json!({}), &["tools"]),
            // Each of two programs narrows.
            (
                json!({"includeTools": ["a", "b", "c"], "enabled_tools": ["c", "a", "d"]}),
                json!({"allow_tools": ["a", "c"]}),
                &[],
            ),
            (
                json!({"includeTools": ["read_*", "x"], "tools": ["read_a", "y*"]}),
                json!({"allow_tools": ["read_a"]}),
                &[],
            ),
            (json!({"includeTools": ["*"], "allowedTools": ["a"]}), json!({"allow_tools": ["a"]}), &[]),
            (json!({"includeTools": [], "allowedTools": ["a"]}), json!({"allow_tools": []}), &[]),
            (json!({"allowedTools": ["a"]}), json!({"allow_tools": ["a"]}), &[]),
            (json!({"enabled_tools": {"a": true}}), json!({}), &["enabled_tools"]),
            (json!({"disabledTools": [1]}), json!({}), &["disabledTools"]),
            (json!({"alwaysAllow": ["a"]}), json!({}), &[]),
        ] {
            assert_eq!(
                of(&entry),
                Adopted {
                    config: config.as_object().expect("an object").clone(),
                    unread: unread.iter().map(|&key| Unread { key, chooses: true }).collect(),
                },
                "{entry}"
            );
        }
        assert!(adopts("timeout") && adopts("disabledTools") && !adopts("alwaysAllow"));
    }

    #[test]
    fn a_client_that_was_registered_by_hand_is_that_of_the_login() {
        let desk = json!({"client_id": "desk"});
        for (entry, wanted) in [
            (json!({"oauth": {"clientId": "desk"}}), Some(desk.clone())),
            (json!({"oauth": {"client_id": "desk", "enabled": true}}), Some(desk.clone())),
            (json!({"auth": {"CLIENT_ID": "desk"}, "oauth": false}), Some(desk.clone())),
            (json!({"auth": null, "oauth": {"clientId": "desk"}}), Some(desk)),
            (
                json!({"oauth": {"clientId": "desk", "callbackPort": 3118, "scopes": "a  b"}}),
                Some(json!({"client_id": "desk", "scopes": ["a", "b"], "listen": true,
                    "redirect_uri": "http://localhost:3118/callback"})),
            ),
            (
                json!({"auth": {"CLIENT_ID": "desk", "CLIENT_SECRET": "s", "scopes": ["a"]}}),
                Some(
                    json!({"client_id": "desk", "client_secret": "s", "scopes": ["a"], "allow_any_issuer": true}),
                ),
            ),
            (
                json!({"auth": {"CLIENT_ID": "desk", "CLIENT_SECRET": "s", "issuer": "https://as.example"}}),
                Some(json!({"client_id": "desk", "client_secret": "s", "issuer": "https://as.example"})),
            ),
            (
                json!({"oauth": {"clientId": "desk", "clientSecret": "s", "issuer": "https://as.example"}}),
                Some(json!({"client_id": "desk", "client_secret": "s", "issuer": "https://as.example"})),
            ),
            (
                json!({"auth": {"CLIENT_ID": "desk", "dpop": "always", "store": "memory", "x": null}}),
                Some(json!({"client_id": "desk", "dpop": "always", "store": "memory"})),
            ),
            (
                json!({"auth": {"CLIENT_ID": "desk", "CLIENT_SECRET": "s", "allow_any_issuer": false}}),
                Some(json!({"client_id": "desk", "client_secret": "s", "allow_any_issuer": false})),
            ),
            (json!({"auth": {"client_id": "own"}, "oauth": {"clientId": "desk"}}), None),
            (
                json!({"oauth": {"clientId": "desk", "redirectUri": "http://localhost:7777/oauth/callback"}}),
                Some(
                    json!({"client_id": "desk", "redirect_uri": "http://localhost:7777/oauth/callback", "listen": true}),
                ),
            ),
            (json!({"oauth": {"redirectUri": "https://desk.example/callback"}}), None),
            (json!({"oauth": {"clientId": null}}), None),
            (json!({"url": "u", "scopes": ["a"]}), Some(json!({"scopes": ["a"]}))),
            (
                json!({"url": "u", "scopes": ["a"], "oauth": {"client_id": "desk"}}),
                Some(json!({"client_id": "desk", "scopes": ["a"]})),
            ),
            (json!({"url": "u", "scopes": ["a"], "oauth": {"scope": "b"}}), Some(json!({"scopes": ["b"]}))),
            (json!({"command": "x", "scopes": ["a"]}), None),
            (json!({"serverUrl": "u", "scopes": ["a"]}), Some(json!({"scopes": ["a"]}))),
            (
                json!({"httpUrl": "u", "scopes": "a b", "headers": {"X": "y"}}),
                Some(json!({"scopes": ["a", "b"]})),
            ),
            // A token is written: there is no login.
            (json!({"url": "u", "scopes": ["a"], "headers": {"authorization": "Bearer t"}}), None),
            (json!({"url": "u", "scopes": ["a"], "http_headers": {"Authorization": "Bearer t"}}), None),
            (json!({"url": "u", "scopes": ["a"], "env_http_headers": {"Authorization": "T"}}), None),
            (
                json!({"url": "u", "scopes": ["a"], "requestOptions": {"headers": {"Authorization": "t"}}}),
                None,
            ),
            (json!({"url": "u", "scopes": ["a"], "bearer_token_env_var": "T"}), None),
            (json!({"url": "u", "scopes": ["a"], "apiKey": "t"}), None),
            (json!({"url": "u", "scopes": ["a"], "headersHelper": "make"}), None),
            (json!({"oauth": true}), None),
            (json!({"auth": "oauth"}), None),
        ] {
            assert_eq!(of(&entry).config.get(AUTH), wanted.as_ref(), "{entry}");
        }
    }
}
