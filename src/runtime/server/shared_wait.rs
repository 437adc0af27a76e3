//! One wait for a server's own descriptors and for its connections over HTTP: the thread that serves drives both, so that a request
//! is read, handled and answered on one thread.

use crate::runtime::http::{HttpRuntime, Lent};
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

    /// The runtime, unless this thread must not drive it.
    pub(super) fn lend(&self) -> Option<Lent<'_>> {
        self.runtime.lend()
    }

    /// Drives until something arrives for the waiter, something of the poller is ready, or the time is over. `wake_held` is called in
    /// the runtime, where waking a task takes no system call.
    pub(super) fn drive(
        &self,
        lent: &Lent<'_>,
        waiter: &Arc<Waiter>,
        until: Option<Instant>,
        wake_held: impl Fn(),
    ) {
        let mut is_first = true;
        lent.drive(until, |context| {
            if std::mem::take(&mut is_first) {
                wake_held();
            }
            if waiter.poll_arrival(context).is_ready() {
                return Poll::Ready(());
            }
            self.nested.poll_ready(context)
        });
    }

    /// Gives the tokens of what is ready in the poller.
    pub(super) fn take(&self, poller: &Poller, ready: &mut Vec<u64>) {
        self.nested.take(poller, ready);
    }
}

/// The waiter of the thread that waits in the runtime.
#[derive(Default, Debug)]
pub(super) struct Task(Mutex<Option<Arc<Waiter>>>);

impl Task {
    /// This thread waits there from now on.
    pub(super) fn enter<'a>(&'a self, waiter: &'a Arc<Waiter>) -> Waits<'a> {
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
pub(super) struct Waits<'a> {
    task: &'a Task,
    waiter: &'a Arc<Waiter>,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        *lock(&self.task.0) = None;
        self.waiter.forget_task();
    }
}
