//! The last messages of a session (legacy era), for a client whose stream broke off: it comes back with the id of the last event
//! that it got, and gets the rest of that stream and of no other (S-HL-08, S-HL-09).

use std::collections::VecDeque;
use std::fmt::Write as _;

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
    frame: Vec<u8>,
}

/// The events of one session that are kept.
#[derive(Debug)]
pub(crate) struct EventStore {
    kept: VecDeque<Kept>,
    bytes: usize,
    most: usize,
    most_bytes: usize,
    /// Everything up to here was dropped.
    dropped: Vec<(u64, u64)>,
}

/// Streams of which is known that something was dropped; of older ones nothing is kept.
const STREAMS: usize = 64;

impl EventStore {
    /// Room for `most` events of `most_bytes` together.
    pub(crate) fn new(most: usize, most_bytes: usize) -> EventStore {
        EventStore { kept: VecDeque::new(), bytes: 0, most, most_bytes, dropped: Vec::new() }
    }

    /// Keeps an event, and drops the oldest where there is no room.
    pub(crate) fn keep(&mut self, id: EventId, frame: &[u8]) {
        self.bytes += frame.len();
        self.kept.push_back(Kept { id, frame: frame.to_vec() });
        while self.kept.len() > self.most || self.bytes > self.most_bytes {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.frame.len();
            self.dropped.retain(|(stream, _)| *stream != oldest.id.stream);
            if self.dropped.len() == STREAMS {
                self.dropped.remove(0);
            }
            self.dropped.push((oldest.id.stream, oldest.id.place));
        }
    }

    /// The events of a stream behind `id`. `None` if some of them are not kept any more.
    pub(crate) fn behind(&self, id: EventId) -> Option<Vec<(EventId, &[u8])>> {
        let is_gone = self.dropped.iter().any(|(stream, place)| *stream == id.stream && *place > id.place);
        if is_gone {
            return None;
        }
        let wanted = |kept: &&Kept| kept.id.stream == id.stream && kept.id.place > id.place;
        Some(self.kept.iter().filter(wanted).map(|kept| (kept.id, kept.frame.as_slice())).collect())
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

    fn id(stream: u64, place: u64) -> EventId {
        EventId { stream, place }
    }

    fn places(store: &EventStore, at: EventId) -> Option<Vec<u64>> {
        store.behind(at).map(|events| events.iter().map(|(id, _)| id.place).collect())
    }

    #[test]
    fn a_stream_goes_on_behind_the_last_event_and_shows_no_other() {
        let mut store = EventStore::new(10, 1000);
        for place in 1..=3 {
            store.keep(id(1, place), b"x");
            store.keep(id(2, place), b"y");
        }
        assert_eq!(places(&store, id(1, 1)), Some(vec![2, 3]));
        assert_eq!(places(&store, id(2, 0)), Some(vec![1, 2, 3]));
        assert_eq!(places(&store, id(3, 0)), Some(vec![]));
    }

    #[test]
    fn it_is_bounded_by_number_and_bytes_and_tells_what_is_gone() {
        let mut store = EventStore::new(3, 10);
        for place in 1..=5 {
            store.keep(id(1, place), b"xx");
        }
        assert_eq!(store.len(), 3);
        assert_eq!(places(&store, id(1, 1)), None);
        assert_eq!(places(&store, id(1, 2)), Some(vec![3, 4, 5]));
        store.keep(id(2, 1), &[b'y'; 9]);
        assert_eq!(store.len(), 1);
        assert_eq!(places(&store, id(1, 4)), None);
        assert_eq!(places(&store, id(1, 5)), Some(vec![]));
        store.keep(id(2, 2), &[b'y'; 11]);
        assert_eq!(store.len(), 0);
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        assert_eq!(EventId::parse(&id(7, 12).text()), Some(id(7, 12)));
        for wrong in ["", "7", "7-", "-7", "a-b", "7-1-2", "+7-1", "99999999999999999999-1"] {
            assert_eq!(EventId::parse(wrong), None, "{wrong}");
        }
    }
}
