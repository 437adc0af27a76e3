//! Correct JSON-RPC messages and MCP results, as the raw material for both the right answers and the wrong ones.

use serde_json::{Value, json};

pub const MODERN: &str = "2026-07-28";
pub const OLDEST: &str = "2024-11-05";
pub const NEWEST_LEGACY: &str = "2025-11-25";
pub const LEGACY: [&str; 4] = [OLDEST, "2025-03-26", "2025-06-18", NEWEST_LEGACY];

pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
pub const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// The headers of a request do not say what its body says.
pub const HEADER_MISMATCH: i64 = -32020;
pub const UNSUPPORTED_VERSION: i64 = -32022;

pub fn result(id: &Value, result: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    // Moved, not copied: it may be large.
    message["result"] = result;
    message
}

pub fn error(id: &Value, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}

pub fn request(id: &Value, method: &str, params: Value) -> Value {
    let mut message = notification(method, params);
    message["id"] = id.clone();
    message
}

pub fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    message["params"] = params;
    message
}

/// The result of a tool call that says one thing.
pub fn text(text: impl Into<String>) -> Value {
    let mut result = json!({ "content": [{ "type": "text" }] });
    result["content"][0]["text"] = Value::String(text.into());
    result
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
    json!({ "name": "mcp-scripted-http", "version": env!("CARGO_PKG_VERSION") })
}

pub fn capabilities() -> Value {
    json!({
        "tools": { "listChanged": true },
        "resources": { "subscribe": true, "listChanged": true },
        "logging": {},
        "tasks": { "cancel": {}, "requests": { "tools": { "call": {} } } },
        "extensions": { "io.modelcontextprotocol/tasks": {} },
    })
}

/// What a modern server says to `server/discover`.
pub fn discover_result() -> Value {
    json!({
        "supportedVersions": [MODERN],
        "capabilities": capabilities(),
        "instructions": "A server for tests.",
    })
}

/// Adds what every modern result has.
pub fn dressed(mut result: Value) -> Value {
    if result.is_object() {
        if result.get("resultType").is_none() {
            result["resultType"] = "complete".into();
        }
        result["_meta"] = json!({ SERVER_INFO_KEY: server_info() });
    }
    result
}
