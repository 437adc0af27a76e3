//! The start of a process: an interpreter that loads, a package that is fetched first. The times of the handshake are for a server
//! that runs, so they begin at its first sign of life: it has read what was sent, or has written something. What it has read
//! is looked at now and then; where that cannot be told, `initialize` has the time of the start on top.

use crate::engine::client::settings::Timeouts;
use crate::engine::{Error, Status, millis};
use std::time::{Duration, Instant};

/// How often a process that has shown no sign of life is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// So that a probe of no time does not make the looks a busy wait.
const SHORTEST_LOOK: Duration = Duration::from_millis(5);

/// What is known of the process at the other end.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Start {
    /// When its time to start is over; `None` once it has shown a sign of life, or where nothing was started.
    until: Option<Instant>,
    /// Whether it is known that it has not read what was sent.
    has_not_read: bool,
}

impl Start {
    pub(super) fn begin(now: Instant, timeouts: &Timeouts) -> Start {
        Start { until: timeouts.start.map(|start| now + start), has_not_read: false }
    }

    /// Whether it has shown no sign of life.
    pub(super) fn is_awaited(&self) -> bool {
        self.until.is_some()
    }

    /// When it is looked at again: before the time of a short probe is over.
    pub(super) fn next_look(now: Instant, timeouts: &Timeouts) -> Instant {
        now + LOOK.min(timeouts.probe / 4).max(SHORTEST_LOOK)
    }

    /// It has not read all that was sent to it.
    pub(super) fn has_not_read(&mut self) {
        self.has_not_read = self.is_awaited();
    }

    /// It runs. Says whether that was not known before.
    pub(super) fn is_alive(&mut self) -> bool {
        self.until.take().is_some()
    }

    /// Until when a request goes on waiting because the process has not begun to read; `probes` if that is the probe.
    pub(super) fn still_starts(&self, now: Instant, probes: bool) -> Option<Instant> {
        // Where it cannot be told, `initialize` goes out as well: an answer to the probe is taken even then.
        self.until.filter(|until| now < *until && (self.has_not_read || !probes))
    }

    /// The error of a process that showed no sign of life in the time it had for that, which was `limit` at least.
    pub(super) fn error(&self, probes: bool, limit: Duration, timeouts: &Timeouts) -> Option<Error> {
        let start = timeouts.start.filter(|_| self.is_awaited())?;
        let what = match (self.has_not_read, probes) {
            (true, _) => "neither read nor written anything",
            (false, false) => "written nothing",
            (false, true) => return None,
        };
        let limit = millis(start.max(limit));
        let message = format!(
            "the program has {what} within {limit} ms of its start; raise timeouts.start_ms if it starts slowly, and \
             check that it is a server that speaks over stdio"
        );
        Some(Error::new(Status::Timeout, "connect", message).with("limit_ms", limit))
    }
}
