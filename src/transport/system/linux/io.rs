//! Pipes and sockets of Linux and Android.

#![allow(unsafe_code)]
#![allow(dead_code, reason = "not every build has every user of these")]

use crate::transport::system::FileIdentity;
use crate::transport::system::threads::{change_mask, signals};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType,
    acceptfrom_with, socket_with, socketpair, sockopt,
};
use rustix::pipe::{PipeFlags, pipe_with};
use std::io::IoSlice;
use std::ptr;

/// A close-on-exec pipe: the end that is read, and the end that is written.
///
/// # Errors
/// When no descriptors are left.
pub fn pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    pipe_with(PipeFlags::CLOEXEC)
}

/// Each write sees to it that it raises no signal.
pub fn keep_quiet(_output: &OwnedFd) {}

/// Asks for a pipe that holds so many bytes, for fewer and larger reads.
pub fn enlarge(fd: &OwnedFd, bytes: usize) {
    // A refusal (the user's pipe quota) costs nothing but speed.
    let _refused = rustix::pipe::fcntl_setpipe_size(fd, bytes);
}

/// How much of what was written into this pipe was not read.
pub fn unread(output: &OwnedFd) -> Option<u64> {
    rustix::io::ioctl_fionread(output).ok()
}

/// What a descriptor leads to.
pub fn file_identity(stat: &Stat) -> FileIdentity {
    FileIdentity(stat.st_dev, stat.st_ino, stat.st_rdev)
}

/// Writes with `SIGPIPE` blocked on this thread; one that the write raised is taken before the mask is restored.
///
/// # Errors
/// What the system said.
pub fn write_masked(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    let pipe_signal = signals(&[libc::SIGPIPE]);
    let before = change_mask(libc::SIG_BLOCK, &pipe_signal);
    let pending_before = is_pending(libc::SIGPIPE);
    let outcome = rustix::io::writev(fd.as_fd(), slices);
    if outcome == Err(Errno::PIPE) && !pending_before {
        let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both pointers are to live values of this function; the info pointer may be null.
        while unsafe { libc::sigtimedwait(&raw const pipe_signal, ptr::null_mut(), &raw const now) } == -1
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
    }
    change_mask(libc::SIG_SETMASK, &before);
    outcome
}

fn is_pending(signal: i32) -> bool {
    let mut pending = signals(&[signal]);
    // SAFETY: the set is live and initialised; `sigismember` only reads it.
    unsafe { libc::sigpending(&raw mut pending) == 0 && libc::sigismember(&raw const pending, signal) == 1 }
}

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(crate) const ACKNOWLEDGES: bool = true;
/// The longest path of a Unix socket; the system's structure has room for one byte more, the NUL.
pub(crate) const PATH_BYTES: usize = 107;
/// A send that raises no `SIGPIPE`.
pub(crate) const QUIET: SendFlags = SendFlags::NOSIGNAL;
/// A send that does not wait.
pub(crate) const SEND_AT_ONCE: SendFlags = SendFlags::DONTWAIT;
/// A receive that does not wait.
pub(crate) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::DONTWAIT;
/// Opens a folder that may be entered and not listed.
pub(crate) const ENTER_ONLY: OFlags = OFlags::PATH;
/// A descriptor opened so leads to no stream.
pub(crate) const NO_STREAM: OFlags = OFlags::PATH;

const FLAGS: SocketFlags = SocketFlags::CLOEXEC.union(SocketFlags::NONBLOCK);

/// A socket for a stream: close-on-exec, non-blocking, without `SIGPIPE` when it is written with [`QUIET`].
pub(crate) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    socket_with(family, SocketType::STREAM, FLAGS, None)
}

/// A connection that waits on a listening socket, made ready as by [`stream_socket`].
pub(crate) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    acceptfrom_with(listening, FLAGS)
}

/// Two sockets that are connected, made ready as by [`stream_socket`].
pub(crate) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    socketpair(AddressFamily::UNIX, SocketType::STREAM, FLAGS, None)
}

/// The address of an abstract name.
pub(crate) fn abstract_address(name: &str) -> Result<SocketAddrUnix, Errno> {
    SocketAddrUnix::new_abstract_name(name.as_bytes())
}

/// How long what was sent may stay unacknowledged before the peer counts as gone.
pub(crate) fn limit_unacknowledged(socket: impl AsFd, milliseconds: u32) {
    // Only for the better.
    let _unsupported = sockopt::set_tcp_user_timeout(socket, milliseconds);
}

/// Has the system acknowledge at once what was received. Says whether it was asked to: it does so anyway in a moment if it refuses.
pub(crate) fn acknowledge_at_once(socket: impl AsFd) -> bool {
    let _asked_or_not = sockopt::set_tcp_quickack(socket, true);
    true
}
