//! Tools that promise what their results look like, and may not keep it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t(
        "promise",
        "{value?, is_error?}",
        "Promises {sum: number}, and takes only these arguments; structuredContent is the value, absent without one.",
        answer,
    ),
    t("remote_promise", "{value?}", "Its outputSchema refers to another document.", answer),
    t("endless_promise", "{value?}", "Its outputSchema refers to itself for ever.", answer),
    t("explosive_promise", "{value?}", "Its outputSchema takes 2^25 steps to check.", answer),
    t("old_promise", "{value?}", "Its outputSchema is of draft-07.", answer),
];

fn answer(session: &Arc<Session>, call: &Call) {
    let mut result = message::text("as promised");
    if let Some(value) = call.arguments.get("value") {
        result["structuredContent"] = value.clone();
    }
    if call.flag("is_error") == Some(true) {
        result["isError"] = true.into();
    }
    session.answer(call, result);
}

/// The schemas that `tools/list` shows of a tool: of its arguments, and of its results if it promises any.
pub fn of(name: &str) -> (Value, Option<Value>) {
    let any = json!({ "type": "object" });
    let sum = json!({ "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] });
    match name {
        "promise" => {
            let properties = json!({ "value": true, "is_error": { "type": "boolean" } });
            let input = json!({ "type": "object", "properties": properties, "additionalProperties": false });
            (input, Some(sum))
        }
        "remote_promise" => (any, Some(json!({ "$ref": "http://127.0.0.1:1/schema.json" }))),
        "endless_promise" => (any, Some(json!({ "$ref": "#" }))),
        "explosive_promise" => {
            let mut named = json!({ "25": {} });
            for level in 0..25 {
                let next = json!({ "$ref": format!("#/$defs/{}", level + 1) });
                named[level.to_string()] = json!({ "allOf": [next, next] });
            }
            (any, Some(json!({ "$ref": "#/$defs/0", "$defs": named })))
        }
        "old_promise" => {
            let mut old = sum;
            old["$schema"] = "http://json-schema.org/draft-07/schema#".into();
            old["dependencies"] = json!({ "a": ["b"] });
            (any, Some(old))
        }
        _ => (any, None),
    }
}
