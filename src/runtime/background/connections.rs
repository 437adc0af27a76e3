//! All connections as the background thread sees them.

use super::runtime::Runtime;
use crate::engine::Level;
use crate::runtime::link::owner::Driven;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Weak;
use std::time::Instant;

/// Those that are gone are looked for when there are this many, or twice as many as the last time.
const FEW: usize = 32;

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
