//! The modern era: every request says its revision and what its client can do, and change notifications flow only to
//! those who opened a `subscriptions/listen` stream.

use serde_json::{Map, Value, json};

use crate::catalog::{self, object};
use crate::protocol::{
    Caller, INSTRUCTIONS, LogLevel, MODERN, RpcError, meta, notification, result, server_info,
};
use crate::tasks;

/// How long a client may keep an answer, in milliseconds: nothing here changes while the process lives.
const FRESH_FOR: u64 = 60_000;

/// Reads the metadata that each request must carry.
pub fn caller(id: &Value, params: &Map<String, Value>) -> Result<Caller, RpcError> {
    let Some(Value::Object(fields)) = params.get("_meta") else {
        return Err(RpcError::invalid_params("params._meta is missing"));
    };
    let version = fields.get(meta::PROTOCOL_VERSION).filter(|version| version.is_string());
    let version = version.ok_or_else(|| missing(meta::PROTOCOL_VERSION))?;
    if version != MODERN {
        return Err(RpcError::unsupported_version(version));
    }
    let Some(Value::Object(capabilities)) = fields.get(meta::CLIENT_CAPABILITIES) else {
        return Err(missing(meta::CLIENT_CAPABILITIES));
    };
    let log_level = fields.get(meta::LOG_LEVEL).map(|level| LogLevel::read(Some(level))).transpose()?;
    Ok(Caller {
        id: id.clone(),
        revision: MODERN,
        capabilities: capabilities.clone(),
        progress_token: fields.get("progressToken").cloned(),
        log_level,
    })
}

fn missing(key: &str) -> RpcError {
    RpcError::invalid_params(format!("params._meta[\"{key}\"] is missing or of the wrong type"))
}

pub fn discover_result() -> Map<String, Value> {
    object(json!({
        "supportedVersions": [MODERN],
        "capabilities": {
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": { "listChanged": true },
            "completions": {},
            "logging": {},
            "extensions": tasks::extensions(),
        },
        "instructions": INSTRUCTIONS,
    }))
}

/// Adds what every result of this revision has, and the lifetime that the cacheable ones have.
pub fn dress(method: &str, result: &mut Map<String, Value>) {
    result.entry("resultType").or_insert_with(|| "complete".into());
    result.insert("_meta".to_owned(), json!({ meta::SERVER_INFO: server_info() }));
    let cacheable = method == "server/discover" || method == "resources/read" || method.ends_with("/list");
    if cacheable {
        result.insert("ttlMs".to_owned(), FRESH_FOR.into());
        result.insert("cacheScope".to_owned(), "public".into());
    }
}

/// One open `subscriptions/listen` stream.
pub struct Listen {
    pub id: Value,
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: Vec<String>,
}

impl Listen {
    pub fn open(id: &Value, params: &Map<String, Value>) -> Result<Self, RpcError> {
        let Some(Value::Object(filter)) = params.get("notifications") else {
            return Err(RpcError::invalid_params("params.notifications must be an object"));
        };
        let wants = |key: &str| match filter.get(key) {
            None => Ok(false),
            Some(Value::Bool(wanted)) => Ok(*wanted),
            Some(_) => Err(RpcError::invalid_params(format!("notifications.{key} must be a boolean"))),
        };
        let mut uris = Vec::new();
        match filter.get("resourceSubscriptions") {
            None => {}
            Some(Value::Array(list)) => {
                // Granted is what exists; the acknowledgement shows the client what is left out.
                let named = list.iter().filter_map(Value::as_str).filter(|uri| catalog::exists(uri));
                uris.extend(named.map(str::to_owned));
            }
            Some(_) => {
                return Err(RpcError::invalid_params("notifications.resourceSubscriptions must be a list"));
            }
        }
        Ok(Self {
            id: id.clone(),
            tools: wants("toolsListChanged")?,
            prompts: wants("promptsListChanged")?,
            resources: wants("resourcesListChanged")?,
            uris,
        })
    }

    /// The first message of the stream: what was granted.
    pub fn acknowledgement(&self) -> Value {
        let mut granted = Map::new();
        let flags = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        for (key, _) in flags.into_iter().filter(|(_, wanted)| *wanted) {
            granted.insert(key.to_owned(), true.into());
        }
        if !self.uris.is_empty() {
            granted.insert("resourceSubscriptions".to_owned(), self.uris.clone().into());
        }
        self.tagged("notifications/subscriptions/acknowledged", json!({ "notifications": granted }))
    }

    /// "Everything may have changed", cut down to what this stream asked for.
    pub fn changes(&self) -> Vec<Value> {
        let lists = [
            (self.tools, "notifications/tools/list_changed"),
            (self.prompts, "notifications/prompts/list_changed"),
            (self.resources, "notifications/resources/list_changed"),
        ];
        let wanted = lists.into_iter().filter(|(wanted, _)| *wanted);
        let mut messages: Vec<Value> = wanted.map(|(_, method)| self.tagged(method, json!({}))).collect();
        for uri in &self.uris {
            messages.push(self.tagged("notifications/resources/updated", json!({ "uri": uri })));
        }
        messages
    }

    /// The end of the stream from our side. The pages on cancellation and on subscriptions each name one message for
    /// it, the notification and the result; a client may rely on either, so it gets both.
    pub fn closing(&self) -> [Value; 2] {
        let mut end = Map::new();
        dress("subscriptions/listen", &mut end);
        end["_meta"][meta::SUBSCRIPTION_ID] = self.id.clone();
        [
            self.tagged(
                "notifications/cancelled",
                json!({ "requestId": self.id, "reason": "shutting down" }),
            ),
            result(&self.id, end),
        ]
    }

    fn tagged(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({ meta::SUBSCRIPTION_ID: self.id });
        notification(method, &params)
    }
}
