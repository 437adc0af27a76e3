//! The answer to one request, made of the messages that the engine sends on its stream: one JSON object where nothing comes before
//! the answer, events else (S-HL-03, S-HM-19).

use super::limits::{HttpLimits, ListenPlace};
use super::response_stream::{OutgoingEvent, StreamSource};
use super::sessions::HttpStreams;
use crate::engine::server::{OutgoingKind, Stream};
use crate::json;
use crate::protocol::error_code;
use crate::runtime::server::Serving;
use crate::runtime::server::budget::{Account, Charge};
use crate::transport::http::header::is_token;
use crate::transport::http_server::event_stream;
use crate::transport::http_server::event_stream::EventId;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers::Accepted;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap,
    HeaderName, HeaderValue, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
};
use hyper::{Response, StatusCode};
use std::future::Future;
use std::pin::Pin;
use std::sync::Weak;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::time::Sleep;

/// How an answer may look.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerForm {
    pub(super) accepted: Accepted,
    /// Whether errors of the protocol have a status of their own (modern era).
    pub(super) is_modern: bool,
    /// Whether several requests are answered, one by one (2025-03-26).
    pub(super) is_batch: bool,
    /// The id with which a stream of events begins (2025-11-25).
    pub(super) prime: Option<EventId>,
    /// After which time a client comes back to a stream that broke off (2025-11-25).
    pub(super) retry: Duration,
    pub(super) keep_alive: Duration,
    /// When it ends at the latest, because its token does.
    pub(super) until: Option<Instant>,
    /// What drafts add to it.
    #[cfg(feature = "draft")]
    pub(super) draft: super::draft::AnswerDrafts,
}

impl AnswerForm {
    /// That of a single request of the legacy era, on a stream that begins without an event and has no end of its own.
    pub(super) fn of(accepted: Accepted, limits: &HttpLimits) -> AnswerForm {
        AnswerForm {
            accepted,
            is_modern: false,
            is_batch: false,
            prime: None,
            retry: limits.retry,
            keep_alive: limits.keep_alive,
            until: None,
            #[cfg(feature = "draft")]
            draft: super::draft::AnswerDrafts::default(),
        }
    }

    /// The status of an answer. An error without an id answers what was not a request: no client can find out for which of its messages
    /// it is, but by the status.
    pub(super) fn status_of(&self, answer: &OutgoingEvent) -> StatusCode {
        match answer.sent {
            OutgoingKind::Answer(Some(_)) if json::member(json::utf8(&answer.frame), "id").is_none() => {
                StatusCode::BAD_REQUEST
            }
            #[cfg(feature = "draft")]
            OutgoingKind::Answer(Some(code)) if self.is_modern => {
                self.draft.status_of(code).unwrap_or_else(|| status_of(code))
            }
            #[cfg(not(feature = "draft"))]
            OutgoingKind::Answer(Some(code)) if self.is_modern => status_of(code),
            _ => StatusCode::OK,
        }
    }
}

/// Makes the answer.
pub(super) async fn answer(mut reader: StreamReader, form: AnswerForm) -> Response<ServerBody> {
    let mut answers: Vec<OutgoingEvent> = Vec::new();
    loop {
        let next = match tokio::time::timeout(form.keep_alive, reader.source.next()).await {
            Ok(next) => next,
            // It takes long: the head goes out, so that all between the two ends see that the stream lives.
            Err(_) if form.accepted.events => {
                return events(reader, &form, answers, event_stream::KEEP_ALIVE);
            }
            Err(_) => continue,
        };
        match next {
            Some(message) if matches!(message.sent, OutgoingKind::Answer(_)) => {
                let status = form.status_of(&message);
                let is_refused = status != StatusCode::OK;
                if !form.is_batch && (is_refused || form.accepted.json) {
                    reader.streams.delivered(reader.stream.number);
                    return counted_response(status, message.frame, message.charge);
                }
                answers.push(message);
                if form.is_batch && is_refused {
                    // What follows says whether all of it is refused.
                    continue;
                }
                if !is_refused && (!form.accepted.json || form.is_batch && form.accepted.events) {
                    return events(reader, &form, answers, b"");
                }
            }
            // A client that takes JSON only gets the answer only.
            Some(_) if !form.accepted.events => {}
            Some(message) => {
                answers.push(message);
                return events(reader, &form, answers, b"");
            }
            None if answers.is_empty() && form.accepted.events => {
                return events(reader, &form, Vec::new(), b"");
            }
            None if answers.is_empty() => return nothing(),
            None => return whole(&form, answers),
        }
    }
}

/// An answer that is all there is.
pub(super) fn whole_answer(form: &AnswerForm, answer: OutgoingEvent) -> Response<ServerBody> {
    counted_response(form.status_of(&answer), answer.frame, answer.charge)
}

/// Events from a stream that is read from now on.
pub(super) fn events(
    reader: StreamReader,
    form: &AnswerForm,
    begun: Vec<OutgoingEvent>,
    comment: &[u8],
) -> Response<ServerBody> {
    #[cfg(feature = "store")]
    reader.begin();
    let mut first = form.prime.map(|id| event_stream::priming(&id.text(), form.retry)).unwrap_or_default();
    first.extend_from_slice(comment);
    let mut charge = Charge::default();
    for message in begun {
        let (event, counts) = message.event();
        if first.is_empty() {
            first = event;
        } else {
            first.extend_from_slice(&event);
        }
        charge.merge(counts);
    }
    if first.is_empty() {
        // The head goes out with the first bytes.
        first.extend_from_slice(event_stream::KEEP_ALIVE);
    }
    let body = ServerBody::Events(Box::new(Events::new(
        counted(first, charge),
        reader,
        form.keep_alive,
        form.until,
    )));
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// The answers to several requests.
fn whole(form: &AnswerForm, answers: Vec<OutgoingEvent>) -> Response<ServerBody> {
    // Several have the status of the best.
    let status = answers.iter().map(|answer| form.status_of(answer)).min().unwrap_or(StatusCode::OK);
    let mut text = b"[".to_vec();
    let mut charge = Charge::default();
    for (at, answer) in answers.into_iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend_from_slice(&answer.frame);
        charge.merge(answer.charge);
    }
    text.push(b']');
    counted_response(status, text, charge)
}

/// An answer of JSON whose bytes are counted.
pub(super) fn counted_response(status: StatusCode, text: Vec<u8>, charge: Charge) -> Response<ServerBody> {
    json_of(status, ServerBody::counted(text, charge))
}

/// An answer of JSON.
pub(super) fn json_response(status: StatusCode, text: Vec<u8>) -> Response<ServerBody> {
    json_of(status, ServerBody::text(text))
}

fn json_of(status: StatusCode, body: ServerBody) -> Response<ServerBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The request was withdrawn, or its session has ended: no message follows.
fn nothing() -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The status of an error in the modern era (2026-07-28 `basic/transports/streamable-http`). What a handler says of its own has 200.
fn status_of(code: i64) -> StatusCode {
    match code {
        error_code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        error_code::PARSE_ERROR
        | error_code::INVALID_REQUEST
        | error_code::HEADER_MISMATCH
        | error_code::MISSING_CLIENT_CAPABILITY
        | error_code::UNSUPPORTED_VERSION => StatusCode::BAD_REQUEST,
        error_code::BUSY => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    }
}

/// The methods of the path where both eras are served.
pub(super) const ALL_METHODS: &str = "POST, GET, DELETE";
/// Headers that pages may send, and those that they may read.
const PAGES_SEND: &str = "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, \
                          mcp-name";
const PAGES_READ: &str = "mcp-session-id, www-authenticate, dpop-nonce";

/// A message was taken that wants no answer.
pub(super) fn accepted_response() -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// What was asked is done, and there is nothing to read.
pub(super) fn no_content() -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// Which requests pages of a listed origin may make.
pub(super) fn preflight(headers: &HeaderMap) -> Response<ServerBody> {
    let mut response = no_content();
    let allowed = response.headers_mut();
    allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(ALL_METHODS));
    // Those of tools' parameters have names of their own.
    let asked = headers
        .get("access-control-request-headers")
        .and_then(|names| names.to_str().ok())
        .unwrap_or_default();
    let mut names = PAGES_SEND.to_owned();
    for name in asked.split(',').map(|name| name.trim().to_ascii_lowercase()) {
        if name.starts_with("mcp-param-") && is_token(&name) {
            names.push_str(", ");
            names.push_str(&name);
        }
    }
    if let Ok(names) = HeaderValue::from_str(&names) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, names);
    }
    allowed.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// A request is not served.
pub(super) fn refused(refusal: &Refusal, id: Option<&str>) -> Response<ServerBody> {
    let mut response = json_response(refusal.status, refusal.body(id));
    let headers = response.headers_mut();
    if let Some(allow) = refusal.allow {
        headers.insert(ALLOW, HeaderValue::from_static(allow));
    }
    for challenge in &refusal.challenges {
        if let Ok(challenge) = HeaderValue::from_str(challenge) {
            headers.append(WWW_AUTHENTICATE, challenge);
        }
    }
    if let Some(nonce) = refusal.nonce.as_deref().and_then(|nonce| HeaderValue::from_str(nonce).ok()) {
        headers.insert(HeaderName::from_static("dpop-nonce"), nonce);
    }
    if let Some(seconds) = refusal.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Pages of this origin may read the answer. Without one the answer still depends on who asks.
pub(super) fn show_to(origin: Option<HeaderValue>, response: &mut Response<ServerBody>) {
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(PAGES_READ));
    }
}

/// The body of an answer.
#[derive(Debug)]
pub(super) enum ServerBody {
    /// All of it, and what counts it.
    Whole(Option<Bytes>, Account),
    /// Events.
    Events(Box<Events>),
}

/// Events as they come, with comments while none does.
#[derive(Debug)]
pub(super) struct Events {
    /// What goes out before the next message.
    first: Bytes,
    pub(super) reader: StreamReader,
    pub(super) every: Duration,
    /// The place among the subscriptions of its connection, if it is one.
    pub(super) place: Option<ListenPlace>,
    timer: Pin<Box<Sleep>>,
    /// When it ends at the latest.
    end: Option<Pin<Box<Sleep>>>,
}

/// The client did not read, or the server gave the stream up: the connection ends without the end of the body.
#[derive(Debug, thiserror::Error)]
#[error("the client did not read what was sent to it")]
pub(super) struct Cut;

impl Events {
    pub(super) fn new(first: Bytes, reader: StreamReader, every: Duration, until: Option<Instant>) -> Events {
        let end = until.map(|until| Box::pin(tokio::time::sleep_until(until.into())));
        Events { first, reader, every, place: None, timer: Box::pin(tokio::time::sleep(every)), end }
    }
}

/// Bytes on their way to a client, which are counted until the last part of them is gone.
struct ChargedBytes {
    bytes: Vec<u8>,
    _charge: Charge,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes that are counted wherever they wait, also where HTTP keeps parts of them.
pub(super) fn counted(bytes: Vec<u8>, charge: Charge) -> Bytes {
    Bytes::from_owner(ChargedBytes { bytes, _charge: charge })
}

/// How much of a text goes out at a time: the rest stays here, where it shows that the client does not take it.
const PART: usize = 64 * 1024;

/// The next part of a text.
fn part(text: &mut Option<Bytes>, account: &Account) -> Option<Bytes> {
    let all = text.as_mut()?;
    if all.len() <= PART {
        return text.take();
    }
    account.moves(PART);
    Some(all.split_to(PART))
}

impl ServerBody {
    pub(super) fn empty() -> ServerBody {
        ServerBody::Whole(None, Account::default())
    }

    pub(super) fn text(text: Vec<u8>) -> ServerBody {
        ServerBody::Whole(Some(Bytes::from(text)), Account::default())
    }

    /// A text whose bytes are counted.
    pub(super) fn counted(text: Vec<u8>, charge: Charge) -> ServerBody {
        let account = charge.account().clone();
        ServerBody::Whole(Some(counted(text, charge)), account)
    }
}

impl Body for ServerBody {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        let events = match self.get_mut() {
            ServerBody::Whole(text, account) => {
                return Poll::Ready(part(text, account).map(|part| Ok(Frame::data(part))));
            }
            ServerBody::Events(events) => events,
        };
        if !events.first.is_empty() {
            let first = std::mem::take(&mut events.first);
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        if events.end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready()) {
            return Poll::Ready(None);
        }
        match events.reader.source.poll(context) {
            Poll::Ready(Some(message)) => {
                let deadline = tokio::time::Instant::now() + events.every;
                events.timer.as_mut().reset(deadline);
                let (event, charge) = message.event();
                Poll::Ready(Some(Ok(Frame::data(counted(event, charge)))))
            }
            Poll::Ready(None) if events.reader.source.was_cut() => Poll::Ready(Some(Err(Cut))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => match events.timer.as_mut().poll(context) {
                Poll::Ready(()) => {
                    let deadline = tokio::time::Instant::now() + events.every;
                    events.timer.as_mut().reset(deadline);
                    Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(event_stream::KEEP_ALIVE)))))
                }
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, ServerBody::Whole(None, _))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            ServerBody::Whole(text, _) => {
                SizeHint::with_exact(text.as_ref().map_or(0, |text| text.len() as u64))
            }
            ServerBody::Events(_) => SizeHint::default(),
        }
    }
}

/// The end of a stream that a client reads. Dropping it says that the client is gone, or has everything.
#[derive(Debug)]
pub(super) struct StreamReader {
    pub(super) source: StreamSource,
    pub(super) stream: Stream,
    pub(super) streams: HttpStreams,
    pub(super) serving: Weak<Serving>,
}

#[cfg(feature = "store")]
impl StreamReader {
    /// Its client gets events from now on.
    fn begin(&self) {
        if let HttpStreams::Session(session) = &self.streams
            && let Some(serving) = self.serving.upgrade().filter(|serving| serving.has_store())
        {
            session.begin_events(self.stream.number);
            serving.write_events();
        }
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.streams.left(self.stream.number, &self.source);
        if let Some(serving) = self.serving.upgrade() {
            serving.http_left(&self.streams, self.stream);
        }
    }
}
