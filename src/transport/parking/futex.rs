//! Sleeping on a number with a futex.

use rustix::thread::{Timespec, futex};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A number on which threads sleep until it changes.
#[derive(Debug, Default)]
pub struct Parking {
    changes: AtomicU32,
}

impl Parking {
    /// What [`Parking::sleep`] must be given: taken before the look at what is waited for.
    pub fn changes(&self) -> u32 {
        self.changes.load(Ordering::SeqCst)
    }

    /// Has every thread that sleeps look again. Async-signal-safe.
    pub fn wake_all(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        // All of them: a thread that is woken may take a message instead of the wake and never look again.
        let _how_many = futex::wake(&self.changes, futex::Flags::PRIVATE, i32::MAX.unsigned_abs());
    }

    /// Sleeps until something changed after `seen`, or the time is over. May end early, as by a signal.
    pub fn sleep(&self, seen: u32, left: Option<Duration>) {
        let left = left.map(|left| Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        });
        // However it ends, the caller looks at its conditions.
        let _looks_again = futex::wait(&self.changes, futex::Flags::PRIVATE, seen, left.as_ref());
    }
}
