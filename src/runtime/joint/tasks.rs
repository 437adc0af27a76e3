//! Tasks of both forms: what the client learns of each, what must come of it, and when the server may work for none.

use super::calls::{Call, What};
use super::world::World;
use crate::engine::server::{RequestId, Started, TaskOptions};
use crate::engine::{State, Status};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a task on the client's side.
#[derive(Default, Debug)]
pub struct Known {
    /// The call that made it.
    ticket: u64,
    /// The client asked the server to cancel it.
    is_ended: bool,
}

/// The tasks, as frames told of them.
#[derive(Default, Debug)]
pub struct Tasks {
    known: BTreeMap<String, Known>,
    /// What each request about a task asks for.
    about: BTreeMap<(u64, u64), (String, String)>,
}

/// How a call stands to a task.
#[derive(Clone, Debug)]
pub struct Following {
    pub name: String,
    /// What its application was told last.
    told: Option<Value>,
    /// What came for it that may be its outcome.
    came: Vec<Value>,
}

impl Following {
    pub fn new(name: &str) -> Following {
        Following { name: name.to_owned(), told: None, came: Vec::new() }
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
fn created(call: &Call, result: &Value) -> Option<String> {
    let core = result["task"].is_object() && call.as_task;
    let task = if core { &result["task"] } else { result };
    let is_task = core || result["resultType"] == "task";
    task["taskId"].as_str().filter(|_| is_task && !call.is_raw).map(str::to_owned)
}

/// Whether a call that ended has a task for its result, which belongs to the application then.
pub fn is_task(result: &Value) -> bool {
    result["resultType"] == "task"
}

impl Tasks {
    /// The call that made a task.
    pub fn call_of(&self, task: &str) -> Option<u64> {
        self.known.get(task).map(|known| known.ticket)
    }
}

impl World {
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
        call.task = Some(Following::new(&name));
        let known = Known { ticket, is_ended: false };
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
    pub fn task_fits(&self, call: &Call, status: Status, code: Option<i64>, message: &str) -> bool {
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
        };
        let started = self.server(|server, now| server.start_task(now, request, options));
        assert_ne!(started, Started::Gone);
        let is_task = self.server(|server, _| server.is_task(request));
        assert_eq!(started == Started::Task, is_task, "{started:?}");
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
    pub fn task_call(&mut self) -> Option<(&'static str, Value, What)> {
        self.settings.tasks.as_ref()?;
        let name = self.any_task()?;
        let about = serde_json::json!({ "taskId": name });
        Some(match self.dice.roll(6) {
            0..=2 => ("tasks/result", about, What::Watch(name)),
            3 => ("tasks/get", about, What::Other),
            4 => ("tasks/cancel", about, What::Other),
            _ => ("tasks/list", serde_json::json!({}), What::Other),
        })
    }
}
