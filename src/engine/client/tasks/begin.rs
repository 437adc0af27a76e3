//! How a call becomes a task: it asks for it where its tool wants that (core form), or its server decides (extension); or it
//! watches a task that was begun before.

use super::super::status::{Error, Status};
use super::super::{Engine, Feature};
use crate::json;
use crate::protocol::task::{self, Form, Support, Task};
use crate::protocol::{Params, method};
use std::time::Instant;

impl<T> Engine<T> {
    /// Whether the answer to a call says that it has become a task, which is then followed. `result` is asked for only where
    /// it matters: it may be very long.
    pub(in super::super) fn is_task<'f>(
        &self,
        id: u64,
        result: impl FnOnce() -> &'f str,
        kind: Option<&str>,
    ) -> bool {
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
    pub(in super::super) fn may_go_out(&mut self, now: Instant, id: u64, params: Option<Params<'_>>) -> bool {
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
    /// What ends the call: what came is no task.
    pub(in super::super) fn task_created(
        &mut self,
        now: Instant,
        id: u64,
        result: &str,
    ) -> Result<(), Error> {
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
            // The server has begun it, and may be done before it is told to stop.
            self.complete(now, id, Err(too_many(limit).retryable(false)));
            return Ok(());
        }
        self.follow(id, form, &task.id, true);
        self.task_told(now, id, told);
        Ok(())
    }

    /// A call watches a task that was begun before.
    pub(in super::super) fn watch_task(&mut self, now: Instant, id: u64, params: &str) {
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
    let message =
        format!("{limit} calls are tasks already (limits.tasks); wait for some to end, or raise the bound");
    Error::new(Status::Backpressure, method::TOOLS_CALL, message).with("tasks", limit)
}
