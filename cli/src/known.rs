//! What is known of servers from earlier commands, for the completion of a shell: the names of tools with their arguments, prompts
//! and resources. Kept in the cache folder of the person, a file for each server.
//!
//! Names come from servers. Only those that a shell takes as they are, are kept: the person may accept one unseen.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::folders;
use crate::servers;
use clap::CommandFactory as _;
use clap_complete::engine::CompletionCandidate;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, members, string};
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The most entries of a list, and bytes of a file.
const MOST: usize = 1000;
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Keeps a list of a server that a person can name again. What cannot be kept is not a failure of the command.
pub fn keep(shown: &str, request: &Request<'_>, result: &str) {
    let (key, entries) = match request {
        Request::ToolsList => ("tools", list(result, "tools", tool)),
        Request::PromptsList => ("prompts", list(result, "prompts", prompt)),
        Request::ResourcesList => ("resources", list(result, "resources", |entry| word(entry, "uri"))),
        _ => return,
    };
    let Some(path) = file(shown) else { return };
    let before = folders::read(&path, MOST_BYTES).ok().flatten();
    let mut known: Map<String, Value> =
        before.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    known.insert(key.to_owned(), entries);
    let text = Value::Object(known).to_string();
    if before.as_deref() != Some(&text) {
        let _unkept: Result<(), Failure> = folders::replace(&path, &text);
    }
}

/// The file of a server; `None` for a program, which has no name to be completed.
fn file(shown: &str) -> Option<PathBuf> {
    let is_program = shown.contains(char::is_whitespace) || (shown.contains('/') && !shown.contains("://"));
    if is_program || shown.is_empty() {
        return None;
    }
    let digest = ring::digest::digest(&ring::digest::SHA256, shown.as_bytes());
    let name = folders::hex(&digest.as_ref()[..16]);
    Some(folders::cache()?.join("libmcp").join("known").join(name + ".json"))
}

fn list(result: &str, key: &str, entry: impl Fn(&str) -> Option<Value>) -> Value {
    elements(member(result, key).unwrap_or("[]")).filter_map(entry).take(MOST).collect()
}

fn word(entry: &str, key: &str) -> Option<Value> {
    let text = member(entry, key).and_then(string)?;
    is_plain(&text).then(|| text.into())
}

/// Whether every shell takes a word as it is, and this program as a text: `@` is a file that is read, a name with `:` takes JSON.
fn is_plain(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    !word.is_empty()
        && word.len() <= 200
        && word.chars().all(fits)
        && !word.starts_with(['-', '~', '@'])
        && !word.ends_with(':')
}

fn tool(entry: &str) -> Option<Value> {
    let properties = member(member(entry, "inputSchema").unwrap_or("{}"), "properties").unwrap_or("{}");
    let argument = |(name, property): (&str, &str)| {
        let name = string(&format!("\"{name}\"")).filter(|name| is_plain(name))?.into_owned();
        let values: Vec<String> = match member(property, "type").and_then(string).as_deref() {
            Some("boolean") => vec!["false".to_owned(), "true".to_owned()],
            _ => elements(member(property, "enum").unwrap_or("[]"))
                .filter_map(string)
                .filter(|value| is_plain(value))
                .map(std::borrow::Cow::into_owned)
                .collect(),
        };
        Some(json!({"name": name, "values": values}))
    };
    let arguments: Vec<Value> = members(properties).filter_map(argument).take(MOST).collect();
    Some(json!({"name": word(entry, "name")?, "arguments": arguments}))
}

fn prompt(entry: &str) -> Option<Value> {
    let arguments = elements(member(entry, "arguments").unwrap_or("[]"));
    let arguments: Vec<Value> = arguments
        .filter_map(|argument| Some(json!({"name": word(argument, "name")?, "values": []})))
        .take(MOST)
        .collect();
    Some(json!({"name": word(entry, "name")?, "arguments": arguments}))
}

/// The candidates for a word of a command line that a shell completes.
pub fn complete(current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let words: Vec<String> = words_before();
    let known = |target: &str| -> Map<String, Value> {
        let shown = servers::masked_url(target);
        let text = file(&shown).and_then(|path| folders::read(&path, MOST_BYTES).ok().flatten());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    };
    let may_be_used = |one: &servers::Found| {
        !one.is_disabled && servers::Approval::of(one).is_ok_and(|approval| approval.is_enough())
    };
    let names = || servers::found().0.into_iter().filter(may_be_used).map(|one| one.name).collect();
    candidates(&words, &current, names, known).into_iter().map(CompletionCandidate::new).collect()
}

/// The words of the line before the one that is completed, without the name of the program and without options.
fn words_before() -> Vec<String> {
    let all: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(start) = all.iter().position(|word| word == "--") else { return Vec::new() };
    let line = &all[start + 1..];
    let index = std::env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse::<usize>().ok());
    let end = index.unwrap_or(line.len().saturating_sub(1)).min(line.len());
    without_options(line.get(1..end).unwrap_or_default())
}

fn without_options(words: &[String]) -> Vec<String> {
    let program = Arguments::command();
    let mut command = &program;
    let mut found = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word.starts_with('-') && word.len() > 1 {
            let takes = |command: &clap::Command| {
                command.get_arguments().any(|argument| {
                    let is_meant = argument.get_long().is_some_and(|long| *word == format!("--{long}"))
                        || argument.get_short().is_some_and(|short| *word == format!("-{short}"));
                    is_meant && argument.get_action().takes_values()
                })
            };
            if takes(command) || takes(&program) {
                rest.next();
            }
            continue;
        }
        if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        }
        found.push(word.clone());
    }
    found
}

fn candidates(
    words: &[String],
    current: &str,
    names: impl Fn() -> Vec<String>,
    known: impl Fn(&str) -> Map<String, Value>,
) -> Vec<String> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    if matches!(words.first(), Some(&("tasks" | "auth" | "config"))) {
        words.remove(0);
    }
    let key = match words.first() {
        Some(&("call" | "tools" | "trace" | "bench")) => "tools",
        Some(&("get" | "prompt" | "prompts" | "complete")) => "prompts",
        Some(&("read" | "subscribe")) => "resources",
        _ => "",
    };
    let all: Vec<String> = match words.as_slice() {
        [] => Vec::new(),
        [_] => names().into_iter().filter(|name| is_plain(name)).collect(),
        [_, target] => {
            let list = known(target).remove(key);
            let name = |entry: &Value| entry.as_str().or_else(|| entry["name"].as_str()).map(str::to_owned);
            // What an older program kept had other rules.
            let all = list.iter().filter_map(Value::as_array).flatten().filter_map(name);
            all.filter(|name| is_plain(name)).collect()
        }
        ["read" | "subscribe" | "tools" | "prompts", ..] => Vec::new(),
        [_, target, wanted, given @ ..] => {
            let list = known(target).remove(key);
            let entries = list.iter().filter_map(Value::as_array).flatten();
            let arguments = entries.filter(|entry| entry["name"] == *wanted);
            arguments
                .filter_map(|entry| entry["arguments"].as_array())
                .flatten()
                .flat_map(|argument| {
                    let name = argument["name"].as_str().unwrap_or_default();
                    if !is_plain(name) {
                        return Vec::new();
                    }
                    let is_given = given.iter().any(|word| word.split([':', '=']).next() == Some(name));
                    let values: Vec<&str> = argument["values"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .filter(|value| is_plain(value))
                        .filter(|_| current.starts_with(&format!("{name}=")))
                        .collect();
                    let offered: Vec<String> = match (is_given, values.is_empty()) {
                        (true, _) => Vec::new(),
                        (false, true) => vec![format!("{name}=")],
                        (false, false) => values.iter().map(|value| format!("{name}={value}")).collect(),
                    };
                    offered
                })
                .collect()
        }
    };
    all.into_iter().filter(|one| one.starts_with(current)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(words: &[&str], current: &str) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let known = |target: &str| {
            let tools = r#"{"tools":[{"name":"add","inputSchema":{"properties":{"a":{},"b":{"type":"boolean"}}}},
                {"name":"bad;name"},{"name":"$(x)"}]}"#;
            let all = json!({"tools": list(tools, "tools", tool), "resources": ["note://a"]});
            if target == "local" { all.as_object().cloned().unwrap_or_default() } else { Map::new() }
        };
        candidates(&words, current, || vec!["local".to_owned(), "not plain".to_owned()], known)
    }

    #[test]
    fn servers_tools_and_arguments_are_offered() {
        assert_eq!(offered(&["call"], ""), ["local"]);
        assert_eq!(offered(&["call", "local"], ""), ["add"]);
        assert_eq!(offered(&["call", "local", "add"], ""), ["a=", "b="]);
        assert_eq!(offered(&["call", "local", "add", "a=1"], ""), ["b="]);
        assert_eq!(offered(&["call", "local", "add"], "b="), ["b=false", "b=true"]);
        assert_eq!(offered(&["read", "local"], "note"), ["note://a"]);
        assert_eq!(offered(&["tasks", "list"], "l"), ["local"]);
        assert!(offered(&["call", "other"], "").is_empty());
    }

    #[test]
    fn no_word_of_a_server_names_a_file_or_is_json() {
        let tools = r#"{"tools":[{"name":"t","inputSchema":{"properties":{
            "a":{"enum":["@.env","~/x","-x","ok"]},"b:":{"enum":["1"]},"@c":{}}}},{"name":"@x"}]}"#;
        let kept = list(tools, "tools", tool);
        assert_eq!(kept, json!([{"name": "t", "arguments": [{"name": "a", "values": ["ok"]}]}]));
        // As an older program kept it.
        let old = json!({"resources": ["@/etc/passwd", "note://a"], "tools": [{"name": "t", "arguments": [
            {"name": "a", "values": ["@.env", "ok"]}, {"name": "b:", "values": ["1"]}, {"name": "@c", "values": []}]},
            {"name": "@x", "arguments": []}]});
        let offered = |words: &[&str], current: &str| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            candidates(&words, current, Vec::new, |_| old.as_object().cloned().unwrap_or_default())
        };
        assert_eq!(offered(&["read", "s"], ""), ["note://a"]);
        assert_eq!(offered(&["call", "s"], ""), ["t"]);
        assert_eq!(offered(&["call", "s", "t"], "a="), ["a=ok"]);
        assert_eq!(offered(&["call", "s", "t"], "b:="), [""; 0]);
        assert_eq!(offered(&["call", "s", "t"], "@"), [""; 0]);
    }

    #[test]
    fn options_and_their_values_are_no_words() {
        let words: Vec<String> =
            ["call", "-o", "json", "--timeout", "5", "local"].iter().map(|&it| it.to_owned()).collect();
        assert_eq!(without_options(&words), ["call", "local"]);
    }

    #[test]
    fn a_program_has_no_file() {
        assert_eq!(file("./server"), None);
        assert_eq!(file("npx -y server"), None);
    }
}
