//! Threads that wait for a server: in `run`, in `poll`, and in `close`.

use super::effects::Batch;
use super::role::{Claim, WaitsFor};
use super::serving::{Serving, closed};
use crate::engine::server::SessionId;
use crate::engine::{Error, Level, Status};
use crate::runtime::lock;
use crate::runtime::message::Message;
use crate::runtime::polling::{HANDLED, Polled};
use crate::runtime::queue::{Look, Take};
use crate::runtime::waiter::{Interrupt, Waiter};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(feature = "http")]
use std::sync::atomic::Ordering;
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
            if handled > 0 && !matches!(looked, Look::Nothing) {
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
            let has_ended = self.role.has_ended() && matches!(take, Take::Handled(_) | Take::ByWorker(_));
            if has_ended || until.is_some_and(|until| Instant::now() >= until) {
                self.write_held_back();
                break if has_ended { Polled::Closed } else { Polled::Empty };
            }
            handled = 0;
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
                // Something may have arrived since the last look.
                if !waiter.set_driving(interrupt) && !is_over() {
                    self.turn(Some(waiter), until, ready, &|| turn.awake());
                } else {
                    // A turn begins with what threads in handlers hold back.
                    self.write_held_back();
                }
                drop(turn);
            }
            claim @ (Claim::Parked | Claim::InBackground) => {
                self.write_held_back();
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
                self.write_held_back();
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
        #[cfg(feature = "http")]
        self.closing.store(true, Ordering::SeqCst);
        if std::mem::replace(&mut inside.closed, true) {
            drop(inside);
            return self.wait_for_end(until);
        }
        let listeners = std::mem::take(&mut inside.listeners);
        #[cfg(feature = "http")]
        let connections = std::mem::take(&mut inside.connections);
        inside.engine.end_listens();
        inside.engine.refuse_all(Serving::now(), "the server is closing");
        self.pump(inside);
        for listener in listeners.values() {
            self.unwatch_listener(listener);
        }
        drop(listeners);
        // They are told nothing: none of their requests was read.
        self.arrivals.close();
        #[cfg(feature = "http")]
        self.drain_http(connections.values());
        let status = self.flush_all(until, &|| {
            // What becomes of its tasks is for other processes.
            #[cfg(feature = "store")]
            if self.store.get().is_some_and(|store| store.open() > 0) {
                return false;
            }
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
    fn wait_until(&self, until: Instant, is_over: &dyn Fn() -> bool) -> bool {
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

    /// Waits until the thread that closes is done: the end that it makes must not come before its answers are out.
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

/// Clients that are taken at the last moment: as many as a backlog may hold.
#[cfg(feature = "http")]
const LAST_CLIENTS: usize = 4096;

impl Serving {
    /// First everything is served as before, and health endpoints say 503 (`timeouts.notice_ms`). Then no client connects any
    /// more, connections are told to end, and what is under way has its time (`timeouts.drain_ms`). Closing by another thread
    /// cuts it short.
    pub(super) fn drain(&self) {
        let (notice, drain) = (self.limits.notice, self.limits.drain);
        if notice.is_zero() && drain.is_zero() {
            return;
        }
        {
            let mut inside = self.inside();
            if inside.closed || inside.leaving || !inside.has_served || inside.is_over() {
                return;
            }
            inside.leaving = true;
            #[cfg(feature = "http")]
            self.closing.store(true, Ordering::SeqCst);
        }
        #[cfg(feature = "http")]
        if !self.inside().connections.is_empty() {
            self.wait_for(notice, &|| false);
        }
        self.stop_accepting();
        self.wait_for(drain, &|| self.inside().engine.open_counts()[1] == 0);
    }

    /// No client connects from now on. Those that the system has already connected are still served.
    fn stop_accepting(&self) {
        self.begin_to_serve(usize::MAX);
        let mut inside = self.inside();
        let listeners = std::mem::take(&mut inside.listeners);
        inside.paused.clear();
        #[cfg(feature = "http")]
        let connections = inside.connections.clone();
        inside.engine.end_listens();
        self.pump(inside);
        for (number, listener) in &listeners {
            self.unwatch_listener(listener);
            #[cfg(feature = "http")]
            if let Some(connections) = connections.get(number) {
                // What comes then finds the listener closed.
                let _last = listener.accept(LAST_CLIENTS, |accepted| {
                    let from = self.holder_of(&accepted.peer);
                    let has_room = !accepted.is_scarce || connections.give_way(&from);
                    has_room && connections.connected(accepted.fd, from)
                });
            }
            #[cfg(not(feature = "http"))]
            let _: &u64 = number;
        }
        drop(listeners);
        #[cfg(feature = "http")]
        for connections in connections.values() {
            connections.drain();
        }
    }

    /// Drives for a time, or until there is nothing to wait for.
    fn wait_for(&self, time: Duration, is_done: &dyn Fn() -> bool) {
        self.wait_until(Instant::now() + time, &|| {
            is_done() || self.role.has_ended() || self.inside().closed
        });
    }

    /// Whether it is about to close, or closed: load balancers must send nothing more.
    #[cfg(feature = "http")]
    pub(super) fn is_leaving(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }
}

impl Serving {
    /// Starts the threads, unless they run.
    ///
    /// # Errors
    /// `INTERNAL` when the system makes no thread.
    pub(super) fn start_threads(&self) -> Result<(), Error> {
        let mut started = lock(&self.started);
        if *started {
            return Ok(());
        }
        let Some(this) = self.this.upgrade() else { return Err(closed()) };
        let refused = |error: std::io::Error| {
            let what = format!("cannot start the server's threads: {error}");
            Error::new(Status::Internal, "server_serve", what)
        };
        // Workers that were started by an attempt that failed are there.
        while self.threads.helpers() < self.limits.workers {
            let worker = Arc::clone(&this);
            self.threads
                .help("libmcp-worker", self.limits.workers, move || worker.work())
                .map_err(refused)?;
        }
        self.threads.start("libmcp-server", move || this.drive_in_background()).map_err(refused)?;
        // From here on a thread drives or the background thread watches. The first thread that polls may find a request at once
        // and be in its handler before any thread has driven: what the handler sends would be held back until it returns.
        self.role.watch_after_grace();
        *started = true;
        Ok(())
    }

    /// Runs handlers until everything that is served has ended.
    fn work(self: Arc<Serving>) {
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| self.poll(None, Take::ByWorker(self.number))));
            match polled {
                Ok(Polled::Closed) => return,
                Ok(_) => {}
                Err(_) => {
                    self.record(Level::Error, SessionId(0), "a handler panicked; its client gets an error");
                }
            }
        }
    }

    fn drive_in_background(self: Arc<Serving>) {
        let mut ready = Vec::new();
        while self.role.claim_in_background() {
            // A fault in the work for one client must not end the thread that all of them need.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                self.write_held_back();
                while !self.role.is_wanted() {
                    self.turn(None, None, &mut ready, &|| {});
                    self.write_held_back();
                }
            }));
            self.role.release_in_background();
            if outcome.is_err() {
                self.record(Level::Error, SessionId(0), "a fault in the server's own code; serving goes on");
            }
        }
    }
}
