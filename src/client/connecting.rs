//! Connecting: by a thread that waits, or started, with the outcome on the queue.

use super::Client;
use crate::engine::Error;
use crate::runtime::connection::Ticket;
use crate::runtime::waiter::{Arrival, Waiter};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Client {
    /// Starts if need be and waits until ready, at most `timeout`.
    ///
    /// # Errors
    /// Why the attempt failed; `TIMEOUT`; `CLOSED`.
    pub fn connect(&self, timeout: Option<Duration>) -> Result<(), Error> {
        let waiter = Arc::new(Waiter::default());
        let until = {
            let now = Instant::now();
            let mut core = self.connection.core();
            core.engine.connect(now, timeout, Ticket::Waiter(Arc::clone(&waiter)));
            self.connection.run_effects(core, Some(&waiter));
            timeout.map(|timeout| now + timeout)
        };
        loop {
            self.connection.wait(&waiter, until);
            match waiter.take() {
                Some(Arrival::Connected(outcome)) => return outcome,
                Some(_) => {}
                // The time is over: the engine says so.
                None => self.connection.tick(Some(&waiter)),
            }
        }
    }

    /// The same, but returns at once: the outcome arrives on the queue with `tag`. Gives the number to cancel it by.
    ///
    /// # Errors
    /// Nothing was started: `BACKPRESSURE`, `CLOSED`.
    pub fn connect_start(&self, timeout: Option<Duration>, tag: u64) -> Result<u64, Error> {
        self.room_for_outcome("connect")?;
        let mut core = self.connection.core();
        core.engine.may_start_connect()?;
        let call = core.engine.number();
        core.engine.connect(Instant::now(), timeout, Ticket::Connecting { call, tag });
        self.connection.run_effects(core, None);
        Ok(call)
    }
}
