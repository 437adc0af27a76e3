//! Who drives the one runtime of HTTP: any number of threads that wait, or the background thread.

use crate::runtime::lock;
use crate::runtime::threads::{AfterGrace, GRACE, after_grace};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The longest grace time, while callers come again and again: each look of the background thread is time that a caller does
/// not have.
const LONGEST_GRACE: Duration = Duration::from_millis(16);

#[derive(Default, Debug)]
struct Inside {
    /// Threads that wait and drive.
    callers: usize,
    /// Counts the times that a thread began to.
    turns: u64,
    /// The background thread drives.
    driving: bool,
    /// The background thread sleeps until a caller leaves.
    asleep: bool,
    /// The background thread lets a longer grace time pass.
    patient: bool,
    /// There is something that no thread may be waiting for: only the shorter grace time then.
    hurried: bool,
    stopping: bool,
}

/// Which threads drive.
#[derive(Default, Debug)]
pub(crate) struct DriverState {
    inside: Mutex<Inside>,
    changed: Condvar,
}

impl DriverState {
    /// This thread waits and drives from now on. Says also whether the background thread drives, which has to be told to leave.
    pub(crate) fn begin(&self) -> (DriverGuard<'_>, bool) {
        let mut inside = lock(&self.inside);
        inside.callers += 1;
        inside.turns = inside.turns.wrapping_add(1);
        (DriverGuard(self), inside.driving)
    }

    /// There is something to drive that no thread may be waiting for.
    pub(crate) fn wake_driver(&self) {
        let mut inside = lock(&self.inside);
        if !inside.driving {
            inside.hurried = true;
            if inside.patient {
                self.changed.notify_all();
            }
        }
    }

    /// Ends the background thread.
    pub(crate) fn stop(&self) {
        lock(&self.inside).stopping = true;
        self.changed.notify_all();
    }

    /// The background thread waits until it is to drive, at first without a grace time. Says whether it is; otherwise its
    /// work is over.
    pub(crate) fn wait_for_idle(&self, is_first: bool) -> bool {
        let mut is_idle = is_first;
        let mut grace = GRACE;
        loop {
            if !is_idle && !self.is_idle_after(&mut grace) {
                continue;
            }
            grace = GRACE;
            let mut inside = lock(&self.inside);
            if inside.stopping {
                return false;
            }
            is_idle = inside.callers == 0;
            if is_idle {
                inside.driving = true;
                inside.hurried = false;
                return true;
            }
        }
    }

    /// The background thread no longer drives.
    pub(crate) fn has_left(&self) {
        lock(&self.inside).driving = false;
    }

    /// Lets the grace time pass, and says how long the next one is. Says whether no thread drove in it, or the work is over.
    fn is_idle_after(&self, grace: &mut Duration) -> bool {
        let mut inside = lock(&self.inside);
        if std::mem::take(&mut inside.hurried) {
            *grace = GRACE;
        }
        let before = inside.turns;
        inside.patient = *grace > GRACE;
        let (mut inside, _) = self
            .changed
            .wait_timeout_while(inside, *grace, |inside| {
                !(inside.stopping || inside.patient && inside.hurried)
            })
            .unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut inside.patient) && inside.hurried {
            return inside.stopping;
        }
        // Only callers that come several times in each short grace time are worth a longer one: where they were the last,
        // no thread drives until it is over.
        let often = u64::try_from(grace.as_nanos() / GRACE.as_nanos()).unwrap_or(u64::MAX);
        let is_dense = inside.turns.wrapping_sub(before) > often;
        *grace = if is_dense { LONGEST_GRACE.min(*grace * 2) } else { GRACE };
        match after_grace(before, inside.turns, inside.callers > 0) {
            AfterGrace::TakeOver => true,
            AfterGrace::LookAgain => inside.stopping,
            AfterGrace::Sleep => {
                // A long wait: sleep until it is over instead of looking all the time.
                inside.asleep = true;
                while inside.asleep && !inside.stopping {
                    inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
                }
                inside.stopping
            }
        }
    }
}

/// This thread drives, until the guard is dropped.
pub(crate) struct DriverGuard<'a>(&'a DriverState);

impl Drop for DriverGuard<'_> {
    fn drop(&mut self) {
        let mut inside = lock(&self.0.inside);
        inside.callers -= 1;
        if inside.asleep && inside.callers == 0 {
            inside.asleep = false;
            self.0.changed.notify_all();
        }
    }
}
