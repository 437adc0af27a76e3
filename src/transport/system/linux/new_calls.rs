//! System calls of Linux that the filter of older versions of Android kills an app for.

use crate::transport::system::io::write_masked;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::IoSlice;
use std::sync::atomic::{AtomicBool, Ordering};

/// `RWF_NOSIGNAL` (Linux 6.18): a write that fails with `EPIPE` and raises no signal.
const NO_SIGNAL: u32 = 0x100;
/// The offset that stands for the file's own position; pipes have no other.
const NO_OFFSET: u64 = u64::MAX;

static KERNEL_LACKS_NO_SIGNAL: AtomicBool = AtomicBool::new(cfg!(mcp_poll_backend));

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

/// Readable when the process has ended; `None` where the kernel lacks pidfd (before Linux 5.3, or in a sandbox).
pub(crate) fn exit_descriptor(process: Pid) -> Option<OwnedFd> {
    pidfd_open(process, PidfdFlags::empty()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::system::io::pair;

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
