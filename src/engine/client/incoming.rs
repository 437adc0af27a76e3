//! Frames from the server, each to its place: an answer to its call, the rest to the application, what breaks the rules
//! counted and logged. No frame ends the connection; `docs/lifecycle.md` lists what each violation does.

use super::counters::Level;
use super::deadlines::Due;
use super::effect::{Body, Effect, Event, State};
use super::exchanges::Spoken;
use super::handshake::excerpt;
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::json::{self, Kind, Span, Value};
use crate::protocol::envelope::{self, text};
use crate::protocol::probe::Answer;
use crate::protocol::{Id, Incoming, Malformed, Revision, Violation, error_code, method};
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

/// The messages of one batch that are looked at; a larger one is an attack or a mistake.
const BATCH: usize = 10_000;

/// The number of an answer that was found to be ours.
fn number(id: Id) -> u64 {
    if let Id::Number(id) = id { id } else { 0 }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<T> Engine<T> {
    /// A frame arrived on the connection of this generation.
    pub fn frame(&mut self, now: Instant, generation: u64, frame: Vec<u8>) {
        self.frame_on(now, generation, None, frame);
    }

    /// The same for a frame that arrived in the answer to one exchange.
    pub fn frame_on(&mut self, now: Instant, generation: u64, exchange: Option<u64>, frame: Vec<u8>) {
        self.arriving_on = exchange;
        self.take_frame(now, generation, frame);
        self.arriving_on = None;
    }

    fn take_frame(&mut self, now: Instant, generation: u64, mut frame: Vec<u8>) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.is_alive(now);
        if frame.starts_with(BYTE_ORDER_MARK) {
            frame.drain(..BYTE_ORDER_MARK.len());
        }
        if frame.trim_ascii_start().first() == Some(&b'[') {
            return self.batch(now, &frame);
        }
        self.message(now, frame);
    }

    fn message(&mut self, now: Instant, frame: Vec<u8>) {
        match envelope::parse(&frame, self.settings.json_depth) {
            Ok(Incoming::Result { id, result, result_type }) => {
                self.result(now, frame, id, result, result_type);
            }
            Ok(Incoming::Error { id, code, message, data }) => {
                self.refusal(now, &frame, id, code, message, data);
            }
            Ok(Incoming::Request { id, method, params }) => {
                self.server_request(now, frame, id, method, params);
            }
            Ok(Incoming::Notification { method, params, progress_token, request_id }) => {
                self.notification(now, frame, method, params, progress_token, request_id);
            }
            Err(malformed) => self.malformed(now, &frame, malformed),
        }
    }

    /// 2025-03-26 lets a server send several messages as one array; 2024-11-05 does not say, so it is tolerated.
    fn batch(&mut self, now: Instant, frame: &[u8]) {
        let allowed = self.revision.is_none_or(|revision: Revision| revision.differences().batches);
        let array = match json::scan_value(frame, self.settings.json_depth) {
            Ok(value) => text(frame, value.span).to_owned(),
            Err(error) => {
                let malformed = Malformed { violation: Violation::InvalidJson(error), id: None };
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

    pub(super) fn take_exchange(&mut self, id: Id) -> Option<Exchange> {
        match id {
            Id::Number(id) => {
                let exchange = self.exchanges.remove(&id);
                if exchange.is_none() {
                    self.unmatched(id);
                }
                exchange
            }
            Id::Foreign(_) | Id::None => {
                self.counters.unknown_answers += 1;
                self.log(Level::Warn, "response.unknown", || fields([("id", "not one of ours".into())]));
                None
            }
        }
    }

    fn result(&mut self, now: Instant, frame: Vec<u8>, id: Id, result: Value, result_type: Option<Value>) {
        match self.take_exchange(id) {
            Some(Exchange::Call(call)) => {
                let reply = match self.kind_of(call, result.span, result_type, &frame) {
                    ResultKind::Complete => match self.check_promised(call, &frame, result) {
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
                    ResultKind::InputRequired => {
                        match self.input_required(now, call, text(&frame, result.span)) {
                            Ok(()) => return,
                            Err(error) => Err((error, frame)),
                        }
                    }
                    ResultKind::Task => match self.task_created(now, call, text(&frame, result.span)) {
                        Ok(()) => return,
                        Err(error) => Err((error, frame)),
                    },
                    ResultKind::Extended => Ok(Body { extended: true, ..Body::new(frame, result.span) }),
                    ResultKind::Unknown(kind) => {
                        let Some(call) = self.calls.get(&call) else { return };
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
            Some(Exchange::Handshake) => self.handshake_result(now, text(&frame, result.span)),
            Some(Exchange::LateProbe) => {
                self.late_probe_answered(now, number(id), Answer::Result(text(&frame, result.span)));
            }
            Some(Exchange::Tools(call)) => self.tools_listed(now, call, text(&frame, result.span)),
            Some(Exchange::Listen) => {
                if let Id::Number(id) = id {
                    self.stream_ended(now, id, "the server ended it");
                }
            }
            Some(Exchange::Task(call, step)) => self.task_answered(now, call, step, frame, result.span),
            Some(Exchange::Orphan) => self.orphan_answered(number(id), Some(text(&frame, result.span))),
            Some(Exchange::TaskCancel) => self.task_cancel_answered(number(id), None),
            Some(Exchange::Restore) => self.restored(now),
            None => {}
        }
    }

    /// Modern results say what they are; a task of the core form is told by its shape.
    fn kind_of(&self, call: u64, result: Span, result_type: Option<Value>, frame: &[u8]) -> ResultKind {
        let typed = self.revision.is_some_and(|revision| revision.differences().result_type);
        let written = result_type.filter(|_| typed).map(|kind| text(frame, kind.span));
        let kind = written.and_then(json::string);
        if self.is_task(call, || text(frame, result), kind.as_deref()) {
            return ResultKind::Task;
        }
        let Some(written) = written else { return ResultKind::Complete };
        match kind.as_deref() {
            Some("complete") => ResultKind::Complete,
            Some("input_required") => ResultKind::InputRequired,
            Some(kind) if self.is_declared_result(call, kind) => ResultKind::Extended,
            _ => ResultKind::Unknown(excerpt(written)),
        }
    }

    fn refusal(&mut self, now: Instant, frame: &[u8], id: Id, code: i64, message: Span, data: Option<Span>) {
        if id == Id::None
            && let Some(exchange) = self.arriving_on.filter(|exchange| self.exchanges.contains_key(exchange))
        {
            return self.refusal(now, frame, Id::Number(exchange), code, message, data);
        }
        if id == Id::None && (self.state == State::Initializing || code == error_code::PARSE_ERROR) {
            // The server could not read the id. With one request under way there is no doubt which it means, unless the
            // error is about a notification: some servers answer those they do not know.
            let counts = |what: &Exchange| !matches!(what, Exchange::Listen | Exchange::LateProbe);
            let mut under_way = self.exchanges.iter().filter(|(_, what)| counts(what));
            if let (Some((only, _)), None) = (under_way.next(), under_way.next()) {
                let only = *only;
                return self.refusal(now, frame, Id::Number(only), code, message, data);
            }
        }
        let message = json::string(text(frame, message)).unwrap_or_default();
        let data = data.map(|data| text(frame, data));
        match self.take_exchange(id) {
            Some(Exchange::Call(id)) => {
                let spoken = Spoken { code, message: message.into_owned(), data: data.map(str::to_owned) };
                self.call_refused(now, id, spoken, None);
            }
            Some(Exchange::Handshake) => self.handshake_refused(now, code, &message, data),
            Some(Exchange::LateProbe) => {
                self.late_probe_answered(now, number(id), Answer::Error { code, data });
            }
            Some(Exchange::Restore) => self.not_restored(now, &message),
            Some(Exchange::Tools(call)) => self.tools_failed(now, call, &message),
            Some(Exchange::Task(call, step)) => {
                let spoken = Spoken { code, message: message.into_owned(), data: data.map(str::to_owned) };
                self.task_refused(now, call, step, spoken);
            }
            Some(Exchange::Orphan) => self.orphan_answered(number(id), None),
            Some(Exchange::TaskCancel) => self.task_cancel_answered(number(id), Some(&message)),
            Some(Exchange::Listen) => {
                if let Id::Number(id) = id {
                    self.stream_ended(now, id, &format!("{message} (code {code})"));
                }
            }
            None => {}
        }
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
        if called == "notifications/tools/list_changed" {
            self.safe_tools.forget();
            self.tools.changed(now);
        }
        let called = called.into_owned();
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
            self.server_cancelled(&id);
        }
        if called == method::ELICITATION_COMPLETE {
            let said = params.map_or("{}", |params| text(&frame, params));
            self.visited(now, said);
        }
        self.effects.push_back(Effect::Emit(Event::Notification { frame, method: name, params }));
    }

    /// Progress goes to the call that its token names; for a call that has ended there is none any more.
    fn progress(&mut self, now: Instant, frame: Vec<u8>, params: Option<Span>, token: Option<Value>) {
        let id = match token {
            Some(token) if token.kind == Kind::Number => json::integer(text(&frame, token.span)),
            _ => None,
        };
        let id = id.and_then(|id| u64::try_from(id).ok()).unwrap_or_default();
        // A task's token lasts as long as the task (2025-11-25 `basic/utilities/progress`).
        let is_task = self.tasks.holds(id);
        let call =
            self.calls.get_mut(&id).filter(|call| call.progress && (call.exchange.is_some() || is_task));
        let (Some(params), Some(call)) = (params, call) else {
            self.counters.ignored_progress += 1;
            return;
        };
        let tag = call.tag;
        let deadline = (now + call.timeout).min(call.latest);
        if call.reset_on_progress && !is_task && deadline != call.deadline {
            call.deadline = deadline;
            self.deadlines.add(deadline, Due::Call(id));
            // The entry that this one replaces may stand behind sooner ones for long.
            self.sweep_deadlines();
        }
        self.effects.push_back(Effect::Emit(Event::Progress { frame, params, call: id, tag }));
    }
}
