//! Exchanges that travel alone (HTTP): each may fail by itself, and what was begun for it is ended with it.

use super::counters::Level;
use super::deadlines::Due;
use super::effect::Effect;
use super::settings::Wire;
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::protocol::error_code;
use std::time::Instant;

/// How an exchange failed, as far as it matters for what to do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// Nothing was sent: the server cannot be reached.
    Unreachable,
    /// The server answered with something that is no answer of the protocol.
    Refused,
    /// It was sent, and its answer will not come.
    Lost,
}

/// A JSON-RPC error that came outside a message of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// `error.code`.
    pub code: i64,
    /// `error.message`, decoded.
    pub message: String,
    /// `error.data`, JSON text.
    pub data: Option<String>,
}

/// Why an exchange ended without an answer.
#[derive(Clone, Debug)]
pub struct Failure {
    /// How.
    pub kind: FailureKind,
    /// The whole story.
    pub error: Error,
    /// The HTTP status, if there was one that is to be judged.
    pub http: Option<u16>,
    /// The JSON-RPC error that came with it.
    pub spoken: Option<Spoken>,
}

/// What a login that an exchange waits for waits for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginWait {
    /// A person, the application, or the store.
    Person,
    /// An authorization server, or a document.
    Servers,
    /// Nothing: it is over.
    Over,
}

impl<T> Engine<T> {
    /// Whether the answer of this exchange is still awaited on the connection of this generation.
    pub fn is_under_way(&self, generation: u64, exchange: u64) -> bool {
        generation == self.generation && self.exchanges.contains_key(&exchange)
    }

    /// An exchange is over for the engine; if its answer has not come it is not wanted any more.
    pub(super) fn end_exchange(&mut self, exchange: u64) {
        if self.exchanges.remove(&exchange).is_some() && self.settings.wire == Wire::Http {
            self.effects.push_back(Effect::Abort { exchange });
        }
    }

    /// An exchange waits for a login, or no longer does. The time of a person or the application does not count as the server's: a
    /// call then has all of its total, and goes on with the time it had. What the login asks servers counts, since who made the call
    /// waits for servers as before. A step of the handshake has all of the total for both: that its answer does not come says
    /// nothing about the MCP server.
    pub fn waits_for_login(&mut self, now: Instant, generation: u64, exchange: u64, wait: LoginWait) {
        if generation != self.generation {
            return;
        }
        let (waits, stops) = (wait != LoginWait::Over, wait == LoginWait::Person);
        match self.exchanges.get(&exchange) {
            Some(Exchange::Call(id)) => {
                let id = *id;
                if let Some(call) = self.calls.get_mut(&id) {
                    call.logs_in = waits;
                }
                self.stop_time(now, id, stops);
                self.sweep_deadlines();
            }
            Some(Exchange::Task(id, step)) => {
                let (id, step) = (*id, *step);
                self.task_waits_for_login(now, id, step, stops);
            }
            Some(Exchange::Tools(_)) => self.list_waits_for_login(now, stops),
            Some(Exchange::Handshake) => {
                let total = self.settings.timeouts.max_total;
                let Some(step) = self.handshake.as_mut().filter(|step| step.exchange == exchange) else {
                    return;
                };
                step.until = now + if waits { total } else { step.limit() };
                step.logs_in = stops;
                let until = step.until;
                self.deadlines.add(until, Due::Handshake(exchange));
                // Whoever waits for the connection waits for the login.
                let ids: Vec<u64> = self.waiting.iter().copied().collect();
                for id in ids {
                    self.stop_time(now, id, stops);
                }
                self.sweep_deadlines();
            }
            _ => {}
        }
    }

    /// Stops the time of a call, up to its total; or has it go on with what was left of it then.
    pub(super) fn stop_time(&mut self, now: Instant, id: u64, stops: bool) {
        let Some(call) = self.calls.get_mut(&id) else { return };
        call.deadline = match (stops, call.left.take()) {
            (true, left) => {
                call.left = left.or(Some(call.deadline.saturating_duration_since(now)));
                call.latest
            }
            (false, Some(left)) => (now + left).min(call.latest),
            // It was never stopped.
            (false, None) => return,
        };
        let deadline = call.deadline;
        self.deadlines.add(deadline, Due::Call(id));
    }

    /// What somebody logged in for is over: every call's time goes on.
    pub(super) fn no_login_any_more(&mut self, now: Instant) {
        let stopped = self.calls.iter().filter(|(_, call)| call.left.is_some() || call.logs_in);
        let stopped: Vec<u64> = stopped.map(|(id, _)| *id).collect();
        for id in stopped {
            if let Some(call) = self.calls.get_mut(&id) {
                call.logs_in = false;
            }
            self.stop_time(now, id, false);
        }
    }

    /// An exchange has ended and there will be no answer. Nothing happens if it was answered before.
    pub fn exchange_failed(&mut self, now: Instant, generation: u64, exchange: u64, failure: Failure) {
        if generation != self.generation {
            return;
        }
        let Some(what) = self.exchanges.remove(&exchange) else { return };
        match what {
            Exchange::Handshake => self.handshake_failed(now, failure),
            Exchange::LateProbe => self.late_probe = None,
            Exchange::Restore => self.not_restored(now, &failure.error.message),
            Exchange::Tools(call) => self.tools_failed(now, call, &failure.error.message),
            Exchange::Listen => {
                self.stream_ended(now, exchange, &failure.error.message);
                if failure.kind == FailureKind::Unreachable && !self.calls_are_under_way() {
                    self.lost(now, generation, failure.error);
                }
            }
            Exchange::Task(call, step) => self.task_request_failed(now, call, step, failure),
            Exchange::Orphan | Exchange::TaskCancel => self.task_cancel_answered(exchange, None),
            Exchange::Call(call) => self.call_failed(now, call, failure),
        }
    }

    pub(super) fn calls_are_under_way(&self) -> bool {
        self.exchanges.values().any(|what| matches!(what, Exchange::Call(_) | Exchange::Task(..)))
    }

    fn call_failed(&mut self, now: Instant, id: u64, failure: Failure) {
        let Some(call) = self.calls.get_mut(&id) else { return };
        call.exchange = None;
        let Failure { kind, error, http, spoken } = failure;
        if kind == FailureKind::Unreachable {
            call.sent = call.sent_before;
        }
        let authorizes = error.status == Status::Auth;
        if let Some(spoken) = spoken.filter(|_| !authorizes) {
            return self.call_refused(now, id, spoken, http);
        }
        if kind == FailureKind::Unreachable && !self.calls_are_under_way() {
            // Nothing else tells that the server is still there.
            return self.lost(now, self.generation, error);
        }
        let again = kind == FailureKind::Lost
            && self.calls.get(&id).is_some_and(|call| {
                call.retries < self.settings.max_retries
                    && call.stored.as_ref().is_some_and(|stored| {
                        self.may_repeat(&call.method, stored.params.as_deref(), call.retry)
                    })
            });
        if again {
            self.counters.retries += 1;
            if let Some(call) = self.calls.get_mut(&id) {
                call.retries += 1;
            }
            return self.write_stored(id);
        }
        let Some(call) = self.calls.get(&id) else { return };
        let reply = Err(error.of(&call.method));
        self.complete(now, id, reply);
    }

    /// The server refused a call with an error of the protocol.
    pub(super) fn call_refused(&mut self, now: Instant, id: u64, spoken: Spoken, http: Option<u16>) {
        if spoken.code == error_code::HEADER_MISMATCH && self.list_anew(now, id) {
            return;
        }
        let page_refused = match self.wants_visits(now, id, &spoken, http) {
            Ok(()) => return,
            Err(why) => why,
        };
        let Some(call) = self.calls.get(&id) else { return };
        let mut error = Error::new(Status::Server, call.method.as_ref(), spoken.message);
        error.code = Some(spoken.code);
        error.data = spoken.data;
        if let Some(status) = http {
            error = error.with("http_status", status);
        }
        if let Some(why) = page_refused {
            error = error.with("not_visited", why);
        }
        self.complete(now, id, Err(error));
    }

    /// Sends a call's request (again), as a new exchange.
    pub(super) fn write_stored(&mut self, id: u64) {
        let Some(stored) = self.calls.get_mut(&id).and_then(|call| call.stored.take()) else { return };
        // What came of a list before is asked for again.
        self.pages.remove(&id);
        // Checked when the call was made.
        let params =
            stored.params.as_deref().and_then(|text| crate::protocol::Params::check(text, usize::MAX).ok());
        self.write_call(id, params, &stored.meta);
        if let Some(call) = self.calls.get_mut(&id) {
            call.stored = Some(stored);
        }
    }

    /// An answer to a request that is not under way, or no more.
    pub(super) fn unmatched(&mut self, id: u64) {
        let event = if id < self.next_exchange && id > 0 {
            self.counters.late_answers += 1;
            "response.late"
        } else {
            self.counters.unknown_answers += 1;
            "response.unknown"
        };
        self.log(Level::Info, event, || fields([("id", id.into())]));
    }
}
