//! Waiting on Linux: epoll, eventfd and futex.

use super::end_signals::EndSignals;
use crate::transport::poller::model;
use crate::transport::system::Interest;
use crate::transport::system::io::{number, timespec};
use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::thread::futex;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

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

/// The token of the wake that is in a set itself.
const WAKE: u64 = u64::MAX;
/// The token of the signals that end a process.
const END: u64 = u64::MAX - 1;

/// Waits for many descriptors.
#[derive(Debug)]
pub struct Poller {
    epoll: OwnedFd,
    wake: Arc<Wake>,
    /// `None` where the system has no such descriptor: SIGKILL then ends a process that has lost all threads of its own.
    end_signals: Option<EndSignals>,
}

impl Poller {
    /// A poller that watches nothing.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<Poller, Errno> {
        let poller = Poller {
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?,
            wake: Arc::new(Wake::new()?),
            end_signals: EndSignals::new(),
        };
        poller.watch(poller.wake.fd(), WAKE, Interest::Readable)?;
        if let Some(signals) = &poller.end_signals {
            // On an edge: a signal that the host's threads block and take themselves stays for as long as they like.
            let edge = epoll::EventFlags::IN | epoll::EventFlags::ET;
            epoll::add(&poller.epoll, signals, epoll::EventData::new_u64(END), edge)?;
        }
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
    pub(crate) fn own_descriptor(&self) -> Result<OwnedFd, Errno> {
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
        let next_look = self.look_at().map(|at| at.saturating_duration_since(Instant::now()));
        let look = |timeout: Option<Duration>| {
            let is_look = timeout == Some(Duration::ZERO);
            let timeout = timeout.into_iter().chain(next_look).min();
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
                    END => self.end_signals.iter().for_each(|signals| signals.arrived(Instant::now())),
                    token => ready.push(token),
                }
            }
            events.len()
        };
        let _how_many = model::waited(timeout, look, |count| *count > 0);
        self.look();
    }

    /// When [`Poller::look`] is to be called, which no wait may pass.
    pub(crate) fn look_at(&self) -> Option<Instant> {
        self.end_signals.as_ref().and_then(EndSignals::look_at)
    }

    /// Looks for a signal that ends the process and that no thread takes, if it is time for it.
    pub(crate) fn look(&self) {
        if self.look_at().is_some() {
            self.end_signals.iter().for_each(|signals| signals.look(Instant::now()));
        }
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

/// Readable while its wake is set, or something that it shows is readable.
#[derive(Debug)]
pub struct HostDescriptor {
    epoll: OwnedFd,
    wake: Wake,
}

impl HostDescriptor {
    /// A descriptor that shows nothing, and is not set.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn new() -> Result<HostDescriptor, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        // It never makes a reader wait, but some loops, such as Go's, take only descriptors that say so.
        rustix::fs::fcntl_setfl(&epoll, rustix::fs::OFlags::NONBLOCK)?;
        let host = HostDescriptor { epoll, wake: Wake::new()? };
        host.show(host.wake.fd(), WAKE)?;
        Ok(host)
    }

    /// Sets the wake.
    pub fn set(&self) {
        self.wake.set();
    }

    /// Takes the wake back.
    pub fn clear(&self) {
        self.wake.clear();
    }

    /// The wake alone.
    #[cfg(test)]
    pub fn wake(&self) -> &Wake {
        &self.wake
    }

    /// Its number, for the host.
    pub fn number(&self) -> i32 {
        number(&self.epoll)
    }

    /// Shows that a descriptor is readable, from now on. It must be hidden before it is closed.
    ///
    /// # Errors
    /// When the kernel's bound on watches is reached, or it is shown already.
    pub fn show(&self, fd: impl AsFd, token: u64) -> Result<(), Errno> {
        model::change(|| epoll::add(&self.epoll, fd, epoll::EventData::new_u64(token), epoll::EventFlags::IN))
    }

    /// Shows a descriptor no longer.
    pub fn hide(&self, fd: impl AsFd) {
        // Fails only when it was not shown.
        let _was_not_shown = epoll::delete(&self.epoll, fd);
    }

    /// The tokens of what is shown and readable, some of them if they are many.
    pub fn readable(&self) -> impl Iterator<Item = u64> + use<> {
        let mut events = [const { MaybeUninit::<epoll::Event>::uninit() }; 64];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let found = match epoll::wait(&self.epoll, &mut events[..], Some(&now)) {
            // Copied out: the struct is packed.
            Ok((events, _)) => events.iter().map(|event| { event.data }.u64()).collect(),
            // A signal of the host's: its loop finds the descriptor readable once more.
            Err(_) => Vec::new(),
        };
        found.into_iter().filter(|token| *token != WAKE)
    }
}

/// A number on which threads sleep until it changes.
#[derive(Debug, Default)]
pub struct Parking {
    changes: AtomicU32,
}

impl Parking {
    /// What [`Parking::sleep`] must be given: taken before the look at what is waited for.
    pub fn changes(&self) -> u32 {
        self.changes.load(Ordering::SeqCst)
    }

    /// Has every thread that sleeps look again. Async-signal-safe.
    pub fn wake_all(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        // All of them: a thread that is woken may take a message instead of the wake and never look again.
        let _how_many = futex::wake(&self.changes, futex::Flags::PRIVATE, i32::MAX.unsigned_abs());
    }

    /// Sleeps until something changed after `seen`, or the time is over. May end early, as by a signal.
    pub fn sleep(&self, seen: u32, left: Option<Duration>) {
        let left = left.map(timespec);
        // However it ends, the caller looks at its conditions.
        let _looks_again = futex::wait(&self.changes, futex::Flags::PRIVATE, seen, left.as_ref());
    }
}
