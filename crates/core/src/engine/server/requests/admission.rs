//! Frames: what each is, and which era it belongs to; several messages in one frame (2025-03-26).

use super::RequestHead;
use super::params::{FrameText, RequestParams, WireId};
use crate::engine::counters::Level;
use crate::engine::server::Server;
use crate::engine::server::access::MissingScopes;
#[cfg(feature = "http")]
use crate::engine::server::access::Principal;
use crate::engine::server::client_requests::questions::{Answer, AnswerWaiter, as_answer, wrong_shape};
#[cfg(feature = "http")]
use crate::engine::server::effect::OutgoingKind;
use crate::engine::server::effect::{Effect, Now, SessionId, Stream, Withdrawn};
use crate::engine::server::session::context::{ErrorResponse, RequestMeta};
use crate::engine::telemetry::Failure;
use crate::json;
use crate::json::{Kind, Wanted};
use crate::protocol::envelope::{Id, Incoming, Violation};
#[cfg(feature = "http")]
use crate::protocol::header_parameters::Parameter;
use crate::protocol::{Era, Revision, envelope, error_code, lenient, method};
#[cfg(feature = "http")]
use crate::shares::Holder;
#[cfg(feature = "http")]
use std::sync::Arc;

const WANTED_ID: [Wanted; 2] = [Wanted { name: "id", inner: &[] }, Wanted { name: "method", inner: &[] }];

/// A message that is not served because its sender lacks scopes. Its sender does not know yet: over HTTP a status says it.
pub struct ScopesMissing {
    pub id: Option<WireId>,
    pub lacks: MissingScopes,
    /// Whether it is not a notification.
    pub wants_answer: bool,
}

/// How a message came to its turn.
#[derive(Clone, Copy)]
pub struct Arrival {
    /// Whether it is one of several in a frame.
    pub in_batch: bool,
    /// Whether it waited in the queue: what is recorded of it began before that.
    pub has_waited: bool,
}

/// A request of the modern era that came by itself over HTTP, and what is known of it there.
#[cfg(feature = "http")]
#[derive(Debug)]
pub struct SingleRequest<C> {
    /// Whose it is, for what clients share.
    pub holder: Holder,
    /// Who sends it, where requests are authorized.
    pub principal: Option<Arc<Principal>>,
    /// Its text.
    pub frame: Vec<u8>,
    /// What the scan of that found, to the depth that the settings allow.
    pub scanned: Incoming,
    /// The tool that it calls, and what compares its headers with the parameters of the tool that headers repeat.
    pub tool: Option<(String, C)>,
    /// Whether its answer may be all that there is. Else that goes out on a stream, whatever it is.
    pub takes_answer: bool,
}

/// What becomes of a [`SingleRequest`].
#[cfg(feature = "http")]
#[derive(Debug)]
pub enum Admission<E> {
    /// It is under way. Its answer follows on this stream, with which its session ends.
    Admitted(Stream),
    /// This is its answer, and nothing of it is left.
    Answered {
        /// What its session was.
        session: SessionId,
        /// The answer.
        frame: Vec<u8>,
        /// The code, if it is an error.
        code: Option<i64>,
    },
    /// It is not served, and nothing of it is left.
    Refused(AdmissionError<E>),
}

/// Why a [`SingleRequest`] is not served.
#[cfg(feature = "http")]
#[derive(Debug)]
pub enum AdmissionError<E> {
    /// Its headers do not say what it says.
    Headers(E),
    /// Its client has as many requests under way as it may have, or all clients together have.
    Full,
    /// Its sender lacks scopes.
    Scopes(MissingScopes),
}

/// The number of the only stream that a [`SingleRequest`] has.
#[cfg(feature = "http")]
const ONLY_STREAM: u64 = 1;

impl<H: Clone> Server<H> {
    /// A request came by itself. `seen` is told the session that it is and its text, before anything is done for it.
    #[cfg(feature = "http")]
    pub fn admit<E>(
        &mut self,
        now: Now,
        request: SingleRequest<impl FnOnce(&[u8], &[Parameter]) -> Result<(), E>>,
        seen: impl FnOnce(SessionId, &[u8]),
    ) -> Admission<E> {
        let SingleRequest { holder, principal, frame, scanned, tool, takes_answer } = request;
        if let Some((tool, compare)) = tool
            && let Err(error) = compare(&frame, self.header_parameters(principal.as_deref(), &tool))
        {
            self.arrives_with(None);
            return Admission::Refused(AdmissionError::Headers(error));
        }
        let Some(session) = self.sessions.open_for_request(holder) else {
            self.arrives_with(None);
            return Admission::Refused(AdmissionError::Full);
        };
        self.authorize(session, principal);
        seen(session, &frame);
        let stream = Stream { session, number: ONLY_STREAM };
        let before = self.effects.len();
        if let Err(unserved) = self.arrived(now, stream, frame, Some(scanned)) {
            self.close(session);
            return Admission::Refused(AdmissionError::Scopes(unserved.lacks));
        }
        match takes_answer.then(|| self.take_answer(stream, before)).flatten() {
            Some((frame, code)) => {
                self.close(session);
                Admission::Answered { session, frame, code }
            }
            None => Admission::Admitted(stream),
        }
    }

    /// Takes the answer on a stream out of the effects from `before` on, if it is all that is sent there.
    #[cfg(feature = "http")]
    fn take_answer(&mut self, stream: Stream, before: usize) -> Option<(Vec<u8>, Option<i64>)> {
        let sent = |effect: &Effect<H>| matches!(effect, Effect::Send { to, .. } if *to == stream);
        let mut sends = (before..self.effects.len()).filter(|at| self.effects.get(*at).is_some_and(sent));
        let (first, None) = (sends.next()?, sends.next()) else { return None };
        let is_answer =
            matches!(self.effects.get(first), Some(Effect::Send { sent: OutgoingKind::Answer(_), .. }));
        match is_answer.then(|| self.effects.remove(first)).flatten() {
            Some(Effect::Send { frame, sent: OutgoingKind::Answer(code), .. }) => Some((frame, code)),
            _ => None,
        }
    }

    /// The arguments that headers of a call of a tool repeat, if the principal may call it.
    #[cfg(feature = "http")]
    fn header_parameters(&self, principal: Option<&Principal>, tool: &str) -> &[Parameter] {
        let reader = self.reader(principal, method::TOOLS_CALL);
        self.registry.tool(&reader, tool).ok().flatten().map_or(&[], |tool| &tool.header_parameters)
    }

    /// A frame arrived on a stream of a session. What it leads to comes out as effects.
    pub fn frame(&mut self, now: Now, from: Stream, frame: &[u8]) {
        self.take_frame(now, from, frame.to_vec());
    }

    /// The same for a frame whose memory the request may keep.
    pub fn take_frame(&mut self, now: Now, from: Stream, frame: Vec<u8>) {
        if let Err(ScopesMissing { id, lacks, wants_answer: true }) = self.arrived(now, from, frame, None) {
            self.refuse(from, id.as_ref(), &lacks.into());
        }
    }

    /// The same over HTTP, of a session, for a frame that may have been scanned, to the depth that the settings allow.
    ///
    /// # Errors
    /// The scopes that its sender lacks: nothing of the frame was served, and no answer was sent.
    #[cfg(feature = "http")]
    pub fn take_from_http(
        &mut self,
        now: Now,
        from: Stream,
        frame: Vec<u8>,
        scanned: Option<Incoming>,
    ) -> Result<(), MissingScopes> {
        self.arrived(now, from, frame, scanned).map_err(|unserved| unserved.lacks)
    }

    fn arrived(
        &mut self,
        now: Now,
        from: Stream,
        frame: Vec<u8>,
        scanned: Option<Incoming>,
    ) -> Result<(), ScopesMissing> {
        if !self.sessions.is_open(from.session) {
            self.arrives_with(None);
            return Ok(());
        }
        self.counters.frames += 1;
        let mut frame = frame;
        if scanned.is_none() && envelope::drop_mark(&mut frame) {
            self.tolerated(from.session, "a byte order mark");
        }
        let taken = match scanned {
            Some(scanned) => self.scanned(now, from, frame, scanned, false),
            None if frame.trim_ascii_start().first() == Some(&b'[') => self.batch(now, from, &frame),
            None => self.message(now, from, frame, false),
        };
        if self.spans.is_some() {
            self.arrives_with(None);
        }
        taken
    }

    /// A frame arrived that is over the bound of frames; its text was skipped (S-IO-06).
    pub fn oversized_frame(&mut self, from: Stream, limit: usize) {
        self.counters.frames += 1;
        self.counters.violations += 1;
        let text = format!("the message has more than {limit} bytes");
        self.refuse(from, None, &ErrorResponse::new(error_code::INVALID_REQUEST, text));
    }

    fn message(
        &mut self,
        now: Now,
        from: Stream,
        frame: Vec<u8>,
        in_batch: bool,
    ) -> Result<(), ScopesMissing> {
        match envelope::parse(&frame, self.settings.limits.depth) {
            Ok(scanned) => self.scanned(now, from, frame, scanned, in_batch),
            Err(malformed) => {
                self.not_a_message(from, &frame, &malformed.violation);
                Ok(())
            }
        }
    }

    /// A frame is the message that its scan found. A request for which there is no place waits in the queue.
    fn scanned(
        &mut self,
        now: Now,
        from: Stream,
        mut frame: Vec<u8>,
        scanned: Incoming,
        in_batch: bool,
    ) -> Result<(), ScopesMissing> {
        let mut tolerated = scanned.is_tolerated();
        if let Incoming::Request { inner, .. } = scanned {
            let empty = [inner.arguments, inner.meta]
                .into_iter()
                .flatten()
                .filter(|value| value.kind == Kind::Null || envelope::is_empty_array(&frame, *value));
            // What is null is absent, and an empty object of PHP is an array: handlers find an object in its place.
            for value in empty.collect::<Vec<_>>() {
                tolerated = true;
                if let Some([open, close, rest @ ..]) = frame.get_mut(value.span.start..value.span.end) {
                    (*open, *close) = (b'{', b'}');
                    rest.fill(b' ');
                }
            }
        }
        if tolerated {
            self.tolerated(from.session, "a message");
        }
        if let Incoming::Request { id, method, params, inner, .. } = scanned
            && let Some(id) = self.must_queue(from, &frame, id, method)
        {
            // What its sender lacks is told at once, where a status can still say it.
            let principal = self.sessions.principal(from.session);
            let method = json::string(envelope::text(&frame, method)).unwrap_or_default();
            let reader = self.reader(principal.as_deref(), &method);
            let is_looked_at = reader.is_asked() || self.spans.is_some();
            let kept = params.filter(|_| is_looked_at).map(|params| FrameText::new(frame.clone(), params));
            let params = RequestParams::of(kept.as_ref(), &inner);
            let lacks = if reader.is_asked() { self.missing_scopes(&reader, params).err() } else { None };
            // The time in the queue counts, and so does a request that is refused there.
            if self.spans.is_some() {
                self.begin_span(now.at, from, &id, &method, &params);
            }
            if let Some(lacks) = lacks {
                if self.spans.is_some() {
                    let ErrorResponse { code, message, .. } = ErrorResponse::from(lacks.clone());
                    self.end_span(from, &id, Some(Failure::spoken(code, &message)));
                }
                return Err(ScopesMissing { id: Some(id), lacks, wants_answer: true });
            }
            self.enqueue(now, from, id, frame, scanned, in_batch);
            return Ok(());
        }
        self.taken(now, from, frame, scanned, Arrival { in_batch, has_waited: false })
    }

    /// The same for a request that has its turn.
    pub(super) fn taken(
        &mut self,
        now: Now,
        from: Stream,
        frame: Vec<u8>,
        scanned: Incoming,
        arrival: Arrival,
    ) -> Result<(), ScopesMissing> {
        match scanned {
            Incoming::Request { id, method, params: None, inner, .. } => {
                let text = |span| envelope::text(&frame, span);
                let method = json::string(text(method)).unwrap_or_default();
                self.request(now, from, text(id), &method, RequestParams::of(None, &inner), arrival)
            }
            Incoming::Request { id, method, params: Some(params), inner, .. } => {
                let params = FrameText::new(frame, params);
                let method = json::string(params.beside(method)).unwrap_or_default();
                self.request(
                    now,
                    from,
                    params.beside(id),
                    &method,
                    RequestParams::of(Some(&params), &inner),
                    arrival,
                )
            }
            Incoming::Notification { method, params, request_id, .. } => {
                let text = |span| envelope::text(&frame, span);
                let method = json::string(text(method)).unwrap_or_default();
                let request_id = request_id.map(|id| text(id.span));
                self.notification(now, from, &method, params.map(text), request_id)
            }
            Incoming::Result { id, result, .. } => {
                self.answered(now, from, id, Ok(envelope::text(&frame, result.span)));
                Ok(())
            }
            Incoming::Error { id, code, message, .. } => {
                let message = envelope::said(&frame, message);
                let error = serde_json::json!({ "code": code, "message": message }).to_string();
                self.answered(now, from, id, Err(error));
                Ok(())
            }
        }
    }

    /// A frame that is not a message. It gets an error unless it was meant as a notification or an answer (S-JR-02 to S-JR-05).
    fn not_a_message(&mut self, from: Stream, frame: &[u8], violation: &Violation) {
        self.counters.violations += 1;
        let mut found = [None; 2];
        let readable = json::scan_object(frame, &WANTED_ID, self.settings.limits.depth, &mut found).is_ok();
        let id = found[0].map(|id| envelope::text(frame, id.span));
        let id = id.and_then(|id| WireId::read(id, self.settings.limits.id));
        let was_notification = readable && found[0].is_none() && found[1].is_some();
        let was_answer = matches!(violation, Violation::ResultAndError | Violation::BadError);
        let text = format!("the frame is not a JSON-RPC message: {violation}");
        if was_answer || was_notification && matches!(violation, Violation::BadParams) {
            self.record(Level::Warn, from.session, text);
            return;
        }
        let id = id.filter(|_| found[1].is_some());
        self.refuse(
            from,
            id.as_ref(),
            &ErrorResponse::new(violation.code(frame, self.settings.limits.depth), text),
        );
    }

    fn request(
        &mut self,
        now: Now,
        from: Stream,
        id: &str,
        method: &str,
        params: RequestParams<'_>,
        Arrival { in_batch, has_waited }: Arrival,
    ) -> Result<(), ScopesMissing> {
        self.counters.requests += 1;
        let Some(id) = WireId::read(id, self.settings.limits.id) else {
            let limit = self.settings.limits.id;
            let text = format!("the id must be a string or an integer of at most {limit} bytes");
            self.refuse(from, None, &ErrorResponse::new(error_code::INVALID_REQUEST, text));
            return Ok(());
        };
        let space = self.id_space(from);
        if self.is_in_use(from.session, space, &id) {
            // An error with that id would end the first request of that id (S-JR-12).
            let text = format!("the id {} belongs to a request that is not answered yet", id.text());
            self.refuse(from, None, &ErrorResponse::new(error_code::INVALID_REQUEST, text));
            return Ok(());
        }
        if matches!(method, method::INITIALIZED | method::CANCELLED | method::ROOTS_CHANGED) {
            // A notification that was given an id: who waits for an answer gets one.
            self.tolerated(from.session, method);
            let request_id = params.text.and_then(|params| lenient::member(params, "requestId"));
            self.notification(now, from, method, params.text, request_id)?;
            self.result(from, &id, None, "{}");
            return Ok(());
        }
        if self.spans.is_some() && !has_waited {
            self.begin_span(now.at, from, &id, method, &params);
        }
        match self.routed(now, from, &id, method, params, in_batch) {
            Err(ErrorResponse { lacks: Some(lacks), code, message, .. }) => {
                if self.spans.is_some() {
                    self.end_span(from, &id, Some(Failure::spoken(code, &message)));
                }
                Err(ScopesMissing { id: Some(id), lacks, wants_answer: true })
            }
            Err(refusal) => {
                self.refuse(from, Some(&id), &refusal);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Whether a request with that id has no answer yet.
    pub(super) fn is_in_use(&self, session: SessionId, space: u64, id: &WireId) -> bool {
        self.requests.find(session, space, id).is_some()
            || self.waiters.has(session, space, id)
            || self.queue.has(session, space, id)
            || space == 0 && self.listens.has(session, id)
    }

    /// The space in which a stream's ids are compared: 0 where the session has one for all.
    pub(in crate::engine::server) fn id_space(&self, from: Stream) -> u64 {
        if self.sessions.has_ids_per_stream(from.session) { from.number } else { 0 }
    }

    /// Tells the era of a request and hands it on (S-MD-14, S-MD-15, S-LC-06).
    fn routed(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        name: &str,
        params: RequestParams<'_>,
        in_batch: bool,
    ) -> Result<(), ErrorResponse> {
        let metadata = RequestMeta::read(&params, self.settings.limits.depth)?;
        let limit = self.settings.limits.id;
        let speaks = |era: Era| self.settings.revisions.iter().any(|revision| revision.era() == era);
        if metadata.is_modern() && speaks(Era::Modern) {
            if in_batch {
                // 2026-07-28 has one message per frame, whatever the session of the same connection speaks (S-JR-10).
                let text = "a request of 2026-07-28 cannot be part of a batch: send it alone";
                return Err(ErrorResponse::new(error_code::INVALID_REQUEST, text));
            }
            let sessions = &mut self.sessions;
            let read = |text: &str| sessions.capabilities(from.session, text);
            let context = metadata.modern(&self.settings.revisions, limit, read)?;
            return self.dispatch(RequestHead { now, from, id, context }, name, params);
        }
        if name == method::INITIALIZE && speaks(Era::Legacy) {
            self.admit_method(from.session, name)?;
            return self.initialize(from, id, params.text);
        }
        if name == method::PING && speaks(Era::Legacy) {
            self.admit_method(from.session, name)?;
            self.result(from, id, None, "{}");
            return Ok(());
        }
        if let Some(context) = self.sessions.context(from.session, metadata.token(limit)) {
            return self.dispatch(RequestHead { now, from, id, context }, name, params);
        }
        if !speaks(Era::Modern) {
            if name == method::DISCOVER {
                return Err(ErrorResponse::method(name));
            }
            let text = "the session has not been initialized: send 'initialize' first";
            return Err(ErrorResponse::new(error_code::INVALID_REQUEST, text));
        }
        // Says what is missing; a client of the legacy era that asked to initialize learns the versions (S-MD-16).
        let sessions = &mut self.sessions;
        match metadata
            .modern(&self.settings.revisions, limit, |text| sessions.capabilities(from.session, text))
        {
            Err(refusal) if name == method::INITIALIZE => {
                let versions: Vec<&str> = self.settings.revisions.iter().map(|it| it.as_str()).collect();
                let text = format!("this server speaks {}: {}", versions.join(", "), refusal.message);
                let data = serde_json::json!({ "supported": versions });
                Err(ErrorResponse::new(error_code::UNSUPPORTED_VERSION, text).with(&data))
            }
            // Without a version most clients are of the other era, and have left out the handshake.
            Err(refusal) if !metadata.is_modern() && speaks(Era::Legacy) => {
                let text = format!(
                    "'{name}' came before 'initialize': send that first, or a request of 2026-07-28 ({})",
                    refusal.message
                );
                Err(ErrorResponse { message: text, ..refusal })
            }
            Err(refusal) => Err(refusal),
            Ok(context) => self.dispatch(RequestHead { now, from, id, context }, name, params),
        }
    }

    fn notification(
        &mut self,
        now: Now,
        from: Stream,
        name: &str,
        params: Option<&str>,
        request_id: Option<&str>,
    ) -> Result<(), ScopesMissing> {
        self.admit_method(from.session, name).map_err(|lacks| ScopesMissing {
            id: None,
            lacks,
            wants_answer: false,
        })?;
        if self.spans.is_some() && name != method::CANCELLED {
            self.trace_notification(now.at, from.session, name, params);
        }
        match name {
            method::INITIALIZED => {
                self.sessions.confirm(from.session);
                self.joined(from.session);
                self.send_held_questions(now, from.session);
            }
            method::CANCELLED => {
                let id = request_id.and_then(|id| WireId::read(id, self.settings.limits.id));
                if let Some(id) = id {
                    self.cancelled(from, &id);
                }
            }
            method::ROOTS_CHANGED => self.effects.push_back(Effect::RootsChanged(from.session)),
            _ => {
                let size = params.map_or(0, str::len);
                self.record(Level::Debug, from.session, format!("notification '{name}' ({size} bytes)"));
                self.notified(from.session, name, params);
            }
        }
        Ok(())
    }

    /// A client no longer wants a request (S-CN-01, S-CN-04) or a subscription (S-SU-08).
    fn cancelled(&mut self, from: Stream, id: &WireId) {
        for stream in self.listens.cancel(from.session, id) {
            self.effects.push_back(Effect::Ended(stream));
            self.end_span(stream, id, None);
            self.subscriptions_changed(from.session);
        }
        let in_any = self.sessions.has_ids_per_stream(from.session);
        let found = match in_any {
            true => self.requests.find_in_any(from.session, id),
            false => self.requests.find(from.session, 0, id),
        };
        let waited = match found {
            Some(_) => None,
            None => (self.waiters.cancel(from.session, id))
                .or_else(|| self.queue.cancel(from.session, (!in_any).then_some(0), id)),
        };
        if let Some(space) = waited {
            self.counters.cancelled += 1;
            let key = (from.session, space, id.clone());
            self.end_span_of_key(&key, Some(Failure::named("cancelled")));
        }
        if let Some(request) = found {
            self.counters.cancelled += 1;
            self.withdraw(request, Withdrawn::Cancelled);
        }
    }

    /// A client answered a question of ours, or something that was never asked (S-CR-02).
    fn answered(&mut self, now: Now, from: Stream, id: Id, outcome: Result<&str, String>) {
        let asked = match id {
            Id::Number(id) => self.outstanding.answered(from.session, id),
            _ => None,
        };
        if let (Some(_), Id::Number(id)) = (&asked, id) {
            self.end_asked(from.session, id, outcome.as_ref().err().map(|error| Failure::written(error)));
        }
        let (request, key) = match (asked, id) {
            (Some(AnswerWaiter::Question(request, key)), _) => (request, key),
            (Some(AnswerWaiter::Call { tag, method, schema }), Id::Number(call)) => {
                return self.call_answered(call, tag, method, schema.as_deref(), outcome);
            }
            _ => {
                self.counters.late += 1;
                return;
            }
        };
        let Some(entry) = self.requests.get_mut(request) else { return };
        let method = entry.questions.open(&key).map_or("", |question| question.method);
        let answer = match outcome {
            Ok(result) => as_answer(method, result).map_or_else(
                || Answer::Failed(wrong_shape(method)),
                |result| Answer::Result(result.as_ref().into()),
            ),
            Err(error) => Answer::Failed(error.into()),
        };
        if entry.questions.answered(&key, answer) {
            self.run_again(now, request);
        }
    }

    /// Several messages in one frame: 2025-03-26 has that, and nothing else (S-JR-09 to S-JR-11).
    fn batch(&mut self, now: Now, from: Stream, frame: &[u8]) -> Result<(), ScopesMissing> {
        let batches = self.sessions.revision(from.session) == Some(Revision::V2025_03_26);
        let limit = self.settings.limits.batch;
        let text = match json::scan_value(frame, self.settings.limits.depth) {
            Ok(value) => value.span.of(frame),
            Err(error) => {
                self.not_a_message(from, frame, &Violation::InvalidJson(error));
                return Ok(());
            }
        };
        let text = json::utf8(text);
        let count = json::count(text).unwrap_or(0);
        let refusal = if !batches {
            "batches are not supported here: send one message at a time".to_owned()
        } else if count == 0 {
            "the batch is empty".to_owned()
        } else if count > limit {
            format!("the batch has {count} messages, more than the limit of {limit}")
        } else {
            if let Some(lacks) = self.missing_scopes_of_batch(from, text) {
                return Err(ScopesMissing { id: None, lacks, wants_answer: true });
            }
            for message in json::elements(text) {
                self.message(now, from, message.as_bytes().to_vec(), true)?;
            }
            return Ok(());
        };
        self.counters.violations += 1;
        self.refuse(from, None, &ErrorResponse::new(error_code::INVALID_REQUEST, refusal));
        Ok(())
    }

    /// What the messages of an array lack together: none of them is served then.
    fn missing_scopes_of_batch(&self, from: Stream, array: &str) -> Option<MissingScopes> {
        let principal = self.sessions.principal(from.session)?;
        let mut all: Option<MissingScopes> = None;
        for message in json::elements(array) {
            let frame = message.as_bytes();
            let (method, params, inner) = match envelope::parse(frame, self.settings.limits.depth) {
                Ok(Incoming::Request { method, params, inner, .. }) => (method, params, inner),
                Ok(Incoming::Notification { method, params, .. }) => {
                    (method, params, envelope::Inner::default())
                }
                _ => continue,
            };
            let method = json::string(envelope::text(frame, method)).unwrap_or_default();
            let params = params.map(|params| FrameText::new(frame.to_vec(), params));
            let reader = self.reader(Some(&principal), &method);
            if let Err(lacks) = self.missing_scopes(&reader, RequestParams::of(params.as_ref(), &inner)) {
                all = Some(match all {
                    Some(others) => others.with(&lacks),
                    None => lacks,
                });
            }
        }
        all
    }
}
