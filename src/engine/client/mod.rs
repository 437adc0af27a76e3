//! One connection's state machine, sans-I/O.
//!
//! Commands, frames, transport events and timer ticks go in, each with the time it happened at; effects come out of
//! [`Engine::effect`]. The engine owns ids, calls under way, deadlines, the handshake of either era, reconnection, and
//! the rule that every call ends exactly once. It must not know sockets, threads or the clock, so that a simulator can
//! drive it through any schedule. `docs/lifecycle.md` tells the states and transitions.

mod awaited;
mod broken;
mod call_outcomes;
mod calling;
mod calls;
mod connecting;
mod connection;
mod effect;
mod elicited_urls;
mod eras;
mod exchanges;
mod features;
mod handshake;
mod incoming;
mod input_required;
mod input_rounds;
mod listen;
mod lists;
mod logins;
mod outcomes;
mod promised;
mod requests;
mod restore;
mod sent;
mod settings;
mod start;
mod stateful_tools;
mod tasks;
mod timers;
mod tool_catalog;
mod tools;
mod turn_queue;
mod url_elicitation;
mod verdicts;

#[cfg(test)]
mod tests;

pub use calls::{CallOptions, CallRequest, Feature};
pub use effect::{Body, Effect, Event, Record, Reply, Shape, State};
pub use exchanges::{Failure, FailureKind, LoginWait, Spoken};
pub use lists::ListLimits;
pub use requests::Answer;
pub use settings::{Reconnect, Retry, Settings, Timeouts, ToolModes, Wire};
pub use stateful_tools::SessionFacts;
pub use tasks::TaskSettings;

use super::telemetry::Latencies;
use super::{ById, Counters, Error, Level, counters, deadlines, fields, millis, status};
use crate::protocol::handshake::ServerFacts;
use crate::protocol::{Era, Revision};
use calls::Calls;
use deadlines::Deadlines;
use elicited_urls::ElicitedUrls;
use exchanges::{Exchange, Exchanges};
use handshake::Handshake;
use input_rounds::InputRounds;
use listen::Listens;
use lists::Pages;
use requests::Requests;
use restore::Restore;
use serde_json::{Map, Value};
use start::Start;
use stateful_tools::Modes;
use std::collections::VecDeque;
use std::time::Instant;
use tasks::Tasks;
use tool_catalog::ToolCatalog;

/// One who waits for the connection.
#[derive(Debug)]
struct Connect<T> {
    key: u64,
    ticket: T,
    timeout_ms: u64,
}

/// The state machine of one connection. `T` is what the floor above needs to find the one who waits for an outcome.
#[derive(Debug)]
pub struct Engine<T> {
    settings: Settings,
    state: State,
    /// Names the current (or last) connection.
    generation: u64,
    /// What is known of the server's era: from one connection to the next, until a handshake fails.
    era: Option<Era>,
    revision: Option<Revision>,
    facts: ServerFacts,
    /// The `_meta` members that every request of this connection carries.
    members: String,
    /// The same for a call that must not become a task.
    members_without_tasks: String,
    next_connect: u64,
    calls: Calls<T>,
    exchanges: Exchanges,
    connects: Vec<Connect<T>>,
    requests: Requests,
    /// Calls whose servers wait for input.
    rounds: InputRounds,
    /// Calls whose servers want pages visited first.
    urls: ElicitedUrls,
    /// Lists whose pages are being collected.
    pages: ById<Pages>,
    tasks: Tasks,
    handshake: Option<Handshake>,
    /// The probe whose time was over before its answer came, while `initialize` waits.
    late_probe: Option<u64>,
    /// The start of the process at the other end.
    start: Start,
    restore: Restore,
    listens: Listens,
    catalog: ToolCatalog,
    modes: Modes,
    deadlines: Deadlines,
    effects: VecDeque<Effect<T>>,
    counters: Counters,
    latencies: Latencies,
    verbosity: u8,
    random: u64,
    /// Attempts in a row that did not lead to a stable connection.
    attempts: u32,
    next_attempt: Option<Instant>,
    /// Why the last connection or attempt ended.
    failure: Option<Error>,
    scratch: String,
    garbage_reported: bool,
    /// The first line of this connection that was no message: it often says why there will be none.
    garbage: Option<String>,
    /// Which HTTP transport this connection uses.
    shape: Shape,
    /// The era is what another client found out about the server.
    assumed: bool,
    /// Why the probe was refused, while that is judged.
    refused_probe: Option<Error>,
    /// Why `initialize` was refused before HTTP+SSE was tried.
    refused_initialize: Option<String>,
}

impl<T> Engine<T> {
    /// An engine at rest: nothing happens until the first call or [`Engine::connect`].
    pub fn new(settings: Settings) -> Engine<T> {
        let uses_tools = settings.wire == Wire::Http || settings.tasks.is_some();
        let catalog = ToolCatalog::new(settings.tool_modes.is_some(), uses_tools);
        let random = settings.seed ^ 0x9e37_79b9_7f4a_7c15;
        Engine {
            settings,
            state: State::Idle,
            generation: 0,
            era: None,
            revision: None,
            facts: ServerFacts::default(),
            members: String::new(),
            members_without_tasks: String::new(),
            next_connect: 1,
            calls: Calls::default(),
            exchanges: Exchanges::default(),
            connects: Vec::new(),
            requests: Requests::default(),
            rounds: InputRounds::default(),
            urls: ElicitedUrls::default(),
            pages: ById::default(),
            tasks: Tasks::default(),
            handshake: None,
            late_probe: None,
            start: Start::default(),
            restore: Restore::default(),
            listens: Listens::default(),
            catalog,
            modes: Modes::default(),
            deadlines: Deadlines::default(),
            effects: VecDeque::new(),
            counters: Counters::default(),
            latencies: Latencies::default(),
            verbosity: 0,
            random,
            attempts: 0,
            next_attempt: None,
            failure: None,
            scratch: String::new(),
            garbage_reported: false,
            garbage: None,
            shape: Shape::Streamable,
            assumed: false,
            refused_probe: None,
            refused_initialize: None,
        }
    }

    /// The next thing to do, in order. The caller takes them all after every command or event.
    pub fn effect(&mut self) -> Option<Effect<T>> {
        self.effects.pop_front()
    }

    /// The state.
    pub fn state(&self) -> State {
        self.state
    }

    /// The revision agreed on, once there was a handshake.
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// The server's era, once known.
    pub fn era(&self) -> Option<Era> {
        self.era
    }

    /// What the server said of itself in the last handshake.
    pub fn facts(&self) -> &ServerFacts {
        &self.facts
    }

    /// What was counted so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How long calls took, per method.
    pub fn latencies(&self) -> Map<String, Value> {
        self.latencies.to_map()
    }

    /// Whether the events of the next call are logged: all of them or none.
    fn draw_sample(&mut self) -> bool {
        self.settings.sample_rate >= 1.0 || self.random_share() < self.settings.sample_rate
    }

    /// Names the current (or last) connection.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Calls that have no outcome yet.
    pub fn pending(&self) -> usize {
        self.calls.len()
    }

    /// When a call's time is over, as things stand; `None` once it has ended.
    pub fn deadline_of(&self, call: u64) -> Option<Instant> {
        self.calls.get(call).map(|call| call.deadline)
    }

    /// The bytes of the requests that wait for the connection.
    pub fn waiting_bytes(&self) -> usize {
        self.calls.waiting_bytes()
    }

    /// Why the last connection or attempt ended, while there is no newer one.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// When the next attempt to connect is made, in backoff.
    pub fn next_attempt(&self) -> Option<Instant> {
        self.next_attempt
    }

    /// Sets which log records are made: those up to this level, 0 for none.
    pub fn set_verbosity(&mut self, level: u8) {
        self.verbosity = level;
    }

    fn log(&mut self, level: Level, event: &'static str, fields: impl FnOnce() -> Map<String, Value>) {
        if level as u8 <= self.verbosity {
            self.effects.push_back(Effect::Log(Record { level, event, fields: fields() }));
        }
    }

    fn enter(&mut self, to: State, reason: impl Into<String>) {
        let from = self.state;
        if from == to {
            return;
        }
        self.state = to;
        let reason = reason.into();
        let generation = self.generation;
        self.log(Level::Info, "connection.transition", || {
            fields([
                ("from", from.as_str().into()),
                ("to", to.as_str().into()),
                ("reason", reason.as_str().into()),
                ("generation", generation.into()),
            ])
        });
        let next_attempt = self.next_attempt;
        self.effects.push_back(Effect::Emit(Event::State { from, to, reason, next_attempt }));
    }

    /// A number in 0..1, from the seed alone (splitmix64).
    fn random_share(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // 32 bits convert to f64 exactly.
        f64::from(u32::try_from(mixed >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
    }
}
