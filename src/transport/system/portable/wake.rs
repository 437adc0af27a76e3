//! A wake that is two connected sockets: what is written to the one makes the other readable.

use crate::transport::poller::model;
use crate::transport::system::io::{QUIET, connected_pair, number};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::io::IsTerminal as _;

/// Two connected sockets; one thread writes to end another's wait. Level-triggered: it stays readable until cleared.
#[derive(Debug)]
pub struct Wake {
    read: OwnedFd,
    written: OwnedFd,
}

impl Wake {
    /// A wake, not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Wake, Errno> {
        let (read, written) = connected_pair()?;
        Ok(Wake { read, written })
    }

    /// Makes it readable. Async-signal-safe.
    pub fn set(&self) {
        // Fails only when it was set so often that the sockets are full: then it is readable all the more.
        let _already_readable = model::change(|| send(&self.written, b"w", SendFlags::empty() | QUIET));
    }

    /// Makes it unreadable.
    pub fn clear(&self) {
        let mut taken = [0_u8; 64];
        // What was set before this began is gone after it; the loop ends with the first read that finds less than it could take.
        while recv(&self.read, &mut taken[..], RecvFlags::empty())
            .is_ok_and(|(_, count)| count == taken.len())
        {}
    }

    /// The descriptor that is readable when it is set.
    pub fn fd(&self) -> &OwnedFd {
        &self.read
    }

    /// Its number, for the host.
    pub fn number(&self) -> i32 {
        number(&self.read)
    }
}

/// Whether a poller can watch a descriptor. Files and devices other than terminals never make a reader or writer wait, and
/// are not watched.
///
/// # Errors
/// When the system does not say what it is.
pub fn is_watchable(fd: impl AsFd) -> Result<bool, Errno> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::RegularFile | FileType::BlockDevice | FileType::Directory => false,
        FileType::CharacterDevice => fd.as_fd().is_terminal(),
        _ => true,
    })
}
