//! Points in time at which something is due, soonest first.
//!
//! Entries are not removed when what they guard ends; they are recognised as stale when their time comes, and swept out
//! together when they outnumber the live ones, so that a stream of short calls with long deadlines stays small.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Due {
    /// A call's time is over.
    Call(u64),
    /// One who waits for the connection has waited long enough.
    Connect(u64),
    /// The handshake step of this exchange took too long.
    Handshake(u64),
    /// The next attempt to connect, in this generation's backoff.
    Attempt(u64),
    /// The connection of this generation has been ready long enough to be called stable.
    Stable(u64),
    /// A stream of change notifications of this generation is opened again.
    Listen(u64),
    /// The task that a call has become is looked at again.
    Task(u64),
    /// A call that the server of this generation had no place for is sent again.
    BusyRetry(u64),
    /// The process of this generation, which has shown no sign of life, is looked at.
    StartCheck(u64),
}

#[derive(Default, Debug)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<(Instant, Due)>>,
}

/// Below this many entries sweeping is not worth it.
const SWEEP_FLOOR: usize = 64;

impl Deadlines {
    pub(super) fn add(&mut self, at: Instant, due: Due) {
        self.heap.push(Reverse((at, due)));
    }

    /// Drops stale entries when there are more than twice as many entries as `live` things they could guard.
    pub(super) fn sweep(&mut self, live: usize, is_live: impl Fn(Instant, Due) -> bool) {
        if self.heap.len() > SWEEP_FLOOR + 2 * live {
            self.heap.retain(|Reverse((at, due))| is_live(*at, *due));
        }
    }

    /// The next live entry's time; stale ones before it are dropped.
    pub(super) fn next(&mut self, is_live: impl Fn(Instant, Due) -> bool) -> Option<Instant> {
        while let Some(Reverse((at, due))) = self.heap.peek() {
            if is_live(*at, *due) {
                return Some(*at);
            }
            self.heap.pop();
        }
        None
    }

    /// The soonest entry, live or not, whose time has come.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<(Instant, Due)> {
        match self.heap.peek() {
            Some(Reverse((at, _))) if *at <= now => self.heap.pop().map(|Reverse(entry)| entry),
            _ => None,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_soonest_live_entry_is_next_and_stale_ones_are_dropped() {
        let start = Instant::now();
        let mut deadlines = Deadlines::default();
        deadlines.add(start + Duration::from_secs(2), Due::Call(2));
        deadlines.add(start + Duration::from_secs(1), Due::Call(1));
        assert_eq!(deadlines.next(|_, due| due != Due::Call(1)), Some(start + Duration::from_secs(2)));
        assert_eq!(deadlines.len(), 1);
        assert_eq!(deadlines.pop_due(start), None);
        assert_eq!(
            deadlines.pop_due(start + Duration::from_secs(2)),
            Some((start + Duration::from_secs(2), Due::Call(2)))
        );
    }

    #[test]
    fn entries_of_ended_calls_do_not_pile_up() {
        let start = Instant::now();
        let mut deadlines = Deadlines::default();
        for call in 0..100_000u64 {
            deadlines.add(start + Duration::from_secs(30) + Duration::from_micros(call), Due::Call(call));
            deadlines.sweep(1, |_, due| due == Due::Call(call));
        }
        assert!(deadlines.len() <= SWEEP_FLOOR + 2);
    }
}
