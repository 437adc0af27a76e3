//! The life of the connection: opened, lost, tried again, closed. `docs/lifecycle.md` has the table.

use super::counters::Level;
use super::deadlines::Due;
use super::effect::{Effect, Shape, State};
use super::settings::Wire;
use super::status::{Error, Status};
use super::{Connect, Engine, Exchange, fields, millis};
use crate::protocol::Era;
use std::time::{Duration, Instant};

impl<T> Engine<T> {
    /// Starts the connection if need be, and answers with one [`Effect::Connected`] when it is ready, when the attempt
    /// failed, or when `timeout` is over.
    pub fn connect(&mut self, now: Instant, timeout: Option<Duration>, ticket: T) {
        match self.state {
            State::Ready => self.effects.push_back(Effect::Connected { ticket, outcome: Ok(()) }),
            State::Closing | State::Closed => {
                let error = self.closed_error("connect");
                self.effects.push_back(Effect::Connected { ticket, outcome: Err(error) });
            }
            _ => {
                let key = self.next_connect;
                self.next_connect += 1;
                if let Some(timeout) = timeout {
                    self.deadlines.add(now + timeout, Due::Connect(key));
                }
                self.connects.push(Connect { key, ticket, timeout_ms: timeout.map_or(0, millis) });
                if self.state == State::Idle {
                    self.open("the application connects");
                }
            }
        }
    }

    /// Asks for a transport of a new generation.
    pub(super) fn open(&mut self, reason: &str) {
        self.generation += 1;
        self.next_attempt = None;
        self.garbage = None;
        self.enter(State::Starting, reason);
        self.effects.push_back(Effect::Open { generation: self.generation, shape: self.shape });
    }

    /// The transport of this generation is there.
    pub fn opened(&mut self, now: Instant, generation: u64) {
        if generation != self.generation || self.state != State::Starting {
            return;
        }
        self.enter(State::Initializing, "the transport is open, the handshake begins");
        self.begin_start(now);
        self.begin_handshake(now);
    }

    /// The transport of this generation is gone, or could not be had. `error` says why.
    pub fn lost(&mut self, now: Instant, generation: u64, error: Error) {
        if generation != self.generation {
            return;
        }
        match self.state {
            State::Starting => self.attempt_failed(now, error, false),
            State::Initializing => {
                if self.probe_killed_it() {
                    self.infer_legacy("the server ended when it was probed");
                    self.forget_connection(now);
                    // Its streams have ended; the process may not have.
                    self.effects.push_back(Effect::Shut { generation });
                    self.open(
                        "the server ended when it was probed: starting it again for the legacy handshake",
                    );
                } else {
                    self.attempt_failed(now, error, false);
                }
            }
            State::Ready => self.connection_lost(now, error),
            State::Closing => self.closed(),
            State::Idle | State::Backoff | State::Closed => {}
        }
    }

    /// The transport of this generation turned out never to have been one. Unlike [`Engine::lost`] this says nothing about
    /// the server's era.
    pub fn failed_to_start(&mut self, now: Instant, generation: u64, error: Error) {
        if generation == self.generation && matches!(self.state, State::Starting | State::Initializing) {
            self.attempt_failed(now, error, false);
        } else {
            self.lost(now, generation, error);
        }
    }

    /// `initialize` was refused in a way that servers of 2024-11-05 refuse it: opens the same place as their transport.
    pub(super) fn fall_back(&mut self, now: Instant, error: Error) {
        let generation = self.generation;
        self.shape = Shape::Sse;
        self.refused_initialize = Some(error.message);
        self.infer_legacy("initialize was refused by HTTP status; trying HTTP+SSE");
        self.forget_connection(now);
        self.effects.push_back(Effect::Shut { generation });
        self.open("initialize was refused: trying the transport of 2024-11-05");
    }

    /// An attempt failed: the next one begins with the newest transport again.
    fn forget_shape(&mut self, error: &mut Error) {
        if self.shape == Shape::Sse {
            self.shape = Shape::Streamable;
            self.era = None;
        }
        if let Some(refused) = self.refused_initialize.take() {
            // Which of the two says what is wrong is for a person to see.
            error.message = format!("{refused}. Tried as a server of 2024-11-05: {}", error.message);
        }
    }

    fn probe_killed_it(&self) -> bool {
        self.era.is_none()
            && self.handshake.as_ref().is_some_and(|step| step.probes && !step.again)
            && self.settings.newest(Era::Legacy).is_some()
    }

    /// Everything that belonged to the connection that ended.
    fn forget_connection(&mut self, now: Instant) {
        self.handshake = None;
        self.late_probe = None;
        self.no_login_any_more(now);
        self.exchanges.clear();
        self.forget_streams();
        self.tasks.connection_ended();
        self.catalog.connection_ended();
        self.end_session();
        self.requests.connection_ended(self.settings.server_requests);
    }

    /// Ends the calls that were under way, or has them wait for the next connection. Those that the server `refused`
    /// without looking at them may be sent again whatever they are.
    fn end_calls_of_connection(&mut self, now: Instant, error: &Error, refused: &[u64]) {
        self.forget_connection(now);
        let comes_back = self.settings.reconnect.is_some();
        for id in self.calls.ids() {
            let in_round = self.rounds.holds(id) || self.urls.holds(id);
            let is_task = self.tasks.holds(id);
            self.calls.leave_exchange(id);
            let Some(call) = self.calls.get(id) else { continue };
            if comes_back && !call.stateful && is_task {
                // It goes on without the connection, and is asked for on the next. (A stateful tool's belongs to the session.)
                continue;
            }
            let again = comes_back
                && !call.stateful
                && call.retries < self.settings.max_retries
                && !in_round
                && call.stored.as_ref().is_some_and(|stored| {
                    refused.contains(&id) || self.may_repeat(&call.method, stored.text(), call.retry)
                });
            if again {
                self.counters.retries += 1;
                self.calls.retry(id);
                // What came of a list before belongs to another connection.
                self.pages.remove(&id);
                self.calls.enqueue(id);
            } else {
                self.end_call(now, id, error);
            }
        }
        // The next server may be another one.
        self.catalog.forget();
    }

    fn connection_lost(&mut self, now: Instant, error: Error) {
        self.end_calls_of_connection(now, &error, &[]);
        self.back_off(now, error);
    }

    /// The server has ended the session (legacy HTTP): a new one is opened at once, for all. The call whose request was
    /// refused for that reason was not looked at by the server, so it is sent again, once: where a new session does not serve
    /// it either, that is the call's error and the session stays. Says whether the session counts as ended.
    pub fn session_ended(
        &mut self,
        now: Instant,
        generation: u64,
        exchange: Option<u64>,
        error: Error,
    ) -> bool {
        if generation != self.generation {
            return true;
        }
        if self.state != State::Ready {
            self.lost(now, generation, error);
            return true;
        }
        if let Some(Exchange::Call(id)) = exchange.and_then(|exchange| self.exchanges.get(exchange)) {
            if !self.calls.renew(id) {
                let mut error = error.with("sent", true);
                error.message.push_str("; it said so again on a new session");
                self.end_call(now, id, &error);
                return false;
            }
        }
        let refused = match exchange.and_then(|exchange| self.exchanges.get(exchange)) {
            Some(Exchange::Call(call)) => vec![call],
            Some(Exchange::Tools(_)) => self.catalog.waiting(),
            _ => Vec::new(),
        };
        self.end_calls_of_connection(now, &error, &refused);
        self.attempts += 1;
        if self.attempts > 1 || self.settings.reconnect.is_none() {
            // It ended before it was stable: not again and again without a pause.
            self.attempts -= 1;
            self.back_off(now, error);
            return true;
        }
        let reason = error.message.clone();
        self.failure = Some(error);
        self.effects.push_back(Effect::Shut { generation });
        self.open(&reason);
        true
    }

    /// An attempt to connect failed. A `permanent` failure would repeat itself, so there is no next attempt.
    pub(super) fn attempt_failed(&mut self, now: Instant, mut error: Error, permanent: bool) {
        if let Some(line) = self.garbage.take() {
            error.message.push_str("; its output began with a line that is no MCP message: ");
            error.message.push_str(&line);
            error = error.with("output", line);
        }
        self.counters.failed_attempts += 1;
        self.forget_connection(now);
        self.log(Level::Warn, "connection.failed", || {
            fields([("error", error.message.as_str().into()), ("permanent", permanent.into())])
        });
        self.doubt_the_era();
        if self.state == State::Initializing {
            // What was remembered or inferred of the era may be why the handshake failed; ask again next time.
            self.era = None;
        }
        self.forget_shape(&mut error);
        for connect in std::mem::take(&mut self.connects) {
            let outcome = Err(error.of("connect"));
            self.effects.push_back(Effect::Connected { ticket: connect.ticket, outcome });
        }
        for id in self.calls.ids() {
            let Some(call) = self.calls.get(id) else { continue };
            // One that was promised another connection has its own deadline, which decides.
            if !call.waits && call.retries == 0 && !self.tasks.holds(id) {
                self.end_call(now, id, &error);
            }
        }
        self.calls.sweep_waiting();
        if permanent {
            self.effects.push_back(Effect::Shut { generation: self.generation });
            self.give_up(now, error, "the failure would repeat itself");
        } else {
            self.back_off(now, error);
        }
    }

    fn back_off(&mut self, now: Instant, error: Error) {
        self.effects.push_back(Effect::Shut { generation: self.generation });
        let Some(policy) = self.settings.reconnect.clone() else {
            return self.give_up(now, error, "reconnection is off");
        };
        self.attempts += 1;
        if policy.max_attempts.is_some_and(|max| self.attempts > max) {
            return self.give_up(now, error, "no attempts are left (reconnect.max_attempts)");
        }
        let doublings = (self.attempts - 1).min(20);
        let wait = policy.initial.saturating_mul(1 << doublings).min(policy.max);
        let spread = 1.0 + policy.jitter.clamp(0.0, 1.0) * (2.0 * self.random_share() - 1.0);
        let at = now + wait.mul_f64(spread);
        self.next_attempt = Some(at);
        self.deadlines.add(at, Due::Attempt(self.generation));
        let reason = error.message.clone();
        self.failure = Some(error);
        self.enter(State::Backoff, reason);
    }

    /// No further attempt: everything that still waits ends, and the client is closed.
    fn give_up(&mut self, now: Instant, error: Error, why: &str) {
        self.complete_all(now, &error);
        let reason = format!("{why}: {}", error.message);
        self.failure = Some(error);
        self.next_attempt = None;
        self.enter(State::Closed, reason);
    }

    /// The handshake is done.
    pub(super) fn become_ready(&mut self, now: Instant) {
        self.end_late_probe();
        if let Some(step) = self.handshake.take() {
            // Still under way where the probe was answered late.
            self.end_exchange(step.exchange);
            if step.logs_in {
                self.no_login_any_more(now);
            }
        }
        self.failure = None;
        self.garbage = None;
        self.refused_initialize = None;
        self.counters.connections += 1;
        let revision = self.revision.map_or("", |revision| revision.as_str());
        self.enter(State::Ready, format!("the handshake is done, revision {revision}"));
        if let Some(policy) = &self.settings.reconnect {
            self.deadlines.add(now + policy.stable, Due::Stable(self.generation));
        }
        for connect in std::mem::take(&mut self.connects) {
            self.effects.push_back(Effect::Connected { ticket: connect.ticket, outcome: Ok(()) });
        }
        self.era_is_known();
        if self.settings.wire == Wire::Stream {
            self.restore();
        }
        self.listen();
        self.resume_tasks(now);
        self.send_waiting(now);
    }

    /// Ends everything. Pending calls end as `CLOSED`; idempotent.
    pub fn close(&mut self, now: Instant) {
        match self.state {
            State::Closing | State::Closed => return,
            State::Idle | State::Backoff => {
                // From here on the client is closed because it was told to, not because something failed.
                self.failure = None;
                self.end_waiters(now);
                self.next_attempt = None;
                self.enter(State::Closed, "closed by the application");
                return;
            }
            State::Starting | State::Initializing | State::Ready => {}
        }
        self.failure = None;
        self.forget_connection(now);
        self.end_waiters(now);
        self.enter(State::Closing, "closed by the application");
        self.effects.push_back(Effect::Shut { generation: self.generation });
    }

    fn end_waiters(&mut self, now: Instant) {
        let error = Error::new(Status::Closed, "close", "the client was closed while the call was under way");
        self.complete_all(now, &error);
        for connect in std::mem::take(&mut self.connects) {
            let error = Error::new(Status::Closed, "connect", "the client was closed while it connected");
            self.effects.push_back(Effect::Connected { ticket: connect.ticket, outcome: Err(error) });
        }
    }

    /// The transport of this generation has ended after [`Effect::Shut`].
    pub fn shut(&mut self, generation: u64) {
        if generation == self.generation && self.state == State::Closing {
            self.closed();
        }
    }

    fn closed(&mut self) {
        self.enter(State::Closed, "the transport has ended");
    }

    pub(super) fn next_handshake_exchange(&mut self) -> u64 {
        let exchange = self.exchanges.begin(Exchange::Handshake);
        exchange
    }
}
