//! Calls that become tasks (2025-11-25 `basic/utilities/tasks`; the extension `io.modelcontextprotocol/tasks`): the server
//! answers the call of a tool with the name of a task, and the library follows that until it has the call's outcome. To the
//! application it is one call; what the server says of the task in between comes as a message about that call.
//!
//! A task outlives the connection: on the next one it is asked for again. It is ended by `tasks/cancel` and never by
//! `notifications/cancelled`, also when its name is not known yet.
//!
//! This file routes how a call becomes a task and how that ends for the application.
//!
//! The files:
//!
//! * `followed`: part: `FollowedTasks`, what is known of each task and asked about it
//! * `poll`: routes: asks how tasks are, takes what they come to, brings what their servers want to know

pub(super) mod followed;
mod poll;

use crate::engine::client::Engine;
use crate::engine::client::calls::{CallOptions, Feature};
use crate::engine::client::effect::State;
use crate::engine::client::exchanges::{Exchange, TaskRequest};
use crate::engine::client::settings::Wire;
use crate::engine::client::tasks::followed::UnwantedTask;
use crate::engine::{Error, Level, Status, fields, millis};
use crate::json;
use crate::protocol::task::{self, Form, Support, Task};
use crate::protocol::{Params, ParamsBuf, Revision, capability, method, write};
use std::time::{Duration, Instant};

/// What the server must have declared for a call to be a task, and in words.
pub(crate) fn required_task_capability(revision: Revision) -> (&'static str, &'static str) {
    (Form::at(revision).unwrap_or(Form::Core).capability(), "calls of tools as tasks")
}

/// The parameters of a call that is to become a task (core form).
pub(crate) fn augmented(params: Option<Params<'_>>, ttl: Option<Duration>) -> ParamsBuf {
    let task = ttl.map_or_else(|| "{}".to_owned(), |ttl| format!("{{\"ttl\":{}}}", millis(ttl)));
    ParamsBuf::spliced(method::TOOLS_CALL, params, &[("task", &task)])
}

impl<T> Engine<T> {
    /// The error of what needs tasks, of a client that has them off.
    pub(crate) fn tasks_are_off(&self, called: &str, options: &CallOptions) -> Option<Error> {
        if self.settings.tasks.is_some() || options.feature == Feature::Raw {
            return None;
        }
        let needs = options.task == Some(true)
            || matches!(
                called,
                method::TASKS_GET | method::TASKS_RESULT | method::TASKS_LIST | method::TASKS_CANCEL
            );
        if !needs {
            return None;
        }
        let message = "tasks are off for this client; give 'tasks': true in the config";
        Some(Error::new(Status::Unsupported, called, message))
    }

    fn form(&self) -> Option<Form> {
        self.revision().and_then(Form::at)
    }

    fn server_has(&self, pointer: &str) -> bool {
        capability::server_has(self.handshake.capabilities(), pointer)
    }

    /// Whether calls of tools may go out as tasks here, which the tools decide.
    pub(crate) fn has_core_tasks(&self) -> bool {
        self.settings.tasks.is_some()
            && self.form() == Some(Form::Core)
            && self.server_has(Form::Core.capability())
    }

    /// Whether a call is kept because its tool must be looked up first.
    pub(crate) fn lists_for_tasks(&self, method: &str) -> bool {
        self.settings.tasks.is_some() && method == method::TOOLS_CALL
    }

    /// Whether results of this kind are handed on: they belong to an extension that the application declared.
    pub(crate) fn is_declared_result(&self, id: u64, kind: &str) -> bool {
        let Some(call) = self.calls.get(id) else { return false };
        if kind == task::RESULT_TYPE {
            return call.method == method::TOOLS_CALL
                && call.task != Some(false)
                && capability::has_extension(&self.settings.capabilities, task::EXTENSION);
        }
        self.settings.result_types.iter().any(|known| known == kind)
    }

    /// Sends a request about a task. `more` is members for its parameters, with a comma before them.
    fn ask_of_task(&mut self, what: Exchange, method: &'static str, name: &str, more: &str) -> u64 {
        let exchange = self.exchanges.begin(what);
        let params = format!("{{\"taskId\":{}{more}}}", json::quote(name));
        let params = ParamsBuf::written(method, params);
        self.send(write::request(exchange, method, Some(params.view()), self.handshake.members().text()));
        exchange
    }

    /// The connection is ready: the tasks are asked for on it, and those not wanted any more are cancelled.
    pub(crate) fn resume_tasks(&mut self, now: Instant) {
        for unwanted in self.tasks.take_unwanted() {
            if self.form() == Some(unwanted.form) {
                self.cancel_task(unwanted.form, &unwanted.name);
            }
        }
        for (id, form) in self.tasks.forms() {
            if Some(form) == self.form() {
                self.poll_task(now, id);
            } else {
                let what = "the server came back with a revision that has no such tasks";
                self.complete_task(now, id, &Error::new(Status::Transport, method::TASKS_GET, what));
            }
        }
    }

    /// Ends a call with a failure of its task.
    fn complete_task(&mut self, now: Instant, id: u64, error: &Error) {
        let Some(call) = self.calls.get(id) else { return };
        let error = error.of(&call.method);
        self.complete(now, id, Err(error));
    }
}

impl<T> Engine<T> {
    /// Whether the answer to a call says that it has become a task, which is then followed. `result` is asked for only where
    /// it matters: it may be very long.
    pub(crate) fn is_task<'f>(&self, id: u64, result: impl FnOnce() -> &'f str, kind: Option<&str>) -> bool {
        if self.settings.tasks.is_none() {
            return false;
        }
        let Some(call) = self.calls.get(id) else { return false };
        match self.form().filter(|_| call.feature != Feature::Raw) {
            Some(Form::Core) => call.augmented && Form::Core.created(result()).is_some(),
            Some(Form::Extension) => {
                kind == Some(task::RESULT_TYPE) && self.is_declared_result(id, task::RESULT_TYPE)
            }
            None => false,
        }
    }

    /// Settles whether a call goes out as a task; ends it if its tool cannot be called the way that is wanted.
    pub(crate) fn decide_task(&mut self, now: Instant, id: u64, params: Option<Params<'_>>) -> bool {
        if self.settings.tasks.is_none() {
            return true;
        }
        match self.as_task(id, params) {
            Ok(augmented) => {
                let ttl = self.settings.tasks.as_ref().and_then(|tasks| tasks.ttl);
                self.calls.set_augmented(id, augmented, ttl);
                true
            }
            Err(error) => {
                self.complete(now, id, Err(error));
                false
            }
        }
    }

    /// What `execution.taskSupport` demands (2025-11-25 `basic/utilities/tasks`, "Tool-Level Negotiation").
    fn as_task(&self, id: u64, params: Option<Params<'_>>) -> Result<bool, Error> {
        let Some(call) = self.calls.get(id) else { return Ok(false) };
        let Some(tasks) = &self.settings.tasks else { return Ok(false) };
        if call.feature == Feature::Raw
            || call.method != method::TOOLS_CALL
            || self.form() != Some(Form::Core)
        {
            return Ok(false);
        }
        let unchecked = call.task == Some(true) && !self.settings.capability_checks;
        if !self.has_core_tasks() {
            return Ok(unchecked);
        }
        let tool = params.and_then(|params| json::member(params.text(), "name")).and_then(json::string);
        let tool = tool.unwrap_or_default();
        let refused = |what: &str| {
            Err(Error::new(Status::Unsupported, method::TOOLS_CALL, format!("tool '{tool}' {what}"))
                .with("tool", tool.as_ref()))
        };
        let augmented = match (self.catalog.support(&tool), call.task) {
            (Support::Required, Some(false)) => {
                return refused("is called as a task only (execution.taskSupport); nothing was sent");
            }
            (Support::Required, _) | (Support::Optional, Some(true)) => true,
            (Support::Forbidden, Some(true)) if !unchecked => {
                return refused("is not called as a task (execution.taskSupport); nothing was sent");
            }
            (Support::Forbidden, _) => unchecked,
            (Support::Optional, _) => false,
        };
        if augmented && self.tasks.len() >= tasks.limit {
            return Err(too_many(tasks.limit));
        }
        Ok(augmented)
    }

    /// A call was answered with a task. `result` is the result's text.
    ///
    /// # Errors
    /// What ends the call: the result is not a task.
    pub(crate) fn task_created(&mut self, now: Instant, id: u64, result: &str) -> Result<(), Error> {
        let (Some(form), Some(call)) = (self.form(), self.calls.get(id)) else { return Ok(()) };
        let told = form.created(result).unwrap_or(result);
        let method = call.method.clone();
        let task = Task::read(told).map_err(|why| {
            let what = format!("the server answered with a task that cannot be followed: {why}");
            Error::new(Status::Protocol, method.as_ref(), what)
        })?;
        self.calls.leave_exchange(id);
        let limit = self.settings.tasks.as_ref().map_or(0, |tasks| tasks.limit);
        if self.tasks.len() >= limit {
            self.cancel_task(form, &task.id);
            // The server has begun it, and may finish before the cancellation arrives.
            self.complete(now, id, Err(too_many(limit).retryable(false)));
            return Ok(());
        }
        self.follow(id, form, &task.id, true);
        self.task_state_received(now, id, told);
        Ok(())
    }

    /// A call watches a task that was begun before.
    pub(crate) fn watch_task(&mut self, now: Instant, id: u64, params: &str) {
        let name = json::member(params, "taskId").and_then(json::string).unwrap_or_default();
        let limit = self.settings.tasks.as_ref().map_or(0, |tasks| tasks.limit);
        let refused = match self.form() {
            None => {
                let what = "the revision spoken has no tasks";
                Error::new(Status::Unsupported, method::TASKS_RESULT, what)
            }
            Some(_) if self.tasks.len() >= limit => too_many(limit),
            Some(form) => {
                self.follow(id, form, &name, false);
                return self.poll_task(now, id);
            }
        };
        self.complete(now, id, Err(refused));
    }

    fn follow(&mut self, id: u64, form: Form, name: &str, owned: bool) {
        let Some(tasks) = &self.settings.tasks else { return };
        let Some(latest) = self.calls.become_task(id, tasks.life) else { return };
        let interval = tasks.poll.clamp(tasks.poll_min, tasks.poll_max);
        self.tasks.follow(id, form, name, owned, interval);
        self.counters.tasks += 1;
        self.guard_call(id, Some(latest));
        if form == Form::Extension {
            self.listen_to_tasks();
        }
    }
}

fn too_many(limit: usize) -> Error {
    let message = format!(
        "task limit reached: {limit} calls are tasks (limits.tasks); wait for one to end or raise the limit"
    );
    Error::new(Status::Backpressure, method::TOOLS_CALL, message).with("tasks", limit)
}

impl<T> Engine<T> {
    /// A call is cancelled: cancels the task that it created, or may yet create. Returns whether no `notifications/cancelled` is needed.
    pub(crate) fn withdraw_task(&mut self, id: u64) -> bool {
        if self.tasks.holds(id) {
            if let Some((form, name)) = self.tasks.made_by(id) {
                self.cancel_task(form, &name);
            }
            return true;
        }
        let augmented = self.calls.get(id).is_some_and(|call| call.augmented && call.exchange.is_some());
        if augmented {
            // It must not be cancelled like another request, and as a task it has no name yet.
            self.orphan(id);
        }
        augmented
    }

    /// A call ends whose answer may yet be a task: then that is cancelled when it comes.
    pub(crate) fn orphan(&mut self, id: u64) {
        let Some(call) = self.calls.get(id) else { return };
        let may_come = call.augmented
            || self.settings.wire == Wire::Stream
                && self.settings.tasks.is_some()
                && self.revision().and_then(Form::at) == Some(Form::Extension)
                && call.method == method::TOOLS_CALL
                && call.feature != Feature::Raw
                && call.task != Some(false);
        let Some(exchange) = call.exchange.filter(|_| may_come && !call.logs_in) else { return };
        self.calls.leave_exchange(id);
        self.exchanges.turn_into(exchange, Exchange::Orphan);
        self.set_aside(exchange);
    }

    /// The answer to a call came that had ended.
    pub(crate) fn orphan_answered(&mut self, exchange: u64, result: Option<&str>) {
        self.tasks.aside_answered(exchange);
        self.unmatched(self.exchanges.unmatched(exchange));
        let Some(form) = self.form() else { return };
        let task = result.and_then(|result| form.created(result)).and_then(|task| Task::read(task).ok());
        if let Some(task) = task {
            self.cancel_task(form, &task.id);
        }
    }

    /// The answer to a request about a task cannot be taken: its call ends, and the task is not followed any more.
    pub(crate) fn task_unusable(&mut self, now: Instant, id: u64, step: TaskRequest, error: &Error) {
        // It was answered, if badly: nothing of it is left to be ended.
        self.tasks.forget(id, step);
        self.withdraw_task(id);
        self.end_call(now, id, error);
    }

    /// Sends `tasks/cancel`, now or on the next connection.
    pub(crate) fn cancel_task(&mut self, form: Form, name: &str) {
        let mut unwanted = UnwantedTask { form, name: name.into(), exchange: None };
        if self.state == State::Ready {
            if form == Form::Core && !self.server_has("/tasks/cancel") {
                return;
            }
            let exchange = self.ask_of_task(Exchange::TaskCancel, method::TASKS_CANCEL, name, "");
            unwanted.exchange = Some(exchange);
            self.set_aside(exchange);
        }
        self.tasks.cancel(unwanted);
    }

    /// The server answered `tasks/cancel`; `refused` is its error message.
    pub(crate) fn task_cancel_answered(&mut self, exchange: u64, refused: Option<&str>) {
        self.tasks.aside_answered(exchange);
        if let Some(why) = refused {
            // Most likely it was over already.
            self.log(Level::Info, "task.cancel_refused", || fields([("why", why.into())]));
        }
    }

    /// Remembers an exchange that no call waits for; of too many the oldest is ended.
    fn set_aside(&mut self, exchange: u64) {
        if let Some(oldest) = self.tasks.set_aside(exchange) {
            self.end_exchange(oldest);
        }
    }

    /// A call has ended, and what was asked for its task is not wanted any more. Gives the task's name.
    pub(crate) fn end_task(&mut self, id: u64) -> Option<Box<str>> {
        let task = self.tasks.release(id)?;
        if let Some(exchange) = task.awaiting.filter(|_| !task.owned && self.state == State::Ready) {
            self.send(write::cancelled(exchange, "no longer needed"));
        }
        for exchange in task.exchanges {
            self.end_exchange(exchange);
        }
        for key in task.requests {
            self.requests.withdraw(key, self.settings.server_requests);
        }
        Some(task.name)
    }
}
