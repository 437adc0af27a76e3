//! The last messages of a session (legacy era), for a client whose stream broke off: it comes back with the id of the last event
//! that it got, and gets the rest of that stream and of no other (S-HL-08, S-HL-09).

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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
struct Kept {
    id: EventId,
    since: Instant,
    frame: Vec<u8>,
}

/// Bytes that several stores may keep together.
#[derive(Debug)]
pub(crate) struct Budget {
    used: AtomicUsize,
    most: usize,
}

impl Budget {
    /// Room for `most` bytes.
    pub(crate) fn new(most: usize) -> Arc<Budget> {
        Arc::new(Budget { used: AtomicUsize::new(0), most })
    }

    fn is_over(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.most
    }
}

/// The events of one session that are kept.
#[derive(Debug)]
pub(crate) struct EventStore {
    kept: VecDeque<Kept>,
    bytes: usize,
    most: usize,
    most_bytes: usize,
    /// How long an event is kept.
    age: Duration,
    /// Everything up to here was dropped.
    dropped: Vec<(u64, u64)>,
    /// Of streams up to this one it is not known any more what was dropped.
    forgotten: u64,
    shared: Arc<Budget>,
}

/// Streams of which is known that something was dropped; of older ones nothing is kept.
const STREAMS: usize = 64;

impl EventStore {
    /// Room for `most` events of `most_bytes` together for `age`, as far as all stores have room.
    pub(crate) fn new(most: usize, most_bytes: usize, age: Duration, shared: Arc<Budget>) -> EventStore {
        let (kept, dropped) = (VecDeque::new(), Vec::new());
        EventStore { kept, bytes: 0, most, most_bytes, age, dropped, forgotten: 0, shared }
    }

    /// Keeps an event, and drops the oldest where there is no room, and those that are too old.
    pub(crate) fn keep(&mut self, id: EventId, frame: &[u8], now: Instant) {
        self.drop_old(now);
        self.grow(frame.len());
        self.kept.push_back(Kept { id, since: now, frame: frame.to_vec() });
        while self.kept.len() > self.most || self.bytes > self.most_bytes || self.shared.is_over() {
            if !self.drop_oldest() {
                break;
            }
        }
    }

    /// Drops what is older than it may be.
    fn drop_old(&mut self, now: Instant) {
        while self.kept.front().is_some_and(|oldest| now.saturating_duration_since(oldest.since) > self.age) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) -> bool {
        let Some(oldest) = self.kept.pop_front() else { return false };
        self.shrink(oldest.frame.len());
        self.dropped.retain(|(stream, _)| *stream != oldest.id.stream);
        if self.dropped.len() == STREAMS
            && let Some(at) = self.dropped.iter().position(|(stream, _)| *stream != 0)
        {
            let (stream, _) = self.dropped.remove(at);
            self.forgotten = self.forgotten.max(stream);
        }
        self.dropped.push((oldest.id.stream, oldest.id.place));
        true
    }

    /// Drops the events of a stream that its client has.
    pub(crate) fn forget(&mut self, stream: u64) {
        let mine = |kept: &&Kept| kept.id.stream == stream;
        let gone: usize = self.kept.iter().filter(mine).map(|kept| kept.frame.len()).sum();
        self.shrink(gone);
        self.kept.retain(|kept| kept.id.stream != stream);
        self.dropped.retain(|(other, _)| *other != stream);
    }

    fn grow(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.shared.used.fetch_add(bytes, Ordering::Relaxed);
    }

    fn shrink(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.shared.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The events of a stream behind `id`. `None` if some of them are not kept any more.
    pub(crate) fn behind(&mut self, id: EventId, now: Instant) -> Option<Vec<(EventId, &[u8])>> {
        self.drop_old(now);
        let is_gone = self.dropped.iter().any(|(stream, place)| *stream == id.stream && *place > id.place);
        let wanted = |kept: &&Kept| kept.id.stream == id.stream && kept.id.place > id.place;
        let found: Vec<(EventId, &[u8])> =
            self.kept.iter().filter(wanted).map(|kept| (kept.id, kept.frame.as_slice())).collect();
        let is_unknown = found.is_empty() && id.stream != 0 && id.stream <= self.forgotten;
        (!is_gone && !is_unknown).then_some(found)
    }

    /// How many events there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

impl Drop for EventStore {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    const AGE: Duration = Duration::from_secs(60);
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Time stands still but where a test says otherwise.
    fn now() -> Instant {
        *START
    }

    fn store(most: usize, most_bytes: usize) -> EventStore {
        EventStore::new(most, most_bytes, AGE, Budget::new(usize::MAX))
    }

    fn id(stream: u64, place: u64) -> EventId {
        EventId { stream, place }
    }

    fn places(store: &mut EventStore, at: EventId) -> Option<Vec<u64>> {
        store.behind(at, now()).map(|events| events.iter().map(|(id, _)| id.place).collect())
    }

    #[test]
    fn a_stream_goes_on_behind_the_last_event_and_shows_no_other() {
        let mut store = store(10, 1000);
        for place in 1..=3 {
            store.keep(id(1, place), b"x", now());
            store.keep(id(2, place), b"y", now());
        }
        assert_eq!(places(&mut store, id(1, 1)), Some(vec![2, 3]));
        assert_eq!(places(&mut store, id(2, 0)), Some(vec![1, 2, 3]));
        assert_eq!(places(&mut store, id(3, 0)), Some(vec![]));
    }

    #[test]
    fn it_is_bounded_by_number_and_bytes_and_tells_what_is_gone() {
        let mut store = store(3, 10);
        for place in 1..=5 {
            store.keep(id(1, place), b"xx", now());
        }
        assert_eq!(store.len(), 3);
        assert_eq!(places(&mut store, id(1, 1)), None);
        assert_eq!(places(&mut store, id(1, 2)), Some(vec![3, 4, 5]));
        store.keep(id(2, 1), &[b'y'; 9], now());
        assert_eq!(store.len(), 1);
        assert_eq!(places(&mut store, id(1, 4)), None);
        assert_eq!(places(&mut store, id(1, 5)), Some(vec![]));
        store.keep(id(2, 2), &[b'y'; 11], now());
        assert_eq!(store.len(), 0);
    }

    #[test]
    fn it_is_bounded_by_age_and_tells_what_is_gone() {
        let mut store = store(10, 1000);
        store.keep(id(1, 1), b"x", now());
        store.keep(id(1, 2), b"x", now() + AGE);
        let at =
            |store: &mut EventStore, later| store.behind(id(1, 0), now() + later).map(|events| events.len());
        assert_eq!(at(&mut store, AGE), Some(2));
        assert_eq!(at(&mut store, AGE + Duration::from_millis(1)), None);
        let behind: Option<Vec<u64>> =
            store.behind(id(1, 1), now() + AGE).map(|events| events.iter().map(|(id, _)| id.place).collect());
        assert_eq!(behind, Some(vec![2]));
        store.keep(id(2, 1), b"y", now() + 3 * AGE);
        assert_eq!((store.len(), store.bytes), (1, 1));
    }

    #[test]
    fn stores_share_a_bound_and_give_back_what_they_kept() {
        let budget = Budget::new(10);
        let mut one = EventStore::new(100, 100, AGE, Arc::clone(&budget));
        let mut other = EventStore::new(100, 100, AGE, Arc::clone(&budget));
        one.keep(id(1, 1), b"123456", now());
        other.keep(id(1, 1), b"1234", now());
        assert_eq!((one.len(), other.len()), (1, 1));
        other.keep(id(1, 2), b"x", now());
        assert_eq!((one.len(), other.len()), (1, 1), "its own oldest goes");
        assert_eq!(places(&mut other, id(1, 0)), None);
        other.forget(1);
        assert_eq!((other.len(), budget.used.load(Ordering::Relaxed)), (0, 6));
        drop(one);
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_stream_of_which_nothing_is_known_any_more_is_not_taken_for_one_without_events() {
        let mut store = store(1, 1000);
        for stream in 1..=2 * STREAMS as u64 {
            store.keep(id(stream, 1), b"x", now());
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
