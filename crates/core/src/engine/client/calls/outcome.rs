//! What the outcome of an exchange means for the call that it belongs to. A call that is refused with -32010 is held back and sent
//! again; a status of HTTP, such as 429, decides nothing of that.

use crate::engine::client::Engine;
use crate::engine::client::calls::{PendingCall, StoredRequest};
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{ResultBody, State};
use crate::engine::client::exchanges::{ExchangeFailure, FailureKind, RpcError};
use crate::engine::client::frames::ResultFrame;
use crate::engine::client::settings::Retry;
use crate::engine::{Error, Level, Status, excerpt, fields};
use crate::json::{self, Span, Value};
use crate::protocol::envelope::text;
use crate::protocol::{error_code, method};
use std::time::Instant;

/// What a modern result is.
enum ResultKind {
    Complete,
    InputRequired,
    Task,
    /// What an extension brought.
    Extended,
    Unknown(String),
}

impl<T> Engine<T> {
    /// A call was answered with a result.
    pub(crate) fn call_answered(&mut self, now: Instant, call: u64, answered: ResultFrame) {
        let ResultFrame { frame, result, result_type } = answered;
        self.note_undeclared(call, &frame);
        let reply = match self.kind_of(call, result.span, result_type, &frame) {
            ResultKind::Complete => match self.check_result(call, &frame, result) {
                Err(error) => Err((error, frame)),
                Ok(rewritten) => {
                    let (frame, span) = match rewritten {
                        Some(text) => (text.into_bytes(), None),
                        None => (frame, Some(result.span)),
                    };
                    let span = span.unwrap_or(Span { start: 0, end: frame.len() });
                    match self.page(now, call, frame, span) {
                        Some(Err(error)) => Err((error, Vec::new())),
                        Some(Ok(body)) => Ok(body),
                        None => return,
                    }
                }
            },
            ResultKind::InputRequired => match self.input_required(now, call, text(&frame, result.span)) {
                Ok(()) => return,
                Err(error) => Err((error, frame)),
            },
            ResultKind::Task => match self.task_created(now, call, text(&frame, result.span)) {
                Ok(()) => return,
                Err(error) => Err((error, frame)),
            },
            ResultKind::Extended => Ok(ResultBody { extended: true, ..ResultBody::new(frame, result.span) }),
            ResultKind::Unknown(kind) => {
                let Some(call) = self.calls.get(call) else { return };
                let what = format!(
                    "the result is of the unknown type {kind}; types that an extension brings are named in the \
                     config (capabilities.extensions, result_types)"
                );
                Err((Error::new(Status::Protocol, call.method.as_ref(), what), frame))
            }
        };
        let reply = reply.map_err(|(error, frame)| {
            self.violation(&error.message, &frame);
            error
        });
        self.complete(now, call, reply);
    }

    /// Modern results have a type; a task of the core form is recognized by its members.
    fn kind_of(&self, call: u64, result: Span, result_type: Option<Value>, frame: &[u8]) -> ResultKind {
        let typed = self.revision().is_some_and(|revision| revision.differences().result_type);
        let written = result_type.filter(|_| typed).map(|kind| kind.span);
        // What nearly every result says is not worth decoding.
        let kind = written.and_then(|kind| match kind.of(frame) {
            b"\"complete\"" => Some("complete".into()),
            _ => json::string(text(frame, kind)),
        });
        if self.is_task(call, || text(frame, result), kind.as_deref()) {
            return ResultKind::Task;
        }
        let Some(written) = written else { return ResultKind::Complete };
        match kind.as_deref() {
            Some("complete") => ResultKind::Complete,
            Some("input_required") => ResultKind::InputRequired,
            Some(kind) if self.is_declared_result(call, kind) => ResultKind::Extended,
            _ => ResultKind::Unknown(excerpt(text(frame, written))),
        }
    }

    pub(crate) fn call_failed(&mut self, now: Instant, id: u64, failure: ExchangeFailure) {
        self.calls.leave_exchange(id);
        let ExchangeFailure { kind, error, http, spoken } = failure;
        if kind == FailureKind::Unreachable {
            self.calls.was_not_sent(id);
        }
        let authorizes = error.status == Status::Auth;
        if let Some(spoken) = spoken.filter(|_| !authorizes) {
            return self.call_refused(now, id, spoken, http);
        }
        if self.server_is_gone(kind) {
            return self.lost(now, self.generation, error);
        }
        let again = kind == FailureKind::Lost
            && self.calls.get(id).is_some_and(|call| {
                call.retries < self.settings.max_retries
                    && call
                        .stored
                        .as_ref()
                        .is_some_and(|stored| self.may_repeat(&call.method, stored.text(), call.retry))
            });
        if again {
            self.counters.retries += 1;
            self.calls.retry(id);
            return self.write_stored(now, id);
        }
        self.end_call(now, id, &error);
    }

    /// The server refused a call with an error of the protocol.
    pub(crate) fn call_refused(&mut self, now: Instant, id: u64, spoken: RpcError, http: Option<u16>) {
        if spoken.code == error_code::HEADER_MISMATCH && self.list_again_for(now, id) {
            return;
        }
        #[cfg(feature = "draft")]
        if self.settings.draft.is_any() && self.refused_by_draft(now, id, &spoken) {
            return;
        }
        if self.hold_back(now, id, &spoken) {
            return;
        }
        let page_refused = match self.ask_for_visits(now, id, &spoken, http) {
            Ok(()) => return,
            Err(why) => why,
        };
        if let Some(error) = self.undeclared(id, spoken.code, &spoken.message) {
            return self.complete(now, id, Err(error));
        }
        let Some(call) = self.calls.get(id) else { return };
        let is_busy = spoken.code == error_code::BUSY;
        let status = if is_busy { Status::Backpressure } else { Status::Server };
        let mut error = Error::new(status, call.method.as_ref(), spoken.message);
        if is_busy {
            error = error.retryable(is_retryable(spoken.data.as_deref()));
        }
        error.code = Some(spoken.code);
        error.data = spoken.data;
        #[cfg(feature = "draft")]
        let mut error = self.explained(error);
        if let Some(status) = http {
            error = error.with("http_status", status);
        }
        if let Some(why) = page_refused {
            error = error.with("not_visited", why);
        }
        self.complete(now, id, Err(error));
    }

    /// Sends a call's request (again), as a new exchange.
    pub(crate) fn write_stored(&mut self, now: Instant, id: u64) {
        let Some(stored) = self.calls.take_stored(id) else { return };
        // What came of a list before is asked for again.
        self.pages.forget(id);
        self.write_call(now, id, stored.view(), &stored.meta);
        self.calls.store(id, stored);
    }
}

/// Whether the data of an error says that the same request may be sent again.
fn is_retryable(data: Option<&str>) -> bool {
    data.and_then(|data| json::member(data, "retryable")) == Some("true")
}

impl<T> Engine<T> {
    /// A call was refused because the server has no place for it. Says whether it waits for one: not if its request is not kept.
    fn hold_back(&mut self, now: Instant, id: u64, spoken: &RpcError) -> bool {
        if spoken.code != error_code::BUSY
            || self.state != State::Ready
            || !is_retryable(spoken.data.as_deref())
            || self.calls.get(id).is_none_or(|call| call.stored.is_none())
        {
            return false;
        }
        self.calls.leave_exchange(id);
        // It did nothing of it.
        self.calls.was_not_sent(id);
        self.calls.joins_part(id);
        if let Some(due) = self.held_back.refused(now, id, self.exchanges.count()) {
            self.deadlines.add(due, Due::BusyRetry(self.generation));
        }
        self.log(Level::Debug, "request.held_back", || {
            fields([("call", id.into()), ("message", spoken.message.as_str().into())])
        });
        true
    }

    /// Whether a new call has to wait behind others. It does then.
    pub(crate) fn queue_behind_held_back(&mut self, id: u64) -> bool {
        let waits = self.state == State::Ready && self.held_back.is_any();
        if waits {
            self.calls.joins_part(id);
            self.held_back.add(id);
        }
        waits
    }

    /// An exchange has ended: calls that waited for a place go out.
    pub(crate) fn retry_held_back(&mut self, now: Instant, was_answered: bool) {
        if !self.held_back.is_any() {
            return;
        }
        if was_answered {
            self.held_back.answered();
        }
        self.send_held_back(now);
    }

    /// Sends the calls for which there is a place; one in any case when its wait is over.
    pub(crate) fn send_held_back(&mut self, now: Instant) {
        while self.state == State::Ready
            && let Some((id, was_sent)) = self.held_back.next(now, self.exchanges.count())
        {
            if was_sent {
                self.write_stored(now, id);
            } else if let Some(stored) = self.calls.take_stored(id) {
                self.dispatch(now, id, stored.view(), &stored.meta);
                self.calls.store(id, stored);
            }
        }
        if let Some(due) = self.held_back.wait(now) {
            self.deadlines.add(due, Due::BusyRetry(self.generation));
        }
    }
}

impl<T> Engine<T> {
    /// Says in a call's error whether a byte of it may have left. Nothing is marked as worth trying again that the server may
    /// be doing already, unless doing it twice does no harm.
    pub(crate) fn mark_sent_and_retryable(&self, call: &PendingCall<T>, error: &mut Error, was_task: bool) {
        error.details.insert("sent".to_owned(), call.sent.into());
        // With these nothing is known of what the server did. It says so itself when it is busy; but what became of a request
        // about a task says nothing of the task, which may be running.
        let unknown = match error.status {
            Status::Timeout | Status::Transport => true,
            // Gateways also say so when they lost the server in the middle of its work.
            Status::Unavailable => !error.details.contains_key("retry_after_s"),
            _ => false,
        };
        let in_doubt = was_task || unknown;
        if in_doubt && call.sent && !self.is_safe_to_repeat(call) {
            error.retryable = false;
        }
    }

    fn is_safe_to_repeat(&self, call: &PendingCall<T>) -> bool {
        let params = call.stored.as_ref().and_then(StoredRequest::text);
        method::is_safe(&call.method)
            || call.method == method::TASKS_RESULT
            || self.may_repeat(&call.method, params, Retry::Safe)
    }
}
