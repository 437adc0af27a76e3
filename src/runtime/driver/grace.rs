//! The grace time: how long the background thread stays out of the way after the last thread that drove.

use std::time::Duration;

/// A sequence of calls pays for no hand-over when the background thread stays out of the way for so long.
pub(crate) const GRACE: Duration = Duration::from_millis(2);

/// What the background thread does when a grace time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterGrace {
    /// It drives, since no thread did in that time.
    TakeOver,
    /// It lets another grace time pass: threads come and go.
    LookAgain,
    /// It sleeps until the thread that has driven all that time is done.
    Sleep,
}

/// Decides by how often threads had begun to drive before the grace time and after it.
pub(crate) fn after_grace(before: u64, after: u64, is_driven: bool) -> AfterGrace {
    match (before == after, is_driven) {
        (true, false) => AfterGrace::TakeOver,
        (true, true) => AfterGrace::Sleep,
        (false, _) => AfterGrace::LookAgain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_thread_drives_only_after_a_time_in_which_no_thread_did() {
        assert_eq!(after_grace(7, 7, false), AfterGrace::TakeOver);
        assert_eq!(after_grace(7, 8, false), AfterGrace::LookAgain);
        assert_eq!(after_grace(7, 8, true), AfterGrace::LookAgain);
        assert_eq!(after_grace(7, 7, true), AfterGrace::Sleep);
    }
}
