//! One session: the streams on which messages go to its client. What is sent while no stream is there to take it is kept, within
//! bounds, for a client that comes back (legacy era).

use super::limits::HttpLimits;
use crate::engine::server::{Frame as Sent, SessionId};
use crate::protocol::Revision;
use crate::runtime::lock;
use crate::transport::http_server::event_store::{Budget, EventId, EventStore};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// The stream of messages that belong to no request.
pub(in crate::runtime::server) const UNRELATED: u64 = 0;

/// One message on its way to a client.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// The id of its event, where clients may come back for it.
    pub(super) id: Option<EventId>,
    pub(super) frame: Vec<u8>,
    pub(super) sent: Sent,
}

/// What both ends of a stream know.
#[derive(Debug)]
struct Shared {
    waiting: AtomicUsize,
    cut: AtomicBool,
    /// When the client last took something, or nothing waited.
    moved: Mutex<Instant>,
}

/// The end of a stream that the server writes to.
#[derive(Debug)]
struct Sink {
    sender: UnboundedSender<Outgoing>,
    shared: Arc<Shared>,
}

/// The end of a stream that the answer is made of.
#[derive(Debug)]
pub(super) struct Source {
    receiver: UnboundedReceiver<Outgoing>,
    shared: Arc<Shared>,
}

impl Source {
    /// The next message; `None` at the end.
    pub(super) fn poll(&mut self, context: &mut std::task::Context<'_>) -> std::task::Poll<Option<Outgoing>> {
        let polled = self.receiver.poll_recv(context);
        if let std::task::Poll::Ready(Some(message)) = &polled {
            self.shared.waiting.fetch_sub(message.frame.len(), Ordering::Relaxed);
            *lock(&self.shared.moved) = Instant::now();
        }
        polled
    }

    pub(super) async fn next(&mut self) -> Option<Outgoing> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// Whether the stream ended because its client did not read.
    pub(super) fn was_cut(&self) -> bool {
        self.shared.cut.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
struct Streams {
    /// Those that a client reads.
    open: BTreeMap<u64, Sink>,
    /// How many events each stream has had that may still get one.
    places: BTreeMap<u64, u64>,
    store: EventStore,
    next: u64,
    /// The last unrelated event that was given to a client.
    given: u64,
    revision: Option<Revision>,
    /// When it was last used.
    used: Instant,
    /// Its client has used it after the handshake.
    confirmed: bool,
    /// The server closes: no stream is opened any more.
    closing: bool,
    ended: bool,
}

/// Where clients find sessions by their names.
pub(super) trait Known: Send + Sync + std::fmt::Debug {
    /// A session has ended.
    fn forget(&self, name: &str);
}

/// One session.
#[derive(Debug)]
pub(in crate::runtime::server) struct HttpSession {
    pub(super) id: SessionId,
    /// What its client calls it (legacy era). The one request of the modern era has none.
    name: Option<Box<str>>,
    /// Who it belongs to, where requests are authorized.
    principal: Option<Box<str>>,
    known: Weak<dyn Known>,
    stream_bytes: usize,
    /// How long a client may take nothing of what waits for it.
    write: Duration,
    /// Answers that are being written.
    writing: AtomicUsize,
    streams: Mutex<Streams>,
}

impl HttpSession {
    pub(super) fn new(
        id: SessionId,
        name: Option<Box<str>>,
        principal: Option<Box<str>>,
        known: Weak<dyn Known>,
        limits: &HttpLimits,
        kept: &Arc<Budget>,
    ) -> HttpSession {
        let keeps = name.is_some();
        HttpSession {
            id,
            name,
            principal,
            known,
            stream_bytes: limits.stream_bytes,
            write: limits.write,
            writing: AtomicUsize::new(0),
            streams: Mutex::new(Streams {
                open: BTreeMap::new(),
                places: BTreeMap::new(),
                store: EventStore::new(
                    if keeps { limits.events } else { 0 },
                    limits.event_bytes,
                    Arc::clone(kept),
                ),
                next: UNRELATED + 1,
                given: 0,
                revision: None,
                used: Instant::now(),
                confirmed: false,
                closing: false,
                ended: false,
            }),
        }
    }

    pub(in crate::runtime::server) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Who it belongs to.
    pub(super) fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }

    /// What the engine calls it.
    pub(in crate::runtime::server) fn id(&self) -> SessionId {
        self.id
    }

    /// The revision that its client agreed on.
    pub(super) fn revision(&self) -> Option<Revision> {
        lock(&self.streams).revision
    }

    pub(super) fn agreed(&self, revision: Revision) {
        lock(&self.streams).revision = Some(revision);
    }

    /// Takes note that its client is there.
    pub(super) fn touch(&self) {
        let mut streams = lock(&self.streams);
        streams.used = Instant::now();
        streams.confirmed = true;
    }

    /// Whether its client has used it after the handshake.
    pub(super) fn is_confirmed(&self) -> bool {
        lock(&self.streams).confirmed
    }

    /// Since when nothing of it is in use; `None` while something is.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        let streams = lock(&self.streams);
        (streams.open.is_empty() && self.writing.load(Ordering::Relaxed) == 0).then_some(streams.used)
    }

    /// A stream for one request. `None` once the session has ended.
    pub(super) fn open(&self) -> Option<(u64, Source)> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.closing {
            return None;
        }
        let number = streams.next;
        streams.next += 1;
        if self.name.is_some() {
            streams.places.insert(number, 0);
        }
        Some((number, attach(&mut streams, number)))
    }

    /// The stream of messages that belong to no request. One that was there before ends: its client may be gone.
    pub(super) fn listen(&self) -> Option<Source> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.closing {
            return None;
        }
        let given = EventId { stream: UNRELATED, place: streams.given };
        let missed = kept(&streams, given).unwrap_or_default();
        let source = attach(&mut streams, UNRELATED);
        give(&mut streams, UNRELATED, missed);
        Some(source)
    }

    /// The rest of a stream behind an event. `None` if that is not kept, or never was of this session.
    pub(super) fn resume(&self, behind: EventId) -> Option<Source> {
        let mut streams = lock(&self.streams);
        let number = behind.stream;
        if streams.ended || streams.closing || number >= streams.next {
            return None;
        }
        let missed = kept(&streams, behind)?;
        let goes_on = number == UNRELATED || streams.places.contains_key(&number);
        // A place that no event has had yet.
        if goes_on && behind.place > streams.places.get(&number).copied().unwrap_or(0) {
            return None;
        }
        let last = missed.last().map_or(behind.place, |message| message.id.map_or(0, |id| id.place));
        if goes_on && last < streams.places.get(&number).copied().unwrap_or(0) {
            return None;
        }
        let source = attach(&mut streams, number);
        give(&mut streams, number, missed);
        if !goes_on {
            streams.open.remove(&number);
        }
        Some(source)
    }

    /// Sends a message on a stream, or keeps it where its client is not there.
    pub(in crate::runtime::server) fn push(&self, number: u64, frame: Vec<u8>, sent: Sent) {
        let mut streams = lock(&self.streams);
        streams.used = Instant::now();
        // What a task says after its call was answered belongs to no stream of a request any more.
        let is_over = self.name.is_some() && !streams.places.contains_key(&number);
        let number = if is_over { UNRELATED } else { number };
        let id = self.name.is_some().then(|| {
            let place = streams.places.entry(number).or_insert(0);
            *place += 1;
            let id = EventId { stream: number, place: *place };
            streams.store.keep(id, &frame);
            id
        });
        let Some(sink) = streams.open.get(&number) else { return };
        let waiting = sink.shared.waiting.fetch_add(frame.len(), Ordering::Relaxed);
        let is_stuck = {
            let mut moved = lock(&sink.shared.moved);
            if waiting == 0 {
                *moved = Instant::now();
            }
            moved.elapsed() > self.write
        };
        if waiting > self.stream_bytes || is_stuck {
            sink.shared.cut.store(true, Ordering::Relaxed);
            streams.open.remove(&number);
            return;
        }
        let taken = sink.sender.send(Outgoing { id, frame, sent }).is_ok();
        if taken
            && number == UNRELATED
            && let Some(id) = id
        {
            streams.given = id.place;
        }
    }

    /// Nothing more follows on a stream.
    pub(in crate::runtime::server) fn finish(&self, number: u64) {
        let mut streams = lock(&self.streams);
        streams.open.remove(&number);
        if number != UNRELATED {
            streams.places.remove(&number);
        }
    }

    /// Nothing more follows on any stream.
    pub(in crate::runtime::server) fn finish_all(&self) {
        let mut streams = lock(&self.streams);
        streams.closing = true;
        streams.open.clear();
    }

    /// The answer on a stream went out as JSON, which has no event to come back to.
    pub(super) fn delivered(&self, number: u64) {
        lock(&self.streams).store.forget(number);
    }

    /// The streams of requests that are not finished.
    pub(in crate::runtime::server) fn unfinished(&self) -> Vec<u64> {
        let streams = lock(&self.streams);
        // Those of a session with a name have places until they are finished.
        let all: Vec<u64> = match self.name {
            Some(_) => streams.places.keys().copied().collect(),
            None => streams.open.keys().copied().collect(),
        };
        all.into_iter().filter(|number| *number != UNRELATED).collect()
    }

    /// The client reads a stream no more.
    pub(super) fn left(&self, number: u64, source: &Source) {
        let mut streams = lock(&self.streams);
        let is_same = streams.open.get(&number).is_some_and(|sink| Arc::ptr_eq(&sink.shared, &source.shared));
        if is_same {
            streams.open.remove(&number);
        }
    }

    /// An answer of it is being written.
    pub(super) fn begin_writing(&self) {
        self.writing.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn end_writing(&self) {
        self.writing.fetch_sub(1, Ordering::Relaxed);
        lock(&self.streams).used = Instant::now();
    }

    /// Whether nothing is on its way to the client.
    pub(in crate::runtime::server) fn is_flushed(&self) -> bool {
        self.writing.load(Ordering::Relaxed) == 0
    }

    /// Ends all streams: no message follows on any.
    pub(in crate::runtime::server) fn end(&self) {
        {
            let mut streams = lock(&self.streams);
            streams.ended = true;
            streams.open.clear();
            streams.places.clear();
        }
        if let (Some(name), Some(known)) = (self.name(), self.known.upgrade()) {
            known.forget(name);
        }
    }
}

fn attach(streams: &mut Streams, number: u64) -> Source {
    let (sender, receiver) = mpsc::unbounded_channel();
    let shared = Arc::new(Shared {
        waiting: AtomicUsize::new(0),
        cut: AtomicBool::new(false),
        moved: Mutex::new(Instant::now()),
    });
    streams.open.insert(number, Sink { sender, shared: Arc::clone(&shared) });
    streams.used = Instant::now();
    Source { receiver, shared }
}

fn kept(streams: &Streams, behind: EventId) -> Option<Vec<Outgoing>> {
    let events = streams.store.behind(behind)?;
    let message = |(id, frame): (EventId, &[u8])| Outgoing {
        id: Some(id),
        frame: frame.to_vec(),
        // What is kept goes out as events, which all look the same.
        sent: Sent::Notification,
    };
    Some(events.into_iter().map(message).collect())
}

/// Gives a client what it missed. It is no more than the store holds.
fn give(streams: &mut Streams, number: u64, missed: Vec<Outgoing>) {
    if number == UNRELATED
        && let Some(id) = missed.last().and_then(|message| message.id)
    {
        streams.given = streams.given.max(id.place);
    }
    let Some(sink) = streams.open.get(&number) else { return };
    for message in missed {
        sink.shared.waiting.fetch_add(message.frame.len(), Ordering::Relaxed);
        // The other end is held by the caller.
        let _is_taken = sink.sender.send(message);
    }
}
