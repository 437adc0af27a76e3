//! How many subscriptions one connection may have. Over HTTP each is a session of its own for the engine, so that its bound for one
//! session counts none of them (`limits.session_listens`).

use crate::protocol::method;
use crate::transport::http::header::MCP_METHOD;
use crate::transport::http_server::refusal::Refusal;
use hyper::header::HeaderMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
        if headers.get(MCP_METHOD).is_none_or(|name| name.as_bytes() != method::LISTEN.as_bytes()) {
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
