//! How tasks end: with a result, an error, a cancellation, at the end of their time or of their session; and what waits for them.

use super::context::{Context, Refusal};
use super::effect::{Now, SessionId, Withdrawn};
use super::results::{self, Modern};
use super::router::Server;
use super::task_text::related;
use super::task_waiters::Waiter;
use super::tasks::{End, TaskId};
use crate::json;
use crate::protocol::error_code;
use crate::protocol::task::{Form, with_related};

impl<H: Clone> Server<H> {
    /// The handler of a task has answered with a result.
    pub(super) fn task_result(&mut self, now: Now, task: &TaskId, context: &Context, result: &str) {
        let form = self.tasks.get(task.as_str()).map(|task| task.form);
        // S-T5-04, S-TX-04: a tool that failed fails its task in the core form, and completes it in the extension.
        let is_failure = form == Some(Form::Core) && json::member(result, "isError") == Some("true");
        let mut written = Vec::new();
        results::write(
            context,
            result,
            &Modern { result_type: "complete", info: None, caching: None, is_private: false },
            &mut written,
        );
        let end = End::Result(String::from_utf8_lossy(&written).into());
        self.end_task(now, task, end, is_failure);
    }

    /// The call that became a task has failed.
    pub(super) fn task_error(&mut self, now: Now, task: &TaskId, refusal: &Refusal) {
        self.end_task(now, task, End::Error(refusal.clone()), true);
    }

    fn end_task(&mut self, now: Now, task: &TaskId, end: End, is_failure: bool) {
        let (has_ended, evicted) = self.tasks.finish(now, task, end, is_failure);
        self.forget_paces(evicted);
        if has_ended {
            self.task_changed(now, task);
            for waiter in self.waiters.take(task) {
                self.give_end(&waiter, task);
            }
        }
    }

    /// Answers `tasks/result` of a task that is over (S-T5-05).
    pub(super) fn give_end(&mut self, waiter: &Waiter, task: &TaskId) {
        match self.tasks.get(task.as_str()).and_then(|task| task.end.clone()) {
            Some(End::Result(result)) => {
                let result = with_related(&result, &related(task));
                self.result(waiter.stream, &waiter.id, None, &result);
            }
            Some(End::Error(refusal)) => self.refuse(waiter.stream, Some(&waiter.id), &refusal),
            None => {
                let refusal = Refusal::new(error_code::INVALID_REQUEST, "the task was cancelled");
                self.refuse(waiter.stream, Some(&waiter.id), &refusal);
            }
        }
    }

    /// A task is no longer wanted. `false` if it was over.
    pub(super) fn cancel_task(&mut self, now: Now, task: &TaskId) -> bool {
        let (was_open, request) = self.tasks.cancel(now, task);
        if !was_open {
            return false;
        }
        if let Some(number) = request {
            self.counters.cancelled += 1;
            self.withdraw(number, Withdrawn::Cancelled);
        }
        self.task_changed(now, task);
        for waiter in self.waiters.take(task) {
            self.give_end(&waiter, task);
        }
        true
    }

    /// Tasks whose time is over are forgotten; those that wait for them learn it (S-T5-09, S-TX-10).
    pub(super) fn end_expired_tasks(&mut self, now: Now) {
        while let Some((task, request)) = self.tasks.expired(now.at) {
            self.pace.forget(&task);
            if let Some(number) = request {
                self.counters.overdue += 1;
                self.withdraw(number, Withdrawn::Deadline);
            }
            for waiter in self.waiters.take(&task) {
                let refusal = Refusal::params("the task has expired");
                self.refuse(waiter.stream, Some(&waiter.id), &refusal);
            }
        }
    }

    /// A session has ended: what only its client could ask for is forgotten.
    pub(super) fn end_session_tasks(&mut self, session: SessionId) {
        self.waiters.end_session(session);
        for (task, request) in self.tasks.end_session(session) {
            self.pace.forget(&task);
            if let Some(number) = request {
                self.withdraw(number, Withdrawn::SessionEnded);
            }
        }
    }

    /// The server closes: what waits for tasks is refused.
    pub(super) fn refuse_waiters(&mut self, why: &str) {
        for waiter in self.waiters.end_all() {
            self.refuse(waiter.stream, Some(&waiter.id), &Refusal::new(error_code::INTERNAL_ERROR, why));
        }
    }
}
