//! Answers that are JSON but not what JSON-RPC or MCP allows: wrong id, wrong shape, once too often.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tool, right_after, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t("error", "{code?, message?, data?}", "A JSON-RPC error, by default -32000.", error),
    t("twice", "{}", "Answers twice, with different texts.", twice),
    t("both", "{right_after?}", "Result and error in one answer.", both),
    t("neither", "{right_after?}", "An answer without result and error.", neither),
    t("odd_result", "{value, right_after?}", "The result is this JSON value.", odd_result),
    t("odd_error", "{value, right_after?}", "The error is this JSON value.", odd_error),
    t(
        "wrong_jsonrpc",
        "{version?, right_after?}",
        "The member jsonrpc is \"1.0\", or this value.",
        wrong_jsonrpc,
    ),
    t("string_id", "{right_after?=true}", "The id comes back as a string.", string_id),
    t("unknown_id", "{right_after?=true}", "An answer to an id that was never asked.", unknown_id),
    t("null_id", "{right_after?}", "An error whose id is null.", null_id),
    t("batch", "{notification?}", "The answer in a JSON array; with a notification before it.", batch),
    t("deep", "{levels, right_after?}", "structuredContent of that many nested arrays.", deep),
    t(
        "duplicate_keys",
        "{where?}",
        "The same key twice: in the result (content), or in the envelope (result, id), or in all.",
        duplicate_keys,
    ),
];

/// The parts of a right answer, to be put together wrongly.
fn right(session: &Session, call: &Call) -> Value {
    message::result(&call.id, session.dress(message::text("wrong")))
}

fn send(session: &Session, call: &Call, wrong: &Value, then_right: bool) {
    session.answer_with(wrong.to_string().as_bytes());
    right_after(session, call, then_right);
}

fn error(session: &Arc<Session>, call: &Call) {
    let code = call.arguments.get("code").and_then(Value::as_i64).unwrap_or(-32000);
    let mut error = message::error(&call.id, code, call.text("message").unwrap_or("An error as ordered"));
    if let Some(data) = call.arguments.get("data") {
        error["error"]["data"] = data.clone();
    }
    session.answer_with(error.to_string().as_bytes());
}

fn twice(session: &Arc<Session>, call: &Call) {
    session.answer(call, message::text("first"));
    session.answer(call, message::text("second"));
}

fn both(session: &Arc<Session>, call: &Call) {
    let mut wrong = right(session, call);
    wrong["error"] = json!({ "code": -32000, "message": "and an error" });
    send(session, call, &wrong, false);
}

fn neither(session: &Arc<Session>, call: &Call) {
    send(session, call, &json!({ "jsonrpc": "2.0", "id": call.id }), false);
}

fn odd_result(session: &Arc<Session>, call: &Call) {
    let value = call.arguments.get("value").cloned().unwrap_or_default();
    send(session, call, &message::result(&call.id, value), false);
}

fn odd_error(session: &Arc<Session>, call: &Call) {
    let value = call.arguments.get("value").cloned().unwrap_or_default();
    send(session, call, &json!({ "jsonrpc": "2.0", "id": call.id, "error": value }), false);
}

fn wrong_jsonrpc(session: &Arc<Session>, call: &Call) {
    let mut wrong = right(session, call);
    wrong["jsonrpc"] = call.arguments.get("version").cloned().unwrap_or_else(|| "1.0".into());
    send(session, call, &wrong, false);
}

fn string_id(session: &Arc<Session>, call: &Call) {
    let mut wrong = right(session, call);
    // The id of a client that uses strings comes back as a number where it can.
    wrong["id"] = match &call.id {
        Value::String(id) => id.parse::<u64>().map_or(Value::from(0), Value::from),
        id => id.to_string().into(),
    };
    send(session, call, &wrong, true);
}

fn unknown_id(session: &Arc<Session>, call: &Call) {
    let mut wrong = right(session, call);
    wrong["id"] = 999_999_999.into();
    send(session, call, &wrong, true);
}

fn null_id(session: &Arc<Session>, call: &Call) {
    send(session, call, &message::error(&Value::Null, -32700, "The id could not be read"), false);
}

fn batch(session: &Arc<Session>, call: &Call) {
    let mut messages = vec![message::result(&call.id, session.dress(message::text("in a batch")))];
    if call.flag("notification") == Some(true) {
        let params = json!({ "level": "info", "data": "in a batch" });
        messages.insert(0, message::notification("notifications/message", params));
    }
    session.answer_with(Value::Array(messages).to_string().as_bytes());
}

fn deep(session: &Arc<Session>, call: &Call) {
    let levels = call.size("levels").unwrap_or(0);
    // Put together as text: a tree of this depth could not be built without overflowing our own stack.
    let mut marked = right(session, call);
    marked["result"]["structuredContent"] = "HERE".into();
    let nested = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    session.answer_with(marked.to_string().replace("\"HERE\"", &nested).as_bytes());
    right_after(session, call, false);
}

fn duplicate_keys(session: &Arc<Session>, call: &Call) {
    let id = &call.id;
    let place = call.text("where").unwrap_or("content");
    let (first, second) = (message::text("first"), session.dress(message::text("second")));
    let twice = |wanted: &str, text: String| {
        if place == wanted || place == "all" { text } else { String::new() }
    };
    let more_id = twice("id", "\"id\":0,".to_owned());
    let more_result = twice("result", format!("\"result\":{first},"));
    let more_content = twice("content", format!("\"content\":{},", first["content"]));
    let result = second.to_string();
    let result = result.trim_start_matches('{');
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",{more_id}\"id\":{id},{more_result}\"result\":{{{more_content}{result}}}"
    );
    session.answer_with(line.as_bytes());
}
