//! What clients and the background thread share: what there is to do, and when the thread wakes.

use crate::runtime::link::owner::Driven;
use crate::runtime::lock;
use crate::runtime::logger::Callbacks;
use crate::runtime::sync;
use crate::runtime::threads::{GRACE, Threads};
use crate::transport::poller::Poller;
use crate::transport::socket::ConnectError;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

/// Threads that connect at the same time.
const HELPERS: usize = 256;

/// Something for the background thread to do.
#[derive(Debug)]
pub(crate) enum BackgroundCommand {
    /// A client was made.
    Add(Weak<dyn Driven>),
    /// Start a server, or connect to one.
    Open { connection: Arc<dyn Driven>, generation: u64 },
    /// A thread that connects to a socket has done so, or cannot.
    Reached { attempt: u64, outcome: Result<OwnedFd, ConnectError> },
    /// End a server; `by` bounds it. The generation `u64::MAX` means all of the client's.
    Shut { client: u64, generation: u64, by: Option<Instant> },
    /// Go on with what a client's own transport has to do.
    Carry(Arc<dyn Driven>),
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
    /// When a connection has something to do.
    pub(super) next_deadline: NextDeadline,
    commands: Mutex<Vec<BackgroundCommand>>,
    grace: Mutex<Vec<Arc<dyn Driven>>>,
    /// Until when the thread sleeps, in nanoseconds since the epoch; 0 while it is awake.
    pub(super) sleeps_until: AtomicU64,
    pub(super) stopping: AtomicBool,
    pub(super) threads: Threads,
}

impl Runtime {
    pub(crate) fn new(poller: Poller) -> Runtime {
        Runtime {
            poller,
            callbacks: Arc::new(Callbacks::default()),
            epoch: Instant::now(),
            next_deadline: NextDeadline::default(),
            commands: Mutex::default(),
            grace: Mutex::default(),
            sleeps_until: AtomicU64::new(u64::MAX),
            stopping: AtomicBool::new(false),
            threads: Threads::default(),
        }
    }

    /// What the background thread was told to do.
    pub(super) fn take_commands(&self) -> Vec<BackgroundCommand> {
        std::mem::take(&mut *lock(&self.commands))
    }

    /// The connections to look at after the grace time.
    pub(crate) fn take_graced(&self) -> Vec<Arc<dyn Driven>> {
        std::mem::take(&mut *lock(&self.grace))
    }

    pub(super) fn has_graced(&self) -> bool {
        !lock(&self.grace).is_empty()
    }

    /// They are looked at once more.
    pub(super) fn grace_again(&self, mut again: Vec<Arc<dyn Driven>>) {
        lock(&self.grace).append(&mut again);
    }

    /// Has the background thread do something.
    pub(crate) fn command(&self, command: BackgroundCommand) {
        lock(&self.commands).push(command);
        self.poller.wake();
    }

    /// Connects to a socket on a thread of its own.
    pub(crate) fn help(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        self.threads.help("libmcp-connect", HELPERS, work)
    }

    /// Has the background thread look at a connection after the grace time.
    pub(crate) fn grace(&self, connection: Arc<dyn Driven>) {
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

    /// A connection has something to do then, in the nanoseconds of [`Runtime::nanos`], which it has written down before.
    pub(crate) fn due_by(&self, nanos: u64) {
        self.next_deadline.include(nanos);
        self.wake_by(nanos);
    }

    /// The same, now: for a signal handler.
    pub(crate) fn due_now(&self) {
        self.next_deadline.include(0);
        self.poller.wake();
    }

    /// Makes sure that the background thread is awake by then.
    fn wake_by(&self, nanos: u64) {
        if nanos < self.sleeps_until.load(Ordering::SeqCst) {
            self.poller.wake();
        }
    }
}

/// A bound from below for the times of all connections, in the nanoseconds of `Runtime::nanos`: none of them has something to do
/// before. A time that was put off leaves it as it is, and the thread looks at all of them once for nothing.
#[derive(Debug)]
pub(crate) struct NextDeadline(sync::atomic::AtomicU64);

impl Default for NextDeadline {
    fn default() -> NextDeadline {
        NextDeadline(sync::atomic::AtomicU64::new(u64::MAX))
    }
}

impl NextDeadline {
    /// A connection has something to do at this time, which it has written down before. Async-signal-safe.
    pub(crate) fn include(&self, at: u64) {
        // Also where it changes nothing: a thread that forgets after this sees what was written down before it.
        self.0.fetch_min(at, Ordering::SeqCst);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Before a look at all connections, so that a time which one of them writes down meanwhile is either seen or included. A swap,
    /// which reads the last time that was included, and not a store: with a store a time could be lost, as `model/earliest.rs` shows.
    pub(crate) fn forget(&self) {
        self.0.swap(u64::MAX, Ordering::SeqCst);
    }
}
