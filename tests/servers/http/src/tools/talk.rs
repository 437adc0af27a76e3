//! Tools that say more than their answer.

use std::time::Duration;

use serde_json::{Value, json};

use super::Call;
use crate::message;

/// How long the client may take to answer a request of ours, and to come back.
const PATIENCE: Duration = Duration::from_secs(60);

fn log(level: &str, data: &str) -> Value {
    message::notification("notifications/message", json!({ "level": level, "logger": "test", "data": data }))
}

pub fn notify(call: &Call) -> Value {
    let count = call.number("count", 1);
    // A modern server sends log messages only to who asked for them with this very call.
    let wanted = !call.modern || call.params["_meta"]["io.modelcontextprotocol/logLevel"].is_string();
    let level = if call.text("level").is_empty() { "info" } else { call.text("level") };
    for number in 1..=count {
        if wanted {
            call.say(&log(level, &format!("message {number} of {count}")));
        }
    }
    message::text(format!("sent {}", if wanted { count } else { 0 }))
}

pub fn progress(call: &Call) -> Option<Value> {
    let token = call.params["_meta"]["progressToken"].clone();
    let steps = call.number("steps", 3);
    for step in 1..=steps {
        if !token.is_null() {
            let params = json!({
                "progressToken": token,
                "progress": step,
                "total": steps,
                "message": format!("step {step}"),
            });
            call.say(&message::notification("notifications/progress", params));
        }
        if call.is_cancelled_after(call.milliseconds("ms", 0)) {
            return None;
        }
    }
    Some(message::text(format!("{steps} steps")))
}

pub fn ask(call: &Call) -> Value {
    let method = if call.text("method").is_empty() { "roots/list" } else { call.text("method") };
    let params = call.arguments.get("params").cloned().unwrap_or_else(|| default_params(method));
    let Some(session) = &call.session else {
        let answer = &call.params["inputResponses"]["asked"];
        if !answer.is_null() {
            let state = call.params["requestState"].as_str().unwrap_or_default();
            return message::text(format!("{answer} in {state}"));
        }
        return json!({
            "resultType": "input_required",
            "inputRequests": { "asked": { "method": method, "params": params } },
            "requestState": "state-1",
        });
    };
    let id = json!(format!("ask-{}", call.server.number()));
    let request = message::request(&id, method, params);
    if call.text("on") == "get" {
        session.standalone.say(&request);
    } else {
        call.say(&request);
    }
    match session.await_reply(&id, PATIENCE) {
        Some(reply) if reply.get("error").is_some() => message::text(format!("refused: {}", reply["error"])),
        Some(reply) => message::text(reply["result"].to_string()),
        None => message::failure("the client did not answer"),
    }
}

fn default_params(method: &str) -> Value {
    match method {
        "elicitation/create" => json!({
            "message": "What is your name?",
            "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } },
        }),
        "sampling/createMessage" => json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Say hello" } }],
            "maxTokens": 10,
        }),
        _ => json!({}),
    }
}

pub fn push(call: &Call) -> Option<Value> {
    let session = call.session.as_ref()?;
    let count = call.number("count", 1);
    for number in 1..=count {
        session.standalone.say(&log("info", &format!("pushed {number} of {count}")));
    }
    Some(message::text(format!("pushed {count}")))
}

pub fn detach(call: &Call) -> Option<Value> {
    if !call.owns_stream() {
        return Some(message::failure("there is nothing to come back to in 2024-11-05"));
    }
    let retry = call.number("retry", 100);
    if call.flag("id", true) {
        call.stream.event(Some(retry), String::new());
    }
    call.stream.cut();
    if !call.flag("id", true) {
        return None;
    }
    for _ in 0..call.number("cuts", 0) {
        await_new_listener(call);
        call.stream.event(Some(retry), String::new());
        call.stream.cut();
    }
    if call.is_cancelled_after(call.milliseconds("ms", 100)) || !call.flag("answer", true) {
        return None;
    }
    Some(message::text("back again"))
}

/// Waits for the connection under the stream to end, and for the next one.
fn await_new_listener(call: &Call) {
    let mut left = 6000;
    while call.stream.is_listened_to() && left > 0 {
        std::thread::sleep(Duration::from_millis(5));
        left -= 1;
    }
    call.stream.await_listener(PATIENCE);
}
