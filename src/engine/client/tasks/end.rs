//! How a task ends for the application: its call has an outcome, or it is no longer wanted. A task is ended by `tasks/cancel`
//! and never by `notifications/cancelled`, also when its name is not known yet.

use super::super::effect::State;
use super::super::settings::Wire;
use super::super::status::Error;
use super::super::{Engine, Exchange, Feature, Level, fields};
use super::Step;
use super::followed::Unwanted;
use crate::protocol::task::{Form, Task};
use crate::protocol::{method, write};
use std::time::Instant;

impl<T> Engine<T> {
    /// A call is no longer wanted: ends the task that it made, or has yet to make. Says whether that is all there is to tell
    /// the server.
    pub(in super::super) fn withdraw_task(&mut self, id: u64) -> bool {
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
    pub(in super::super) fn orphan(&mut self, id: u64) {
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
    pub(in super::super) fn orphan_answered(&mut self, exchange: u64, result: Option<&str>) {
        self.tasks.aside_answered(exchange);
        self.unmatched(self.exchanges.unmatched(exchange));
        let Some(form) = self.form() else { return };
        let task = result.and_then(|result| form.created(result)).and_then(|task| Task::read(task).ok());
        if let Some(task) = task {
            self.cancel_task(form, &task.id);
        }
    }

    /// The answer to a request about a task cannot be taken: its call ends, and the task is not followed any more.
    pub(in super::super) fn task_unusable(&mut self, now: Instant, id: u64, step: Step, error: &Error) {
        // It was answered, if badly: nothing of it is left to be ended.
        self.tasks.forget(id, step);
        self.withdraw_task(id);
        self.end_call(now, id, error);
    }

    /// Tells the server that a task is no longer wanted, now or on the next connection.
    pub(super) fn cancel_task(&mut self, form: Form, name: &str) {
        let mut unwanted = Unwanted { form, name: name.into(), exchange: None };
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

    /// The server was told that a task is no longer wanted; `refused` is what it said against it.
    pub(in super::super) fn task_cancel_answered(&mut self, exchange: u64, refused: Option<&str>) {
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
    pub(in super::super) fn end_task(&mut self, id: u64) -> Option<Box<str>> {
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
