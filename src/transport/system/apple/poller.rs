//! A poller over kqueue.

#![allow(unsafe_code)]

use crate::transport::system::Interest;
use crate::transport::system::io::timespec;
use crate::transport::system::poller::Wake;
use rustix::event::kqueue::{Event, EventFilter, EventFlags, kevent_timespec, kqueue};
use rustix::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use rustix::io::{Errno, FdFlags};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

/// The token of the poller's own wake.
const WAKE: u64 = u64::MAX;

/// Waits for many descriptors.
#[derive(Debug)]
pub struct Poller {
    queue: OwnedFd,
    wake: Arc<Wake>,
}

impl Poller {
    /// A poller that watches nothing.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Poller, Errno> {
        let queue = kqueue()?;
        rustix::io::fcntl_setfd(&queue, FdFlags::CLOEXEC)?;
        let poller = Poller { queue, wake: Arc::new(Wake::new()?) };
        poller.watch(poller.wake.fd(), WAKE, Interest::Readable)?;
        Ok(poller)
    }

    /// Begins to watch a descriptor.
    ///
    /// # Errors
    /// When the kernel's bound on watches is reached.
    pub fn watch(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        self.rearm(fd, token, interest)
    }

    /// Changes what a watched descriptor is watched for. A queue has one watch for each direction, and keeps the flags with which it was
    /// added: so both are taken out first.
    ///
    /// # Errors
    /// When the kernel refuses it.
    pub fn rearm(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        self.unwatch(&fd);
        let fd = fd.as_fd().as_raw_fd();
        let (filter, kind) = match interest {
            Interest::Readable => (EventFilter::Read(fd), EventFlags::empty()),
            Interest::ReadableOnce => (EventFilter::Read(fd), EventFlags::ONESHOT),
            Interest::WritableOnce => (EventFilter::Write(fd), EventFlags::ONESHOT),
            Interest::None => return Ok(()),
        };
        self.change(filter, EventFlags::ADD | kind, token)
    }

    /// Ends the watch of a descriptor. Must come before it is closed: a child that has a copy would keep what waits there.
    pub fn unwatch(&self, fd: impl AsFd) {
        let fd: RawFd = fd.as_fd().as_raw_fd();
        self.remove(EventFilter::Read(fd));
        self.remove(EventFilter::Write(fd));
    }

    fn remove(&self, filter: EventFilter) {
        // Fails only when it was not watched.
        let _was_not_watched = self.change(filter, EventFlags::DELETE, 0);
    }

    fn change(&self, filter: EventFilter, flags: EventFlags, token: u64) -> Result<(), Errno> {
        // A number as large as a pointer on every system that has a kqueue and Rust's standard library today.
        let token = usize::try_from(token).unwrap_or(usize::MAX);
        let change = Event::new(filter, flags, ptr::without_provenance_mut(token));
        let mut none: [MaybeUninit<Event>; 0] = [];
        let now = timespec(Duration::ZERO);
        // SAFETY: the descriptor of the change is open, as the caller has borrowed it; the token is a number and no pointer.
        unsafe { kevent_timespec(&self.queue, &[change], &mut none[..], Some(&now)) }.map(|_| ())
    }

    /// Ends the wait of the thread in [`Poller::wait`], or its next one.
    pub fn wake(&self) {
        self.wake.set();
    }

    /// What does that, for a signal handler.
    #[cfg(feature = "server")]
    pub fn waker(&self) -> Arc<Wake> {
        Arc::clone(&self.wake)
    }

    /// Waits, at most `timeout`, and gives the tokens of what is ready.
    pub fn wait(&self, ready: &mut Vec<u64>, timeout: Option<Duration>) {
        ready.clear();
        let timeout = timeout.map(timespec);
        let mut events = [const { MaybeUninit::uninit() }; 64];
        // SAFETY: no watch is added, and the tokens are numbers and no pointers.
        let found = unsafe { kevent_timespec(&self.queue, &[], &mut events[..], timeout.as_ref()) };
        let Ok((events, _)) = found else { return };
        for event in events {
            match u64::try_from(event.udata().addr()) {
                Ok(WAKE) => self.wake.clear(),
                Ok(token) => ready.push(token),
                Err(_) => {}
            }
        }
    }
}
