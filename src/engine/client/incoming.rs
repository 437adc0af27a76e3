//! Frames from the server, each to its place: an answer to its call, the rest to the application, what breaks the rules
//! counted and logged. No frame ends the connection; `docs/reference/lifecycle.md` lists what each violation does.

use super::calls::Progress;
use super::counters::Level;
use super::effect::{Effect, Event, State};
use super::exchanges::Spoken;
use super::outcomes::{Answered, Outcome};
use super::{Engine, fields};
use crate::json::{self, Span, Value};
use crate::protocol::envelope::{self, text};
use crate::protocol::{Id, Incoming, Malformed, Revision, Violation, error_code, given, method, write};
use std::time::Instant;

/// The messages of one batch that are looked at; a larger one is an attack or a mistake.
const BATCH: usize = 10_000;

impl<T> Engine<T> {
    /// A frame arrived on the connection of this generation.
    #[cfg(any(test, fuzzing))]
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
                let answered = Answered { frame, result, result_type };
                self.answered(now, &id, Outcome::Result(answered));
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
        self.answered(now, &id, Outcome::Refused(Spoken { code, message, data }));
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
            self.requests.cancelled(&id, self.settings.server_requests);
        }
        if called == method::ELICITATION_COMPLETE {
            let said = params.map_or("{}", |params| text(&frame, params));
            self.visited(now, said);
        }
        self.effects.push_back(Effect::Emit(Event::Notification { frame, method: name, params }));
    }

    /// Progress goes to the call that its token names; for a call that has ended there is none any more.
    fn progress(&mut self, now: Instant, frame: Vec<u8>, params: Option<Span>, token: Option<Value>) {
        let written = token.map_or("", |token| text(&frame, token.span));
        let id = given::number(written).unwrap_or_default();
        // A task's token lasts as long as the task (2025-11-25 `basic/utilities/progress`).
        let is_task = self.tasks.holds(id);
        let progress = params.and_then(|params| Some((params, self.calls.progress(now, id, is_task)?)));
        let Some((params, Progress { tag, deadline })) = progress else {
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
