//! The end of a process by its pidfd.

use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// Readable when the process has ended; none where the kernel has no such thing (before Linux 5.3, or in a sandbox).
pub(in crate::transport::process) fn of_end(process: Pid) -> Option<OwnedFd> {
    pidfd_open(process, PidfdFlags::empty()).ok()
}
