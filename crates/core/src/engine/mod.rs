//! The state machines of a connection, sans-I/O, and what those of both sides need.
//!
//! Ids by number (`ById`), random numbers (`Random`), durations and excerpts for error texts are in this file.
//!
//! The files:
//!
//! * `client`: the engine of a client
//! * `server`: the engine of a server
//! * `status`: `Status`, the outcomes with their numbers, and `Error`
//! * `seal`: `KeyRing`: seals and opens text with a key (server). What is sealed and what it is bound to is decided by
//!   `server/client_requests/state.rs`
//! * `counters`: what a client counted, `Latencies`: how long calls took; the levels of log records
//! * `telemetry`: spans and durations of requests, for OpenTelemetry
//! * `hashing`: a quick hash for numbers that only this process gives out

mod client;
mod counters;
mod hashing;
#[cfg(feature = "server")]
pub mod seal;
#[cfg(feature = "server")]
pub mod server;
mod status;
pub mod telemetry;

pub use client::{
    CallOptions, CallRequest, Effect, Engine, Event, ExchangeFailure, FailureKind, Feature, ListLimits,
    LogRecord, LoginWait, Reconnect, Reply, RequestAnswer, RequestedInput, ResultBody, Retry, RpcError,
    SessionFacts, Settings, Shape, State, TaskSettings, Timeouts, ToolFilter, ToolModes, Wire, matches_name,
};
pub use counters::{Counters, Level};
pub use status::{Error, Status};

use hashing::ById;
use serde_json::{Map, Value};

/// A map of fields for a log record or an error. Collecting them would bring a sort for each kind of iterator, 6 KiB each.
pub fn fields<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.extend(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)));
    fields
}

/// Whole milliseconds, as they stand in messages.
fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Random numbers from a seed alone, so that a simulator can repeat a schedule (`SplitMix64`). Nothing secret may depend on them.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number of 64 bits.
    #[inline]
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in 0..1.
    pub(crate) fn share(&mut self) -> f64 {
        // 32 bits convert to f64 exactly.
        f64::from(u32::try_from(self.draw() >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
    }
}

/// The start of a text, for an error.
fn excerpt(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
