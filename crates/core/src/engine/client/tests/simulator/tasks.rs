//! Calls that become tasks in the simulation: what is known of each, what must come of what its server says, and what the engine
//! then asks: each request at its time, once, and none for what is not wanted.

use super::model::{Call, Cause, Expected, Model, Over, WireRequest};
use super::observe::Frame;
use crate::engine::client::tasks::followed::ASIDE;
use crate::engine::{State, Status, TaskSettings};
use crate::protocol::task::Form;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What a request about a task asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    Poll,
    Result,
    Update(usize),
}

/// What the server of a task wants to know.
#[derive(Debug)]
pub struct Input {
    pub name: u64,
    pub key: Option<u64>,
    pub answered: bool,
    pub sent: Option<u64>,
}

/// A task that a call has become.
#[derive(Debug)]
pub struct Task {
    pub name: String,
    pub form: Form,
    /// Whether the call made it, and so ends it.
    pub owned: bool,
    pub interval: Duration,
    pub told: Option<(&'static str, bool)>,
    pub again: Option<Instant>,
    pub asking: Option<u64>,
    pub awaiting: Option<u64>,
    pub failures: u32,
    pub inputs: Vec<Input>,
}

/// What a server says of a task.
#[derive(Clone, Debug)]
pub struct Said {
    /// One of the five states, or none that there is.
    pub status: &'static str,
    pub message: bool,
    pub poll: Option<u64>,
    /// Whether result or error are there, as the extension wants them.
    pub body: bool,
    /// Names and methods of inputs.
    pub inputs: Vec<(u64, &'static str)>,
}

/// What the model knows of tasks beside the calls.
#[derive(Default, Debug)]
pub struct Tasks {
    /// What the server of this connection has: calls that become tasks, and an end for those that are not wanted.
    pub offered: bool,
    /// Whether it declares them, in whatever revision.
    pub declared: bool,
    pub ends: bool,
    pub form: Option<Form>,
    /// Exchanges that no call waits for, with the task that each is to end, and tasks to be ended on the next connection.
    pub aside: VecDeque<(u64, Option<(Form, String)>)>,
    pub unwanted: VecDeque<(Form, String)>,
    /// Ends of tasks that this step has sent, before their calls end.
    pub ended: Vec<String>,
}

impl Said {
    /// As both forms write it.
    pub fn json(&self, name: &str, ticket: u64) -> String {
        let Said { status, .. } = self;
        let message = if self.message { r#","statusMessage":"it takes its time""# } else { "" };
        let poll = self
            .poll
            .map_or_else(String::new, |poll| format!(r#","pollInterval":{poll},"pollIntervalMs":{poll}"#));
        let body = format!(r#","result":{{"t":{ticket}}},"error":{{"code":-1,"message":"no"}}"#);
        let body = if self.body { body.as_str() } else { "" };
        let times = r#""createdAt":"2026-07-28T10:30:00Z","ttl":60000,"ttlMs":60000"#;
        let inputs = super::written(&self.inputs);
        let known = format!(r#""taskId":"{name}","status":"{status}",{times}{message}{poll}{body}"#);
        format!(r#"{{{known},"inputRequests":{inputs}}}"#)
    }
}

impl Model {
    fn task_settings(&self) -> &TaskSettings {
        self.settings.tasks.as_ref().expect("tasks are on")
    }

    /// Whether calls of tools go out as tasks here, as the tools want it.
    pub fn has_core_tasks(&self) -> bool {
        self.settings.tasks.is_some() && self.tasks.form == Some(Form::Core) && self.tasks.offered
    }

    pub fn followed(&self) -> usize {
        self.calls.values().filter(|call| call.task.is_some()).count()
    }

    /// Whether the server hears of the end of a task of this form.
    pub fn can_end(&self, form: Form) -> bool {
        self.state == State::Ready && (form == Form::Extension || self.tasks.ends)
    }

    /// A call is being sent: whether it asks to become a task.
    pub fn asks_to_be_task(&self, call: &Call, frame: &Frame<'_>) -> bool {
        let asks = frame.0.contains(r#""task":{"#);
        assert!(!asks || call.plain && self.has_core_tasks() && call.as_task != Some(false), "{}", frame.0);
        let must = call.plain && call.as_task == Some(true) && self.has_core_tasks();
        assert!(asks || !must, "not the task that it was to be: {}", frame.0);
        asks
    }

    /// Whether the answer to this call may be a task, so that its end has to wait for it.
    pub fn may_become_task(&self, call: &Call) -> bool {
        let by_server = self.settings.tasks.is_some()
            && self.tasks.form == Some(Form::Extension)
            && call.method == "tools/call"
            && call.plain
            && call.as_task != Some(false);
        call.augmented || by_server
    }

    pub fn must_end(&mut self, form: Form, name: &str) {
        if self.can_end(form) {
            self.step.expected.push(Expected::TaskCancel(name.to_owned()));
        }
    }

    /// A call is answered with a task.
    pub fn created(&mut self, number: u64, name: &str, said: &Said) {
        let form = self.tasks.form.expect("a form");
        let (full, settings) = (self.followed(), self.task_settings().clone());
        let call = self.calls.get_mut(&number).expect("pending");
        if said.status == "asleep" {
            return self.step.expected.push(Expected::End(number, Status::Protocol));
        }
        call.exchange = None;
        if full >= settings.limit {
            self.must_end(form, name);
            return self.step.expected.push(Expected::End(number, Status::Backpressure));
        }
        self.follows(number, form, name, true);
        self.reached.insert(if form == Form::Core { "core task" } else { "extension task" });
        self.told(number, said);
    }

    /// A task is followed, as long as it may live.
    pub fn follows(&mut self, number: u64, form: Form, name: &str, owned: bool) {
        let settings = self.task_settings().clone();
        let call = self.calls.get_mut(&number).expect("pending");
        if !call.total_given {
            call.latest = call.started + settings.life;
        }
        call.deadline = call.latest;
        call.task = Some(Task {
            name: name.to_owned(),
            form,
            owned,
            interval: settings.poll.clamp(settings.poll_min, settings.poll_max),
            told: None,
            again: None,
            asking: None,
            awaiting: None,
            failures: 0,
            inputs: Vec::new(),
        });
    }

    /// The server says how a task is.
    pub fn told(&mut self, number: u64, said: &Said) {
        let (now, settings) = (self.now, self.task_settings().clone());
        let call = self.calls.get_mut(&number).expect("pending");
        let timeout = call.timeout;
        let task = call.task.as_mut().expect("a task");
        if said.status == "asleep" {
            return self.breaks_rules(number);
        }
        task.failures = 0;
        if let Some(poll) = said.poll {
            task.interval = Duration::from_millis(poll).clamp(settings.poll_min, settings.poll_max);
        }
        if task.told.is_some_and(|(told, _)| ["completed", "failed"].contains(&told) && told != said.status) {
            // It was overtaken by the end of the task.
            return task.poll_later(now);
        }
        if task.told != Some((said.status, said.message)) {
            task.told = Some((said.status, said.message));
            self.step.expected.push(Expected::Told(number));
        }
        match (said.status, task.form) {
            ("working", _) => task.poll_later(now),
            ("input_required", Form::Core) => task.again = None,
            ("input_required", Form::Extension) => {
                if self.takes_inputs(number, said) {
                    let call = self.calls.get_mut(&number).expect("pending");
                    call.task.as_mut().expect("a task").poll_later(now);
                } else {
                    self.breaks_rules(number);
                }
            }
            ("completed" | "failed", Form::Core) => task.again = Some(now + timeout),
            ("completed" | "failed", Form::Extension) if !said.body => self.breaks_rules(number),
            ("completed", _) => self.step.expected.push(Expected::End(number, Status::Ok)),
            ("failed", _) => self.step.expected.push(Expected::End(number, Status::Server)),
            _ => self.step.expected.push(Expected::End(number, Status::Cancelled)),
        }
    }

    /// What the server asks for the first time goes to the application. Says whether it may ask all that.
    fn takes_inputs(&mut self, number: u64, said: &Said) -> bool {
        let most = self.settings.server_requests;
        if said.inputs.len() > most || !self.has_declared(&said.inputs) {
            return false;
        }
        for (name, method) in &said.inputs {
            let asked = self.step.expected.iter().filter(|it| **it == Expected::Request).count() as u64;
            let task = self.calls.get_mut(&number).and_then(|call| call.task.as_mut()).expect("a task");
            if task.inputs.iter().any(|known| known.name == *name) {
                continue;
            }
            if task.inputs.len() >= most {
                return false;
            }
            let by_library = *method == "roots/list" && self.settings.roots.is_some();
            let key = (!by_library).then_some(self.last_key + asked + 1);
            let index = task.inputs.len();
            task.inputs.push(Input { name: *name, key, answered: by_library, sent: None });
            if let Some(key) = key {
                self.open.insert(key, format!("task {number} {index}"));
                self.step.expected.push(Expected::Request);
            }
        }
        true
    }

    /// The application answered an input of a task: the server has it at once, or on the next connection. Or it refused.
    pub fn input_answered(&mut self, id: &str, refuses: bool) {
        let mut words = id.split(' ').skip(1).map(|word| word.parse::<u64>().expect("a number"));
        let (number, index) = (words.next().expect("a call"), words.next().expect("which"));
        if refuses {
            // Its call ends, and the task with it.
            return self.ends_with_its_task(number, Status::Cancelled);
        }
        let task = self.calls.get_mut(&number).and_then(|call| call.task.as_mut()).expect("a task");
        task.inputs[usize::try_from(index).expect("small")].answered = true;
        self.reached.insert("task input");
    }

    fn breaks_rules(&mut self, number: u64) {
        self.ends_with_its_task(number, Status::Protocol);
    }

    fn ends_with_its_task(&mut self, number: u64, status: Status) {
        let task = self.calls[&number].task.as_ref().expect("a task");
        let (form, name) = (task.form, task.name.clone());
        match (task.owned, self.state) {
            (false, _) => {}
            (true, State::Ready) => self.must_end(form, &name),
            (true, _) => self.ends_later((form, name)),
        }
        self.step.expected.push(Expected::End(number, status));
    }

    /// A request about a task is answered: with a result that is not a state of a task, with an error, or with what breaks rules.
    pub fn task_answered(&mut self, number: u64, about: About, status: Status) {
        let task = self.calls.get_mut(&number).and_then(|call| call.task.as_mut()).expect("a task");
        match about {
            About::Poll => task.asking = None,
            About::Result => task.awaiting = None,
            About::Update(index) => task.inputs[index].sent = None,
        }
        let is_over = matches!(task.told, Some(("completed" | "failed", _)));
        match (about, status) {
            (About::Poll, Status::Ok) => self.breaks_rules(number),
            (About::Result, Status::Server) if !is_over => self.ends_with_its_task(number, status),
            (About::Result, Status::Ok) | (About::Poll | About::Result, Status::Server) => {
                self.step.expected.push(Expected::End(number, status));
            }
            (About::Update(index), Status::Ok) => task.inputs[index].answered = false,
            _ => self.ends_with_its_task(number, status),
        }
    }

    /// The server says how a task is that it was asked for.
    pub fn polled(&mut self, number: u64, said: &Said) {
        let task = self.calls.get_mut(&number).and_then(|call| call.task.as_mut()).expect("a task");
        task.asking = None;
        self.told(number, said);
    }
}

impl Task {
    fn poll_later(&mut self, now: Instant) {
        if self.asking.is_none() && self.awaiting.is_none() {
            self.again = Some(now + self.interval);
        }
    }
}

impl Model {
    /// A request about tasks is being sent. Says whether it is one.
    pub fn asks_about_task(&mut self, id: u64, method: &str, frame: &Frame<'_>) -> bool {
        let Some(name) = frame.after("\"taskId\":\"").and_then(|rest| rest.split('"').next()) else {
            return false;
        };
        assert_eq!(self.state, State::Ready, "{}", frame.0);
        let now = self.now;
        if method == "tasks/cancel" {
            let form = self.tasks.form.expect("a form");
            self.set_aside(id, WireRequest::TaskCancel, Some((form, name.to_owned())));
            let expected = Expected::TaskCancel(name.to_owned());
            match self.step.expected.iter().position(|it| *it == expected) {
                Some(at) => _ = self.step.expected.remove(at),
                None => self.tasks.ended.push(name.to_owned()),
            }
            self.reached.insert("task ended by us");
            return true;
        }
        self.begins_to_watch(name);
        let is_named = |call: &Call| call.task.as_ref().is_some_and(|task| task.name == name);
        let found = self.calls.iter_mut().find(|(_, call)| is_named(call));
        let (number, call) = found.unwrap_or_else(|| panic!("a task that no call follows: {}", frame.0));
        let timeout = call.timeout;
        let task = call.task.as_mut().expect("just looked at");
        let about = match method {
            "tasks/get" => {
                assert_eq!((task.asking, task.awaiting), (None, None), "asked twice: {}", frame.0);
                task.asking = Some(id);
                task.again = Some(now + timeout);
                About::Poll
            }
            "tasks/result" => {
                let status = task.told.map(|(status, _)| status);
                assert_eq!((task.form, task.awaiting), (Form::Core, None), "{}", frame.0);
                assert!(matches!(status, Some("input_required" | "completed" | "failed")), "{status:?}");
                task.awaiting = Some(id);
                About::Result
            }
            "tasks/update" => {
                let is_named = |input: &Input| frame.0.contains(&format!(r#"{{"{}":"#, input.name));
                let at = task.inputs.iter().position(is_named).expect("an input of the task");
                let input = &mut task.inputs[at];
                assert!(input.answered && input.sent.is_none(), "brought twice: {}", frame.0);
                input.sent = Some(id);
                About::Update(at)
            }
            _ => panic!("{}", frame.0),
        };
        let number = *number;
        self.wire.as_mut().expect("ready").under_way.insert(id, WireRequest::Task(number, about));
        true
    }

    /// A call that watches a task of this name begins with that now.
    fn begins_to_watch(&mut self, name: &str) {
        let about = format!(r#""taskId":"{name}""#);
        let watches = |call: &Call| call.params.contains(&about) && call.task.is_none();
        let Some(number) = self.calls.iter().find(|(_, call)| watches(call)).map(|(id, _)| *id) else {
            return;
        };
        let limit = self.settings.tasks.as_ref().map_or(0, |tasks| tasks.limit);
        assert!(self.followed() < limit, "more tasks than the bound");
        self.follows(number, self.tasks.form.expect("a form"), name, false);
        self.leaves_the_row(number);
        self.reached.insert("watched task");
    }

    fn set_aside(&mut self, id: u64, asked: WireRequest, ends: Option<(Form, String)>) {
        let wire = self.wire.as_mut().expect("a wire");
        wire.under_way.insert(id, asked);
        self.tasks.aside.push_back((id, ends));
        if self.tasks.aside.len() > ASIDE {
            let (oldest, _) = self.tasks.aside.pop_front().expect("many");
            wire.under_way.remove(&oldest);
        }
    }

    /// A call ended whose answer may yet be a task.
    pub fn orphaned(&mut self, exchange: u64) {
        self.set_aside(exchange, WireRequest::Orphan, None);
        self.reached.insert("orphan");
    }

    /// A call ended: nothing of its task is wanted any more. Gives the end that the server hears of, if it must.
    pub fn lets_go(&mut self, task: &Task) {
        // A connection that is closed needs no more of that.
        let hears = self.state == State::Ready && self.step.cause != Cause::Close;
        if let Some(id) = task.awaiting.filter(|_| hears && !task.owned) {
            let at = self.step.withdrawn.iter().position(|withdrawn| *withdrawn == id);
            self.step.withdrawn.remove(at.expect("no call waits for the result, and the server is not told"));
        }
        let sent = task.inputs.iter().filter_map(|input| input.sent);
        if let Some(wire) = &mut self.wire {
            for id in task.asking.into_iter().chain(task.awaiting).chain(sent) {
                wire.under_way.remove(&id);
            }
        }
        let keys: Vec<u64> = task.inputs.iter().filter_map(|input| input.key).collect();
        for key in keys {
            self.over(key, Over::Withdrawn);
        }
    }

    /// The application wants a task no longer, or no call can follow it: its server was told, or will be.
    pub fn was_ended(&mut self, task: &Task) {
        if !task.owned {
            // The call that made it may want it.
        } else if self.state != State::Ready {
            self.ends_later((task.form, task.name.clone()));
        } else if self.can_end(task.form) {
            let at = self.tasks.ended.iter().position(|name| *name == task.name);
            self.tasks.ended.remove(at.expect("the server is told that the task is not wanted"));
        }
    }

    /// The answer comes to a call that has ended, and is a task of this name if any.
    pub fn orphan_answered(&mut self, id: u64, name: Option<&str>) {
        self.late += 1;
        self.tasks.aside.retain(|(aside, _)| *aside != id);
        if let (Some(form), Some(name)) = (self.tasks.form, name) {
            self.must_end(form, name);
        }
    }

    /// A task is to be ended on the next wire; of too many the oldest is forgotten.
    pub fn ends_later(&mut self, ends: (Form, String)) {
        if self.tasks.unwanted.len() == ASIDE {
            self.tasks.unwanted.pop_front();
        }
        self.tasks.unwanted.push_back(ends);
    }

    pub fn not_aside(&mut self, id: u64) {
        self.tasks.aside.retain(|(aside, _)| *aside != id);
    }

    /// Time passes: what was asked about a task and has had its time is asked for no more.
    pub fn tasks_are_due(&mut self, now: Instant) {
        self.now = now;
        let most = self.settings.max_retries;
        if self.state != State::Ready {
            return;
        }
        for (number, call) in &mut self.calls {
            let Some(task) = call.task.as_mut().filter(|task| task.again.is_some_and(|at| at <= now)) else {
                continue;
            };
            // One whose call is over by then has nothing to do any more.
            let silent = [task.asking.take(), task.awaiting.take()];
            if silent == [None, None] || call.deadline <= task.again.expect("due") {
                (task.asking, task.awaiting) = (silent[0], silent[1]);
                continue;
            }
            for id in silent.into_iter().flatten() {
                self.wire.as_mut().expect("ready").under_way.remove(&id);
            }
            task.failures += 1;
            task.again = Some(now + task.interval);
            if task.failures > most {
                // However it comes to that.
                self.step.expected.push(Expected::End(*number, Status::Timeout));
                if task.owned && (task.form == Form::Extension || self.tasks.ends) {
                    self.step.expected.push(Expected::TaskCancel(task.name.clone()));
                }
            }
        }
    }

    /// The connection is ready: tasks that are not wanted are ended, the others asked for, and those of another form lost.
    pub fn tasks_resume(&mut self) {
        for (form, name) in std::mem::take(&mut self.tasks.unwanted) {
            if self.tasks.form == Some(form) {
                self.must_end(form, &name);
            }
        }
        for (number, call) in &self.calls {
            if call.task.as_ref().is_some_and(|task| Some(task.form) != self.tasks.form) {
                self.step.expected.push(Expected::End(*number, Status::Transport));
            }
        }
    }

    /// Nothing that was under way about tasks comes to anything. Those whose end was not answered are ended on the next wire.
    pub fn tasks_lose_their_wire(&mut self) {
        for ends in std::mem::take(&mut self.tasks.aside).into_iter().filter_map(|(_, ends)| ends) {
            self.ends_later(ends);
        }
        for task in self.calls.values_mut().filter_map(|call| call.task.as_mut()) {
            (task.asking, task.awaiting, task.again) = (None, None, None);
            task.failures = 0;
            task.inputs.iter_mut().for_each(|input| input.sent = None);
        }
    }

    /// On a ready connection something is being done about every task.
    pub fn check_tasks(&self) {
        assert!(self.tasks.ended.is_empty(), "ended, and still wanted: {:?}", self.tasks.ended);
        for (number, call) in &self.calls {
            let Some(task) = &call.task else { continue };
            assert_eq!((call.exchange, task.inputs.len() <= self.settings.server_requests), (None, true));
            if self.state != State::Ready {
                assert_eq!((task.asking, task.awaiting, task.again), (None, None, None));
                continue;
            }
            assert!(task.inputs.iter().all(|input| !input.answered || input.sent.is_some()), "not brought");
            let is_forgotten = [task.asking, task.awaiting] == [None, None] && task.again.is_none();
            assert!(!is_forgotten, "the task of call {number} is forgotten");
        }
    }

    /// Ids of requests about tasks, with the tickets of their calls.
    pub fn about_tasks(&self) -> Vec<(u64, u64)> {
        let asked = self.wire.iter().flat_map(|wire| wire.under_way.iter());
        let about = asked.filter_map(|(id, asked)| match asked {
            WireRequest::Task(call, _) => Some((*id, self.calls.get(call)?.ticket)),
            WireRequest::Orphan | WireRequest::TaskCancel => Some((*id, 0)),
            _ => None,
        });
        about.collect()
    }
}
