//! Messages that come by POST: which era each belongs to, whether its headers say what it says, and the stream on which its answer
//! goes back.

#[cfg(feature = "draft")]
use super::draft;
use super::endpoint::HttpEndpoint;
use super::endpoint::unknown_session;
use super::limits::HttpLimits;
use super::request_body::RequestBody as Received;
use super::response::{AnswerForm, accepted_response, refused};
use super::response::{ServerBody, StreamReader};
use super::response_stream::OutgoingEvent;
use super::sessions::{
    HttpSession, HttpStreams, KnownSession as _, RequestStream, SessionKind, UNRELATED, single_answer,
};
use super::{Arrived, Caller, response};
use crate::engine::server::{
    ID_BYTES, MissingScopes, OutgoingKind, SealedSession, SessionId, SingleRequest, Stream, WireId,
};
use crate::json;
use crate::json::{Kind, Span, Value};
use crate::protocol::envelope::{Incoming, Violation};
use crate::protocol::header_parameters::Parameter;
use crate::protocol::{Era, Revision, envelope, error_code, lenient, meta, method};
use crate::runtime::lock;
use crate::runtime::server::budget::{BudgetFull, Charge, EACH, SMALL};
use crate::runtime::server::{Admitted, Begun};
use crate::shares::Holder;
use crate::transport::http::header::MCP_SESSION_ID;
use crate::transport::http_server::event_stream::EventId;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use crate::transport::http_server::routing_headers::Accepted;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::BodyExt;
use hyper::body::Body;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use ring::rand::SecureRandom;
use std::borrow::Cow;
use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

/// Bytes of a session's name before they are written in Base64: 128 bits are too many to guess.
const NAME_BYTES: usize = 18;
/// Its characters.
#[cfg(feature = "store")]
pub(super) const NAME_CHARS: usize = NAME_BYTES / 3 * 4;

/// Between the name of a session and its seal.
const SEAL: char = '.';

/// What is done with a message.
enum TakenMessage {
    /// It wants no answer.
    Accepted,
    /// Its answer follows on a stream.
    Exchange(StreamReader, AnswerForm),
    /// It opens a session, if the answer is not an error.
    Initialize(Arc<HttpSession>, StreamReader, AnswerForm),
    /// It is answered.
    Answered(OutgoingEvent, AnswerForm),
}

impl HttpEndpoint {
    pub(super) async fn post(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        body: Received,
    ) -> Result<Response<ServerBody>, Refusal> {
        routing_headers::check_body(headers)?;
        let accepted = routing_headers::accepted(headers);
        if !accepted.json && !accepted.events {
            let text = "Accept must have application/json, text/event-stream, or both";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        let (body, charge) = self.received(caller, body).await?;
        let mut id = None;
        let taken = self.take(headers, caller, accepted, (body, charge), &mut id).await;
        match taken {
            Ok(TakenMessage::Accepted) => Ok(accepted_response()),
            #[cfg(feature = "draft")]
            Ok(TakenMessage::Exchange(reader, form)) => {
                Ok(dressed(form.draft, headers, response::answer(reader, form).await))
            }
            #[cfg(not(feature = "draft"))]
            Ok(TakenMessage::Exchange(reader, form)) => Ok(response::answer(reader, form).await),
            Ok(TakenMessage::Initialize(session, reader, form)) => {
                let response = self.initialized(&session, reader, form).await;
                Ok(response.unwrap_or_else(|refusal| refused(&refusal, id.as_ref().map(WireId::text))))
            }
            #[cfg(feature = "draft")]
            Ok(TakenMessage::Answered(answer, form)) => {
                Ok(dressed(form.draft, headers, response::whole_answer(&form, answer)))
            }
            #[cfg(not(feature = "draft"))]
            Ok(TakenMessage::Answered(answer, form)) => Ok(response::whole_answer(&form, answer)),
            Err(refusal) => Ok(refused(&refusal, id.as_ref().map(WireId::text))),
        }
    }

    /// Gives a message to the engine, if it is one and its sender may send it. `id` is set as soon as it is known.
    async fn take(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        accepted: Accepted,
        (mut body, charge): (Vec<u8>, Charge),
        id: &mut Option<WireId>,
    ) -> Result<TakenMessage, Refusal> {
        envelope::drop_mark(&mut body);
        if body.trim_ascii_start().first() == Some(&b'[') {
            return self.batch(headers, caller, accepted, (body, charge)).await;
        }
        let scanned = envelope::parse(&body, self.settings.depth)
            .map_err(|malformed| self.unreadable(&malformed.violation, &body))?;
        let whole = json::utf8(&body);
        let text = |span: Span| span.str(whole);
        let (name, params, inner) = match scanned {
            Incoming::Request { id: number, method, params, inner, .. } => {
                // Another one has no answer, and is not sent back with an error.
                *id = Some(WireId::read(text(number), ID_BYTES).ok_or_else(|| {
                    Refusal::bad(format!("the id must be a string or an integer of at most {ID_BYTES} bytes"))
                })?);
                (json::string(text(method)).unwrap_or_default(), params.map(text), Some(inner))
            }
            Incoming::Notification { method, params, .. } => {
                (json::string(text(method)).unwrap_or_default(), params.map(text), None)
            }
            Incoming::Result { .. } | Incoming::Error { .. } => {
                let version = routing_headers::only(headers, &routing_headers::VERSION)?;
                let session = self.session_of(headers, version, caller).await?;
                #[cfg(feature = "store")]
                if let Incoming::Result { id, .. } | Incoming::Error { id, .. } = &scanned
                    && self.answered_elsewhere(&session, *id, &body).await?
                {
                    return Ok(TakenMessage::Accepted);
                }
                return self.accept(&session, caller, Arrived { frame: body, scanned: Some(scanned) });
            }
        };
        let metadata = match &inner {
            Some(inner) => inner.meta.map(|meta| text(meta.span)),
            None => params.and_then(|params| json::member(params, meta::META)),
        };
        let [version, capabilities] = match inner.as_ref().and_then(|inner| inner.meta_texts(whole, 0)) {
            Some([version, capabilities, ..]) => [version, capabilities],
            None => metadata.map_or([None; 2], |metadata| {
                json::pick(metadata, [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES])
            }),
        };
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
            let session = self.session_of(headers, header, caller).await?;
            #[cfg(feature = "store")]
            if let Incoming::Notification { request_id: Some(id), .. } = &scanned
                && name == method::CANCELLED
                && let Some(id) = WireId::read(text(id.span), ID_BYTES)
            {
                self.cancelled_elsewhere(&session, &id);
            }
            return self.accept(&session, caller, Arrived { frame: body, scanned: Some(scanned) });
        };
        if is_modern {
            let part = |value: Option<Value>| value.map(|value| text(value.span));
            let asked =
                ModernRequest { name: &name, params, header, version, capabilities, about: part(inner.name) };
            let tool = check_modern(headers, accepted, &asked)?;
            let form = AnswerForm::of(accepted, self.limits());
            #[cfg(feature = "draft")]
            let form = {
                draft::check_headers(self.settings.draft, headers, metadata)?;
                AnswerForm { draft: draft::AnswerDrafts::of(self.settings.draft, &name), ..form }
            };
            // A stream without an end of its own ends with the token (S-AU-08).
            let until = caller.until.filter(|_| name == method::LISTEN);
            let compare = |frame: &[u8], parameters: &[Parameter]| {
                let arguments = inner.arguments.map(|value| envelope::text(frame, value.span));
                routing_headers::check_parameters(headers, parameters, arguments)
            };
            let request = SingleRequest {
                holder: caller.holder(),
                principal: caller.principal.clone(),
                tool: tool.map(|tool| (tool.into_owned(), compare)),
                frame: body,
                scanned,
                takes_answer: accepted.json,
            };
            // The engine counts what is kept of it.
            drop(charge);
            return self.exchange_alone(AnswerForm { is_modern: true, until, ..form }, caller, request);
        }
        self.speaks_legacy()?;
        #[cfg(feature = "store")]
        let changes = matches!(&*name, method::SUBSCRIBE | method::UNSUBSCRIBE | method::SET_LEVEL);
        let arrived = Arrived { frame: body, scanned: Some(scanned) };
        if is_initialize {
            return self.initialize(caller, accepted, arrived);
        }
        let session = self.session_of(headers, header, caller).await?;
        #[cfg(feature = "store")]
        if changes {
            // What it did elsewhere before: what it takes back here may not be known here yet.
            self.looked_up(&session, true).await?;
        }
        let taken = self.exchange(&session, caller, accepted, (arrived, charge));
        #[cfg(feature = "store")]
        if changes && taken.is_ok() {
            self.follow(&session).await;
        }
        taken
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
        #[cfg(feature = "store")]
        self.may_open()?;
        let session = self.open(SessionKind::Streamable, caller)?;
        match self.exchange(&session, caller, accepted, (arrived, Charge::default())) {
            Ok(TakenMessage::Exchange(reader, form)) => Ok(TakenMessage::Initialize(session, reader, form)),
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

    /// A session with a name. Where there are as many as there may be, one gives way, if its holder has more than this caller. It is found
    /// by its name from now on, so that one that its client leaves ends in its time.
    pub(super) fn open(&self, kind: SessionKind, caller: &Caller) -> Result<Arc<HttpSession>, Refusal> {
        let mut bytes = [0; NAME_BYTES];
        let filled = self.random.fill(&mut bytes);
        filled.map_err(|_| Refusal::full("the system gives no random numbers"))?;
        let name: Box<str> = URL_SAFE_NO_PAD.encode(bytes).into();
        let holder = caller.holder();
        let start = if kind == SessionKind::Streamable { self.first_number()? } else { 0 };
        let opened = self.serving()?.http_open(kind, &holder, None, |id| {
            self.new_session(id, kind, name.clone(), holder.clone()).numbered_from(start)
        })?;
        self.listed(&name, opened, None)
    }

    /// A session that another process has opened goes on here, if its seal is good for the caller.
    pub(super) fn adopted(
        &self,
        name: &str,
        seal: &str,
        caller: &Caller,
    ) -> Result<Arc<HttpSession>, Refusal> {
        let serving = self.serving()?;
        // Before any other session gives way to it.
        let sealed = serving.sealed_session(name, seal, caller.id()).ok_or_else(unknown_session)?;
        let (kind, holder) = (SessionKind::Streamable, caller.holder());
        let start = self.first_number()?;
        let opened = serving.http_open(kind, &holder, Some(Begun::Sealed(&sealed)), |id| {
            self.new_session(id, kind, name.into(), holder.clone()).going_on(sealed.revision(), start)
        })?;
        self.listed(name, opened, Some(&sealed))
    }

    /// Where the numbers of a session's streams begin: where sessions go on in other processes, each has numbers of its own.
    pub(super) fn first_number(&self) -> Result<u64, Refusal> {
        let mut bytes = [0; 4];
        if self.moves_sessions() {
            let filled = self.random.fill(&mut bytes);
            filled.map_err(|_| Refusal::full("the system gives no random numbers"))?;
        }
        Ok(u64::from(u32::from_be_bytes(bytes)) << 32)
    }

    /// A session is found by its name from now on. Where two requests took one up at the same time, both have the first. One that its
    /// client ended between `opened` and this is not there.
    pub(super) fn listed(
        &self,
        name: &str,
        opened: Arc<HttpSession>,
        sealed: Option<&SealedSession>,
    ) -> Result<Arc<HttpSession>, Refusal> {
        let first = {
            let mut sessions = lock(&self.sessions);
            let first = sessions.get(name).filter(|first| !first.has_ended()).map(Arc::clone);
            if first.is_none() {
                sessions.insert(name.into(), Arc::clone(&opened));
            }
            first
        };
        if let Some(first) = first {
            if let Ok(serving) = self.serving() {
                serving.end_session(opened.id, "another request took it up at the same time");
            }
            return Ok(first);
        }
        if opened.has_ended() {
            // The server closed in between.
            self.forget(name, opened.id);
        }
        // An end that comes from now on finds the session by its name.
        if let Some(sealed) = sealed {
            let serving = self.serving()?;
            if serving.was_ended(sealed) {
                serving.end_session(opened.id, "its client ended it");
                return Err(unknown_session());
            }
        }
        Ok(opened)
    }

    /// The parts of what a client calls its session: the name, and the seal, where names have one.
    pub(super) fn parts_of<'a>(&self, called: &'a str) -> (&'a str, Option<&'a str>) {
        match called.split_once(SEAL) {
            Some((name, seal)) if self.settings.seals => (name, Some(seal)),
            _ => (called, None),
        }
    }

    /// What a client is to call its session. One whose name cannot be sealed stays in this process.
    fn called(&self, session: &HttpSession) -> Option<HeaderValue> {
        let name = session.name();
        let seal = self.settings.seals.then(|| self.serving().ok()?.seal_session(session.id, name)).flatten();
        match seal {
            Some(seal) => HeaderValue::from_str(&format!("{name}{SEAL}{seal}")),
            None => HeaderValue::from_str(name),
        }
        .ok()
    }

    pub(super) fn new_session(
        &self,
        id: SessionId,
        kind: SessionKind,
        name: Box<str>,
        holder: Holder,
    ) -> HttpSession {
        HttpSession::new(id, kind, name, holder, self.known(), &self.settings.limits, &self.budget)
    }

    /// The answer to `initialize`. Only if it is a result there is a session from now on.
    async fn initialized(
        &self,
        session: &HttpSession,
        mut reader: StreamReader,
        mut form: AnswerForm,
    ) -> Result<Response<ServerBody>, Refusal> {
        let answer = reader.source.next().await;
        let revision = answer
            .as_ref()
            .filter(|answer| matches!(answer.sent, OutgoingKind::Answer(None)))
            .and_then(|answer| {
                let result = json::member(json::utf8(&answer.frame), "result")?;
                Revision::parse(&json::member(result, "protocolVersion").and_then(json::string)?)
            });
        let Some(answer) = answer else {
            self.give_up(session);
            return Ok(accepted_response());
        };
        let status = form.status_of(&answer);
        let name = revision.and_then(|revision| {
            session.agreed(revision);
            self.called(session)
        });
        if name.is_none() {
            self.give_up(session);
        }
        #[cfg(feature = "store")]
        if name.is_some() {
            self.keep(session).await.inspect_err(|_| self.give_up(session))?;
        }
        let mut response = if form.accepted.json || status != StatusCode::OK {
            response::counted_response(status, answer.frame, answer.charge)
        } else {
            form.prime = None;
            response::events(reader, &form, vec![answer], b"")
        };
        if let Some(name) = name {
            response.headers_mut().insert(HeaderName::from_static(MCP_SESSION_ID), name);
        }
        Ok(response)
    }

    /// Several messages at once, which 2025-03-26 has and no other revision.
    async fn batch(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        accepted: Accepted,
        (body, charge): (Vec<u8>, Charge),
    ) -> Result<TakenMessage, Refusal> {
        let scanned = json::scan_value(&body, self.settings.depth);
        let value = scanned.map_err(|error| self.unreadable(&Violation::InvalidJson(error), &body))?;
        let version = routing_headers::only(headers, &routing_headers::VERSION)?;
        let session = self.session_of(headers, version, caller).await?;
        if session.revision() != Some(Revision::V2025_03_26) {
            let text = "an array of messages is not supported here: send one message at a time";
            return Err(Refusal::bad(text));
        }
        let text = json::utf8(value.span.of(&body));
        let wants_answer = |message: &str| {
            let has = |name| lenient::member(message, name).is_some();
            let is_answer = has("id") && (has("result") || has("error")) && !has("method");
            // A request whose id is null is answered, with an error.
            let is_bare = json::member(message, "id").is_none()
                || lenient::member(message, "method").is_some_and(|it| it.starts_with("\"notifications/"));
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
        // Subscriptions may be among them.
        #[cfg(feature = "store")]
        self.looked_up(&session, true).await?;
        let taken = self.exchange(&session, caller, accepted, (arrived, charge))?;
        #[cfg(feature = "store")]
        self.follow(&session).await;
        match taken {
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
        let stream = Stream { session: session.id, number: UNRELATED };
        self.serving()?.http_frame(session, stream, Some(caller), arrived, |needed| self.lacking(needed))?;
        Ok(TakenMessage::Accepted)
    }

    /// A request of the modern era, which is all of its session.
    fn exchange_alone(
        &self,
        form: AnswerForm,
        caller: &Caller,
        request: SingleRequest<impl FnOnce(&[u8], &[Parameter]) -> Result<(), Refusal>>,
    ) -> Result<TakenMessage, Refusal> {
        let (serving, account) = (self.serving()?, &caller.account);
        let make = |stream| {
            let (request, source) = RequestStream::new(stream, form.accepted.events, account, self.limits());
            let (streams, serving) = (HttpStreams::Request(request), Arc::downgrade(&serving));
            (streams.clone(), StreamReader { source, stream, streams, serving })
        };
        Ok(match serving.http_request(request, caller.link, make, |needed| self.lacking(needed))? {
            Admitted::Stream(reader) => TakenMessage::Exchange(reader, form),
            Admitted::Answer(frame, code) => {
                TakenMessage::Answered(single_answer(account, frame, code), form)
            }
        })
    }

    /// A request of a session, or several: their answers follow on a stream of their own.
    fn exchange(
        &self,
        session: &Arc<HttpSession>,
        caller: &Caller,
        accepted: Accepted,
        (arrived, body): (Arrived, Charge),
    ) -> Result<TakenMessage, Refusal> {
        let serving = self.serving()?;
        let opened = session.open(accepted.events, &caller.account);
        let (stream, source, revision) = opened.ok_or_else(|| self.gone())?;
        #[cfg(feature = "store")]
        session.log_answers(stream.number, || ids_of(&arrived));
        let (streams, by) = (HttpStreams::Session(Arc::clone(session)), Arc::downgrade(&serving));
        let reader = StreamReader { source, stream, streams, serving: by };
        // The engine counts what is kept of it.
        drop(body);
        serving.http_frame(session, stream, Some(caller), arrived, |needed| self.lacking(needed))?;
        let prime =
            (revision == Some(Revision::V2025_11_25)).then_some(EventId { stream: stream.number, place: 0 });
        let form = AnswerForm { prime, ..AnswerForm::of(accepted, self.limits()) };
        Ok(TakenMessage::Exchange(reader, form))
    }

    /// The body is not a message.
    pub(super) fn unreadable(&self, violation: &Violation, body: &[u8]) -> Refusal {
        let code = violation.code(body, self.settings.depth);
        Refusal::new(StatusCode::BAD_REQUEST, code, format!("the body is not a valid message: {violation}"))
    }
}

/// The ids of the requests of a message, or of several, as JSON text.
#[cfg(feature = "store")]
fn ids_of(arrived: &Arrived) -> Vec<Box<str>> {
    match &arrived.scanned {
        Some(Incoming::Request { id, .. }) => vec![envelope::text(&arrived.frame, *id).into()],
        Some(_) => Vec::new(),
        None => {
            let of = |message| json::member(message, "method").and(json::member(message, "id"));
            json::elements(json::utf8(&arrived.frame)).filter_map(of).map(Into::into).collect()
        }
    }
}

/// An answer with what drafts add to it. Events are left alone: their head says nothing of what follows.
#[cfg(feature = "draft")]
fn dressed(
    follows: draft::AnswerDrafts,
    asked: &HeaderMap,
    response: Response<ServerBody>,
) -> Response<ServerBody> {
    if !follows.is_any() {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let ServerBody::Whole(Some(text), _) = &body else { return Response::from_parts(head, body) };
    if draft::dress(follows, asked, text, (head.status, &mut head.headers)) {
        head.status = StatusCode::NOT_MODIFIED;
        return Response::from_parts(head, ServerBody::empty());
    }
    Response::from_parts(head, body)
}

pub(super) fn version_of(params: Option<&str>) -> Option<&str> {
    json::member(json::member(params?, meta::META)?, meta::PROTOCOL_VERSION)
}

/// A request of the modern era, as the scan of its frame has it.
struct ModernRequest<'a> {
    pub(super) name: &'a str,
    pub(super) params: Option<&'a str>,
    /// `MCP-Protocol-Version`.
    pub(super) header: Option<&'a str>,
    /// Of its `_meta`.
    pub(super) version: Option<&'a str>,
    /// Of its `_meta`.
    pub(super) capabilities: Option<&'a str>,
    /// The member `name` of its parameters.
    pub(super) about: Option<&'a str>,
}

/// Checks a request of the modern era in the order of the specification. Gives the tool that it calls, if it calls one.
fn check_modern<'a>(
    headers: &HeaderMap,
    accepted: Accepted,
    asked: &ModernRequest<'a>,
) -> Result<Option<Cow<'a, str>>, Refusal> {
    let missing = |member: &str, what: &str| {
        let text = format!("the member '{member}' of the parameters' '_meta' must be {what}");
        Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_PARAMS, text)
    };
    let ModernRequest { name, params, .. } = *asked;
    let version = asked.version.and_then(json::string);
    let version = version.ok_or_else(|| missing(meta::PROTOCOL_VERSION, "a string"))?;
    if asked.capabilities.and_then(lenient::as_object).is_none() {
        return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
    }
    routing_headers::check_version(asked.header, &version)?;
    routing_headers::check_method(headers, name)?;
    let about = match method::find(name).and_then(|row| row.header_member) {
        // The scan of the frame has found it.
        Some("name") => asked.about,
        Some(member) => params.and_then(|params| json::member(params, member)),
        None => None,
    };
    let about = about.and_then(json::string);
    if let Some(about) = &about {
        routing_headers::check_name(headers, about)?;
    }
    if name == method::LISTEN && !accepted.events {
        let text = "Accept must have text/event-stream";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
    }
    Ok(about.filter(|_| name == method::TOOLS_CALL))
}

// What a sender is told whose token does not have the scopes that its message needs. Whether it has them is asked by the engine, where
// that has found what the message is about.

impl HttpEndpoint {
    /// The challenge that names all scopes that a message needs.
    pub(super) fn lacking(&self, needed: &MissingScopes) -> Refusal {
        match &self.settings.authorization {
            Some(authorization) => authorization.lacks(needed.scopes()),
            // Who needs no token is asked for no scope.
            None => Refusal::bad("the request needs scopes, and this URL takes no tokens"),
        }
    }
}

/// The most memory that is there for a body before the body is.
const ANNOUNCED_BYTES: usize = 16 * 1024;

impl HttpEndpoint {
    /// The body, within its bounds and those of all that the server holds for its clients, and what counts it.
    pub(super) async fn received(
        &self,
        caller: &Caller,
        body: Received,
    ) -> Result<(Vec<u8>, Charge), Refusal> {
        let limits = &self.settings.limits;
        if body.size_hint().lower() > limits.body_bytes as u64 {
            return Err(self.too_large());
        }
        let mut collected = pin!(self.collected(caller, body));
        // Most bodies come with their heads, and need no timer.
        let at_once = poll_fn(|context| match collected.as_mut().poll(context) {
            Poll::Ready(collected) => Poll::Ready(Some(collected)),
            Poll::Pending => Poll::Ready(None),
        });
        if let Some(collected) = at_once.await {
            return collected;
        }
        tokio::time::timeout(limits.body, collected).await.unwrap_or_else(|_| {
            let millis = limits.body.as_millis();
            let text = format!("the body did not come within {millis} ms (timeouts.body_ms)");
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, error_code::INVALID_REQUEST, text))
        })
    }

    fn too_large(&self) -> Refusal {
        let most = self.settings.limits.body_bytes;
        let text = format!("the body has more than {most} bytes (limits.frame_bytes)");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error_code::INVALID_REQUEST, text)
    }

    async fn collected(&self, caller: &Caller, mut body: Received) -> Result<(Vec<u8>, Charge), Refusal> {
        let limits = &self.settings.limits;
        let full = |_: BudgetFull| {
            Refusal::at_limit("limits.shared_bytes", "server memory limit reached (limits.shared_bytes)")
        };
        let begun = tokio::time::Instant::now();
        // What is announced is believed up to a bound: the rest of it may never come.
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        let mut text = Vec::new();
        let mut charge = caller.account.clone().nothing();
        charge.grow_in_time(EACH + caller.head_bytes).await.map_err(full)?;
        let mut room = announced.min(ANNOUNCED_BYTES);
        let most = if announced > 0 { announced } else { limits.body_bytes };
        loop {
            let next = async {
                match slowest(limits, begun, text.len()) {
                    Some(until) => tokio::time::timeout_at(until, body.frame()).await.map_err(|_| {
                        let text = format!(
                            "{} bytes of the body came in {} ms: a large one must come with {} bytes a second (limits.body_bytes_per_second)",
                            text.len(), begun.elapsed().as_millis(), limits.body_rate
                        );
                        Refusal::new(StatusCode::REQUEST_TIMEOUT, error_code::INVALID_REQUEST, text)
                    }),
                    None => Ok(body.frame().await),
                }
            };
            let Some(frame) = next.await? else {
                caller.account.is_served();
                return Ok((text, charge));
            };
            let frame =
                frame.map_err(|error| Refusal::bad(format!("the body could not be read: {error}")))?;
            let Ok(data) = frame.into_data() else { continue };
            let length = text.len() + data.len();
            if length > limits.body_bytes {
                return Err(self.too_large());
            }
            if length > text.capacity() {
                room = length.max(room).max((2 * text.capacity()).min(most));
                charge.grow_in_time(room - text.capacity()).await.map_err(full)?;
                text.try_reserve_exact(room - text.len()).map_err(|_| full(BudgetFull))?;
            }
            text.extend_from_slice(&data);
            caller.account.moves(data.len());
        }
    }
}

/// When the next part of a body must have come, of which so many bytes have: a large one has a least rate after its grace.
fn slowest(limits: &HttpLimits, begun: tokio::time::Instant, bytes: usize) -> Option<tokio::time::Instant> {
    if bytes <= SMALL || limits.body_rate == 0 {
        return None;
    }
    let due = Duration::from_millis(bytes as u64 * 1000 / limits.body_rate as u64);
    begun.checked_add(limits.body_grace)?.checked_add(due)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_body_has_a_least_rate_after_its_grace_and_a_small_one_has_none() {
        let begun = tokio::time::Instant::now();
        let limits =
            HttpLimits { body_rate: 1 << 20, body_grace: Duration::from_secs(5), ..HttpLimits::of_tests() };
        assert_eq!(slowest(&limits, begun, SMALL), None);
        let after = |bytes| slowest(&limits, begun, bytes).expect("a bound") - begun;
        assert!(after(SMALL + 1) < Duration::from_millis(5100));
        assert_eq!(after(16 << 20), Duration::from_secs(21));
        assert_eq!(slowest(&HttpLimits { body_rate: 0, ..limits }, begun, 16 << 20), None);
    }
}
