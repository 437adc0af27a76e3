//! Work that outlasts its call: the tool `research`, which runs as a task only. 2025-11-25 has tasks in its core, where the
//! client asks for one and fetches the result; 2026-07-28 has them as an extension, where the result comes with the state. A
//! task follows from the time that has passed, so that nothing runs for it.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use crate::ask;
use crate::catalog::object;
use crate::protocol::{self, Caller, RpcError};
use crate::server::{Effect, finish};
use crate::tools::{tool_error, tool_text};

pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const RELATED: &str = "io.modelcontextprotocol/related-task";
pub const TOOL: &str = "research";
/// The key of our one question in `inputRequests` and `inputResponses`.
const KEY: &str = "question";
const MAX_MS: u64 = 24 * 60 * 60 * 1000;
const MAX_TASKS: usize = 10_000;

/// The tool's entry in the list, for those who can call it.
pub fn listed(caller: &Caller) -> Option<Value> {
    if !caller.since("2025-11-25") {
        return None;
    }
    let mut tool = json!({
        "name": TOOL,
        "description": "Looks something up for a while, as a task; in the middle it may ask the user a question",
        "inputSchema": {
            "type": "object",
            "properties": {
                "topic": { "type": "string" },
                "ms": { "type": "integer", "minimum": 0 },
                "poll_ms": { "type": "integer", "minimum": 0 },
                "question": { "type": "string" },
                "fail": { "type": "boolean" },
            },
            "required": ["topic"],
        },
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
    });
    if !caller.modern() {
        tool["execution"] = json!({ "taskSupport": "required" });
    }
    Some(tool)
}

struct Task {
    id: String,
    topic: String,
    begun: Instant,
    created: String,
    work: Duration,
    poll_ms: u64,
    ttl: Value,
    question: Option<String>,
    /// What the user said, and when.
    answer: Option<(Value, Instant)>,
    fails: bool,
    cancelled: bool,
    /// Requests for the result that wait for the answer (core form).
    waiting: Vec<Value>,
    /// Those whose answer has its time.
    timed: Vec<Value>,
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

    fn state(&self, modern: bool, now: Instant) -> Map<String, Value> {
        let status = self.status(now);
        let mut state = object(json!({
            "taskId": self.id,
            "status": status,
            "statusMessage": format!("research on {}: {status}", self.topic),
            "createdAt": self.created,
            "lastUpdatedAt": self.created,
        }));
        let (ttl, poll) = if modern { ("ttlMs", "pollIntervalMs") } else { ("ttl", "pollInterval") };
        state.insert(ttl.to_owned(), self.ttl.clone());
        state.insert(poll.to_owned(), self.poll_ms.into());
        state
    }

    /// What the tool says. A failure is a tool's own in the core form, and an error of the protocol in the extension.
    fn result(&self) -> Map<String, Value> {
        if self.fails {
            return tool_error(&format!("nothing to be found on {}", self.topic));
        }
        let said = self.answer.as_ref().map(|(answer, _)| ask::report(answer));
        let said =
            said.and_then(|report| report["content"][0]["text"].as_str().map(|text| format!(": {text}")));
        tool_text(&format!("researched {}{}", self.topic, said.unwrap_or_default()))
    }

    fn related(&self) -> Value {
        json!({ RELATED: { "taskId": self.id } })
    }
}

/// The tasks of one client.
#[derive(Default)]
pub struct Tasks {
    begun: usize,
    known: BTreeMap<String, Task>,
    /// Questions on their way (core form), and the task of each.
    asked: HashMap<String, String>,
}

impl Tasks {
    /// `tools/call` of [`TOOL`].
    pub fn begin(&mut self, caller: &Caller, params: &Map<String, Value>) -> Result<Vec<Effect>, RpcError> {
        if !caller.since("2025-11-25") {
            return Err(RpcError::invalid_params(format!("Unknown tool: {TOOL}")));
        }
        if caller.modern()
            && caller.capabilities.get("extensions").is_none_or(|it| it.get(EXTENSION).is_none())
        {
            return Err(RpcError::missing_client_capability(&json!({ "extensions": { EXTENSION: {} } })));
        }
        let wanted = params.get("task").and_then(Value::as_object);
        if !caller.modern() && wanted.is_none() {
            return Err(RpcError::method_not_found("tools/call of this tool without a task"));
        }
        let arguments = params.get("arguments").cloned().unwrap_or_default();
        let text = |key: &str| arguments[key].as_str().map(str::to_owned);
        let number = |key: &str, default: u64| match arguments.get(key) {
            None => Ok(default),
            Some(value) => value.as_u64().filter(|number| *number <= MAX_MS).ok_or_else(|| {
                RpcError::invalid_params(format!("{key} must be a whole number from 0 to {MAX_MS}"))
            }),
        };
        let topic = text("topic").ok_or_else(|| RpcError::invalid_params("topic must be a string"))?;
        let question = text("question");
        if question.is_some() && !caller.answers_forms() {
            return Err(RpcError::missing_client_capability(&json!({ "elicitation": { "form": {} } })));
        }
        if self.known.len() == MAX_TASKS {
            self.known.pop_first();
        }
        self.begun += 1;
        let task = Task {
            id: format!("research-{:06}", self.begun),
            topic,
            begun: Instant::now(),
            created: timestamp(),
            work: Duration::from_millis(number("ms", 500)?),
            poll_ms: number("poll_ms", 100)?,
            ttl: wanted.and_then(|wanted| wanted.get("ttl")).cloned().unwrap_or_default(),
            question,
            answer: None,
            fails: arguments["fail"] == true,
            cancelled: false,
            waiting: Vec::new(),
            timed: Vec::new(),
        };
        // A task begins as one that works, however little there is to do.
        let mut state = task.state(caller.modern(), task.begun);
        state["status"] = "working".into();
        self.known.insert(task.id.clone(), task);
        let result = if caller.modern() {
            state.insert("resultType".to_owned(), "task".into());
            state
        } else {
            object(json!({ "task": state }))
        };
        Ok(finish(caller, "tools/call", result))
    }

    /// A request about tasks. `None`: this caller's revision has no such method.
    pub fn request(
        &mut self,
        caller: &Caller,
        method: &str,
        params: &Map<String, Value>,
    ) -> Option<Result<Vec<Effect>, RpcError>> {
        let known = match method {
            "tasks/get" | "tasks/cancel" => caller.since("2025-11-25"),
            "tasks/update" => caller.modern(),
            "tasks/result" | "tasks/list" => caller.revision == "2025-11-25",
            _ => false,
        };
        known.then(|| self.answer_request(caller, method, params))
    }

    fn answer_request(
        &mut self,
        caller: &Caller,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Vec<Effect>, RpcError> {
        let now = Instant::now();
        if method == "tasks/list" {
            let tasks: Vec<_> = self.known.values().map(|task| task.state(false, now)).collect();
            return Ok(finish(caller, method, object(json!({ "tasks": tasks }))));
        }
        let id = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
        let task = self.known.get_mut(id).ok_or_else(|| RpcError::invalid_params("Task not found"))?;
        let status = task.status(now);
        let result = match method {
            "tasks/get" if caller.modern() => detailed(caller, task, now),
            "tasks/get" => task.state(false, now),
            "tasks/update" => {
                let answer = params.get("inputResponses").and_then(|responses| responses.get(KEY));
                if let (Some(answer), None) = (answer, &task.answer) {
                    task.answer = Some((answer.clone(), now));
                }
                Map::new()
            }
            "tasks/cancel" => {
                let over = matches!(status, "completed" | "failed" | "cancelled");
                if over && !caller.modern() {
                    return Err(RpcError::invalid_params(format!("Cannot cancel task: it is {status}")));
                }
                task.cancelled |= !over;
                let waiting = std::mem::take(&mut task.waiting);
                let cancelled = |id: &Value| {
                    Effect::Send(protocol::error(Some(id), RpcError::invalid_request("Task cancelled")))
                };
                let mut effects: Vec<Effect> = waiting.iter().map(cancelled).collect();
                if !over {
                    for request in std::mem::take(&mut task.timed) {
                        effects.extend([Effect::Cancel(request.clone()), cancelled(&request)]);
                    }
                }
                let state = if caller.modern() { Map::new() } else { task.state(false, now) };
                effects.extend(finish(caller, method, state));
                return Ok(effects);
            }
            _ => return Ok(self.result(caller, id, now)),
        };
        Ok(finish(caller, method, result))
    }

    /// `tasks/result`: waits until there is one, and asks meanwhile what there is to ask.
    fn result(&mut self, caller: &Caller, id: &str, now: Instant) -> Vec<Effect> {
        let Some(task) = self.known.get_mut(id) else { return Vec::new() };
        if task.cancelled {
            let error = RpcError::invalid_request("Task cancelled");
            return vec![Effect::Send(protocol::error(Some(&caller.id), error))];
        }
        match (&task.question, &task.answer) {
            (Some(question), None) => {
                task.waiting.push(caller.id.clone());
                let key = format!("{id}-asks");
                if self.asked.insert(key.clone(), id.to_owned()).is_some() {
                    return Vec::new();
                }
                let mut form = ask::form(caller, question);
                form["_meta"] = task.related();
                vec![Effect::Send(protocol::request(&key, "elicitation/create", &form))]
            }
            _ => vec![later(task, &caller.id, now)],
        }
    }

    /// The client's answer to a question of a task's. `None`: it is to none.
    pub fn answered(&mut self, id: &Value, message: &Map<String, Value>) -> Option<Vec<Effect>> {
        let now = Instant::now();
        let id = self.asked.remove(id.as_str()?)?;
        let task = self.known.get_mut(&id)?;
        let answer = message.get("result").cloned().unwrap_or_default();
        // The answer must say which task it is for.
        task.fails |= answer["_meta"][RELATED]["taskId"] != task.id;
        task.answer = Some((answer, now));
        let waiting = std::mem::take(&mut task.waiting);
        Some(waiting.iter().map(|id| later(task, id, now)).collect())
    }

    /// A request for a result is not waited for any more.
    pub fn cancelled(&mut self, request: &Value) {
        for task in self.known.values_mut() {
            task.waiting.retain(|waiting| waiting != request);
            task.timed.retain(|timed| timed != request);
        }
    }
}

/// The result of a task of the core form, when the task is over.
fn later(task: &mut Task, request: &Value, now: Instant) -> Effect {
    task.timed.push(request.clone());
    let mut result = task.result();
    result.insert("_meta".to_owned(), task.related());
    let wait = task.ends().saturating_duration_since(now);
    Effect::Later { id: request.clone(), frames: vec![(wait, protocol::result(request, result))] }
}

/// A task of the extension, with what belongs to its status.
fn detailed(caller: &Caller, task: &Task, now: Instant) -> Map<String, Value> {
    let mut state = task.state(true, now);
    let (key, value) = match (task.status(now), &task.question) {
        ("input_required", Some(question)) => {
            let request = json!({ "method": "elicitation/create", "params": ask::form(caller, question) });
            ("inputRequests", json!({ KEY: request }))
        }
        ("completed", _) => {
            let mut result = task.result();
            result.insert("resultType".to_owned(), "complete".into());
            ("result", Value::Object(result))
        }
        ("failed", _) => {
            let message = format!("nothing to be found on {}", task.topic);
            ("error", json!({ "code": -32603, "message": message, "data": { "topic": task.topic } }))
        }
        _ => return state,
    };
    state.insert(key.to_owned(), value);
    state
}

/// The time of day, as RFC 3339 writes it.
fn timestamp() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (i64::try_from(seconds / 86_400).unwrap_or(0), seconds % 86_400);
    // Days are counted from a first of March in a year that begins an era of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// What a server with tasks declares.
pub fn core_capability() -> Value {
    json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } })
}

/// The same for the extension.
pub fn extensions() -> Value {
    json!({ EXTENSION: {} })
}

/// Whether a call is of [`TOOL`].
pub fn is_called(params: &Map<String, Value>) -> bool {
    params.get("name").and_then(Value::as_str) == Some(TOOL)
}
