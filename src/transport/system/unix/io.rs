//! Descriptors, sockets and error numbers of Linux, Android and macOS.

#![allow(dead_code, reason = "not every build has every user of these")]

use rustix::event::Timespec;
use rustix::fd::{AsFd, AsRawFd as _, OwnedFd};
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg, sockopt};
use std::io::IoSlice;
use std::time::Duration;

/// The first descriptor that is not a standard stream.
const FIRST: i32 = 3;

/// This descriptor, or where that is one of the standard streams, another one of the same: a host may have closed those.
///
/// # Errors
/// When no descriptor is left.
pub(crate) fn above_standard_streams(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    if fd.as_raw_fd() >= FIRST { Ok(fd) } else { rustix::io::fcntl_dupfd_cloexec(&fd, FIRST) }
}

/// One more descriptor of a socket, close-on-exec, and none of those of the standard streams.
///
/// # Errors
/// When no descriptor is left.
pub fn duplicate(socket: &OwnedFd) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(socket, FIRST)
}

/// Sends several pieces in one call.
///
/// # Errors
/// What the system said.
pub(crate) fn send_slices(
    socket: impl AsFd,
    slices: &[IoSlice<'_>],
    flags: SendFlags,
) -> Result<usize, Errno> {
    sendmsg(socket, slices, &mut SendAncillaryBuffer::default(), flags)
}

/// Has a server listen again on a port that connections of an earlier one still hold. One that listens still has it.
pub(crate) fn take_port_over(socket: &OwnedFd) -> Result<(), Errno> {
    sockopt::set_socket_reuseaddr(socket, true)
}

/// Whether a new descriptor is one of the last quarter that the process may have: those are for its own files,
/// however many clients connect. The system gives the lowest number that is free.
pub(crate) fn leaves_too_few(fd: &OwnedFd) -> bool {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let number = u64::try_from(fd.as_raw_fd()).unwrap_or(0);
    limit.is_some_and(|limit| number >= limit - limit / 4)
}

/// The connection is in progress.
pub(crate) const CONNECTING: Errno = Errno::INPROGRESS;
/// It exists already.
pub(crate) const EXISTS: Errno = Errno::EXIST;
/// The reader is gone.
#[cfg(test)]
pub(crate) const READER_GONE: Errno = Errno::PIPE;
/// Out of memory.
pub(crate) const NO_MEMORY: Errno = Errno::NOMEM;
/// Not found.
pub(crate) const NOT_FOUND: Errno = Errno::NOENT;
/// The system, and not only this process, has no more room for descriptors.
pub(crate) const NO_ROOM_IN_SYSTEM: Errno = Errno::NFILE;
/// Not permitted for this user.
pub(crate) const NOT_PERMITTED: Errno = Errno::PERM;

/// The time limit.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// The number of a descriptor, for the host.
pub(crate) fn number(fd: &OwnedFd) -> i32 {
    fd.as_raw_fd()
}
