//! All connections as the background thread sees them, and the earliest time at which one of them has something to do.

use super::runtime::Runtime;
use crate::engine::Level;
use crate::runtime::link::owner::Driven;
use crate::runtime::sync::atomic::{AtomicU64, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Weak;
use std::time::Instant;

/// Those that are gone are looked for when there are this many, or twice as many as the last time.
const FEW: usize = 32;

/// A bound from below for the times of all connections, in the nanoseconds of [`Runtime::nanos`]: none of them has something to do
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

    /// Before a look at all connections, so that a time which one of them writes down meanwhile is either seen or included.
    pub(crate) fn forget(&self) {
        self.0.swap(u64::MAX, Ordering::SeqCst);
    }
}

#[derive(Default)]
pub(super) struct Connections {
    list: Vec<Weak<dyn Driven>>,
    /// How many there were after the last look for those that are gone.
    kept: usize,
}

impl Connections {
    pub(super) fn add(&mut self, runtime: &Runtime, connection: Weak<dyn Driven>) {
        if self.list.len() >= FEW.max(2 * self.kept) {
            self.list.retain(|connection| connection.strong_count() > 0);
            self.kept = self.list.len();
        }
        // The last look at all did not see it.
        if let Some(connection) = connection.upgrade() {
            runtime.earliest.include(connection.due());
        }
        self.list.push(connection);
    }

    /// Does what is due.
    pub(super) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        let now = runtime.nanos(Some(now));
        if runtime.earliest.get() > now {
            return;
        }
        runtime.earliest.forget();
        let mut earliest = u64::MAX;
        self.list.retain(|connection| {
            let Some(connection) = connection.upgrade() else { return false };
            if connection.due() <= now {
                let panics = catch_unwind(AssertUnwindSafe(|| connection.tick(None))).is_err();
                if panics {
                    // Not again at once, and not in the way of the others.
                    connection.forget_due();
                    connection.context().event(Level::Error, "internal.panic", serde_json::Map::new);
                }
            }
            earliest = earliest.min(connection.due());
            true
        });
        self.kept = self.list.len();
        runtime.earliest.include(earliest);
    }
}
