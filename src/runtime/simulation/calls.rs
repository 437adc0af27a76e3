//! What is known of each call and task from outside, what the server offered at which moment, and whether each outcome agrees with
//! what happened.

use super::world::Simulation;
use crate::engine::server::{Kind, RequestId, TaskOptions, TaskStart};
use crate::engine::{Reply, State, Status};
use crate::protocol::error_code;
use crate::runtime::message::Handler;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What a call asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum CallKind {
    /// Something that a handler answers, with the number of the call in it.
    Handled,
    /// A whole list.
    List(Kind),
    /// One page of a list.
    Page,
    /// A subscription to a resource, or the end of one.
    Subscribe(String, bool),
    /// What a task came to that another call made.
    Watch(String),
    /// Anything else.
    Other,
}

#[derive(Clone, Debug)]
pub struct CallRecord {
    pub what: CallKind,
    pub method: &'static str,
    pub id: u64,
    pub made: Instant,
    pub step: u64,
    pub timeout: Duration,
    pub total: Duration,
    /// Whether sending it twice does no harm, as far as both sides said.
    pub safe: bool,
    pub progress: bool,
    /// The application gave the total.
    pub has_total: bool,
    /// What the server says is handed on as it is.
    pub is_raw: bool,
    /// It was sent as one that is to be a task (2025-11-25).
    pub as_task: bool,
    /// The task that it has become, or watches.
    pub task: Option<FollowedTask>,
    pub is_cancelled: bool,
    pub refused_input: bool,
    /// The answer to a request of it broke off (HTTP).
    pub broke_off: bool,
    /// A proxy sent a request of it twice.
    pub doubled: bool,
    pub is_over: bool,
    /// Cuts and failed attempts when it was made.
    pub cuts: u64,
    pub attempts: u64,
    /// How often the server had been started again.
    pub restarts: u64,
    /// How many requests of it left.
    pub sent: usize,
    /// How many of them the server refused because it was busy: it did nothing of them.
    pub refused: usize,
    /// The rounds in which its handler ran.
    pub runs: Vec<u32>,
    /// The last answer that arrived for it.
    pub answer: Option<Value>,
}

impl Simulation {
    /// An answer arrives; gives the call that waits for it.
    pub fn answer_arrives(&mut self, generation: u64, frame: &Value) -> Option<u64> {
        if frame.get("method").is_some() {
            return None;
        }
        let exchange = frame["id"].as_u64()?;
        let ticket = *self.exchanges.get(&(generation, exchange))?;
        let is_awaited = self.client().is_under_way(generation, exchange);
        let call = self.calls.get_mut(&ticket).filter(|call| is_awaited && !call.is_over)?;
        call.answer = Some(frame.clone());
        Some(ticket)
    }

    /// An answer that a call waited for has been given to the client: the call has its outcome, or goes on for a reason.
    pub fn answer_was_taken(&mut self, ticket: u64, frame: &Value) {
        let call = &self.calls[&ticket];
        let more = matches!(call.what, CallKind::List(_)) && frame["result"]["nextCursor"].is_string();
        let asks = frame["result"]["resultType"] == "input_required";
        // The server was busy and did nothing of it: the client sends it once more.
        let is_held_back = frame["error"]["code"] == error_code::BUSY;
        assert!(
            call.is_over || more || asks || is_held_back || call.task.is_some(),
            "the call {ticket} goes on after {frame}"
        );
        if is_held_back {
            self.calls.get_mut(&ticket).expect("a call of ours").refused += 1;
        }
    }

    /// The client sent a request.
    pub fn request_left(&mut self, exchange: u64, frame: &Value) {
        self.asked_about_task(exchange, frame);
        let Some(ticket) = frame["params"]["_meta"]["x/n"].as_u64() else { return };
        let generation = self.client().generation();
        assert!(self.exchanges.insert((generation, exchange), ticket).is_none(), "the id {exchange} twice");
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        assert!(!call.is_over, "the call {ticket} is sent after its end");
        assert_eq!(frame["method"], call.method);
        call.sent += 1;
    }

    /// A handler begins to work for a call.
    pub fn handler_runs(&mut self, ticket: u64, round: u32) {
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        let again = call.runs.contains(&round);
        assert!(call.sent > 0, "the call {ticket} runs and was not sent");
        assert!(
            call.safe || call.doubled || !again,
            "the call {ticket} does harm: it runs again, after {:?}",
            call.runs
        );
        call.runs.push(round);
        if again {
            self.reach("ran again");
        }
    }

    /// A call has its outcome.
    pub fn completed(&mut self, ticket: u64, reply: &Reply) {
        self.note(|| match reply {
            Ok(body) => format!("= {ticket} {}", String::from_utf8_lossy(body.json.of(&body.frame))),
            Err(error) => format!("= {ticket} {}", error.to_json()),
        });
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        assert!(!call.is_over, "the call {ticket} has ended twice");
        call.is_over = true;
        let call = call.clone();
        match reply {
            Ok(body) => {
                let text = body.json.of(&body.frame);
                let result: Value = serde_json::from_slice(text).expect("JSON");
                self.succeeded(ticket, &call, &result);
            }
            Err(error) => {
                let sent = error.details["sent"].as_bool().expect("it says whether it was sent");
                if !sent {
                    assert!(call.runs.is_empty(), "'not sent', but its handler ran");
                    assert!(
                        call.sent <= call.refused || self.attempts_failed + self.cuts > 0,
                        "'not sent', but it left"
                    );
                    self.reach("never sent");
                }
                assert!(
                    !sent
                        || call.sent > 0
                        || matches!(call.what, CallKind::Subscribe(..) | CallKind::Watch(_)),
                    "'sent', but it did not leave"
                );
                self.failed(&call, error.status, error.code, &error.message);
            }
        }
        if let CallKind::Subscribe(uri, true) = &call.what {
            if reply.is_ok() {
                self.subscribed.insert(uri.clone());
                self.reach("subscribed");
            } else {
                self.forget_subscription(uri);
            }
        }
    }

    fn succeeded(&mut self, ticket: u64, call: &CallRecord, result: &Value) {
        self.reach("answer");
        match &call.what {
            CallKind::List(kind) => {
                let member = ["tools", "resources", "resourceTemplates", "prompts"]
                    .into_iter()
                    .find_map(|member| result.get(member))
                    .expect("a list");
                let names: Vec<String> = member
                    .as_array()
                    .expect("an array")
                    .iter()
                    .map(|entry| entry["name"].as_str().expect("a name").to_owned())
                    .collect();
                if call.sent > 1 {
                    self.reached.insert("pages");
                }
                // A cursor counts what one process was given, in its order.
                if call.sent == 1 || call.restarts == self.restarts {
                    self.catalog.check(*kind, &names, call.step, self.step);
                }
            }
            // In the modern era these are no requests of their own.
            CallKind::Subscribe(..) => {}
            CallKind::Other if call.answer.is_none() => assert_eq!(call.method, "logging/setLevel"),
            _ if call.task.is_some() => {
                let following = call.task.as_ref().expect("just looked at");
                let is_of_it = following.came_to(|came| came["result"] == *result);
                assert!(is_of_it, "{ticket} ended with {result}, and its task came to {following:?}");
                self.reached.insert(if matches!(call.what, CallKind::Watch(_)) {
                    "task watched"
                } else {
                    "task completed"
                });
            }
            _ => {
                let answer =
                    call.answer.as_ref().unwrap_or_else(|| panic!("{ticket} was answered by no one"));
                assert_eq!(&answer["result"], result, "another answer than the one that arrived");
            }
        }
        if call.what == CallKind::Handled {
            assert!(!call.runs.is_empty(), "no handler ran");
            if call.task.is_none() && is_task(result) {
                assert!(call.is_raw, "{ticket} ended with the name of a task");
                return;
            }
            let text = result.to_string();
            assert!(text.contains(&format!("\"n{ticket}.\"")), "{ticket} got the answer of another: {text}");
            assert!(self.answers.contains(&ticket), "no handler gave an answer to {ticket}");
        }
    }

    fn failed(&mut self, call: &CallRecord, status: Status, code: Option<i64>, message: &str) {
        let spent = self.now.saturating_duration_since(call.made);
        let was_cut = self.cuts > call.cuts || self.attempts_failed > call.attempts;
        let fits = match status {
            // Before it is sent, the time of the handshake may be over first. While it waits to be sent again, the time of the
            // last attempt may: it does no harm twice, its session had ended when it came, or it is a task, which goes on.
            Status::Timeout => {
                let gave_up = self.client().state() == State::Closed && !self.is_closed;
                let waits_again = gave_up && (call.safe || call.runs.is_empty() || call.task.is_some());
                spent >= call.timeout.min(call.total) || call.sent == 0 || waits_again
            }
            Status::Cancelled => call.is_cancelled || call.refused_input,
            Status::Transport => was_cut || self.cuts > 0 || self.is_hopeless,
            Status::Closed => self.is_closed,
            Status::Server => call.answer.as_ref().is_some_and(|answer| {
                answer["error"]["code"].as_i64() == code && answer["error"]["message"] == message
            }),
            Status::Unsupported => true,
            Status::Unavailable => was_cut || self.attempts_failed > 0 || self.is_hopeless,
            // The application refused what its server asked.
            Status::Protocol => {
                call.refused_input || self.is_hopeless || self.attempts_failed + self.cuts > 0
            }
            // Every failure of a login has its own text.
            Status::Auth => self.logs_in(),
            // The server was busy to the end, and did nothing of it.
            Status::Backpressure if code == Some(error_code::BUSY) => {
                call.runs.is_empty()
                    && call.answer.as_ref().is_some_and(|answer| answer["error"]["code"] == error_code::BUSY)
            }
            Status::Backpressure => message.contains("limits.tasks"),
            _ => false,
        };
        let fits = fits || self.task_fits(call, status, code, message);
        assert!(fits, "{} ended as {status:?} ({message}) for no reason: {call:?}", call.method);
        let overdue = code == Some(-32603) && message.contains("in the time it has");
        self.reach(match status {
            Status::Timeout => "timeout",
            Status::Cancelled => "cancelled",
            Status::Transport => "transport",
            Status::Closed => "closed",
            Status::Unavailable => "unavailable",
            Status::Server if overdue => "overdue",
            Status::Server if code == Some(7) => "handler's failure",
            Status::Server => "error of the server",
            Status::Auth => "login failed",
            _ => "another end",
        });
        if code == Some(7) && !matches!(call.what, CallKind::Watch(_)) {
            assert!(!call.runs.is_empty(), "the handler's error, but it did not run");
        }
    }
}

/// When an entry was there, counted in steps.
#[derive(Clone, Copy, Debug)]
struct EntryLife {
    from: u64,
    to: Option<u64>,
}

#[derive(Default, Debug)]
pub struct Catalog {
    entries: BTreeMap<(Kind, String), EntryLife>,
}

impl Catalog {
    pub fn add(&mut self, kind: Kind, name: &str, step: u64) {
        let before = self.entries.insert((kind, name.to_owned()), EntryLife { from: step, to: None });
        assert!(before.is_none(), "names are used once");
    }

    pub fn remove(&mut self, kind: Kind, name: &str, step: u64) {
        self.entries.get_mut(&(kind, name.to_owned())).expect("it is there").to = Some(step);
    }

    /// The entries that are there now.
    pub fn present(&self, kind: Kind) -> Vec<String> {
        let present = self.entries.iter().filter(|((of, _), life)| *of == kind && life.to.is_none());
        present.map(|((_, name), _)| name.clone()).collect()
    }

    /// What was there all the time from `since` to `now` is in the list, once; what was never there in that time is not.
    pub fn check(&self, kind: Kind, names: &[String], since: u64, now: u64) {
        let listed: BTreeSet<&String> = names.iter().collect();
        assert_eq!(listed.len(), names.len(), "listed twice: {names:?}");
        for ((_, name), life) in self.entries.iter().filter(|((of, _), _)| *of == kind) {
            let always = life.from < since && life.to.is_none_or(|to| to > now);
            let ever = life.from <= now && life.to.is_none_or(|to| to >= since);
            let is_listed = listed.contains(name);
            assert!(is_listed || !always, "{name} is missing in {names:?}");
            assert!(ever || !is_listed, "{name} was not there, but is in {names:?}");
        }
        let unknown = names.iter().find(|name| !self.entries.contains_key(&(kind, (*name).clone())));
        assert_eq!(unknown, None, "never offered");
    }
}

/// The definition of an entry.
pub fn definition(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Tool => {
            let annotations = match name {
                "safe" => r#","annotations":{"readOnlyHint":true}"#,
                "task" => r#","execution":{"taskSupport":"optional"}"#,
                "long" => r#","execution":{"taskSupport":"required"}"#,
                _ => "",
            };
            format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}{annotations}}}"#)
        }
        Kind::Resource => format!(r#"{{"name":"{name}","uri":"x://{name}"}}"#),
        Kind::Template => format!(r#"{{"name":"{name}","uriTemplate":"{name}://{{id}}"}}"#),
        Kind::Prompt => format!(r#"{{"name":"{name}"}}"#),
    }
}

impl Simulation {
    /// Adds an entry to the server at hand; `again` for one that a server before it had.
    pub fn offer(&mut self, kind: Kind, name: &str, again: bool) {
        if !again {
            self.expect_list_change(kind);
        }
        let text = definition(kind, name);
        let added = self.server(|server, now| match kind {
            Kind::Tool => server.add_tool(now, &text, Handler::queue()),
            Kind::Resource => server.add_resource(now, &text, Handler::queue()),
            Kind::Template => server.add_template(now, &text, Handler::queue()),
            Kind::Prompt => server.add_prompt(now, &text, Handler::queue()),
        });
        added.expect("a good definition");
        if !again {
            self.catalog.add(kind, name, self.step);
        }
    }

    pub fn withdraw_offer(&mut self, kind: Kind, name: &str) {
        self.expect_list_change(kind);
        let key = match kind {
            Kind::Resource => format!("x://{name}"),
            Kind::Template => format!("{name}://{{id}}"),
            Kind::Tool | Kind::Prompt => name.to_owned(),
        };
        assert!(self.server(|server, now| server.remove(now, kind, &key)), "it is there");
        self.catalog.remove(kind, name, self.step);
    }
}

/// What is known of a task on the client's side.
#[derive(Default, Debug)]
pub struct KnownTask {
    /// The call that made it.
    ticket: u64,
    /// The client asked the server to cancel it.
    is_ended: bool,
}

/// The tasks, as frames told of them.
#[derive(Default, Debug)]
pub struct TaskRecords {
    known: BTreeMap<String, KnownTask>,
    /// What each request about a task asks for.
    about: BTreeMap<(u64, u64), (String, String)>,
}

/// How a call stands to a task.
#[derive(Clone, Debug)]
pub struct FollowedTask {
    pub name: String,
    /// What its application was told last.
    told: Option<Value>,
    /// What came for it that may be its outcome.
    came: Vec<Value>,
}

impl FollowedTask {
    pub fn new(name: &str) -> FollowedTask {
        FollowedTask { name: name.to_owned(), told: None, came: Vec::new() }
    }

    /// Whether its server said that this is the outcome.
    pub fn came_to(&self, fits: impl Fn(&Value) -> bool) -> bool {
        self.came.iter().any(fits)
    }
}

fn is_over(status: &Value) -> bool {
    ["completed", "failed", "cancelled"].iter().any(|over| status == over)
}

/// The task in the answer to a call that has become one.
fn created(call: &CallRecord, result: &Value) -> Option<String> {
    let core = result["task"].is_object() && call.as_task;
    let task = if core { &result["task"] } else { result };
    let is_task = core || result["resultType"] == "task";
    task["taskId"].as_str().filter(|_| is_task && !call.is_raw).map(str::to_owned)
}

/// Whether a call that ended has a task for its result, which belongs to the application then.
pub fn is_task(result: &Value) -> bool {
    result["resultType"] == "task"
}

impl TaskRecords {
    /// The call that made a task.
    pub fn call_of(&self, task: &str) -> Option<u64> {
        self.known.get(task).map(|known| known.ticket)
    }
}

impl Simulation {
    /// The client sent a request about a task.
    pub fn asked_about_task(&mut self, exchange: u64, frame: &Value) {
        let method = frame["method"].as_str().unwrap_or_default();
        if method == "tools/call" && frame["params"]["task"].is_object() {
            let ticket = frame["params"]["_meta"]["x/n"].as_u64().unwrap_or_default();
            if let Some(call) = self.calls.get_mut(&ticket) {
                call.as_task = true;
            }
        }
        let Some(name) = frame["params"]["taskId"].as_str() else { return };
        if method == "tasks/cancel"
            && let Some(known) = self.tasks.known.get_mut(name)
        {
            known.is_ended = true;
            self.reach("task ended by the client");
        }
        if method == "tasks/update" {
            self.reach("task input");
        }
        let generation = self.client().generation();
        self.tasks.about.insert((generation, exchange), (name.to_owned(), method.to_owned()));
    }

    /// Whether this frame answers a request about a task.
    pub fn is_about_task(&self, generation: u64, frame: &Value) -> bool {
        let id = frame["id"].as_u64().filter(|_| frame.get("method").is_none());
        id.is_some_and(|id| self.tasks.about.contains_key(&(generation, id)))
    }

    /// A frame comes to the client: what it says of tasks is known from now on.
    pub fn task_frame_comes(&mut self, generation: u64, frame: &Value, is_awaited: bool) {
        let outcome = |frame: &Value| {
            let member = ["result", "error"].into_iter().find(|member| frame.get(member).is_some())?;
            Some(serde_json::json!({ member: frame[member] }))
        };
        if frame.get("method").is_some() {
            let params = &frame["params"];
            let Some(name) = params["taskId"].as_str() else { return };
            self.came(name, outcome(params));
            return;
        }
        let Some(id) = frame["id"].as_u64().filter(|_| is_awaited) else { return };
        if let Some(ticket) = self.exchanges.get(&(generation, id)).copied() {
            return self.may_become_task(ticket, &frame["result"]);
        }
        let Some((name, method)) = self.tasks.about.get(&(generation, id)).cloned() else { return };
        let state = method == "tasks/get" && frame.get("result").is_some();
        self.came(&name, outcome(if state { &frame["result"] } else { frame }));
    }

    /// A request about a task failed, with what HTTP had to say.
    pub fn task_request_failed(&mut self, generation: u64, exchange: u64, spoken: Option<&Value>) {
        let Some((name, _)) = self.tasks.about.get(&(generation, exchange)).cloned() else { return };
        self.came(&name, spoken.cloned());
    }

    fn came(&mut self, name: &str, outcome: Option<Value>) {
        let Some(outcome) = outcome else { return };
        for call in self.calls.values_mut().filter(|call| !call.is_over) {
            if let Some(following) = call.task.as_mut().filter(|task| task.name == name)
                && !following.came.contains(&outcome)
            {
                following.came.push(outcome.clone());
            }
        }
    }

    /// A call is answered, perhaps with a task.
    fn may_become_task(&mut self, ticket: u64, result: &Value) {
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        let Some(name) = created(call, result) else { return };
        let life = self.settings.tasks.as_ref().map_or(call.total, |tasks| tasks.life);
        if !call.has_total {
            call.total = life;
        }
        call.task = Some(FollowedTask::new(&name));
        let known = KnownTask { ticket, is_ended: false };
        let before = self.tasks.known.insert(name, known);
        assert!(before.is_none(), "two calls are one task: {ticket} and {before:?}");
        self.reach(if result["task"].is_object() { "task" } else { "task of the extension" });
    }

    /// The application is told how a task is.
    pub fn task_told(&mut self, ticket: u64, state: &Value) {
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        assert!(!call.is_over, "told of the task of {ticket}, which has ended: {state}");
        // Over HTTP the engine has more than is looked at here.
        let Some(following) = &mut call.task else { return };
        assert_eq!(state["taskId"], following.name.as_str(), "{ticket} was told of the task of another");
        if let Some(told) = &following.told {
            assert!(!is_over(&told["status"]), "{ticket} was told of {state} after {told}");
            let both = |member| told[member] == state[member];
            assert!(!both("status") || !both("statusMessage"), "{ticket} was told twice of {state}");
        }
        following.told = Some(state.clone());
        self.reach("task told");
    }

    /// Whether the outcome of a call with a task fits.
    pub fn task_fits(&self, call: &CallRecord, status: Status, code: Option<i64>, message: &str) -> bool {
        let Some(following) = &call.task else { return false };
        match status {
            Status::Server => following.came_to(|came| {
                came["error"]["code"].as_i64() == code && came["error"]["message"] == message
            }),
            Status::Cancelled => self.tasks.known.get(&following.name).is_some_and(|known| known.is_ended),
            Status::Protocol => message.contains("more inputs than limits.server_requests"),
            Status::Backpressure => message.contains("limits.tasks"),
            _ => false,
        }
    }

    /// Whether the client asked for the end of the task that a call made.
    pub fn is_ended_by_client(&self, ticket: u64) -> bool {
        self.tasks.known.values().any(|known| known.ticket == ticket && known.is_ended)
    }

    /// Whether the client knows the task that a handler works on; `None` if it works on none.
    pub fn knows_task(&mut self, request: RequestId) -> Option<bool> {
        let name = self.server(|server, _| server.task_of(request))?;
        Some(self.tasks.known.contains_key(&name))
    }

    /// A handler turns its call into a task, or says how it is.
    pub fn start_task(&mut self, request: RequestId) {
        self.serial += 1;
        let message = format!("m{}", self.serial);
        let options = TaskOptions {
            ttl: self.dice.chance(30).then(|| self.dice.millis(0, 6000)),
            poll: self.dice.chance(50).then(|| self.dice.millis(0, 300)),
            message: self.dice.chance(60).then_some(&message),
            ..TaskOptions::default()
        };
        let started = self.server(|server, now| server.start_task(now, request, options));
        assert_ne!(started, TaskStart::Gone);
        let is_task = self.server(|server, _| server.is_task(request));
        assert_eq!(started == TaskStart::Task, is_task, "{started:?}");
    }

    /// The calls whose tasks are over at the server now, or were forgotten by it, while the client is connected.
    pub fn calls_of_ended_tasks(&mut self) -> BTreeSet<u64> {
        if self.client().state() != State::Ready {
            return BTreeSet::new();
        }
        let open = self.calls.iter().filter(|(_, call)| !call.is_over);
        let named: Vec<(u64, String)> =
            open.filter_map(|(ticket, call)| Some((*ticket, call.task.as_ref()?.name.clone()))).collect();
        let ended = named.into_iter().filter(|(_, name)| {
            self.server(|server, _| server.task_is_open(name)).is_none_or(|is_open| !is_open)
        });
        ended.map(|(ticket, _)| ticket).collect()
    }

    /// Everything arrived: calls whose tasks were over before have ended.
    pub fn check_ended_tasks(&self, ended: &BTreeSet<u64>, generation: u64) {
        if self.client().generation() != generation || self.client().state() != State::Ready {
            return;
        }
        for ticket in ended {
            let call = &self.calls[ticket];
            assert!(call.is_over, "the task of {ticket} is over, and its call goes on: {call:?}");
        }
    }

    /// The name of a task that some call made.
    pub fn any_task(&mut self) -> Option<String> {
        let names: Vec<String> = self.tasks.known.keys().rev().take(3).cloned().collect();
        (!names.is_empty()).then(|| self.dice.pick(&names).clone())
    }

    /// A call that asks for a task: which, and what for.
    pub fn task_call(&mut self) -> Option<(&'static str, Value, CallKind)> {
        self.settings.tasks.as_ref()?;
        let name = self.any_task()?;
        let about = serde_json::json!({ "taskId": name });
        Some(match self.dice.roll(6) {
            0..=2 => ("tasks/result", about, CallKind::Watch(name)),
            3 => ("tasks/get", about, CallKind::Other),
            4 => ("tasks/cancel", about, CallKind::Other),
            _ => ("tasks/list", serde_json::json!({}), CallKind::Other),
        })
    }
}
