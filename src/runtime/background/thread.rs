//! The one background thread of the process: it starts and ends server processes, keeps time, drains standard errors, and
//! drives connections while no other thread waits for them. What would make it wait, connecting to a socket, it has done by
//! threads that live no longer than that. It starts with the first client and is gone after the last.

use super::connections::Connections;
use super::runtime::{Command, Runtime};
use super::servers::Servers;
use crate::engine::{Error, Level, Status};
use crate::runtime::driver::grace::GRACE;
use crate::runtime::driver::shared::Shared;
use crate::transport::poller::Poller;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

static RUNTIME: Shared<Runtime> = Shared::new();

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
                self.earliest.get().min(self.nanos(servers.next_deadline())).min(self.nanos(grace_at));
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
                    Command::Add(connection) => connections.add(&self, connection),
                    Command::Carry(connection) => self.guarded(|| connection.carry()),
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
