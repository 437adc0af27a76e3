//! One session: the streams on which messages go to its client. What is sent while no stream is there to take it is kept, within
//! bounds, for a client that comes back (legacy era).

use super::channel::{OutgoingEvent, StreamSink, StreamSource, channel};
use super::limits::HttpLimits;
use crate::engine::server::{Frame as Sent, SessionId};
use crate::protocol::Revision;
use crate::runtime::server::budget::{Account, Budget, Charge};
use crate::runtime::{clock, lock};
use crate::shares::Holder;
use crate::transport::http_server::event_store::{EventId, EventStore};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

/// The stream of messages that belong to no request.
pub(in crate::runtime::server) const UNRELATED: u64 = 0;

#[derive(Debug)]
pub(super) struct Streams {
    /// Those that a client reads.
    pub(super) open: BTreeMap<u64, StreamSink>,
    /// How many events each stream has had that may still get one.
    pub(super) places: BTreeMap<u64, u64>,
    pub(super) store: EventStore<Charge>,
    next: u64,
    /// The last unrelated event that was given to a client.
    pub(super) given: u64,
    revision: Option<Revision>,
    /// When it was last used.
    pub(super) used: Instant,
    /// Its client has used it after the handshake.
    confirmed: bool,
    /// The server closes: no stream is opened any more.
    closing: bool,
    ended: bool,
}

/// Where clients find sessions by their names.
pub(super) trait KnownSession: Send + Sync + std::fmt::Debug {
    /// A session has ended.
    fn forget(&self, name: &str);
}

/// What a session is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::runtime::server) enum SessionKind {
    /// Streamable HTTP of the legacy era: a stream for each request, and one for other messages.
    Streamable,
    /// HTTP+SSE of 2024-11-05: one stream, with which it ends.
    OneStream,
    /// One request of the modern era.
    OneRequest,
}

/// What a client that comes back to a stream gets.
pub(super) enum Resumed {
    /// What it missed, and what follows.
    Goes(StreamSource),
    /// Nothing: the stream has ended, and its client has all of it.
    Over,
    /// That is not kept, or never was of this session.
    Unknown,
}

/// One session.
#[derive(Debug)]
pub(in crate::runtime::server) struct HttpSession {
    pub(super) id: SessionId,
    pub(super) kind: SessionKind,
    /// What its client calls it (legacy era). The one request of the modern era has none.
    name: Option<Box<str>>,
    /// Whose it is.
    holder: Holder,
    known: Weak<dyn KnownSession>,
    /// Whether messages are kept for a client that comes back.
    pub(super) keeps: bool,
    /// What counts them.
    pub(super) kept: Account,
    pub(super) stream_bytes: usize,
    /// How long a client may take nothing of what waits for it.
    pub(super) write: Duration,
    /// After which time a client comes back to a stream that was ended early.
    retry: Duration,
    /// Answers that are being written.
    writing: AtomicUsize,
    pub(super) streams: Arc<Mutex<Streams>>,
}

impl HttpSession {
    pub(super) fn new(
        id: SessionId,
        kind: SessionKind,
        name: Option<Box<str>>,
        holder: Holder,
        known: Weak<dyn KnownSession>,
        limits: &HttpLimits,
        budget: &Arc<Budget>,
    ) -> HttpSession {
        let keeps = kind == SessionKind::Streamable && limits.events > 0 && limits.event_bytes > 0;
        let streams = Arc::new(Mutex::new(Streams {
            open: BTreeMap::new(),
            places: BTreeMap::new(),
            store: EventStore::new(
                if keeps { limits.events } else { 0 },
                limits.event_bytes,
                limits.event_age,
            ),
            next: UNRELATED + 1,
            given: 0,
            revision: None,
            used: clock::now(),
            confirmed: false,
            closing: false,
            ended: false,
        }));
        let kept = if keeps {
            let gives_way: Weak<Mutex<Streams>> = Arc::downgrade(&streams);
            budget.account_of_kept(holder.clone(), gives_way)
        } else {
            Account::default()
        };
        HttpSession {
            id,
            kind,
            name,
            holder,
            known,
            keeps,
            kept,
            stream_bytes: limits.stream_bytes,
            write: limits.write,
            retry: limits.retry,
            writing: AtomicUsize::new(0),
            streams,
        }
    }

    pub(in crate::runtime::server) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(in crate::runtime::server) fn kind(&self) -> SessionKind {
        self.kind
    }

    /// Whether it ends with a stream.
    pub(in crate::runtime::server) fn ends_with(&self, number: u64) -> bool {
        match self.kind {
            SessionKind::Streamable => false,
            SessionKind::OneStream => number == UNRELATED,
            SessionKind::OneRequest => true,
        }
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.streams).ended
    }

    /// Who it belongs to, where requests are authorized.
    pub(super) fn principal(&self) -> Option<&str> {
        match &self.holder {
            Holder::Principal(id) => Some(id),
            _ => None,
        }
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
        streams.used = clock::now();
        streams.confirmed = true;
    }

    /// Whether its client has used it after the handshake.
    pub(in crate::runtime::server) fn is_confirmed(&self) -> bool {
        lock(&self.streams).confirmed
    }

    /// Since when nothing of it is in use; `None` while something is. A stream of HTTP+SSE is no use before the first message.
    pub(in crate::runtime::server) fn unused_since(&self) -> Option<Instant> {
        let streams = lock(&self.streams);
        let has_begun = self.kind != SessionKind::OneStream || streams.confirmed;
        let is_in_use = !streams.open.is_empty() || self.writing.load(Ordering::Relaxed) > 0;
        (!has_begun || !is_in_use).then_some(streams.used)
    }

    /// A stream for one request, whose client takes events or not. `None` once the session has ended.
    pub(super) fn open(&self, takes_events: bool, account: &Account) -> Option<(u64, StreamSource)> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.closing {
            return None;
        }
        let number = streams.next;
        streams.next += 1;
        if self.kind == SessionKind::Streamable {
            streams.places.insert(number, 0);
        }
        Some((number, attach(&mut streams, number, takes_events, account)))
    }

    /// The stream of messages that belong to no request. One that was there before ends: its client may be gone.
    pub(super) fn listen(&self, account: &Account) -> Option<StreamSource> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.closing {
            return None;
        }
        let given = EventId { stream: UNRELATED, place: streams.given };
        let missed = kept(&mut streams, given).unwrap_or_default();
        let source = attach(&mut streams, UNRELATED, true, account);
        give(&mut streams, UNRELATED, missed);
        Some(source)
    }

    /// The rest of a stream behind an event.
    pub(super) fn resume(&self, behind: EventId, account: &Account) -> Resumed {
        let mut streams = lock(&self.streams);
        let number = behind.stream;
        if streams.ended || streams.closing || number >= streams.next {
            return Resumed::Unknown;
        }
        let Some(missed) = kept(&mut streams, behind) else { return Resumed::Unknown };
        let goes_on = number == UNRELATED || streams.places.contains_key(&number);
        // A place that no event has had yet.
        if goes_on && behind.place > streams.places.get(&number).copied().unwrap_or(0) {
            return Resumed::Unknown;
        }
        let last = missed.last().map_or(behind.place, |message| message.id.map_or(0, |id| id.place));
        if goes_on && last < streams.places.get(&number).copied().unwrap_or(0) {
            return Resumed::Unknown;
        }
        if !goes_on && missed.is_empty() {
            return Resumed::Over;
        }
        let source = attach(&mut streams, number, true, account);
        give(&mut streams, number, missed);
        if !goes_on {
            streams.open.remove(&number);
        }
        Resumed::Goes(source)
    }

    /// Ends the stream of a request before its answer: its client comes back for the rest after `retry` (SEP-1699). `false` if no
    /// client reads it, or could not come back.
    pub(in crate::runtime::server) fn close_early(&self, number: u64, retry: Option<Duration>) -> bool {
        let mut streams = lock(&self.streams);
        let Some(place) = streams.places.get(&number).copied().filter(|_| self.keeps) else { return false };
        if !streams.open.get(&number).is_some_and(StreamSink::takes_events) {
            return false;
        }
        let Some(sink) = streams.open.remove(&number) else { return false };
        let id = Some(EventId { stream: number, place });
        let retry = Some(retry.unwrap_or(self.retry));
        sink.give(OutgoingEvent {
            id,
            frame: Vec::new(),
            sent: Sent::Notification,
            retry,
            charge: Charge::default(),
        })
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

    /// The other streams of requests that are not finished.
    pub(in crate::runtime::server) fn unfinished_beside(&self, own: u64) -> Vec<u64> {
        let streams = lock(&self.streams);
        let is_other = |number: &u64| *number != UNRELATED && *number != own;
        // Those to which a client may come back have places until they are finished.
        match self.kind {
            SessionKind::Streamable => streams.places.keys().copied().filter(is_other).collect(),
            _ => streams.open.keys().copied().filter(is_other).collect(),
        }
    }

    /// The client reads a stream no more.
    pub(super) fn left(&self, number: u64, source: &StreamSource) {
        let mut streams = lock(&self.streams);
        let is_same = streams.open.get(&number).is_some_and(|sink| sink.leads_to(source));
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
        lock(&self.streams).used = clock::now();
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

fn attach(streams: &mut Streams, number: u64, takes_events: bool, account: &Account) -> StreamSource {
    let (sink, source) = channel(takes_events, account.clone());
    streams.open.insert(number, sink);
    streams.used = clock::now();
    source
}

fn kept(streams: &mut Streams, behind: EventId) -> Option<Vec<OutgoingEvent>> {
    let events = streams.store.behind(behind, clock::now())?;
    let message = |(id, frame): (EventId, &[u8])| OutgoingEvent {
        id: Some(id),
        frame: frame.to_vec(),
        // What is kept goes out as events, which all look the same.
        sent: Sent::Notification,
        retry: None,
        charge: Charge::default(),
    };
    Some(events.into_iter().map(message).collect())
}

/// Gives a client what it missed. It is no more than the store holds.
fn give(streams: &mut Streams, number: u64, missed: Vec<OutgoingEvent>) {
    if number == UNRELATED
        && let Some(id) = missed.last().and_then(|message| message.id)
    {
        streams.given = streams.given.max(id.place);
    }
    let Some(sink) = streams.open.get(&number) else { return };
    for message in missed {
        // The other end is held by the caller.
        let _is_taken = sink.give(message);
    }
}
