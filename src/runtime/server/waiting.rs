//! Threads that wait for a server: in `run`, in `poll`, and in `close`.

use super::batch::Batch;
use super::role::{Claim, WaitsFor};
use super::serving::Serving;
use crate::engine::Status;
use crate::engine::server::SessionId;
use crate::runtime::message::Message;
use crate::runtime::polling::{HANDLED, Polled};
use crate::runtime::queue::{Look, Take};
use crate::runtime::waiter::{Interrupt, Waiter};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A turn of a thread of the application. Its end gives the role back, also when it panics.
struct DriverTurn<'a> {
    serving: &'a Serving,
    waiter: &'a Arc<Waiter>,
    /// Whether ending the thread's wait takes an interrupt.
    is_asleep: Cell<bool>,
}

impl DriverTurn<'_> {
    /// The thread waits no longer. It looks for messages after its turn, so that those of its own turn need not wake it.
    fn awake(&self) {
        if self.is_asleep.replace(false) {
            self.waiter.set_driving(None);
        }
    }
}

impl Drop for DriverTurn<'_> {
    fn drop(&mut self) {
        self.awake();
        self.serving.role.release(self.serving.queue.is_watched());
    }
}

/// A thread that waits for messages. Its end takes it out of the queue's list, also when it panics.
struct QueueWait<'a> {
    serving: &'a Serving,
    waiter: Arc<Waiter>,
}

impl Drop for QueueWait<'_> {
    fn drop(&mut self) {
        self.serving.queue.remove_waiter(&self.waiter);
        self.serving.hand_held_over();
    }
}

impl Serving {
    /// The next message, waiting at most `timeout` (`None` waits without a bound). Handlers run meanwhile, on this thread.
    pub(crate) fn poll(&self, timeout: Option<Duration>, take: Take) -> Polled {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        let waits = QueueWait { serving: self, waiter: Arc::new(Waiter::default()) };
        let waiter = &waits.waiter;
        self.queue.add_waiter(waiter);
        let mut ready = Vec::new();
        let mut handled = 0;
        loop {
            let batch = Batch::of(self.number);
            let looked = loop {
                match self.queue.take(take) {
                    Look::Message(message) if message.has_work() && handled < HANDLED => {
                        handled += 1;
                        if let Some(message) = message.work() {
                            break Look::Message(message);
                        }
                    }
                    other => break other,
                }
            };
            drop(batch);
            if handled > 0 {
                self.write_held_back();
            }
            match looked {
                Look::Message(message) if message.has_work() => {
                    handled = 0;
                    if let Some(message) = message.work() {
                        break Polled::Message(message);
                    }
                    // Requests that keep coming do not hold the thread beyond its time.
                    if until.is_some_and(|until| Instant::now() >= until) {
                        if let Some(ready) = self.queue.tell_of_rest() {
                            self.callbacks.run(ready);
                        }
                        break Polled::Empty;
                    }
                    continue;
                }
                Look::Message(message) => break Polled::Message(message),
                Look::Woken => break Polled::Woken,
                Look::Closed => break Polled::Closed,
                Look::Nothing => {}
            }
            handled = 0;
            if self.role.has_ended() && matches!(take, Take::Handled(_) | Take::ByWorker(_)) {
                break Polled::Closed;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break Polled::Empty;
            }
            // What it waits for tells the waiter, which the queue knows since before the look.
            self.wait(waiter, WaitsFor::Role, until, &mut ready, &|| false);
            // What arrived was a hint to look again.
            drop(waiter.take());
        }
    }

    /// Drives for one turn, or waits while another thread does, unless what it waits for `is_over`.
    fn wait(
        &self,
        waiter: &Arc<Waiter>,
        wanted: WaitsFor,
        until: Option<Instant>,
        ready: &mut Vec<u64>,
        is_over: &dyn Fn() -> bool,
    ) {
        match self.role.claim(waiter, wanted) {
            Claim::Taken => {
                let interrupt = self.this.upgrade().map(|this| this as Arc<dyn Interrupt>);
                let turn = DriverTurn { serving: self, waiter, is_asleep: Cell::new(true) };
                // What a thread in a handler holds back.
                self.write_held_back();
                // Something may have arrived since the last look.
                if !waiter.set_driving(interrupt) && !is_over() {
                    self.turn(Some(waiter), until, ready, &|| turn.awake());
                }
                drop(turn);
            }
            claim @ (Claim::Parked | Claim::InBackground) => {
                if claim == Claim::InBackground {
                    self.interrupt();
                }
                if !is_over() {
                    waiter.park(until);
                }
                self.role.leave(waiter);
            }
            // The caller sees the end when it looks again.
            Claim::Ended => {
                let soon = Instant::now() + Duration::from_millis(1);
                waiter.park(Some(until.map_or(soon, |until| until.min(soon))));
            }
        }
    }

    /// Everything that was served has ended: waits end.
    pub(super) fn finish(&self) {
        let is_first = self.role.end();
        if self.owns_queue {
            self.queue.close();
        } else if is_first && let Some(ready) = self.queue.push(Message::server_ended(self.number), None) {
            self.callbacks.run(ready);
        }
        self.interrupt();
    }

    /// Closes, after the time in which it drains: no more clients, every request under way is refused, what was sent is written for at most `timeout`.
    pub(crate) fn close(&self, timeout: Option<Duration>) -> Status {
        self.drain();
        let until = Instant::now() + timeout.unwrap_or(self.limits.close);
        let mut inside = self.inside();
        if std::mem::replace(&mut inside.closed, true) {
            drop(inside);
            return self.wait_for_end(until);
        }
        let listeners = std::mem::take(&mut inside.listeners);
        #[cfg(feature = "http")]
        let connections = std::mem::take(&mut inside.connections);
        inside.engine.end_listens();
        inside.engine.refuse_all("the server is closing");
        self.pump(inside);
        for listener in listeners.values() {
            self.unwatch_listener(listener);
        }
        drop(listeners);
        #[cfg(feature = "http")]
        self.drain_http(connections.values());
        let status = self.flush_all(until, &|| {
            #[cfg(feature = "http")]
            if !connections.values().all(|connections| connections.is_drained()) {
                return false;
            }
            true
        });
        let sessions: Vec<SessionId> = self.inside().sessions.values().map(|session| session.id).collect();
        for session in sessions {
            self.end_session(session, "the server is closed");
        }
        #[cfg(feature = "http")]
        {
            let shared_wait = self.inside().shared_wait.take();
            drop((shared_wait, connections));
        }
        self.finish();
        self.threads.join_with_timeout();
        status
    }

    /// Drives, or waits while another thread does, until it `is_over` or the time is. Gives whether it was over.
    ///
    /// It is asked again when this thread has the role or stands in line for it. What comes true later ends the turn of the thread
    /// that drives, which tells all that wait here; what came true before was told to a line in which this thread did not stand yet.
    pub(super) fn wait_until(&self, until: Instant, is_over: &dyn Fn() -> bool) -> bool {
        let waiter = Arc::new(Waiter::default());
        let mut ready = Vec::new();
        loop {
            self.write_held_back();
            if is_over() {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            self.wait(&waiter, WaitsFor::State, Some(until), &mut ready, is_over);
            drop(waiter.take());
        }
    }

    /// QueueWait until the thread that closes is done: the end that it makes must not come before its answers are out.
    fn wait_for_end(&self, until: Instant) -> Status {
        if !self.wait_until(until, &|| self.role.has_ended()) {
            return Status::Timeout;
        }
        self.threads.join_with_timeout();
        Status::Ok
    }

    /// Writes what clients have not taken yet, until a time.
    fn flush_all(&self, until: Instant, is_drained: &dyn Fn() -> bool) -> Status {
        let is_flushed =
            || self.inside().sessions.values().all(|session| session.is_flushed()) && is_drained();
        self.wait_until(until, &|| is_flushed() || self.role.has_ended());
        if is_flushed() { Status::Ok } else { Status::Timeout }
    }
}
