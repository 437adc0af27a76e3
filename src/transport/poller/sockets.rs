//! What waiting needs to know on Windows, where everything that is waited for is a socket: what pipes and processes have to say is
//! brought there by `src/transport/pipes`.

use rustix::event::Timespec;
use rustix::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

/// The longest wait that the system takes is a little longer, in milliseconds in 31 bits. Who waits looks at the time and waits again.
const LONGEST: Duration = Duration::from_secs(20 * 24 * 60 * 60);

/// The time limit.
pub(super) fn timespec(duration: Duration) -> Timespec {
    let duration = duration.min(LONGEST);
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i32::try_from(duration.subsec_nanos()).unwrap_or(0),
    }
}

/// The number of a socket, for the host. Handles have 32 significant bits, so that programs of 32 bits can be given them; sockets
/// get low ones.
pub(super) fn number(socket: &OwnedFd) -> i32 {
    i32::try_from(socket.as_raw_fd()).unwrap_or(-1)
}
