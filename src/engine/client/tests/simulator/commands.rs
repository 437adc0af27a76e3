//! What the application does beside calls, and which calls are refused at once.

use super::model::{Cause, Expected, Model};
use super::schedule::World;
use crate::engine::{CallOptions, Feature, State, Status};
use std::time::Duration;

impl World {
    pub fn notify(&mut self) {
        let refusal = match self.model.state {
            State::Ready => None,
            State::Closing | State::Closed => Some(Status::Closed),
            _ => Some(Status::Unavailable),
        };
        if refusal.is_none() {
            self.model.step.expected.push(Expected::Notify);
        }
        self.note(|| "notify".to_owned());
        self.tell(Cause::Command, |engine, now| {
            let outcome = engine.notify(now, "notifications/roots/list_changed", None);
            assert_eq!(outcome.err().map(|error| error.status), refusal);
        });
    }

    pub fn connect(&mut self) {
        self.tickets += 1;
        let ticket = self.tickets;
        let limit = self.dice.chance(60).then(|| self.dice.millis(0, 2000));
        self.note(|| format!("connect within {limit:?}"));
        let is_answered = matches!(self.model.state, State::Ready | State::Closing | State::Closed);
        self.model.connects.insert(ticket, limit.filter(|_| !is_answered).map(|limit| self.now + limit));
        self.tell(Cause::Command, |engine, now| engine.connect(now, limit, ticket));
        assert_eq!(self.model.connects.contains_key(&ticket), !is_answered);
    }

    /// Now and then the application watches a task that was begun before, instead of the call that it was about to make.
    pub fn or_watches(
        &mut self,
        name: &'static str,
        params: String,
        options: &mut CallOptions,
    ) -> (&'static str, String) {
        if !self.keen || self.dice.chance(88) {
            return (name, params);
        }
        options.feature = Feature::Plain;
        (options.task, options.task_ttl) = (None, None);
        options.timeout = options.timeout.map(|timeout| timeout.max(Duration::from_millis(1)));
        self.serial += 1;
        ("tasks/result", format!(r#"{{"taskId":"w-{}","t":{}}}"#, self.serial, self.tickets))
    }
}

impl Model {
    /// How a call is refused that is made now.
    pub fn refusal(&self, name: &str, options: &CallOptions) -> Option<Status> {
        let settings = &self.settings;
        let waits = options.wait_when_unavailable.unwrap_or(settings.wait_when_unavailable);
        let wants_task = options.task == Some(true);
        let watches = name == "tasks/result";
        match self.state {
            State::Closing | State::Closed => Some(Status::Closed),
            State::Backoff if !waits => Some(Status::Unavailable),
            _ if self.calls.len() >= settings.in_flight => Some(Status::Backpressure),
            _ if (wants_task || watches) && settings.tasks.is_none() => Some(Status::Unsupported),
            State::Ready if wants_task && !self.tasks.offered => Some(Status::Unsupported),
            State::Ready if watches && !self.tasks.declared => Some(Status::Unsupported),
            _ => None,
        }
    }
}
