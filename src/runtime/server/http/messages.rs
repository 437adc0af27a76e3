//! Messages that come by POST: which era each belongs to, whether its headers say what it says, and the stream on which its answer
//! goes back.

use super::arrived::Arrived;
use super::body::ServerBody;
use super::caller::Caller;
use super::endpoint::HttpEndpoint;
use super::exchange::{self, AnswerForm};
use super::modern::ModernRequest;
use super::reader::StreamReader;
use super::request_body::RequestBody as Received;
use super::responses::{accepted_response, refused};
use super::session::{HttpSession, KnownSession as _, SessionKind, UNRELATED};
use crate::engine::server::{Frame as Sent, Stream};
use crate::json::{self, Kind, Value};
use crate::protocol::envelope::{self, Incoming, Violation};
use crate::protocol::{Era, Revision, error_code, given, meta, method};
use crate::runtime::lock;
use crate::runtime::server::budget::Charge;
use crate::transport::http::header::MCP_SESSION_ID;
use crate::transport::http_server::event_store::EventId;
use crate::transport::http_server::media::{self, Accepted};
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use ring::rand::SecureRandom;
use std::sync::Arc;

/// Bytes of a session's name before they are written in Base64: 128 bits are too many to guess.
const NAME_BYTES: usize = 18;

/// What is done with a message.
enum TakenMessage {
    /// It wants no answer.
    Accepted,
    /// Its answer follows on a stream.
    Exchange(StreamReader, AnswerForm),
    /// It opens a session, if the answer is no error.
    Initialize(StreamReader, AnswerForm),
}

impl HttpEndpoint {
    pub(super) async fn post(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        body: Received,
    ) -> Result<Response<ServerBody>, Refusal> {
        if !media::is_json(headers) {
            let text = "the body must be JSON: Content-Type: application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error_code::INVALID_REQUEST, text));
        }
        let accepted = media::accepted(headers);
        if !accepted.json && !accepted.events {
            let text = "Accept must have application/json, text/event-stream, or both";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        let (body, charge) = self.received(caller, body).await?;
        let mut id = None;
        let taken = self.take(headers, caller, accepted, (body, charge), &mut id);
        match taken {
            Ok(TakenMessage::Accepted) => Ok(accepted_response()),
            Ok(TakenMessage::Exchange(reader, form)) => Ok(exchange::answer(reader, form).await),
            Ok(TakenMessage::Initialize(reader, form)) => Ok(self.initialized(reader, form).await),
            Err(refusal) => Ok(refused(&refusal, id.as_deref())),
        }
    }

    /// Gives a message to the engine, if it is one and its sender may send it. `id` is set as soon as it is known.
    fn take(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        accepted: Accepted,
        (mut body, charge): (Vec<u8>, Charge),
        id: &mut Option<String>,
    ) -> Result<TakenMessage, Refusal> {
        envelope::drop_mark(&mut body);
        if body.trim_ascii_start().first() == Some(&b'[') {
            return self.batch(headers, caller, accepted, (body, charge));
        }
        let scanned = envelope::parse(&body, self.settings.depth)
            .map_err(|malformed| self.unreadable(&malformed.violation, &body))?;
        let text = |span| envelope::text(&body, span);
        let (name, params, inner) = match scanned {
            Incoming::Request { id: number, method, params, inner, .. } => {
                *id = Some(text(number).to_owned());
                (json::string(text(method)).unwrap_or_default(), params.map(text), Some(inner))
            }
            Incoming::Notification { method, params, .. } => {
                (json::string(text(method)).unwrap_or_default(), params.map(text), None)
            }
            Incoming::Result { .. } | Incoming::Error { .. } => {
                let session = self.session_of(headers, caller)?;
                return self.accept(&session, caller, Arrived { frame: body, scanned: Some(scanned) });
            }
        };
        let metadata = match &inner {
            Some(inner) => inner.meta.map(|meta| text(meta.span)),
            None => params.and_then(|params| json::member(params, meta::META)),
        };
        let [version, capabilities] = metadata.map_or([None; 2], |metadata| {
            json::pick(metadata, [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES])
        });
        let version = version.filter(|version| *version != "null");
        let header = routing_headers::only(headers, &routing_headers::VERSION)?;
        let named_modern =
            header.and_then(Revision::parse).is_some_and(|revision| revision.era() == Era::Modern);
        let is_initialize = name == method::INITIALIZE;
        let is_modern = (version.is_some() || named_modern && !is_initialize) && self.speaks(Era::Modern);
        let Some(inner) = inner else {
            if is_modern {
                // It belongs to no session, so nothing can follow from it.
                return self.serving().map(|_| TakenMessage::Accepted);
            }
            self.speaks_legacy()?;
            let session = self.session_of(headers, caller)?;
            return self.accept(&session, caller, Arrived { frame: body, scanned: Some(scanned) });
        };
        if is_modern {
            let part = |value: Option<Value>| value.map(|value| text(value.span));
            let asked = ModernRequest {
                name: &name,
                params,
                version,
                capabilities,
                about: part(inner.name),
                arguments: part(inner.arguments),
            };
            self.check_modern(headers, caller, accepted, &asked)?;
            let is_listen = name == method::LISTEN;
            let session = self.open(SessionKind::OneRequest, caller)?;
            let arrived = Arrived { frame: body, scanned: Some(scanned) };
            return match self.exchange(&session, caller, accepted, (arrived, charge), true)? {
                // A stream without an end of its own ends with the token (S-AU-08).
                TakenMessage::Exchange(reader, form) if is_listen => {
                    Ok(TakenMessage::Exchange(reader, AnswerForm { until: caller.until, ..form }))
                }
                other => Ok(other),
            };
        }
        self.speaks_legacy()?;
        let arrived = Arrived { frame: body, scanned: Some(scanned) };
        if is_initialize {
            return self.initialize(caller, accepted, arrived);
        }
        let session = self.session_of(headers, caller)?;
        self.exchange(&session, caller, accepted, (arrived, charge), false)
    }

    fn speaks_legacy(&self) -> Result<(), Refusal> {
        if self.speaks(Era::Legacy) {
            return Ok(());
        }
        let text = "this server speaks 2026-07-28 only: the request must name its version in '_meta'";
        Err(Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_PARAMS, text))
    }

    fn initialize(
        &self,
        caller: &Caller,
        accepted: Accepted,
        arrived: Arrived,
    ) -> Result<TakenMessage, Refusal> {
        let session = self.open(SessionKind::Streamable, caller)?;
        match self.exchange(&session, caller, accepted, (arrived, Charge::default()), false) {
            Ok(TakenMessage::Exchange(reader, form)) => Ok(TakenMessage::Initialize(reader, form)),
            Ok(other) => Ok(other),
            Err(refusal) => {
                self.give_up(&session);
                Err(refusal)
            }
        }
    }

    /// A session whose handshake came to nothing ends.
    pub(super) fn give_up(&self, session: &HttpSession) {
        if let Ok(serving) = self.serving() {
            serving.end_session(session.id, "its 'initialize' was refused");
        }
    }

    /// A session, with a name unless it is one request. Where there are as many as there may be, one gives way, if its holder
    /// has more than this caller. One with a name is found by it from now on, so that one that its client leaves ends in its time.
    pub(super) fn open(&self, kind: SessionKind, caller: &Caller) -> Result<Arc<HttpSession>, Refusal> {
        let serving = self.serving()?;
        let name: Option<Box<str>> = match kind {
            SessionKind::OneRequest => None,
            SessionKind::Streamable | SessionKind::OneStream => {
                let mut bytes = [0; NAME_BYTES];
                let filled = self.random.fill(&mut bytes);
                filled.map_err(|_| Refusal::full("the system gives no random numbers"))?;
                Some(URL_SAFE_NO_PAD.encode(bytes).into())
            }
        };
        let (holder, limits) = (caller.holder(), &self.settings.limits);
        let opened = serving.http_open(kind, &holder, |id| {
            HttpSession::new(id, kind, name.clone(), holder.clone(), self.known(), limits, &self.budget)
        })?;
        if let Some(name) = name {
            lock(&self.sessions).insert(name.clone(), Arc::clone(&opened));
            if opened.has_ended() {
                // The server closed in between.
                self.forget(&name);
            }
        }
        Ok(opened)
    }

    /// The answer to `initialize`. Only if it is a result there is a session from now on.
    async fn initialized(&self, mut reader: StreamReader, mut form: AnswerForm) -> Response<ServerBody> {
        let session = Arc::clone(&reader.session);
        let answer = reader.source.next().await;
        let revision =
            answer.as_ref().filter(|answer| matches!(answer.sent, Sent::Answer(None))).and_then(|answer| {
                let result = json::member(json::utf8(&answer.frame), "result")?;
                Revision::parse(&json::member(result, "protocolVersion").and_then(json::string)?)
            });
        let Some(answer) = answer else {
            self.give_up(&session);
            return accepted_response();
        };
        let status = form.status_of(&answer);
        let name = match (revision, session.name()) {
            (Some(revision), Some(name)) => {
                session.agreed(revision);
                HeaderValue::from_str(name).ok()
            }
            _ => None,
        };
        if name.is_none() {
            self.give_up(&session);
        }
        let mut response = if form.accepted.json || status != StatusCode::OK {
            exchange::counted_response(status, answer.frame, answer.charge)
        } else {
            form.prime = None;
            exchange::events(reader, &form, vec![answer], b"")
        };
        if let Some(name) = name {
            response.headers_mut().insert(HeaderName::from_static(MCP_SESSION_ID), name);
        }
        response
    }

    /// Several messages at once, which 2025-03-26 has and no other revision.
    fn batch(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        accepted: Accepted,
        (body, charge): (Vec<u8>, Charge),
    ) -> Result<TakenMessage, Refusal> {
        let scanned = json::scan_value(&body, self.settings.depth);
        let value = scanned.map_err(|error| self.unreadable(&Violation::InvalidJson(error), &body))?;
        let session = self.session_of(headers, caller)?;
        if session.revision() != Some(Revision::V2025_03_26) {
            let text = "an array of messages is not supported here: send one message at a time";
            return Err(Refusal::bad(text));
        }
        let text = json::utf8(value.span.of(&body));
        let wants_answer = |message: &str| {
            let has = |name| given::member(message, name).is_some();
            let is_answer = has("id") && (has("result") || has("error")) && !has("method");
            // A request whose id is null is answered, with an error.
            let is_bare = json::member(message, "id").is_none()
                || given::member(message, "method").is_some_and(|it| it.starts_with("\"notifications/"));
            let is_notification = has("method") && !has("id") && is_bare;
            json::kind(message) != Some(Kind::Object) || !is_answer && !is_notification
        };
        let count = json::count(text).unwrap_or(0);
        // What may be refused as a whole has a stream for that.
        let is_answered =
            !(1..=self.settings.batch).contains(&count) || json::elements(text).any(wants_answer);
        let arrived = Arrived { frame: body, scanned: None };
        if !is_answered {
            return self.accept(&session, caller, arrived);
        }
        match self.exchange(&session, caller, accepted, (arrived, charge), false)? {
            TakenMessage::Exchange(reader, form) => {
                Ok(TakenMessage::Exchange(reader, AnswerForm { is_batch: true, ..form }))
            }
            other => Ok(other),
        }
    }

    /// A message that wants no answer.
    fn accept(
        &self,
        session: &Arc<HttpSession>,
        caller: &Caller,
        arrived: Arrived,
    ) -> Result<TakenMessage, Refusal> {
        session.touch();
        let stream = Stream { session: session.id, number: UNRELATED };
        self.serving()?.http_frame(session, stream, caller, arrived, |needed| self.lacking(needed))?;
        Ok(TakenMessage::Accepted)
    }

    /// A request, or several: their answers follow on a stream of their own.
    fn exchange(
        &self,
        session: &Arc<HttpSession>,
        caller: &Caller,
        accepted: Accepted,
        (arrived, body): (Arrived, Charge),
        is_modern: bool,
    ) -> Result<TakenMessage, Refusal> {
        let serving = self.serving()?;
        let (number, source) = session.open(accepted.events, &caller.account).ok_or_else(|| self.gone())?;
        session.begin_writing();
        let stream = Stream { session: session.id, number };
        let (owner, by) = (Arc::clone(session), Arc::downgrade(&serving));
        let reader = StreamReader { source, stream, session: owner, serving: by };
        // The engine counts what is kept of it.
        drop(body);
        serving.http_frame(session, stream, caller, arrived, |needed| self.lacking(needed))?;
        let prime = session.revision() == Some(Revision::V2025_11_25);
        let form = AnswerForm {
            accepted,
            is_modern,
            is_batch: false,
            prime: prime.then_some(EventId { stream: number, place: 0 }),
            retry: self.settings.limits.retry,
            keep_alive: self.settings.limits.keep_alive,
            until: None,
        };
        Ok(TakenMessage::Exchange(reader, form))
    }

    /// The body is no message.
    pub(super) fn unreadable(&self, violation: &Violation, body: &[u8]) -> Refusal {
        let code = violation.code(body, self.settings.depth);
        Refusal::new(StatusCode::BAD_REQUEST, code, format!("the body is no message: {violation}"))
    }
}

pub(super) fn version_of(params: Option<&str>) -> Option<&str> {
    json::member(json::member(params?, meta::META)?, meta::PROTOCOL_VERSION)
}
