//! Pipes on macOS.

#![allow(unsafe_code)]

use super::Identity;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::Stat;
use rustix::io::{Errno, FdFlags};
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
pub fn identity(stat: &Stat) -> Identity {
    let (device, is) = (i64::from(stat.st_dev), i64::from(stat.st_rdev));
    Identity(device.cast_unsigned(), stat.st_ino, is.cast_unsigned())
}
