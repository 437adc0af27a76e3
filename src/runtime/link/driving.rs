//! Driving: the thread that waits reads for itself, passes on what arrives for others, and gives the role back.

use crate::runtime::background::runtime::Command;
use crate::runtime::connection::Connection;
use crate::runtime::driver::lock::After;
use crate::runtime::link::pipe::Link;
use crate::runtime::lock;
use crate::runtime::queue::Resume;
use crate::runtime::waiter::Waiter;
use crate::transport::framing::Piece;
use crate::transport::poller::wait_for;
use crate::transport::stdio::{Incoming, Read};
use rustix::fd::AsFd;
use std::sync::Arc;
use std::time::Instant;

impl Connection {
    /// Waits until something arrives for `waiter` or the time is over, driving the connection if nobody else does.
    pub(crate) fn wait(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        if self.custom.is_some() {
            // Whoever delivers does what there is to do.
            return waiter.park(until);
        }
        #[cfg(feature = "http")]
        if let Some(http) = self.http() {
            return http.runtime.drive(waiter, until);
        }
        loop {
            let link = self.driver.claim(waiter).or_else(|| {
                waiter.park(until);
                self.driver.leave(waiter)
            });
            if let Some(link) = link {
                let guard = DriverGuard { connection: self, waiter: Some(waiter), at_once: false };
                self.drive(&link, waiter, until);
                drop(guard);
            }
            if waiter.has_arrived() || until.is_some_and(|until| Instant::now() >= until) {
                return;
            }
        }
    }

    /// The thread of a call waits no longer. What it would have run and has not is run by whoever drives.
    #[cfg_attr(
        not(feature = "http"),
        expect(clippy::unused_self, reason = "only HTTP leaves anything to run")
    )]
    pub(crate) fn wait_is_over(&self, waiter: &Arc<Waiter>) {
        #[cfg(feature = "http")]
        if let Some(http) = self.http()
            && let Some(own) = waiter.take_own()
        {
            http.runtime.spawn_own(own);
        }
        #[cfg(not(feature = "http"))]
        let _ = waiter;
    }

    fn drive(&self, link: &Arc<Link>, waiter: &Arc<Waiter>, until: Option<Instant>) {
        let mut incoming = lock(&link.incoming);
        let mut arrived = waiter.set_driving(Some(Arc::clone(link)));
        if !arrived && !link.is_stopped() {
            // A server on the same processor often runs as soon as it is written to, and has answered by now.
            self.read_and_dispatch(link, &mut incoming, Some(waiter));
            arrived = waiter.has_arrived();
        }
        while !arrived && !link.is_stopped() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let found = wait_for(link.output.as_fd(), link.wake(), left);
            if found.woken {
                link.wake().clear();
            }
            if found.readable {
                self.read_and_dispatch(link, &mut incoming, Some(waiter));
            }
            arrived = waiter.has_arrived();
        }
    }

    /// The grace time is over. Says whether to look again after another one.
    pub(crate) fn grace_is_over(&self) -> bool {
        let holding = self.end_holding_back();
        self.driver.grace_is_over(&self.runtime.poller) || holding
    }

    /// Gives the role of driver back.
    pub(crate) fn give_back(&self, at_once: bool) {
        let at_once = at_once || self.queue.is_watched();
        if self.driver.release(&self.runtime.poller, at_once) == After::Grace
            && let Some(connection) = self.this()
        {
            self.runtime.grace(connection);
        }
    }

    /// Reads once and passes on what is complete.
    pub(crate) fn read_and_dispatch(
        &self,
        link: &Arc<Link>,
        incoming: &mut Incoming,
        by: Option<&Arc<Waiter>>,
    ) -> Read {
        let read = incoming.read();
        if read == Read::Ended {
            link.stop();
            self.runtime.command(Command::OutputEnded {
                link: link.number,
                partial: incoming.is_partial(),
                errno: incoming.error(),
            });
        }
        let Some(first) = incoming.next_piece() else { return read };
        let now = Instant::now();
        let mut core = self.core();
        let mut piece = Some(first);
        while let Some(next) = piece {
            match next {
                Piece::Frame(frame) => {
                    self.runtime.callbacks.frame(&self.name, "frame.received", &frame);
                    core.engine.frame(now, link.generation, frame);
                }
                Piece::Oversized { id, bytes } => {
                    core.engine.oversized(now, link.generation, id, bytes, self.transport.frame_bytes);
                }
                Piece::Unheld { id, bytes } => core.engine.unheld(now, link.generation, id, bytes),
                Piece::Broken(why) => {
                    self.runtime.command(Command::Broken { link: link.number, why });
                    break;
                }
            }
            piece = incoming.next_piece();
        }
        self.run_effects(core, by);
        read
    }
}

/// The role of driver while a thread has it: given back also when the thread panics in it.
pub(crate) struct DriverGuard<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) waiter: Option<&'a Arc<Waiter>>,
    pub(crate) at_once: bool,
}

impl Drop for DriverGuard<'_> {
    fn drop(&mut self) {
        if let Some(waiter) = self.waiter {
            waiter.set_driving(None);
        }
        self.connection.give_back(self.at_once);
    }
}

impl Resume for Connection {
    fn resume(&self) {
        #[cfg(feature = "http")]
        if self.http().is_some() {
            return self.resume_http();
        }
        // Taking the role and giving it back has the background thread listen again. Whoever has it now will do that.
        if self.driver.claim_in_background().is_some() {
            self.give_back(true);
        }
    }
}
