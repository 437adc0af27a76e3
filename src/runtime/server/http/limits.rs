//! The bounds of a server over HTTP.

use std::time::Duration;

/// The most headers of one request.
pub(super) const HEADERS: usize = 100;

/// What is true of every endpoint of a server.
#[derive(Clone, Debug)]
pub(crate) struct HttpLimits {
    /// Connections at one time; one more is closed at once.
    pub(crate) connections: usize,
    /// Bytes of the head of a request.
    pub(crate) head_bytes: usize,
    /// Bytes of a body.
    pub(crate) body_bytes: usize,
    /// Subscriptions of one connection (modern era).
    pub(crate) listens: usize,
    /// Bytes that may wait on one stream for its client to read them.
    pub(crate) stream_bytes: usize,
    /// Events of one session that are kept for a client that comes back.
    pub(crate) events: usize,
    /// Their bytes.
    pub(crate) event_bytes: usize,
    /// How long an event is kept.
    pub(crate) event_age: Duration,
    /// What a client has for the head of a request, from the end of the one before it.
    pub(crate) head: Duration,
    /// What it has for the body.
    pub(crate) body: Duration,
    /// The bytes of a large body that must come in each second, from `body_grace` on; 0 for no such bound.
    pub(crate) body_rate: usize,
    /// How long a body may be slower.
    pub(crate) body_grace: Duration,
    /// How long a client may take nothing of what waits on a stream.
    pub(crate) write: Duration,
    /// After which time a client comes back to a stream that broke off.
    pub(crate) retry: Duration,
    /// How often a quiet stream shows that it lives.
    pub(crate) keep_alive: Duration,
    /// How long a session of the legacy era lives without a request or a stream.
    pub(crate) session: Duration,
}

#[cfg(test)]
impl HttpLimits {
    /// Bounds that no test reaches.
    pub(super) fn of_tests() -> HttpLimits {
        const LONG: Duration = Duration::from_secs(3600);
        HttpLimits {
            connections: 100,
            head_bytes: 1 << 16,
            body_bytes: 1 << 24,
            listens: 16,
            stream_bytes: 1 << 26,
            events: 1000,
            event_bytes: 1 << 22,
            event_age: LONG,
            head: LONG,
            body: LONG,
            body_rate: 0,
            body_grace: LONG,
            write: LONG,
            retry: LONG,
            keep_alive: LONG,
            session: LONG,
        }
    }
}
