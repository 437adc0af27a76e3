//! Descriptors and time limits as numbers.

use rustix::event::Timespec;
use rustix::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

/// The time limit.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// The number of a descriptor, for the host.
pub(super) fn number(fd: &OwnedFd) -> i32 {
    fd.as_raw_fd()
}
