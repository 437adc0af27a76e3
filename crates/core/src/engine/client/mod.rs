//! One connection's state machine, sans-I/O.
//!
//! Commands, frames, transport events and timer ticks go in, each with the time it happened at; effects come out of
//! [`Engine::effect`]. The engine is a router over parts that own their state (`docs/design/architecture.md`), and keeps the rule
//! that every call ends exactly once. It must not know sockets, threads or the clock, so that a simulator can drive it
//! through any schedule. `docs/reference/lifecycle.md` tells the states and transitions.
//!
//! The files. What each part owns is in the comment of its type:
//!
//! * `connection`: the handshake, reconnection, what a new connection is told again
//! * `calls`: a call from its request to its outcome; timers
//! * `lists`: what a result must be; lists that come in pages
//! * `tools`: the catalog of tools, stateful tools, the tools that are used
//! * `tasks`: calls that become tasks
//! * `subscriptions`: streams of change notifications
//! * `input`: calls whose servers need input first
//! * `server_requests`: the server's requests, and the answers to them
//! * `deadlines`: part: `Deadlines`: timers, soonest first
//! * `traced`: calls that are recorded for OpenTelemetry
//! * `traced_call`: `TracedCall`, `TracedConnection`: what is recorded of one, and of a connection
//! * `draft`: what is done for texts of the next revision, where the settings name them. Part: `KnownDigests`
//! * `exchanges`: part: `Exchanges`
//! * `frames`: routes: frames from the server; the kind of an exchange meets its outcome (`Engine::exchange_ended`)
//! * `effect`: `Effect`, `Event`, `State`: everything that leaves the engine
//! * `settings`: `Settings`: bounds, times, policies and their defaults

mod calls;
mod connection;
mod deadlines;
#[cfg(feature = "draft")]
mod draft;
mod effect;
mod exchanges;
mod frames;
mod input;
mod lists;
mod server_requests;
mod settings;
mod subscriptions;
mod tasks;
#[cfg(test)]
mod tests;
mod tools;
mod traced;
mod traced_call;

pub use calls::{CallOptions, CallRequest, Feature};
pub use effect::{Effect, Event, LogRecord, Reply, RequestedInput, ResultBody, Shape, State};
pub use exchanges::{ExchangeFailure, FailureKind, LoginWait, RpcError};
pub use server_requests::pending::RequestAnswer;
pub use settings::{ListLimits, Reconnect, Retry, Settings, TaskSettings, Timeouts, ToolModes, Wire};
pub use tools::SessionFacts;
pub use tools::filter::{ToolFilter, matches_name};

use crate::engine::Random;
use crate::engine::counters::Latencies;
use crate::engine::telemetry::Tracer;
use crate::engine::{Counters, Error, Level, fields};
use calls::{Calls, HeldBack};
use connection::handshake::Handshake;
use connection::reconnection::{ConnectionWaiters, Reconnection, RestoredState, StrayOutput};
use deadlines::Deadlines;
use exchanges::Exchanges;
use input::rounds::{ElicitedUrls, InputRounds};
use lists::pages::ListPages;
use serde_json::{Map, Value};
use server_requests::pending::ServerRequests;
use std::collections::VecDeque;
use std::time::Instant;
use subscriptions::streams::SubscriptionStreams;
use tasks::followed::FollowedTasks;
use tools::catalog::{ToolCatalog, TurnQueue};
use traced_call::TracedConnection;

/// The state machine of one connection. `T` is what the layer above needs to find the one who waits for an outcome.
#[derive(Debug)]
pub struct Engine<T> {
    settings: Settings,
    state: State,
    /// Names the current (or last) connection.
    generation: u64,
    calls: Calls<T>,
    exchanges: Exchanges,
    waiters: ConnectionWaiters<T>,
    reconnection: Reconnection,
    requests: ServerRequests,
    /// Calls whose servers wait for input.
    rounds: InputRounds,
    /// Calls whose servers want pages visited first.
    urls: ElicitedUrls,
    /// Lists whose pages are being collected.
    pages: ListPages,
    tasks: FollowedTasks,
    handshake: Handshake,
    restore: RestoredState,
    streams: SubscriptionStreams,
    catalog: ToolCatalog,
    /// Calls of stateful tools.
    turns: TurnQueue,
    /// Digests of definitions that the application was shown.
    #[cfg(feature = "draft")]
    digests: draft::KnownDigests,
    /// Calls that the server has no place for.
    held_back: HeldBack,
    deadlines: Deadlines,
    effects: VecDeque<Effect<T>>,
    counters: Counters,
    latencies: Latencies,
    verbosity: u8,
    scratch: String,
    stray_output: StrayOutput,
    /// What records calls for OpenTelemetry, where that is on.
    tracer: Option<Tracer>,
    traced: TracedConnection,
    /// The last connection on which something was taken that is not written as it should be.
    tolerated_on: u64,
}

impl<T> Engine<T> {
    /// An engine at rest: nothing happens until the first call or [`Engine::connect`].
    pub fn new(settings: Settings) -> Engine<T> {
        let uses_tools = settings.wire == Wire::Http || settings.tasks.is_some();
        let catalog = ToolCatalog::new(settings.tool_modes.is_some(), uses_tools);
        let random = Random::new(settings.seed);
        let tracer = settings.telemetry.map(Tracer::new);
        Engine {
            settings,
            state: State::Idle,
            generation: 0,
            calls: Calls::default(),
            exchanges: Exchanges::default(),
            waiters: ConnectionWaiters::default(),
            reconnection: Reconnection::new(random),
            requests: ServerRequests::default(),
            rounds: InputRounds::default(),
            urls: ElicitedUrls::default(),
            pages: ListPages::default(),
            tasks: FollowedTasks::default(),
            handshake: Handshake::default(),
            restore: RestoredState::default(),
            streams: SubscriptionStreams::default(),
            catalog,
            turns: TurnQueue::default(),
            #[cfg(feature = "draft")]
            digests: draft::KnownDigests::default(),
            held_back: HeldBack::default(),
            deadlines: Deadlines::default(),
            effects: VecDeque::new(),
            counters: Counters::default(),
            latencies: Latencies::default(),
            verbosity: 0,
            scratch: String::new(),
            stray_output: StrayOutput::default(),
            tracer,
            traced: TracedConnection::default(),
            tolerated_on: 0,
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

    /// What was counted so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The first line that came and was no message.
    pub fn stray_output(&self) -> Option<&str> {
        self.stray_output.first_of_client()
    }

    /// How long calls took, per method.
    pub fn latencies(&self) -> Map<String, Value> {
        self.latencies.to_map()
    }

    /// Whether the events of the next call are logged: all of them or none.
    fn draw_sample(&mut self) -> bool {
        self.reconnection.draws(self.settings.sample_rate)
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
        self.reconnection.failure()
    }

    /// When the next attempt to connect is made, in backoff.
    pub fn next_attempt(&self) -> Option<Instant> {
        self.reconnection.next_attempt()
    }

    /// Sets which log records are made: those up to this level, 0 for none.
    pub fn set_verbosity(&mut self, level: u8) {
        self.verbosity = level;
    }

    fn log(&mut self, level: Level, event: &'static str, fields: impl FnOnce() -> Map<String, Value>) {
        if level as u8 <= self.verbosity {
            self.effects.push_back(Effect::Log(LogRecord { level, event, fields: fields() }));
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
        let next_attempt = self.next_attempt();
        self.effects.push_back(Effect::Emit(Event::State { from, to, reason, next_attempt }));
    }
}
