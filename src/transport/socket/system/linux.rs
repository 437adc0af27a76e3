//! Sockets on Linux.

#![allow(dead_code, reason = "not every build has every user of these")]

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType,
    acceptfrom_with, socket_with, socketpair, sockopt,
};

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(in crate::transport) const ACKNOWLEDGES: bool = true;
/// The longest path of a Unix socket; the system's structure has room for one byte more, the NUL.
pub(in crate::transport) const PATH_BYTES: usize = 107;
/// A send that raises no `SIGPIPE`.
pub(in crate::transport) const QUIET: SendFlags = SendFlags::NOSIGNAL;
/// A send that does not wait.
pub(in crate::transport) const SEND_AT_ONCE: SendFlags = SendFlags::DONTWAIT;
/// A receive that does not wait.
pub(in crate::transport) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::DONTWAIT;
/// Opens a folder that may be entered and not listed.
pub(in crate::transport) const ENTER_ONLY: OFlags = OFlags::PATH;
/// A descriptor opened so leads to no stream.
pub(in crate::transport) const NO_STREAM: OFlags = OFlags::PATH;

const FLAGS: SocketFlags = SocketFlags::CLOEXEC.union(SocketFlags::NONBLOCK);

/// A socket for a stream: close-on-exec, non-blocking, without `SIGPIPE` when it is written with [`QUIET`].
pub(in crate::transport) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    socket_with(family, SocketType::STREAM, FLAGS, None)
}

/// A connection that waits on a listening socket, made ready as by [`stream_socket`].
pub(in crate::transport) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    acceptfrom_with(listening, FLAGS)
}

/// Two sockets that are connected, made ready as by [`stream_socket`].
pub(in crate::transport) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    socketpair(AddressFamily::UNIX, SocketType::STREAM, FLAGS, None)
}

/// The address of a name that is no file.
pub(in crate::transport) fn abstract_address(name: &str) -> Result<SocketAddrUnix, Errno> {
    SocketAddrUnix::new_abstract_name(name.as_bytes())
}

/// How long what was sent may stay unacknowledged before the peer counts as gone.
pub(in crate::transport) fn limit_unacknowledged(socket: impl AsFd, milliseconds: u32) {
    // Only for the better.
    let _unsupported = sockopt::set_tcp_user_timeout(socket, milliseconds);
}

/// Has the system acknowledge at once what was received. Says whether it was asked to: it does so anyway in a moment if it refuses.
pub(in crate::transport) fn acknowledge_at_once(socket: impl AsFd) -> bool {
    let _asked_or_not = sockopt::set_tcp_quickack(socket, true);
    true
}
