//! Whose turn it is among the calls of stateful tools: one at a time, in the order they were made.

use std::collections::VecDeque;

/// What becomes of a call that takes its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// It goes out.
    Now,
    /// It waits for those before it.
    Waits,
    /// As many as may wait do so already.
    Full,
}

/// The calls of stateful tools.
#[derive(Default, Debug)]
pub(super) struct TurnQueue {
    /// The one under way.
    running: Option<u64>,
    /// Those that wait for their turn.
    waiting: VecDeque<u64>,
}

impl TurnQueue {
    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a further call would be one more than may wait.
    pub(super) fn is_full(&self, bound: usize) -> bool {
        self.running.is_some() && self.waiting.len() >= bound
    }

    /// A call takes its turn, or waits for it.
    pub(super) fn take(&mut self, call: u64, bound: usize) -> Turn {
        if self.running.is_none_or(|running| running == call) {
            self.running = Some(call);
            return Turn::Now;
        }
        if self.is_full(bound) {
            return Turn::Full;
        }
        self.waiting.push_back(call);
        Turn::Waits
    }

    /// A call has ended. Says whether the turn was its own.
    pub(super) fn end(&mut self, call: u64) -> bool {
        let was_running = self.running == Some(call);
        if was_running {
            self.running = None;
        } else {
            self.waiting.retain(|waiting| *waiting != call);
        }
        was_running
    }

    /// The turn goes to the first that waits and can still go out; those before it are left out.
    pub(super) fn next(&mut self, can_go: impl Fn(u64) -> bool) -> Option<u64> {
        while let Some(next) = self.waiting.pop_front() {
            if can_go(next) {
                self.running = Some(next);
                return Some(next);
            }
        }
        None
    }

    #[cfg(test)]
    pub(super) fn turns(&self) -> (Option<u64>, &VecDeque<u64>) {
        (self.running, &self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_go_one_at_a_time_in_order_and_within_the_bound() {
        let mut turns = TurnQueue::default();
        assert_eq!((turns.take(1, 2), turns.take(1, 2)), (Turn::Now, Turn::Now));
        assert_eq!(
            (turns.take(2, 2), turns.take(3, 2), turns.take(4, 2)),
            (Turn::Waits, Turn::Waits, Turn::Full)
        );
        assert!(!turns.end(3) && turns.waiting() == 1);
        assert!(turns.end(1) && turns.next(|_| true) == Some(2));
        assert!(turns.end(2) && turns.next(|_| true).is_none());
        assert!(!turns.is_full(0), "no call is under way");
    }

    #[test]
    fn a_call_that_cannot_go_out_any_more_is_passed_over() {
        let mut turns = TurnQueue::default();
        for call in 1..=3 {
            turns.take(call, 9);
        }
        assert!(turns.end(1) && turns.next(|call| call != 2) == Some(3));
        assert_eq!(turns.turns(), (Some(3), &VecDeque::new()));
    }
}
