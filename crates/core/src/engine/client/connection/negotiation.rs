//! Runs the handshake on the connection: does what [`Handshake`] returns as its next action. Timeouts say which step they waited
//! for.

use crate::engine::client::Engine;
use crate::engine::client::connection::handshake::{
    Awaits, Handshake, HandshakeAction, HandshakeRequest, HandshakeStep,
};
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{Effect, Shape, State};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::settings::{Settings, Wire};
use crate::engine::{Error, Level, fields, millis};
use crate::json;
use crate::protocol::handshake::ProbeAnswer;
use crate::protocol::handshake::ServerFacts;
use crate::protocol::{Era, Revision, method};
use std::time::{Duration, Instant};

impl<T> Engine<T> {
    /// The revision agreed on, once there was a handshake.
    pub fn revision(&self) -> Option<Revision> {
        self.handshake.revision()
    }

    /// The server's era, once known.
    pub fn era(&self) -> Option<Era> {
        self.handshake.era()
    }

    /// What the server said of itself in the last handshake.
    pub fn facts(&self) -> &ServerFacts {
        self.handshake.facts()
    }

    /// The transport is open: say the first thing.
    pub(crate) fn begin_handshake(&mut self, now: Instant) {
        let next = self.handshake.begin(&self.settings);
        self.perform(now, next);
    }

    /// Does what the handshake wants done.
    fn perform(&mut self, now: Instant, next: HandshakeAction) {
        match next {
            HandshakeAction::Wait => {}
            HandshakeAction::WaitUntil(exchange, until) => {
                self.deadlines.add(until, Due::Handshake(exchange));
            }
            HandshakeAction::Ask(question) => self.ask_server(now, question),
            HandshakeAction::AskLegacy(question, why) => {
                self.log_era("legacy", why);
                self.ask_server(now, question);
            }
            HandshakeAction::Turn(revision) => {
                self.end_late_probe();
                if revision.era() == Era::Modern {
                    self.discard_assumed_era();
                    self.handshake.forget_era();
                    self.log_era("unknown", "the server named a modern revision");
                }
                self.ask_server(now, HandshakeRequest { revision, again: true });
            }
            HandshakeAction::BeginAgain(why) => {
                self.discard_assumed_era();
                self.log_era("unknown", &why);
                self.begin_handshake(now);
            }
            HandshakeAction::Initialized => {
                self.end_late_probe();
                self.send_notification(now, method::INITIALIZED, None);
                if self.settings.wire == Wire::Http && self.handshake.shape() == Shape::Streamable {
                    // Some servers drop what they want to send while there is no stream for it, so the connection is not
                    // ready before that was tried.
                    self.wait_in_handshake(now, Awaits::Stream);
                    self.effects.push_back(Effect::Listen { generation: self.generation });
                } else {
                    self.restore_first(now);
                }
            }
            HandshakeAction::StreamIsOpen => self.restore_first(now),
            HandshakeAction::NotRestored => {
                self.restore_failed("not everything was answered within timeouts.listen_ms");
                self.become_ready(now);
            }
            HandshakeAction::Ready => self.become_ready(now),
            HandshakeAction::FallBack(error) => self.fall_back(now, error),
            HandshakeAction::Failed { error, permanent } => self.attempt_failed(now, error, permanent),
        }
    }

    fn ask_server(&mut self, now: Instant, question: HandshakeRequest) {
        self.leave_step(now);
        let exchange = self.exchanges.begin(Exchange::Handshake);
        let revision = question.revision;
        let (frame, until) = self.handshake.ask(now, exchange, question, &self.settings);
        self.deadlines.add(until, Due::Handshake(exchange));
        self.trace_handshake(now, exchange, revision);
        self.send(frame);
    }

    /// Begins a step that no request of its own answers, for a bounded time.
    pub(crate) fn wait_in_handshake(&mut self, now: Instant, awaits: Awaits) {
        self.leave_step(now);
        let limit: Duration = self.settings.timeouts.listen;
        let exchange = self.exchanges.begin(Exchange::Handshake);
        self.exchanges.end(exchange);
        let until = self.handshake.wait_for(now, exchange, awaits, limit);
        self.deadlines.add(until, Due::Handshake(exchange));
    }

    /// Leaves the step that is under way: its answer is late from here on, unless it is the late probe.
    pub(crate) fn leave_step(&mut self, now: Instant) {
        let Some(HandshakeStep { exchange, logs_in, .. }) = self.handshake.leave_step() else { return };
        if self.handshake.late_probe() != Some(exchange) {
            self.end_exchange(exchange);
        }
        if logs_in {
            self.resume_after_logins(now);
        }
    }

    /// Ends the wait for a late answer to the probe.
    pub(crate) fn end_late_probe(&mut self) {
        if let Some(exchange) = self.handshake.end_late_probe() {
            self.end_exchange(exchange);
        }
    }

    /// The handshake request has ended.
    pub(crate) fn handshake_ended(
        &mut self,
        now: Instant,
        end: impl FnOnce(&mut Handshake, &Settings) -> HandshakeAction,
    ) {
        let next = end(&mut self.handshake, &self.settings);
        self.perform(now, next);
    }

    pub(crate) fn handshake_timed_out(&mut self, now: Instant, exchange: u64) {
        let next = self.handshake.timed_out(now, exchange, &self.settings);
        if self.handshake.late_probe() == Some(exchange) {
            self.exchanges.turn_into(exchange, Exchange::LateProbe);
        }
        self.perform(now, next);
    }

    /// The probe is answered while `initialize` waits. What shows the modern era is taken; with anything else `initialize`
    /// goes on.
    pub(crate) fn late_probe_answered(&mut self, now: Instant, exchange: u64, answer: ProbeAnswer<'_>) {
        match self.handshake.late_probe_answered(answer, &self.settings) {
            HandshakeAction::Wait => self.unmatched(self.exchanges.unmatched(exchange)),
            next => {
                self.discard_assumed_era();
                self.perform(now, next);
            }
        }
    }

    /// The stream of the server's own messages is open, or cannot be had: both are well. Where it was to be open before, changes may
    /// have been missed.
    pub fn incoming_is_open(&mut self, now: Instant, generation: u64) {
        if generation == self.generation && self.state == State::Initializing {
            let next = self.handshake.stream_is_open();
            self.perform(now, next);
        } else if generation == self.generation {
            self.streams.missed();
        }
    }

    fn log_era(&mut self, era: &'static str, why: &str) {
        self.log(Level::Info, "connection.era", || fields([("era", era.into()), ("why", why.into())]));
    }

    /// Remembers an era that a server did not state but showed.
    pub(crate) fn infer_legacy(&mut self, why: &'static str) {
        self.handshake.infer_legacy();
        self.log_era("legacy", why);
    }

    /// Another client has found the server to be of the legacy era, with this transport. Says whether that is of use here: the
    /// connection that is being opened then begins with it.
    pub fn assume_legacy(&mut self, shape: Shape) -> bool {
        let is_of_use = self.handshake.assume_legacy(shape, &self.settings);
        if is_of_use {
            self.log_era("legacy", "another client of the process found that out");
        }
        is_of_use
    }

    /// The handshake is done: what it showed is there for other clients. Not what the application has pinned, for that was not
    /// found out, and not what was known already, for that grows old.
    pub(crate) fn era_is_known(&mut self) {
        let was_assumed = self.handshake.end_assumption();
        let was_open = self.settings.newest(Era::Modern).is_some();
        if self.settings.wire == Wire::Http && was_open && !was_assumed {
            let shape = (self.era() == Some(Era::Legacy)).then_some(self.handshake.shape());
            self.effects.push_back(Effect::Remember(shape));
        }
    }

    /// What was assumed of the era is doubtful.
    pub(crate) fn discard_assumed_era(&mut self) {
        if self.handshake.end_assumption() {
            self.effects.push_back(Effect::Remember(None));
        }
    }

    pub(crate) fn begin_start(&mut self, now: Instant) {
        if let Some(look) = self.handshake.begin_start(now, &self.settings) {
            self.deadlines.add(look, Due::StartCheck(self.generation));
        }
    }

    pub(crate) fn check_start_again(&mut self, now: Instant) {
        self.deadlines
            .add(Handshake::next_start_check(now, &self.settings), Due::StartCheck(self.generation));
    }

    /// Whether [`Engine::has_read`] is to be told before the next [`Engine::tick`].
    pub fn looks_for_life(&self) -> bool {
        self.state == State::Initializing && self.handshake.looks_for_life()
    }

    /// Whether the process has read all that was sent to it; `None` where that cannot be told.
    pub fn has_read(&mut self, now: Instant, has_read: Option<bool>) {
        match has_read {
            Some(true) => self.is_alive(now),
            Some(false) => self.handshake.has_not_read(),
            None => {}
        }
    }

    /// The process runs: the times of the handshake begin.
    pub(crate) fn is_alive(&mut self, now: Instant) {
        if let Some((exchange, until)) = self.handshake.is_alive(now) {
            self.deadlines.add(until, Due::Handshake(exchange));
        }
    }
}

impl<T> Engine<T> {
    /// Tells a timeout what was awaited, what the last attempt failed of, and what the server printed instead of messages.
    /// `fix` says what the application can do.
    pub(crate) fn explain_timeout(&self, now: Instant, mut error: Error, fix: &str) -> Error {
        let (step, what) = self.awaited(now);
        error.message = format!("{}: {what}; {fix}", error.message);
        error = self.stray_output.explain(error);
        if let Some(failure) = self.failure() {
            error.message.push_str("; the last attempt failed: ");
            error.message.push_str(&failure.message);
            error = error.with("last_failure", failure.message.as_str());
        }
        error.with("state", self.state.as_str()).with("step", step)
    }

    /// The step's name, and what it is in words.
    fn awaited(&self, now: Instant) -> (&'static str, String) {
        let step = self.handshake.step().filter(|_| self.state == State::Initializing);
        let (name, what) = match (self.state, step) {
            (State::Backoff, _) => {
                let wait = millis(self.reconnection.wait(now));
                return ("backoff", format!("the next attempt to connect is in {wait} ms"));
            }
            (_, Some(step)) if step.logs_in => ("login", "the login is not done"),
            (_, Some(step)) if step.awaits == Awaits::Stream => {
                ("listening", "the stream of the server's own messages is not open")
            }
            (_, Some(step)) if step.awaits == Awaits::Restored => {
                ("restoring", "the server has not answered what is restored on a new connection")
            }
            (_, Some(step)) if step.awaits == Awaits::Discovery => {
                ("probing", "it has not answered server/discover, which asks for its revision")
            }
            (_, Some(_)) => ("initialize", "it has not answered initialize"),
            _ if self.settings.wire == Wire::Http => ("starting", "the connection to it is not set up"),
            _ => ("starting", "it is being started or connected to"),
        };
        (name, what.to_owned())
    }

    /// Whether a request is the one of the handshake that is under way, which came back: the program repeats what it is sent,
    /// as `cat` does. A server that asks a client for something counts its ids by itself, and never asks for these methods.
    pub(crate) fn is_echo(&self, id: &str, method: &str, params: Option<&str>) -> bool {
        let Some(step) = self.handshake.step().filter(|_| self.state == State::Initializing) else {
            return false;
        };
        let probes = step.awaits == Awaits::Discovery;
        let sent = if probes { method::DISCOVER } else { method::INITIALIZE };
        let client = if probes { "/_meta/io.modelcontextprotocol~1clientInfo" } else { "/clientInfo" };
        method == sent
            && json::integer(id).and_then(|id| u64::try_from(id).ok()) == Some(step.exchange)
            && params.is_some_and(|params| json::pointer(params, client).is_ok_and(|found| found.is_some()))
    }
}
