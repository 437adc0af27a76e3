//! One session: the streams on which messages go to its client. What is sent while no stream is there to take it is kept, within
//! bounds, for a client that comes back (legacy era).

#[cfg(feature = "store")]
use super::event_log::{LogBounds, Logged, Logs, PROCESS_BITS, SharedEvents};
use super::limits::HttpLimits;
#[cfg(feature = "store")]
use super::response_stream::FollowedStreams;
use super::response_stream::{OutgoingEvent, StreamSink, StreamSource, channel};
#[cfg(feature = "store")]
use crate::engine::server::{Operation, SharedSession, StoreOutcome};
use crate::engine::server::{OutgoingKind, SessionId, Stream};
use crate::json;
use crate::protocol::{Revision, error_code, write};
use crate::runtime::server::budget::{Account, Budget, BudgetFull, Charge, EACH, GivesWay};
use crate::runtime::{clock, lock};
use crate::shares::Holder;
use crate::sorted::SortedMap;
use crate::transport::http_server::event_stream::{EventId, EventStore};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

/// The stream of messages that belong to no request.
pub(crate) const UNRELATED: u64 = 0;

#[derive(Debug)]
pub(super) struct Streams {
    /// Those that a client reads.
    pub(super) open: SortedMap<u64, StreamSink>,
    /// How many events each stream has had that may still get one.
    pub(super) places: SortedMap<u64, u64>,
    pub(super) store: EventStore<Charge>,
    next: u64,
    /// The first number that a stream of a request has here, and the place before the first of unrelated messages. Of streams that another
    /// process had of the same session nothing is known.
    first: (u64, u64),
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
    /// What a store keeps of its events, where processes share one.
    #[cfg(feature = "store")]
    logs: Option<Logs>,
}

impl Streams {
    /// Ends a stream behind an event; its client comes back after a time. Whether there was one.
    fn end_early(&mut self, id: EventId, retry: Duration) -> bool {
        let Some(sink) = self.open.remove(&id.stream) else { return false };
        sink.give(OutgoingEvent {
            id: Some(id),
            frame: Vec::new(),
            sent: OutgoingKind::Notification,
            retry: Some(retry),
            charge: Charge::default(),
        })
    }

    fn touch(&mut self) {
        self.used = clock::now();
        self.confirmed = true;
    }
}

/// Where clients find sessions by their names.
pub(in crate::runtime::server) trait KnownSession:
    Send + Sync + std::fmt::Debug
{
    /// A session has ended. Another one may have its name by now.
    fn forget(&self, name: &str, id: SessionId);
    /// Another process says something of a session; `None` where that may have been missed.
    #[cfg(feature = "store")]
    fn heard(&self, _change: Option<&SessionChange>) {}
}

/// What processes that share a store tell each other of a session.
#[cfg(feature = "store")]
#[derive(Debug)]
pub(in crate::runtime::server) struct SessionChange {
    /// The path of its URL.
    pub(super) path: String,
    pub(super) name: String,
    pub(super) kind: SessionChangeKind,
}

/// What it is that they tell.
#[cfg(feature = "store")]
#[derive(PartialEq, Eq, Debug)]
pub(super) enum SessionChangeKind {
    /// Its client has ended it.
    Ended,
    /// It was written, as this version.
    Written(u64),
    /// Its client has answered what another process has asked. This is the place of the answer.
    Answered(u64),
    /// Its client has cancelled the request of this id, which is JSON text.
    Cancelled(String),
}

#[cfg(feature = "store")]
impl SessionChange {
    /// The channel on which it is told.
    pub(in crate::runtime::server) const CHANNEL: &str = "sessions";

    pub(in crate::runtime::server) fn text(&self) -> Vec<u8> {
        let SessionChange { path, name, kind } = self;
        let mut text = serde_json::json!({ "path": path, "name": name });
        let (key, value): (_, serde_json::Value) = match kind {
            SessionChangeKind::Ended => ("version", 0.into()),
            SessionChangeKind::Written(version) => ("version", (*version).into()),
            SessionChangeKind::Answered(place) => ("answered", (*place).into()),
            SessionChangeKind::Cancelled(id) => ("cancelled", id.as_str().into()),
        };
        text[key] = value;
        text.to_string().into_bytes()
    }

    /// What was told; `None` where it is of another form.
    pub(in crate::runtime::server) fn read(text: &[u8]) -> Option<SessionChange> {
        let change: serde_json::Value = serde_json::from_slice(text).ok()?;
        let text = |key: &str| Some(change.get(key)?.as_str()?.to_owned());
        let number = |key: &str| change.get(key)?.as_u64();
        let kind = match (number("version"), number("answered"), text("cancelled")) {
            (Some(0), ..) => SessionChangeKind::Ended,
            (Some(version), ..) => SessionChangeKind::Written(version),
            (_, Some(place), _) => SessionChangeKind::Answered(place),
            (.., Some(id)) => SessionChangeKind::Cancelled(id),
            _ => return None,
        };
        Some(SessionChange { path: text("path")?, name: text("name")?, kind })
    }
}

/// What a session is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionKind {
    /// Streamable HTTP of the legacy era: a stream for each request, and one for other messages.
    Streamable,
    /// HTTP+SSE of 2024-11-05: one stream, with which it ends.
    OneStream,
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
pub(crate) struct HttpSession {
    pub(super) id: SessionId,
    pub(super) kind: SessionKind,
    /// What its client calls it.
    name: Box<str>,
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
    /// What a store has of it, where processes share one.
    #[cfg(feature = "store")]
    pub(super) kept_in_store: Mutex<Option<KeptSession>>,
    /// Streams of other processes that its client reads here.
    #[cfg(feature = "store")]
    pub(super) followed: Mutex<FollowedStreams>,
}

/// What is known of a session in a store.
#[cfg(feature = "store")]
#[derive(Debug)]
pub(super) struct KeptSession {
    pub(super) key: Box<str>,
    /// As the store has it.
    pub(super) record: SharedSession,
    /// As this process had it then: what is different now was changed here.
    pub(super) own: SharedSession,
    pub(super) version: u64,
    /// When it was looked up.
    pub(super) checked: Instant,
    /// When it is to be written again, so that it stays.
    pub(super) due: Instant,
    /// Something of it may have changed.
    pub(super) is_stale: bool,
    /// Its client was told here what it may have missed elsewhere.
    pub(super) is_told: bool,
    /// The place of the last answer that was read of those that its client gave at other processes.
    pub(super) answers_read: Option<u64>,
    /// There may be more of them.
    pub(super) has_answers: bool,
    /// The bytes of answers that were kept here for other processes, and since when they are counted.
    pub(super) answers_kept: (Instant, usize),
}

#[cfg(feature = "store")]
impl KeptSession {
    /// One that is in the store as it is here, as of the time at which that was asked. `is_told`: its client missed nothing elsewhere.
    pub(super) fn new(
        key: Box<str>,
        record: SharedSession,
        version: u64,
        asked: Instant,
        is_told: bool,
    ) -> KeptSession {
        KeptSession {
            key,
            own: record.clone(),
            record,
            version,
            checked: asked,
            // The first use makes it stay longer.
            due: asked,
            is_stale: false,
            is_told,
            answers_read: None,
            has_answers: false,
            answers_kept: (asked, 0),
        }
    }
}

impl HttpSession {
    pub(super) fn new(
        id: SessionId,
        kind: SessionKind,
        name: Box<str>,
        holder: Holder,
        known: Weak<dyn KnownSession>,
        limits: &HttpLimits,
        budget: &Arc<Budget>,
    ) -> HttpSession {
        let keeps = kind == SessionKind::Streamable && limits.events > 0 && limits.event_bytes > 0;
        let streams = Arc::new(Mutex::new(Streams {
            open: SortedMap::new(),
            places: SortedMap::new(),
            store: EventStore::new(
                if keeps { limits.events } else { 0 },
                limits.event_bytes,
                limits.event_age,
            ),
            next: UNRELATED + 1,
            first: (UNRELATED + 1, 0),
            given: 0,
            revision: None,
            used: clock::now(),
            confirmed: false,
            closing: false,
            ended: false,
            #[cfg(feature = "store")]
            logs: None,
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
            #[cfg(feature = "store")]
            kept_in_store: Mutex::default(),
            #[cfg(feature = "store")]
            followed: Mutex::default(),
        }
    }

    /// The same for one that another process has begun, whose client agreed on a revision there.
    pub(super) fn going_on(self, revision: Revision, start: u64) -> HttpSession {
        lock(&self.streams).revision = Some(revision);
        self.numbered_from(start)
    }

    /// Numbers its streams and places from `start` on, so that events of other processes that have the session are not taken for its own.
    pub(super) fn numbered_from(self, start: u64) -> HttpSession {
        let mut streams = lock(&self.streams);
        streams.next = UNRELATED + 1 + start;
        streams.first = (streams.next, start);
        streams.given = start;
        if start > 0 {
            streams.places.insert(UNRELATED, start);
        }
        drop(streams);
        self
    }

    /// The place before the first event of a stream.
    pub(super) fn before_first(&self, stream: u64) -> EventId {
        let place = if stream == UNRELATED { lock(&self.streams).first.1 } else { 0 };
        EventId { stream, place }
    }

    /// Whether an event of unrelated messages was sent by another process.
    pub(super) fn is_foreign(&self, event: EventId) -> bool {
        let streams = lock(&self.streams);
        let last = streams.places.get(&UNRELATED).copied().unwrap_or(0);
        event.stream == UNRELATED && !(streams.first.1..=last).contains(&event.place)
    }

    /// Whether a client reads the messages that belong to no request.
    #[cfg(feature = "store")]
    pub(super) fn is_read(&self) -> bool {
        lock(&self.streams).open.contains_key(&UNRELATED)
    }

    /// Its key in a store.
    #[cfg(feature = "store")]
    pub(in crate::runtime::server) fn key_in_store(&self) -> Option<Box<str>> {
        lock(&self.kept_in_store).as_ref().map(|kept| kept.key.clone())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn kind(&self) -> SessionKind {
        self.kind
    }

    /// Whether it ends with a stream.
    pub(crate) fn ends_with(&self, number: u64) -> bool {
        match self.kind {
            SessionKind::Streamable => false,
            SessionKind::OneStream => number == UNRELATED,
        }
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        lock(&self.streams).ended
    }

    /// Who it belongs to, where requests are authorized.
    pub(super) fn principal(&self) -> Option<&str> {
        match &self.holder {
            Holder::Principal(id) => Some(id),
            _ => None,
        }
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
        lock(&self.streams).touch();
    }

    /// The same for a request that names its revision.
    ///
    /// # Errors
    /// The revision that was agreed on, where it is another one: then nothing is noted.
    pub(super) fn touch_as(&self, version: Option<&str>) -> Result<(), Revision> {
        let mut streams = lock(&self.streams);
        if let Some(agreed) = streams.revision
            && version.is_some_and(|version| version != agreed.as_str())
        {
            return Err(agreed);
        }
        streams.touch();
        Ok(())
    }

    /// Whether its client has used it after the handshake.
    pub(crate) fn is_confirmed(&self) -> bool {
        lock(&self.streams).confirmed
    }

    /// Since when nothing of it is in use; `None` while something is. A stream of HTTP+SSE is not a use before the first message.
    pub(crate) fn unused_since(&self) -> Option<Instant> {
        let streams = lock(&self.streams);
        let has_begun = self.kind != SessionKind::OneStream || streams.confirmed;
        let is_in_use = !streams.open.is_empty() || self.writing.load(Ordering::Relaxed) > 0;
        (!has_begun || !is_in_use).then_some(streams.used)
    }

    /// How long it may be unused, and what is said when it ends then: one that was never used after its handshake has as long as a
    /// request.
    pub(super) fn patience(&self, limits: &HttpLimits) -> (Duration, &'static str) {
        if self.is_confirmed() || limits.session <= limits.head {
            (limits.session, "it was not used for timeouts.session_ms")
        } else {
            (limits.head, "it was not used within timeouts.head_ms after its handshake")
        }
    }

    /// A stream for one request, whose client takes events or not, and the revision that was agreed on: its answer is being written from
    /// now on. `None` once the session has ended.
    pub(super) fn open(
        &self,
        takes_events: bool,
        account: &Account,
    ) -> Option<(Stream, StreamSource, Option<Revision>)> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.closing {
            return None;
        }
        let number = streams.next;
        streams.next += 1;
        if self.kind == SessionKind::Streamable {
            streams.places.insert(number, 0);
        }
        self.begin_writing();
        let source = attach(&mut streams, number, takes_events, account);
        Some((Stream { session: self.id, number }, source, streams.revision))
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
        let is_request = number != UNRELATED;
        if streams.ended
            || streams.closing
            || number >= streams.next
            || is_request && number < streams.first.0
        {
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
    pub(crate) fn close_early(&self, number: u64, retry: Option<Duration>) -> bool {
        let mut streams = lock(&self.streams);
        let Some(place) = streams.places.get(&number).copied().filter(|_| self.keeps) else { return false };
        if !streams.open.get(&number).is_some_and(StreamSink::takes_events) {
            return false;
        }
        let retry = retry.unwrap_or(self.retry);
        #[cfg(feature = "store")]
        {
            let now = clock::now();
            if let Some(logs) = &mut streams.logs {
                // Its client may come back at another process at once: what it has is to be there.
                logs.begin(number, (0, place), now);
                if logs.ends_early(number, retry) {
                    return true;
                }
            }
        }
        streams.end_early(EventId { stream: number, place }, retry)
    }

    /// Nothing more follows on a stream.
    pub(crate) fn finish(&self, number: u64) {
        let mut streams = lock(&self.streams);
        streams.open.remove(&number);
        if number != UNRELATED {
            streams.places.remove(&number);
            #[cfg(feature = "store")]
            if let Some(logs) = &mut streams.logs {
                logs.finish(number);
            }
        }
    }

    /// Nothing more follows on any stream.
    pub(crate) fn finish_all(&self) {
        {
            let mut streams = lock(&self.streams);
            streams.closing = true;
            streams.open.clear();
        }
        // One lock after the other: neither is taken under the other one.
        #[cfg(feature = "store")]
        lock(&self.followed).end_all();
    }

    /// The answer on a stream went out as JSON, which has no event to come back to.
    pub(super) fn delivered(&self, number: u64) {
        lock(&self.streams).store.forget(number);
    }

    /// The other streams of requests that are not finished.
    pub(crate) fn unfinished_beside(&self, own: u64) -> Vec<u64> {
        let streams = lock(&self.streams);
        let is_other = |number: &u64| *number != UNRELATED && *number != own;
        // Those to which a client may come back have places until they are finished.
        match self.kind {
            SessionKind::Streamable => streams.places.keys().copied().filter(is_other).collect(),
            SessionKind::OneStream => streams.open.keys().copied().filter(is_other).collect(),
        }
    }

    /// The client reads a stream no more, and nothing of an answer is being written to it.
    pub(super) fn left(&self, number: u64, source: &StreamSource) {
        self.writing.fetch_sub(1, Ordering::SeqCst);
        #[cfg(feature = "store")]
        lock(&self.followed).left(number, source);
        let mut streams = lock(&self.streams);
        if streams.ended {
            return;
        }
        streams.used = clock::now();
        if streams.open.get(&number).is_some_and(|sink| sink.leads_to(source)) {
            streams.open.remove(&number);
        }
        // One that came back for the stream reads it.
        #[cfg(feature = "store")]
        if !streams.open.contains_key(&number)
            && let Some(logs) = &mut streams.logs
        {
            logs.left(number);
        }
    }

    /// An answer of it is being written.
    pub(super) fn begin_writing(&self) {
        self.writing.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether nothing is on its way to the client.
    pub(crate) fn is_flushed(&self) -> bool {
        self.writing.load(Ordering::SeqCst) == 0
    }

    /// Ends all streams: no message follows on any.
    pub(crate) fn end(&self) {
        {
            let mut streams = lock(&self.streams);
            streams.ended = true;
            streams.open.clear();
            streams.places.clear();
            #[cfg(feature = "store")]
            if let Some(logs) = &mut streams.logs {
                logs.end();
            }
        }
        #[cfg(feature = "store")]
        lock(&self.followed).end_all();
        if let Some(known) = self.known.upgrade() {
            known.forget(&self.name, self.id);
        }
    }
}

fn attach(streams: &mut Streams, number: u64, takes_events: bool, account: &Account) -> StreamSource {
    streams.used = clock::now();
    let (sink, source) = channel(takes_events, account.clone(), streams.used);
    streams.open.insert(number, sink);
    source
}

fn kept(streams: &mut Streams, behind: EventId) -> Option<Vec<OutgoingEvent>> {
    let events = streams.store.behind(behind, clock::now())?;
    let message = |(id, frame): (EventId, &[u8])| OutgoingEvent {
        id: Some(id),
        frame: frame.to_vec(),
        // What is kept goes out as events, which all look the same.
        sent: OutgoingKind::Notification,
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

// What is sent on the streams of a session: each message counts until its client has taken it, and so does what is kept for a client
// that comes back. Where there is no room an answer becomes an error, and events are kept no longer.

impl GivesWay for Mutex<Streams> {
    /// The oldest events are kept no longer.
    fn give_way(&self, bytes: usize) {
        let mut streams = lock(self);
        let mut given = 0;
        while given < bytes {
            let Some(more) = streams.store.drop_oldest() else { break };
            given += more + EACH;
        }
    }
}

impl HttpSession {
    /// Sends a message on a stream, or keeps it where its client is not there. Where there is no room for an answer its client is told so
    /// instead; for another message the stream ends then.
    pub(crate) fn push(&self, number: u64, mut frame: Vec<u8>, sent: OutgoingKind) {
        shrink(&mut frame);
        // Charged without the lock of the streams: what gives way may be kept in this session.
        let (reader, is_kept) = {
            let streams = lock(&self.streams);
            let Some(place) = self.place_of(&streams, number, sent) else { return };
            let reader = streams.open.get(&place);
            (reader.map(|sink| sink.account().clone()), self.keeps && streams.store.takes(frame.len()))
        };
        let (frame, charge) = match reader {
            Some(reader) => charged(&reader, frame, sent),
            None => (frame, None),
        };
        let kept = is_kept.then(|| self.keep(&frame)).flatten();
        let mut streams = lock(&self.streams);
        streams.used = clock::now();
        let Some(number) = self.place_of(&streams, number, sent) else { return };
        let id = (self.kind == SessionKind::Streamable).then(|| {
            let place = streams.places.entry(number).or_insert(0);
            *place += 1;
            let id = EventId { stream: number, place: *place };
            let now = streams.used;
            #[cfg(feature = "store")]
            if let Some(logs) = &mut streams.logs {
                logs.pushed(id, &frame, matches!(sent, OutgoingKind::Answer(_)));
            }
            match kept {
                Some((frame, charge)) => streams.store.keep(id, frame, charge, now),
                None => streams.store.lose(id),
            }
            id
        });
        let Some(sink) = streams.open.get(&number) else { return };
        let taken = match charge {
            Some(charge) => {
                let message = OutgoingEvent { id, frame, sent, retry: None, charge };
                sink.send(message, self.stream_bytes, self.write, streams.used)
            }
            // There is no room, or the client has come in between: it comes back for what it missed where that is kept.
            None => None,
        };
        let Some(taken) = taken else {
            sink.cut();
            streams.open.remove(&number);
            return;
        };
        if taken
            && number == UNRELATED
            && let Some(id) = id
        {
            streams.given = id.place;
        }
    }

    /// Where a message goes. What a task says after its call was answered belongs to no stream of a request any more. `None` where it goes
    /// nowhere: an answer belongs to its own stream alone, and what another process has written the end of, its client was told there.
    fn place_of(&self, streams: &Streams, number: u64, sent: OutgoingKind) -> Option<u64> {
        if number == UNRELATED || self.kind == SessionKind::OneStream || streams.places.contains_key(&number)
        {
            return Some(number);
        }
        #[cfg(feature = "store")]
        let is_taken = streams.logs.as_ref().is_some_and(|logs| logs.is_taken(number));
        #[cfg(not(feature = "store"))]
        let is_taken = false;
        (!is_taken && !matches!(sent, OutgoingKind::Answer(_))).then_some(UNRELATED)
    }

    /// A copy of a message for a client that comes back. The oldest one goes where there is no room for it.
    fn keep(&self, frame: &[u8]) -> Option<(Vec<u8>, Charge)> {
        let charge = loop {
            match self.kept.charge(frame.len() + EACH) {
                Ok(charge) => break charge,
                Err(BudgetFull) => lock(&self.streams).store.drop_oldest()?,
            };
        };
        let mut copy = Vec::new();
        copy.try_reserve_exact(frame.len()).ok()?;
        copy.extend_from_slice(frame);
        Some((copy, charge))
    }

    /// Drops the events that are too old.
    pub(super) fn drop_old_events(&self, now: Instant) {
        let mut streams = lock(&self.streams);
        streams.store.drop_old(now);
        #[cfg(feature = "store")]
        if let Some(logs) = &mut streams.logs {
            logs.renew(now);
        }
    }
}

// What a store keeps of the events of a session.

#[cfg(feature = "store")]
impl HttpSession {
    /// From now on its events are kept in a store, under names that begin so.
    pub(super) fn log_events(&self, prefix: Box<str>, shared: Arc<SharedEvents>, limits: &HttpLimits) {
        if !self.keeps {
            return;
        }
        let bounds = LogBounds {
            events: limits.events,
            bytes: limits.event_bytes,
            age: limits.event_age,
            // It is looked at at least so often.
            open: limits.event_age.max(limits.head.min(limits.session).saturating_mul(4)),
        };
        let this: Weak<Mutex<Streams>> = Arc::downgrade(&self.streams);
        lock(&self.streams).logs = Some(Logs::new(this, prefix, shared, bounds));
    }

    /// What the names of its logs begin with, if it has some.
    pub(super) fn logs_at(&self) -> Option<Box<str>> {
        lock(&self.streams).logs.as_ref().map(|logs| logs.prefix().into())
    }

    /// Requests with these ids, as JSON text, are answered on a stream.
    pub(super) fn log_answers(&self, number: u64, ids: impl FnOnce() -> Vec<Box<str>>) {
        if let Some(logs) = &mut lock(&self.streams).logs {
            logs.add(number, ids(), clock::now());
        }
    }

    /// From now on the client of a stream may have an id of it.
    pub(super) fn begin_events(&self, number: u64) {
        let mut streams = lock(&self.streams);
        let (first, now) = (streams.first.1, clock::now());
        let last = streams.places.get(&number).copied().unwrap_or(first);
        if let Some(logs) = &mut streams.logs {
            logs.begin(number, (first, last), now);
        }
    }

    /// Whether an event was sent by another process.
    pub(super) fn is_elsewhere(&self, event: EventId) -> bool {
        let number = if event.stream == UNRELATED { event.place } else { event.stream };
        let streams = lock(&self.streams);
        let is_taken = streams.logs.as_ref().is_some_and(|logs| logs.is_taken(event.stream));
        is_taken || (number ^ streams.first.1) & PROCESS_BITS != 0
    }

    /// The stream of messages that belong to no request, behind those that were missed at another process.
    pub(super) fn listen_behind(
        &self,
        missed: Vec<OutgoingEvent>,
        account: &Account,
    ) -> Option<StreamSource> {
        let source = self.listen(account)?;
        // Those come first.
        Some(source.behind(missed))
    }
}

#[cfg(feature = "store")]
impl Logged for Mutex<Streams> {
    fn next_entry(&self, number: u64) -> Option<(Operation, usize)> {
        let streams = &mut *lock(self);
        streams.logs.as_mut()?.next_entry(number, &streams.store, clock::now())
    }

    fn entry_written(&self, number: u64, outcome: &StoreOutcome) -> Vec<Operation> {
        let streams = &mut *lock(self);
        let Some(logs) = &mut streams.logs else { return Vec::new() };
        let written = logs.entry_written(number, outcome, clock::now());
        let place = streams.places.get(&number).copied();
        if let (Some(retry), Some(place)) = (written.early, place) {
            // The client may have gone meanwhile.
            let _was_there = streams.end_early(EventId { stream: number, place }, retry);
        }
        if written.is_taken {
            // Its client was told there what became of it.
            streams.open.remove(&number);
            streams.places.remove(&number);
            streams.store.forget(number);
        }
        written.asked
    }

    fn read_elsewhere(&self, number: u64) -> Option<Operation> {
        lock(self).logs.as_mut()?.read_elsewhere(number)
    }
}

/// Gives back the memory of a message that waits if much of it is not used.
fn shrink(frame: &mut Vec<u8>) {
    if frame.capacity() - frame.len() > frame.len() / 8 + EACH {
        frame.shrink_to_fit();
    }
}

/// A message, and what counts it for an account. Where there is no room for an answer, an error is in its place; another message has
/// nothing that counts it then.
pub(super) fn charged(account: &Account, frame: Vec<u8>, sent: OutgoingKind) -> (Vec<u8>, Option<Charge>) {
    match (account.charge(frame.capacity() + EACH), sent) {
        (Ok(charge), _) => (frame, Some(charge)),
        (Err(BudgetFull), OutgoingKind::Answer(_)) => (no_room(&frame), Some(Charge::default())),
        (Err(BudgetFull), _) => (frame, None),
    }
}

/// The answer in place of one for which there is no room.
fn no_room(answer: &[u8]) -> Vec<u8> {
    let text = "server memory limit reached (limits.shared_bytes)";
    let id = json::member(json::utf8(answer), "id").unwrap_or("null");
    let data = r#"{"limit":"limits.shared_bytes"}"#;
    write::error(Some(id), error_code::INTERNAL_ERROR, text, Some(data)).text
}

/// The one request of a session of the modern era: the stream on which its answer goes to its client.
#[derive(Debug)]
pub(crate) struct RequestStream {
    stream: Stream,
    sink: Mutex<Option<StreamSink>>,
    bytes: usize,
    write: Duration,
    /// Its answer is being written, or waits for that.
    is_writing: AtomicBool,
    has_ended: AtomicBool,
}

impl RequestStream {
    /// The stream of a request, whose client takes events or not.
    pub(super) fn new(
        stream: Stream,
        takes_events: bool,
        account: &Account,
        limits: &HttpLimits,
    ) -> (Arc<RequestStream>, StreamSource) {
        let (sink, source) = channel(takes_events, account.clone(), clock::now());
        let request = RequestStream {
            stream,
            sink: Mutex::new(Some(sink)),
            bytes: limits.stream_bytes,
            write: limits.write,
            is_writing: AtomicBool::new(true),
            has_ended: AtomicBool::new(false),
        };
        (Arc::new(request), source)
    }

    /// Sends a message. Where there is no room for an answer its client is told so instead; for another message the stream ends then.
    fn push(&self, mut frame: Vec<u8>, sent: OutgoingKind) {
        shrink(&mut frame);
        // Charged without the lock of the stream: what gives way may be this one.
        let Some(account) = lock(&self.sink).as_ref().map(|sink| sink.account().clone()) else { return };
        let (frame, charge) = charged(&account, frame, sent);
        let mut sink = lock(&self.sink);
        let Some(open) = &*sink else { return };
        let taken = charge.and_then(|charge| {
            let message = OutgoingEvent { id: None, frame, sent, retry: None, charge };
            open.send(message, self.bytes, self.write, clock::now())
        });
        if taken.is_none() {
            open.cut();
            *sink = None;
        }
    }

    /// Nothing more follows.
    fn finish(&self) {
        let sink = lock(&self.sink).take();
        drop(sink);
    }
}

/// The streams of a session on which messages go to its client.
#[derive(Clone, Debug)]
pub(crate) enum HttpStreams {
    /// A session of the legacy era.
    Session(Arc<HttpSession>),
    /// A request of the modern era.
    Request(Arc<RequestStream>),
}

impl HttpStreams {
    /// The key of the session in a store.
    #[cfg(feature = "store")]
    pub(in crate::runtime::server) fn key_in_store(&self) -> Option<Box<str>> {
        match self {
            HttpStreams::Session(session) => session.key_in_store(),
            HttpStreams::Request(_) => None,
        }
    }

    /// What the engine calls the session.
    pub(crate) fn id(&self) -> SessionId {
        match self {
            HttpStreams::Session(session) => session.id,
            HttpStreams::Request(request) => request.stream.session,
        }
    }

    /// Whether the session ends with its first answer.
    pub(crate) fn is_one_request(&self) -> bool {
        matches!(self, HttpStreams::Request(_))
    }

    /// Sends a message on a stream.
    pub(crate) fn push(&self, number: u64, frame: Vec<u8>, sent: OutgoingKind) {
        match self {
            HttpStreams::Session(session) => session.push(number, frame, sent),
            HttpStreams::Request(request) => request.push(frame, sent),
        }
    }

    /// Nothing more follows on a stream.
    pub(crate) fn finish(&self, number: u64) {
        match self {
            HttpStreams::Session(session) => session.finish(number),
            HttpStreams::Request(request) => request.finish(),
        }
    }

    /// Nothing more follows on any stream.
    pub(crate) fn finish_all(&self) {
        match self {
            HttpStreams::Session(session) => session.finish_all(),
            HttpStreams::Request(request) => request.finish(),
        }
    }

    /// Ends the stream of a request before its answer, if its client can come back for that.
    pub(crate) fn close_early(&self, number: u64, retry: Option<Duration>) -> bool {
        match self {
            HttpStreams::Session(session) => session.close_early(number, retry),
            HttpStreams::Request(_) => false,
        }
    }

    /// The session has ended: nothing follows on any stream.
    pub(crate) fn end(&self) {
        match self {
            HttpStreams::Session(session) => session.end(),
            HttpStreams::Request(request) => {
                request.has_ended.store(true, Ordering::SeqCst);
                request.finish();
            }
        }
    }

    /// Whether the session has ended.
    pub(crate) fn has_ended(&self) -> bool {
        match self {
            HttpStreams::Session(session) => session.has_ended(),
            HttpStreams::Request(request) => request.has_ended.load(Ordering::SeqCst),
        }
    }

    /// Whether the session ends with a stream.
    pub(crate) fn ends_with(&self, number: u64) -> bool {
        match self {
            HttpStreams::Session(session) => session.ends_with(number),
            HttpStreams::Request(_) => true,
        }
    }

    /// Whether something of it is in use.
    pub(crate) fn is_in_use(&self) -> bool {
        match self {
            HttpStreams::Session(session) => session.unused_since().is_none(),
            HttpStreams::Request(_) => true,
        }
    }

    /// Whether nothing is on its way to the client.
    pub(crate) fn is_flushed(&self) -> bool {
        match self {
            HttpStreams::Session(session) => session.is_flushed(),
            HttpStreams::Request(request) => !request.is_writing.load(Ordering::SeqCst),
        }
    }

    /// The client reads a stream no more, and nothing of an answer is being written to it.
    pub(super) fn left(&self, number: u64, source: &StreamSource) {
        match self {
            HttpStreams::Session(session) => session.left(number, source),
            HttpStreams::Request(request) => {
                request.is_writing.store(false, Ordering::SeqCst);
                request.finish();
            }
        }
    }

    /// The answer on a stream went out as JSON, which has no event to come back to.
    pub(super) fn delivered(&self, number: u64) {
        if let HttpStreams::Session(session) = self {
            session.delivered(number);
        }
    }
}

/// An answer that goes out by itself, with what counts it.
pub(super) fn single_answer(account: &Account, mut frame: Vec<u8>, code: Option<i64>) -> OutgoingEvent {
    shrink(&mut frame);
    let sent = OutgoingKind::Answer(code);
    let (frame, charge) = charged(account, frame, sent);
    OutgoingEvent { id: None, frame, sent, retry: None, charge: charge.unwrap_or_default() }
}

#[cfg(all(test, unix))]
impl RequestStream {
    /// One which no endpoint knows.
    pub(in crate::runtime::server) fn of_tests(stream: Stream) -> (HttpStreams, impl Sized + use<>) {
        let (request, source) =
            RequestStream::new(stream, false, &Account::default(), &HttpLimits::of_tests());
        (HttpStreams::Request(request), source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::server::SessionId;
    use crate::protocol::Revision;
    use crate::runtime::server::budget::Budget;
    use crate::runtime::server::http::limits::HttpLimits;
    use crate::runtime::server::http::seats::ConnectionProgress;
    use crate::shares::Holder;
    use std::sync::{Arc, Weak};
    use std::task::{Context, Poll, Waker};

    const TOTAL: usize = 1 << 20;

    #[derive(Debug)]
    struct NoPlace;

    impl KnownSession for NoPlace {
        fn forget(&self, _name: &str, _id: SessionId) {}
    }

    fn at(last: u8) -> Holder {
        Holder::at(std::net::Ipv4Addr::new(192, 0, 2, last).into())
    }

    fn session(number: u64, holder: Holder, budget: &Arc<Budget>) -> HttpSession {
        let known: Weak<NoPlace> = Weak::new();
        let kind = SessionKind::Streamable;
        let limits = HttpLimits::of_tests();
        let name = "name".into();
        let session = HttpSession::new(SessionId(number), kind, name, holder, known, &limits, budget);
        session.agreed(Revision::V2025_11_25);
        session
    }

    fn message(bytes: usize) -> Vec<u8> {
        let mut text = br#"{"jsonrpc":"2.0","id":7,"result":{"x":""#.to_vec();
        text.resize(bytes - 3, b'x');
        text.extend_from_slice(br#""}}"#);
        text
    }

    fn event(stream: u64, place: u64) -> EventId {
        EventId { stream, place }
    }

    #[test]
    fn sessions_without_a_connection_give_their_events_back_to_one_that_has_few() {
        let budget = Budget::new(TOTAL);
        let left: Vec<HttpSession> = (0..8).map(|number| session(number, at(2), &budget)).collect();
        for session in left.iter().cycle().take(64) {
            session.push(UNRELATED, message(50_000), OutgoingKind::Notification);
        }
        assert!(budget.held() > TOTAL / 2 && budget.held() <= TOTAL);
        let innocent = session(100, at(1), &budget);
        for _ in 0..9 {
            innocent.push(UNRELATED, message(50_000), OutgoingKind::Notification);
        }
        let account = Account::default();
        assert!(
            matches!(innocent.resume(event(UNRELATED, 1), &account), Resumed::Goes(_)),
            "all of its events are kept"
        );
        assert!(budget.held() <= TOTAL);
        drop((left, innocent));
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn the_time_that_ends_a_session_is_named() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(2));
        let ends =
            |head, life| session.patience(&HttpLimits { head, session: life, ..HttpLimits::of_tests() });
        let names = |(time, why): (Duration, &str), key| (time, why.contains(key));
        assert_eq!(names(ends(short, long), "timeouts.head_ms"), (short, true));
        assert_eq!(names(ends(long, short), "timeouts.session_ms"), (short, true));
        assert_eq!(session.touch_as(Some("2025-06-18")), Err(Revision::V2025_11_25));
        assert!(!session.is_confirmed(), "a request of another revision is not a use");
        session.touch_as(Some("2025-11-25")).expect("the revision it agreed on");
        assert_eq!(names(ends(short, long), "timeouts.session_ms"), (long, true));
    }

    #[test]
    fn an_answer_without_room_is_an_error_with_its_id() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let progress = ConnectionProgress::new();
        let gives_way: Weak<ConnectionProgress> = Arc::downgrade(&progress);
        let account = budget.account(at(1), gives_way);
        let (stream, mut source, _) = session.open(true, &account).expect("a stream");
        session.push(stream.number, message(TOTAL + 1000), OutgoingKind::Answer(None));
        let Poll::Ready(Some(answer)) = source.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("there is an answer")
        };
        let text = String::from_utf8(answer.frame).expect("text");
        assert!(text.contains(r#""id":7"#) && text.contains("limits.shared_bytes"), "{text}");
        session.push(stream.number, message(1000), OutgoingKind::Answer(None));
        assert!(source.poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }

    #[cfg(feature = "store")]
    #[test]
    fn what_comes_after_another_process_has_answered_goes_to_no_stream() {
        use super::super::event_log::Entry;
        use crate::engine::server::StoreStatus;
        const STREAMS: usize = 300;
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let shared = Arc::new(SharedEvents::new("p".into(), 1 << 20));
        session.log_events("events/s/".into(), Arc::clone(&shared), &HttpLimits::of_tests());
        let account = Account::default();
        let by = "q".into();
        let end = Entry { by, from: 1, events: Vec::new(), open: vec!["7".into()], ends: true }.text();
        let mut numbers = Vec::new();
        for _ in 0..STREAMS {
            let (stream, mut source, _) = session.open(true, &account).expect("a stream");
            session.log_answers(stream.number, || vec!["7".into()]);
            session.begin_events(stream.number);
            let (entry, _) = shared.entries().pop().expect("an entry");
            let conflict = StoreStatus::Conflict;
            let taken = StoreOutcome { value: Some(end.clone()), version: 1, ..StoreOutcome::of(conflict) };
            shared.written(entry, &taken);
            let polled = source.poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(polled, Poll::Ready(None)), "its stream ends");
            numbers.push(stream.number);
        }
        let mut unrelated = session.listen(&account).expect("a stream");
        let last = numbers[STREAMS - 1];
        session.push(last, message(100), OutgoingKind::Notification);
        // However many there were since.
        for number in numbers {
            session.push(number, message(100), OutgoingKind::Answer(None));
        }
        let mut polled = || unrelated.poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled().is_pending(), "its client was told elsewhere");
        session.push(UNRELATED, message(100), OutgoingKind::Notification);
        assert!(matches!(polled(), Poll::Ready(Some(event)) if event.id == Some(self::event(UNRELATED, 1))));
    }

    #[cfg(feature = "store")]
    #[test]
    fn streams_are_not_held_while_those_of_other_processes_are_waited_for() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        std::thread::scope(|scope| {
            let followed = lock(&session.followed);
            scope.spawn(|| session.finish_all());
            let until = Instant::now() + Duration::from_secs(120);
            let is_free = || session.streams.try_lock().is_ok_and(|streams| streams.closing);
            while !is_free() && Instant::now() < until {
                std::thread::yield_now();
            }
            let was_free = is_free();
            drop(followed);
            assert!(was_free, "a thread that has the one waits for the other");
        });
    }

    #[test]
    fn what_a_client_has_not_read_counts_until_it_has() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let progress = ConnectionProgress::new();
        let gives_way: Weak<ConnectionProgress> = Arc::downgrade(&progress);
        let account = budget.account(at(1), gives_way);
        let (stream, mut source, _) = session.open(true, &account).expect("a stream");
        session.push(stream.number, message(100_000), OutgoingKind::Notification);
        assert!(budget.held() >= 200_000, "what waits, and what is kept");
        let taken = source.poll(&mut Context::from_waker(Waker::noop()));
        assert!(budget.held() >= 200_000, "it is on its way");
        drop(taken);
        assert!((100_000..150_000).contains(&budget.held()), "what is kept is left");
        session.delivered(stream.number);
        assert_eq!(budget.held(), 0);
    }
}
