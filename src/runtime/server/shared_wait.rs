//! One wait for a server's own descriptors and for its connections over HTTP: the thread that serves drives both, so that a request
//! is read, handled and answered on one thread.

use crate::runtime::http::{HttpRuntime, LentRuntime};
use crate::runtime::lock;
use crate::runtime::waiter::{Arrival, Waiter};
use crate::transport::poller::{Nested, Poller};
use std::future::Future as _;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker, ready};
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

    /// Whether it is a wait in this runtime: the one of connections that are gone may be gone, too.
    pub(super) fn is_in(&self, runtime: &Arc<HttpRuntime>) -> bool {
        Arc::ptr_eq(&self.runtime, runtime)
    }

    /// The runtime, unless this thread must not drive it.
    pub(super) fn lend(&self) -> Option<LentRuntime<'_>> {
        self.runtime.lend()
    }

    /// Drives until something arrives for the waiter, something of the poller is ready, or the time is over. What is `held` is woken in
    /// the runtime, where waking a task takes no system call.
    pub(super) fn drive(
        &self,
        lent: &LentRuntime<'_>,
        poller: &Poller,
        waiter: &Arc<Waiter>,
        until: Option<Instant>,
        held: Vec<Waker>,
    ) {
        let until = Nested::until(poller, until);
        let mut held = Some(held);
        // While clients keep the poller ready, each wait would end at its first look, before any connection over HTTP is driven.
        let mut yielded = pin!(tokio::task::yield_now());
        let mut must_yield = false;
        lent.drive(until, &mut |context| {
            let first = held.take();
            let is_first_look = first.is_some();
            for waker in first.into_iter().flatten() {
                waker.wake();
            }
            if waiter.poll_arrival(context).is_ready() {
                return Poll::Ready(());
            }
            ready!(self.nested.poll_ready(context));
            must_yield |= is_first_look;
            if must_yield { yielded.as_mut().poll(context) } else { Poll::Ready(()) }
        });
    }

    /// Gives the tokens of what is ready in the poller.
    pub(super) fn take(&self, poller: &Poller, ready: &mut Vec<u64>) {
        self.nested.take(poller, ready);
    }
}

/// The waiter of the thread that waits in the runtime.
#[derive(Default, Debug)]
pub(super) struct TaskWaiter(Mutex<Option<Arc<Waiter>>>);

impl TaskWaiter {
    /// This thread waits there from now on.
    pub(super) fn enter<'a>(&'a self, waiter: &'a Arc<Waiter>) -> TaskWait<'a> {
        *lock(&self.0) = Some(Arc::clone(waiter));
        TaskWait { task: self, waiter }
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
pub(super) struct TaskWait<'a> {
    task: &'a TaskWaiter,
    waiter: &'a Arc<Waiter>,
}

impl Drop for TaskWait<'_> {
    fn drop(&mut self) {
        *lock(&self.task.0) = None;
        self.waiter.forget_task();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::pipe::pipe;
    use std::io::{Read as _, Write as _};
    use std::time::Duration;

    const TOKEN: u64 = 7;
    const LONG: Duration = Duration::from_secs(60);

    /// Waits as a turn does, and gives the tokens that are ready.
    fn wait(
        shared: &SharedWait,
        poller: &Poller,
        task: &TaskWaiter,
        waiter: &Arc<Waiter>,
        until: Option<Instant>,
    ) -> Vec<u64> {
        let lent = shared.lend().expect("this thread may drive");
        let waits = task.enter(waiter);
        shared.drive(&lent, poller, waiter, until, Vec::new());
        drop(waits);
        let mut ready = vec![TOKEN];
        shared.take(poller, &mut ready);
        ready
    }

    /// Runs with a wait in the runtime of HTTP; not where the system has none.
    fn with_shared(test: impl FnOnce(&Arc<HttpRuntime>, &SharedWait, &Poller)) {
        let runtime = HttpRuntime::acquire().expect("threads are left");
        let poller = Poller::new().expect("descriptors are left");
        if let Some(shared) = SharedWait::new(Arc::clone(&runtime), &poller) {
            test(&runtime, &shared, &poller);
        }
        drop(runtime);
        HttpRuntime::release();
    }

    #[test]
    fn one_wait_ends_by_the_poller_by_an_arrival_by_an_interrupt_and_by_time() {
        with_shared(|runtime, shared, poller| {
            let (task, waiter) = (TaskWaiter::default(), Arc::new(Waiter::default()));
            let look = |until| wait(shared, poller, &task, &waiter, until);
            let (reading, writing) = pipe().expect("descriptors are left");
            let (mut reading, mut writing) = (std::fs::File::from(reading), std::fs::File::from(writing));
            poller.watch(&reading, TOKEN, crate::transport::poller::Interest::Readable).expect("a watch");
            let end = Instant::now() + LONG;

            assert_eq!(look(Some(Instant::now())), [0u64; 0], "nothing is ready");
            poller.wake();
            assert_eq!(look(Some(end)), [0u64; 0], "the wake of the poller ended it");

            writing.write_all(b"x").expect("room");
            assert_eq!(look(Some(end)), [TOKEN]);
            assert_eq!(look(Some(end)), [TOKEN], "it is ready until it is read");
            assert_eq!(reading.read(&mut [0; 8]).expect("a byte"), 1);
            assert_eq!(look(Some(end)), [0u64; 0], "one look finds that");
            assert!(Instant::now() < end);
            assert_eq!(look(Some(Instant::now())), [0u64; 0]);

            std::thread::scope(|scope| {
                scope.spawn(|| waiter.arrive(Arrival::Look, None));
                assert_eq!(look(Some(end)), [0u64; 0]);
            });
            assert!(waiter.take().is_some() && Instant::now() < end);

            std::thread::scope(|scope| {
                // Until a thread waits there is none to interrupt.
                scope.spawn(|| {
                    while !task.interrupt() {
                        std::thread::yield_now();
                    }
                });
                assert_eq!(look(Some(end)), [0u64; 0]);
            });
            assert!(waiter.take().is_some() && Instant::now() < end && !task.is_there());

            // In the context of a runtime a thread must not drive.
            let _context = runtime.enter();
            assert!(shared.lend().is_none());
        });
    }

    #[test]
    fn a_poller_that_is_always_ready_leaves_time_for_tasks() {
        with_shared(|runtime, shared, poller| {
            let (task, waiter) = (TaskWaiter::default(), Arc::new(Waiter::default()));
            let look = |until| wait(shared, poller, &task, &waiter, until);
            let (reading, writing) = pipe().expect("descriptors are left");
            let mut writing = std::fs::File::from(writing);
            poller.watch(&reading, TOKEN, crate::transport::poller::Interest::Readable).expect("a watch");
            writing.write_all(b"x").expect("room");
            let end = Instant::now() + LONG;
            assert_eq!(look(Some(end)), [TOKEN]);

            let (told, mut heard) = tokio::sync::oneshot::channel();
            let _task = runtime.spawn(async move { told.send(()).expect("it listens") });
            // Waits that follow one another leave no time to the thread of the runtime.
            while heard.try_recv().is_err() {
                assert_eq!(look(Some(end)), [TOKEN]);
                assert!(Instant::now() < end, "a wait drove no task");
            }
        });
    }

    /// A task whose waking tells another one.
    struct Tells(Mutex<Option<tokio::sync::oneshot::Sender<()>>>);

    impl std::task::Wake for Tells {
        fn wake(self: Arc<Self>) {
            if let Some(told) = lock(&self.0).take() {
                told.send(()).expect("it listens");
            }
        }
    }

    #[test]
    fn tasks_that_were_held_run_before_the_wait() {
        with_shared(|runtime, shared, poller| {
            let (told, heard) = tokio::sync::oneshot::channel();
            let waiter = Arc::new(Waiter::default());
            let arrived = Arc::clone(&waiter);
            let _task = runtime.spawn(async move {
                heard.await.expect("it is told");
                arrived.arrive(Arrival::Look, None);
            });
            let held = vec![Waker::from(Arc::new(Tells(Mutex::new(Some(told)))))];
            let end = Instant::now() + LONG;
            let lent = shared.lend().expect("this thread may drive");
            shared.drive(&lent, poller, &waiter, Some(end), held);
            waiter.forget_task();
            assert!(waiter.take().is_some() && Instant::now() < end);
        });
    }
}
