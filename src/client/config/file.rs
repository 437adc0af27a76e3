//! The servers of an `mcpServers` file, one or all, with `${VAR}` expanded.

use super::adopted::{Adopted, SWITCHES, Unread, adopted, adopts, shaped, switch};
use super::endpoint::{ALIASES, ProcessKeys, ServerKeys};
use super::{Config, file};
use crate::config::define::Definition;
use crate::config::fields::{self, Fields, Misplaced, mistaken, nearest, parse_object, wrong};
use crate::engine::{Error, Status};
use crate::json;
use crate::transport::plain_text;
use serde_json::{Map, Value};
use std::path::Path;

/// The largest file read.
const FILE_BYTES: u64 = 4 * 1024 * 1024;
/// Keys that editors keep beside a server's own; they mean nothing to a client.
const EDITOR_KEYS: [&str; 4] = ["autoApprove", "alwaysAllow", "description", "gallery"];
/// The most a file may nest: the file's object, that of the servers, and what a configuration may.
const DEPTH: usize = fields::DEPTH + 2;
/// The most names of servers that an error lists.
const NAMES: usize = 20;

/// Reads the server called `name` (or the only one, without a name) as configuration text.
///
/// # Errors
/// `INVALID_ARGUMENT`, saying what is wrong with the file and where; `UNAVAILABLE` for a server that the file says is
/// disabled; `UNSUPPORTED` for one that this build cannot reach.
pub fn load(path: &Path, name: Option<&str>) -> Result<String, Error> {
    let text = text_of(path)?;
    read(&text, &path.display().to_string(), name, &|variable| std::env::var(variable).ok(), Unknown::Wrong)
}

/// What becomes of a key that a client does not know: it may be another program's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The entry is wrong.
    Wrong,
    /// It is left out.
    LeftOut,
}

/// The servers of the file in its order, as a JSON array of objects with "name" and "disabled".
///
/// # Errors
/// `INVALID_ARGUMENT`, saying what is wrong with the file and where.
pub fn servers(path: &Path) -> Result<String, Error> {
    let here = |error: Error| error.of("config_servers");
    let (text, shown) = (text_of(path).map_err(here)?, path.display().to_string());
    listed(&text, &shown).map_err(here)
}

/// The same for the text of a file that is `shown` in errors.
fn listed(text: &str, shown: &str) -> Result<String, Error> {
    let (_, list) = list_in(text, shown)?;
    let entries = entries(list).into_iter().map(|(name, entry)| {
        let mut members: Map<String, Value> = serde_json::from_str(entry).unwrap_or_default();
        shaped(&mut members);
        let is_off = |(key, off)| members.get(key).and_then(switch) == Some(off);
        serde_json::json!({ "name": name, "disabled": SWITCHES.into_iter().any(is_off) })
    });
    Ok(Value::Array(entries.collect()).to_string())
}

// Each of these is needed in several places, and copies of them would be a tenth of what a file of servers costs in size.
#[inline(never)]
fn text_of(path: &Path) -> Result<String, Error> {
    let shown = path.display().to_string();
    let invalid = |message: String| about(&shown, message);
    let length = std::fs::metadata(path)
        .map_err(|error| invalid(format!("cannot read '{shown}': {}", plain_text(&error))))?
        .len();
    if length > FILE_BYTES {
        return Err(invalid(format!("'{shown}' has {length} bytes, and at most {FILE_BYTES} are read")));
    }
    let unread = |why: &str| invalid(format!("cannot read '{shown}': {why}"));
    let bytes = std::fs::read(path).map_err(|error| unread(&plain_text(&error)))?;
    json::decoded(bytes).map(json::plain).map_err(unread)
}

/// An error about the file.
#[inline(never)]
fn about(shown: &str, message: String) -> Error {
    Error::new(Status::InvalidArgument, "config_load", message).with("path", shown)
}

/// The same for the text of a file that is `shown` in errors; `variable` is the environment.
pub(in crate::client) fn read(
    text: &str,
    shown: &str,
    name: Option<&str>,
    variable: &dyn Fn(&str) -> Option<String>,
    unknown: Unknown,
) -> Result<String, Error> {
    let (key, list) = list_in(text, shown)?;
    let in_file = |fault: Misplaced| in_file(fault, shown);
    fields::check_names(list).map_err(|fault| in_file(fault.in_member(key)))?;
    let (name, entry) = pick(list, name).map_err(|why| about(shown, format!("'{shown}' {why}")))?;
    configuration(entry, variable, unknown).map_err(|error| in_server(&error, &name, shown))
}

/// A server of a file: its name, and its configuration or why it has none.
pub type ServerConfig = (String, Result<String, Error>);

/// All servers of a file in its order, each as [`read`] gives it. `variable` is the environment.
pub(super) fn all(
    path: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    unknown: Unknown,
) -> Result<Vec<ServerConfig>, Error> {
    let here = |error: Error| error.of("config_open");
    let (text, shown) = (text_of(path).map_err(here)?, path.display().to_string());
    let (key, list) = list_in(&text, &shown).map_err(here)?;
    fields::check_names(list).map_err(|fault| here(in_file(fault.in_member(key), &shown)))?;
    let read = |(name, entry): (String, &str)| {
        let read =
            configuration(entry, variable, unknown).map_err(|error| here(in_server(&error, &name, &shown)));
        (name, read)
    };
    Ok(entries(list).into_iter().map(read).collect())
}

/// An error of one server's entry.
#[inline(never)]
fn in_server(error: &Error, name: &str, shown: &str) -> Error {
    let message = format!("server '{name}' in '{shown}': {}", error.message);
    Error { message, ..error.of("config_load").with("path", shown).with("server", name) }
}

/// A fault at a place in the file.
#[inline(never)]
fn in_file(fault: Misplaced, shown: &str) -> Error {
    let error = fault.into_error().of("config_load").with("path", shown);
    Error { message: format!("'{shown}': {}", error.message), ..error }
}

/// The object of servers in the text of a file, and the key that it has there.
#[inline(never)]
fn list_in<'a>(text: &'a str, shown: &str) -> Result<(&'static str, &'a str), Error> {
    // What JSON it is says the other reader, which knows lines and columns.
    let tree: Result<Value, _> = serde_json::from_str(text);
    if let Err(error) = json::scan_value(text.as_bytes(), DEPTH) {
        let why = tree.err().map_or_else(|| error.to_string(), |error| error.to_string());
        return Err(about(shown, format!("'{shown}' is no JSON: {why}")));
    }
    fields::check_names(text).map_err(|fault| in_file(fault, shown))?;
    // VS Code writes "servers", the other programs write "mcpServers".
    let list = ["mcpServers", "servers"]
        .into_iter()
        .find_map(|key| Some((key, json::member(text, key)?)))
        .filter(|(_, list)| json::kind(list) == Some(json::Kind::Object));
    list.ok_or_else(|| about(shown, format!("'{shown}' has no object 'mcpServers'")))
}

/// The names and the texts of the entries, in the order of the file.
#[inline(never)]
fn entries(list: &str) -> Vec<(String, &str)> {
    let decoded = |name: &str| json::string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
    json::members(list).map(|(name, entry)| (decoded(name), entry)).collect()
}

/// The name and the text of the entry called `name`, or of the only one.
fn pick<'a>(list: &'a str, name: Option<&str>) -> Result<(String, &'a str), String> {
    let mut servers = entries(list);
    let wanted = match name {
        Some(name) => servers.iter().position(|(other, _)| other == name),
        None => (servers.len() == 1).then_some(0),
    };
    if let Some(at) = wanted {
        return Ok(servers.swap_remove(at));
    }
    let mut names: Vec<&str> = servers.iter().map(|(name, _)| name.as_str()).collect();
    mcp_core::sorted::order(&mut names);
    let listed = match names.len() {
        0 => "there are none in it".to_owned(),
        count if count > NAMES => {
            format!("there are {} and {} more", names[..NAMES].join(", "), count - NAMES)
        }
        _ => format!("there are {}", names.join(", ")),
    };
    Err(match name {
        None => format!("holds several servers or none, so that one must be named; {listed}"),
        Some(name) => match nearest(name, names.iter().copied()) {
            Some(near) => format!("has no server '{name}'; did you mean '{near}'?"),
            None => format!("has no server '{name}'; {listed}"),
        },
    })
}

/// The configuration that an entry is: what [`Config::parse`] takes.
#[inline(never)]
fn configuration(
    entry: &str,
    variable: &dyn Fn(&str) -> Option<String>,
    unknown: Unknown,
) -> Result<String, Error> {
    if json::kind(entry) != Some(json::Kind::Object) {
        return Err(Error::new(Status::InvalidArgument, "config_load", "it is not an object"));
    }
    let mut members: Map<String, Value> = fields::parse_object(entry, "the entry")?;
    // A switch may stand in `config` or `transport`.
    shaped(&mut members);
    for (key, off) in SWITCHES {
        match members.get(key) {
            None | Some(Value::Null) => {}
            Some(value) if switch(value) == Some(!off) => {}
            Some(value) if switch(value).is_some() => {
                let why = format!("it is disabled (\"{key}\": {off}); change that in the file to use it");
                let error = Error::new(Status::Unavailable, "config_load", why);
                return Err(error.with("disabled", true).retryable(false));
            }
            // The name is a common one: another program may call something else so.
            Some(_) if key == "active" && unknown == Unknown::LeftOut => {}
            Some(other) => return Err(mistaken(key, other, "true or false")),
        }
    }
    members.retain(|key, _| {
        !EDITOR_KEYS.contains(&key.as_str()) && !SWITCHES.iter().any(|(switch, _)| switch == key)
    });
    adopt(&mut members, unknown)?;
    let mut value = Value::Object(members);
    expand(&mut value, variable).map_err(Misplaced::into_error)?;
    let text = value.to_string();
    Config::parse(&text)?;
    Ok(text)
}

/// Gives members the names and types that a client knows: files of editors have others for the same.
fn adopt(members: &mut Map<String, Value>, unknown: Unknown) -> Result<(), Error> {
    for &(theirs, ours) in ALIASES {
        if !members.contains_key(ours)
            && let Some(value) = members.remove(theirs)
        {
            members.insert(ours.to_owned(), value);
        }
    }
    let Adopted { config, unread } = adopted(members);
    // A tool that was not to be used must not be; `tools` alone may be about something else, and a time is a convenience.
    let counts = |one: &Unread| unknown == Unknown::Wrong || one.chooses && one.key != "tools";
    if let Some(one) = unread.into_iter().find(counts) {
        return Err(wrong(one.key, format!("it is not {}", one.wanted())));
    }
    members.retain(|key, _| !adopts(key));
    // What a program calls `auth`, too, is read.
    if config.contains_key("auth") {
        members.remove("auth");
    }
    for (key, value) in config.into_iter().filter(|(key, _)| super::knows(key)) {
        match (members.get_mut(&key), value) {
            // What is said in the keys of a client goes before.
            (Some(Value::Object(own)), Value::Object(theirs)) => {
                theirs.into_iter().for_each(|(key, value)| {
                    own.entry(key).or_insert(value);
                });
            }
            (Some(_), _) => {}
            (None, value) => {
                members.insert(key, value);
            }
        }
    }
    if unknown == Unknown::LeftOut {
        // What is most likely a mistyped key of ours is refused with the right name, not left out: `arg` for `args`.
        let absent = || {
            [ServerKeys::KEYS, ProcessKeys::KEYS]
                .concat()
                .into_iter()
                .filter(|key| !members.contains_key(*key))
        };
        let foreign = |key: &&String| !super::knows(key) && nearest(key, absent()).is_none();
        let left_out: Vec<String> = members.keys().filter(foreign).cloned().collect();
        members.retain(|key, _| !left_out.contains(key));
    }
    Ok(())
}

/// Expands variables in every string.
fn expand(value: &mut Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<(), Misplaced> {
    match value {
        Value::String(text) => {
            *text = expand_text(text, variable).map_err(Misplaced::here)?;
            Ok(())
        }
        Value::Array(list) => list
            .iter_mut()
            .enumerate()
            .try_for_each(|(index, value)| expand(value, variable).map_err(|fault| fault.in_element(index))),
        Value::Object(object) => object
            .iter_mut()
            .try_for_each(|(key, value)| expand(value, variable).map_err(|fault| fault.in_member(key))),
        _ => Ok(()),
    }
}

/// What is wrong is told without the text, which may be a secret in part.
fn expand_text(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        out.push_str(&rest[..start]);
        let inside = &rest[start + 2..];
        let Some(end) = inside.find('}') else {
            return Err("it has a '${' without a '}'".to_owned());
        };
        let (name, fallback) = match inside[..end].split_once(":-") {
            Some((name, fallback)) => (name, Some(fallback)),
            None => (&inside[..end], None),
        };
        match (variable(name), fallback) {
            (Some(value), None) => out.push_str(&value),
            (Some(value), Some(_)) if !value.is_empty() => out.push_str(&value),
            (_, Some(fallback)) => out.push_str(fallback),
            (None, None) => {
                return Err(format!(
                    "it needs the environment variable '{name}', which is not set; set it or write \
                     '${{{name}:-default}}'"
                ));
            }
        }
        rest = &inside[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Reads all servers of the file that are not disabled, in its order. The file is read once, so that all of them are of one
/// version of it.
///
/// # Errors
/// `INVALID_ARGUMENT`, saying what is wrong with the file as a whole or with the options.
pub fn open(path: &Path, options: Option<&str>) -> Result<Vec<ServerConfig>, Error> {
    let defaults = options.map(defaults).transpose()?.unwrap_or_default();
    let all = file::all(path, &|variable| std::env::var(variable).ok(), Unknown::LeftOut)?;
    let enabled = all.into_iter().filter(|(_, read)| !read.as_ref().is_err_and(is_disabled));
    Ok(enabled.map(|(name, read)| (name, read.and_then(|config| completed(&config, &defaults)))).collect())
}

fn is_disabled(error: &Error) -> bool {
    error.status == Status::Unavailable && error.details.contains_key("disabled")
}

/// The configuration for all servers. What is wrong with it is told here, and not once for each of them.
#[inline(never)]
fn defaults(options: &str) -> Result<Map<String, Value>, Error> {
    let object = parse_object(options, "options")?;
    let mut fields = Fields::new("", &object);
    let defaults = fields.object("defaults")?.cloned().unwrap_or_default();
    fields.finish()?;
    Ok(defaults)
}

/// A configuration with the members that it lacks.
#[inline(never)]
fn completed(config: &str, defaults: &Map<String, Value>) -> Result<String, Error> {
    if defaults.is_empty() {
        return Ok(config.to_owned());
    }
    let mut members = parse_object(config, "config")?;
    for (key, value) in defaults {
        members.entry(key.as_str()).or_insert_with(|| value.clone());
    }
    let text = Value::Object(members).to_string();
    Config::parse(&text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, String> {
        expand_text(text, &|name| match name {
            "HOME" => Some("/home/me".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        })
    }

    #[test]
    fn what_editors_write_is_read() {
        let read = |entry: &str, unknown| {
            let text = format!(r#"{{"mcpServers":{{"x":{entry}}}}}"#);
            super::read(&text, "f", None, &|_| None, unknown)
                .map(|text| serde_json::from_str::<Value>(&text).expect("JSON"))
        };
        let lenient = |entry: &str| read(entry, Unknown::LeftOut).expect("a configuration");
        let cline =
            r#"{"command":"x","args":null,"timeout":60,"envFile":".env","env":{"A":1,"B":null,"C":true}}"#;
        let wanted =
            serde_json::json!({"command":"x","env":{"A":"1","C":"true"},"timeouts":{"call_ms":60000}});
        assert_eq!(lenient(cline), wanted);
        assert!(read(cline, Unknown::Wrong).is_err_and(|error| error.message.contains("envFile")));
        let gemini = r#"{"httpUrl":"https://a.example/mcp","trust":true,"timeout":600000}"#;
        let wanted = serde_json::json!({"url":"https://a.example/mcp","timeouts":{"call_ms":600_000}});
        assert_eq!(lenient(gemini), wanted);
        assert_eq!(lenient(r#"{"serverUrl":"https://a.example/mcp"}"#)["url"], "https://a.example/mcp");
        assert_eq!(lenient(r#"{"cmd":"x","icon":"y"}"#), serde_json::json!({"command":"x"}));
    }

    #[test]
    fn a_server_is_disabled_wherever_its_entry_says_so() {
        let with = |entry: &str, unknown| {
            let text = format!(r#"{{"mcpServers":{{"x":{entry}}}}}"#);
            super::read(&text, "f", None, &|_| None, unknown)
        };
        for (entry, is_off) in [
            (r#"{"command":"x","isActive":"false"}"#, true),
            (r#"{"config":{"command":"x","disabled":true}}"#, true),
            (r#"{"transport":{"type":"stdio","command":"x","enabled":false}}"#, true),
            (r#"{"config":{"command":"x","disabled":false}}"#, false),
            (r#"{"transport":{"command":"x","active":1}}"#, false),
        ] {
            for unknown in [Unknown::LeftOut, Unknown::Wrong] {
                let read = with(entry, unknown);
                assert_eq!(read.as_ref().is_err_and(is_disabled), is_off, "{entry}: {read:?}");
                assert_eq!(read.is_ok(), !is_off, "{entry}: {read:?}");
            }
            let listed = listed(&format!(r#"{{"mcpServers":{{"x":{entry}}}}}"#), "f").expect("a list");
            let listed: Value = serde_json::from_str(&listed).expect("JSON");
            assert_eq!(listed, serde_json::json!([{"name": "x", "disabled": is_off}]), "{entry}");
        }
        // What is no switch is told; `active` may be the key of another program for something else.
        for (entry, is_left_out) in [
            (r#"{"command":"x","active":"yes"}"#, true),
            (r#"{"command":"x","active":{}}"#, true),
            (r#"{"command":"x","isActive":{}}"#, false),
        ] {
            assert_eq!(with(entry, Unknown::LeftOut).is_ok(), is_left_out, "{entry}");
            let told = with(entry, Unknown::Wrong).map_err(|error| error.message);
            assert!(told.as_ref().is_err_and(|why| why.contains("is not true or false")), "{told:?}");
        }
    }

    #[test]
    fn a_mistyped_key_is_not_taken_for_one_of_another_program() {
        for (entry, meant) in [
            (r#"{"comand":"x"}"#, "'command'"),
            (r#"{"command":"x","arg":["y"]}"#, "'args'"),
            (r#"{"uri":"https://a.example/mcp"}"#, "'url'"),
        ] {
            let text = format!(r#"{{"mcpServers":{{"x":{entry}}}}}"#);
            let read = super::read(&text, "f", None, &|_| None, Unknown::LeftOut);
            assert!(read.is_err_and(|error| error.message.contains(meant)), "{entry}");
        }
    }

    #[test]
    fn variables_and_defaults_are_expanded_as_a_shell_would() {
        assert_eq!(expanded("${HOME}/x").as_deref(), Ok("/home/me/x"));
        assert_eq!(expanded("${NONE:-a}${EMPTY:-b}${EMPTY}c").as_deref(), Ok("abc"));
        assert_eq!(expanded("$HOME $").as_deref(), Ok("$HOME $"));
        assert!(expanded("${NONE}").is_err_and(|why| why.contains("NONE")));
        assert!(expanded("${HOME").is_err());
    }

    #[test]
    fn a_default_is_for_what_an_entry_does_not_say() {
        let defaults = defaults(r#"{"defaults":{"protocol":"legacy","args":["x"]}}"#).expect("defaults");
        let text = completed(r#"{"command":"c","args":["own"]}"#, &defaults).expect("a configuration");
        let config: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(config, serde_json::json!({"command":"c","args":["own"],"protocol":"legacy"}));
        let error = completed(
            r#"{"command":"c"}"#,
            &super::defaults(r#"{"defaults":{"argz":1}}"#).expect("an object"),
        );
        assert!(error.is_err_and(|error| error.message.contains("argz")));
        assert!(super::defaults(r#"{"default":{}}"#).is_err_and(|error| error.message.contains("defaults")));
    }
}
