//! The part of a queue that a signal handler may touch: whether a wait is to end, and what the waiting threads sleep on.
//!
//! A handler interrupts a thread anywhere, also while that thread holds the queue's lock. So there is no lock here, no memory
//! is allocated or freed and no thread-local storage is used: atomics, and system calls that a handler may make.

use crate::engine::{Error, Status};
use crate::runtime::numbered::Numbered;
use crate::runtime::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use crate::runtime::sync::{Mutex, Parking, lock};
use crate::transport::poller::HostDescriptor;
#[cfg(feature = "server")]
use crate::transport::poller::Wake;
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

/// What ends the waits on a queue.
#[derive(Debug, Default)]
pub struct WakeState {
    /// A wait is to end. It stays set until one does.
    requested: AtomicBool,
    /// Where threads sleep. It changes with all they may want to look at.
    parking: Parking,
    /// Threads that sleep, or are about to.
    sleepers: AtomicUsize,
    /// The queue's descriptor, once there is one.
    descriptor: OnceLock<Arc<HostSet>>,
    /// The descriptor was set since it was last cleared.
    is_set: AtomicBool,
    /// The descriptor may have been set again after a look cleared it.
    is_stale: AtomicBool,
    /// What ends the wait of the thread that drives the only server of the queue: that one sleeps on descriptors.
    #[cfg(feature = "server")]
    driver: OnceLock<Arc<Wake>>,
}

/// Counts a thread that sleeps as long as this is there.
pub(crate) struct Sleeper<'a>(&'a WakeState);

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        self.0.sleepers.fetch_sub(1, Ordering::SeqCst);
    }
}

impl WakeState {
    /// Ends one wait in progress, or the next one. Async-signal-safe.
    pub fn wake(&self) {
        self.requested.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if let Some(host) = self.descriptor.get() {
            self.set_descriptor(host);
            // After it was set: the wake may have been taken, and the descriptor cleared, before that.
            self.is_stale.store(true, Ordering::SeqCst);
        }
        self.notify();
        #[cfg(feature = "server")]
        if let Some(driver) = self.driver.get() {
            driver.set();
        }
    }

    /// A wake ends the wait of this thread, too.
    #[cfg(feature = "server")]
    pub(crate) fn wakes_driver(&self, driver: Arc<Wake>) {
        // A queue that one server owns is told once.
        let _is_told = self.driver.set(driver);
    }

    /// Has the threads that sleep look again.
    pub(super) fn notify(&self) {
        if self.sleepers.load(Ordering::SeqCst) == 0 {
            return;
        }
        self.parking.wake_all();
    }

    pub(super) fn has_sleepers(&self) -> bool {
        self.sleepers.load(Ordering::SeqCst) > 0
    }

    /// Must be there before the look after which a thread sleeps.
    pub(crate) fn sleeper(&self) -> Sleeper<'_> {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        // Against the fence in `wake`: either that sees the sleeper, or the look sees the request.
        fence(Ordering::SeqCst);
        Sleeper(self)
    }

    pub(super) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Takes the wake, if there is one. Of several threads one gets it.
    pub(super) fn take(&self) -> bool {
        // Most looks find none: they write nothing.
        self.is_requested() && self.requested.swap(false, Ordering::SeqCst)
    }

    /// Makes the descriptor readable.
    pub(super) fn set(&self) {
        if let Some(host) = self.descriptor.get() {
            self.set_descriptor(host);
        }
    }

    /// Whether the descriptor was set since it was last cleared.
    pub(super) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    fn set_descriptor(&self, host: &HostSet) {
        self.is_set.store(true, Ordering::SeqCst);
        host.descriptor().set();
    }

    /// Makes the descriptor unreadable, unless a wake came.
    pub(super) fn clear(&self) {
        let Some(host) = self.descriptor.get() else { return };
        // A wake that says that it sets the descriptor may do so after this has cleared it, and then says that it is stale.
        let is_stale = self.is_stale.swap(false, Ordering::SeqCst);
        if self.is_set.swap(false, Ordering::SeqCst) || is_stale {
            host.descriptor().clear();
        }
        // A wake sets it after the request, so one whose setting was cleared just now is seen here.
        if self.is_requested() {
            self.set_descriptor(host);
        }
    }

    /// Whether the descriptor may be readable without a reason.
    pub(super) fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::SeqCst)
    }

    /// The queue's descriptor, if there is one.
    pub(super) fn host(&self) -> Option<&Arc<HostSet>> {
        self.descriptor.get()
    }

    /// Whether a loop would wake now.
    #[cfg(mcp_loom)]
    pub(crate) fn is_ready(&self) -> bool {
        self.is_readable()
            || self.descriptor.get().is_some_and(|host| host.descriptor().readable().next().is_some())
    }

    #[cfg(test)]
    pub(super) fn is_readable(&self) -> bool {
        use crate::transport::poller::wait_for_wake;
        let is_set = |host: &Arc<HostSet>| wait_for_wake(host.descriptor().wake(), std::time::Duration::ZERO);
        self.descriptor.get().is_some_and(is_set)
    }

    /// The descriptor, made now if there is none. With the queue's lock held: only one thread makes it.
    pub(super) fn descriptor(&self, is_readable: bool) -> Result<i32, Error> {
        if let Some(host) = self.descriptor.get() {
            return Ok(host.descriptor().number());
        }
        let fresh = HostSet::new().map(Arc::new).map_err(|errno| {
            Error::new(Status::Internal, "queue_fd", format!("no descriptor could be made: {errno}"))
        })?;
        let host = self.descriptor.get_or_init(|| fresh);
        // Either the wake finds the descriptor, or this finds the request.
        fence(Ordering::SeqCst);
        if is_readable || self.is_requested() {
            self.set_descriptor(host);
        }
        Ok(host.descriptor().number())
    }
}

impl Sleeper<'_> {
    /// What [`Sleeper::sleep`] must be given: taken before the look.
    pub(crate) fn changes(&self) -> u32 {
        self.0.parking.changes()
    }

    /// Sleeps until something changed after `seen`, or the time is over. May end early, as by a signal.
    pub(crate) fn sleep(&self, seen: u32, until: Option<Instant>) {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        self.0.parking.sleep(seen, left);
    }
}

/// A connection that is read by the thread that looks into its queue, and has its frames written by it.
pub(crate) trait Shown: Send + Sync {
    /// Reads what is there, unless another thread does. Never waits.
    fn read_now(&self);

    /// Writes what was held back for that thread. Never waits.
    fn write_now(&self);
}

/// The descriptor of a queue, and the connections that it shows.
#[derive(Debug)]
pub(crate) struct HostSet {
    descriptor: HostDescriptor,
    /// By the numbers of their pipes.
    shown: Mutex<Numbered<Weak<dyn Shown>>>,
}

impl HostSet {
    pub(crate) fn new() -> Result<HostSet, Errno> {
        Ok(HostSet { descriptor: HostDescriptor::new()?, shown: Mutex::new(Numbered::default()) })
    }

    pub(crate) fn descriptor(&self) -> &HostDescriptor {
        &self.descriptor
    }

    /// Has the descriptor readable while `fd` is. Says whether the system can do that. `fd` must be hidden before it is closed.
    pub(crate) fn show(&self, number: u64, fd: impl AsFd, connection: Weak<dyn Shown>) -> bool {
        let mut shown = lock(&self.shown);
        let is_shown = self.descriptor.show(fd, number).is_ok();
        if is_shown {
            shown.insert(number, connection);
        }
        is_shown
    }

    /// The descriptor no longer depends on `fd`.
    pub(crate) fn hide(&self, number: u64, fd: impl AsFd) {
        let mut shown = lock(&self.shown);
        shown.remove(number);
        self.descriptor.hide(fd);
    }

    /// The connections that have something to read; the only one without a look.
    pub(crate) fn readable(&self) -> Vec<Arc<dyn Shown>> {
        let shown = lock(&self.shown);
        match shown.len() {
            // Reading tells it as well.
            0 | 1 => shown.values().filter_map(Weak::upgrade).collect(),
            _ => {
                let numbers = self.descriptor.readable();
                numbers.filter_map(|number| shown.get(number)?.upgrade()).collect()
            }
        }
    }
}
