//! The bounds of a server over HTTP.

use crate::protocol::method;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers::METHOD;
use hyper::header::HeaderMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

// How many subscriptions one connection may have. Over HTTP each is a session of its own for the engine, so that its bound for one
// session counts none of them (`limits.session_listens`).

/// The places of one connection.
#[derive(Clone, Default, Debug)]
pub(super) struct ListenPlaces(Arc<AtomicUsize>);

/// One of them, until it is dropped.
#[derive(Debug)]
pub(super) struct ListenPlace(Arc<AtomicUsize>);

impl ListenPlaces {
    /// A place for a request, if its headers say that it subscribes. They must say what the body says.
    ///
    /// # Errors
    /// All are taken.
    pub(super) fn take(&self, headers: &HeaderMap, most: usize) -> Result<Option<ListenPlace>, Refusal> {
        if headers.get(&METHOD).is_none_or(|name| name.as_bytes() != method::LISTEN.as_bytes()) {
            return Ok(None);
        }
        let place = ListenPlace(Arc::clone(&self.0));
        if self.0.fetch_add(1, Ordering::Relaxed) < most {
            return Ok(Some(place));
        }
        Err(Refusal::full(format!(
            "the connection has {most} subscriptions, which is the limit (limits.session_listens): end one first"
        )))
    }
}

impl Drop for ListenPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::ListenPlaces;
    use hyper::header::{HeaderMap, HeaderValue};

    #[test]
    fn a_connection_has_a_bound_of_subscriptions_and_none_of_other_requests() {
        let places = ListenPlaces::default();
        let mut headers = HeaderMap::new();
        assert!(places.take(&headers, 0).is_ok_and(|place| place.is_none()), "a request without the header");
        headers.insert("mcp-method", HeaderValue::from_static("tools/list"));
        assert!(places.take(&headers, 0).is_ok_and(|place| place.is_none()), "another method");
        headers.insert("mcp-method", HeaderValue::from_static("subscriptions/listen"));
        let first = places.take(&headers, 2);
        let second = places.take(&headers, 2);
        assert!(first.is_ok_and(|place| place.is_some()) && second.is_ok_and(|place| place.is_some()));
        let kept: Vec<_> = (0..2).map(|_| places.take(&headers, 2).expect("a place")).collect();
        let refused = places.take(&headers, 2).expect_err("no place is left");
        assert_eq!(refused.status, 503);
        assert!(places.take(&headers, 2).is_err(), "a refusal takes no place and gives none back");
        drop(kept);
        assert!(places.take(&headers, 2).is_ok_and(|place| place.is_some()));
    }
}
