//! Waiting until descriptors are ready: many of them in one thread ([`Poller`]), or a few in the thread that needs them
//! (`poll`, which every system has).
//!
//! [`Interest`] and the waits of one thread are in this file; each system has its own [`Poller`] and [`Wake`].
//!
//! The files:
//!
//! * `epoll`: `Poller` on Linux
//! * `kqueue`: `Poller` on macOS and the other descendants of BSD
//! * `set`: `Poller` over `poll`, where the system has neither, or the build asks for it
//! * `nested`: `Nested`: a poller in the set of the runtime of HTTP, on Linux
//! * `apart`: the same where one cannot be put into the other
//! * `eventfd`: `Wake` on Linux
//! * `host_epoll`: `HostDescriptor`: what a loop of the host's watches, on Linux
//! * `host_wake`: the same where a set of descriptors has none of its own
//! * `pair`: `Wake` by two connected sockets
//! * `flag`: `Wake` on Windows: two sockets, and what is on its way between them
//! * `kind`: which descriptors never make a reader or writer wait, told by their kind
//! * `unix`: descriptors and time limits as numbers, on all systems but Windows
//! * `sockets`: the same on Windows, where everything that is waited for is a socket
//! * `model`: what a wait and its end are to the model checker of threads; compiled for its tests only

#[cfg(mcp_loom)]
pub(crate) mod model;

/// Nothing stands between a wait and the kernel. See `model`.
#[cfg(not(mcp_loom))]
mod model {
    pub(super) fn change<R>(change: impl FnOnce() -> R) -> R {
        change()
    }

    pub(super) fn waited<R>(
        timeout: Option<std::time::Duration>,
        mut look: impl FnMut(Option<std::time::Duration>) -> R,
        _is_something: impl Fn(&R) -> bool,
    ) -> R {
        look(timeout)
    }
}

// `mcp_poll_backend` has the common fallback compiled on every system, so that it is tested.
#[cfg(all(feature = "http", feature = "server", any(not(target_os = "linux"), mcp_poll_backend)))]
mod apart;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
mod epoll;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
mod eventfd;
#[cfg(windows)]
mod flag;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
mod host_epoll;
#[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
mod host_wake;
#[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
mod kind;
#[cfg(all(target_vendor = "apple", not(mcp_poll_backend)))]
mod kqueue;
#[cfg(all(feature = "http", feature = "server", target_os = "linux", not(mcp_poll_backend)))]
mod nested;
#[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
mod pair;
#[cfg(any(not(any(target_os = "linux", target_vendor = "apple")), mcp_poll_backend))]
mod set;
#[cfg(windows)]
mod sockets;
#[cfg(unix)]
mod unix;

#[cfg(all(feature = "http", feature = "server", any(not(target_os = "linux"), mcp_poll_backend)))]
pub use apart::Nested;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
pub use epoll::{Poller, is_watchable};
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
pub use eventfd::Wake;
#[cfg(windows)]
pub use flag::Wake;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
pub use host_epoll::HostDescriptor;
#[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
pub use host_wake::HostDescriptor;
#[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
pub use kind::is_watchable;
#[cfg(all(target_vendor = "apple", not(mcp_poll_backend)))]
pub use kqueue::Poller;
#[cfg(all(feature = "http", feature = "server", target_os = "linux", not(mcp_poll_backend)))]
pub use nested::Nested;
#[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
pub use pair::Wake;
#[cfg(any(not(any(target_os = "linux", target_vendor = "apple")), mcp_poll_backend))]
pub use set::Poller;
#[cfg(windows)]
use sockets::{number, timespec};
#[cfg(unix)]
use unix::{number, timespec};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::BorrowedFd;
use rustix::io::Errno;
use std::time::Duration;

/// What to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// Readable, until unwatched.
    Readable,
    /// Readable, once; then it must be armed again.
    ReadableOnce,
    /// Writable, once; then it must be armed again.
    WritableOnce,
    /// Nothing, for now.
    None,
}

/// What a thread that waits for its own connection found.
#[derive(Clone, Copy, Default, Debug)]
pub struct Found {
    /// There is something to read, or the end.
    pub readable: bool,
    /// The wake was set.
    pub woken: bool,
}

/// Waits, at most `timeout`, until `input` is readable or `wake` is set.
pub fn wait_for(input: BorrowedFd<'_>, wake: &Wake, timeout: Option<Duration>) -> Found {
    let look = |timeout: Option<Duration>| wait_for_either(input, wake, timeout.map(timespec).as_ref());
    model::waited(timeout, look, |found| found.readable || found.woken)
}

fn wait_for_either(input: BorrowedFd<'_>, wake: &Wake, timeout: Option<&Timespec>) -> Found {
    let mut fds = [PollFd::from_borrowed_fd(input, PollFlags::IN), PollFd::new(wake.fd(), PollFlags::IN)];
    match rustix::event::poll(&mut fds, timeout) {
        Ok(_) => Found { readable: !fds[0].revents().is_empty(), woken: !fds[1].revents().is_empty() },
        // Interrupted by a signal of the host's: the caller looks at its conditions and waits again.
        Err(Errno::INTR) => Found::default(),
        Err(_) => {
            // Not even two descriptors can be waited for (a host that gave up its right to descriptors). Reading does not
            // block, so it is tried now and then.
            std::thread::sleep(Duration::from_millis(1));
            Found { readable: true, woken: true }
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
