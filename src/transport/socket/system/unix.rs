//! Sockets on all systems but Windows.

#![allow(dead_code, reason = "not every build has every user of these")]

use rustix::fd::{AsFd, AsRawFd as _, OwnedFd};
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg, sockopt};
use std::io::IoSlice;

/// The first descriptor that is no standard stream.
const FIRST: i32 = 3;

/// One more descriptor of a socket, close-on-exec, and none of those of the standard streams.
///
/// # Errors
/// When no descriptor is left.
pub(in crate::transport) fn duplicate(socket: &OwnedFd) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(socket, FIRST)
}

/// Sends several pieces in one call.
///
/// # Errors
/// What the system said.
pub(in crate::transport) fn send_slices(
    socket: impl AsFd,
    slices: &[IoSlice<'_>],
    flags: SendFlags,
) -> Result<usize, Errno> {
    sendmsg(socket, slices, &mut SendAncillaryBuffer::default(), flags)
}

/// Has a server listen again on a port that connections of an earlier one still hold. One that listens still has it.
pub(in crate::transport) fn take_port_over(socket: &OwnedFd) -> Result<(), Errno> {
    sockopt::set_socket_reuseaddr(socket, true)
}

/// Whether a new descriptor is one of the last quarter that the process may have: those are for its own files,
/// however many clients connect. The system gives the lowest number that is free.
pub(in crate::transport) fn leaves_too_few(fd: &OwnedFd) -> bool {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let number = u64::try_from(fd.as_raw_fd()).unwrap_or(0);
    limit.is_some_and(|limit| number >= limit - limit / 4)
}
