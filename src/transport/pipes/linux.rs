//! Pipes on Linux.

use super::Identity;
use super::masked::write_masked;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::Stat;
use rustix::io::{Errno, ReadWriteFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use std::io::IoSlice;
use std::sync::atomic::{AtomicBool, Ordering};

/// `RWF_NOSIGNAL` (Linux 6.18): a write that fails with `EPIPE` and raises no signal.
const NO_SIGNAL: u32 = 0x100;
/// The offset that stands for the file's own position; pipes have no other.
const NO_OFFSET: u64 = u64::MAX;

static KERNEL_LACKS_NO_SIGNAL: AtomicBool = AtomicBool::new(cfg!(mcp_poll_backend));

/// A close-on-exec pipe: the end that is read, and the end that is written.
///
/// # Errors
/// When no descriptors are left.
pub fn pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    pipe_with(PipeFlags::CLOEXEC)
}

/// Each write says that it raises no signal.
pub fn keep_quiet(_output: &OwnedFd) {}

/// Writes without ever raising `SIGPIPE` in the host.
///
/// # Errors
/// What the system said.
pub fn write_quietly(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    if !KERNEL_LACKS_NO_SIGNAL.load(Ordering::Relaxed) {
        let flags = ReadWriteFlags::from_bits_retain(NO_SIGNAL);
        match rustix::io::pwritev2(fd.as_fd(), slices, NO_OFFSET, flags) {
            outcome @ (Ok(_) | Err(Errno::AGAIN | Errno::INTR | Errno::PIPE)) => return outcome,
            // Unknown to the kernel, or forbidden by a sandbox: then it is forbidden always.
            Err(_) => {
                let outcome = write_masked(fd, slices);
                if outcome.is_ok() {
                    KERNEL_LACKS_NO_SIGNAL.store(true, Ordering::Relaxed);
                }
                return outcome;
            }
        }
    }
    write_masked(fd, slices)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_report_a_reader_that_is_gone_and_raise_nothing() {
        // The test process must not ignore SIGPIPE for this to show anything; Rust's test harness does, so ask for the
        // default in a child thread's mask-independent way: the disposition is process-wide, hence only the error is
        // asserted here and the C test `c04` shows the signal's absence.
        for write in [write_quietly, write_masked] {
            let (reader, writer) = pair().expect("a pipe");
            assert_eq!(write(&writer, &[IoSlice::new(b"ab"), IoSlice::new(b"c")]), Ok(3));
            drop(reader);
            assert_eq!(write(&writer, &[IoSlice::new(b"x")]), Err(Errno::PIPE));
        }
    }
}
