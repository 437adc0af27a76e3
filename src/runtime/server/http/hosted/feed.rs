//! The body of a request that the program gives in parts. The endpoint asks for each part by polling, which it does only after it
//! has judged the head: a client whose head is refused sends no body into memory.

use crate::runtime::lock;
use bytes::Bytes;
use hyper::body::SizeHint;
use std::sync::{Arc, Mutex};
use std::task::Poll;

/// How much of a body the program is asked for at one time.
const PART: usize = 64 * 1024;

/// What both ends share.
#[derive(Debug)]
struct FeedState {
    /// A part that the endpoint has not taken yet.
    part: Option<Bytes>,
    /// The endpoint waits for a part.
    wanted: bool,
    /// No part follows.
    ended: bool,
    /// The endpoint has the whole body, or does not want the rest.
    closed: bool,
    /// How many announced bytes have not come yet; `None` where the head does not say.
    left: Option<u64>,
    /// No larger part is copied than shows that the body is too large.
    most: usize,
}

/// What becomes of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Put {
    /// The endpoint takes it, or has decided without it.
    Taken,
    /// The endpoint did not ask for it.
    Unasked,
    /// There is no memory for it.
    NoMemory,
}

/// The end into which the program gives the body.
#[derive(Debug)]
pub(super) struct Feed(Arc<Mutex<FeedState>>);

/// The end from which the endpoint takes it.
#[derive(Debug)]
pub(in crate::runtime::server::http) struct FedBody(Arc<Mutex<FeedState>>);

/// A body with so many bytes, if the head says how many. It may have `most`.
pub(super) fn feed(announced: Option<u64>, most: usize) -> (Feed, FedBody) {
    let state = FeedState {
        part: None,
        wanted: false,
        ended: announced == Some(0),
        closed: false,
        left: announced,
        most,
    };
    let state = Arc::new(Mutex::new(state));
    (Feed(Arc::clone(&state)), FedBody(state))
}

impl Feed {
    /// How many bytes the program may read from its client now, because the endpoint waits for them.
    pub(super) fn permit(&self) -> Option<usize> {
        let state = lock(&self.0);
        let left = state.left.and_then(|left| usize::try_from(left).ok()).unwrap_or(PART);
        // A body of an announced length still has an end, which the program says.
        (state.wanted && !state.closed).then_some(left.clamp(1, PART))
    }

    /// Whether the endpoint has not had all that it wants.
    pub(super) fn is_open(&self) -> bool {
        !lock(&self.0).closed
    }

    /// Gives a part.
    pub(super) fn put(&self, part: &[u8], is_last: bool) -> Put {
        let mut state = lock(&self.0);
        if state.closed {
            return Put::Taken;
        }
        if !state.wanted {
            return Put::Unasked;
        }
        let part = part.get(..state.most.saturating_add(1)).unwrap_or(part);
        let mut copy = Vec::new();
        if copy.try_reserve_exact(part.len()).is_err() {
            return Put::NoMemory;
        }
        copy.extend_from_slice(part);
        state.left = state.left.map(|left| left.saturating_sub(part.len() as u64));
        state.ended = is_last;
        state.wanted = false;
        state.part = (!copy.is_empty()).then(|| copy.into());
        Put::Taken
    }
}

impl FedBody {
    /// The next part; `None` at the end. No waker is kept: who gives a part polls the exchange then.
    pub(in crate::runtime::server::http) fn poll_part(&mut self) -> Poll<Option<Bytes>> {
        let mut state = lock(&self.0);
        if let Some(part) = state.part.take() {
            return Poll::Ready(Some(part));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        state.wanted = true;
        Poll::Pending
    }

    pub(in crate::runtime::server::http) fn size_hint(&self) -> SizeHint {
        let state = lock(&self.0);
        let waiting = state.part.as_ref().map_or(0, |part| part.len() as u64);
        match state.left {
            Some(left) => SizeHint::with_exact(left.saturating_add(waiting)),
            None => SizeHint::default(),
        }
    }
}

impl Drop for FedBody {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.closed = true;
        let part = state.part.take();
        drop(state);
        drop(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_taken_only_when_the_endpoint_asks_for_it() {
        let (feed, mut body) = feed(Some(5), 100);
        assert_eq!(feed.permit(), None, "the head is not judged yet");
        assert_eq!(feed.put(b"ab", false), Put::Unasked);
        assert_eq!(body.poll_part(), Poll::Pending);
        assert_eq!(feed.permit(), Some(5));
        assert_eq!(feed.put(b"ab", false), Put::Taken);
        assert_eq!((feed.permit(), body.size_hint().exact()), (None, Some(5)));
        assert_eq!(feed.put(b"c", false), Put::Unasked, "the one before it is not taken");
        assert_eq!(body.poll_part(), Poll::Ready(Some(Bytes::from_static(b"ab"))));
        assert_eq!((body.poll_part(), feed.permit()), (Poll::Pending, Some(3)));
        assert_eq!(feed.put(b"cde", true), Put::Taken);
        assert_eq!(body.poll_part(), Poll::Ready(Some(Bytes::from_static(b"cde"))));
        assert_eq!(body.poll_part(), Poll::Ready(None));
        drop(body);
        assert!(!feed.is_open());
        assert_eq!(feed.put(b"more", true), Put::Taken, "nothing is kept of it");
    }

    #[test]
    fn a_body_may_be_empty_or_end_without_a_part() {
        let (empty, mut body) = feed(Some(0), 100);
        assert_eq!((body.poll_part(), empty.permit()), (Poll::Ready(None), None));
        let (chunked, mut body) = feed(None, 100);
        assert_eq!((body.poll_part(), chunked.permit()), (Poll::Pending, Some(PART)));
        assert_eq!(body.size_hint().exact(), None);
        assert_eq!(chunked.put(b"", true), Put::Taken);
        assert_eq!(body.poll_part(), Poll::Ready(None));
    }

    #[test]
    fn of_a_part_that_is_too_large_only_what_shows_that_is_copied() {
        let (feed, mut body) = feed(None, 100);
        assert_eq!(body.poll_part(), Poll::Pending);
        assert_eq!(feed.put(&[b'a'; 1000], true), Put::Taken);
        assert_eq!(body.poll_part(), Poll::Ready(Some(vec![b'a'; 101].into())));
    }
}
