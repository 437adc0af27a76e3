//! Tools that do what they should, to see that the connection lives.

use std::sync::Arc;

use serde_json::json;

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t("echo", "{text}", "Returns its text.", echo),
    t("add", "{a, b}", "Adds two numbers; structuredContent {sum}.", add),
    t("fail", "{}", "A result with isError.", fail),
];

fn echo(session: &Arc<Session>, call: &Call) {
    session.answer(call, message::text(call.text("text").unwrap_or_default()));
}

fn add(session: &Arc<Session>, call: &Call) {
    let number = |name| call.arguments.get(name).and_then(serde_json::Value::as_f64).unwrap_or_default();
    let sum = number("a") + number("b");
    let mut result = message::text(sum.to_string());
    result["structuredContent"] = json!({ "sum": sum });
    session.answer(call, result);
}

fn fail(session: &Arc<Session>, call: &Call) {
    session.answer(call, message::failure("This tool always fails"));
}
