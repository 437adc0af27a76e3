//! A poller over epoll.

use super::{Interest, Wake, model, timespec};
use rustix::event::epoll;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

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

/// The token of the poller's own wake.
const WAKE: u64 = u64::MAX;

/// Waits for many descriptors.
#[derive(Debug)]
pub struct Poller {
    epoll: OwnedFd,
    wake: Arc<Wake>,
}

impl Poller {
    /// A poller that watches nothing.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Poller, Errno> {
        let poller =
            Poller { epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?, wake: Arc::new(Wake::new()?) };
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

    /// A descriptor of the set itself, which is readable while something in it is ready.
    ///
    /// # Errors
    /// When no descriptor is left.
    #[cfg(all(feature = "http", feature = "server"))]
    pub(super) fn own_descriptor(&self) -> Result<OwnedFd, Errno> {
        rustix::io::fcntl_dupfd_cloexec(&self.epoll, 0)
    }

    /// Ends the wait of the thread in [`Poller::wait`], or its next one.
    pub fn wake(&self) {
        self.wake.set();
    }

    /// What does that, for a signal handler.
    #[cfg(feature = "server")]
    pub fn waker(&self) -> Arc<Wake> {
        Arc::clone(&self.wake)
    }

    /// Waits, at most `timeout`, and gives the tokens of what is ready. A signal of the host's may end a wait before anything
    /// is; a look, with no time, is made again then, so that what it does not find is not ready.
    pub fn wait(&self, ready: &mut Vec<u64>, timeout: Option<Duration>) {
        ready.clear();
        let look = |timeout: Option<Duration>| {
            let is_look = timeout == Some(Duration::ZERO);
            let timeout = timeout.map(timespec);
            let mut events = [const { MaybeUninit::uninit() }; 64];
            let events = loop {
                match epoll::wait(&self.epoll, &mut events[..], timeout.as_ref()) {
                    Ok((events, _)) => break events,
                    Err(Errno::INTR) if is_look => {}
                    Err(_) => return 0,
                }
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
