//! How exchanges end. The one place where the kind of an exchange and its outcome meet is [`Engine::exchange_ended`].

use super::counters::Level;
use super::effect::Effect;
use super::exchanges::{Exchange, Failure, FailureKind, Spoken, Unmatched};
use super::settings::Wire;
use super::status::Error;
use super::{Engine, fields};
use crate::json::Value;
use crate::protocol::Id;
use crate::protocol::envelope::text;
use crate::protocol::error_code;
use crate::protocol::probe::Answer;
use std::time::Instant;

/// A result, in the frame that it came in.
pub(super) struct Answered {
    pub(super) frame: Vec<u8>,
    pub(super) result: Value,
    pub(super) result_type: Option<Value>,
}

impl Answered {
    /// The result's text.
    pub(super) fn text(&self) -> &str {
        text(&self.frame, self.result.span)
    }
}

/// How an exchange ended.
pub(super) enum Outcome<'w> {
    /// With a result.
    Result(Answered),
    /// With a JSON-RPC error.
    Refused(Spoken),
    /// With an answer that breaks a rule, or was thrown away for its size: a call ends with `error`, and the rest is told `why`.
    Unusable { error: Error, why: &'w str },
    /// Without an answer (HTTP).
    Failed(Failure),
}

impl<T> Engine<T> {
    /// What follows from the end of an exchange.
    fn exchange_ended(&mut self, now: Instant, exchange: u64, what: Exchange, outcome: Outcome<'_>) {
        match (what, outcome) {
            (Exchange::Call(call), Outcome::Result(answered)) => self.call_answered(now, call, answered),
            (Exchange::Call(call), Outcome::Refused(spoken)) => self.call_refused(now, call, spoken, None),
            (Exchange::Call(call), Outcome::Unusable { error, .. }) => self.end_call(now, call, &error),
            (Exchange::Call(call), Outcome::Failed(failure)) => self.call_failed(now, call, failure),

            (Exchange::Task(call, step), Outcome::Result(Answered { frame, result, .. })) => {
                self.task_answered(now, call, step, frame, result.span);
            }
            (Exchange::Task(call, step), Outcome::Refused(spoken)) => {
                self.task_refused(now, call, step, spoken);
            }
            (Exchange::Task(call, step), Outcome::Unusable { error, .. }) => {
                self.task_unusable(now, call, step, &error);
            }
            (Exchange::Task(call, step), Outcome::Failed(failure)) => {
                self.task_request_failed(now, call, step, failure);
            }

            (Exchange::Handshake, Outcome::Result(answered)) => {
                self.handshake_ended(now, |part, settings| part.answered(answered.text(), settings));
            }
            (Exchange::Handshake, Outcome::Refused(spoken)) => {
                self.handshake_ended(now, |part, settings| part.refused(&spoken, settings));
            }
            (Exchange::Handshake, Outcome::Unusable { why, .. }) => {
                self.handshake_ended(now, |part, settings| part.unusable(why, settings));
            }
            (Exchange::Handshake, Outcome::Failed(failure)) => {
                self.handshake_ended(now, |part, settings| part.failed(failure, settings));
            }

            (Exchange::LateProbe, Outcome::Result(answered)) => {
                self.late_probe_answered(now, exchange, Answer::Result(answered.text()));
            }
            (Exchange::LateProbe, Outcome::Refused(Spoken { code, data, .. })) => {
                self.late_probe_answered(now, exchange, Answer::Error { code, data: data.as_deref() });
            }
            (Exchange::LateProbe, Outcome::Unusable { .. }) => {
                self.late_probe_answered(now, exchange, Answer::Closed);
            }
            (Exchange::LateProbe, Outcome::Failed(_)) => self.end_late_probe(),

            (Exchange::Restore, Outcome::Result(_)) => self.restored(now),
            (Exchange::Restore, Outcome::Refused(spoken)) => self.not_restored(now, &spoken.message),
            (Exchange::Restore, Outcome::Unusable { why, .. }) => self.not_restored(now, why),
            (Exchange::Restore, Outcome::Failed(failure)) => self.not_restored(now, &failure.error.message),

            (Exchange::Tools(call), Outcome::Result(answered)) => {
                self.tools_listed(now, call, answered.text());
            }
            (Exchange::Tools(call), Outcome::Refused(spoken)) => {
                self.tools_failed(now, call, &spoken.message);
            }
            (Exchange::Tools(call), Outcome::Unusable { why, .. }) => self.tools_failed(now, call, why),
            (Exchange::Tools(call), Outcome::Failed(failure)) => {
                self.tools_failed(now, call, &failure.error.message);
            }

            (Exchange::Listen, Outcome::Result(_)) => {
                self.stream_ended(now, exchange, "the server ended it");
            }
            (Exchange::Listen, Outcome::Refused(Spoken { code, message, .. })) => {
                self.stream_ended(now, exchange, &format!("{message} (code {code})"));
            }
            (Exchange::Listen, Outcome::Unusable { why, .. }) => {
                self.stream_ended(now, exchange, why);
            }
            (Exchange::Listen, Outcome::Failed(Failure { kind, error, .. })) => {
                self.stream_ended(now, exchange, &error.message);
                if self.server_is_gone(kind) {
                    self.lost(now, self.generation, error);
                } else if kind == FailureKind::Lost {
                    // That refuses nothing.
                    self.listen_unless_open(now);
                }
            }

            (Exchange::Orphan, Outcome::Result(answered)) => {
                self.orphan_answered(exchange, Some(answered.text()));
            }
            (Exchange::Orphan, Outcome::Refused(_)) => self.orphan_answered(exchange, None),
            (Exchange::TaskCancel, Outcome::Refused(spoken)) => {
                self.task_cancel_answered(exchange, Some(&spoken.message));
            }
            (Exchange::TaskCancel, Outcome::Result(_))
            | (Exchange::Orphan | Exchange::TaskCancel, Outcome::Unusable { .. }) => {
                self.task_cancel_answered(exchange, None);
            }
            (Exchange::Orphan | Exchange::TaskCancel, Outcome::Failed(_)) => self.tasks.aside_lost(exchange),
        }
    }

    /// An answer with this id came.
    pub(super) fn answered(&mut self, now: Instant, id: &Id, outcome: Outcome<'_>) {
        match self.exchanges.answered(id) {
            Ok((exchange, what)) => {
                let is_busy = matches!(&outcome, Outcome::Refused(spoken) if spoken.code == error_code::BUSY);
                self.exchange_ended(now, exchange, what, outcome);
                self.place_may_be_free(now, !is_busy);
            }
            Err(unmatched) => self.unmatched(unmatched),
        }
    }

    /// An exchange has ended and there will be no answer. Nothing happens if it was answered before.
    pub fn exchange_failed(&mut self, now: Instant, generation: u64, exchange: u64, failure: Failure) {
        if generation != self.generation {
            return;
        }
        let Some(what) = self.exchanges.end(exchange) else { return };
        self.exchange_ended(now, exchange, what, Outcome::Failed(failure));
        self.place_may_be_free(now, false);
    }

    /// An answer that belongs to no exchange under way is dropped and counted.
    pub(super) fn unmatched(&mut self, unmatched: Unmatched) {
        let (counter, level, event, id) = match unmatched {
            Unmatched::Late(id) => (&mut self.counters.late_answers, Level::Info, "response.late", id.into()),
            Unmatched::Unknown(id) => {
                (&mut self.counters.unknown_answers, Level::Info, "response.unknown", id.into())
            }
            Unmatched::Foreign => {
                let id = "not one of ours".into();
                (&mut self.counters.unknown_answers, Level::Warn, "response.unknown", id)
            }
        };
        *counter += 1;
        self.log(level, event, || fields([("id", id)]));
    }

    /// Whether a failure of this kind says that the server is gone: no other exchange tells that it is still there.
    pub(super) fn server_is_gone(&self, kind: FailureKind) -> bool {
        kind == FailureKind::Unreachable && !self.exchanges.are_of_calls()
    }

    /// Ends a call with this failure.
    pub(super) fn end_call(&mut self, now: Instant, id: u64, error: &Error) {
        let Some(call) = self.calls.get(id) else { return };
        let reply = Err(error.of(&call.method));
        self.complete(now, id, reply);
    }

    /// Whether the answer of this exchange is still awaited on the connection of this generation.
    pub fn is_under_way(&self, generation: u64, exchange: u64) -> bool {
        generation == self.generation && self.exchanges.get(exchange).is_some()
    }

    /// An exchange is over for the engine; if its answer has not come it is not wanted any more.
    pub(super) fn end_exchange(&mut self, exchange: u64) {
        if self.exchanges.end(exchange).is_some() && self.settings.wire == Wire::Http {
            self.effects.push_back(Effect::Abort { exchange });
        }
    }
}
