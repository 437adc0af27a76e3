//! The part of a connection that a signal handler may touch: which waits of threads are to end.

use super::background::runtime::Runtime;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

const CALLS: u8 = 1;
const POLL: u8 = 2;

/// Ends waits. The background thread does it: a handler may take no lock.
#[derive(Debug)]
pub struct Interruption {
    /// [`CALLS`] and [`POLL`], until the background thread takes them.
    requested: AtomicU8,
    /// The last call for which a thread waits, and what it was when the end of calls was requested.
    last_call: AtomicU64,
    up_to: AtomicU64,
    owns_queue: bool,
    runtime: Arc<Runtime>,
}

/// The waits that are to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Requested {
    /// Those of the threads that wait for the connection, or for a call up to this one.
    pub(crate) calls: Option<u64>,
    /// One wait on the client's own queue.
    pub(crate) poll: bool,
}

impl Interruption {
    pub(crate) fn new(runtime: Arc<Runtime>, owns_queue: bool) -> Interruption {
        Interruption {
            requested: AtomicU8::new(0),
            last_call: AtomicU64::new(0),
            up_to: AtomicU64::new(0),
            owns_queue,
            runtime,
        }
    }

    /// A thread waits for this call, the last one so far. With the engine's lock held.
    pub(crate) fn waits_for(&self, call: u64) {
        self.last_call.store(call, Ordering::Release);
    }

    /// Has the background thread end the calls that threads wait for now. Async-signal-safe.
    pub fn end_calls(&self) {
        self.up_to.fetch_max(self.last_call.load(Ordering::SeqCst), Ordering::SeqCst);
        self.request(CALLS);
    }

    /// Has the background thread end one wait on the client's own queue, or the next one. Says whether the client has such a
    /// queue. Async-signal-safe.
    pub fn end_poll(&self) -> bool {
        if self.owns_queue {
            self.request(POLL);
        }
        self.owns_queue
    }

    fn request(&self, which: u8) {
        self.requested.fetch_or(which, Ordering::SeqCst);
        self.runtime.due_now();
    }

    /// Whether a wait is to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst) != 0
    }

    /// Takes what was requested.
    pub(crate) fn take(&self) -> Option<Requested> {
        if !self.is_requested() {
            return None;
        }
        let requested = self.requested.swap(0, Ordering::SeqCst);
        let calls = (requested & CALLS != 0).then(|| self.up_to.load(Ordering::SeqCst));
        Some(Requested { calls, poll: requested & POLL != 0 })
    }
}
