//! Sockets on macOS.

#![allow(dead_code, reason = "not every build has every user of these")]

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::OFlags;
use rustix::io::{Errno, FdFlags};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, acceptfrom,
    socket, socketpair, sockopt,
};

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(in crate::transport) const ACKNOWLEDGES: bool = false;
/// The longest path of a Unix socket; the system's structure has room for one byte more, the NUL.
pub(in crate::transport) const PATH_BYTES: usize = 103;
/// The sockets themselves raise no `SIGPIPE` (`SO_NOSIGPIPE`).
pub(in crate::transport) const QUIET: SendFlags = SendFlags::empty();
/// A send that does not wait.
pub(in crate::transport) const SEND_AT_ONCE: SendFlags = SendFlags::DONTWAIT;
/// A receive that does not wait.
pub(in crate::transport) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::DONTWAIT;
/// A folder can only be opened to be listed.
pub(in crate::transport) const ENTER_ONLY: OFlags = OFlags::RDONLY;
/// Every open descriptor may be a stream.
pub(in crate::transport) const NO_STREAM: OFlags = OFlags::empty();

/// There are no flags for the making of a socket: a program that another thread starts meanwhile, without
/// `POSIX_SPAWN_CLOEXEC_DEFAULT`, inherits it.
fn made_ready(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_setfd(&fd, FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&fd, true)?;
    sockopt::set_socket_nosigpipe(&fd, true)?;
    Ok(fd)
}

/// A socket for a stream: close-on-exec, non-blocking, without `SIGPIPE`.
pub(in crate::transport) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    socket(family, SocketType::STREAM, None).and_then(made_ready)
}

/// A connection that waits on a listening socket, made ready as by [`stream_socket`].
pub(in crate::transport) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    let (fd, from) = acceptfrom(listening)?;
    // `SO_NOSIGPIPE` cannot be set on a connection that its client has ended already.
    match made_ready(fd) {
        Ok(fd) => Ok((fd, from)),
        Err(Errno::INVAL) => Err(Errno::CONNABORTED),
        Err(errno) => Err(errno),
    }
}

/// Two sockets that are connected, made ready as by [`stream_socket`].
pub(in crate::transport) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (one, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty(), None)?;
    Ok((made_ready(one)?, made_ready(other)?))
}

/// There are no such names here.
pub(in crate::transport) fn abstract_address(_name: &str) -> Result<SocketAddrUnix, Errno> {
    Err(Errno::AFNOSUPPORT)
}

/// There is no such option here: keep-alive packets find out when the peer is gone.
pub(in crate::transport) fn limit_unacknowledged(_socket: impl AsFd, _milliseconds: u32) {}

/// There is no such option here.
pub(in crate::transport) fn acknowledge_at_once(_socket: impl AsFd) -> bool {
    false
}
