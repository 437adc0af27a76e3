//! The modern era's own shapes gone wrong: odd forms of `input_required`, unknown result types, streams that end.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t(
        "input_required",
        "{kind, rounds?}",
        "kind: forever (asks for the same form again and again), state_only (requestState alone for that many \
         rounds, by default 1, then the text \"rounds: n\"), empty (neither), undeclared (sampling).",
        input_required,
    ),
    t("result_type", "{value}", "The result has this resultType.", result_type),
    t("change", "{}", "notifications/tools/list_changed on every open stream, then the answer.", change),
    t("end_listens", "{how?}", "Ends every open stream: result (default), cancelled, or both.", end_listens),
];

fn input_required(session: &Arc<Session>, call: &Call) {
    let state = call.params.get("requestState").and_then(Value::as_str);
    let round: u64 = state.and_then(|state| state.strip_prefix("round-")?.parse().ok()).unwrap_or(0);
    let next = format!("round-{}", round + 1);
    let result = match call.text("kind").unwrap_or("forever") {
        "state_only" if round >= call.number("rounds").unwrap_or(1) => {
            message::text(format!("rounds: {round}"))
        }
        "state_only" => json!({ "resultType": "input_required", "requestState": next }),
        "empty" => json!({ "resultType": "input_required" }),
        "undeclared" => {
            let params = json!({ "messages": [], "maxTokens": 1 });
            let request = json!({ "method": "sampling/createMessage", "params": params });
            json!({ "resultType": "input_required", "inputRequests": { "sample": request } })
        }
        _ => {
            let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
            let params = json!({ "mode": "form", "message": "Again?", "requestedSchema": schema });
            let request = json!({ "method": "elicitation/create", "params": params });
            json!({
                "resultType": "input_required",
                "inputRequests": { "again": request },
                "requestState": next,
            })
        }
    };
    session.answer(call, result);
}

fn result_type(session: &Arc<Session>, call: &Call) {
    let mut result = message::text("of an odd type");
    result["resultType"] = call.arguments.get("value").cloned().unwrap_or_default();
    session.answer(call, result);
}

/// `subscriptions/listen`: grants what was asked for, and remembers the stream.
pub fn listen(session: &Session, id: &Value, params: &Map<String, Value>) {
    session.memory().listens.push(id.clone());
    let granted = params.get("notifications").cloned().unwrap_or_else(|| json!({}));
    on_stream(session, id, "notifications/subscriptions/acknowledged", json!({ "notifications": granted }));
}

fn change(session: &Arc<Session>, call: &Call) {
    let listens = session.memory().listens.clone();
    for id in &listens {
        on_stream(session, id, "notifications/tools/list_changed", json!({}));
    }
    session.answer(call, message::text(format!("told {} streams", listens.len())));
}

fn end_listens(session: &Arc<Session>, call: &Call) {
    let how = call.text("how").unwrap_or("result");
    let listens = std::mem::take(&mut session.memory().listens);
    for id in &listens {
        if how != "result" {
            on_stream(session, id, "notifications/cancelled", json!({ "requestId": id }));
        }
        if how != "cancelled" {
            let mut end = session.dress(json!({}));
            end["_meta"][message::SUBSCRIPTION_KEY] = id.clone();
            session.send(&message::result(id, end));
        }
    }
    session.answer(call, message::text(format!("ended {} streams", listens.len())));
}

fn on_stream(session: &Session, id: &Value, method: &str, mut params: Value) {
    params["_meta"] = json!({ message::SUBSCRIPTION_KEY: id });
    session.send(&message::notification(method, params));
}
