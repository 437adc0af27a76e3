//! A poller that is watched by the runtime of HTTP, so that one thread waits for both.

// The runtime takes a descriptor by its number.
#![allow(unsafe_code)]

use crate::transport::system::poller::Poller;
use rustix::fd::OwnedFd;
use std::io::ErrorKind;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A poller in the set of the runtime.
#[derive(Debug)]
pub struct Nested(AsyncFd<OwnedFd>);

impl Nested {
    /// Puts a poller into the set of the runtime whose context this thread is in. `None` if no descriptor or watch is left: the two
    /// are waited for apart then.
    pub fn new(poller: &Poller) -> Option<Nested> {
        let descriptor = poller.own_descriptor().ok()?;
        // SAFETY: an `OwnedFd` is open until it is dropped, which the `AsyncFd` that owns it does, and always the same descriptor.
        let registered = unsafe { AsyncFd::register_with_interest(descriptor, Interest::READABLE) };
        registered.ok().map(Nested)
    }

    /// Whether something of the poller is ready, as a task sees it. It stays ready until [`Nested::take`] finds nothing.
    pub fn poll_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        // An error says that the runtime ends: the caller looks at the poller itself.
        if let Ok(mut ready) = ready!(self.0.poll_read_ready(context)) {
            ready.retain_ready();
        }
        Poll::Ready(())
    }

    /// When a wait for the poller is to end: no later than its next look for signals.
    pub fn until(poller: &Poller, until: Option<Instant>) -> Option<Instant> {
        until.into_iter().chain(poller.look_at()).min()
    }

    /// Gives the tokens of what is ready, without waiting. The runtime reports changes only, so that it must wait again only after
    /// nothing was found.
    pub fn take(&self, poller: &Poller, ready: &mut Vec<u64>) {
        ready.clear();
        // Refused without a look where nothing is known to be ready.
        let _nothing = self.0.try_io(Interest::READABLE, |_| {
            poller.wait(ready, Some(Duration::ZERO));
            if ready.is_empty() { Err(ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        poller.look();
    }
}
