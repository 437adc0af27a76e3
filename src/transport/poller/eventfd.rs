//! A wake that is an eventfd.

use super::model;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

/// A descriptor that one thread writes to end another's wait. Level-triggered: it stays readable until cleared.
#[derive(Debug)]
pub struct Wake {
    fd: OwnedFd,
}

impl Wake {
    /// A wake, not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Wake, Errno> {
        eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map(|fd| Wake { fd })
    }

    /// Makes it readable.
    pub fn set(&self) {
        // Fails only when it is set 2^64 times over: then it is readable all the more.
        let _already_readable = model::change(|| rustix::io::write(&self.fd, &1u64.to_ne_bytes()));
    }

    /// Makes it unreadable.
    pub fn clear(&self) {
        let mut count = [0u8; 8];
        // Fails only when it was not set.
        let _was_not_set = rustix::io::read(&self.fd, &mut count[..]);
    }

    /// The descriptor.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }
}
