//! A wake that is two sockets connected over the loopback interface. What is written to the one arrives at the other a moment later, so
//! that reading until nothing is left may leave the last byte: it would make the descriptor readable for ever. So at most one byte is on
//! its way, and a flag says whether one is.

use super::{model, number};
use crate::transport::socket::system::connected_pair;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a byte may be on its way: the thread that writes it may be preempted just before.
const UNDER_WAY: Duration = Duration::from_secs(1);

/// Two connected sockets; one thread writes to end another's wait. Level-triggered: it stays readable until cleared.
#[derive(Debug)]
pub struct Wake {
    read: OwnedFd,
    written: OwnedFd,
    /// A byte is there, or on its way.
    is_set: AtomicBool,
}

impl Wake {
    /// A wake, not set.
    ///
    /// # Errors
    /// When no socket can be had.
    pub fn new() -> Result<Wake, Errno> {
        let (read, written) = connected_pair()?;
        Ok(Wake { read, written, is_set: AtomicBool::new(false) })
    }

    /// Makes it readable.
    pub fn set(&self) {
        if !self.is_set.swap(true, Ordering::SeqCst) {
            // It has room for one byte always.
            let _has_room = model::change(|| send(&self.written, b"w", SendFlags::empty()));
        }
    }

    /// Makes it unreadable.
    pub fn clear(&self) {
        if !self.is_set.swap(false, Ordering::SeqCst) {
            return;
        }
        let mut taken = [0_u8; 1];
        if recv(&self.read, &mut taken[..], RecvFlags::empty()) == Err(Errno::AGAIN) {
            let mut arrives = [PollFd::new(&self.read, PollFlags::IN)];
            // Where it takes longer, the descriptor is readable once without a reason.
            let _comes_later = poll(&mut arrives, Some(&super::timespec(UNDER_WAY)));
            let _comes_later = recv(&self.read, &mut taken[..], RecvFlags::empty());
        }
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
