//! What an HTTP answer means, told from its status, its content type and the start of its body.
//!
//! Two steps, so that a stream is never waited for: [`by_head`] decides as soon as the headers are there where they
//! suffice; else the caller reads the body within a bound and [`by_body`] decides. Whether asking again may help is
//! [`Fault::is_temporary`]; nothing is repeated here, and what else to do about a failure (open a new session, authorize) is not known.

#[cfg(test)]
mod tests;

use crate::json::MAX_DEPTH;
use crate::protocol::envelope;
use crate::protocol::envelope::{Id, Incoming};
use crate::protocol::error_code::{INVALID_REQUEST, METHOD_NOT_FOUND};
use std::fmt;
use std::time::{Duration, SystemTime};

/// What the answer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The body is one JSON-RPC message (a batch in 2025-03-26).
    Json,
    /// The body is an event stream.
    EventStream,
    /// Taken, and the body says nothing. To a request the answer then comes on another stream, or never.
    Accepted,
    /// None of these.
    Fault(Fault),
}

/// Decides by the head alone; `None` if it takes the body.
pub fn by_head(sent: Sent, head: Head<'_>) -> Option<Answer> {
    if !is_success(head.status) {
        return None;
    }
    match (sent, media(head.content_type)) {
        // Whatever the body says to something that wants no answer.
        (Sent::Notice, _) => Some(Answer::Accepted),
        (Sent::Request, Media::Json) if head.status == 202 => None,
        (Sent::Request, _) if head.status == 202 => Some(Answer::Accepted),
        // No content: there is nothing to wait for, here or on another stream (RFC 9110, sections 15.3.5 and 15.3.6).
        (Sent::Request, _) if is_empty(head.status) => Some(Answer::Fault(Fault::read(sent, head, b""))),
        (Sent::Request | Sent::Listen, Media::EventStream) if head.status != 204 => Some(Answer::EventStream),
        (Sent::Request, Media::Json) => Some(Answer::Json),
        _ => None,
    }
}

/// The beginning of a body behind a byte order mark and white space.
fn beginning(body: &[u8]) -> &[u8] {
    envelope::without_mark(body).trim_ascii_start()
}

/// Whether a body begins like JSON-RPC.
pub fn is_message(body: &[u8]) -> bool {
    matches!(beginning(body).first(), Some(b'{' | b'['))
}

/// Whether a body begins like a stream of events, which no JSON does.
pub fn is_events(body: &[u8]) -> bool {
    let beginning = beginning(body);
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| beginning.starts_with(field))
}

/// Whether the data of an event is a message, whatever the event is called.
pub fn is_named_message(data: &[u8]) -> bool {
    const NAME: &[u8] = b"\"jsonrpc\"";
    is_message(data) && data.windows(NAME.len()).take(EXCERPT).any(|part| part == NAME)
}

/// Decides with the body: all of it if that is JSON within the bound for messages, else as much of it as was read.
pub fn by_body(sent: Sent, head: Head<'_>, body: &[u8]) -> Answer {
    if let Some(answer) = by_head(sent, head) {
        return answer;
    }
    if is_success(head.status) && sent == Sent::Request {
        // A server that forgets to say, or calls it plain text.
        if is_message(body) || is_events(body) {
            return Answer::Json;
        }
        if head.status == 202 {
            return Answer::Accepted;
        }
    }
    Answer::Fault(Fault::read(sent, head, body))
}

/// What was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sent {
    /// A JSON-RPC request: an answer is to come.
    Request,
    /// A notification, or an answer of ours: nothing is to come.
    Notice,
    /// A GET for the stream of the server's messages.
    Listen,
}

/// The head of an HTTP answer.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The status code.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// How long `Retry-After` asks to wait.
    pub retry_after: Option<Duration>,
    /// Whether the request carried a session id.
    pub with_session: bool,
}

/// No content, by its status.
pub(crate) fn is_empty(status: u16) -> bool {
    matches!(status, 204 | 205)
}

pub(crate) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    EventStream,
    Html,
    Other,
}

/// The media type, without parameters and whatever its case (RFC 9110, section 8.3.1).
pub(crate) fn media(content_type: Option<&str>) -> Media {
    let essence = content_type.and_then(|text| text.split(';').next()).unwrap_or_default();
    match essence.trim_ascii().to_ascii_lowercase().as_str() {
        "text/event-stream" => Media::EventStream,
        "text/html" | "application/xhtml+xml" => Media::Html,
        "application/json" | "application/json-rpc" | "text/json" => Media::Json,
        other if other.starts_with("application/") && other.ends_with("+json") => Media::Json,
        _ => Media::Other,
    }
}

/// How many characters of a body go into the text.
const EXCERPT: usize = 200;

/// The kinds of failure that are treated differently, or need a different text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// 400
    BadRequest,
    /// 401: authorization is missing, expired or wrong.
    Unauthorized,
    /// 403: authorization is not enough, or the request is not wanted at all.
    Forbidden,
    /// 404 to a request that carried a session id: a new session is to be opened (2025-11-25 `basic/transports`).
    SessionGone,
    /// 404: there is no endpoint, or (with code -32601) no such method.
    NotFound,
    /// 405
    MethodNotAllowed,
    /// 413
    TooLarge,
    /// 431
    HeadersTooLarge,
    /// 429
    TooMany,
    /// A redirect; `redirect` says why it is not followed.
    Redirect,
    /// 503
    Unavailable,
    /// Any other 5xx
    Server,
    /// A success that is not MCP: a web page, a file.
    NotMcp,
    /// Any other status.
    Other,
}

/// A JSON-RPC error in the body of an HTTP error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpokenError {
    /// The request of ours that it answers, if it names one.
    pub id: Option<u64>,
    /// `error.code`.
    pub code: i64,
    /// `error.message`, decoded.
    pub message: String,
    /// `error.data`, JSON text.
    pub data: Option<String>,
}

/// An answer that is not what was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which kind.
    pub kind: FaultKind,
    /// The status code.
    pub status: u16,
    /// The `Retry-After` of the server, if it sent one.
    pub retry_after: Option<Duration>,
    /// The start of the body on one line; empty if there is none.
    pub excerpt: String,
    /// The JSON-RPC error in the body.
    pub error: Option<SpokenError>,
    /// Whether the body is a web page.
    pub html: bool,
    /// `Content-Type`, as the server wrote it.
    pub content_type: Option<String>,
}

impl Fault {
    pub(crate) fn read(sent: Sent, head: Head<'_>, body: &[u8]) -> Fault {
        let error = if is_success(head.status) { None } else { spoken(body) };
        let lost_session = head.with_session && says_session_lost(head.status, error.as_ref(), body);
        let html = media(head.content_type) == Media::Html || body.trim_ascii_start().starts_with(b"<");
        Fault {
            kind: kind(sent, head, error.as_ref(), lost_session),
            status: head.status,
            retry_after: head.retry_after,
            excerpt: excerpt(body),
            error,
            html,
            content_type: head.content_type.map(one_line),
        }
    }

    /// Whether the same request may well succeed a little later.
    pub fn is_temporary(&self) -> bool {
        matches!(self.kind, FaultKind::TooMany | FaultKind::Unavailable | FaultKind::Server)
            || matches!(self.status, 408 | 425)
    }

    fn hint(&self) -> &'static str {
        match self.kind {
            FaultKind::BadRequest => {
                "in the legacy era that can mean a missing session id or a revision that the server does not take"
            }
            FaultKind::Unauthorized => {
                "the server wants authorization, and what was sent, if anything, is not valid; give 'auth' in the config, \
                 or a token of your own in 'headers'"
            }
            FaultKind::Forbidden => {
                "the server does not permit this with the authorization that was sent, if any"
            }
            FaultKind::SessionGone => "the server has ended the session",
            FaultKind::NotFound
                if self.error.as_ref().is_some_and(|error| error.code == METHOD_NOT_FOUND) =>
            {
                "the server does not have the method"
            }
            FaultKind::NotFound => "there is no MCP endpoint at this URL; look at the path in 'url'",
            FaultKind::MethodNotAllowed => "the server does not take this HTTP method at this URL",
            FaultKind::TooLarge => {
                "the message is larger than the server, or something on the way to it, takes"
            }
            FaultKind::HeadersTooLarge => {
                "the headers are larger than the server, or something on the way to it, takes; \
                 arguments that go into headers (x-mcp-header) may be too long"
            }
            FaultKind::TooMany => "there were too many requests",
            FaultKind::Redirect => "the redirect was not followed",
            FaultKind::Server => "the server, or something on the way to it, failed",
            FaultKind::Unavailable => "it cannot take requests at the moment",
            FaultKind::NotMcp if is_empty(self.status) => {
                "that says that there is no content, and a request wants an answer"
            }
            FaultKind::NotMcp => "that is no MCP answer; look whether 'url' is the server's MCP endpoint",
            FaultKind::Other => "that is no answer that MCP knows",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered with HTTP status {}", self.status)?;
        if self.kind == FaultKind::NotMcp
            && let Some(content_type) = &self.content_type
        {
            write!(f, " and content type '{content_type}'")?;
        }
        write!(f, ": {}", self.hint())?;
        if let Some(wait) = self.retry_after {
            write!(f, "; it asks to wait {} s", wait.as_secs())?;
        }
        match &self.error {
            Some(error) => write!(f, ". It says: {} (code {})", one_line(&error.message), error.code),
            None if self.excerpt.is_empty() && self.kind == FaultKind::NotMcp && !is_empty(self.status) => {
                f.write_str("; the body is empty")
            }
            None if self.excerpt.is_empty() => Ok(()),
            None if self.html => write!(f, ". It sent a web page, which begins: {}", self.excerpt),
            None => write!(f, ". The body begins: {}", self.excerpt),
        }
    }
}

/// What servers say of a session that they do not know.
const LOST_SESSION: [&str; 28] = [
    "no valid session",
    "invalid session",
    "unknown session",
    "no such session",
    "no active session",
    "no longer valid session",
    "session not found",
    "session id not found",
    "session does not exist",
    "session has expired",
    "session expired",
    "session is closed",
    "session closed",
    "session has been closed",
    "session ended",
    "session has ended",
    "session is gone",
    "session terminated",
    "session has been terminated",
    "session id is required",
    "session-id header is required",
    "missing session",
    "server not initialized",
    "server has not been initialized",
    "session has not been initialized",
    "request before initialization",
    "expect initialize request",
    "stale session",
];

/// What may stand before such words where an error answers a request.
const BEFORE_LOST_SESSION: [&str; 2] = ["bad request: ", "received "];

/// The longest text that says nothing else.
pub const LOST_SESSION_BYTES: usize = 1024;

fn names_lost_session(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    LOST_SESSION.iter().any(|phrase| text.contains(phrase))
}

fn begins_with_lost_session(text: &str) -> bool {
    let text = text.trim_ascii_start().to_ascii_lowercase();
    let text = BEFORE_LOST_SESSION.iter().find_map(|words| text.strip_prefix(words)).unwrap_or(&text);
    LOST_SESSION.iter().any(|phrase| text.starts_with(phrase))
}

/// Whether an error is about the session. One that answers the request by its id is mostly about what was asked, which may have sessions
/// of its own ("Browser session closed"): the code must be one that servers have for themselves, and the text begin with the words.
fn is_about_session(error: &SpokenError) -> bool {
    if error.id.is_none() {
        return names_lost_session(&error.message);
    }
    matches!(error.code, -32099..=-32000 | INVALID_REQUEST) && begins_with_lost_session(&error.message)
}

/// Whether a server says that it knows the session no more with another status than the 404 that is asked for: 410, or words of it such
/// as 422 with "expect initialize request" of the Rust SDK, 400 with "Bad Request: No valid session ID provided" as text or as an error
/// of any code, 401 with "Unauthorized: Session not found". A status alone may be about what was asked.
fn says_session_lost(status: u16, error: Option<&SpokenError>, body: &[u8]) -> bool {
    let is_told = || match error {
        Some(error) => is_about_session(error),
        None => body.len() <= LOST_SESSION_BYTES && names_lost_session(&String::from_utf8_lossy(body)),
    };
    match status {
        410 => true,
        400 | 401 | 403 | 409 | 422 | 500 => is_told(),
        _ => false,
    }
}

/// Whether the body of a 401 is about the session alone.
#[cfg(feature = "auth")]
pub fn refuses_session(body: &[u8]) -> bool {
    says_session_lost(401, spoken(body).as_ref(), body)
}

/// The same where a success has an error in it.
pub fn lost_session(body: &[u8]) -> Option<Fault> {
    // Nearly all answers are no error.
    const ERROR: &[u8] = b"\"error\"";
    if body.len() > LOST_SESSION_BYTES || memchr::memmem::find(body, ERROR).is_none() {
        return None;
    }
    let error = spoken(body).filter(is_about_session)?;
    Some(Fault {
        kind: FaultKind::SessionGone,
        status: 200,
        retry_after: None,
        excerpt: excerpt(body),
        error: Some(error),
        html: false,
        content_type: None,
    })
}

fn kind(sent: Sent, head: Head<'_>, error: Option<&SpokenError>, lost_session: bool) -> FaultKind {
    match head.status {
        200..300 => FaultKind::NotMcp,
        300..400 => FaultKind::Redirect,
        _ if lost_session && matches!(sent, Sent::Request | Sent::Notice) => FaultKind::SessionGone,
        400 => FaultKind::BadRequest,
        401 => FaultKind::Unauthorized,
        403 => FaultKind::Forbidden,
        // "Method not found" is about the method, whatever the transport has to say about sessions.
        404 if head.with_session && error.is_none_or(|error| error.code != METHOD_NOT_FOUND) => match sent {
            // The GET stream and DELETE are optional: servers without them answer 404 as well as 405, in a session
            // that is alive.
            Sent::Listen => FaultKind::NotFound,
            Sent::Request | Sent::Notice => FaultKind::SessionGone,
        },
        404 => FaultKind::NotFound,
        405 => FaultKind::MethodNotAllowed,
        413 => FaultKind::TooLarge,
        429 => FaultKind::TooMany,
        431 => FaultKind::HeadersTooLarge,
        503 => FaultKind::Unavailable,
        500..600 => FaultKind::Server,
        _ => FaultKind::Other,
    }
}

/// The JSON-RPC error that a body is. Its id may be absent (2026-07-28 `basic/transports/streamable-http`), and so may
/// `jsonrpc` be in what gateways write.
fn spoken(body: &[u8]) -> Option<SpokenError> {
    match envelope::parse(body, MAX_DEPTH) {
        Ok(Incoming::Error { id, code, message, data, .. }) => Some(SpokenError {
            id: match id {
                Id::Number(number) => Some(number),
                Id::Foreign(_) | Id::None => None,
            },
            code,
            message: envelope::said(body, message),
            data: data.map(|data| envelope::text(body, data).to_owned()),
        }),
        _ => None,
    }
}

/// The start of a body on one line, as it is shown.
pub fn excerpt(body: &[u8]) -> String {
    // No more than what could be shown is decoded; four bytes are one character at most.
    let start = body.trim_ascii_start();
    one_line(&String::from_utf8_lossy(start.get(..4 * EXCERPT).unwrap_or(start)))
}

/// The start of a text that a server wrote, with runs of white space and control characters as one space.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut rest = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    for word in rest.by_ref() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The time that a value asks for. A date is read against the server's own `Date`, whose clock may differ from ours, or else
/// against `now`; one that has passed asks for nothing.
pub fn retry_after(value: &str, date: Option<&str>, now: SystemTime) -> Option<Duration> {
    let value = value.trim_ascii();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let since = date.and_then(|date| httpdate::parse_http_date(date.trim_ascii()).ok()).unwrap_or(now);
    Some(until.duration_since(since).unwrap_or_default())
}
