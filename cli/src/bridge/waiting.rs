//! Calls that wait for what their clients say, by the moment at which each is given up.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// Which calls wait, and until when. The first is found whatever the number of calls under way.
#[derive(Debug, Default)]
pub struct Waiting {
    by_time: BTreeSet<(Instant, u64)>,
    by_call: HashMap<u64, Instant>,
}

impl Waiting {
    /// A call waits from now on, or until another moment than before.
    pub fn add(&mut self, call: u64, until: Instant) {
        if let Some(before) = self.by_call.insert(call, until) {
            self.by_time.remove(&(before, call));
        }
        self.by_time.insert((until, call));
    }

    /// A call waits no more, or has ended.
    pub fn remove(&mut self, call: u64) {
        if let Some(until) = self.by_call.remove(&call) {
            self.by_time.remove(&(until, call));
        }
    }

    /// Whether a call waits.
    pub fn has(&self, call: u64) -> bool {
        self.by_call.contains_key(&call)
    }

    /// When the next call is given up.
    pub fn first(&self) -> Option<Instant> {
        self.by_time.first().map(|(until, _)| *until)
    }

    /// A call that has waited long enough.
    pub fn overdue(&self, now: Instant) -> Option<u64> {
        self.by_time.first().filter(|(until, _)| *until <= now).map(|(_, call)| *call)
    }

    /// All that wait, the one that is given up first before the others.
    pub fn all(&self) -> impl Iterator<Item = (Instant, u64)> {
        self.by_time.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_call_whose_time_is_over_first_is_found() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        let at = |seconds| now + Duration::from_secs(seconds);
        assert_eq!((waiting.first(), waiting.overdue(now)), (None, None));
        waiting.add(1, at(3));
        waiting.add(2, at(2));
        assert_eq!(waiting.first(), Some(at(2)));
        assert_eq!(waiting.overdue(at(1)), None);
        assert_eq!(waiting.overdue(at(2)), Some(2));
        waiting.add(2, at(4));
        assert_eq!(waiting.all().collect::<Vec<_>>(), [(at(3), 1), (at(4), 2)], "each call once");
        waiting.remove(1);
        waiting.remove(1);
        assert!(waiting.has(2) && !waiting.has(1));
        assert_eq!(waiting.overdue(at(4)), Some(2));
        waiting.remove(2);
        assert_eq!((waiting.first(), waiting.all().count()), (None, 0));
    }
}
