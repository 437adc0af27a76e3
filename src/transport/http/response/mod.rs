//! What an HTTP answer means, told from its status, its content type and the start of its body.
//!
//! Two steps, so that a stream is never waited for: [`by_head`] decides as soon as the headers are there where they
//! suffice; else the caller reads the body within a bound and [`by_body`] decides. What to do about a failure (ask again,
//! open a new session, authorize) is not known here.
//!
//! The files:
//!
//! * `head`: `Head`: what the head alone tells
//! * `fault`: `Fault`: an answer that is not what was asked for

mod fault;
mod head;

#[cfg(test)]
mod tests;

pub use fault::{Fault, FaultKind, excerpt};
pub use head::{Head, Sent};

use crate::protocol::envelope;
use head::{Media, is_empty, is_success, media};

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
