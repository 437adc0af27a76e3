//! Noise beside a right answer: floods on stdout and stderr, notifications that are unknown or not expected.

use std::io::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t("flood", "{count, bytes?}", "That many notifications/message, then the answer.", flood),
    t(
        "flood_stderr",
        "{lines, bytes?}",
        "That many lines of that many bytes on stderr, then the answer.",
        flood_stderr,
    ),
    t(
        "stderr_no_newline",
        "{bytes}",
        "One line without an end on stderr, then the answer.",
        stderr_no_newline,
    ),
    t(
        "unknown_notification",
        "{method?}",
        "A notification of no known method, then the answer.",
        unknown_notification,
    ),
    t(
        "bad_progress",
        "{}",
        "Progress for an unknown token, and falling for the own one, then the answer.",
        bad_progress,
    ),
    t(
        "stray_cancel",
        "{id?}",
        "notifications/cancelled for this id or for the call itself, then the answer.",
        stray_cancel,
    ),
];

fn flood(session: &Arc<Session>, call: &Call) {
    let filling = "x".repeat(call.size("bytes").unwrap_or(0));
    for number in 1..=call.number("count").unwrap_or(0) {
        let params = json!({ "level": "info", "data": { "number": number, "filling": filling } });
        session.send(&message::notification("notifications/message", params));
    }
    session.answer(call, message::text("flooded"));
}

fn flood_stderr(session: &Arc<Session>, call: &Call) {
    let line = "e".repeat(call.size("bytes").unwrap_or(80));
    let mut stderr = std::io::stderr().lock();
    for number in 1..=call.number("lines").unwrap_or(0) {
        let _ = stderr.write_all(format!("{number} {line}\n").as_bytes());
    }
    session.answer(call, message::text("flooded"));
}

fn stderr_no_newline(session: &Arc<Session>, call: &Call) {
    let _ = std::io::stderr().lock().write_all(&vec![b'e'; call.size("bytes").unwrap_or(0)]);
    session.answer(call, message::text("written"));
}

fn unknown_notification(session: &Arc<Session>, call: &Call) {
    let method = call.text("method").unwrap_or("notifications/example/unknown");
    session.send(&message::notification(method, json!({ "a": 1 })));
    session.answer(call, message::text("notified"));
}

fn bad_progress(session: &Arc<Session>, call: &Call) {
    let progress = |token: &Value, value: Value| {
        let params = json!({ "progressToken": token, "progress": value });
        session.send(&message::notification("notifications/progress", params));
    };
    progress(&"unknown token".into(), 1.into());
    let own = call.params.get("_meta").and_then(|fields| fields.get("progressToken"));
    if let Some(own) = own {
        for value in [json!(5), json!(3), json!(3), json!("much"), json!(6)] {
            progress(own, value);
        }
    }
    session.answer(call, message::text("progressed"));
    if let Some(own) = own {
        progress(own, 7.into());
    }
}

fn stray_cancel(session: &Arc<Session>, call: &Call) {
    let id = call.arguments.get("id").unwrap_or(&call.id);
    session.send(&message::notification("notifications/cancelled", json!({ "requestId": id })));
    session.answer(call, message::text("not cancelled"));
}
