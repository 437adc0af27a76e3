//! The functions of the library that the package calls: each is exported, and each that is exported is called, or there is a reason
//! why not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, read};
use crate::source::{Token, tokens};

/// Functions that the package does not call, each with the reason. `mcp_x_*` names all that begin so.
const REASONS: [(&str, &str); 46] = [
    ("mcp_app_*", "a view of the host's side (MCP Apps) has no class here yet"),
    ("mcp_builder_*", "JSON is written by Codable"),
    ("mcp_value_*", "JSON is read by Codable"),
    ("mcp_document_*", "JSON is read by Codable"),
    ("mcp_json_*", "JSON is read and written by Codable"),
    ("mcp_message_value", "JSON is read by Codable"),
    ("mcp_message_text", "CallToolResult.text has it"),
    ("mcp_message_is_tool_error", "CallToolResult.isError has it"),
    ("mcp_message_error", "MCPError is read from the JSON of the message"),
    ("mcp_message_client", "each client has a queue of its own"),
    ("mcp_message_server", "each server is polled by itself"),
    ("mcp_kind_name", "kinds do not leave the package"),
    ("mcp_topic_name", "topics do not leave the package"),
    ("mcp_features", "a function whose feature is not in the build throws .unsupported"),
    ("mcp_config_servers", "Client(file:server:) loads one by its name"),
    ("mcp_config_open", "Client(file:server:) loads one by its name, and has a queue for it"),
    ("mcp_call", "no task waits in a C function: mcp_call_start"),
    ("mcp_call_wait", "no task waits in a C function: the reply comes with its tag"),
    ("mcp_client_list_tools", "it is a call of its method: mcp_call_start"),
    ("mcp_client_complete", "it is a call of its method: mcp_call_start"),
    ("mcp_client_subscribe_resource", "it is a call of its method: mcp_call_start"),
    ("mcp_client_unsubscribe_resource", "it is a call of its method: mcp_call_start"),
    ("mcp_client_set_server_log_level", "it is a call of its method: mcp_call_start"),
    ("mcp_client_get_task", "it is a call of its method: mcp_call_start"),
    ("mcp_client_get_task_result", "it is a call of its method: mcp_call_start"),
    ("mcp_client_cancel_task", "it is a call of its method: mcp_call_start"),
    ("mcp_client_get_skill", "it is a call of its method: mcp_call_start"),
    ("mcp_client_poll", "clients have queues: mcp_queue_poll"),
    ("mcp_poll_notification", "clients have queues: mcp_queue_poll"),
    ("mcp_client_interrupt", "the thread waits on the queue: mcp_queue_wake"),
    ("mcp_client_wake", "the thread waits on the queue: mcp_queue_wake"),
    ("mcp_server_wake", "closing the server ends the wait of its thread"),
    ("mcp_client_fd", "a thread waits, no loop of the program"),
    ("mcp_queue_fd", "a thread waits, no loop of the program"),
    ("mcp_queue_on_ready", "a thread waits, no loop of the program"),
    ("mcp_server_fd", "a thread waits, no loop of the program"),
    ("mcp_client_queue", "each client is made with a queue of its own"),
    ("mcp_server_queue", "each server is polled by itself"),
    ("mcp_error_text", "MCPError is read from the JSON of the error"),
    ("mcp_server_run", "a thread takes the messages, too: mcp_server_poll"),
    ("mcp_client_connect_start", "mcp_client_connect has its own thread, which ends with it"),
    ("mcp_client_user", "the owner of the handle knows its client"),
    ("mcp_client_set_user", "the owner of the handle knows its client"),
    ("mcp_client_new_with_transport", "transports of the program are not offered in Swift"),
    ("mcp_server_attach", "transports of the program are not offered in Swift"),
    ("mcp_transport_*", "transports of the program are not offered in Swift"),
];

/// Tests and examples call nothing that the library does not export either.
pub fn exist(checkout: &Checkout) -> Result<(), String> {
    let exports = read(&checkout.exports())?;
    let exports: BTreeSet<&str> = exports.lines().map(str::trim).collect();
    let called = calls(&checkout.root.join("bindings/swift"))?;
    if called.len() < 10 {
        return Err(format!("only {} functions were found, which cannot be: {called:?}", called.len()));
    }
    let unknown: Vec<&String> = called.iter().filter(|name| !exports.contains(name.as_str())).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("include/mcp.exports lacks {unknown:?}")) }
}

/// What the library exports is called by the package itself, or has a reason.
pub fn are_complete(checkout: &Checkout) -> Result<(), String> {
    let exports = read(&checkout.exports())?;
    let called = calls(&checkout.root.join("bindings/swift/Sources"))?;
    compare(&exports, &called, &REASONS)
}

fn compare(exports: &str, called: &BTreeSet<String>, reasons: &[(&str, &str)]) -> Result<(), String> {
    // A function `_start` is the same one, in which no task waits.
    let is_called = |name: &str| called.contains(name) || called.contains(&format!("{name}_start"));
    let mut wrong: Vec<String> = exports
        .split_whitespace()
        .filter(|name| !is_called(name) && !reasons.iter().any(|(pattern, _)| is_named(name, pattern)))
        .map(|name| format!("{name} is not called by bindings/swift/Sources, and there is no reason why not"))
        .collect();
    for (pattern, reason) in reasons {
        let mut named = exports.split_whitespace().filter(|name| is_named(name, pattern)).peekable();
        if named.peek().is_none() {
            wrong.push(format!("nothing that is exported is {pattern} (\"{reason}\")"));
        }
        let calls = named.filter(|name| called.contains(*name));
        wrong.extend(calls.map(|name| format!("{name} is called, in spite of the reason \"{reason}\"")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn is_named(name: &str, pattern: &str) -> bool {
    pattern.strip_suffix('*').map_or(name == pattern, |beginning| name.starts_with(beginning))
}

/// What the Swift files below a folder call.
fn calls(folder: &Path) -> Result<BTreeSet<String>, String> {
    let mut called = BTreeSet::new();
    for file in swift_files(folder) {
        called.extend(functions(&read(&file)?));
    }
    Ok(called)
}

/// The functions of the library that a source calls. Swift's words and signs are near enough to Rust's for this. Strings are looked
/// at, too, since Swift has code in them.
fn functions(source: &str) -> BTreeSet<String> {
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let code: Vec<&str> = source.lines().filter(|line| !is_comment(line)).collect();
    let code = code.join("\n");
    let words = tokens(&code);
    words
        .windows(2)
        .filter_map(|two| match (two[0].token, two[1].token) {
            (Token::Word(name), Token::Sign('(')) if name.starts_with("mcp_") => Some(name.to_owned()),
            _ => None,
        })
        .collect()
}

fn swift_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(swift_files(&path));
        } else if path.extension().is_some_and(|it| it == "swift") {
            files.push(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{compare, functions};

    #[test]
    fn calls_are_found_and_names_alone_are_not() {
        let found = functions(
            "let a = \"\\(mcp_version())\"\n_ = try? x { mcp_call_cancel(client, 1, nil) } // mcp_client_poll\nmcp_t\n  // mcp_x()",
        );
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["mcp_call_cancel", "mcp_version"]);
    }

    fn wrong(exports: &str, called: &[&str], reasons: &[(&str, &str)]) -> Vec<String> {
        let called: BTreeSet<String> = called.iter().map(ToString::to_string).collect();
        match compare(exports, &called, reasons) {
            Ok(()) => Vec::new(),
            Err(why) => why.lines().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn a_function_that_is_not_called_is_found() {
        let exports = "mcp_version\nmcp_server_http\nmcp_json_get\nmcp_jsonish\n";
        let wrong = wrong(exports, &["mcp_version"], &[("mcp_json_*", "Codable")]);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].starts_with("mcp_server_http is not called"), "{wrong:?}");
        assert!(wrong[1].starts_with("mcp_jsonish is not called"), "{wrong:?}");
    }

    #[test]
    fn a_reason_that_no_longer_holds_is_found() {
        let reasons = [("mcp_json_*", "Codable"), ("mcp_client_fd", "a thread waits")];
        let wrong = wrong("mcp_version\nmcp_client_fd\n", &["mcp_version", "mcp_client_fd"], &reasons);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("mcp_json_*"), "{wrong:?}");
        assert!(wrong[1].starts_with("mcp_client_fd is called"), "{wrong:?}");
    }
}
