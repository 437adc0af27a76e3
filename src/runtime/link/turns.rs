//! The turns of a loop of the host's, and how many calls it starts in each.

/// Calls of a turn whose frames go out at once: a loop that starts no more would pay for a second turn and save no write.
const AT_ONCE: u64 = 2;

/// Turns in which nothing is held back for a loop that did not look in the grace time, at first: it had other work.
const LATE: u64 = 8;
/// At the most, when it is late again and again: it comes by a clock of its own.
const LATE_AGAIN: u64 = 1024;

/// How many calls a connection has in each turn of a loop of the host's.
#[derive(Default, Debug)]
pub(super) struct Turns {
    /// The number of the turn that the last call was started in.
    turn: u64,
    /// How many were in it by then.
    calls: u64,
    /// How many were in the turn before that had any.
    before: u64,
    /// The turn in which the grace time began.
    graced: u64,
    /// The turn from which on frames are held back, and how many there were before it without.
    from: u64,
    without: u64,
}

impl Turns {
    /// A call is started in a turn. Says whether its frame is worth holding back, because others come with it: this turn has some
    /// already, or the one before had.
    pub(super) fn has_others(&mut self, turn: u64) -> bool {
        if turn != self.turn {
            *self = Turns { turn, calls: 0, before: self.calls, ..*self };
        }
        self.calls += 1;
        self.turn >= self.from && (self.calls > AT_ONCE || self.before > AT_ONCE)
    }

    /// A grace time begins for a frame that is held back.
    pub(super) fn begin_grace(&mut self) {
        self.graced = self.turn;
    }

    /// A grace time is over, and frames are still held back. If the loop has not looked since it began, it is late.
    pub(super) fn end_grace(&mut self) {
        if self.graced == self.turn {
            let is_late_again = self.turn < self.from + LATE;
            self.without = if is_late_again { (self.without * 2).clamp(LATE, LATE_AGAIN) } else { LATE };
            self.from = self.turn + self.without;
        }
        self.graced = self.turn;
    }
}

#[cfg(all(test, not(mcp_loom)))]
mod tests {
    use super::*;

    #[test]
    fn frames_are_held_back_where_turns_start_many_calls() {
        let mut turns = Turns::default();
        let mut turn = |turn, calls| -> Vec<bool> { (0..calls).map(|_| turns.has_others(turn)).collect() };
        assert_eq!(turn(0, 2), [false, false]);
        assert_eq!(turn(1, 4), [false, false, true, true]);
        // As the turn before had many, the first of this one waits for others, too.
        assert_eq!(turn(2, 1), [true]);
        assert_eq!(turn(3, 2), [false, false]);
        // A turn that starts nothing says nothing of the next.
        assert_eq!(turn(4, 3), [false, false, true]);
        assert_eq!(turn(9, 1), [true]);
    }

    #[test]
    fn nothing_is_held_back_for_a_loop_that_is_late() {
        let mut turns = Turns::default();
        assert!([0, 0, 0].map(|turn| turns.has_others(turn))[2]);
        turns.begin_grace();
        // It has looked meanwhile: what is held back now is of its next turn.
        assert!(turns.has_others(1));
        turns.end_grace();
        assert!(turns.has_others(1));
        turns.end_grace();
        assert!(!turns.has_others(1), "a grace time has passed since it looked");
        for _ in 0..3 {
            assert!(!turns.has_others(LATE));
        }
        assert!(turns.has_others(1 + LATE));
    }

    /// Gives in how many of so many turns of a loop that comes by a clock something was held back.
    fn late(turns: &mut Turns, from: u64, count: u64) -> usize {
        let held_back = (from..from + count).filter(|turn| {
            let is_held_back = [0; 3].map(|_| turns.has_others(*turn))[2];
            if is_held_back {
                turns.begin_grace();
                turns.end_grace();
            }
            is_held_back
        });
        held_back.count()
    }

    #[test]
    fn a_loop_that_is_always_late_has_little_held_back() {
        let mut turns = Turns::default();
        assert_eq!(late(&mut turns, 0, 2_000), 8);
        assert_eq!(late(&mut turns, 2_000, 10_240), 10);
        // One that was late once has it soon again.
        let mut turns = Turns::default();
        for turn in 0..100 {
            for _ in 0..3 {
                turns.has_others(turn);
            }
        }
        assert_eq!(late(&mut turns, 100, 1), 1);
        assert_eq!(late(&mut turns, 101, 7), 0);
        assert_eq!(late(&mut turns, 108, 1), 1);
    }
}
