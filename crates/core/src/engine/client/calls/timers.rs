//! Timers: what is due next, and what happens then. A login pauses the timeouts of the calls that wait for it, because the person
//! needs that time, not the server.

use crate::engine::client::Engine;
use crate::engine::client::deadlines::{Deadlines, Due};
use crate::engine::client::effect::{Effect, State};
use crate::engine::client::exchanges::{Exchange, LoginWait};
use crate::engine::{Error, Status, millis};
use crate::protocol::visible::visible;
use std::fmt::Write as _;
use std::time::Instant;

/// What a call was waiting for that no connection could take.
const NOT_READY: &str = "the server was not ready";

impl<T> Engine<T> {
    /// When [`Engine::tick`] is to be called next; `None` when nothing waits for time.
    pub fn next_deadline(&mut self) -> Option<Instant> {
        let mut deadlines = std::mem::take(&mut self.deadlines);
        let next = deadlines.next(|at, due| self.is_live(at, due));
        self.deadlines = deadlines;
        next
    }

    /// Does everything whose time has come.
    pub fn tick(&mut self, now: Instant) {
        while let Some((at, due)) = self.deadlines.pop_due(now) {
            if !self.is_live(at, due) {
                continue;
            }
            match due {
                Due::Call(id) => self.call_timed_out(now, id),
                Due::Connect(key) => self.connect_timed_out(now, key),
                Due::Handshake(exchange) => self.handshake_timed_out(now, exchange),
                Due::Attempt(_) => {
                    self.reconnection.begin();
                    self.open("the wait before the next attempt is over");
                }
                Due::Stable(_) => self.reconnection.stable(),
                Due::Listen(_) => self.listen_again(),
                Due::Task(id) => self.task_is_due(now, id),
                Due::StartCheck(_) => self.check_start_again(now),
                Due::BusyRetry(_) => self.send_held_back(now),
            }
        }
    }

    pub(crate) fn sweep_deadlines(&mut self) {
        let live = self.calls.len() + self.tasks.len() + self.waiters.len() + 4;
        let mut deadlines = std::mem::take::<Deadlines>(&mut self.deadlines);
        deadlines.sweep(live, |at, due| self.is_live(at, due));
        self.deadlines = deadlines;
    }

    fn is_live(&self, at: Instant, due: Due) -> bool {
        match due {
            Due::Call(id) => self.calls.is_due(id, at),
            Due::Connect(key) => self.waiters.is_due(key),
            Due::Handshake(exchange) => self.handshake.is_due(exchange, at),
            Due::Attempt(generation) => self.state == State::Backoff && self.generation == generation,
            Due::Stable(generation) => self.state == State::Ready && self.generation == generation,
            Due::Task(id) => self.state == State::Ready && self.tasks.is_due(id, at),
            Due::StartCheck(generation) => self.generation == generation && self.looks_for_life(),
            Due::BusyRetry(generation) => self.generation == generation && self.held_back.is_due(at),
            Due::Listen(generation) => {
                self.state == State::Ready && self.generation == generation && self.listens_again(at)
            }
        }
    }

    fn call_timed_out(&mut self, now: Instant, id: u64) {
        let Some(call) = self.calls.get(id) else { return };
        let elapsed = millis(now.saturating_duration_since(call.started));
        let method = call.method.clone();
        let awaited = call.exchange.is_some();
        // When both bounds are the same the call's own is the one to raise; the total grows with it.
        let whole = call.deadline >= call.latest && call.latest - call.started != call.timeout;
        let limit = if whole { millis(call.latest - call.started) } else { millis(call.timeout) };
        let (what, fix) = match (awaited, whole) {
            (false, _) if self.urls.awaits_server(id) => (
                "the server did not say that the page it wanted visited is done with",
                "call again when it is, or raise max_total_ms",
            ),
            (false, _) if self.rounds.holds(id) || self.urls.holds(id) => (
                "the application did not answer what the server asked",
                "answer the REQUEST messages of the queue, or raise max_total_ms",
            ),
            (false, _) if self.awaits_stream(id) => (
                "the server did not acknowledge the subscription",
                "raise timeout_ms for this call or timeouts in the config",
            ),
            (false, _) if self.tasks.holds(id) => {
                ("the task did not finish", "raise max_total_ms for this call or tasks.life_ms in the config")
            }
            (false, _) if self.held_back.holds(id) => (
                "the server was busy and accepted no further call",
                "call later, make fewer calls at one time, or raise timeout_ms",
            ),
            (false, _) if self.catalog.awaits(id) => (
                "the server did not list its tools, which this call needs to know",
                "raise timeout_ms for this call or timeouts in the config",
            ),
            (false, _) if call.stateful => (
                "earlier calls of stateful tools did not end",
                "they go out one at a time (tool_modes); raise timeout_ms, or call later",
            ),
            (false, _) => (NOT_READY, "raise timeout_ms if the server starts slowly"),
            (true, false) => {
                ("the server did not answer", "raise timeout_ms for this call or timeouts in the config")
            }
            (true, true) => {
                ("the server did not finish", "raise max_total_ms for this call or timeouts.max_total_ms")
            }
        };
        let not_ready = what == NOT_READY && self.state != State::Ready;
        let fix_at_once = if not_ready { String::new() } else { format!("; {fix}") };
        let mut message = format!("{what} within {limit} ms{fix_at_once}");
        let waiting = self.unanswered();
        if awaited && waiting > 0 {
            // Most likely why: the server waits for the application, which waits for the server.
            message = format!(
                "{message}. Requests of the server that wait for an answer of the application: {waiting}"
            );
        }
        if awaited {
            message.push_str(&self.what_came());
        }
        let mut error = Error::new(Status::Timeout, method.as_ref(), message)
            .with("limit_ms", limit)
            .with("elapsed_ms", elapsed)
            .with("state", self.state.as_str());
        if not_ready {
            error = self.explain_timeout(now, error, fix);
        }
        self.withdraw(id, "timeout");
        self.complete(now, id, Err(error));
    }

    /// What the server sent and no call could take: the answer that is missing may be among it.
    fn what_came(&self) -> String {
        let counts = [
            (self.counters.garbage_frames, "no message", "no messages"),
            (self.counters.unknown_answers, "an answer to no call", "answers to no call"),
            (self.counters.violations, "against the protocol", "against the protocol"),
        ];
        let mut said = String::new();
        for (count, one, many) in counts.into_iter().filter(|(count, ..)| *count > 0) {
            let (is, what) = if count == 1 { ("was", one) } else { ("were", many) };
            said.push_str(if said.is_empty() { ". Of what came so far, " } else { ", and " });
            let _never_fails = write!(said, "{count} {is} {what}");
        }
        if let Some(line) = self.stray_output.first_of_client() {
            let _never_fails = write!(said, "; the first that was no message: {}", visible(line));
        }
        if let Some(error) = self.stray_output.error() {
            let _never_fails = write!(said, "; an error that names no call: {}", visible(error));
        }
        said
    }

    fn connect_timed_out(&mut self, now: Instant, key: u64) {
        let Some((ticket, timeout)) = self.waiters.timed_out(key) else { return };
        let message = format!("the server was not ready within {timeout} ms");
        let error = Error::new(Status::Timeout, "connect", message).with("limit_ms", timeout);
        let error = self.explain_timeout(now, error, "allow more time; the attempt goes on");
        self.effects.push_back(Effect::Connected { ticket, outcome: Err(error) });
    }
}

impl<T> Engine<T> {
    /// An exchange waits for a login, or no longer does. Time that a person or the application needs does not count as the server's:
    /// meanwhile only the total of the call holds, and its timeout resumes afterwards. What the login asks servers counts, since who made the call
    /// waits for servers as before. A step of the handshake has all of the total for both: that its answer does not come says
    /// nothing about the MCP server.
    pub fn waits_for_login(&mut self, now: Instant, generation: u64, exchange: u64, wait: LoginWait) {
        if generation != self.generation {
            return;
        }
        let (waits, stops) = (wait != LoginWait::Over, wait == LoginWait::Person);
        match self.exchanges.get(exchange) {
            Some(Exchange::Call(id)) => {
                self.calls.set_logs_in(id, waits);
                self.stop_time(now, id, stops);
            }
            Some(Exchange::Task(id, step)) => {
                self.task_waits_for_login(now, id, step, stops);
            }
            Some(Exchange::Tools(_)) => self.list_waits_for_login(now, stops),
            Some(Exchange::Handshake) => {
                let total = self.settings.timeouts.max_total;
                let Some(until) = self.handshake.wait_for_login(now, exchange, (waits, stops), total) else {
                    return;
                };
                self.deadlines.add(until, Due::Handshake(exchange));
                // A thread that waits for the connection waits for the login.
                for id in self.calls.waiting() {
                    self.stop_time(now, id, stops);
                }
            }
            // What no call, step or list waits for.
            Some(
                Exchange::LateProbe
                | Exchange::Restore
                | Exchange::Listen
                | Exchange::Orphan
                | Exchange::TaskCancel,
            )
            | None => {}
        }
    }

    /// Stops the time of a call, or has it go on.
    pub(crate) fn stop_time(&mut self, now: Instant, id: u64, stops: bool) {
        let deadline = self.calls.stop_time(now, id, stops);
        self.guard_call(id, deadline);
    }

    /// The login is over: the timeout of every call resumes.
    pub(crate) fn resume_after_logins(&mut self, now: Instant) {
        for (id, deadline) in self.calls.end_logins(now) {
            self.guard_call(id, Some(deadline));
        }
    }
}
