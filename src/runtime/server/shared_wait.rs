//! One wait for a server's own descriptors and for its connections over HTTP: the thread that serves drives both, so that a request
//! is read, handled and answered on one thread.

use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use crate::runtime::waiter::{Arrival, Waiter};
use crate::transport::poller::{Nested, Poller};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Instant;

/// What a thread waits in.
#[derive(Debug)]
pub(super) struct SharedWait {
    runtime: Arc<HttpRuntime>,
    nested: Nested,
}

impl SharedWait {
    /// A wait in this runtime. `None` where the system has none, or no descriptor is left: a thread of its own drives HTTP then.
    pub(super) fn new(runtime: Arc<HttpRuntime>, poller: &Poller) -> Option<SharedWait> {
        let nested = {
            let _context = runtime.enter();
            Nested::new(poller)?
        };
        Some(SharedWait { runtime, nested })
    }

    /// Something is to be driven, and no thread of this server may be waiting for it.
    pub(super) fn wake_driver(&self) {
        self.runtime.wake_driver();
    }

    /// Waits until something arrives for the waiter of `task`, something of the poller is ready (its tokens are given then), or the
    /// time is over. `begin` is called before, unless this thread must not drive the runtime: `false` then, at once.
    pub(super) fn wait(
        &self,
        poller: &Poller,
        ready: &mut Vec<u64>,
        until: Option<Instant>,
        task: &Task,
        waiter: &Arc<Waiter>,
        begin: impl FnOnce(),
        wake_held: impl Fn(),
    ) -> bool {
        let Some(lent) = self.runtime.lend() else { return false };
        begin();
        let waits = task.enter(waiter);
        let mut is_first = true;
        lent.drive(until, |context| {
            // In the runtime, which pays for no system call then.
            if std::mem::take(&mut is_first) {
                wake_held();
            }
            if waiter.poll_arrival(context).is_ready() {
                return Poll::Ready(());
            }
            self.nested.poll_ready(context)
        });
        drop(waits);
        self.nested.take(poller, ready);
        true
    }
}

/// The waiter of the thread that waits in the runtime.
#[derive(Default, Debug)]
pub(super) struct Task(Mutex<Option<Arc<Waiter>>>);

impl Task {
    fn enter<'a>(&'a self, waiter: &'a Arc<Waiter>) -> Waits<'a> {
        *lock(&self.0) = Some(Arc::clone(waiter));
        Waits { task: self, waiter }
    }

    /// Whether a thread waits there.
    pub(super) fn is_there(&self) -> bool {
        lock(&self.0).is_some()
    }

    /// Ends the wait of that thread. `false` if none waits there.
    pub(super) fn interrupt(&self) -> bool {
        let inside = lock(&self.0);
        if let Some(waiter) = &*inside {
            waiter.arrive(Arrival::Look, None);
        }
        inside.is_some()
    }
}

/// A thread waits. Its end takes the task off the waiter, also when it panics.
struct Waits<'a> {
    task: &'a Task,
    waiter: &'a Arc<Waiter>,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        *lock(&self.task.0) = None;
        self.waiter.forget_task();
    }
}
