//! Pipes on Windows. A pipe has no readiness there that a thread could wait for together with sockets. So each pipe of a server has a
//! carrier, which moves bytes between the pipe and a socket with overlapped operations; the rest of the library knows the socket alone.

use super::carrier::{Carried, Carrier, End};
use super::handle::{Flow, Handle, named_pipe};
use crate::transport::socket::system::{send_slices, streams};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::SendFlags;
use std::io::IoSlice;

/// A pipe to a process that is going to be started: a socket for this process, an inheritable handle for the
/// other one, and what knows when all was carried.
///
/// # Errors
/// What the system said.
pub fn pair(flow: Flow) -> Result<(OwnedFd, Handle, Carried), Errno> {
    let (ours, theirs) = named_pipe(flow)?;
    let (socket, carried) = streams()?;
    let end = match flow {
        Flow::In => Carrier::start(End::Pipe(ours), End::Socket(carried))?,
        Flow::Out => Carrier::start(End::Socket(carried), End::Pipe(ours))?,
    };
    Ok((socket, theirs, end))
}

/// There is no `SIGPIPE`.
pub fn keep_quiet(_output: &OwnedFd) {}

/// Writes to the socket of a pipe.
///
/// # Errors
/// What the system said.
pub fn write_quietly(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    send_slices(fd, slices, SendFlags::empty())
}

/// Pipes are made as large as they get.
pub fn enlarge(_fd: &OwnedFd, _bytes: usize) {}

/// The socket does not tell what was not read.
pub fn unread(_output: &OwnedFd) -> Option<u64> {
    None
}
