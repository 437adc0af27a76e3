//! Answers of several handlers, written together.

use std::cell::Cell;

thread_local! {
    /// How many handlers this thread runs in a row before it looks at its connections again, for which server. Their answers go
    /// out together.
    static BATCH: Cell<u64> = const { Cell::new(0) };
}

/// While this is there, what this thread sends on a server is held back, to be written together.
pub(super) struct Batch(u64);

impl Batch {
    pub(super) fn of(number: u64) -> Batch {
        Batch(BATCH.replace(number))
    }

    /// Whether this thread holds back what it sends on that server.
    pub(super) fn is_of(number: u64) -> bool {
        BATCH.get() == number
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        BATCH.set(self.0);
    }
}
