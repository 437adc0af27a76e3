//! Event streams: how events are written, and which of them are kept for a client that comes back.

use crate::json;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// A comment that shows that the stream lives, for those between the two ends.
pub(crate) const KEEP_ALIVE: &[u8] = b":\n\n";

/// An event with a message. Its text has no line break but what stands between tokens, which is left out.
pub(crate) fn message(id: Option<&str>, frame: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frame.len() + 48);
    head(id, &mut out);
    out.extend_from_slice(b"data: ");
    if memchr::memchr2(b'\n', b'\r', frame).is_none() {
        out.extend_from_slice(frame);
    } else {
        json::one_line_into(json::utf8(frame), &mut out);
    }
    out.extend_from_slice(b"\n\n");
    out
}

/// An event without a message, whose id lets a client come back before the first message, and after which time it does
/// (2025-11-25).
pub(crate) fn priming(id: &str, retry: Duration) -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    head(Some(id), &mut out);
    // Writing to memory cannot fail.
    let _ = writeln!(out, "retry: {}", retry.as_millis());
    out.extend_from_slice(b"data: \n\n");
    out
}

/// The first event of HTTP+SSE: where messages are posted to (2024-11-05). `address` has no line break.
pub(crate) fn endpoint(address: &str) -> Vec<u8> {
    format!("event: endpoint\ndata: {address}\n\n").into_bytes()
}

fn head(id: Option<&str>, out: &mut Vec<u8>) {
    if let Some(id) = id {
        out.extend_from_slice(b"id: ");
        out.extend_from_slice(id.as_bytes());
        out.push(b'\n');
    }
}

/// An event's id: the stream, and the event's place in it, from 1 on. 0 is the place before the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct EventId {
    /// The number of the stream in its session.
    pub(crate) stream: u64,
    /// The place of the event in the stream.
    pub(crate) place: u64,
}

impl EventId {
    /// As it is written.
    pub(crate) fn text(self) -> String {
        let mut text = String::with_capacity(16);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}-{}", self.stream, self.place);
        text
    }

    /// Reads what a client sends back.
    pub(crate) fn parse(text: &str) -> Option<EventId> {
        let (stream, place) = text.trim().split_once('-')?;
        let number =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
        Some(EventId { stream: number(stream)?, place: number(place)? })
    }
}

#[derive(Debug)]
struct KeptEvent<H> {
    id: EventId,
    since: Instant,
    frame: Vec<u8>,
    /// What counts its bytes, until it is dropped.
    _held: H,
}

/// The events of one session that are kept. `H` counts the bytes of one.
#[derive(Debug)]
pub(crate) struct EventStore<H> {
    kept: VecDeque<KeptEvent<H>>,
    bytes: usize,
    most: usize,
    most_bytes: usize,
    /// How long an event is kept.
    age: Duration,
    /// Everything up to here was dropped.
    dropped: Vec<(u64, u64)>,
    /// Of streams up to this one it is not known any more what was dropped.
    forgotten: u64,
}

/// Streams of which is known that something was dropped; of older ones nothing is kept.
const STREAMS: usize = 64;

impl<H> EventStore<H> {
    /// Room for `most` events of `most_bytes` together for `age`.
    pub(crate) fn new(most: usize, most_bytes: usize, age: Duration) -> EventStore<H> {
        let (kept, dropped) = (VecDeque::new(), Vec::new());
        EventStore { kept, bytes: 0, most, most_bytes, age, dropped, forgotten: 0 }
    }

    /// Whether it may keep an event of so many bytes.
    pub(crate) fn takes(&self, bytes: usize) -> bool {
        self.most > 0 && bytes <= self.most_bytes
    }

    /// Keeps an event, and drops the oldest where there is no room, and those that are too old.
    pub(crate) fn keep(&mut self, id: EventId, frame: Vec<u8>, held: H, now: Instant) {
        self.drop_old(now);
        self.bytes += frame.len();
        self.kept.push_back(KeptEvent { id, since: now, frame, _held: held });
        while self.kept.len() > self.most || self.bytes > self.most_bytes {
            if self.drop_oldest().is_none() {
                break;
            }
        }
    }

    /// An event is not kept.
    pub(crate) fn lose(&mut self, id: EventId) {
        let known =
            self.dropped.iter().find(|(stream, _)| *stream == id.stream).map_or(0, |(_, place)| *place);
        self.dropped.retain(|(stream, _)| *stream != id.stream);
        if self.dropped.len() == STREAMS
            && let Some(at) = self.dropped.iter().position(|(stream, _)| *stream != 0)
        {
            let (stream, _) = self.dropped.remove(at);
            self.forgotten = self.forgotten.max(stream);
        }
        self.dropped.push((id.stream, known.max(id.place)));
    }

    /// Drops what is older than it may be.
    pub(crate) fn drop_old(&mut self, now: Instant) {
        while self.kept.front().is_some_and(|oldest| now.saturating_duration_since(oldest.since) > self.age) {
            self.drop_oldest();
        }
    }

    /// Drops the oldest event; gives how many bytes it had.
    pub(crate) fn drop_oldest(&mut self) -> Option<usize> {
        let oldest = self.kept.pop_front()?;
        self.bytes -= oldest.frame.len();
        self.lose(oldest.id);
        Some(oldest.frame.len())
    }

    /// Drops the events of a stream that its client has.
    pub(crate) fn forget(&mut self, stream: u64) {
        let mine = |kept: &&KeptEvent<H>| kept.id.stream == stream;
        let gone: usize = self.kept.iter().filter(mine).map(|kept| kept.frame.len()).sum();
        self.bytes -= gone;
        self.kept.retain(|kept| kept.id.stream != stream);
        self.dropped.retain(|(other, _)| *other != stream);
    }

    /// The events of a stream behind `id`. `None` if some of them are not kept any more.
    pub(crate) fn behind(&mut self, id: EventId, now: Instant) -> Option<Vec<(EventId, &[u8])>> {
        self.drop_old(now);
        let is_gone = self.dropped.iter().any(|(stream, place)| *stream == id.stream && *place > id.place);
        let wanted = |kept: &&KeptEvent<H>| kept.id.stream == id.stream && kept.id.place > id.place;
        let found: Vec<(EventId, &[u8])> =
            self.kept.iter().filter(wanted).map(|kept| (kept.id, kept.frame.as_slice())).collect();
        let is_unknown = found.is_empty() && id.stream != 0 && id.stream <= self.forgotten;
        (!is_gone && !is_unknown).then_some(found)
    }

    /// The events of a stream behind `id` that are still kept.
    #[cfg(feature = "store")]
    pub(crate) fn kept_behind(&self, id: EventId) -> impl Iterator<Item = (EventId, &[u8])> {
        let wanted = move |kept: &&KeptEvent<H>| kept.id.stream == id.stream && kept.id.place > id.place;
        self.kept.iter().filter(wanted).map(|kept| (kept.id, kept.frame.as_slice()))
    }

    /// How many events there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    #[test]
    fn a_message_is_one_line_of_data() {
        assert_eq!(message(None, b"{\"a\":1}"), b"data: {\"a\":1}\n\n");
        assert_eq!(message(Some("2-7"), b"{\"a\":1}"), b"id: 2-7\ndata: {\"a\":1}\n\n");
        let pretty = message(None, b"{\r\n  \"a\": \"x\\ny\"\n}");
        assert_eq!(memchr::memchr_iter(b'\n', &pretty).count(), 2, "{}", String::from_utf8_lossy(&pretty));
        assert!(!pretty.contains(&b'\r'));
        assert_eq!(priming("2-0", Duration::from_millis(1500)), b"id: 2-0\nretry: 1500\ndata: \n\n");
    }

    const AGE: Duration = Duration::from_secs(60);
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Time stands still but where a test says otherwise.
    fn now() -> Instant {
        *START
    }

    fn store(most: usize, most_bytes: usize) -> EventStore<()> {
        EventStore::new(most, most_bytes, AGE)
    }

    fn keep(store: &mut EventStore<()>, id: EventId, frame: &[u8]) {
        store.keep(id, frame.to_vec(), (), now());
    }

    fn id(stream: u64, place: u64) -> EventId {
        EventId { stream, place }
    }

    fn places(store: &mut EventStore<()>, at: EventId) -> Option<Vec<u64>> {
        store.behind(at, now()).map(|events| events.iter().map(|(id, _)| id.place).collect())
    }

    #[test]
    fn a_stream_goes_on_behind_the_last_event_and_shows_no_other() {
        let mut store = store(10, 1000);
        for place in 1..=3 {
            keep(&mut store, id(1, place), b"x");
            keep(&mut store, id(2, place), b"y");
        }
        assert_eq!(places(&mut store, id(1, 1)), Some(vec![2, 3]));
        assert_eq!(places(&mut store, id(2, 0)), Some(vec![1, 2, 3]));
        assert_eq!(places(&mut store, id(3, 0)), Some(vec![]));
    }

    #[test]
    fn it_is_bounded_by_number_and_bytes_and_tells_what_is_gone() {
        let mut store = store(3, 10);
        for place in 1..=5 {
            keep(&mut store, id(1, place), b"xx");
        }
        assert_eq!(store.len(), 3);
        assert_eq!(places(&mut store, id(1, 1)), None);
        assert_eq!(places(&mut store, id(1, 2)), Some(vec![3, 4, 5]));
        keep(&mut store, id(2, 1), &[b'y'; 9]);
        assert_eq!(store.len(), 1);
        assert_eq!(places(&mut store, id(1, 4)), None);
        assert_eq!(places(&mut store, id(1, 5)), Some(vec![]));
        keep(&mut store, id(2, 2), &[b'y'; 11]);
        assert_eq!(store.len(), 0);
    }

    #[test]
    fn it_is_bounded_by_age_and_tells_what_is_gone() {
        let mut store = store(10, 1000);
        keep(&mut store, id(1, 1), b"x");
        store.keep(id(1, 2), b"x".to_vec(), (), now() + AGE);
        let at = |store: &mut EventStore<()>, later| {
            store.behind(id(1, 0), now() + later).map(|events| events.len())
        };
        assert_eq!(at(&mut store, AGE), Some(2));
        assert_eq!(at(&mut store, AGE + Duration::from_millis(1)), None);
        let behind: Option<Vec<u64>> =
            store.behind(id(1, 1), now() + AGE).map(|events| events.iter().map(|(id, _)| id.place).collect());
        assert_eq!(behind, Some(vec![2]));
        store.keep(id(2, 1), b"y".to_vec(), (), now() + 3 * AGE);
        assert_eq!((store.len(), store.bytes), (1, 1));
    }

    #[test]
    fn an_event_that_is_not_kept_is_missed_and_those_around_it_are_not() {
        let mut store = store(10, 1000);
        keep(&mut store, id(1, 1), b"x");
        store.lose(id(1, 2));
        keep(&mut store, id(1, 3), b"x");
        assert_eq!(places(&mut store, id(1, 1)), None);
        assert_eq!(places(&mut store, id(1, 2)), Some(vec![3]));
        store.drop_oldest();
        assert_eq!(places(&mut store, id(1, 1)), None, "what was lost later counts on");
        assert_eq!(places(&mut store, id(1, 2)), Some(vec![3]));
    }

    #[test]
    fn what_counts_an_event_is_dropped_with_it() {
        use std::rc::Rc;
        let counted = Rc::new(());
        let mut store = EventStore::new(2, 100, AGE);
        for place in 1..=5 {
            store.keep(id(1, place), b"x".to_vec(), Rc::clone(&counted), now());
        }
        assert_eq!(Rc::strong_count(&counted), 3);
        assert_eq!((store.drop_oldest(), Rc::strong_count(&counted)), (Some(1), 2));
        store.forget(1);
        assert_eq!(Rc::strong_count(&counted), 1);
    }

    #[test]
    fn a_stream_of_which_nothing_is_known_any_more_is_not_taken_for_one_without_events() {
        let mut store = store(1, 1000);
        for stream in 1..=2 * STREAMS as u64 {
            keep(&mut store, id(stream, 1), b"x");
        }
        assert_eq!(places(&mut store, id(1, 0)), None);
        assert_eq!(places(&mut store, id(2 * STREAMS as u64, 0)), Some(vec![1]));
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        assert_eq!(EventId::parse(&id(7, 12).text()), Some(id(7, 12)));
        for wrong in ["", "7", "7-", "-7", "a-b", "7-1-2", "+7-1", "99999999999999999999-1"] {
            assert_eq!(EventId::parse(wrong), None, "{wrong}");
        }
    }
}
