//! One end of a byte stream that the library got from elsewhere, and how it is read or written without blocking.
//!
//! `O_NONBLOCK` belongs to the open file description, which a standard stream shares with the parent, with other programs of a
//! shell's pipeline, and with the terminal. Setting it there would make the reads and writes of those programs fail. So a pipe
//! and a terminal are opened again, which gives a description of our own; a call on a socket has a flag of its own; a file
//! does not block; and where opening again is not possible, the descriptor is asked (`poll`) before each small step.
//!
//! The files:
//!
//! * `unix`: how one is made ready on Linux, Android and macOS. On Windows `standard_streams` makes it

#[cfg(unix)]
mod unix;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

/// How calls on a descriptor are kept from blocking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The description is non-blocking and used by nothing else, or it is of a file.
    Direct,
    /// A socket: each call says that it must not block.
    Socket,
    #[cfg_attr(windows, allow(dead_code, reason = "bytes of such are carried to sockets"))]
    /// Shared with others: `poll` before each call, and at most [`STEP_BYTES`] are written at once.
    AskFirst,
}

/// What a pipe that is writable takes at once on every system (the least value of `PIPE_BUF` in POSIX).
pub const STEP_BYTES: usize = 512;

/// One end of a byte stream, close-on-exec.
#[derive(Debug)]
pub struct StreamEnd {
    /// The descriptor.
    pub fd: OwnedFd,
    /// How it is used.
    pub access: Access,
    /// A file, or a device without readiness: `epoll` refuses it, and reading or writing needs no wait. `poll` calls it
    /// ready always.
    pub is_always_ready: bool,
    /// Whether it is a pipe, whose writing end tells what was not read.
    pub is_pipe: bool,
}

/// The direction in which a stream is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// It is read.
    Input,
    /// It is written.
    Output,
}

/// Whether a descriptor can be used now, without a wait.
///
/// # Errors
/// `AGAIN` when it cannot.
pub(super) fn ask(fd: &OwnedFd, direction: Direction) -> Result<(), Errno> {
    let wanted = match direction {
        Direction::Input => PollFlags::IN,
        Direction::Output => PollFlags::OUT,
    };
    let mut fds = [PollFd::new(fd, wanted)];
    match poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
        // An error or the end of the other side counts: the call tells which.
        Ok(_) if !fds[0].revents().is_empty() => Ok(()),
        // The caller waits, and asks again.
        Ok(_) | Err(_) => Err(Errno::AGAIN),
    }
}
