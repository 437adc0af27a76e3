//! A call: what the application asked for, which has exactly one outcome however many exchanges it takes.

use crate::engine::client::settings::Retry;
use crate::protocol::method::Method;
use crate::protocol::{Params, ParamsBuf};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// How much the library does for a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feature {
    /// Nothing: the method goes out as it is.
    #[default]
    Raw,
    /// It means the same on every revision, whatever the wire does.
    Plain,
    /// The same, and all pages of a list are collected.
    AllPages,
}

/// What an application may say of one call. `None` takes the client's setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallOptions {
    /// The time the call may take.
    pub timeout: Option<Duration>,
    /// The most it may take with everything it does.
    pub max_total: Option<Duration>,
    /// Whether progress starts its time again.
    pub reset_on_progress: Option<bool>,
    /// Whether the application wants progress messages.
    pub progress: bool,
    /// Members for the request's `_meta`, JSON text without braces; empty for none.
    pub meta: String,
    /// What a server of 2026-07-28 is told that the client can do, instead of the client's setting: an object, JSON text.
    pub capabilities: Option<Box<str>>,
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
pub(in crate::engine::client) struct Call<T> {
    pub(in crate::engine::client) ticket: T,
    pub(in crate::engine::client) tag: u64,
    pub(in crate::engine::client) method: Cow<'static, str>,
    /// Its row of the method table.
    pub(in crate::engine::client) row: Option<&'static Method>,
    pub(in crate::engine::client) started: Instant,
    pub(in crate::engine::client) timeout: Duration,
    pub(in crate::engine::client) deadline: Instant,
    pub(in crate::engine::client) latest: Instant,
    pub(in crate::engine::client) reset_on_progress: bool,
    pub(in crate::engine::client) progress: bool,
    /// The request on the wire, if it was sent on this connection.
    pub(in crate::engine::client) exchange: Option<u64>,
    /// Whether a byte of its request may have left, on this connection or an earlier one.
    pub(in crate::engine::client) sent: bool,
    /// Whether that is so of an exchange before the present one.
    pub(in crate::engine::client) sent_before: bool,
    /// What its server is told that the client can do, if that is not the client's setting.
    pub(in crate::engine::client) capabilities: Option<Box<str>>,
    /// Kept while it may have to be sent (again).
    pub(in crate::engine::client) stored: Option<Stored>,
    pub(in crate::engine::client) feature: Feature,
    /// Whether the application wants it to be a task.
    pub(in crate::engine::client) task: Option<bool>,
    pub(in crate::engine::client) task_ttl: Option<Duration>,
    /// Whether it goes out asking to become a task (core form).
    pub(in crate::engine::client) augmented: bool,
    /// Whether the application said how long it may take in all.
    pub(in crate::engine::client) total_given: bool,
    pub(in crate::engine::client) retry: Retry,
    pub(in crate::engine::client) waits: bool,
    pub(in crate::engine::client) retries: u32,
    /// How often its server asked for input.
    pub(in crate::engine::client) rounds: u32,
    /// Whether its request waits for a login: it was not sent yet.
    pub(in crate::engine::client) logs_in: bool,
    /// The time it had left when that was stopped for a login.
    pub(in crate::engine::client) left: Option<Duration>,
    /// Whether the tools were listed again for it, because its headers did not match what the server expects.
    pub(in crate::engine::client) listed_anew: bool,
    /// Whether it was sent again because the session had ended under it.
    pub(in crate::engine::client) renewed: bool,
    /// Whether it is a stateful tool's: one at a time, and never on another connection.
    pub(in crate::engine::client) stateful: bool,
    /// Whether it stands in the row of calls that wait for the connection.
    pub(in crate::engine::client) queued: bool,
    /// Whether its events are logged.
    pub(in crate::engine::client) sampled: bool,
}

impl<T> Call<T> {
    /// The memory of its request, if it is kept.
    pub(in crate::engine::client) fn kept_bytes(&self) -> usize {
        let capabilities = self.capabilities.as_ref().map_or(0, |capabilities| capabilities.len());
        self.stored.as_ref().map_or(0, |stored| stored.bytes() + capabilities)
    }
}

/// What is needed to write the request later.
#[derive(Debug)]
pub(in crate::engine::client) struct Stored {
    pub(in crate::engine::client) params: Option<ParamsBuf>,
    pub(in crate::engine::client) meta: Box<str>,
}

impl Stored {
    /// The memory it takes.
    fn bytes(&self) -> usize {
        self.params.as_ref().map_or(0, ParamsBuf::bytes) + self.meta.len()
    }

    /// The parameters.
    pub(in crate::engine::client) fn view(&self) -> Option<Params<'_>> {
        self.params.as_ref().map(ParamsBuf::view)
    }

    /// The parameters, JSON text.
    pub(in crate::engine::client) fn text(&self) -> Option<&str> {
        self.view().map(|params| params.text())
    }
}
