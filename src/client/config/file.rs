//! One server of an `mcpServers` file, with `${VAR}` and `${VAR:-default}` expanded.

use super::nearest::nearest;
use crate::engine::{Error, Status};
use serde_json::{Map, Value};
use std::path::Path;

/// The largest file read.
const FILE_BYTES: u64 = 4 * 1024 * 1024;
/// Keys that editors keep beside a server's own; they mean nothing to a client.
const EDITOR_KEYS: [&str; 6] =
    ["disabled", "autoApprove", "alwaysAllow", "description", "gallery", "enabled"];

/// Reads the server called `name` (or the only one, without a name) as configuration text.
///
/// # Errors
/// `INVALID_ARGUMENT`, saying what is wrong with the file and where.
pub fn load(path: &Path, name: Option<&str>) -> Result<String, Error> {
    let shown = path.display();
    let invalid = |message: String| {
        Error::new(Status::InvalidArgument, "config_load", message).with("path", shown.to_string())
    };
    let length =
        std::fs::metadata(path).map_err(|error| invalid(format!("cannot read '{shown}': {error}")))?.len();
    if length > FILE_BYTES {
        return Err(invalid(format!("'{shown}' has {length} bytes, and at most {FILE_BYTES} are read")));
    }
    let text =
        std::fs::read_to_string(path).map_err(|error| invalid(format!("cannot read '{shown}': {error}")))?;
    read(&text, &shown.to_string(), name, &|variable| std::env::var(variable).ok()).map_err(invalid)
}

/// The same for the text of a file that is `shown` in errors; `variable` is the environment.
pub(in crate::client) fn read(
    text: &str,
    shown: &str,
    name: Option<&str>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let tree: Value = serde_json::from_str(text).map_err(|error| format!("'{shown}' is no JSON: {error}"))?;
    // VS Code writes "servers", everybody else "mcpServers".
    let Some(servers) = ["mcpServers", "servers"].iter().find_map(|key| tree.get(key)?.as_object()) else {
        return Err(format!("'{shown}' has no object 'mcpServers'"));
    };
    let mut entry = pick(servers, name)?.clone();
    entry.retain(|key, _| !EDITOR_KEYS.contains(&key.as_str()));
    let mut value = Value::Object(entry);
    expand(&mut value, variable)?;
    Ok(value.to_string())
}

fn pick<'a>(servers: &'a Map<String, Value>, name: Option<&str>) -> Result<&'a Map<String, Value>, String> {
    let names: Vec<String> = servers.keys().cloned().collect();
    let (name, entry) = match name {
        Some(name) => match servers.get(name) {
            Some(entry) => (name, entry),
            None => {
                let hint =
                    nearest(name, &names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
                return Err(format!("there is no server '{name}'{hint}"));
            }
        },
        None => match servers.iter().next() {
            Some((name, entry)) if servers.len() == 1 => (name.as_str(), entry),
            _ => return Err(format!("name one of the servers: {}", names.join(", "))),
        },
    };
    entry.as_object().ok_or_else(|| format!("the server '{name}' is no object"))
}

/// Expands variables in every string.
fn expand(value: &mut Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            *text = expand_text(text, variable)?;
            Ok(())
        }
        Value::Array(list) => list.iter_mut().try_for_each(|value| expand(value, variable)),
        Value::Object(object) => object.values_mut().try_for_each(|value| expand(value, variable)),
        _ => Ok(()),
    }
}

fn expand_text(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        out.push_str(&rest[..start]);
        let inside = &rest[start + 2..];
        let Some(end) = inside.find('}') else {
            return Err(format!("'{text}' has a '${{' without a '}}'"));
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
                    "'{text}' needs the environment variable '{name}', which is not set; set it or write \
                     '${{{name}:-default}}'"
                ));
            }
        }
        rest = &inside[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
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
    fn variables_and_defaults_are_expanded_as_a_shell_would() {
        assert_eq!(expanded("${HOME}/x").as_deref(), Ok("/home/me/x"));
        assert_eq!(expanded("${NONE:-a}${EMPTY:-b}${EMPTY}c").as_deref(), Ok("abc"));
        assert_eq!(expanded("$HOME $").as_deref(), Ok("$HOME $"));
        assert!(expanded("${NONE}").is_err_and(|why| why.contains("NONE")));
        assert!(expanded("${HOME").is_err());
    }
}
