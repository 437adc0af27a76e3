//! The earliest time at which a connection has something to do.

use crate::runtime::sync::atomic::{AtomicU64, Ordering};

/// A bound from below for the times of all connections, in the nanoseconds of `Runtime::nanos`: none of them has something to do
/// before. A time that was put off leaves it as it is, and the thread looks at all of them once for nothing.
#[derive(Debug)]
pub(crate) struct Earliest(AtomicU64);

impl Default for Earliest {
    fn default() -> Earliest {
        Earliest(AtomicU64::new(u64::MAX))
    }
}

impl Earliest {
    /// A connection has something to do at this time, which it has written down before. Async-signal-safe.
    pub(crate) fn include(&self, at: u64) {
        // Also where it changes nothing: a thread that forgets after this sees what was written down before it.
        self.0.fetch_min(at, Ordering::SeqCst);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Before a look at all connections, so that a time which one of them writes down meanwhile is either seen or included. A swap,
    /// which reads the last time that was included, and not a store: with a store a time could be lost, as `model/earliest.rs` shows.
    pub(crate) fn forget(&self) {
        self.0.swap(u64::MAX, Ordering::SeqCst);
    }
}
