//! The descriptor that a loop of the host's watches, on Linux: a set of a wake, and of what is to be read.

use super::{Wake, model, number};
use rustix::event::{Timespec, epoll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::mem::MaybeUninit;

/// The token of the wake.
const WAKE: u64 = u64::MAX;

/// Readable while its wake is set, or something that it shows is readable.
#[derive(Debug)]
pub struct HostDescriptor {
    epoll: OwnedFd,
    wake: Wake,
}

impl HostDescriptor {
    /// A descriptor that shows nothing, and is not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<HostDescriptor, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        // It never makes a reader wait, but some loops, such as Go's, take only descriptors that say so.
        rustix::fs::fcntl_setfl(&epoll, rustix::fs::OFlags::NONBLOCK)?;
        let host = HostDescriptor { epoll, wake: Wake::new()? };
        host.show(host.wake.fd(), WAKE)?;
        Ok(host)
    }

    /// Sets the wake.
    pub fn set(&self) {
        self.wake.set();
    }

    /// Takes the wake back.
    pub fn clear(&self) {
        self.wake.clear();
    }

    /// The wake alone.
    #[cfg(test)]
    pub fn wake(&self) -> &Wake {
        &self.wake
    }

    /// Its number, for the host.
    pub fn number(&self) -> i32 {
        number(&self.epoll)
    }

    /// Shows that a descriptor is readable, from now on. It must be hidden before it is closed.
    ///
    /// # Errors
    /// When the kernel's bound on watches is reached, or it is shown already.
    pub fn show(&self, fd: impl AsFd, token: u64) -> Result<(), Errno> {
        model::change(|| epoll::add(&self.epoll, fd, epoll::EventData::new_u64(token), epoll::EventFlags::IN))
    }

    /// Shows a descriptor no longer.
    pub fn hide(&self, fd: impl AsFd) {
        // Fails only when it was not shown.
        let _was_not_shown = epoll::delete(&self.epoll, fd);
    }

    /// The tokens of what is shown and readable, some of them if they are many.
    pub fn readable(&self) -> impl Iterator<Item = u64> + use<> {
        let mut events = [const { MaybeUninit::<epoll::Event>::uninit() }; 64];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let found = match epoll::wait(&self.epoll, &mut events[..], Some(&now)) {
            // Copied out: the struct is packed.
            Ok((events, _)) => events.iter().map(|event| { event.data }.u64()).collect(),
            // A signal of the host's: its loop finds the descriptor readable once more.
            Err(_) => Vec::new(),
        };
        found.into_iter().filter(|token| *token != WAKE)
    }
}
