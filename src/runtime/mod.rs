//! What drives an engine: the link that joins it to a transport, the thread that waits for it, the background thread, the
//! message queue, messages and the logger.
//!
//! The thread that waits, drives. While no thread waits, the one background thread of the process does. This layer must not
//! know features, configuration keys or C.

pub(crate) mod background;
pub(crate) mod connection;
pub(crate) mod driver;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has exchanges of their own"))]
pub(crate) mod inline_exchange;
pub(crate) mod interruption;
pub(crate) mod link;
pub(crate) mod logger;
pub(crate) mod message;
pub(crate) mod own_thread;
pub(crate) mod polling;
pub(crate) mod queue;
#[cfg(feature = "server")]
pub(crate) mod server;
pub(crate) mod waiter;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock whose holder panicked still guards its data: what it guards is changed in steps that each leave it whole.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of the next client or server. Numbers are never used twice.
pub(crate) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A number that differs from time to time.
pub(crate) fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}
