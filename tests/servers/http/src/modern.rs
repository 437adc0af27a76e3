//! Streamable HTTP of 2026-07-28: every request for itself, its headers checked against its body.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::{Answer, Request};
use crate::message;
use crate::reply::{Headers, Reply, check_post};
use crate::server::Server;
use crate::stream::Stream;
use crate::tools::{self, Call};

pub fn reply(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    check_post(server, request);
    for name in ["mcp-session-id", "last-event-id"] {
        if request.header(name).is_some() {
            server.stats.complain(format!("{name} in the modern era"));
        }
    }
    let id = &message["id"];
    let Some(method) = message["method"].as_str() else {
        server.stats.complain("a modern message without a method".to_owned());
        return refused(400, id, -32600, "Invalid Request");
    };
    if let Err(why) = check_headers(server, request, message, method) {
        return refused(400, id, message::HEADER_MISMATCH, &why);
    }
    if message.get("id").is_none() {
        if method == "notifications/cancelled" {
            server.stats.complain("notifications/cancelled in the modern era".to_owned());
        }
        return Reply::Plain(Answer::empty(202));
    }
    let script = server.script();
    let meta = &message["params"]["_meta"];
    let version = meta[message::VERSION_KEY].as_str();
    let supported = script.text("unsupported-version");
    if version != Some(message::MODERN) && version.is_some() || supported.is_some() {
        let supported: Vec<&str> = supported.map_or(vec![message::MODERN], |list| list.split('+').collect());
        let mut error = message::error(id, message::UNSUPPORTED_VERSION, "Unsupported protocol version");
        error["error"]["data"] = json!({ "supported": supported, "requested": version });
        return Reply::Plain(Answer::json(400, &error));
    }
    if version.is_none() || !meta[message::CAPABILITIES_KEY].is_object() {
        server.stats.complain(format!("{method} without the _meta of the modern era"));
        return refused(400, id, -32602, "Invalid params: _meta lacks protocolVersion or clientCapabilities");
    }
    answer(server, request, message, method, id)
}

/// What a server of the modern era alone says to the legacy one.
pub fn refuse(server: &Server, request: &Request, message: &Value) -> Reply {
    if request.method != "POST" {
        server.stats.complain(format!("{} in the modern era", request.method));
        return Reply::Plain(Answer::empty(405).with("Allow", "POST"));
    }
    let mut error =
        message::error(&message["id"], message::UNSUPPORTED_VERSION, "Unsupported protocol version");
    error["error"]["data"] = json!({ "supported": [message::MODERN] });
    Reply::Plain(Answer::json(400, &error))
}

fn answer(server: &Arc<Server>, request: &Request, message: &Value, method: &str, id: &Value) -> Reply {
    let mut headers: Headers = Vec::new();
    if server.script().has("stray-session") {
        headers.push(("Mcp-Session-Id".to_owned(), format!("stray-{}", server.number())));
    }
    let params = &message["params"];
    let result = match method {
        "server/discover" => message::discover_result(),
        "subscriptions/listen" => {
            let stream = Arc::new(Stream::new(""));
            stream.say(&message::notification(
                "notifications/subscriptions/acknowledged",
                json!({ "notifications": params["notifications"], "_meta": { message::SUBSCRIPTION_KEY: id } }),
            ));
            return Reply::Stream { stream, headers, from: Some(0) };
        }
        "tools/call" => {
            if let Some(fault) = tools::fault(message) {
                return match fault {
                    Ok((fault, text)) => Reply::Fault(fault, text),
                    Err(why) => {
                        Reply::Message(message::result(id, message::dressed(message::failure(&why))), headers)
                    }
                };
            }
            let stream = Arc::new(Stream::new(""));
            Call::start(server, None, &stream, request, message, true);
            return Reply::Call(stream, headers);
        }
        _ => match tools::common(server, method, params) {
            Some(result) => result,
            None => return refused(404, id, -32601, "Method not found"),
        },
    };
    let mut result = message::dressed(result);
    // Results of these methods say how long they may be kept (2026-07-28 `server/utilities/caching`).
    let script = server.script();
    let scope = script.text("cacheable");
    result["ttlMs"] = scope.map_or(0, |_| 3_600_000).into();
    result["cacheScope"] = scope.unwrap_or("private").into();
    Reply::Message(message::result(id, result), headers)
}

/// Whether the headers say what the body says; else in what they differ.
fn check_headers(server: &Server, request: &Request, message: &Value, method: &str) -> Result<(), String> {
    let params = &message["params"];
    let given = |name: &str| request.header(name);
    let differs = |name: &str, header: Option<&str>, body: Option<&str>| {
        server.stats.complain(format!("{method}: {name} is {header:?}, the body says {body:?}"));
        Err(format!("Header mismatch: {name} is {header:?}, the body says {body:?}"))
    };
    let version = params["_meta"][message::VERSION_KEY].as_str();
    // A notification needs no `_meta`, and so repeats nothing.
    if given("mcp-protocol-version").is_none()
        || (version.is_some() && given("mcp-protocol-version") != version)
    {
        return differs("MCP-Protocol-Version", given("mcp-protocol-version"), version);
    }
    let says_method = message.get("id").is_some() || given("mcp-method").is_some();
    if says_method && given("mcp-method") != Some(method) {
        return differs("Mcp-Method", given("mcp-method"), Some(method));
    }
    let name = match method {
        "tools/call" | "prompts/get" => params["name"].as_str(),
        "resources/read" => params["uri"].as_str(),
        "tasks/get" | "tasks/update" | "tasks/cancel" => params["taskId"].as_str(),
        _ => None,
    };
    let told = given("mcp-name").and_then(decoded);
    if name.is_some() && told.as_deref() != name {
        return differs("Mcp-Name", given("mcp-name"), name);
    }
    if method != "tools/call" {
        return Ok(());
    }
    for (header, path) in tools::headers_of(name.unwrap_or_default()) {
        let mut value = &params["arguments"];
        for part in path.split('/') {
            value = &value[part];
        }
        let wanted = match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let header_name = format!("mcp-param-{header}");
        let found = given(&header_name).and_then(decoded);
        if found != wanted {
            if name == Some("moved") && server.script().has("late-header") {
                server.tells_of_header.store(true, Ordering::SeqCst);
                return Err(format!("Header mismatch: {header_name} is missing"));
            }
            return differs(&header_name, given(&header_name), wanted.as_deref());
        }
    }
    Ok(())
}

/// A header's value, out of the sentinel if it is in one.
fn decoded(value: &str) -> Option<String> {
    let inner = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match inner {
        None => Some(value.to_owned()),
        Some(inner) => String::from_utf8(STANDARD.decode(inner).ok()?).ok(),
    }
}

fn refused(status: u16, id: &Value, code: i64, text: &str) -> Reply {
    Reply::Plain(Answer::json(status, &message::error(id, code, text)))
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn a_value_comes_out_of_its_sentinel() {
        assert_eq!(decoded("plain").as_deref(), Some("plain"));
        assert_eq!(decoded("=?base64?5pel5pys?=").as_deref(), Some("日本"));
        assert_eq!(decoded("=?base64?%%?="), None);
    }
}
