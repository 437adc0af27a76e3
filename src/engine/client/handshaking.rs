//! The handshake on the connection: what its part wants done next is done here.

use super::counters::Level;
use super::deadlines::Due;
use super::effect::{Effect, Shape, State};
use super::exchanges::Exchange;
use super::handshake::{Awaits, Handshake, Next, Question, Step};
use super::settings::{Settings, Wire};
use super::{Engine, fields};
use crate::protocol::handshake::ServerFacts;
use crate::protocol::probe::Answer;
use crate::protocol::{Era, Revision, method, write};
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
    pub(super) fn begin_handshake(&mut self, now: Instant) {
        let next = self.handshake.begin(&self.settings);
        self.go_on(now, next);
    }

    /// Does what the handshake wants done.
    fn go_on(&mut self, now: Instant, next: Next) {
        match next {
            Next::Wait => {}
            Next::WaitUntil(exchange, until) => self.deadlines.add(until, Due::Handshake(exchange)),
            Next::Ask(question) => self.ask_server(now, question),
            Next::AskLegacy(question, why) => {
                self.log_era("legacy", why);
                self.ask_server(now, question);
            }
            Next::Turn(revision) => {
                self.end_late_probe();
                if revision.era() == Era::Modern {
                    self.doubt_the_era();
                    self.handshake.forget_era();
                    self.log_era("unknown", "the server named a modern revision");
                }
                self.ask_server(now, Question { revision, again: true });
            }
            Next::BeginAgain(why) => {
                self.doubt_the_era();
                self.log_era("unknown", &why);
                self.begin_handshake(now);
            }
            Next::Initialized => {
                self.end_late_probe();
                self.send(write::notification(method::INITIALIZED, None));
                if self.settings.wire == Wire::Http && self.handshake.shape() == Shape::Streamable {
                    // Some servers drop what they want to send while there is no stream for it, so the connection is not
                    // ready before that was tried.
                    self.wait_in_handshake(now, Awaits::Stream);
                    self.effects.push_back(Effect::Listen { generation: self.generation });
                } else {
                    self.restore_first(now);
                }
            }
            Next::StreamIsOpen => self.restore_first(now),
            Next::NotRestored => {
                self.restore_failed("not everything was answered within timeouts.listen_ms");
                self.become_ready(now);
            }
            Next::Ready => self.become_ready(now),
            Next::FallBack(error) => self.fall_back(now, error),
            Next::Failed { error, permanent } => self.attempt_failed(now, error, permanent),
        }
    }

    fn ask_server(&mut self, now: Instant, question: Question) {
        self.leave_step(now);
        let exchange = self.exchanges.begin(Exchange::Handshake);
        let (frame, until) = self.handshake.ask(now, exchange, question, &self.settings);
        self.deadlines.add(until, Due::Handshake(exchange));
        self.send(frame);
    }

    /// Begins a step that no request of its own answers, for a bounded time.
    pub(super) fn wait_in_handshake(&mut self, now: Instant, awaits: Awaits) {
        self.leave_step(now);
        let limit: Duration = self.settings.timeouts.listen;
        let exchange = self.exchanges.begin(Exchange::Handshake);
        self.exchanges.end(exchange);
        let until = self.handshake.wait_for(now, exchange, awaits, limit);
        self.deadlines.add(until, Due::Handshake(exchange));
    }

    /// Leaves the step that is under way: its answer is late from here on, unless it is the late probe.
    pub(super) fn leave_step(&mut self, now: Instant) {
        let Some(Step { exchange, logs_in, .. }) = self.handshake.leave_step() else { return };
        if self.handshake.late_probe() != Some(exchange) {
            self.end_exchange(exchange);
        }
        if logs_in {
            self.no_login_any_more(now);
        }
    }

    /// No answer to the probe is of use any more.
    pub(super) fn end_late_probe(&mut self) {
        if let Some(exchange) = self.handshake.end_late_probe() {
            self.end_exchange(exchange);
        }
    }

    /// The handshake request has ended.
    pub(super) fn handshake_ended(
        &mut self,
        now: Instant,
        end: impl FnOnce(&mut Handshake, &Settings) -> Next,
    ) {
        let next = end(&mut self.handshake, &self.settings);
        self.go_on(now, next);
    }

    pub(super) fn handshake_timed_out(&mut self, now: Instant, exchange: u64) {
        let next = self.handshake.timed_out(now, exchange, &self.settings);
        if self.handshake.late_probe() == Some(exchange) {
            self.exchanges.turn_into(exchange, Exchange::LateProbe);
        }
        self.go_on(now, next);
    }

    /// The probe is answered while `initialize` waits. What shows the modern era is taken; with anything else `initialize`
    /// goes on.
    pub(super) fn late_probe_answered(&mut self, now: Instant, exchange: u64, answer: Answer<'_>) {
        match self.handshake.late_probe_answered(answer, &self.settings) {
            Next::Wait => self.unmatched(self.exchanges.unmatched(exchange)),
            next => {
                self.doubt_the_era();
                self.go_on(now, next);
            }
        }
    }

    /// The stream of the server's own messages is open, or cannot be had: both are well. Where it was to be open before, changes may
    /// have been missed.
    pub fn incoming_is_open(&mut self, now: Instant, generation: u64) {
        if generation == self.generation && self.state == State::Initializing {
            let next = self.handshake.stream_is_open();
            self.go_on(now, next);
        } else if generation == self.generation {
            self.listens.missed();
        }
    }

    fn log_era(&mut self, era: &'static str, why: &str) {
        self.log(Level::Info, "connection.era", || fields([("era", era.into()), ("why", why.into())]));
    }

    /// Remembers an era that a server did not state but showed.
    pub(super) fn infer_legacy(&mut self, why: &'static str) {
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
    pub(super) fn era_is_known(&mut self) {
        let was_assumed = self.handshake.end_assumption();
        let was_open = self.settings.newest(Era::Modern).is_some();
        if self.settings.wire == Wire::Http && was_open && !was_assumed {
            let shape = (self.era() == Some(Era::Legacy)).then_some(self.handshake.shape());
            self.effects.push_back(Effect::Remember(shape));
        }
    }

    /// What was assumed of the era is doubtful.
    pub(super) fn doubt_the_era(&mut self) {
        if self.handshake.end_assumption() {
            self.effects.push_back(Effect::Remember(None));
        }
    }

    pub(super) fn begin_start(&mut self, now: Instant) {
        if let Some(look) = self.handshake.begin_start(now, &self.settings) {
            self.deadlines.add(look, Due::Look(self.generation));
        }
    }

    pub(super) fn look_again(&mut self, now: Instant) {
        self.deadlines.add(Handshake::next_look(now, &self.settings), Due::Look(self.generation));
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
    pub(super) fn is_alive(&mut self, now: Instant) {
        if let Some((exchange, until)) = self.handshake.is_alive(now) {
            self.deadlines.add(until, Due::Handshake(exchange));
        }
    }
}
