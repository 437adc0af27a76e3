//! The tool `research`, which runs as a task only, does everything right, and may ask the user in the middle of its work.
//! 2025-11-25 has tasks in its core, where the client asks for one and fetches the result; 2026-07-28 has them as an extension,
//! where the result comes with the state. A task follows from the time that has passed, so that nothing runs for it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::tasks::EXTENSION;
use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

pub const TOOL: &str = "research";
const RELATED: &str = "io.modelcontextprotocol/related-task";
/// The key of our one question in `inputRequests` and `inputResponses`.
const KEY: &str = "question";
const MAX_TASKS: usize = 10_000;

pub const TOOLS: &[Tool] = &[t(
    TOOL,
    "{topic, ms?, poll_ms?, question?, fail?}",
    "A task of ms (500) that does everything right. question: asks it when half of the time is over. fail: finds nothing.",
    begin,
)];

struct Task {
    id: String,
    topic: String,
    begun: Instant,
    work: Duration,
    poll_ms: u64,
    ttl: Value,
    question: Option<String>,
    /// What the user said, and when.
    answer: Option<(Value, Instant)>,
    fails: bool,
    cancelled: bool,
    /// Requests for the result that wait for the answer (2025-11-25).
    waiting: Vec<Value>,
    /// Those that are answered at a time that is known.
    timed: Vec<Value>,
}

/// The tasks of the process.
#[derive(Default)]
pub struct Tasks {
    begun: usize,
    known: BTreeMap<String, Task>,
    /// Questions on their way (2025-11-25), and the task of each.
    asked: HashMap<String, String>,
}

impl Task {
    fn status(&self, now: Instant) -> &'static str {
        if self.cancelled {
            return "cancelled";
        }
        match (self.question.is_some(), &self.answer) {
            (true, None) if now < self.begun + self.work / 2 => "working",
            (true, None) => "input_required",
            _ if now < self.ends() => "working",
            _ if self.fails => "failed",
            _ => "completed",
        }
    }

    /// When it is over, with all that it knows now.
    fn ends(&self) -> Instant {
        self.answer.as_ref().map_or(self.begun + self.work, |(_, at)| *at + self.work / 2)
    }

    fn state(&self, modern: bool, status: &str) -> Value {
        let mut state = json!({
            "taskId": self.id,
            "status": status,
            "statusMessage": format!("research on {}: {status}", self.topic),
            "createdAt": "2026-07-28T00:00:00Z",
            "lastUpdatedAt": "2026-07-28T00:00:00Z",
        });
        let (ttl, poll) = if modern { ("ttlMs", "pollIntervalMs") } else { ("ttl", "pollInterval") };
        state[ttl] = self.ttl.clone();
        state[poll] = self.poll_ms.into();
        state
    }

    /// A task of the extension, with what belongs to its status.
    fn detailed(&self, status: &str) -> Value {
        let mut state = self.state(true, status);
        match (status, &self.question) {
            ("input_required", Some(question)) => {
                let request = json!({ "method": "elicitation/create", "params": form(question) });
                state["inputRequests"] = json!({ KEY: request });
            }
            ("completed", _) => {
                state["result"] = self.result();
                state["result"]["resultType"] = "complete".into();
            }
            ("failed", _) => {
                let message = format!("nothing to be found on {}", self.topic);
                state["error"] =
                    json!({ "code": -32603, "message": message, "data": { "topic": self.topic } });
            }
            _ => {}
        }
        state
    }

    /// What the tool says. A failure is a tool's own in 2025-11-25, and an error of the protocol in the extension.
    fn result(&self) -> Value {
        if self.fails {
            return message::failure(&format!("nothing to be found on {}", self.topic));
        }
        let said = self.answer.as_ref().map(|(answer, _)| match answer["content"]["answer"].as_str() {
            Some(text) if answer["action"] == "accept" => format!(": {text}"),
            _ => format!(": no answer ({})", answer["action"]),
        });
        message::text(format!("researched {}{}", self.topic, said.unwrap_or_default()))
    }

    fn related(&self) -> Value {
        json!({ RELATED: { "taskId": self.id } })
    }
}

/// The params of `elicitation/create`: a form with one text field.
fn form(question: &str) -> Value {
    let schema =
        json!({ "type": "object", "properties": { "answer": { "type": "string" } }, "required": ["answer"] });
    json!({ "mode": "form", "message": question, "requestedSchema": schema })
}

fn begin(session: &Arc<Session>, call: &Call) {
    let modern = session.script.modern;
    let refuse = |code, text: &str| session.send(&message::error(&call.id, code, text));
    let extensions =
        &call.params.get("_meta").unwrap_or(&Value::Null)[message::CAPABILITIES_KEY]["extensions"];
    if modern && extensions.get(EXTENSION).is_none() {
        return refuse(-32021, "The client lacks a capability that this request needs");
    }
    let wanted = call.params.get("task").and_then(Value::as_object);
    if !modern && wanted.is_none() {
        return refuse(-32601, "Method not found: tools/call of this tool without a task");
    }
    let Some(topic) = call.text("topic") else { return refuse(-32602, "topic must be a string") };
    let mut memory = session.memory();
    let tasks = &mut memory.research;
    if tasks.known.len() == MAX_TASKS {
        tasks.known.pop_first();
    }
    tasks.begun += 1;
    let task = Task {
        id: format!("research-{:06}", tasks.begun),
        topic: topic.to_owned(),
        begun: Instant::now(),
        work: call.milliseconds("ms").unwrap_or(Duration::from_millis(500)),
        poll_ms: call.number("poll_ms").unwrap_or(100),
        ttl: wanted.and_then(|wanted| wanted.get("ttl")).cloned().unwrap_or_default(),
        question: call.text("question").map(str::to_owned),
        answer: None,
        fails: call.flag("fail").unwrap_or(false),
        cancelled: false,
        waiting: Vec::new(),
        timed: Vec::new(),
    };
    // A task begins as one that works, however little there is to do.
    let mut state = task.state(modern, "working");
    tasks.known.insert(task.id.clone(), task);
    drop(memory);
    if modern {
        state["resultType"] = "task".into();
        session.answer(call, state);
    } else {
        session.answer(call, json!({ "task": state }));
    }
}

/// A request about tasks. False: it is not about one of ours.
pub fn request(session: &Arc<Session>, id: &Value, method: &str, params: &Map<String, Value>) -> bool {
    let modern = session.script.modern;
    let now = Instant::now();
    let mut memory = session.memory();
    let tasks = &mut memory.research;
    if method == "tasks/list" && !modern {
        let states: Vec<_> = tasks.known.values().map(|task| task.state(false, task.status(now))).collect();
        drop(memory);
        session.send(&message::result(id, json!({ "tasks": states })));
        return true;
    }
    let name = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
    let Some(task) = tasks.known.get_mut(name) else { return false };
    let status = task.status(now);
    let mut frames = Vec::new();
    match method {
        "tasks/get" => {
            let state = if modern { task.detailed(status) } else { task.state(false, status) };
            frames.push(message::result(id, session.dress(state)));
        }
        "tasks/update" if modern => {
            let answer = params.get("inputResponses").and_then(|responses| responses.get(KEY));
            if let (Some(answer), None) = (answer, &task.answer) {
                task.answer = Some((answer.clone(), now));
            }
            frames.push(message::result(id, session.dress(json!({}))));
        }
        "tasks/cancel" => frames = cancel(session, task, id, status),
        "tasks/result" if !modern && task.cancelled => {
            frames.push(message::error(id, -32600, "Task cancelled"));
        }
        "tasks/result" if !modern => {
            let Some(question) = task.question.clone().filter(|_| task.answer.is_none()) else {
                later(session, task, id.clone(), now);
                return true;
            };
            task.waiting.push(id.clone());
            let key = format!("{name}-asks");
            let mut params = form(&question);
            params["_meta"] = task.related();
            if tasks.asked.insert(key.clone(), name.to_owned()).is_none() {
                let method = "elicitation/create";
                frames.push(json!({ "jsonrpc": "2.0", "id": key, "method": method, "params": params }));
            }
        }
        _ => frames.push(message::error(id, -32601, "Method not found")),
    }
    drop(memory);
    for frame in &frames {
        session.send(frame);
    }
    true
}

fn cancel(session: &Session, task: &mut Task, id: &Value, status: &str) -> Vec<Value> {
    let modern = session.script.modern;
    let over = matches!(status, "completed" | "failed" | "cancelled");
    if over && !modern {
        return vec![message::error(id, -32602, &format!("Cannot cancel task: it is {status}"))];
    }
    let mut ended = std::mem::take(&mut task.waiting);
    if !over {
        task.cancelled = true;
        ended.append(&mut task.timed);
    }
    let mut frames: Vec<Value> =
        ended.iter().map(|id| message::error(id, -32600, "Task cancelled")).collect();
    let state = if modern { json!({}) } else { task.state(false, "cancelled") };
    frames.push(message::result(id, session.dress(state)));
    frames
}

/// The result of a task of 2025-11-25, when the task is over.
fn later(session: &Arc<Session>, task: &mut Task, request: Value, now: Instant) {
    task.timed.push(request.clone());
    let id = task.id.clone();
    session.later(task.ends().saturating_duration_since(now), move |session| {
        let mut memory = session.memory();
        let Some(task) = memory.research.known.get_mut(&id) else { return };
        let Some(at) = task.timed.iter().position(|timed| *timed == request) else { return };
        task.timed.remove(at);
        let mut result = task.result();
        result["_meta"] = task.related();
        drop(memory);
        session.send(&message::result(&request, result));
    });
}

/// The client's answer to a question of a task's. False: it is to none.
pub fn answered(session: &Arc<Session>, message: &Map<String, Value>) -> bool {
    let now = Instant::now();
    let mut memory = session.memory();
    let tasks = &mut memory.research;
    let asked = message.get("id").and_then(Value::as_str).and_then(|id| tasks.asked.remove(id));
    let Some(task) = asked.and_then(|id| tasks.known.get_mut(&id)) else { return false };
    let answer = message.get("result").cloned().unwrap_or_default();
    // The answer must say which task it is for.
    task.fails |= answer["_meta"][RELATED]["taskId"] != task.id;
    task.answer = Some((answer, now));
    for request in std::mem::take(&mut task.waiting) {
        later(session, task, request, now);
    }
    true
}

/// A request for a result is not waited for any more.
pub fn cancelled(session: &Session, request: &Value) {
    for task in session.memory().research.known.values_mut() {
        task.waiting.retain(|waiting| waiting != request);
        task.timed.retain(|timed| timed != request);
    }
}
