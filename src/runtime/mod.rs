//! What drives an engine: the link that joins it to a transport, the thread that waits for it, the background thread, the
//! message queue, messages and the logger.
//!
//! The thread that waits, drives. While no thread waits, the one background thread of the process does. This layer must not
//! know features, configuration keys or C.
//!
//! The files:
//!
//! * `connection`: `Connection`: joins the engine of a client with one link; owns the core
//! * `link`: `Link`: what carries frames, whichever transport it is (client)
//! * `http`: HTTP as a client uses it
//! * `server`: `Serving`: sessions, threads and transports of a server
//! * `driver`: which thread drives: grace time (both sides), roles, shared threads (client)
//! * `background`: the background thread of all clients, and the servers that it starts
//! * `queue`: `Queue`: messages for the application (both sides)
//! * `message`: `Message`: what the application reads (both sides)
//! * `polling`: waiting on a queue, with the connection driven meanwhile
//! * `waiter`: `Waiter`: one thread's wait (both sides)
//! * `sync`: the locks and conditions of the above, or those of the model checker of threads
//! * `model`: what the model checker tries; compiled for its tests only
//! * `telemetry`: what is recorded for OpenTelemetry, and who is told
//! * `logger`: log records to the application, and its callbacks (`Callbacks`), on a thread of their own
//! * `clock`: the time, which tests may hold
//! * `simulation`: both sides joined and simulated; compiled for tests only
//! * `numbered`: `Numbered`: values by their numbers
//! * `threads`: `OwnThread`: threads of the library, with signals blocked; numbers of threads

pub(crate) mod background;
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "a client asks the clock itself"))]
pub(crate) mod clock;
pub(crate) mod connection;
pub(crate) mod driver;
#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod link;
pub(crate) mod logger;
pub(crate) mod message;
#[cfg(all(test, mcp_loom))]
mod model;
pub(crate) mod numbered;
pub(crate) mod polling;
pub(crate) mod queue;
#[cfg(feature = "server")]
pub(crate) mod server;
#[cfg(all(test, feature = "auth", feature = "http", feature = "server"))]
mod simulation;
pub(crate) mod sync;
pub(crate) mod telemetry;
pub(crate) mod threads;
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
    #[cfg(test)]
    if let Some(seed) = clock::simulated::seed() {
        return seed;
    }
    RandomState::new().build_hasher().finish()
}
