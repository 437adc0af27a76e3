//! The state machines of a connection, sans-I/O, and what those of both sides need.
//!
//! Ids by number (`ById`), durations and excerpts for error texts are in this file.
//!
//! The files:
//!
//! * `client`: the engine of a client
//! * `server`: the engine of a server
//! * `status`: `Status`, the outcomes with their numbers, and `Error`
//! * `deadlines`: `Deadlines`: timers, soonest first (client)
//! * `seal`: `KeyRing`: seals and opens text with a key (server). What is sealed and what it is bound to is decided by
//!   `server/request_state.rs`
//! * `counters`: what a client counted, and the levels of log records
//! * `telemetry`: `Latencies`: how long calls took
//! * `hashing`: a quick hash for numbers that only this process gives out
//! * `random`: random numbers from a seed

mod client;
mod counters;
mod deadlines;
#[cfg(test)]
pub(crate) mod dice;
mod hashing;
mod random;
#[cfg(feature = "server")]
pub mod seal;
#[cfg(feature = "server")]
pub mod server;
mod status;
mod telemetry;

pub use client::{
    Answer, Asked, Body, CallOptions, CallRequest, Effect, Engine, Event, Failure, FailureKind, Feature,
    ListLimits, LoginWait, Reconnect, Record, Reply, Retry, SessionFacts, Settings, Shape, Spoken, State,
    TaskSettings, Timeouts, ToolModes, Wire,
};
pub use counters::{Counters, Level};
pub use status::{Error, Status};

use hashing::ById;
use random::Random;
use serde_json::{Map, Value};

/// A map of fields for a log record or an error. Collecting them would bring a sort for each kind of iterator, 6 KiB each.
pub(crate) fn fields<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.extend(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)));
    fields
}

/// Whole milliseconds, as they stand in messages.
fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The start of a text, for an error.
fn excerpt(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
