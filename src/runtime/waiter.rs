//! One thread's wait for something: an outcome, a message, the connection, or its turn to drive.

use super::link::pipe::Pipe;
use super::sync::{Condvar, Mutex, lock};
use crate::engine::{Error, Reply};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// What a waiter waits for, once it is there.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A call's outcome.
    Reply(Reply),
    /// Whether the connection is ready.
    Connected(Result<(), Error>),
    /// Look again: a message, a wake, a state.
    Look,
}

/// What the thread that drives waits in, as those see it that end its wait.
pub(crate) trait Interrupt: Send + Sync + std::fmt::Debug {
    /// Ends the wait.
    fn interrupt(&self);
}

impl Interrupt for Pipe {
    fn interrupt(&self) {
        Pipe::interrupt(self);
    }
}

#[derive(Default, Debug)]
struct Inside {
    arrival: Option<Arrival>,
    /// The role of driver was handed to this waiter.
    promoted: Option<Arc<Pipe>>,
    /// The waiter drives, so ending its wait takes an interrupt.
    driving: Option<Arc<dyn Interrupt>>,
    parked: bool,
    /// Wakes the task that waits, where the wait is one.
    waker: Option<Waker>,
    /// The exchange that the thread will run itself, where exchanges have a transport of their own.
    inline: Option<InlineExchange>,
}

/// One thread's wait.
#[derive(Default, Debug)]
pub(crate) struct Waiter {
    inside: Mutex<Inside>,
    changed: Condvar,
    /// The thread waits for a call's outcome, and runs what it waits for if it can.
    is_call: bool,
}

impl Waiter {
    /// The wait of a thread that calls. It must be given to [`super::link::Link::wait_is_over`] at its end.
    pub(crate) fn of_call() -> Waiter {
        Waiter { is_call: true, ..Waiter::default() }
    }

    /// Has the waiting thread run an exchange, and gives it back if it will not.
    pub(crate) fn run_inline(&self, exchange: InlineExchange) -> Option<InlineExchange> {
        let mut inside = lock(&self.inside);
        if !self.is_call || inside.inline.is_some() {
            return Some(exchange);
        }
        inside.inline = Some(exchange);
        None
    }

    /// The exchange that the thread is to run.
    pub(crate) fn take_inline(&self) -> Option<InlineExchange> {
        lock(&self.inside).inline.take()
    }

    /// Ends the wait. `by` is the waiter of the thread that calls this, if it has one: a thread need not interrupt itself.
    pub(crate) fn arrive(self: &Arc<Self>, arrival: Arrival, by: Option<&Arc<Waiter>>) {
        let mut inside = lock(&self.inside);
        if inside.arrival.is_none() || matches!(inside.arrival, Some(Arrival::Look)) {
            inside.arrival = Some(arrival);
        }
        if let Some(waker) = inside.waker.take() {
            waker.wake();
        } else if inside.parked {
            self.changed.notify_one();
        } else if let Some(link) = &inside.driving
            && !by.is_some_and(|by| Arc::ptr_eq(by, self))
        {
            link.interrupt();
        }
    }

    /// Hands the waiter the role of driver.
    pub(crate) fn promote(&self, link: Arc<Pipe>) {
        let mut inside = lock(&self.inside);
        inside.promoted = Some(link);
        if inside.parked {
            self.changed.notify_one();
        }
    }

    /// Whether the wait is over.
    pub(crate) fn has_arrived(&self) -> bool {
        lock(&self.inside).arrival.is_some()
    }

    /// The wait as a task sees it.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP waits in tasks"))]
    pub(crate) fn poll_arrival(&self, cx: &Context<'_>) -> Poll<()> {
        let mut inside = lock(&self.inside);
        if inside.arrival.is_some() {
            return Poll::Ready(());
        }
        inside.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// No task waits any more: what arrives is for the thread.
    #[cfg(all(feature = "http", feature = "server"))]
    pub(crate) fn forget_task(&self) {
        lock(&self.inside).waker = None;
    }

    /// What arrived.
    pub(crate) fn take(&self) -> Option<Arrival> {
        lock(&self.inside).arrival.take()
    }

    /// The role, if it was handed over.
    pub(crate) fn take_promotion(&self) -> Option<Arc<Pipe>> {
        lock(&self.inside).promoted.take()
    }

    /// Says that this thread drives (or no longer does). Gives whether the wait is over already.
    pub(crate) fn set_driving(&self, link: Option<Arc<dyn Interrupt>>) -> bool {
        let mut inside = lock(&self.inside);
        inside.driving = link;
        inside.arrival.is_some()
    }

    /// Sleeps until something arrives, the role is handed over, or the time is over.
    pub(crate) fn park(&self, until: Option<Instant>) {
        let mut inside = lock(&self.inside);
        inside.parked = true;
        while inside.arrival.is_none() && inside.promoted.is_none() {
            inside = match until {
                None => self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        break;
                    }
                    self.changed.wait_timeout(inside, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        inside.parked = false;
    }
}

// An exchange that the thread which waits for its outcome runs itself, in its own turn at the runtime: no task is made for it
// and no other one has to be woken.

/// An exchange to be run.
pub(crate) struct InlineExchange {
    exchange: Pin<Box<dyn Future<Output = ()> + Send>>,
    abort: Arc<AbortHandle>,
}

/// Ends an exchange from wherever.
#[derive(Default, Debug)]
pub(crate) struct AbortHandle(Mutex<AbortState>);

#[derive(Default, Debug)]
struct AbortState {
    is_over: bool,
    waker: Option<Waker>,
}

impl AbortHandle {
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has exchanges of their own"))]
    pub(crate) fn abort(&self) {
        let mut inside = lock(&self.0);
        inside.is_over = true;
        if let Some(waker) = inside.waker.take() {
            waker.wake();
        }
    }

    /// Whether it is over; if not, the task is woken when it is.
    fn is_over(&self, cx: &Context<'_>) -> bool {
        let mut inside = lock(&self.0);
        if !inside.is_over && !inside.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            inside.waker = Some(cx.waker().clone());
        }
        inside.is_over
    }
}

impl InlineExchange {
    /// The exchange comes in its box: it is large, and would be moved once more.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has exchanges of their own"))]
    pub(crate) fn new(
        exchange: Pin<Box<dyn Future<Output = ()> + Send>>,
    ) -> (InlineExchange, Arc<AbortHandle>) {
        let abort = Arc::<AbortHandle>::default();
        (InlineExchange { exchange, abort: Arc::clone(&abort) }, abort)
    }
}

impl Future for InlineExchange {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.abort.is_over(cx) {
            return Poll::Ready(());
        }
        self.exchange.as_mut().poll(cx)
    }
}

impl std::fmt::Debug for InlineExchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InlineExchange").field("abort", &self.abort).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn an_exchange_that_is_aborted_wakes_its_runner_and_is_polled_no_more() {
        let woken = Arc::<Woken>::default();
        let waker = Waker::from(Arc::clone(&woken));
        let mut cx = Context::from_waker(&waker);
        let polled = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&polled);
        let (mut exchange, abort) = InlineExchange::new(Box::pin(std::future::poll_fn(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            Poll::Pending
        })));
        assert!(Pin::new(&mut exchange).poll(&mut cx).is_pending());
        abort.abort();
        assert_eq!(woken.0.load(Ordering::Relaxed), 1);
        assert!(Pin::new(&mut exchange).poll(&mut cx).is_ready());
        assert_eq!(polled.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_exchange_that_was_aborted_before_it_began_never_begins() {
        let (mut exchange, abort) = InlineExchange::new(Box::pin(async { panic!("it began") }));
        abort.abort();
        assert!(Pin::new(&mut exchange).poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }
}
