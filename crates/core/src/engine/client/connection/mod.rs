//! The connection: opened, lost, reconnected, closed, and the state that the next one restores on the server. `docs/reference/lifecycle.md` has the table.
//!
//! The files:
//!
//! * `handshake`: part: `Handshake`
//! * `negotiation`: routes: does what the handshake wants next; what a connection that is not ready waits for
//! * `reconnection`: parts: `Reconnection`, `ConnectionWaiters`, `RestoredState`, `StrayOutput`: what lasts from one connection to the next

pub(super) mod handshake;
mod negotiation;
pub(super) mod reconnection;

use crate::engine::client::Engine;
use crate::engine::client::connection::handshake::Awaits;
use crate::engine::client::connection::reconnection::Retrial;
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{Effect, State};
use crate::engine::client::exchanges::{Exchange, ExchangeFailure, FailureKind};
use crate::engine::client::settings::Wire;
use crate::engine::telemetry::Failure;
use crate::engine::{Error, Level, Status, fields};
use crate::protocol::{Era, ParamsBuf, write};
use std::time::{Duration, Instant};

impl<T> Engine<T> {
    /// Opens the connection if there is none, and answers with one [`Effect::Connected`] when it is ready, when the attempt
    /// failed, or when `timeout` is over.
    pub fn connect(&mut self, now: Instant, timeout: Option<Duration>, ticket: T) {
        match self.state {
            State::Ready => self.effects.push_back(Effect::Connected { ticket, outcome: Ok(()) }),
            State::Closing | State::Closed => {
                let error = self.closed_error("connect");
                self.effects.push_back(Effect::Connected { ticket, outcome: Err(error) });
            }
            _ => {
                let key = self.waiters.add(ticket, timeout);
                if let Some(timeout) = timeout {
                    self.deadlines.add(now + timeout, Due::Connect(key));
                }
                if self.state == State::Idle {
                    self.open("the application connects");
                }
            }
        }
    }

    /// Asks for a transport of a new generation.
    pub(crate) fn open(&mut self, reason: &str) {
        self.generation += 1;
        self.reconnection.begin();
        self.stray_output.connection_begins();
        self.enter(State::Starting, reason);
        self.effects.push_back(Effect::Open { generation: self.generation, shape: self.handshake.shape() });
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
                if self.handshake.may_have_ended_because_of_probe(&self.settings) {
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

    /// The transport of this generation failed to start. Unlike [`Engine::lost`] this says nothing about
    /// the server's era.
    pub fn failed_to_start(&mut self, now: Instant, generation: u64, error: Error) {
        if generation == self.generation && matches!(self.state, State::Starting | State::Initializing) {
            self.attempt_failed(now, error, false);
        } else {
            self.lost(now, generation, error);
        }
    }

    /// `initialize` was refused in a way that servers of 2024-11-05 refuse it: opens the same place as their transport.
    fn fall_back(&mut self, now: Instant, error: Error) {
        let generation = self.generation;
        self.handshake.fall_back(error.message);
        self.infer_legacy("initialize was refused by HTTP status; trying HTTP+SSE");
        self.forget_connection(now);
        self.effects.push_back(Effect::Shut { generation });
        self.open("initialize was refused: trying the transport of 2024-11-05");
    }

    /// Everything that belonged to the connection that ended.
    fn forget_connection(&mut self, now: Instant) {
        self.trace_connection_end(now, None);
        self.handshake.connection_ended();
        self.resume_after_logins(now);
        self.exchanges.clear();
        self.forget_streams();
        self.tasks.connection_ended();
        self.catalog.connection_ended();
        self.end_session();
        for request in self.requests.connection_ended(self.settings.server_requests) {
            self.end_request_of_server(now, request.span, Some(Failure::named("transport")));
        }
    }

    /// Ends the calls that were under way, or has them wait for the next connection. Those that the server `refused`
    /// without looking at them may be sent again whatever they are.
    fn end_calls_of_connection(&mut self, now: Instant, error: &Error, refused: &[u64]) {
        // Of these the server did nothing.
        let held_back = self.held_back.end();
        self.forget_connection(now);
        let comes_back = self.settings.reconnect.is_some();
        for id in self.calls.ids() {
            let in_round = self.rounds.holds(id) || self.urls.holds(id);
            let is_task = self.tasks.holds(id);
            self.calls.leave_exchange(id);
            let Some(call) = self.calls.get(id) else { continue };
            if comes_back && !call.stateful && is_task {
                // A task outlives the connection and is polled on the next one. (A stateful tool's belongs to the session.)
                continue;
            }
            let again = comes_back
                && !call.stateful
                && call.retries < self.settings.max_retries
                && !in_round
                && call.stored.as_ref().is_some_and(|stored| {
                    refused.contains(&id)
                        || held_back.binary_search(&id).is_ok()
                        || self.may_repeat(&call.method, stored.text(), call.retry)
                });
            if again {
                self.counters.retries += 1;
                self.calls.retry(id);
                // What came of a list before belongs to another connection.
                self.pages.forget(id);
                self.calls.enqueue(id);
            } else {
                self.end_call(now, id, error);
            }
        }
        // The next server may be another one.
        self.catalog.forget();
    }

    fn connection_lost(&mut self, now: Instant, error: Error) {
        self.trace_connection_end(now, Some(&error));
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
        mut failure: ExchangeFailure,
    ) -> bool {
        if generation != self.generation {
            return true;
        }
        if self.state != State::Ready {
            self.lost(now, generation, failure.error);
            return true;
        }
        let what = exchange.and_then(|exchange| self.exchanges.get(exchange));
        if let Some(Exchange::Call(id)) = what
            && !self.calls.renew(id)
        {
            // What the server says in an error of its own is the outcome: it is about the call.
            failure.kind = FailureKind::Refused;
            failure.error.message.push_str("; it said so again on a new session");
            failure.error = failure.error.with("sent", true);
            self.exchange_failed(now, generation, exchange.unwrap_or_default(), failure);
            return false;
        }
        let error = failure.error;
        let refused = match what {
            Some(Exchange::Call(call)) => vec![call],
            Some(Exchange::Tools(_)) => self.catalog.waiting(),
            _ => Vec::new(),
        };
        self.end_calls_of_connection(now, &error, &refused);
        if !self.reconnection.opens_at_once(self.settings.reconnect.as_ref(), &error) {
            // It ended before it was stable: not again and again without a pause.
            self.back_off(now, error);
            return true;
        }
        self.effects.push_back(Effect::Shut { generation });
        self.open(&error.message);
        true
    }

    /// An attempt to connect failed. After a `permanent` failure there is no further attempt.
    pub(crate) fn attempt_failed(&mut self, now: Instant, mut error: Error, permanent: bool) {
        error = self.stray_output.explain(error);
        self.stray_output.forget();
        self.counters.failed_attempts += 1;
        self.trace_connection_end(now, Some(&error));
        self.forget_connection(now);
        self.log(Level::Warn, "connection.failed", || {
            fields([("error", error.message.as_str().into()), ("permanent", permanent.into())])
        });
        self.discard_assumed_era();
        if self.state == State::Initializing {
            // What was remembered or inferred of the era may be why the handshake failed; ask again next time.
            self.handshake.forget_era();
        }
        self.handshake.attempt_failed(&mut error);
        self.end_connects(&Err(error.of("connect")));
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
        let reason = error.message.clone();
        match self.reconnection.failed(now, self.settings.reconnect.as_ref(), error) {
            Retrial::GivenUp(why, error) => self.give_up(now, error, why),
            Retrial::At(at) => {
                self.deadlines.add(at, Due::Attempt(self.generation));
                self.enter(State::Backoff, reason);
            }
        }
    }

    /// No further attempt: everything that still waits ends, and the client is closed.
    fn give_up(&mut self, now: Instant, error: Error, why: &str) {
        self.complete_all(now, &error);
        let reason = format!("{why}: {}", error.message);
        self.reconnection.end(Some(error));
        self.enter(State::Closed, reason);
    }

    /// The handshake is done.
    fn become_ready(&mut self, now: Instant) {
        self.end_late_probe();
        // `initialize` is still under way where the probe was answered late.
        self.leave_step(now);
        self.reconnection.ready();
        self.stray_output.forget();
        self.handshake.done();
        if self.handshake.facts().tolerated {
            self.tolerated(
                "the revision, the capabilities or the name of the server in its answer to the handshake",
            );
        }
        self.counters.connections += 1;
        self.trace_session(now);
        let revision = self.revision().map_or("", |revision| revision.as_str());
        self.enter(State::Ready, format!("the handshake is done, revision {revision}"));
        // This resets the count of failed attempts. With a count of zero the deadline would only wake the thread that drives.
        if let Some(policy) = &self.settings.reconnect
            && self.reconnection.attempts() > 0
        {
            self.deadlines.add(now + policy.stable, Due::Stable(self.generation));
        }
        self.end_connects(&Ok(()));
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
                self.reconnection.end(None);
                self.end_waiters(now);
                self.enter(State::Closed, "closed by the application");
                return;
            }
            State::Starting | State::Initializing | State::Ready => {}
        }
        self.reconnection.end(None);
        self.forget_connection(now);
        self.end_waiters(now);
        self.enter(State::Closing, "closed by the application");
        self.effects.push_back(Effect::Shut { generation: self.generation });
    }

    fn end_waiters(&mut self, now: Instant) {
        let error = Error::new(Status::Closed, "close", "the client was closed while the call was under way");
        self.complete_all(now, &error);
        let error = Error::new(Status::Closed, "connect", "the client was closed while it connected");
        self.end_connects(&Err(error));
    }

    fn end_connects(&mut self, outcome: &Result<(), Error>) {
        for ticket in self.waiters.end() {
            self.effects.push_back(Effect::Connected { ticket, outcome: outcome.clone() });
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
}

impl<T> Engine<T> {
    /// Whether one more may wait for the connection without a thread that does.
    ///
    /// # Errors
    /// `CLOSED`; `BACKPRESSURE` when as many wait as calls may be under way.
    pub fn may_start_connect(&self) -> Result<(), Error> {
        if matches!(self.state, State::Closing | State::Closed) {
            return Err(self.closed_error("connect"));
        }
        let bound = self.settings.in_flight;
        if self.waiters.len() >= bound {
            let message = format!(
                "limit reached: {bound} callers wait for the connection (limits.in_flight); wait for one to end or raise the limit"
            );
            return Err(Error::new(Status::Backpressure, "connect", message).with("in_flight", bound));
        }
        Ok(())
    }

    /// Whether the caller that `is_it` waits for the connection.
    pub fn is_connecting(&self, is_it: impl Fn(&T) -> bool) -> bool {
        self.waiters.has(is_it)
    }

    /// Cancels the wait of the caller that `is_it`; the attempt to connect continues. Returns whether that caller waited.
    pub fn cancel_connect(&mut self, is_it: impl Fn(&T) -> bool, reason: &str) -> bool {
        let Some(ticket) = self.waiters.cancel(is_it) else { return false };
        let message = match reason {
            "" => "cancelled by the application".to_owned(),
            reason => format!("cancelled by the application: {reason}"),
        };
        let outcome = Err(Error::new(Status::Cancelled, "connect", message));
        self.effects.push_back(Effect::Connected { ticket, outcome });
        true
    }
}

impl<T> Engine<T> {
    /// The handshake is done but for what is said again first: over HTTP a call could overtake it, so that calls wait for the
    /// answers, for a bounded time.
    fn restore_first(&mut self, now: Instant) {
        if self.settings.wire == Wire::Http && self.restore() {
            return self.wait_in_handshake(now, Awaits::Restored);
        }
        self.become_ready(now);
    }

    /// An answer to something that was restored is there, or will not come.
    pub(crate) fn restored(&mut self, now: Instant) {
        let awaited = self.handshake.step().is_some_and(|step| step.awaits == Awaits::Restored);
        if awaited && !self.exchanges.restore() {
            self.become_ready(now);
        }
    }

    /// Says again what the connection before was told. Says whether there was anything.
    pub(crate) fn restore(&mut self) -> bool {
        if self.era() != Some(Era::Legacy) {
            return false;
        }
        let requests = self.restore.requests();
        let any = !requests.is_empty();
        for (method, params) in requests {
            let exchange = self.exchanges.begin(Exchange::Restore);
            let params = ParamsBuf::written(method, params);
            self.send(write::request(exchange, method, Some(params.view()), ""));
        }
        any
    }

    /// A server refused to be told again, or did not hear it.
    pub(crate) fn not_restored(&mut self, now: Instant, why: &str) {
        self.restore_failed(why);
        self.restored(now);
    }

    /// Something is not restored.
    pub(crate) fn restore_failed(&mut self, why: &str) {
        self.log(Level::Warn, "connection.restore_failed", || fields([("error", why.into())]));
    }
}
