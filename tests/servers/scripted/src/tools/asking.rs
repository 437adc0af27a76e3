//! Requests from the server to the client, allowed ones and others. The tool answers with what the client said.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t(
        "ask_forever",
        "{method?, params?, count?, wait_ms?}",
        "Sends count requests (1; 0 for ever) one after the other: ping, or this method. Answers with a list of the \
         client's responses, where \"no answer\" stands for none within wait_ms (2000).",
        ask_forever,
    ),
    t("second_initialize", "{wait_ms?}", "Sends the client an initialize request.", second_initialize),
    t("unknown_request", "{wait_ms?}", "Sends the client a request of no known method.", unknown_request),
];

/// A call that waits for the client.
pub struct Asking {
    call: Call,
    method: String,
    params: Value,
    /// How many more to ask; `None` for ever.
    left: Option<u64>,
    responses: Vec<Value>,
}

fn ask_forever(session: &Arc<Session>, call: &Call) {
    let method = call.text("method").unwrap_or("ping").to_owned();
    let params = call.arguments.get("params").cloned().unwrap_or_else(|| usual_params(&method));
    let left = match call.number("count") {
        Some(0) => None,
        count => Some(count.unwrap_or(1)),
    };
    ask(session, Asking { call: call.clone(), method, params, left, responses: Vec::new() });
}

fn second_initialize(session: &Arc<Session>, call: &Call) {
    once(session, call, "initialize");
}

fn unknown_request(session: &Arc<Session>, call: &Call) {
    once(session, call, "example/unknown");
}

fn once(session: &Arc<Session>, call: &Call, method: &str) {
    let params = usual_params(method);
    let method = method.to_owned();
    ask(session, Asking { call: call.clone(), method, params, left: Some(1), responses: Vec::new() });
}

fn usual_params(method: &str) -> Value {
    match method {
        "sampling/createMessage" => json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Say something" } }],
            "maxTokens": 10,
        }),
        "elicitation/create" => json!({
            "message": "Your name?",
            "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } },
        }),
        "initialize" => json!({
            "protocolVersion": message::NEWEST_LEGACY,
            "capabilities": {},
            "clientInfo": message::server_info(),
        }),
        _ => json!({}),
    }
}

fn ask(session: &Arc<Session>, asking: Asking) {
    let wait = asking.call.milliseconds("wait_ms").unwrap_or(Duration::from_secs(2));
    let mut request = json!({ "jsonrpc": "2.0", "method": asking.method, "params": asking.params });
    let mut memory = session.memory();
    memory.asked += 1;
    let id = format!("scripted-{}", memory.asked);
    memory.asking.insert(id.clone(), asking);
    drop(memory);
    request["id"] = id.as_str().into();
    session.send(&request);
    session.later(wait, move |session| {
        let unanswered = session.memory().asking.remove(&id);
        if let Some(mut asking) = unanswered {
            asking.responses.push("no answer".into());
            finish(session, &asking);
        }
    });
}

/// A response from the client.
pub fn answered(session: &Arc<Session>, response: &Map<String, Value>) {
    let id = response.get("id").and_then(Value::as_str).unwrap_or_default();
    let asking = session.memory().asking.remove(id);
    let Some(mut asking) = asking else { return };
    let mut seen = response.clone();
    seen.remove("jsonrpc");
    // For ever must not mean without a bound in our own memory.
    if asking.left.is_some() {
        asking.responses.push(Value::Object(seen));
    }
    asking.left = asking.left.map(|left| left - 1);
    if asking.left == Some(0) { finish(session, &asking) } else { ask(session, asking) }
}

fn finish(session: &Session, asking: &Asking) {
    session.answer(&asking.call, message::data(json!({ "responses": asking.responses })));
}
