//! Messages that come by POST: which era each belongs to, whether its headers say what it says, and the stream on which its answer
//! goes back.

use super::body::ServerBody;
use super::endpoint::Endpoint;
use super::exchange::{self, Form};
use super::reader::Reader;
use super::responses::{accepted_response, refused};
use super::session::{HttpSession, UNRELATED};
use crate::engine::server::{Frame as Sent, Stream};
use crate::json::{self, Kind};
use crate::protocol::envelope::{self, Incoming, Violation};
use crate::protocol::{Era, Revision, error_code, meta, method};
use crate::runtime::lock;
use crate::transport::http::header::{MCP_PROTOCOL_VERSION, MCP_SESSION_ID};
use crate::transport::http::param;
use crate::transport::http_server::event_store::EventId;
use crate::transport::http_server::media::{self, Accepted};
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming as Received};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use ring::rand::SecureRandom;
use std::sync::Arc;
use tokio::sync::SemaphorePermit;

/// Bytes of a session's name before they are written in Base64: 128 bits are too many to guess.
const NAME_BYTES: usize = 18;

/// What is done with a message.
enum Taken {
    /// It wants no answer.
    Accepted,
    /// Its answer follows on a stream.
    Exchange(Reader, Form),
    /// It opens a session, if the answer is no error.
    Initialize(Reader, Form),
}

impl Endpoint {
    pub(super) async fn post(
        &self,
        headers: &HeaderMap,
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
        let (body, room) = self.received(body).await?;
        let mut id = None;
        let taken = self.take(headers, accepted, &body, &mut id);
        drop((body, room));
        match taken {
            Ok(Taken::Accepted) => Ok(accepted_response()),
            Ok(Taken::Exchange(reader, form)) => Ok(exchange::answer(reader, form).await),
            Ok(Taken::Initialize(reader, form)) => Ok(self.initialized(reader, form).await),
            Err(refusal) => Ok(refused(&refusal, id.as_deref())),
        }
    }

    /// The body, within its bounds and those of all bodies that are on their way.
    async fn received(&self, mut body: Received) -> Result<(Vec<u8>, Vec<SemaphorePermit<'_>>), Refusal> {
        let most = self.settings.limits.body_bytes;
        let too_large = || {
            let text = format!("the body has more than {most} bytes (limits.frame_bytes)");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error_code::INVALID_REQUEST, text)
        };
        if body.size_hint().lower() > most as u64 {
            return Err(too_large());
        }
        let time = self.settings.limits.body;
        let collecting = async {
            let (mut text, mut room) = (Vec::new(), Vec::new());
            while let Some(frame) = body.frame().await {
                let frame =
                    frame.map_err(|error| Refusal::bad(format!("the body could not be read: {error}")))?;
                let Ok(data) = frame.into_data() else { continue };
                if text.len() + data.len() > most {
                    return Err(too_large());
                }
                let bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
                let more = self.receiving.try_acquire_many(bytes);
                room.push(
                    more.map_err(|_| Refusal::full("as many bodies are on their way as there may be"))?,
                );
                text.extend_from_slice(&data);
            }
            Ok((text, room))
        };
        tokio::time::timeout(time, collecting).await.unwrap_or_else(|_| {
            let text = format!("the body did not come within {} ms (timeouts.body_ms)", time.as_millis());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, error_code::INVALID_REQUEST, text))
        })
    }

    /// Gives a message to the engine, if it is one and its sender may send it. `id` is set as soon as it is known.
    fn take(
        &self,
        headers: &HeaderMap,
        accepted: Accepted,
        body: &[u8],
        id: &mut Option<String>,
    ) -> Result<Taken, Refusal> {
        if body.trim_ascii_start().first() == Some(&b'[') {
            return self.batch(headers, accepted, body);
        }
        let parsed = envelope::parse(body, self.settings.depth)
            .map_err(|malformed| unreadable(&malformed.violation))?;
        let text = |span| envelope::text(body, span);
        let (name, params, is_request) = match parsed {
            Incoming::Request { id: number, method, params, .. } => {
                *id = Some(text(number).to_owned());
                (json::string(text(method)).unwrap_or_default(), params.map(text), true)
            }
            Incoming::Notification { method, params, .. } => {
                (json::string(text(method)).unwrap_or_default(), params.map(text), false)
            }
            Incoming::Result { .. } | Incoming::Error { .. } => {
                let session = self.session_of(headers)?;
                return self.accept(&session, body);
            }
        };
        let version = version_of(params);
        let header = routing_headers::only(headers, MCP_PROTOCOL_VERSION)?;
        let named_modern =
            header.and_then(Revision::parse).is_some_and(|revision| revision.era() == Era::Modern);
        let is_modern =
            (version.is_some() || named_modern && name != method::INITIALIZE) && self.speaks(Era::Modern);
        if is_modern {
            return self.modern(headers, accepted, body, &name, params, is_request);
        }
        if !self.speaks(Era::Legacy) {
            let text = "this server speaks 2026-07-28 only: the request must name its version in '_meta'";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_PARAMS, text));
        }
        if name == method::INITIALIZE && is_request {
            return self.initialize(accepted, body);
        }
        let session = self.session_of(headers)?;
        if !is_request {
            return self.accept(&session, body);
        }
        self.exchange(&session, accepted, body, false)
    }

    /// A request of the modern era, checked in the order of the specification.
    fn modern(
        &self,
        headers: &HeaderMap,
        accepted: Accepted,
        body: &[u8],
        name: &str,
        params: Option<&str>,
        is_request: bool,
    ) -> Result<Taken, Refusal> {
        let missing = |member: &str, what: &str| {
            let text = format!("the member '{member}' of the parameters' '_meta' must be {what}");
            Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_PARAMS, text)
        };
        let version = version_of(params).and_then(json::string);
        let serving = self.serving()?;
        if !is_request {
            // It belongs to no session, so nothing can follow from it.
            return Ok(Taken::Accepted);
        }
        let version = version.ok_or_else(|| missing(meta::PROTOCOL_VERSION, "a string"))?;
        let capabilities = params
            .and_then(|params| json::member(params, meta::META))
            .and_then(|found| json::member(found, meta::CLIENT_CAPABILITIES));
        if capabilities.and_then(json::kind) != Some(Kind::Object) {
            return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
        }
        routing_headers::check_version(headers, &version)?;
        routing_headers::check_method(headers, name)?;
        let member = method::find(name).and_then(|row| row.header_member);
        let about = member
            .and_then(|member| params.and_then(|params| json::member(params, member)))
            .and_then(json::string);
        if let Some(about) = &about {
            routing_headers::check_name(headers, about)?;
        }
        if name == method::TOOLS_CALL
            && let Some(tool) = &about
        {
            let schema = serving.tool_schema(tool, b"x-mcp-header");
            let parameters = schema.and_then(|schema| param::read(&schema).ok()).unwrap_or_default();
            routing_headers::check_parameters(headers, &parameters, params)?;
        }
        if name == method::LISTEN && !accepted.events {
            let text = "Accept must have text/event-stream";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        let session = self.open(None)?;
        self.exchange(&session, accepted, body, true)
    }

    fn initialize(&self, accepted: Accepted, body: &[u8]) -> Result<Taken, Refusal> {
        let mut bytes = [0; NAME_BYTES];
        self.random.fill(&mut bytes).map_err(|_| Refusal::full("the system gives no random numbers"))?;
        let session = self.open(Some(&URL_SAFE_NO_PAD.encode(bytes)))?;
        match self.exchange(&session, accepted, body, false)? {
            Taken::Exchange(reader, form) => Ok(Taken::Initialize(reader, form)),
            other => Ok(other),
        }
    }

    /// A session. Where there are as many as there may be, the one that was not used for longest makes room.
    fn open(&self, name: Option<&str>) -> Result<Arc<HttpSession>, Refusal> {
        let serving = self.serving()?;
        let make =
            |id| HttpSession::new(id, name.map(Into::into), self.known(), &self.settings.limits, &self.kept);
        serving.http_open(make).or_else(|refusal| {
            if self.end_least_used(&serving) { serving.http_open(make) } else { Err(refusal) }
        })
    }

    /// The answer to `initialize`. Only if it is a result there is a session from now on.
    async fn initialized(&self, mut reader: Reader, mut form: Form) -> Response<ServerBody> {
        let session = Arc::clone(&reader.session);
        let answer = reader.source.next().await;
        let revision =
            answer.as_ref().filter(|answer| matches!(answer.sent, Sent::Answer(None))).and_then(|answer| {
                let result = json::member(json::utf8(&answer.frame), "result")?;
                Revision::parse(&json::member(result, "protocolVersion").and_then(json::string)?)
            });
        let Some(answer) = answer else { return accepted_response() };
        let name = match (revision, session.name()) {
            (Some(revision), Some(name)) => {
                session.agreed(revision);
                lock(&self.sessions).insert(name.into(), Arc::clone(&session));
                HeaderValue::from_str(name).ok()
            }
            _ => None,
        };
        if name.is_none()
            && let Ok(serving) = self.serving()
        {
            serving.end_session(session.id, "its 'initialize' was refused");
        }
        let mut response = if form.accepted.json {
            exchange::json_response(StatusCode::OK, answer.frame)
        } else {
            form.prime = None;
            exchange::events(reader, &form, &[answer], b"")
        };
        if let Some(name) = name {
            response.headers_mut().insert(HeaderName::from_static(MCP_SESSION_ID), name);
        }
        response
    }

    /// Several messages at once, which 2025-03-26 has and no other revision.
    fn batch(&self, headers: &HeaderMap, accepted: Accepted, body: &[u8]) -> Result<Taken, Refusal> {
        let session = self.session_of(headers)?;
        if session.revision() != Some(Revision::V2025_03_26) {
            let text = "an array of messages is not supported here: send one message at a time";
            return Err(Refusal::bad(text));
        }
        let scanned = json::scan_value(body, self.settings.depth);
        let value = scanned.map_err(|error| unreadable(&Violation::InvalidJson(error)))?;
        let text = json::utf8(value.span.of(body));
        let wants_answer = |message: &str| {
            let has = |name| json::member(message, name).is_some();
            let is_answer = has("id") && (has("result") || has("error")) && !has("method");
            let is_notification = has("method") && !has("id");
            json::kind(message) != Some(Kind::Object) || !is_answer && !is_notification
        };
        let count = json::count(text).unwrap_or(0);
        // What may be refused as a whole has a stream for that.
        if (1..=self.settings.batch).contains(&count) && !json::elements(text).any(wants_answer) {
            return self.accept(&session, body);
        }
        match self.exchange(&session, accepted, body, false)? {
            Taken::Exchange(reader, form) => Ok(Taken::Exchange(reader, Form { is_batch: true, ..form })),
            other => Ok(other),
        }
    }

    /// A message that wants no answer.
    fn accept(&self, session: &Arc<HttpSession>, body: &[u8]) -> Result<Taken, Refusal> {
        session.touch();
        self.serving()?.http_frame(session, Stream { session: session.id, number: UNRELATED }, body)?;
        Ok(Taken::Accepted)
    }

    /// A request, or several: their answers follow on a stream of their own.
    fn exchange(
        &self,
        session: &Arc<HttpSession>,
        accepted: Accepted,
        body: &[u8],
        is_modern: bool,
    ) -> Result<Taken, Refusal> {
        let serving = self.serving()?;
        let (number, source) = session.open().ok_or_else(|| self.gone())?;
        session.begin_writing();
        let stream = Stream { session: session.id, number };
        let reader =
            Reader { source, stream, session: Arc::clone(session), serving: Arc::downgrade(&serving) };
        serving.http_frame(session, stream, body)?;
        let prime = session.revision() == Some(Revision::V2025_11_25);
        let form = Form {
            accepted,
            is_modern,
            is_batch: false,
            prime: prime.then_some(EventId { stream: number, place: 0 }),
            keep_alive: self.settings.limits.keep_alive,
        };
        Ok(Taken::Exchange(reader, form))
    }
}

fn version_of(params: Option<&str>) -> Option<&str> {
    json::member(json::member(params?, meta::META)?, meta::PROTOCOL_VERSION)
}

fn unreadable(violation: &Violation) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, violation.code(), format!("the body is no message: {violation}"))
}
