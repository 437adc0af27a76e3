//! One thread's wait for something: an outcome, a message, the connection, or its turn to drive.

use crate::engine::{Error, Reply};
#[cfg(feature = "http")]
use crate::runtime::inline_exchange::Own;
use crate::runtime::link::pipe::Link;
use crate::runtime::lock;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::Waker;
#[cfg(feature = "http")]
use std::task::{Context, Poll};
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

#[derive(Default, Debug)]
struct Inside {
    arrival: Option<Arrival>,
    /// The role of driver was handed to this waiter.
    promoted: Option<Arc<Link>>,
    /// The waiter drives this connection, so ending its wait takes an interrupt.
    driving: Option<Arc<Link>>,
    parked: bool,
    /// Wakes the task that waits, where the wait is one.
    waker: Option<Waker>,
    /// The exchange of HTTP that the thread will run itself.
    #[cfg(feature = "http")]
    own: Option<Own>,
}

/// One thread's wait.
#[derive(Default, Debug)]
pub(crate) struct Waiter {
    inside: Mutex<Inside>,
    changed: Condvar,
    /// The thread waits for a call's outcome, and runs what it waits for if it can.
    #[cfg_attr(
        not(feature = "http"),
        expect(dead_code, reason = "only over HTTP a call's own thread runs its exchange")
    )]
    is_call: bool,
}

impl Waiter {
    /// The wait of a thread that calls. It must be given to [`crate::runtime::connection::Connection::wait_is_over`] at its end.
    pub(crate) fn of_call() -> Waiter {
        Waiter { is_call: true, ..Waiter::default() }
    }

    /// Has the waiting thread run an exchange, and gives it back if it will not.
    #[cfg(feature = "http")]
    pub(crate) fn run_own(&self, own: Own) -> Option<Own> {
        let mut inside = lock(&self.inside);
        if !self.is_call || inside.own.is_some() {
            return Some(own);
        }
        inside.own = Some(own);
        None
    }

    /// The exchange that the thread is to run.
    #[cfg(feature = "http")]
    pub(crate) fn take_own(&self) -> Option<Own> {
        lock(&self.inside).own.take()
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
    pub(crate) fn promote(&self, link: Arc<Link>) {
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
    #[cfg(feature = "http")]
    pub(crate) fn poll_arrival(&self, cx: &Context<'_>) -> Poll<()> {
        let mut inside = lock(&self.inside);
        if inside.arrival.is_some() {
            return Poll::Ready(());
        }
        inside.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// What arrived.
    pub(crate) fn take(&self) -> Option<Arrival> {
        lock(&self.inside).arrival.take()
    }

    /// The role, if it was handed over.
    pub(crate) fn take_promotion(&self) -> Option<Arc<Link>> {
        lock(&self.inside).promoted.take()
    }

    /// Says that this thread drives (or no longer does). Gives whether the wait is over already.
    pub(crate) fn set_driving(&self, link: Option<Arc<Link>>) -> bool {
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
