//! The tool `work`, which runs as a task in both eras. A task's name says when it began and how long it takes, so that it
//! outlives the process.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::Call;
use crate::message;

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The tool: a task, or at once where none is asked for.
pub fn work(call: &Call) -> Value {
    if !call.modern && call.params["task"].is_null() {
        return message::text("done at once");
    }
    let id = format!("work-{}-{}-{}", now_ms(), call.number("ms", 100), call.number("poll_ms", 50));
    let Some(mut task) = state(&id) else { return message::failure("no task") };
    task["status"] = "working".into();
    if call.modern {
        task["resultType"] = "task".into();
        return task;
    }
    json!({ "task": task })
}

/// How a task is: in the words of both eras at once. None if there is no such task.
fn state(id: &str) -> Option<Value> {
    let mut parts = id.strip_prefix("work-")?.split('-').map(|part| part.parse::<u64>().ok());
    let (begun, takes, poll) = (parts.next()??, parts.next()??, parts.next()??);
    let is_over = now_ms() >= begun.saturating_add(takes);
    let mut task = json!({
        "taskId": id, "status": "working", "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
        "ttl": null, "ttlMs": null, "pollInterval": poll, "pollIntervalMs": poll,
    });
    if is_over {
        task["status"] = "completed".into();
        task["result"] = done(id);
    }
    Some(task)
}

fn done(id: &str) -> Value {
    let mut result = message::text("the work is done");
    result["_meta"] = json!({ "io.modelcontextprotocol/related-task": { "taskId": id } });
    result
}

/// The answer to a request about a task; none if it is about something else, or a task that is not there.
pub fn answer(method: &str, params: &Value) -> Option<Value> {
    let id = params["taskId"].as_str()?;
    let task = state(id)?;
    match method {
        "tasks/get" => Some(task),
        // Asked for only when it is over: there is nothing in this work to ask about.
        "tasks/result" => Some(done(id)),
        "tasks/cancel" => Some(task),
        _ => None,
    }
}
