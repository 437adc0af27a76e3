//! Pipes and sockets of macOS and the systems made from it.

#![allow(unsafe_code)]
#![allow(dead_code, reason = "not every build has every user of these")]

use crate::transport::system::FileIdentity;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{OFlags, Stat};
use rustix::io::{Errno, FdFlags};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, acceptfrom,
    socket, socketpair, sockopt,
};
use std::io::IoSlice;

/// A close-on-exec pipe: the end that is read, and the end that is written. There is no call that makes it so at once: a program that
/// another thread starts between the two calls, without `POSIX_SPAWN_CLOEXEC_DEFAULT`, inherits the ends.
///
/// # Errors
/// When no descriptors are left.
pub fn pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (reader, writer) = rustix::pipe::pipe()?;
    rustix::io::fcntl_setfd(&reader, FdFlags::CLOEXEC)?;
    rustix::io::fcntl_setfd(&writer, FdFlags::CLOEXEC)?;
    Ok((reader, writer))
}

/// Has writes to this end fail without `SIGPIPE`. The system sends that signal to the process and not to the thread, so that a mask
/// would not keep it off.
pub fn keep_quiet(output: &OwnedFd) {
    // SAFETY: the call takes numbers only. It fails for a descriptor that raises no such signal.
    let _raises_none = unsafe { libc::fcntl(output.as_raw_fd(), libc::F_SETNOSIGPIPE, 1) };
}

/// Writes. [`keep_quiet`] has kept `SIGPIPE` off.
///
/// # Errors
/// What the system said.
pub fn write_quietly(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    rustix::io::writev(fd.as_fd(), slices)
}

/// The system enlarges a pipe by itself.
pub fn enlarge(_fd: &OwnedFd, _bytes: usize) {}

/// The writing end of a pipe does not tell what is left in it.
pub fn unread(_output: &OwnedFd) -> Option<u64> {
    None
}

/// What a descriptor leads to.
pub fn file_identity(stat: &Stat) -> FileIdentity {
    let (device, is) = (i64::from(stat.st_dev), i64::from(stat.st_rdev));
    FileIdentity(device.cast_unsigned(), stat.st_ino, is.cast_unsigned())
}

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(crate) const ACKNOWLEDGES: bool = false;
/// The longest path of a Unix socket; the system's structure has room for one byte more, the NUL.
pub(crate) const PATH_BYTES: usize = 103;
/// The sockets themselves raise no `SIGPIPE` (`SO_NOSIGPIPE`).
pub(crate) const QUIET: SendFlags = SendFlags::empty();
/// A send that does not wait.
pub(crate) const SEND_AT_ONCE: SendFlags = SendFlags::DONTWAIT;
/// A receive that does not wait.
pub(crate) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::DONTWAIT;
/// A folder can only be opened to be listed.
pub(crate) const ENTER_ONLY: OFlags = OFlags::RDONLY;
/// Every open descriptor may be a stream.
pub(crate) const NO_STREAM: OFlags = OFlags::empty();

/// There are no flags for the making of a socket: a program that another thread starts meanwhile, without
/// `POSIX_SPAWN_CLOEXEC_DEFAULT`, inherits it.
fn made_ready(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_setfd(&fd, FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&fd, true)?;
    sockopt::set_socket_nosigpipe(&fd, true)?;
    Ok(fd)
}

/// A socket for a stream: close-on-exec, non-blocking, without `SIGPIPE`.
pub(crate) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    socket(family, SocketType::STREAM, None).and_then(made_ready)
}

/// A connection that waits on a listening socket, made ready as by [`stream_socket`].
pub(crate) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    let (fd, from) = acceptfrom(listening)?;
    // `SO_NOSIGPIPE` cannot be set on a connection that its client has ended already.
    match made_ready(fd) {
        Ok(fd) => Ok((fd, from)),
        Err(Errno::INVAL) => Err(Errno::CONNABORTED),
        Err(errno) => Err(errno),
    }
}

/// Two sockets that are connected, made ready as by [`stream_socket`].
pub(crate) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (one, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty(), None)?;
    Ok((made_ready(one)?, made_ready(other)?))
}

/// macOS has no abstract names.
pub(crate) fn abstract_address(_name: &str) -> Result<SocketAddrUnix, Errno> {
    Err(Errno::AFNOSUPPORT)
}

/// There is no such option here: keep-alive packets find out when the peer is gone.
pub(crate) fn limit_unacknowledged(_socket: impl AsFd, _milliseconds: u32) {}

/// There is no such option here.
pub(crate) fn acknowledge_at_once(_socket: impl AsFd) -> bool {
    false
}
