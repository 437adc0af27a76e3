//! The answer to one request, made of the messages that the engine sends on its stream: one JSON object where nothing comes before
//! the answer, events else (S-HL-03, S-HM-19).

use super::body::{self, Events, ServerBody};
use super::channel::OutgoingEvent;
use super::reader::StreamReader;
use crate::engine::server::Frame as Sent;
use crate::json;
use crate::protocol::error_code;
use crate::runtime::server::budget::Charge;
use crate::transport::http_server::event_store::EventId;
use crate::transport::http_server::event_stream;
use crate::transport::http_server::media::Accepted;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use std::time::{Duration, Instant};

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
}

impl AnswerForm {
    /// The status of an answer. An error without an id answers what was no request: no client can find out for which of its messages
    /// it is, but by the status.
    pub(super) fn status_of(&self, answer: &OutgoingEvent) -> StatusCode {
        match answer.sent {
            Sent::Answer(Some(_)) if json::member(json::utf8(&answer.frame), "id").is_none() => {
                StatusCode::BAD_REQUEST
            }
            Sent::Answer(Some(code)) if self.is_modern => status_of(code),
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
            Some(message) if matches!(message.sent, Sent::Answer(_)) => {
                let is_refused = form.status_of(&message) != StatusCode::OK;
                answers.push(message);
                if form.is_batch && is_refused {
                    // What follows says whether all of it is refused.
                    continue;
                }
                if !is_refused && (!form.accepted.json || form.is_batch && form.accepted.events) {
                    return events(reader, &form, answers, b"");
                }
                if !form.is_batch {
                    reader.session.delivered(reader.stream.number);
                    return whole(&form, answers);
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

/// Events from a stream that is read from now on.
pub(super) fn events(
    reader: StreamReader,
    form: &AnswerForm,
    begun: Vec<OutgoingEvent>,
    comment: &[u8],
) -> Response<ServerBody> {
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
        body::counted(first, charge),
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

fn whole(form: &AnswerForm, mut answers: Vec<OutgoingEvent>) -> Response<ServerBody> {
    // Several have the status of the best.
    let status = answers.iter().map(|answer| form.status_of(answer)).min().unwrap_or(StatusCode::OK);
    if !form.is_batch
        && answers.len() == 1
        && let Some(one) = answers.pop()
    {
        return counted_response(status, one.frame, one.charge);
    }
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
