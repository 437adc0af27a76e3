//! The turns of a loop of the host's, and how many calls it starts in each.

use crate::runtime::sync::atomic::{AtomicUsize, Ordering};

/// Calls of a turn whose frames go out at once: a loop that starts no more would pay for a second turn and save no write.
const AT_ONCE: usize = 2;

/// How many calls are started in each turn of a loop of the host's. A turn is over when a look finds nothing.
#[derive(Default, Debug)]
pub(super) struct Turns {
    /// In this turn.
    calls: AtomicUsize,
    /// In the last turn that had any.
    before: AtomicUsize,
}

impl Turns {
    /// A call is started. Says whether its frame is worth holding back, because others come with it: this turn has some already,
    /// or the one before had.
    pub(super) fn has_others(&self) -> bool {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        calls >= AT_ONCE || self.before.load(Ordering::Relaxed) > AT_ONCE
    }

    /// A look has found nothing.
    pub(super) fn is_over(&self) {
        let calls = self.calls.swap(0, Ordering::Relaxed);
        if calls > 0 {
            self.before.store(calls, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(mcp_loom)))]
mod tests {
    use super::*;

    fn turn(turns: &Turns, calls: usize) -> Vec<bool> {
        let held_back = (0..calls).map(|_| turns.has_others()).collect();
        turns.is_over();
        held_back
    }

    #[test]
    fn frames_are_held_back_where_turns_start_many_calls() {
        let turns = Turns::default();
        assert_eq!(turn(&turns, 2), [false, false]);
        assert_eq!(turn(&turns, 4), [false, false, true, true]);
        // As the turn before had many, the first of this one waits for others, too.
        assert_eq!(turn(&turns, 1), [true]);
        assert_eq!(turn(&turns, 2), [false, false]);
    }

    #[test]
    fn a_turn_that_starts_nothing_says_nothing_of_the_next() {
        let turns = Turns::default();
        turn(&turns, 8);
        turn(&turns, 0);
        assert_eq!(turn(&turns, 1), [true]);
    }
}
