//! Waiting for messages on a queue: with the connection driven meanwhile, or, on a shared queue, by the background thread.

use crate::runtime::message::Message;
use crate::runtime::queue::{Look, Queue, Ready};
use crate::runtime::waiter::Waiter;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a wait for a message ended.
#[derive(Debug)]
pub enum Polled {
    /// A message.
    Message(Message),
    /// None within the time.
    Empty,
    /// Somebody asked for the wait to end.
    Woken,
    /// The client is closed, and everything was taken.
    Closed,
}

/// The next message of a shared queue, waiting at most `timeout` (`None` waits without a bound).
pub fn poll_queue(queue: &Queue, timeout: Option<Duration>) -> Polled {
    if let Some(polled) = look(queue, false) {
        return polled;
    }
    if timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Polled::Empty;
    }
    let until = timeout.map(|timeout| Instant::now() + timeout);
    // Not a `Waiter`, whose lock a signal handler could not take.
    let sleeper = queue.wake_state().sleeper();
    loop {
        let seen = sleeper.changes();
        if let Some(polled) = look(queue, false) {
            return polled;
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Polled::Empty;
        }
        sleeper.sleep(seen, until);
    }
}

/// What a queue has now.
pub(crate) fn look(queue: &Queue, only_notifications: bool) -> Option<Polled> {
    match queue.take(only_notifications) {
        Look::Message(message) => Some(Polled::Message(message.finished())),
        Look::Woken => Some(Polled::Woken),
        Look::Closed => Some(Polled::Closed),
        Look::Nothing => None,
    }
}

pub(crate) fn poll(
    queue: &Queue,
    timeout: Option<Duration>,
    only_notifications: bool,
    wait: impl Fn(&Arc<Waiter>, Option<Instant>),
) -> Polled {
    if let Some(polled) = look(queue, only_notifications) {
        return polled;
    }
    if timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Polled::Empty;
    }
    let until = timeout.map(|timeout| Instant::now() + timeout);
    let waiter = Arc::new(Waiter::default());
    queue.add_waiter(&waiter);
    let polled = loop {
        if let Some(polled) = look(queue, only_notifications) {
            break polled;
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            break Polled::Empty;
        }
        wait(&waiter, until);
        // What arrived was a hint to look again.
        drop(waiter.take());
    };
    queue.remove_waiter(&waiter);
    polled
}

/// Sets (or takes away) what is called when a queue turns non-empty.
pub fn set_ready(queue: &Queue, ready: Option<Ready>) {
    if let Some(callback) = queue.set_ready(ready) {
        callback();
    }
}
