//! The two ends of one stream of messages to a client, and what of it waits for the client.

use crate::engine::server::OutgoingKind;
use crate::runtime::server::budget::{Account, Charge};
use crate::runtime::{clock, lock};
use crate::transport::http_server::event_stream;
use crate::transport::http_server::event_stream::EventId;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
#[cfg(feature = "store")]
use {crate::sorted::SortedMap, tokio::sync::Notify};

/// Streams of other processes that clients of one session may read here at one time.
#[cfg(feature = "store")]
const MOST_FOLLOWED: usize = 16;

/// One message on its way to a client.
#[derive(Debug)]
pub(super) struct OutgoingEvent {
    /// The id of its event, where clients may come back for it.
    pub(super) id: Option<EventId>,
    pub(super) frame: Vec<u8>,
    pub(super) sent: OutgoingKind,
    /// In place of a message: the stream ends early, and its client is to come back after this time.
    pub(super) retry: Option<Duration>,
    /// Counts its bytes.
    pub(super) charge: Charge,
}

impl OutgoingEvent {
    /// The event that it is sent as, and what counts its bytes.
    pub(super) fn event(self) -> (Vec<u8>, Charge) {
        let id = self.id.map(EventId::text);
        let event = match self.retry {
            Some(retry) => event_stream::priming(id.as_deref().unwrap_or_default(), retry),
            None => event_stream::message(id.as_deref(), &self.frame),
        };
        (event, self.charge)
    }
}

/// What both ends know.
#[derive(Debug)]
struct SharedStream {
    state: Mutex<StreamState>,
    cut: AtomicBool,
}

#[derive(Debug)]
struct StreamState {
    /// The oldest message. Most streams have one, which needs no list.
    first: Option<OutgoingEvent>,
    /// Those behind it.
    messages: VecDeque<OutgoingEvent>,
    /// Bytes of the frames that wait.
    waiting: usize,
    /// When the client last took something, or nothing waited.
    moved: Instant,
    /// The task that waits for the next message.
    waker: Option<Waker>,
    /// The end that the server writes to is gone.
    is_over: bool,
    /// The end that the answer is made of is gone.
    is_left: bool,
}

impl SharedStream {
    /// Adds a message, unless no reader is left.
    fn add(mut state: MutexGuard<'_, StreamState>, message: OutgoingEvent) -> bool {
        if state.is_left {
            return false;
        }
        state.waiting += message.frame.len();
        if state.first.is_none() && state.messages.is_empty() {
            state.first = Some(message);
        } else {
            state.messages.push_back(message);
        }
        SharedStream::wake(state);
        true
    }

    /// Wakes the task that waits, without the lock, or has it woken with others.
    fn wake(mut state: MutexGuard<'_, StreamState>) {
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            wake(waker);
        }
    }
}

/// The end that the server writes to.
#[derive(Debug)]
pub(super) struct StreamSink {
    shared: Arc<SharedStream>,
    takes_events: bool,
    account: Account,
}

/// The end that the answer is made of.
#[derive(Debug)]
pub(super) struct StreamSource {
    shared: Arc<SharedStream>,
}

/// A stream whose client takes events, or the answer alone; what waits on it counts for an account. Most streams have one message and one reader, for which a channel with
/// memory for many at once costs more than the message.
pub(super) fn channel(takes_events: bool, account: Account, now: Instant) -> (StreamSink, StreamSource) {
    let state = StreamState {
        first: None,
        messages: VecDeque::new(),
        waiting: 0,
        moved: now,
        waker: None,
        is_over: false,
        is_left: false,
    };
    let shared = Arc::new(SharedStream { state: Mutex::new(state), cut: AtomicBool::new(false) });
    (StreamSink { shared: Arc::clone(&shared), takes_events, account }, StreamSource { shared })
}

impl StreamSink {
    /// Whether its client takes events.
    pub(super) fn takes_events(&self) -> bool {
        self.takes_events
    }

    /// What counts the messages on it.
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// Sends a message; whether the other end is there. `None` if the client leaves more than `most` bytes unread, or took nothing
    /// for `write`.
    pub(super) fn send(
        &self,
        message: OutgoingEvent,
        most: usize,
        write: Duration,
        now: Instant,
    ) -> Option<bool> {
        let mut state = lock(&self.shared.state);
        if state.waiting == 0 {
            state.moved = now;
        }
        let is_stuck = state.waiting > most || now.saturating_duration_since(state.moved) > write;
        (!is_stuck).then(|| SharedStream::add(state, message))
    }

    /// Sends a message that has a bound of its own; whether the other end is there.
    pub(super) fn give(&self, message: OutgoingEvent) -> bool {
        SharedStream::add(lock(&self.shared.state), message)
    }

    /// The client did not read.
    pub(super) fn cut(&self) {
        self.shared.cut.store(true, Ordering::Relaxed);
    }

    /// Whether this is the other end.
    pub(super) fn leads_to(&self, source: &StreamSource) -> bool {
        Arc::ptr_eq(&self.shared, &source.shared)
    }
}

impl Drop for StreamSink {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.is_over = true;
        SharedStream::wake(state);
    }
}

impl StreamSource {
    /// The next message; `None` at the end.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<OutgoingEvent>> {
        let mut state = lock(&self.shared.state);
        let next = state.first.take();
        if let Some(message) = next.or_else(|| state.messages.pop_front()) {
            state.waiting = state.waiting.saturating_sub(message.frame.len());
            // Where nothing is left the time is that of the next message.
            if state.waiting > 0 {
                state.moved = clock::now();
            }
            return Poll::Ready(Some(message));
        }
        if state.is_over {
            return Poll::Ready(None);
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    pub(super) async fn next(&mut self) -> Option<OutgoingEvent> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// The same stream, with messages that have a bound of their own before those that wait.
    #[cfg(feature = "store")]
    pub(super) fn behind(self, missed: Vec<OutgoingEvent>) -> StreamSource {
        {
            let mut state = lock(&self.shared.state);
            let waiting = state.first.take().into_iter().chain(std::mem::take(&mut state.messages));
            state.messages = missed.into_iter().chain(waiting).collect();
            state.waiting = state.messages.iter().map(|message| message.frame.len()).sum();
        }
        self
    }

    /// Whether the stream ended because its client did not read.
    pub(super) fn was_cut(&self) -> bool {
        self.shared.cut.load(Ordering::Relaxed)
    }
}

impl Drop for StreamSource {
    /// What was not read goes, and nothing more is taken.
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.is_left = true;
        let unread = (state.first.take(), std::mem::take(&mut state.messages), state.waker.take());
        // What a waker holds is released without the lock.
        drop(state);
        drop(unread);
    }
}

/// A stream of another process, which its client reads here.
#[cfg(feature = "store")]
#[derive(Debug)]
struct FollowedStream {
    sink: StreamSink,
    /// Wakes the task that reads it for the client.
    wake: Arc<Notify>,
}

/// Those of one session, by their numbers.
#[cfg(feature = "store")]
#[derive(Default, Debug)]
pub(super) struct FollowedStreams {
    streams: SortedMap<u64, FollowedStream>,
    is_over: bool,
}

#[cfg(feature = "store")]
impl FollowedStreams {
    /// A stream is read here from now on, with what `wake` wakes. `None` where no more may be.
    pub(super) fn add(&mut self, number: u64, wake: &Arc<Notify>, account: &Account) -> Option<StreamSource> {
        let is_known = self.streams.contains_key(&number);
        if self.is_over || !is_known && self.streams.len() >= MOST_FOLLOWED {
            return None;
        }
        let (sink, source) = channel(true, account.clone(), clock::now());
        if let Some(before) = self.streams.insert(number, FollowedStream { sink, wake: Arc::clone(wake) }) {
            before.wake.notify_one();
        }
        Some(source)
    }

    /// Sends a message, which `charge` counts. `false` if no client reads it, or it does not take what waits.
    pub(super) fn send(
        &self,
        (number, wake): (u64, &Arc<Notify>),
        message: OutgoingEvent,
        (most, write): (usize, Duration),
    ) -> bool {
        let Some(stream) = self.stream(number, wake) else { return false };
        let is_taken = stream.sink.send(message, most, write, clock::now()).unwrap_or(false);
        if !is_taken {
            stream.sink.cut();
        }
        is_taken
    }

    /// What counts what is sent, while the client reads.
    pub(super) fn account(&self, number: u64, wake: &Arc<Notify>) -> Option<Account> {
        self.stream(number, wake).map(|stream| stream.sink.account().clone())
    }

    fn stream(&self, number: u64, wake: &Arc<Notify>) -> Option<&FollowedStream> {
        self.streams.get(&number).filter(|stream| Arc::ptr_eq(&stream.wake, wake))
    }

    /// Nothing more follows on a stream: it has ended, or is cut off.
    pub(super) fn end(&mut self, number: u64, wake: &Arc<Notify>, is_cut: bool) {
        let Some(stream) = self.stream(number, wake) else { return };
        if is_cut {
            stream.sink.cut();
        }
        self.streams.remove(&number);
    }

    /// The client reads a stream no more.
    pub(super) fn left(&mut self, number: u64, source: &StreamSource) {
        if self.streams.get(&number).is_some_and(|stream| stream.sink.leads_to(source))
            && let Some(stream) = self.streams.remove(&number)
        {
            stream.wake.notify_one();
        }
    }

    /// No client reads any.
    pub(super) fn end_all(&mut self) {
        self.is_over = true;
        for stream in std::mem::take(&mut self.streams).into_values() {
            stream.wake.notify_one();
        }
    }
}

/// What is held, until its owner takes it out again. Nothing is to be dropped at the end of a thread: C libraries allocate what
/// runs then, and end the process where they get no memory for it.
type HeldTask = ManuallyDrop<Option<Vec<Waker>>>;
const _: () = assert!(!std::mem::needs_drop::<HeldTask>());

thread_local! {
    static HELD: RefCell<HeldTask> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// Gives what was held, and holds this instead.
fn exchange(held: Option<Vec<Waker>>) -> Option<Vec<Waker>> {
    ManuallyDrop::into_inner(HELD.replace(ManuallyDrop::new(held)))
}

fn wake_all(wakers: Option<Vec<Waker>>) {
    for waker in wakers.unwrap_or_default() {
        waker.wake();
    }
}

/// While this is there, tasks that this thread wakes are held.
pub(crate) struct HeldWakes(());

impl HeldWakes {
    /// Holds them behind those that are held already.
    pub(crate) fn begin(held: Vec<Waker>) -> HeldWakes {
        wake_all(exchange(Some(held)));
        HeldWakes(())
    }

    /// All that are held.
    pub(crate) fn end(self) -> Vec<Waker> {
        let held = exchange(None).unwrap_or_default();
        drop(self);
        held
    }
}

impl Drop for HeldWakes {
    /// Nothing is left of them, unless their owner panicked.
    fn drop(&mut self) {
        wake_all(exchange(None));
    }
}

/// Wakes a task, now or together with others.
pub(super) fn wake(waker: Waker) {
    let mut now = Some(waker);
    HELD.with_borrow_mut(|held| {
        if let Some(held) = &mut **held {
            held.extend(now.take());
        }
    });
    if let Some(waker) = now {
        waker.wake();
    }
}

#[cfg(test)]
pub(super) mod counted {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    /// How often a task was woken.
    #[derive(Default)]
    pub(in crate::runtime::server::http) struct Wakes(AtomicUsize);

    impl Wakes {
        pub(in crate::runtime::server::http) fn count(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::counted::Wakes;
    use super::*;

    fn message(text: &str) -> OutgoingEvent {
        OutgoingEvent {
            id: None,
            frame: text.into(),
            sent: OutgoingKind::Notification,
            retry: None,
            charge: Charge::default(),
        }
    }

    fn text(polled: Poll<Option<OutgoingEvent>>) -> Poll<Option<String>> {
        polled.map(|message| message.map(|message| String::from_utf8(message.frame).expect("text")))
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn messages_come_in_order_and_the_end_after_them() {
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut context = Context::from_waker(&waker);
        let (sink, mut source) = channel(true, Account::default(), clock::now());
        assert_eq!(text(source.poll(&mut context)), Poll::Pending);
        assert_eq!(text(source.poll(&mut context)), Poll::Pending);
        assert_eq!(sink.send(message("one"), 100, LONG, clock::now()), Some(true));
        assert!(sink.give(message("two")));
        assert_eq!(wakes.count(), 1, "one task waits, once");
        drop(sink);
        assert_eq!(text(source.poll(&mut context)), Poll::Ready(Some("one".to_owned())));
        assert_eq!(text(source.poll(&mut context)), Poll::Ready(Some("two".to_owned())));
        assert_eq!(text(source.poll(&mut context)), Poll::Ready(None));
        let (sink, mut source) = channel(true, Account::default(), clock::now());
        assert_eq!(text(source.poll(&mut context)), Poll::Pending);
        drop(sink);
        assert_eq!(wakes.count(), 2, "the end wakes too");
        assert!(!source.was_cut());
    }

    #[test]
    fn a_client_that_reads_nothing_gets_nothing_more() {
        let mut context = Context::from_waker(Waker::noop());
        let (sink, mut source) = channel(true, Account::default(), clock::now());
        assert_eq!(sink.send(message("long enough"), 4, LONG, clock::now()), Some(true), "nothing waited");
        assert_eq!(sink.send(message("x"), 4, LONG, clock::now()), None);
        assert!(source.poll(&mut context).is_ready());
        assert_eq!(sink.send(message("x"), 4, LONG, clock::now()), Some(true));
        assert_eq!(
            sink.send(message("y"), 4, Duration::ZERO, clock::now()),
            None,
            "it took nothing in its time"
        );
        assert!(sink.leads_to(&source) && sink.takes_events());
        drop(source);
        assert_eq!(sink.send(message("z"), 100, LONG, clock::now()), Some(false), "no reader is left");
    }

    #[test]
    fn what_is_held_is_woken_by_its_owner() {
        let wakes = Arc::new(Wakes::default());
        let waker = || Waker::from(Arc::clone(&wakes));
        wake(waker());
        assert_eq!(wakes.count(), 1);
        let held = HeldWakes::begin(vec![waker()]);
        wake(waker());
        let all = held.end();
        assert_eq!((wakes.count(), all.len()), (1, 2));
        wake(waker());
        assert_eq!(wakes.count(), 2, "nothing is held any more");
        drop(HeldWakes::begin(all));
        assert_eq!(wakes.count(), 4, "none is lost");
    }

    /// Wakes a task when its thread has dropped what it holds.
    struct AtTheEnd(Waker);

    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            wake(self.0.clone());
            wake_all(Some(HeldWakes::begin(vec![self.0.clone()]).end()));
        }
    }

    #[test]
    fn a_thread_that_ends_wakes_what_it_held() {
        thread_local! {
            static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
        }
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        std::thread::spawn(move || {
            LAST.set(Some(AtTheEnd(waker.clone())));
            drop(HeldWakes::begin(Vec::new()).end());
        })
        .join()
        .expect("it wakes");
        assert_eq!(wakes.count(), 2);
    }
}
