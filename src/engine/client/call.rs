//! A call: what the application asked for, which has exactly one outcome however many exchanges it takes.

use super::features::Feature;
use super::settings::Retry;
use crate::protocol::Params;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// What an application may say of one call. `None` takes the client's setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallOptions {
    /// The time the call may take.
    pub timeout: Option<Duration>,
    /// The most it may take with everything it does.
    pub max_total: Option<Duration>,
    /// Whether progress starts its time anew.
    pub reset_on_progress: Option<bool>,
    /// Whether the application wants progress messages.
    pub progress: bool,
    /// Members for the request's `_meta`, JSON text without braces; empty for none.
    pub meta: String,
    /// What becomes of it when the connection is lost.
    pub retry: Option<Retry>,
    /// Whether it waits for a connection while there is none.
    pub wait_when_unavailable: Option<bool>,
    /// How much the library does for it.
    pub feature: Feature,
    /// Whether the call of a tool is to be a task; `None` as the tool says.
    pub task: Option<bool>,
    /// How long the server is asked to keep the task.
    pub task_ttl: Option<Duration>,
}

/// A call to make.
#[derive(Clone, Debug)]
pub struct CallRequest<'a, T> {
    /// The method.
    pub method: &'a str,
    /// The parameters.
    pub params: Option<Params<'a>>,
    /// What the application said of this call.
    pub options: &'a CallOptions,
    /// Comes back with the outcome.
    pub ticket: T,
    /// The application's own number, repeated in progress messages.
    pub tag: u64,
}

/// A call under way.
#[derive(Debug)]
pub(super) struct Call<T> {
    pub(super) ticket: T,
    pub(super) tag: u64,
    pub(super) method: Cow<'static, str>,
    pub(super) started: Instant,
    pub(super) timeout: Duration,
    pub(super) deadline: Instant,
    pub(super) latest: Instant,
    pub(super) reset_on_progress: bool,
    pub(super) progress: bool,
    /// The request on the wire, if it was sent on this connection.
    pub(super) exchange: Option<u64>,
    /// Whether a byte of its request may have left, on this connection or an earlier one.
    pub(super) sent: bool,
    /// Whether that is so of an exchange before the present one.
    pub(super) sent_before: bool,
    /// Kept while it may have to be sent (again).
    pub(super) stored: Option<Stored>,
    pub(super) feature: Feature,
    /// Whether the application wants it to be a task.
    pub(super) task: Option<bool>,
    pub(super) task_ttl: Option<Duration>,
    /// Whether it goes out asking to become a task (core form).
    pub(super) augmented: bool,
    /// Whether the application said how long it may take in all.
    pub(super) total_given: bool,
    pub(super) retry: Retry,
    pub(super) waits: bool,
    pub(super) retries: u32,
    /// How often its server asked for input.
    pub(super) rounds: u32,
    /// Whether its request waits for somebody who logs in: it was not sent yet.
    pub(super) logs_in: bool,
    /// The time it had left when that was stopped for a login.
    pub(super) left: Option<Duration>,
    /// Whether the tools were listed again for it, because its headers did not match what the server expects.
    pub(super) listed_anew: bool,
    /// Whether it was sent again because the session had ended under it.
    pub(super) renewed: bool,
    /// Whether it is a stateful tool's: one at a time, and never on another connection.
    pub(super) stateful: bool,
    /// Whether it stands in the row of calls that wait for the connection.
    pub(super) queued: bool,
    /// Whether its events are logged.
    pub(super) sampled: bool,
}

/// What is needed to write the request later.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) params: Option<Box<str>>,
    pub(super) meta: Box<str>,
}

impl Stored {
    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.params.as_ref().map_or(0, |params| params.len()) + self.meta.len()
    }
}
