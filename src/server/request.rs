//! A request of a client, for an application in Rust: its answer, and what a handler may say meanwhile.

use super::{Answer, Severity};
use crate::config::define::{Definition as _, settings};
use crate::config::fields::Fields;
use crate::config::fields::parse_object;
use crate::config::kinds::{Count, Millis, Optional, Text};
use crate::engine::server::{Outcome, TaskOptions};
use crate::engine::{Error, Status};
use crate::json;
use crate::runtime::message::{Message, Serve};
use std::sync::Arc;
use std::time::Duration;

/// How deep the JSON of an answer may nest before its server looks at it.
const DEPTH: usize = 1000;

/// A request of a client. It may outlive its message. A message that is dropped without an answer is answered by the library,
/// unless it has asked its client something: then the request comes again, as another message, with the answer.
#[derive(Clone)]
pub struct Request {
    number: u64,
    by: Arc<dyn Serve>,
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Request {
    /// The request that a message carries; `None` for another message, or when its server is gone.
    pub fn of(message: &Message) -> Option<Request> {
        let (number, by) = message.request().filter(|_| message.is_of_this_process())?;
        Some(Request { number, by })
    }

    /// The number by which `notifications/cancelled` names it ([`Message::call`]).
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Answers with a result, a JSON object.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when the result is not what the method promises: the client gets an internal error then.
    /// `CANCELLED` when the request is over.
    pub fn respond(&self, result: &str) -> Result<(), Error> {
        checked(result, "result", Some(json::Kind::Object))?;
        self.by.respond(self.number, Outcome::Result(result))
    }

    /// Answers a call of a tool with a text, or with one that says why the tool failed.
    ///
    /// # Errors
    /// As [`Request::respond`].
    pub fn respond_text(&self, text: &str, failed: bool) -> Result<(), Error> {
        self.by.respond(self.number, if failed { Outcome::Failure(text) } else { Outcome::Text(text) })
    }

    /// Answers that what was asked for does not exist.
    ///
    /// # Errors
    /// As [`Request::respond`].
    pub fn respond_not_found(&self) -> Result<(), Error> {
        self.by.respond(self.number, Outcome::NotFound)
    }

    /// Answers with a JSON-RPC error; `data` is JSON text.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when the revision has no such error: the client gets an internal error then. `CANCELLED` when the
    /// request is over.
    pub fn respond_error(&self, code: i64, message: &str, data: Option<&str>) -> Result<(), Error> {
        if let Some(data) = data {
            checked(data, "data", None)?;
        }
        self.by.respond(self.number, Outcome::Error { code, message, data })
    }

    /// Reports progress. Whether it was sent or waits to be.
    pub fn progress(&self, value: f64, total: Option<f64>, message: Option<&str>) -> bool {
        self.by.progress(self.number, value, total, message)
    }

    /// Sends a log message that belongs to the request; `data` is JSON text. Whether it was sent.
    pub fn log(&self, severity: Severity, logger: Option<&str>, data: &str) -> bool {
        checked(data, "data", None).is_ok() && self.by.log(self.number, severity, logger, data)
    }

    /// Asks the client: `sampling/createMessage`, `elicitation/create` or `roots/list`. `None` says that the question goes out
    /// when the message of the request is dropped without an answer; the request then comes again, and the same call gives the
    /// answer. `key` names the question within the request.
    ///
    /// # Errors
    /// `UNSUPPORTED` when the client does not say that it can answer; `INVALID_ARGUMENT` for a question that may not be asked;
    /// `CANCELLED` when the request is over.
    pub fn ask(&self, key: &str, method: &str, params: &str) -> Result<Option<Answer>, Error> {
        checked(params, "params", Some(json::Kind::Object))?;
        self.by.ask(self.number, key, method, params)
    }

    /// What an earlier run kept.
    pub fn state(&self) -> Option<String> {
        self.by.state(self.number)
    }

    /// Keeps text for the run after a question. `false` if the request is over.
    pub fn set_state(&self, state: &str) -> bool {
        self.by.set_state(self.number, state)
    }

    /// Whether an answer is still wanted.
    pub fn is_under_way(&self) -> bool {
        self.by.is_under_way(self.number)
    }

    /// A number of the client that sent it: all requests of one principal have the same, else those of one address, else those of
    /// one session. `None` when it is over.
    pub fn holder(&self) -> Option<u64> {
        self.by.holder(self.number)
    }

    /// Who sent it, as JSON text; `None` when it is over.
    pub fn context(&self) -> Option<String> {
        self.by.context(self.number)
    }

    /// Whether the client that sent it has a capability (`sampling`, `elicitation.url`) or an extension; `false` when it is over.
    pub fn client_has(&self, name: &str) -> bool {
        self.by.client_has(self.number, name).unwrap_or(false)
    }

    /// Turns the call of a tool into a task, or says how its task is.
    ///
    /// # Errors
    /// `UNSUPPORTED` when it cannot become one; `BACKPRESSURE` when there are too many; `CANCELLED` when it is over.
    pub fn start_task(&self, poll: Option<Duration>, message: Option<&str>) -> Result<(), Error> {
        self.by.start_task(self.number, TaskOptions { poll, message, ..TaskOptions::default() })
    }
}

/// Refuses what is not valid JSON, or JSON of another kind; `what` is its name in the error.
pub(crate) fn checked(text: &str, what: &str, wanted: Option<json::Kind>) -> Result<(), Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, what, message);
    let value = json::scan_value(text.as_bytes(), DEPTH).map_err(|error| {
        invalid(format!("{what} is not valid JSON: {error}")).with("offset", error.offset)
    })?;
    match wanted {
        Some(wanted) if value.kind != wanted => {
            Err(invalid(format!("{what} is {} and must be {wanted}", value.kind)))
        }
        _ => Ok(()),
    }
}

settings! {
    /// What a handler wants of its task.
    TaskOptionKeys {
        /// how long the task is kept
        ttl_ms: Option<Duration> = Optional(Millis), None;
        /// how often the client should ask for it
        poll_interval_ms: Option<Duration> = Optional(Millis), None;
        /// what a person may read about it
        status_message: Option<String> = Optional(Text), None;
        /// with a store: how often its call may begin in all, each time in another process when the one before is gone
        attempts: u32 = Count(1, 100), 1;
    }
}

impl TaskOptionKeys {
    /// Reads the options; absent ones are the defaults.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong.
    pub(crate) fn parse(text: Option<&str>) -> Result<TaskOptionKeys, Error> {
        let object = parse_object(text.unwrap_or("{}"), "options_json")?;
        let mut fields = Fields::new("", &object);
        let wishes = TaskOptionKeys::read(&mut fields)?;
        fields.finish()?;
        Ok(wishes)
    }

    /// The same for the engine.
    pub(crate) fn options(&self) -> TaskOptions<'_> {
        TaskOptions {
            ttl: self.ttl_ms,
            poll: self.poll_interval_ms,
            message: self.status_message.as_deref(),
            attempts: self.attempts,
        }
    }
}
