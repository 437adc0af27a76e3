//! Pipes on Linux and Android.

use super::Identity;
use rustix::fd::OwnedFd;
use rustix::fs::Stat;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

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
pub fn identity(stat: &Stat) -> Identity {
    Identity(stat.st_dev, stat.st_ino, stat.st_rdev)
}
