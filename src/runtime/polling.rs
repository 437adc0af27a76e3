//! Waiting for messages on a queue: with the connection driven meanwhile, or, on a shared queue, by the background thread.

use crate::runtime::message::Message;
use crate::runtime::queue::{Look, Queue, Ready, Take};
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
    /// Another thread asked for the wait to end.
    Woken,
    /// The client is closed, and everything was taken.
    Closed,
}

/// The next message of a shared queue, waiting at most `timeout` (`None` waits without a bound).
pub fn poll_queue(queue: &Queue, timeout: Option<Duration>) -> Polled {
    let until = timeout.map(|timeout| Instant::now() + timeout);
    if let Some(polled) = look_and_handle(queue, until) {
        return polled;
    }
    queue.end_turn();
    if timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Polled::Empty;
    }
    // Not a `Waiter`, whose lock a signal handler could not take.
    let sleeper = queue.wake_state().sleeper();
    loop {
        let seen = sleeper.changes();
        if let Some(polled) = look_and_handle(queue, until) {
            return polled;
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Polled::Empty;
        }
        sleeper.sleep(seen, until);
    }
}

/// Handlers that run in a row although the time of a wait is over.
#[cfg(feature = "server")]
pub(crate) const HANDLED: usize = 64;

/// What a queue has now, after the handlers of servers that deliver to it have run.
#[cfg(feature = "server")]
fn look_and_handle(queue: &Queue, until: Option<Instant>) -> Option<Polled> {
    let mut handled = 0;
    loop {
        match look(queue, Take::All) {
            Some(Polled::Message(message)) if message.has_work() => {
                let server = if handled + 1 < HANDLED { None } else { message.server_of_request() };
                if let Some(message) = message.work() {
                    return Some(Polled::Message(message));
                }
                handled += 1;
                // Requests that keep coming do not hold the thread beyond its time.
                if handled >= HANDLED && until.is_some_and(|until| Instant::now() >= until) {
                    if let Some(ready) = queue.tell_of_rest() {
                        match server.and_then(|server| server.upgrade()) {
                            Some(server) => server.run_callback(ready),
                            // Its handler has freed it, and with it the thread for callbacks.
                            None => ready(),
                        }
                    }
                    return Some(Polled::Empty);
                }
            }
            other => return other,
        }
    }
}

#[cfg(not(feature = "server"))]
fn look_and_handle(queue: &Queue, _until: Option<Instant>) -> Option<Polled> {
    look(queue, Take::All)
}

/// What a queue has now, or what a loop of the host's has seen coming.
pub(crate) fn look(queue: &Queue, which: Take) -> Option<Polled> {
    let found = match queue.take(which) {
        Look::Nothing => queue.take_shown(which),
        found => found,
    };
    match found {
        Look::Message(message) => Some(Polled::Message(message.finished())),
        Look::Woken => Some(Polled::Woken),
        Look::Closed => Some(Polled::Closed),
        Look::Nothing => None,
    }
}

/// Waits for a message, after a look that found none.
pub(crate) fn poll(
    queue: &Queue,
    timeout: Option<Duration>,
    which: Take,
    wait: impl Fn(&Arc<Waiter>, Option<Instant>),
) -> Polled {
    let until = timeout.map(|timeout| Instant::now() + timeout);
    let waiter = Arc::new(Waiter::default());
    queue.add_waiter(&waiter);
    let polled = loop {
        if let Some(polled) = look(queue, which) {
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
