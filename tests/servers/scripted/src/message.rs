//! Correct JSON-RPC messages and MCP results, as the raw material for both the right answers and the wrong ones.

use serde_json::{Map, Value, json};

use crate::script::Script;
use crate::skills;
use crate::tools::tasks;

pub const MODERN: &str = "2026-07-28";
pub const NEWEST_LEGACY: &str = "2025-11-25";
pub const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_LEGACY];

pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
pub const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

pub fn result(id: &Value, result: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    // Moved, not copied: it may be 17 MiB.
    message["result"] = result;
    message
}

pub fn error(id: &Value, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}

pub fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    message["params"] = params;
    message
}

/// The result of a tool call that says one thing.
pub fn text(text: impl Into<String>) -> Value {
    let mut block = json!({ "type": "text" });
    block["text"] = Value::String(text.into());
    let mut result = Map::new();
    result.insert("content".to_owned(), Value::Array(vec![block]));
    Value::Object(result)
}

/// The result of a tool call that failed.
pub fn failure(why: &str) -> Value {
    let mut result = text(why);
    result["isError"] = true.into();
    result
}

/// The result of a tool call with data: as structured content, and as its JSON text.
pub fn data(data: Value) -> Value {
    let mut result = text(data.to_string());
    result["structuredContent"] = data;
    result
}

pub fn server_info() -> Value {
    json!({ "name": "mcp-scripted-server", "version": env!("CARGO_PKG_VERSION") })
}

pub fn capabilities(script: &Script) -> Value {
    let mut capabilities = json!({
        "tools": { "listChanged": true },
        "logging": {},
        "tasks": tasks::capability(script.modern),
        "extensions": { tasks::EXTENSION: {} },
    });
    if script.has("skills") {
        capabilities["resources"] = json!({});
        capabilities["extensions"][skills::EXTENSION] = json!({});
    }
    capabilities
}

/// What a modern server says to `server/discover`.
/// Error -32022 with these supported versions, joined by +.
pub fn unsupported(id: &Value, supported: &str, requested: Option<&Value>) -> Value {
    let mut refusal = error(id, -32022, "Unsupported protocol version");
    let supported: Vec<&str> = supported.split('+').collect();
    refusal["error"]["data"] = json!({ "supported": supported, "requested": requested });
    refusal
}

pub fn discover_result(script: &Script) -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": [MODERN],
        "capabilities": capabilities(script),
        "_meta": { SERVER_INFO_KEY: server_info() },
        "ttlMs": 0,
        "cacheScope": "private",
    })
}
