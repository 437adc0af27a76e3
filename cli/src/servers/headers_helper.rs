//! `headersHelper` of an entry, as Claude Code has it: a command line for `sh` that writes headers for the server as a JSON object. It runs
//! each time the server is used by a new command of this program.

use super::Found;
use super::entry::HEADERS_HELPER;
use crate::group::{Bounds, output_of};
use serde_json::{Map, Value};
use std::process::Command;
use std::time::Duration;

/// What it may take: the time is that of Claude Code.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(10), bytes: 64 * 1024 };
/// The variables that it gets where a project brought it: those that a server gets that is started, and no other one of the person.
const OF_PROJECT: [&str; 6] = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/// Gives a server at a URL the headers that the command of its entry writes, before those that the entry has itself. In `folder`, or
/// where this program runs.
pub fn add(one: &Found, config: &mut Map<String, Value>, folder: Option<&str>) -> Result<(), String> {
    let Some(line) = config.remove(HEADERS_HELPER) else { return Ok(()) };
    let Some(url) = config.get("url").and_then(Value::as_str) else { return Ok(()) };
    let line = line.as_str().ok_or_else(|| format!("'{HEADERS_HELPER}' is not text"))?;
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    if one.is_of_project {
        command.env_clear();
        command.envs(OF_PROJECT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    }
    command.env("CLAUDE_CODE_MCP_SERVER_NAME", &one.name).env("CLAUDE_CODE_MCP_SERVER_URL", url);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let text = output_of(&mut command, HEADERS_HELPER, None, BOUNDS).map_err(|why| {
        format!("cannot get its headers: {why}; run its command by hand to see what it says")
    })?;
    let made = headers(&text).ok_or_else(|| {
        // What it wrote may be a secret.
        format!("cannot get its headers: '{HEADERS_HELPER}' must write one JSON object of strings, such as {{\"Authorization\": \"Bearer …\"}}")
    })?;
    let headers = config.entry("headers").or_insert_with(|| Value::Object(Map::new()));
    if let Some(headers) = headers.as_object_mut() {
        headers.retain(|name, _| !made.keys().any(|other| other.eq_ignore_ascii_case(name)));
        headers.extend(made);
    }
    Ok(())
}

fn headers(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(headers)) if headers.values().all(Value::is_string) => Some(headers),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(config: &Value, is_of_project: bool) -> Result<Value, String> {
        let one = Found { is_of_project, ..Found::of_test(config) };
        let mut config = one.config.clone();
        add(&one, &mut config, None).map(|()| Value::Object(config))
    }

    #[test]
    fn a_command_writes_headers_before_those_of_the_entry() {
        let of = |line: &str| {
            let entry = json!({"url": "https://h/mcp", "headers": {"authorization": "old", "X": "1"}, "headersHelper": line});
            made(&entry, false)
        };
        let found = of(
            r#"printf '{"Authorization": "Bearer %s", "U": "%s"}' "$CLAUDE_CODE_MCP_SERVER_NAME" "$CLAUDE_CODE_MCP_SERVER_URL""#,
        );
        let headers = json!({"X": "1", "Authorization": "Bearer x", "U": "https://h/mcp"});
        assert_eq!(found, Ok(json!({"url": "https://h/mcp", "headers": headers})));
        for (line, why) in [
            ("exit 3", "3"),
            ("echo s3cret", "JSON object"),
            ("echo '[\"s3cret\"]'", "JSON object"),
            ("echo '{\"A\": 1}'", "JSON object"),
            ("head -c 70000 /dev/zero | tr '\\0' s", "more than"),
        ] {
            let said = of(line).expect_err("refused");
            assert!(said.contains(why) && !said.contains("s3cret"), "{line}: {said}");
        }
    }

    #[test]
    fn a_server_that_is_started_needs_no_headers() {
        let entry = json!({"command": "x", "headersHelper": "exit 1"});
        assert_eq!(made(&entry, false), Ok(json!({"command": "x"})));
    }

    #[test]
    fn what_a_project_brings_gets_no_variable_of_the_person() {
        let entry = json!({"url": "https://h/", "headersHelper": r#"printf '{"A": "%s", "P": "%s"}' "$CARGO_MANIFEST_DIR" "${PATH:+set}""#});
        let here = std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
        assert_eq!(made(&entry, false).expect("headers")["headers"], json!({"A": here, "P": "set"}));
        assert_eq!(made(&entry, true).expect("headers")["headers"], json!({"A": "", "P": "set"}));
    }
}
