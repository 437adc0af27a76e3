//! The tool `work`, which may run as a task in both eras, and the requests about its tasks. A task's name says when it began,
//! how long it takes and what goes wrong with it, so that it outlives the process.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";

pub const TOOLS: &[Tool] = &[t(
    "work",
    "{ms?, poll_ms?, kind?}",
    "A task of ms (100). kind: right (default), silent (tasks/get is never answered), forgotten (the task is unknown), \
     odd (an invalid status), push (told by notification when it is done), late (the task is made after ms, its work \
     takes none).",
    work,
)];

/// What a server with tasks declares. Only 2025-11-25 has a list of them.
pub fn capability(modern: bool) -> Value {
    let mut capability = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    if !modern {
        capability["list"] = json!({});
    }
    capability
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn work(session: &Arc<Session>, call: &Call) {
    let modern = session.script.modern;
    if !modern && !call.params.contains_key("task") {
        return session.answer(call, message::text("done at once"));
    }
    let kind = call.text("kind").unwrap_or("right").to_owned();
    let ms = call.number("ms").unwrap_or(100);
    let poll = call.number("poll_ms").unwrap_or(50);
    let id = format!("work-{}-{ms}-{poll}-{kind}", now_ms());
    // A task begins as one that works and is known, however soon it is over.
    let mut task = task(&id, "working", poll);
    let result = if modern {
        task["resultType"] = "task".into();
        task
    } else {
        json!({ "task": task })
    };
    let wait = call.milliseconds("ms").unwrap_or_default();
    match kind.as_str() {
        "late" => {
            let call = call.clone();
            session.later(wait, move |session| session.answer(&call, result));
        }
        "push" => {
            session.answer(call, result);
            session.later(wait, move |session| push(session, &id));
        }
        _ => session.answer(call, result),
    }
}

/// Tells that a task is done: a legacy client at once, a modern one on the streams that ask for it.
fn push(session: &Session, id: &str) {
    let Some(task) = state(id, true) else { return };
    if !session.script.modern {
        return session.send(&message::notification("notifications/tasks/status", task));
    }
    let listens = session.memory().listens.clone();
    for listen in &listens {
        let mut task = task.clone();
        task["_meta"] = json!({ message::SUBSCRIPTION_KEY: listen });
        session.send(&message::notification("notifications/tasks", task));
    }
}

/// How a task is, in the words of both eras at once. None if there is no such task.
fn state(id: &str, is_over: bool) -> Option<Value> {
    let mut parts = id.strip_prefix("work-")?.splitn(4, '-');
    let mut number = || parts.next()?.parse::<u64>().ok();
    let (begun, takes, poll) = (number()?, number()?, number()?);
    let kind = parts.next()?;
    let takes = if kind == "late" { 0 } else { takes };
    if !is_over && now_ms() < begun.saturating_add(takes) {
        return Some(task(id, "working", poll));
    }
    let status = match kind {
        // It is never seen done.
        "forgotten" => return None,
        "odd" => "asleep",
        _ => "completed",
    };
    let mut task = task(id, status, poll);
    task["result"] = done(id);
    Some(task)
}

fn task(id: &str, status: &str, poll: u64) -> Value {
    json!({
        "taskId": id, "status": status, "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
        "ttl": null, "ttlMs": null, "pollInterval": poll, "pollIntervalMs": poll,
    })
}

fn done(id: &str) -> Value {
    let mut result = message::text("the work is done");
    result["_meta"] = json!({ "io.modelcontextprotocol/related-task": { "taskId": id } });
    result
}

/// A request about a task.
pub fn request(session: &Session, id: &Value, method: &str, params: &Map<String, Value>) {
    let name = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
    let result = match (method, state(name, false)) {
        ("tasks/get", Some(_)) if name.ends_with("-silent") => return,
        ("tasks/get" | "tasks/cancel", Some(task)) => task,
        ("tasks/result", Some(_)) => done(name),
        _ => return session.send(&message::error(id, -32602, "Task not found")),
    };
    session.send(&message::result(id, session.dress(result)));
}
