//! The background thread of the process, and the servers that it starts, watches and ends. The thread connects to no socket itself, because that may wait: threads that
//! live no longer than that do it. It starts with the first client and ends after the last.
//!
//! * `shared`: `Runtime`: what clients and the thread share: commands, the next wake, connections in their grace time
//! * `processes`: `Servers`: the server processes, each ended in bounded steps
//! * `sockets`: `Sockets`: the servers behind sockets

mod processes;
pub(crate) mod shared;
mod sockets;

use super::link::owner::Driven;
use super::threads::{GRACE, SharedByUsers};
use crate::engine::{Error, Level, Status};
use crate::transport::poller::Poller;
use processes::Servers;
use shared::{BackgroundCommand, Runtime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

static RUNTIME: SharedByUsers<Runtime> = SharedByUsers::new();

/// The runtime that all clients share, started if this is the first one.
pub(crate) fn acquire() -> Result<Arc<Runtime>, Error> {
    RUNTIME.acquire(|| {
        let failed = |what: &str, why: &dyn std::fmt::Display| {
            let message = format!("cannot start the library's thread: {what}: {why}");
            Error::new(Status::Internal, "client_new", message)
        };
        let poller = Poller::new().map_err(|errno| failed("no descriptor", &errno))?;
        let runtime = Arc::new(Runtime::new(poller));
        let mine = Arc::clone(&runtime);
        runtime.threads.start("libmcp", move || mine.work()).map_err(|error| failed("no thread", &error))?;
        Ok(runtime)
    })
}

/// A client is gone. After the last one the threads end, and this waits for them, unless it runs on one of them.
pub(crate) fn release() {
    let Some(runtime) = RUNTIME.release() else { return };
    runtime.stopping.store(true, Ordering::SeqCst);
    runtime.poller.wake();
    runtime.threads.join_with_timeout();
    runtime.callbacks.stop();
    // Connections keep the runtime, so what keeps connections must not outlive the thread that would look at it.
    drop((runtime.take_graced(), runtime.take_commands()));
}

impl Runtime {
    fn work(self: Arc<Runtime>) {
        let mut connections = Connections::default();
        let mut servers = Servers::default();
        let mut ready = Vec::new();
        let mut grace_at: Option<Instant> = None;
        loop {
            // Said before looking, so that a thread that makes something due in between wakes us.
            self.sleeps_until.store(u64::MAX, Ordering::SeqCst);
            if grace_at.is_none() && self.has_graced() {
                grace_at = Some(Instant::now() + GRACE);
            }
            let wake_at =
                self.next_deadline.get().min(self.nanos(servers.next_deadline())).min(self.nanos(grace_at));
            self.sleeps_until.store(wake_at, Ordering::SeqCst);
            let now = self.nanos(Some(Instant::now()));
            let timeout = match wake_at {
                u64::MAX => None,
                // Rounded up, so that what is due is due when the wait ends.
                at => Some(Duration::from_nanos(at.saturating_sub(now).saturating_add(1000))),
            };
            self.poller.wait(&mut ready, timeout);
            self.sleeps_until.store(0, Ordering::SeqCst);
            for command in self.take_commands() {
                match command {
                    BackgroundCommand::Add(connection) => connections.add(&self, connection),
                    BackgroundCommand::Carry(connection) => self.guarded(|| connection.carry()),
                    command => self.guarded(|| servers.command(&self, command)),
                }
            }
            for token in &ready {
                self.guarded(|| servers.ready(&self, *token));
            }
            let now = Instant::now();
            self.guarded(|| servers.tick(&self, now));
            self.guarded(|| connections.tick(&self, now));
            if grace_at.is_some_and(|at| at <= now) {
                grace_at = None;
                self.guarded(|| self.look_after_grace());
            }
            if self.stopping.load(Ordering::SeqCst) {
                servers.kill_all();
                return;
            }
        }
    }

    /// A fault in the work for one client must not stop the thread that all of them need.
    fn guarded(&self, work: impl FnOnce()) {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            self.callbacks.event("", Level::Error, "internal.panic", serde_json::Map::new);
        }
    }

    fn look_after_grace(&self) {
        let list = self.take_graced();
        self.grace_again(list.into_iter().filter(|connection| connection.grace_is_over()).collect());
    }
}

/// Those that are gone are looked for when there are this many, or twice as many as the last time.
const FEW: usize = 32;

#[derive(Default)]
struct Connections {
    list: Vec<Weak<dyn Driven>>,
    /// How many there were after the last look for those that are gone.
    kept: usize,
}

impl Connections {
    fn add(&mut self, runtime: &Runtime, connection: Weak<dyn Driven>) {
        if self.list.len() >= FEW.max(2 * self.kept) {
            self.list.retain(|connection| connection.strong_count() > 0);
            self.kept = self.list.len();
        }
        // The last look at all did not see it.
        if let Some(connection) = connection.upgrade() {
            runtime.next_deadline.include(connection.due());
        }
        self.list.push(connection);
    }

    /// Does what is due.
    fn tick(&mut self, runtime: &Runtime, now: Instant) {
        let now = runtime.nanos(Some(now));
        if runtime.next_deadline.get() > now {
            return;
        }
        runtime.next_deadline.forget();
        let mut earliest = u64::MAX;
        self.list.retain(|connection| {
            let Some(connection) = connection.upgrade() else { return false };
            if connection.due() <= now {
                let panics = catch_unwind(AssertUnwindSafe(|| connection.tick(None))).is_err();
                if panics {
                    // Not again at once, and not in the way of the others.
                    connection.forget_due();
                    connection.context().event(Level::Error, "internal.panic", serde_json::Map::new);
                }
            }
            earliest = earliest.min(connection.due());
            true
        });
        self.kept = self.list.len();
        runtime.next_deadline.include(earliest);
    }
}
