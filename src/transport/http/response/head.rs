//! The head of an HTTP answer, and what can be told from it alone.

use std::time::Duration;

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
pub(super) fn is_empty(status: u16) -> bool {
    matches!(status, 204 | 205)
}

pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    Json,
    EventStream,
    Html,
    Other,
}

/// The media type, without parameters and whatever its case (RFC 9110, section 8.3.1).
pub(super) fn media(content_type: Option<&str>) -> Media {
    let essence = content_type.and_then(|text| text.split(';').next()).unwrap_or_default();
    match essence.trim_ascii().to_ascii_lowercase().as_str() {
        "text/event-stream" => Media::EventStream,
        "text/html" | "application/xhtml+xml" => Media::Html,
        "application/json" | "application/json-rpc" | "text/json" => Media::Json,
        other if other.starts_with("application/") && other.ends_with("+json") => Media::Json,
        _ => Media::Other,
    }
}
