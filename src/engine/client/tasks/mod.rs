//! Calls that become tasks (2025-11-25 `basic/utilities/tasks`; the extension `io.modelcontextprotocol/tasks`): the server
//! answers the call of a tool with the name of a task, and the library follows that until it has the call's outcome. To the
//! application it is one call; what the server says of the task in between comes as a message about that call.
//!
//! A task outlives the connection: on the next one it is asked for again.
//!
//! This file routes what is common: whether a call may be a task, requests about tasks, tasks on a new connection.
//!
//! The files:
//!
//! * `followed`: part: `Tasks`, what is known of each task and asked about it
//! * `begin`: routes: which calls become tasks
//! * `poll`: routes: asks how tasks are, and takes what they come to
//! * `inputs`: routes: brings what their servers want to know
//! * `end`: routes: releases and cancels them

mod begin;
mod end;
mod followed;
mod inputs;
mod poll;

pub(super) use super::exchanges::Step;
use super::status::{Error, Status};
use super::{CallOptions, Engine, Exchange, Feature};
use crate::json;
use crate::protocol::task::{self, Form};
use crate::protocol::{Params, ParamsBuf, Revision, capability, feature, method, write};
#[cfg(test)]
pub(super) use followed::ASIDE;
pub(super) use followed::Tasks;
use std::time::{Duration, Instant};

/// What the server must have declared for a call to be a task, and in words.
pub(super) fn needed(revision: Revision) -> (&'static str, &'static str) {
    (Form::at(revision).unwrap_or(Form::Core).capability(), "calls of tools as tasks")
}

/// The parameters of a call that is to become a task (core form).
pub(super) fn augmented(params: Option<Params<'_>>, ttl: Option<Duration>) -> ParamsBuf {
    let task = ttl.map_or_else(|| "{}".to_owned(), |ttl| format!("{{\"ttl\":{}}}", super::millis(ttl)));
    ParamsBuf::spliced(method::TOOLS_CALL, params, &[("task", &task)])
}

impl<T> Engine<T> {
    /// The error of what needs tasks, of a client that has them off.
    pub(super) fn tasks_are_off(&self, called: &str, options: &CallOptions) -> Option<Error> {
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
        feature::has(self.handshake.capabilities(), pointer)
    }

    /// Whether calls of tools may go out as tasks here, which the tools decide.
    pub(super) fn has_core_tasks(&self) -> bool {
        self.settings.tasks.is_some()
            && self.form() == Some(Form::Core)
            && self.server_has(Form::Core.capability())
    }

    /// Whether a call is kept because its tool must be looked up first.
    pub(super) fn lists_for_tasks(&self, method: &str) -> bool {
        self.settings.tasks.is_some() && method == method::TOOLS_CALL
    }

    /// Whether results of this kind are handed on: they belong to an extension that the application declared.
    pub(super) fn is_declared_result(&self, id: u64, kind: &str) -> bool {
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
    pub(super) fn resume_tasks(&mut self, now: Instant) {
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
