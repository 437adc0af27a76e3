//! The turns of a loop of the host's, and how many calls it starts in each.

/// Calls of a turn whose frames go out at once: a loop that starts no more would pay for a second turn and save no write.
const AT_ONCE: u64 = 2;

/// How many calls a connection has in each turn of a loop of the host's.
#[derive(Default, Debug)]
pub(super) struct Turns {
    /// The number of the turn that the last call was started in.
    turn: u64,
    /// How many were in it by then.
    calls: u64,
    /// How many were in the turn before that had any.
    before: u64,
}

impl Turns {
    /// A call is started in a turn. Says whether its frame is worth holding back, because others come with it: this turn has some
    /// already, or the one before had.
    pub(super) fn has_others(&mut self, turn: u64) -> bool {
        if turn != self.turn {
            *self = Turns { turn, calls: 0, before: self.calls };
        }
        self.calls += 1;
        self.calls > AT_ONCE || self.before > AT_ONCE
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
}
