//! The words of MCP: revisions, `_meta` keys, error codes, and how a JSON-RPC message is put together.

use serde_json::{Map, Value, json};

/// The revision of the modern era: no handshake, every request describes itself.
pub const MODERN: &str = "2026-07-28";
/// The revisions of the legacy era, oldest first. They sort as text, so "since 2025-06-18" is a comparison.
pub const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Keys of `_meta` that the modern revision reserves.
pub mod meta {
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
}

/// Log levels, from chatty to dire (RFC 5424).
const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// A log level as its place in the list, so that levels compare.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct LogLevel(usize);

impl LogLevel {
    pub const DEBUG: Self = Self(0);
    pub const INFO: Self = Self(1);

    pub fn read(value: Option<&Value>) -> Result<Self, RpcError> {
        let name = value.and_then(Value::as_str).unwrap_or_default();
        let place = LOG_LEVELS.iter().position(|level| *level == name);
        place.map(Self).ok_or_else(|| RpcError::invalid_params("No such log level"))
    }

    pub fn name(self) -> &'static str {
        LOG_LEVELS[self.0]
    }
}

/// The error member of a JSON-RPC response.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
    pub data: Option<Value>,
}

impl RpcError {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub fn parse(message: impl Into<String>) -> Self {
        Self::new(-32700, message)
    }

    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(-32600, message)
    }

    pub fn method_not_found(method: &str) -> Self {
        Self::new(-32601, format!("Method not found: {method}"))
    }

    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    /// Resource not found had a code of its own until 2026-07-28 gave it up for the general one.
    pub fn resource_not_found(uri: &str, modern: bool) -> Self {
        let code = if modern { -32602 } else { -32002 };
        Self { data: Some(json!({ "uri": uri })), ..Self::new(code, "Resource not found") }
    }

    pub fn missing_client_capability(required: &Value) -> Self {
        let data = Some(json!({ "requiredCapabilities": required }));
        Self { data, ..Self::new(-32021, "The client lacks a capability that this request needs") }
    }

    pub fn unsupported_version(requested: &Value) -> Self {
        let data = Some(json!({ "supported": [MODERN], "requested": requested }));
        Self { data, ..Self::new(-32022, "Unsupported protocol version") }
    }
}

/// A success response. The result is moved, not copied: it may be large.
pub fn result(id: &Value, result: Map<String, Value>) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    message["result"] = Value::Object(result);
    message
}

/// An error response. Where the id could not be read there is none, as the MCP schema has it.
pub fn error(id: Option<&Value>, error: RpcError) -> Value {
    let mut body = json!({ "code": error.code, "message": error.message });
    if let Some(data) = error.data {
        body["data"] = data;
    }
    let mut message = json!({ "jsonrpc": "2.0", "error": body });
    if let Some(id) = id {
        message["id"] = id.clone();
    }
    message
}

pub fn notification(method: &str, params: &Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        message["params"] = params.clone();
    }
    message
}

pub fn request(id: &str, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// What a server says about itself.
pub fn server_info() -> Value {
    json!({
        "name": "mcp-example-server",
        "title": "libmcp example server",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

pub const INSTRUCTIONS: &str =
    "A server for demos and tests. Start with the tool `echo`; `slow` and `ask` show progress and questions.";

/// Who asks, and what this request may use. It is all that the features need to know about an era.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: Value,
    pub revision: &'static str,
    pub capabilities: Map<String, Value>,
    pub progress_token: Option<Value>,
    /// The least level to log at on behalf of this request; `None` means silence.
    pub log_level: Option<LogLevel>,
}

impl Caller {
    pub fn modern(&self) -> bool {
        self.revision == MODERN
    }

    /// Whether the caller's revision is this one or newer.
    pub fn since(&self, revision: &str) -> bool {
        self.revision >= revision
    }

    /// Whether we may show the user a form. `elicitation: {}` means forms; only naming `url` excludes them.
    pub fn answers_forms(&self) -> bool {
        self.since("2025-06-18")
            && self
                .capabilities
                .get("elicitation")
                .and_then(Value::as_object)
                .is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
    }
}
