//! One connection's state machine, sans-I/O.
//!
//! Commands, frames, transport events and timer ticks go in, each with the time it happened at; effects come out of
//! [`Engine::effect`]. The engine is a router over parts that own their state (`docs/design/architecture.md`), and keeps the rule
//! that every call ends exactly once. It must not know sockets, threads or the clock, so that a simulator can drive it
//! through any schedule. `docs/reference/lifecycle.md` tells the states and transitions.
//!
//! The files. What each part owns is in `docs/design/architecture.md`:
//!
//! * `calling`: routes: makes, sends, cancels and ends calls. `Engine::complete` is the one place where a call ends
//! * `outcomes`: routes: the kind of an exchange meets its outcome (`Engine::exchange_ended`)
//! * `call_outcomes`: routes: what an outcome means for a call
//! * `incoming`: routes: frames from the server, notifications, progress
//! * `broken`: routes: frames that break a rule or a bound
//! * `responding`: routes: the server's requests, and the answers to them
//! * `features`: routes: what stands for a feature on the wire of this era; whether the server has it
//! * `lists`: routes: lists that come in pages
//! * `listening`: routes: streams of change notifications; decides which notifications are dropped (`is_stray_change`)
//! * `restoring`: routes: telling a new connection again
//! * `tools`: routes: lists the tools for calls that need their definitions
//! * `held_back`: part: `HeldBack`, and the routing of calls that the server has no place for
//! * `stateful_tools`: routes: tool modes, turns, the id of the session
//! * `input_required`: routes: calls whose servers ask for input (2026-07-28)
//! * `url_elicitation`: routes: pages to visit before a call is answered (2025-11-25)
//! * `handshaking`: routes: does what the handshake wants next
//! * `connection`: routes: connects, opens, loses, tries again and closes connections
//! * `connecting`: routes: a started connect: refused, or cancelled
//! * `logins`: routes: stops the time of what waits for a login
//! * `timers`: routes: what is due
//! * `calls`: part: `Calls`
//! * `exchanges`: part: `Exchanges`
//! * `handshake`: part: `Handshake`
//! * `reconnection`: part: `Reconnection`
//! * `connects`: part: `Connects`
//! * `requests`: part: `Requests`
//! * `list_pages`: part: `ListPages`
//! * `tasks`: part: `Tasks`, and the routing of tasks beside it
//! * `listens`: part: `Listens`
//! * `restore`: part: `Restore`
//! * `tool_catalog`: part: `ToolCatalog`
//! * `turn_queue`: part: `TurnQueue`
//! * `input_rounds`: part: `InputRounds`
//! * `elicited_urls`: part: `ElicitedUrls`
//! * `stray_output`: part: `StrayOutput`
//! * `effect`: `Effect`, `Event`, `State`: everything that leaves the engine
//! * `settings`: `Settings`: bounds, times, policies and their defaults
//! * `awaited`: texts: what a connection that is not ready waits for
//! * `promised`: the entries of a list that cannot be used are left out
//! * `sent`: texts: whether the server may have a call that failed

mod awaited;
mod broken;
mod call_outcomes;
mod calling;
mod calls;
mod connecting;
mod connection;
mod connects;
mod effect;
mod elicited_urls;
mod exchanges;
mod features;
mod handshake;
mod handshaking;
mod held_back;
mod incoming;
mod input_required;
mod input_rounds;
mod list_pages;
mod listening;
mod listens;
mod lists;
mod logins;
mod outcomes;
mod promised;
mod reconnection;
mod requests;
mod responding;
mod restore;
mod restoring;
mod sent;
mod settings;
mod stateful_tools;
mod stray_output;
mod tasks;
mod timers;
mod tool_catalog;
mod tools;
mod turn_queue;
mod url_elicitation;

#[cfg(test)]
mod tests;

pub use calls::{CallOptions, CallRequest, Feature};
pub use effect::{Asked, Body, Effect, Event, Record, Reply, Shape, State};
pub use exchanges::{Failure, FailureKind, LoginWait, Spoken};
pub use requests::Answer;
pub use settings::{ListLimits, Reconnect, Retry, Settings, TaskSettings, Timeouts, ToolModes, Wire};
pub use stateful_tools::SessionFacts;

use super::telemetry::Latencies;
use super::{Counters, Error, Level, Random, counters, deadlines, excerpt, fields, millis, status};
use calls::Calls;
use connects::Connects;
use deadlines::Deadlines;
use elicited_urls::ElicitedUrls;
use exchanges::{Exchange, Exchanges};
use handshake::Handshake;
use held_back::HeldBack;
use input_rounds::InputRounds;
use list_pages::ListPages;
use listens::Listens;
use reconnection::Reconnection;
use requests::Requests;
use restore::Restore;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::time::Instant;
use stray_output::StrayOutput;
use tasks::Tasks;
use tool_catalog::ToolCatalog;
use turn_queue::TurnQueue;

/// The state machine of one connection. `T` is what the layer above needs to find the one who waits for an outcome.
#[derive(Debug)]
pub struct Engine<T> {
    settings: Settings,
    state: State,
    /// Names the current (or last) connection.
    generation: u64,
    calls: Calls<T>,
    exchanges: Exchanges,
    connects: Connects<T>,
    reconnection: Reconnection,
    requests: Requests,
    /// Calls whose servers wait for input.
    rounds: InputRounds,
    /// Calls whose servers want pages visited first.
    urls: ElicitedUrls,
    /// Lists whose pages are being collected.
    pages: ListPages,
    tasks: Tasks,
    handshake: Handshake,
    restore: Restore,
    listens: Listens,
    catalog: ToolCatalog,
    /// Calls of stateful tools.
    turns: TurnQueue,
    /// Calls that the server has no place for.
    held_back: HeldBack,
    deadlines: Deadlines,
    effects: VecDeque<Effect<T>>,
    counters: Counters,
    latencies: Latencies,
    verbosity: u8,
    scratch: String,
    stray_output: StrayOutput,
    /// The last connection on which something was taken that is not written as it should be.
    tolerated_on: u64,
}

impl<T> Engine<T> {
    /// An engine at rest: nothing happens until the first call or [`Engine::connect`].
    pub fn new(settings: Settings) -> Engine<T> {
        let uses_tools = settings.wire == Wire::Http || settings.tasks.is_some();
        let catalog = ToolCatalog::new(settings.tool_modes.is_some(), uses_tools);
        let random = Random::new(settings.seed);
        Engine {
            settings,
            state: State::Idle,
            generation: 0,
            calls: Calls::default(),
            exchanges: Exchanges::default(),
            connects: Connects::default(),
            reconnection: Reconnection::new(random),
            requests: Requests::default(),
            rounds: InputRounds::default(),
            urls: ElicitedUrls::default(),
            pages: ListPages::default(),
            tasks: Tasks::default(),
            handshake: Handshake::default(),
            restore: Restore::default(),
            listens: Listens::default(),
            catalog,
            turns: TurnQueue::default(),
            held_back: HeldBack::default(),
            deadlines: Deadlines::default(),
            effects: VecDeque::new(),
            counters: Counters::default(),
            latencies: Latencies::default(),
            verbosity: 0,
            scratch: String::new(),
            stray_output: StrayOutput::default(),
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
        let next_attempt = self.next_attempt();
        self.effects.push_back(Effect::Emit(Event::State { from, to, reason, next_attempt }));
    }
}
