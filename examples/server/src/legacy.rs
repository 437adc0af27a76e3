//! The legacy era: the `initialize` handshake, and what it makes the server remember for the rest of the process.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::catalog;
use crate::protocol::{Caller, INSTRUCTIONS, LEGACY, LogLevel, RpcError, server_info};
use crate::tasks;

/// What the handshake settled, and what the client changed since.
pub struct Session {
    pub revision: &'static str,
    pub capabilities: Map<String, Value>,
    /// Whether `notifications/initialized` came; only then does the client's work begin.
    pub initialized: bool,
    pub log_level: LogLevel,
    pub subscribed: BTreeSet<String>,
}

impl Session {
    /// `initialize`: takes the asked revision if we speak it, else offers the newest.
    pub fn open(params: &Map<String, Value>) -> Result<Self, RpcError> {
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let asked =
            asked.ok_or_else(|| RpcError::invalid_params("params.protocolVersion must be a string"))?;
        let Some(Value::Object(capabilities)) = params.get("capabilities") else {
            return Err(RpcError::invalid_params("params.capabilities must be an object"));
        };
        let info = params.get("clientInfo").cloned().unwrap_or_default();
        if !info["name"].is_string() || !info["version"].is_string() {
            return Err(RpcError::invalid_params("params.clientInfo needs a name and a version"));
        }
        let newest = LEGACY[LEGACY.len() - 1];
        Ok(Self {
            revision: LEGACY.into_iter().find(|revision| *revision == asked).unwrap_or(newest),
            capabilities: capabilities.clone(),
            initialized: false,
            // Until the client says otherwise the server decides, and this one is talkative.
            log_level: LogLevel::DEBUG,
            subscribed: BTreeSet::new(),
        })
    }

    pub fn initialize_result(&self) -> Map<String, Value> {
        let mut capabilities = json!({
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": { "listChanged": true },
            "logging": {},
        });
        // 2024-11-05 had completions without a capability for them.
        if self.revision >= "2025-03-26" {
            capabilities["completions"] = json!({});
        }
        if self.revision >= "2025-11-25" {
            capabilities["tasks"] = tasks::core_capability();
        }
        catalog::object(json!({
            "protocolVersion": self.revision,
            "capabilities": capabilities,
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }))
    }

    pub fn caller(&self, id: &Value, progress_token: Option<Value>) -> Caller {
        Caller {
            id: id.clone(),
            revision: self.revision,
            capabilities: self.capabilities.clone(),
            progress_token,
            log_level: Some(self.log_level),
        }
    }

    /// The methods that exist in this era only. `None`: the method is not one of them.
    pub fn own_method(
        &mut self,
        method: &str,
        params: &Map<String, Value>,
    ) -> Option<Result<Map<String, Value>, RpcError>> {
        let done = match method {
            "logging/setLevel" => LogLevel::read(params.get("level")).map(|level| self.log_level = level),
            "resources/subscribe" => subscribable(params).map(|uri| {
                self.subscribed.insert(uri);
            }),
            "resources/unsubscribe" => subscribable(params).map(|uri| {
                self.subscribed.remove(&uri);
            }),
            _ => return None,
        };
        Some(done.map(|()| Map::new()))
    }
}

fn subscribable(params: &Map<String, Value>) -> Result<String, RpcError> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| RpcError::invalid_params("params.uri must be a string"))?;
    if catalog::exists(uri) { Ok(uri.to_owned()) } else { Err(RpcError::resource_not_found(uri, false)) }
}
