//! The one background thread of the process: it starts and ends server processes, keeps time, drains standard errors, and
//! drives connections while nobody waits for them. What would make it wait, connecting to a socket, it has done by threads
//! that live no longer than that. It starts with the first client and is gone after the last.

use crate::engine::{Error, Level, Status};
use crate::runtime::background::servers::Peers;
use crate::runtime::connection::Connection;
use crate::runtime::driver::grace::GRACE;
use crate::runtime::driver::shared::Shared;
use crate::runtime::driver::threads::Threads;
use crate::runtime::lock;
use crate::runtime::logger::Callbacks;
use crate::transport::poller::Poller;
use crate::transport::socket::Unreached;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

/// Threads that connect at the same time.
const HELPERS: usize = 256;

/// Something for the background thread to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// A client was made.
    Add(Weak<Connection>),
    /// Start a server, or connect to one.
    Open { connection: Arc<Connection>, generation: u64 },
    /// A thread that connects to a socket has done so, or cannot.
    Reached { attempt: u64, outcome: Result<OwnedFd, Unreached> },
    /// End a server; `by` bounds it. The generation `u64::MAX` means all of the client's.
    Shut { client: u64, generation: u64, by: Option<Instant> },
    /// Go on with what a client's own transport has to do.
    Carry(Arc<Connection>),
    /// A server's output has ended.
    OutputEnded { link: u64, partial: bool, errno: Option<Errno> },
    /// A server's input cannot be written to.
    InputClosed { link: u64, errno: Errno },
    /// A server's output cannot be understood any further.
    Broken { link: u64, why: String },
}

/// The runtime that all clients of the process share.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) poller: Poller,
    pub(crate) callbacks: Arc<Callbacks>,
    epoch: Instant,
    commands: Mutex<Vec<Command>>,
    grace: Mutex<Vec<Arc<Connection>>>,
    /// Until when the thread sleeps, in nanoseconds since the epoch; 0 while it is awake.
    sleeps_until: AtomicU64,
    stopping: AtomicBool,
    threads: Threads,
}

static RUNTIME: Shared<Runtime> = Shared::new();

impl Runtime {
    /// The runtime, started if this is the first client.
    pub(crate) fn acquire() -> Result<Arc<Runtime>, Error> {
        RUNTIME.acquire(Runtime::start)
    }

    fn start() -> Result<Arc<Runtime>, Error> {
        let failed = |what: &str, why: &dyn std::fmt::Display| {
            Error::new(
                Status::Internal,
                "client_new",
                format!("cannot start the library's thread: {what}: {why}"),
            )
        };
        let poller = Poller::new().map_err(|errno| failed("no descriptor", &errno))?;
        let runtime = Arc::new(Runtime {
            poller,
            callbacks: Arc::new(Callbacks::default()),
            epoch: Instant::now(),
            commands: Mutex::default(),
            grace: Mutex::default(),
            sleeps_until: AtomicU64::new(u64::MAX),
            stopping: AtomicBool::new(false),
            threads: Threads::default(),
        });
        let mine = Arc::clone(&runtime);
        runtime.threads.start("libmcp", move || mine.work()).map_err(|error| failed("no thread", &error))?;
        Ok(runtime)
    }

    /// A client is gone. After the last one the threads end, and this waits for them, unless it runs on one of them.
    pub(crate) fn release() {
        let Some(runtime) = RUNTIME.release() else { return };
        runtime.stopping.store(true, Ordering::SeqCst);
        runtime.poller.wake();
        runtime.threads.join_with_timeout();
        runtime.callbacks.stop();
        // Connections keep the runtime, so what keeps connections must not outlive the thread that would look at it.
        let left =
            (std::mem::take(&mut *lock(&runtime.grace)), std::mem::take(&mut *lock(&runtime.commands)));
        drop(left);
    }

    /// Has the background thread do something.
    pub(crate) fn command(&self, command: Command) {
        lock(&self.commands).push(command);
        self.poller.wake();
    }

    /// Connects to a socket on a thread of its own.
    pub(crate) fn help(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        self.threads.help("libmcp-connect", HELPERS, work)
    }

    /// Has the background thread look at a connection after the grace time.
    pub(crate) fn grace(&self, connection: Arc<Connection>) {
        let mut grace = lock(&self.grace);
        let first = grace.is_empty();
        grace.push(connection);
        drop(grace);
        if first {
            self.wake_by(self.nanos(Some(Instant::now() + GRACE)));
        }
    }

    /// A point in time as the runtime counts it.
    pub(crate) fn nanos(&self, at: Option<Instant>) -> u64 {
        at.map_or(u64::MAX, |at| {
            u64::try_from(at.saturating_duration_since(self.epoch).as_nanos()).unwrap_or(u64::MAX - 1)
        })
    }

    /// Makes sure that the background thread is awake by then, in the nanoseconds of [`Runtime::nanos`].
    pub(crate) fn wake_by(&self, nanos: u64) {
        if nanos < self.sleeps_until.load(Ordering::SeqCst) {
            self.poller.wake();
        }
    }

    fn work(self: Arc<Runtime>) {
        let mut connections: Vec<Weak<Connection>> = Vec::new();
        let mut peers = Peers::default();
        let mut ready = Vec::new();
        let mut grace_at: Option<Instant> = None;
        loop {
            // Said before looking, so that whoever makes something due in between wakes us.
            self.sleeps_until.store(u64::MAX, Ordering::SeqCst);
            if grace_at.is_none() && !lock(&self.grace).is_empty() {
                grace_at = Some(Instant::now() + GRACE);
            }
            let wake_at = self.next_wake(&connections, &peers).min(self.nanos(grace_at));
            self.sleeps_until.store(wake_at, Ordering::SeqCst);
            let now = self.nanos(Some(Instant::now()));
            let timeout = match wake_at {
                u64::MAX => None,
                // Rounded up, so that what is due is due when the wait ends.
                at => Some(Duration::from_nanos(at.saturating_sub(now).saturating_add(1000))),
            };
            self.poller.wait(&mut ready, timeout);
            self.sleeps_until.store(0, Ordering::SeqCst);
            let commands = std::mem::take(&mut *lock(&self.commands));
            for command in commands {
                match command {
                    Command::Add(connection) => connections.push(connection),
                    Command::Carry(connection) => self.guarded(|| connection.carry()),
                    command => self.guarded(|| peers.command(&self, command)),
                }
            }
            for token in &ready {
                self.guarded(|| peers.ready(&self, *token));
            }
            let now = Instant::now();
            self.guarded(|| peers.tick(&self, now));
            self.guarded(|| self.tick(&mut connections, now));
            if grace_at.is_some_and(|at| at <= now) {
                grace_at = None;
                self.guarded(|| self.look_after_grace());
            }
            if self.stopping.load(Ordering::SeqCst) {
                peers.kill_all();
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

    fn next_wake(&self, connections: &[Weak<Connection>], peers: &Peers) -> u64 {
        let due = connections
            .iter()
            .filter_map(Weak::upgrade)
            .map(|connection| connection.due.load(Ordering::SeqCst))
            .min()
            .unwrap_or(u64::MAX);
        due.min(self.nanos(peers.next_deadline()))
    }

    fn tick(&self, connections: &mut Vec<Weak<Connection>>, now: Instant) {
        let now = self.nanos(Some(now));
        connections.retain(|connection| {
            let Some(connection) = connection.upgrade() else { return false };
            if connection.due.load(Ordering::SeqCst) <= now {
                let panics = catch_unwind(AssertUnwindSafe(|| connection.tick(None))).is_err();
                if panics {
                    // Not again at once, and not in the way of the others.
                    connection.due.store(u64::MAX, Ordering::SeqCst);
                    self.callbacks.event(
                        &connection.name,
                        Level::Error,
                        "internal.panic",
                        serde_json::Map::new,
                    );
                }
            }
            true
        });
    }

    fn look_after_grace(&self) {
        let list = std::mem::take(&mut *lock(&self.grace));
        let mut again: Vec<Arc<Connection>> =
            list.into_iter().filter(|connection| connection.grace_is_over()).collect();
        lock(&self.grace).append(&mut again);
    }
}
