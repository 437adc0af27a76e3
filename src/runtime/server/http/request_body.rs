//! The body of a request: as it comes over a connection of ours, or from the HTTP server of the program, whole or in parts.

use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::cell::Cell;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// The body of a request.
#[derive(Debug)]
pub(super) enum RequestBody {
    /// It comes over a connection.
    Received(Incoming),
    /// All of it. One that is longer than it may be is not copied: only its length is known.
    Given { bytes: Option<Bytes>, length: u64 },
    /// The program gives it in parts, each when the endpoint asks for it.
    Fed(FedBody),
}

impl RequestBody {
    /// A body of which at most so many bytes are copied.
    pub(super) fn given(body: &[u8], most: usize) -> RequestBody {
        let bytes = (!body.is_empty() && body.len() <= most).then(|| Bytes::copy_from_slice(body));
        RequestBody::Given { bytes, length: body.len() as u64 }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match self.get_mut() {
            RequestBody::Received(body) => {
                let (polled, was_woken) = taking(|| Pin::new(&mut *body).poll_frame(context));
                if was_woken && !body.is_end_stream() {
                    context.waker().wake_by_ref();
                }
                polled
            }
            RequestBody::Given { bytes, .. } => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            RequestBody::Fed(body) => body.poll_part().map(|part| part.map(|part| Ok(Frame::data(part)))),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            RequestBody::Received(body) => body.size_hint(),
            RequestBody::Given { length, .. } => SizeHint::with_exact(*length),
            RequestBody::Fed(body) => body.size_hint(),
        }
    }
}

// For each part of a body that is taken, hyper wakes the task of its connection, which is to read the next one. Behind the last part
// there is none: the whole connection would be driven once more for each request.

thread_local! {
    /// While this thread takes a part of a body: whether the task of a connection was woken.
    static TAKING: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Takes a part of a body. Gives whether the task of its connection is to be woken.
fn taking<R>(take: impl FnOnce() -> R) -> (R, bool) {
    TAKING.set(Some(false));
    let taken = take();
    (taken, TAKING.take() == Some(true))
}

/// Wakes the task of a connection, but for a part of a body: [`RequestBody`] does that where another part follows.
struct TaskWaker(Waker);

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if TAKING.get().is_some() {
            TAKING.set(Some(true));
        } else {
            self.0.wake_by_ref();
        }
    }
}

/// A connection of HTTP/1.1, whose requests are served by the task that drives it.
pub(super) struct DrivenConnection<'a, C> {
    pub(super) connection: Pin<&'a mut C>,
    /// The waker of the task, and the one that the connection has for it.
    waker: Option<(Waker, Waker)>,
}

impl<'a, C> DrivenConnection<'a, C> {
    pub(super) fn new(connection: Pin<&'a mut C>) -> DrivenConnection<'a, C> {
        DrivenConnection { connection, waker: None }
    }
}

impl<C: Future> Future for DrivenConnection<'_, C> {
    type Output = C::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<C::Output> {
        let DrivenConnection { connection, waker } = self.get_mut();
        let known = waker.take().filter(|(task, _)| task.will_wake(context.waker()));
        let (_, own) = waker.insert(known.unwrap_or_else(|| {
            let task = context.waker().clone();
            (task.clone(), Waker::from(Arc::new(TaskWaker(task))))
        }));
        connection.as_mut().poll(&mut Context::from_waker(own))
    }
}

// The body of a request that the program gives in parts. The endpoint asks for each part by polling, which it does only after it
// has judged the head: a client whose head is refused sends no body into memory.

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
pub(super) struct FedBody(Arc<Mutex<FeedState>>);

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
    fn poll_part(&mut self) -> Poll<Option<Bytes>> {
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

    pub(super) fn size_hint(&self) -> SizeHint {
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

/// What the program wants called when there is something to read.
pub(crate) type Notice = Arc<dyn Fn() + Send + Sync>;

/// Says that an exchange has something to read: to a thread that waits for it, or by a function of the program. That function is
/// called with no lock held, on a thread that drives the library's runtime of HTTP, or on the one that closes the server.
struct SignalState {
    /// How often something has happened.
    events: u64,
    /// The program was told that there is nothing, and is to be called.
    armed: bool,
    /// The call is on its way.
    ringing: bool,
    /// Since when the program has not asked for what there may be.
    unread: Option<Instant>,
    /// Gone once the program has freed the exchange.
    notice: Option<Notice>,
    /// Polls the exchange on a thread of the library. It is there while the body comes: the program may wait for its client then,
    /// and what the body holds must go when its time is over.
    polling: Option<Notice>,
}

impl SignalState {
    fn happened(&mut self) {
        self.events = self.events.wrapping_add(1);
    }
}

/// What wakes the reader of one exchange.
pub(super) struct Signal {
    state: Mutex<SignalState>,
    changed: Condvar,
    runtime: Arc<HttpRuntime>,
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").finish_non_exhaustive()
    }
}

impl Signal {
    pub(super) fn new(notice: Option<Notice>, runtime: &Arc<HttpRuntime>) -> Signal {
        let unread = Some(Instant::now());
        let state = SignalState { events: 0, armed: false, ringing: false, unread, notice, polling: None };
        Signal { state: Mutex::new(state), changed: Condvar::new(), runtime: Arc::clone(runtime) }
    }

    /// What drives the timers of the exchange.
    pub(super) fn runtime(&self) -> &HttpRuntime {
        &self.runtime
    }

    /// The library polls the exchange when something happens, until [`Signal::leave_to_program`].
    pub(super) fn poll_with(&self, polling: Notice) {
        lock(&self.state).polling = Some(polling);
    }

    /// The program alone polls the exchange from now on.
    pub(super) fn leave_to_program(&self) {
        let polling = lock(&self.state).polling.take();
        drop(polling);
    }

    /// The program looks at the exchange: what happens from now on counts. Gives how often something has happened.
    pub(super) fn look(&self) -> u64 {
        let mut state = lock(&self.state);
        (state.armed, state.ringing) = (false, false);
        state.events
    }

    /// The exchange is further than it was, for another thread that waits.
    pub(super) fn moved(&self) {
        lock(&self.state).happened();
        self.changed.notify_all();
    }

    /// The program got something, and is to ask for the rest.
    pub(super) fn gave(&self) {
        lock(&self.state).unread = Some(Instant::now());
    }

    /// The program has everything.
    pub(super) fn gave_all(&self) {
        lock(&self.state).unread = None;
    }

    /// The program waits for its client: it is called when something happens that was not seen. `false` if it has happened.
    pub(super) fn waits_for_client(&self, seen: u64) -> bool {
        let mut state = lock(&self.state);
        if state.events != seen {
            return false;
        }
        (state.armed, state.unread) = (true, None);
        true
    }

    /// Whether the program has not asked for that long.
    pub(super) fn is_unread(&self, limit: Duration) -> bool {
        lock(&self.state).unread.is_some_and(|since| since.elapsed() > limit)
    }

    /// Waits until something happens that was not seen. `false` when the time is over: then the program is called when it does.
    pub(super) fn wait(&self, seen: u64, until: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        state.unread = None;
        loop {
            if state.events != seen {
                return true;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            state = match left {
                Some(left) if left.is_zero() => {
                    state.armed = true;
                    return false;
                }
                Some(left) => {
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Calls the program, if the call that was on its way was not overtaken.
    fn ring(&self) {
        let notice = {
            let mut state = lock(&self.state);
            if !std::mem::take(&mut state.ringing) {
                return;
            }
            state.notice.clone()
        };
        if let Some(notice) = notice {
            notice();
        }
    }

    /// Something has happened of which the program is told on this thread, which holds no lock: it may be the last to drive the
    /// runtime, or drives it now.
    pub(super) fn ring_now(&self) {
        {
            let mut state = lock(&self.state);
            state.happened();
            state.ringing |= std::mem::take(&mut state.armed);
            state.unread.get_or_insert_with(Instant::now);
            self.changed.notify_all();
        }
        self.ring();
    }

    /// The program has freed the exchange: it is called no more.
    pub(super) fn end(&self) {
        let notice = {
            let mut state = lock(&self.state);
            state.happened();
            (state.armed, state.ringing) = (false, false);
            self.changed.notify_all();
            (state.notice.take(), state.polling.take())
        };
        // Without the lock: it may be the last of it, which runs code of the program.
        drop(notice);
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    /// What calls this may hold locks.
    fn wake_by_ref(self: &Arc<Self>) {
        let polling = {
            let mut state = lock(&self.state);
            state.happened();
            self.changed.notify_all();
            state.polling.clone()
        };
        if let Some(polling) = polling {
            self.runtime.spawn(async move { polling() });
            return;
        }
        let mut state = lock(&self.state);
        state.unread.get_or_insert_with(Instant::now);
        if std::mem::take(&mut state.armed) && state.notice.is_some() {
            state.ringing = true;
            drop(state);
            let this = Arc::clone(self);
            self.runtime.spawn(async move { this.ring() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::response_stream::counted::Wakes;
    use super::*;
    use std::future::poll_fn;
    use std::pin::pin;

    #[test]
    fn a_connection_is_not_driven_again_for_a_part_of_a_body_that_was_taken() {
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut connection = pin!(poll_fn(|context| {
            let (taken, was_woken) = taking(|| {
                context.waker().wake_by_ref();
                7
            });
            assert_eq!((taken, was_woken, taking(|| ()).1), (7, true, false));
            Poll::Ready(context.waker().clone())
        }));
        let mut driven = DrivenConnection::new(connection.as_mut());
        let Poll::Ready(own) = Pin::new(&mut driven).poll(&mut Context::from_waker(&waker)) else {
            panic!("it is ready")
        };
        assert_eq!(wakes.count(), 0, "what a part wakes it for is said, and nothing else");
        own.wake_by_ref();
        own.wake();
        assert_eq!(wakes.count(), 2, "what wakes it for anything else does");
    }

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
