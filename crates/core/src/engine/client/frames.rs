//! Frames from the server, each to its place: an answer to what it answers, the rest to the application, what breaks a rule or a
//! bound counted and logged. No frame ends the connection; `docs/reference/lifecycle.md` lists what each violation does.
//!
//! The one place where the kind of an exchange and its outcome meet is [`Engine::exchange_ended`].

use crate::engine::client::Engine;
use crate::engine::client::calls::CallProgress;
use crate::engine::client::effect::{Effect, Event, State};
use crate::engine::client::exchanges::{Exchange, ExchangeFailure, FailureKind, RpcError, Unmatched};
use crate::engine::client::settings::Wire;
use crate::engine::telemetry::Failure;
use crate::engine::{Error, Level, Status, excerpt, fields};
use crate::json::{self, ErrorKind, Span, Value};
use crate::protocol::envelope::{self, text};
use crate::protocol::handshake::ProbeAnswer;
use crate::protocol::{Id, Incoming, Malformed, Revision, Violation, error_code, lenient, method, write};
use std::time::Instant;

/// The messages of one batch that are looked at; a larger one is an attack or a mistake.
const BATCH: usize = 10_000;

impl<T> Engine<T> {
    /// A frame arrived on the connection of this generation.
    #[cfg(any(test, feature = "testing", fuzzing))]
    pub fn frame(&mut self, now: Instant, generation: u64, frame: Vec<u8>) {
        self.frame_on(now, generation, None, frame);
    }

    /// The same for a frame that arrived in the answer to one exchange.
    pub fn frame_on(&mut self, now: Instant, generation: u64, exchange: Option<u64>, frame: Vec<u8>) {
        self.exchanges.arrive_on(exchange);
        self.take_frame(now, generation, frame);
        self.exchanges.arrive_on(None);
    }

    fn take_frame(&mut self, now: Instant, generation: u64, mut frame: Vec<u8>) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.is_alive(now);
        let is_marked = envelope::drop_mark(&mut frame);
        self.tolerate(is_marked, &frame);
        if frame.trim_ascii_start().first() == Some(&b'[') {
            return self.batch(now, &frame);
        }
        self.message(now, frame);
    }

    fn message(&mut self, now: Instant, frame: Vec<u8>) {
        match envelope::parse(&frame, self.settings.json_depth) {
            Ok(Incoming::Result { id, result, result_type, tolerated }) => {
                self.tolerate(tolerated, &frame);
                let answered = ResultFrame { frame, result, result_type };
                self.answered(now, &id, ExchangeOutcome::Result(answered));
            }
            Ok(Incoming::Error { id, code, message, data, tolerated }) => {
                self.tolerate(tolerated, &frame);
                self.refusal(now, &frame, id, code, message, data);
            }
            Ok(Incoming::Request { id, method, params, tolerated, .. }) => {
                self.tolerate(tolerated, &frame);
                if is_notification(&frame, method) {
                    return self.notified_with_id(now, &frame, id);
                }
                self.server_request(now, frame, id, method, params);
            }
            Ok(Incoming::Notification { method, params, progress_token, request_id, tolerated }) => {
                self.tolerate(tolerated, &frame);
                self.notification(now, frame, method, params, progress_token, request_id);
            }
            Err(malformed) => self.malformed(now, &frame, malformed),
        }
    }

    /// A notification was given an id: what waits for an answer gets one, where the era knows answers of ours.
    fn notified_with_id(&mut self, now: Instant, frame: &[u8], id: Span) {
        self.tolerate(true, frame);
        if self.revision().is_some_and(|revision| revision.differences().server_requests) {
            self.send(write::result(text(frame, id), "{}"));
        }
        let mut plain = String::from("{");
        let is_id = |name: &str| json::string(&format!("\"{name}\"")).is_some_and(|name| name == "id");
        for (name, value) in json::members(json::utf8(frame)).filter(|(name, _)| !is_id(name)) {
            plain.push_str(if plain.len() > 1 { ",\"" } else { "\"" });
            plain.push_str(name);
            plain.push_str("\":");
            plain.push_str(value);
        }
        plain.push('}');
        self.message(now, plain.into_bytes());
    }

    /// 2025-03-26 lets a server send several messages as one array; 2024-11-05 does not say, so it is tolerated.
    fn batch(&mut self, now: Instant, frame: &[u8]) {
        let allowed = self.revision().is_none_or(|revision: Revision| revision.differences().batches);
        let array = match json::scan_value(frame, self.settings.json_depth) {
            Ok(value) => text(frame, value.span).to_owned(),
            Err(error) => {
                let malformed = Malformed { violation: Violation::InvalidJson(error), ids: Vec::new() };
                return self.malformed(now, frame, malformed);
            }
        };
        let mut elements = json::elements(&array).peekable();
        if elements.peek().is_none() {
            self.violation("an empty batch", frame);
        } else if !allowed {
            self.violation("a batch, which this revision does not have", frame);
        }
        // Answers inside are delivered all the same: dropping them would only turn a slip into timeouts.
        for (index, element) in elements.enumerate() {
            if index == BATCH {
                return self.violation("a batch of more messages than are looked at", frame);
            }
            if !matches!(self.state, State::Initializing | State::Ready) {
                // The answer before it ended the connection.
                return;
            }
            self.message(now, element.as_bytes().to_vec());
        }
    }

    fn refusal(
        &mut self,
        now: Instant,
        frame: &[u8],
        mut id: Id,
        code: i64,
        message: Span,
        data: Option<Span>,
    ) {
        if id == Id::None {
            // The server could not read the id. With one request under way there is no doubt which it means, unless the
            // error is about a notification: some servers answer those they do not know.
            let in_doubt = self.state != State::Initializing && code != error_code::PARSE_ERROR;
            let only = if in_doubt { None } else { self.exchanges.only() };
            id = self.exchanges.arriving_on().or(only).map_or(id, Id::Number);
        }
        let message = envelope::said(frame, message);
        let data = data.map(|data| text(frame, data).to_owned());
        if id == Id::None {
            self.stray_output.note_error(excerpt(&format!("{code}, {message}")));
        }
        self.answered(now, &id, ExchangeOutcome::Refused(RpcError { code, message, data }));
    }

    fn notification(
        &mut self,
        now: Instant,
        frame: Vec<u8>,
        name: Span,
        params: Option<Span>,
        progress_token: Option<Value>,
        request_id: Option<Value>,
    ) {
        self.counters.notifications += 1;
        let called = json::string(text(&frame, name)).unwrap_or_default();
        self.log(Level::Debug, "notification.received", || fields([("method", called.as_ref().into())]));
        if called == method::PROGRESS {
            drop(called);
            return self.progress(now, frame, params, progress_token);
        }
        if self.is_stray_change(&called, params.map(|params| text(&frame, params))) {
            let what = format!("{called} without the id of a subscription of ours");
            return self.violation(&what, &frame);
        }
        if called == method::TOOLS_CHANGED {
            self.catalog.changed(now);
        }
        let called = called.into_owned();
        if self.tracer.is_some() && called != method::CANCELLED {
            self.trace_notification(now, &called, params.map(|params| text(&frame, params)));
        }
        if !self.passes(now, &called, params.map(|params| text(&frame, params))) {
            return;
        }
        if self.task_notified(now, &called, params.map(|params| text(&frame, params))) {
            return;
        }
        if called == method::CANCELLED
            && let Some(id) = request_id
        {
            let id = text(&frame, id.span).to_owned();
            let span = self.requests.cancelled(&id, self.settings.server_requests);
            self.end_request_of_server(now, span, Some(Failure::named("cancelled")));
        }
        if called == method::ELICITATION_COMPLETE {
            let said = params.map_or("{}", |params| text(&frame, params));
            self.visited(now, said);
        }
        self.effects.push_back(Effect::Emit(Event::Notification { frame, method: name, params }));
    }

    /// Hands progress to the call that its token names; ignores it when that call has ended.
    fn progress(&mut self, now: Instant, frame: Vec<u8>, params: Option<Span>, token: Option<Value>) {
        let written = token.map_or("", |token| text(&frame, token.span));
        let id = lenient::number(written).unwrap_or_default();
        // A task's token lasts as long as the task (2025-11-25 `basic/utilities/progress`).
        let is_task = self.tasks.holds(id);
        let progress = params.and_then(|params| Some((params, self.calls.progress(now, id, is_task)?)));
        let Some((params, CallProgress { tag, deadline })) = progress else {
            self.counters.ignored_progress += 1;
            return;
        };
        let is_odd = json::integer(written).is_none();
        self.tolerate(is_odd, &frame);
        self.guard_call(id, deadline);
        self.effects.push_back(Effect::Emit(Event::Progress { frame, params, call: id, tag }));
    }
}

/// Whether a message with an id has the name of a notification.
fn is_notification(frame: &[u8], name: Span) -> bool {
    let name = json::string(text(frame, name)).unwrap_or_default();
    name.starts_with("notifications/") && method::find(&name).is_some()
}

/// A result, in the frame that it came in.
pub(crate) struct ResultFrame {
    pub(crate) frame: Vec<u8>,
    pub(crate) result: Value,
    pub(crate) result_type: Option<Value>,
}

impl ResultFrame {
    /// The result's text.
    pub(crate) fn text(&self) -> &str {
        text(&self.frame, self.result.span)
    }
}

/// How an exchange ended.
pub(crate) enum ExchangeOutcome<'w> {
    /// With a result.
    Result(ResultFrame),
    /// With a JSON-RPC error.
    Refused(RpcError),
    /// With an answer that breaks a rule, or was thrown away for its size: a call ends with `error`, and the rest is told `why`.
    Unusable { error: Error, why: &'w str },
    /// Without an answer (HTTP).
    Failed(ExchangeFailure),
}

impl<T> Engine<T> {
    /// What follows from the end of an exchange.
    fn exchange_ended(&mut self, now: Instant, exchange: u64, what: Exchange, outcome: ExchangeOutcome<'_>) {
        if self.tracer.is_some() {
            self.trace_answer(now, exchange, what, &outcome);
        }
        match (what, outcome) {
            (Exchange::Call(call), ExchangeOutcome::Result(answered)) => {
                self.call_answered(now, call, answered);
            }
            (Exchange::Call(call), ExchangeOutcome::Refused(spoken)) => {
                self.call_refused(now, call, spoken, None);
            }
            (Exchange::Call(call), ExchangeOutcome::Unusable { error, .. }) => {
                self.end_call(now, call, &error);
            }
            (Exchange::Call(call), ExchangeOutcome::Failed(failure)) => self.call_failed(now, call, failure),

            (Exchange::Task(call, step), ExchangeOutcome::Result(ResultFrame { frame, result, .. })) => {
                self.task_answered(now, call, step, frame, result.span);
            }
            (Exchange::Task(call, step), ExchangeOutcome::Refused(spoken)) => {
                self.task_refused(now, call, step, spoken);
            }
            (Exchange::Task(call, step), ExchangeOutcome::Unusable { error, .. }) => {
                self.task_unusable(now, call, step, &error);
            }
            (Exchange::Task(call, step), ExchangeOutcome::Failed(failure)) => {
                self.task_request_failed(now, call, step, failure);
            }

            (Exchange::Handshake, ExchangeOutcome::Result(answered)) => {
                self.handshake_ended(now, |part, settings| part.answered(answered.text(), settings));
            }
            (Exchange::Handshake, ExchangeOutcome::Refused(spoken)) => {
                self.handshake_ended(now, |part, settings| part.refused(&spoken, settings));
            }
            (Exchange::Handshake, ExchangeOutcome::Unusable { why, .. }) => {
                self.handshake_ended(now, |part, settings| part.unusable(why, settings));
            }
            (Exchange::Handshake, ExchangeOutcome::Failed(failure)) => {
                self.handshake_ended(now, |part, settings| part.failed(failure, settings));
            }

            (Exchange::LateProbe, ExchangeOutcome::Result(answered)) => {
                self.late_probe_answered(now, exchange, ProbeAnswer::Result(answered.text()));
            }
            (Exchange::LateProbe, ExchangeOutcome::Refused(RpcError { code, data, .. })) => {
                self.late_probe_answered(now, exchange, ProbeAnswer::Error { code, data: data.as_deref() });
            }
            (Exchange::LateProbe, ExchangeOutcome::Unusable { .. }) => {
                self.late_probe_answered(now, exchange, ProbeAnswer::Closed);
            }
            (Exchange::LateProbe, ExchangeOutcome::Failed(_)) => self.end_late_probe(),

            (Exchange::Restore, ExchangeOutcome::Result(_)) => self.restored(now),
            (Exchange::Restore, ExchangeOutcome::Refused(spoken)) => self.not_restored(now, &spoken.message),
            (Exchange::Restore, ExchangeOutcome::Unusable { why, .. }) => self.not_restored(now, why),
            (Exchange::Restore, ExchangeOutcome::Failed(failure)) => {
                self.not_restored(now, &failure.error.message);
            }

            (Exchange::Tools(call), ExchangeOutcome::Result(answered)) => {
                self.tools_listed(now, call, answered.text());
            }
            (Exchange::Tools(call), ExchangeOutcome::Refused(spoken)) => {
                self.tools_failed(now, call, &spoken.message);
            }
            (Exchange::Tools(call), ExchangeOutcome::Unusable { why, .. }) => {
                self.tools_failed(now, call, why);
            }
            (Exchange::Tools(call), ExchangeOutcome::Failed(failure)) => {
                self.tools_failed(now, call, &failure.error.message);
            }

            (Exchange::Listen, ExchangeOutcome::Result(_)) => {
                self.stream_ended(now, exchange, "the server ended it");
            }
            (Exchange::Listen, ExchangeOutcome::Refused(RpcError { code, message, .. })) => {
                self.stream_ended(now, exchange, &format!("{message} (code {code})"));
            }
            (Exchange::Listen, ExchangeOutcome::Unusable { why, .. }) => {
                self.stream_ended(now, exchange, why);
            }
            (Exchange::Listen, ExchangeOutcome::Failed(ExchangeFailure { kind, error, .. })) => {
                self.stream_ended(now, exchange, &error.message);
                if self.server_is_gone(kind) {
                    self.lost(now, self.generation, error);
                } else if kind == FailureKind::Lost {
                    // That refuses nothing.
                    self.listen_unless_open(now);
                }
            }

            (Exchange::Orphan, ExchangeOutcome::Result(answered)) => {
                self.orphan_answered(exchange, Some(answered.text()));
            }
            (Exchange::Orphan, ExchangeOutcome::Refused(_)) => self.orphan_answered(exchange, None),
            (Exchange::TaskCancel, ExchangeOutcome::Refused(spoken)) => {
                self.task_cancel_answered(exchange, Some(&spoken.message));
            }
            (Exchange::TaskCancel, ExchangeOutcome::Result(_))
            | (Exchange::Orphan | Exchange::TaskCancel, ExchangeOutcome::Unusable { .. }) => {
                self.task_cancel_answered(exchange, None);
            }
            (Exchange::Orphan | Exchange::TaskCancel, ExchangeOutcome::Failed(_)) => {
                self.tasks.aside_lost(exchange);
            }
        }
    }

    /// An answer with this id came.
    pub(crate) fn answered(&mut self, now: Instant, id: &Id, outcome: ExchangeOutcome<'_>) {
        match self.exchanges.answered(id) {
            Ok((exchange, what)) => {
                let is_busy =
                    matches!(&outcome, ExchangeOutcome::Refused(spoken) if spoken.code == error_code::BUSY);
                self.exchange_ended(now, exchange, what, outcome);
                self.retry_held_back(now, !is_busy);
            }
            Err(unmatched) => self.unmatched(unmatched),
        }
    }

    /// An exchange has ended and there will be no answer. Nothing happens if it was answered before.
    pub fn exchange_failed(
        &mut self,
        now: Instant,
        generation: u64,
        exchange: u64,
        failure: ExchangeFailure,
    ) {
        if generation != self.generation {
            return;
        }
        let Some(what) = self.exchanges.end(exchange) else { return };
        self.exchange_ended(now, exchange, what, ExchangeOutcome::Failed(failure));
        self.retry_held_back(now, false);
    }

    /// An answer that belongs to no exchange under way is dropped and counted.
    pub(crate) fn unmatched(&mut self, unmatched: Unmatched) {
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
    pub(crate) fn server_is_gone(&self, kind: FailureKind) -> bool {
        kind == FailureKind::Unreachable && !self.exchanges.are_of_calls()
    }

    /// Ends a call with this failure.
    pub(crate) fn end_call(&mut self, now: Instant, id: u64, error: &Error) {
        let Some(call) = self.calls.get(id) else { return };
        let reply = Err(error.of(&call.method));
        self.complete(now, id, reply);
    }

    /// Whether the answer of this exchange is still awaited on the connection of this generation.
    pub fn is_under_way(&self, generation: u64, exchange: u64) -> bool {
        generation == self.generation && self.exchanges.get(exchange).is_some()
    }

    /// An exchange is over for the engine; if its answer has not come it is not wanted any more.
    pub(crate) fn end_exchange(&mut self, exchange: u64) {
        if self.exchanges.end(exchange).is_some() && self.settings.wire == Wire::Http {
            self.effects.push_back(Effect::Abort { exchange });
        }
    }
}

impl<T> Engine<T> {
    pub(crate) fn malformed(&mut self, now: Instant, frame: &[u8], malformed: Malformed) {
        let Malformed { violation, ids } = malformed;
        let too_deep =
            matches!(&violation, Violation::InvalidJson(error) if matches!(error.kind, ErrorKind::Depth(_)));
        if violation.is_noise() && ids.is_empty() {
            // A banner or a log line: it does not belong on this stream, but does no harm.
            self.counters.garbage_frames += 1;
            let line = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
            let level = self.stray_output.note(line.clone());
            self.log(level, "protocol.garbage", || {
                fields([("what", violation.to_string().into()), ("line", line.as_str().into())])
            });
            return;
        }
        let what = violation.to_string();
        self.violation(&what, frame);
        let (status, means) = match too_deep {
            true => (Status::TooLarge, "cannot be taken (limits.json_depth)"),
            false => (Status::Protocol, "breaks the protocol"),
        };
        // What a server says is worth more than the rule that it breaks.
        let begins = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
        for id in ids {
            let error =
                Error::new(status, "", format!("the server's answer {means}: {what}. It begins: {begins}"))
                    .with("frame", begins.as_str());
            self.answered(now, &Id::Number(id), ExchangeOutcome::Unusable { error, why: &what });
        }
    }

    pub(crate) fn violation(&mut self, what: &str, frame: &[u8]) {
        self.counters.violations += 1;
        let start = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
        self.log(Level::Warn, "protocol.violation", || {
            fields([("what", what.into()), ("frame", start.into())])
        });
    }

    /// A frame larger than the bound is thrown away as it comes, and `bytes` of it are known to be there; `id` is the call it
    /// answers, if that could be read.
    pub fn oversized(&mut self, now: Instant, generation: u64, id: Option<u64>, bytes: u64, bound: usize) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.counters.oversized_frames += 1;
        self.log(Level::Warn, "protocol.violation", || {
            fields([
                ("what", "a frame over limits.frame_bytes".into()),
                ("bytes", bytes.into()),
                ("bound", bound.into()),
            ])
        });
        let error = Error::new(
            Status::TooLarge,
            "",
            format!(
                "the answer has {bytes} bytes or more, and limits.frame_bytes allows {bound}; it is thrown away. Raise the \
                 limit or ask the server for less"
            ),
        )
        .with("bytes", bytes)
        .with("frame_bytes", bound);
        self.discarded(now, id, error, "the answer is larger than limits.frame_bytes");
    }

    /// The system gave no memory for a frame of `bytes` bytes, which was thrown away; `id` is the request that it answers,
    /// where that could be read for certain.
    pub fn unheld(&mut self, now: Instant, generation: u64, id: Option<u64>, bytes: u64) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.log(Level::Error, "memory.refused", || {
            fields([("what", "a frame".into()), ("bytes", bytes.into())])
        });
        self.discarded(
            now,
            id,
            Error::no_memory(bytes),
            "the answer is larger than the memory that the system gives",
        );
    }

    /// The answer to this request was thrown away.
    fn discarded(&mut self, now: Instant, id: Option<u64>, error: Error, why: &str) {
        if let Some(id) = id {
            self.answered(now, &Id::Number(id), ExchangeOutcome::Unusable { error, why });
        }
    }

    /// Counts and logs a message that was accepted although it breaks a rule of form.
    pub(crate) fn tolerate(&mut self, tolerated: bool, frame: &[u8]) {
        if tolerated {
            let start = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
            self.note_tolerated("frame", &start);
        }
    }

    /// The same of what a transport took: it knows in words what was odd.
    pub fn tolerated(&mut self, what: &str) {
        self.note_tolerated("what", what);
    }

    fn note_tolerated(&mut self, name: &'static str, said: &str) {
        self.counters.tolerated += 1;
        // Info for the first of a connection, debug after that.
        let first = std::mem::replace(&mut self.tolerated_on, self.generation) != self.generation;
        let level = if first { Level::Info } else { Level::Debug };
        self.log(level, "protocol.tolerated", || fields([(name, said.into())]));
    }
}

impl Error {
    /// The system gave no memory for a call that was to be sent.
    pub fn no_memory_for_call() -> Error {
        let message =
            "the system gave no memory for the call; it was not sent. Free memory, or send less at one time";
        Error::new(Status::NoMemory, "", message)
    }

    /// The system gave no memory for a message of at least `bytes` bytes.
    pub fn no_memory(bytes: u64) -> Error {
        let message = format!(
            "the system gave no memory for the answer, of which {bytes} bytes had come; it was thrown away. Free memory, lower \
             limits.frame_bytes, or ask the server for less"
        );
        Error::new(Status::NoMemory, "", message).with("bytes", bytes)
    }
}
