//! Waiting until descriptors are ready: many of them in one thread (epoll), or a few in the thread that needs them (poll).
//!
//! The files:
//!
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

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, epoll, eventfd};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::mem::MaybeUninit;
use std::time::Duration;

/// A descriptor that one thread writes to end another's wait. Level-triggered: it stays readable until cleared.
#[derive(Debug)]
pub struct Wake {
    fd: OwnedFd,
}

impl Wake {
    /// A wake, not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Wake, Errno> {
        eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map(|fd| Wake { fd })
    }

    /// Makes it readable.
    pub fn set(&self) {
        // Fails only when it is set 2^64 times over: then it is readable all the more.
        let _already_readable = model::change(|| rustix::io::write(&self.fd, &1u64.to_ne_bytes()));
    }

    /// Makes it unreadable.
    pub fn clear(&self) {
        let mut count = [0u8; 8];
        // Fails only when it was not set.
        let _was_not_set = rustix::io::read(&self.fd, &mut count[..]);
    }

    /// The descriptor.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }
}

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

impl Interest {
    fn flags(self) -> epoll::EventFlags {
        match self {
            Interest::Readable => epoll::EventFlags::IN,
            Interest::ReadableOnce => epoll::EventFlags::IN | epoll::EventFlags::ONESHOT,
            Interest::WritableOnce => epoll::EventFlags::OUT | epoll::EventFlags::ONESHOT,
            // One-shot even here: hang-ups are reported always, and would be for ever.
            Interest::None => epoll::EventFlags::ONESHOT,
        }
    }
}

/// Waits for many descriptors.
#[derive(Debug)]
pub struct Poller {
    epoll: OwnedFd,
    wake: Wake,
}

/// The token of the poller's own wake.
const WAKE: u64 = u64::MAX;

impl Poller {
    /// A poller that watches nothing.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Poller, Errno> {
        let poller = Poller { epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?, wake: Wake::new()? };
        poller.watch(poller.wake.fd(), WAKE, Interest::Readable)?;
        Ok(poller)
    }

    /// Begins to watch a descriptor.
    ///
    /// # Errors
    /// When the kernel's bound on watches is reached.
    pub fn watch(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        epoll::add(&self.epoll, fd, epoll::EventData::new_u64(token), interest.flags())
    }

    /// Changes what a watched descriptor is watched for.
    ///
    /// # Errors
    /// When it is not watched.
    pub fn rearm(&self, fd: impl AsFd, token: u64, interest: Interest) -> Result<(), Errno> {
        model::change(|| epoll::modify(&self.epoll, fd, epoll::EventData::new_u64(token), interest.flags()))
    }

    /// Ends the watch of a descriptor. Must come before it is closed: a server that inherited the other end would keep it
    /// in the set.
    pub fn unwatch(&self, fd: impl AsFd) {
        // Fails only when it was not watched.
        let _was_not_watched = epoll::delete(&self.epoll, fd);
    }

    /// Ends the wait of the thread in [`Poller::wait`], or its next one.
    pub fn wake(&self) {
        self.wake.set();
    }

    /// Waits, at most `timeout`, and gives the tokens of what is ready.
    pub fn wait(&self, ready: &mut Vec<u64>, timeout: Option<Duration>) {
        ready.clear();
        let look = |timeout: Option<Duration>| {
            let timeout = timeout.map(timespec);
            let mut events = [const { MaybeUninit::uninit() }; 64];
            let Ok((events, _)) = epoll::wait(&self.epoll, &mut events[..], timeout.as_ref()) else {
                return 0;
            };
            for event in &*events {
                // Copied out first: the struct is packed.
                let data = event.data;
                match data.u64() {
                    WAKE => self.wake.clear(),
                    token => ready.push(token),
                }
            }
            events.len()
        };
        let _how_many = model::waited(timeout, look, |count| *count > 0);
    }
}

/// Whether a poller can watch a descriptor. It refuses files and devices that never make a reader or writer wait.
///
/// # Errors
/// When no descriptor or watch is left.
pub fn is_watchable(fd: impl AsFd) -> Result<bool, Errno> {
    let trial = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    match epoll::add(&trial, fd, epoll::EventData::new_u64(0), epoll::EventFlags::ONESHOT) {
        Ok(()) => Ok(true),
        Err(Errno::PERM) => Ok(false),
        Err(errno) => Err(errno),
    }
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

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
