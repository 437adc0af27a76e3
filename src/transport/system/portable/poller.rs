//! A poller over `poll(2)`: the descriptors stand in a list, which the waiting thread reads before each wait. It costs a
//! look at every descriptor for each wait.

#![allow(unsafe_code)]

use crate::transport::system::Interest;
use crate::transport::system::io::{EXISTS, NOT_FOUND, timespec};
use crate::transport::system::poller::Wake;
use rustix::event::{PollFd, PollFlags};
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use rustix::io::Errno;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A descriptor that is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WatchedDescriptor {
    fd: RawFd,
    token: u64,
    /// None once what it was armed for has come.
    armed: Option<Interest>,
    /// Tells it from an earlier watch of a descriptor with the same number, and from its own former interest.
    serial: u64,
}

#[derive(Debug, Default)]
struct WatchList {
    list: Vec<WatchedDescriptor>,
    serial: u64,
}

/// Waits for many descriptors.
#[derive(Debug)]
pub struct Poller {
    watches: Mutex<WatchList>,
    wake: Arc<Wake>,
}

impl Poller {
    /// A poller that watches nothing.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Poller, Errno> {
        Ok(Poller { watches: Mutex::default(), wake: Arc::new(Wake::new()?) })
    }

    fn watches(&self) -> MutexGuard<'_, WatchList> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to watch a descriptor.
    ///
    /// # Errors
    /// When it is watched already.
    pub fn watch(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        let fd = fd.as_fd().as_raw_fd();
        let mut watches = self.watches();
        if watches.list.iter().any(|watch| watch.fd == fd) {
            return Err(EXISTS);
        }
        watches.serial += 1;
        let watch = WatchedDescriptor { fd, token, armed: Some(interest), serial: watches.serial };
        watches.list.push(watch);
        drop(watches);
        // A thread that waits already has read the list.
        self.wake.set();
        Ok(())
    }

    /// Changes what a watched descriptor is watched for.
    ///
    /// # Errors
    /// When it is not watched.
    pub fn rearm(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        let fd = fd.as_fd().as_raw_fd();
        let mut watches = self.watches();
        watches.serial += 1;
        let serial = watches.serial;
        let watch = watches.list.iter_mut().find(|watch| watch.fd == fd).ok_or(NOT_FOUND)?;
        *watch = WatchedDescriptor { fd, token, armed: Some(interest), serial };
        drop(watches);
        self.wake.set();
        Ok(())
    }

    /// Ends the watch of a descriptor. Must come before it is closed: its number may name another one afterwards.
    pub fn unwatch(&self, fd: impl AsFd) {
        let fd = fd.as_fd().as_raw_fd();
        self.watches().list.retain(|watch| watch.fd != fd);
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
        let waited: Vec<WatchedDescriptor> =
            self.watches().list.iter().filter(|watch| watch.armed.is_some()).copied().collect();
        let mut fds = vec![PollFd::new(self.wake.fd(), PollFlags::IN)];
        fds.extend(waited.iter().map(|watch| {
            // SAFETY: a descriptor is unwatched before it is closed. Were one closed between the reading of the list and the
            // call, the system would say so, or tell of another descriptor: that is checked against the list below.
            let fd = unsafe { BorrowedFd::borrow_raw(watch.fd) };
            PollFd::from_borrowed_fd(fd, watch.armed.map_or(PollFlags::empty(), flags))
        }));
        let timeout = timeout.map(timespec);
        if rustix::event::poll(&mut fds, timeout.as_ref()).is_err() {
            return;
        }
        let (own, others) = fds.split_at(1);
        let mut watches = self.watches();
        for (watch, fd) in waited.iter().zip(others) {
            if fd.revents().is_empty() {
                continue;
            }
            let Some(now) = watches.list.iter_mut().find(|now| **now == *watch) else { continue };
            if watch.armed != Some(Interest::Readable) {
                now.armed = None;
            }
            ready.push(watch.token);
        }
        drop(watches);
        if own.iter().any(|own| !own.revents().is_empty()) {
            self.wake.clear();
        }
    }
}

fn flags(interest: Interest) -> PollFlags {
    match interest {
        Interest::Readable | Interest::ReadableOnce => PollFlags::IN,
        Interest::WritableOnce => PollFlags::OUT,
        // Hang-ups are told always; once, as for the others.
        Interest::None => PollFlags::empty(),
    }
}
