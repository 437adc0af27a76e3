//! Waiting until descriptors are ready: many of them in one thread ([`Poller`]), or a few in the thread that needs them
//! (`poll`, which every system has).
//!
//! The files:
//!
//! * `model`: what a wait and its end are to the model checker of threads

pub(crate) mod model;

pub use crate::transport::system::Interest;
use crate::transport::system::io::timespec;
#[cfg(all(feature = "http", feature = "server"))]
pub use crate::transport::system::poller::Nested;
pub use crate::transport::system::poller::{HostDescriptor, Parking, Poller, Wake};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::BorrowedFd;
use rustix::io::Errno;
use std::time::Duration;

/// What a thread that waits for its own connection found.
#[derive(Clone, Copy, Default, Debug)]
pub struct InputFound {
    /// There is something to read, or the end.
    pub readable: bool,
    /// The wake was set.
    pub woken: bool,
}

/// Waits, at most `timeout`, until `input` is readable or `wake` is set.
pub fn wait_for(input: BorrowedFd<'_>, wake: &Wake, timeout: Option<Duration>) -> InputFound {
    let look = |timeout: Option<Duration>| wait_for_either(input, wake, timeout.map(timespec).as_ref());
    model::waited(timeout, look, |found| found.readable || found.woken)
}

fn wait_for_either(input: BorrowedFd<'_>, wake: &Wake, timeout: Option<&Timespec>) -> InputFound {
    let mut fds = [PollFd::from_borrowed_fd(input, PollFlags::IN), PollFd::new(wake.fd(), PollFlags::IN)];
    match rustix::event::poll(&mut fds, timeout) {
        Ok(_) => InputFound { readable: !fds[0].revents().is_empty(), woken: !fds[1].revents().is_empty() },
        // Interrupted by a signal of the host's: the caller looks at its conditions and waits again.
        Err(Errno::INTR) => InputFound::default(),
        Err(_) => {
            // Not even two descriptors can be waited for (a host that gave up its right to descriptors). Reading does not
            // block, so it is tried now and then.
            std::thread::sleep(Duration::from_millis(1));
            InputFound { readable: true, woken: true }
        }
    }
}

/// What a thread that waits to write found.
#[derive(Clone, Copy, Default, Debug)]
pub struct Room {
    /// It can be written to, or is broken.
    pub ready: bool,
    /// The wake was set.
    pub woken: bool,
}

/// Waits, at most `timeout`, until `output` can be written to or `wake` is set.
pub fn wait_to_write(output: BorrowedFd<'_>, wake: &Wake, timeout: Option<Duration>) -> Room {
    let timeout = timeout.map(timespec);
    let mut fds = [PollFd::from_borrowed_fd(output, PollFlags::OUT), PollFd::new(wake.fd(), PollFlags::IN)];
    match rustix::event::poll(&mut fds, timeout.as_ref()) {
        Ok(_) => Room { ready: !fds[0].revents().is_empty(), woken: !fds[1].revents().is_empty() },
        Err(Errno::INTR) => Room::default(),
        // As above. The caller looks whether it is connected, and gives up when it is not.
        Err(_) => Room { ready: true, woken: false },
    }
}

/// Waits, at most `timeout`, until `wake` is set. Says whether it is.
pub fn wait_for_wake(wake: &Wake, timeout: Duration) -> bool {
    let timeout = timespec(timeout);
    let mut fds = [PollFd::new(wake.fd(), PollFlags::IN)];
    match rustix::event::poll(&mut fds, Some(&timeout)) {
        Ok(_) => !fds[0].revents().is_empty(),
        // Interrupted, or it cannot be waited for: the caller looks at the time.
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests;
