//! The start of a process: an interpreter that loads, a package that is fetched first. The times of the handshake are for a server
//! that runs, so they begin at its first sign of life: it has read what was sent, or has written something. What it has read
//! is looked at now and then; where nobody can tell, `initialize` has the time of the start on top.

use super::deadlines::Due;
use super::effect::State;
use super::handshake::Handshake;
use super::status::{Error, Status};
use super::{Engine, millis};
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

impl<T> Engine<T> {
    pub(super) fn begin_start(&mut self, now: Instant) {
        let until = self.settings.timeouts.start.map(|start| now + start);
        self.start = Start { until, has_not_read: false };
        if until.is_some() {
            self.deadlines.add(now + self.until_look(), Due::Look(self.generation));
        }
    }

    /// Before the time of a short probe is over.
    fn until_look(&self) -> Duration {
        LOOK.min(self.settings.timeouts.probe / 4).max(SHORTEST_LOOK)
    }

    /// Whether [`Engine::has_read`] is to be told before the next [`Engine::tick`].
    pub fn looks_for_life(&self) -> bool {
        self.state == State::Initializing && self.start.until.is_some()
    }

    /// Whether the process has read all that was sent to it; `None` where nobody can tell.
    pub fn has_read(&mut self, now: Instant, has_read: Option<bool>) {
        match has_read {
            Some(true) => self.is_alive(now),
            Some(false) => self.start.has_not_read = self.start.until.is_some(),
            None => {}
        }
    }

    pub(super) fn look_again(&mut self, now: Instant) {
        self.deadlines.add(now + self.until_look(), Due::Look(self.generation));
    }

    /// The process runs: the times of the handshake begin.
    pub(super) fn is_alive(&mut self, now: Instant) {
        if self.start.until.take().is_none() {
            return;
        }
        if let Some(step) = &mut self.handshake {
            step.until = now + step.limit();
            let (until, exchange) = (step.until, step.exchange);
            self.deadlines.add(until, Due::Handshake(exchange));
        }
    }

    /// Until when a handshake request goes on waiting because the process has not begun to read.
    pub(super) fn still_starts(&self, now: Instant, step: &Handshake) -> Option<Instant> {
        // Where nobody can tell, `initialize` goes out as well: an answer to the probe is taken even then.
        self.start.until.filter(|until| now < *until && (self.start.has_not_read || !step.probes))
    }

    /// The error of a process that showed no sign of life in the time it had for that.
    pub(super) fn never_started(&self, step: &Handshake) -> Option<Error> {
        let start = self.settings.timeouts.start.filter(|_| self.start.until.is_some())?;
        let what = match (self.start.has_not_read, step.probes) {
            (true, _) => "neither read nor written anything",
            (false, false) => "written nothing",
            (false, true) => return None,
        };
        let limit = millis(start.max(step.limit()));
        let message = format!(
            "the program has {what} within {limit} ms of its start; raise timeouts.start_ms if it starts slowly, and \
             check that it is a server that speaks over stdio"
        );
        Some(Error::new(Status::Timeout, "connect", message).with("limit_ms", limit))
    }
}
