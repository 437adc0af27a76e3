//! The handshake of either era: the probe (`server/discover`), and `initialize` with `notifications/initialized`. This part
//! owns the step that is under way and what is known of the server. It says what is to be done next ([`Next`]); the engine
//! does it.
//!
//! [`Handshake`], the part, is in this file.
//!
//! The files:
//!
//! * `step`: one step: which request, and what it awaits
//! * `answers`: where the end of a request leads
//! * `verdict`: where the answer to the probe leads
//! * `next`: `Next`: what the handshake wants done
//! * `members`: `Members`: the `_meta` members of every request
//! * `start`: the start of a process, whose time is not that of the handshake

mod answers;
mod members;
mod next;
mod start;
mod step;
#[cfg(test)]
mod tests;
mod verdict;

pub(super) use next::{Next, Question};
pub(super) use step::{Awaits, Step};

use super::effect::Shape;
use super::settings::Settings;
use crate::engine::{Error, Status};
use crate::protocol::handshake::{self, ServerFacts};
use crate::protocol::{Era, Frame, ParamsBuf, Revision, capability, method, write};
use members::Members;
use start::Start;
use std::time::{Duration, Instant};

/// What is known of the server, and the step that is under way.
#[derive(Default, Debug)]
pub(super) struct Handshake {
    /// Known from one connection to the next, until a handshake fails.
    era: Option<Era>,
    /// The era is what another client found out about the server.
    assumed: bool,
    revision: Option<Revision>,
    facts: ServerFacts,
    members: Members,
    step: Option<Step>,
    /// The probe whose time was over before its answer came, while `initialize` waits.
    late_probe: Option<u64>,
    /// The start of the process at the other end.
    start: Start,
    /// Which HTTP transport this connection uses.
    shape: Shape,
    /// Why `initialize` was refused before HTTP+SSE was tried.
    refused_initialize: Option<String>,
}

impl Handshake {
    pub(super) fn era(&self) -> Option<Era> {
        self.era
    }

    pub(super) fn revision(&self) -> Option<Revision> {
        self.revision
    }

    pub(super) fn facts(&self) -> &ServerFacts {
        &self.facts
    }

    /// The server's capabilities, JSON text of an object.
    pub(super) fn capabilities(&self) -> &str {
        self.facts.capabilities.as_deref().unwrap_or("{}")
    }

    pub(super) fn members(&self) -> &Members {
        &self.members
    }

    pub(super) fn members_mut(&mut self) -> &mut Members {
        &mut self.members
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn step(&self) -> Option<&Step> {
        self.step.as_ref()
    }

    pub(super) fn late_probe(&self) -> Option<u64> {
        self.late_probe
    }

    /// Whether the step waits for a person who logs in.
    pub(super) fn logs_in(&self) -> bool {
        self.step.is_some_and(|step| step.logs_in)
    }

    /// Whether a timer that was set for the step in this exchange is still its own.
    pub(super) fn is_due(&self, exchange: u64, at: Instant) -> bool {
        self.step.is_some_and(|step| step.exchange == exchange && step.until <= at)
    }

    /// The transport is open: what is asked first.
    pub(super) fn begin(&self, settings: &Settings) -> Next {
        let modern = settings.newest(Era::Modern);
        match (modern, settings.newest(Era::Legacy), self.era) {
            (Some(modern), _, Some(Era::Modern) | None) | (Some(modern), None, _) => Next::ask(modern),
            (_, Some(legacy), _) => Next::ask(legacy),
            (None, None, _) => {
                let what = "the config permits no revision (protocol)";
                Next::failed_for_good(Error::new(Status::Unsupported, "connect", what))
            }
        }
    }

    /// Begins the step that asks this in `exchange`. Gives the frame to send, and when the step's time is over.
    pub(super) fn ask(
        &mut self,
        now: Instant,
        exchange: u64,
        Question { revision, again }: Question,
        settings: &Settings,
    ) -> (Frame, Instant) {
        self.adopt(revision, settings);
        let times = &settings.timeouts;
        let (frame, awaits, limit) = if revision.era() == Era::Modern {
            // A server that has named a modern revision may be slow: there is nothing else to try with it.
            let general = if again { times.probe.max(times.initialize) } else { times.probe };
            let frame = write::request(exchange, method::DISCOVER, None, self.members.text());
            (frame, Awaits::Discovery, settings.handshake_timeout(method::DISCOVER, general))
        } else {
            let capabilities = capability::declared_at(&settings.capabilities, revision);
            let params = handshake::initialize_params(revision, &capabilities, &settings.client_info);
            let params = ParamsBuf::written(method::INITIALIZE, params);
            let frame = write::request(exchange, method::INITIALIZE, Some(params.view()), "");
            (frame, Awaits::Initialize, settings.handshake_timeout(method::INITIALIZE, times.initialize))
        };
        (frame, self.enter(Step::new(now, exchange, awaits, revision, again, limit)))
    }

    /// Begins a step that no request of its own answers.
    pub(super) fn wait_for(
        &mut self,
        now: Instant,
        exchange: u64,
        awaits: Awaits,
        limit: Duration,
    ) -> Instant {
        let revision = self.revision.unwrap_or(Revision::LATEST_LEGACY);
        self.enter(Step::new(now, exchange, awaits, revision, false, limit))
    }

    fn enter(&mut self, step: Step) -> Instant {
        self.step = Some(step);
        step.until
    }

    /// Leaves the step that is under way. Its exchange has ended with it, unless that is the late probe.
    pub(super) fn leave_step(&mut self) -> Option<Step> {
        self.step.take()
    }

    /// No answer to the probe is of use any more. Gives its exchange.
    pub(super) fn end_late_probe(&mut self) -> Option<u64> {
        self.late_probe.take()
    }

    /// Speaks `revision` from here on.
    fn adopt(&mut self, revision: Revision, settings: &Settings) {
        self.revision = Some(revision);
        self.members = Members::of(revision, settings);
    }

    /// The stream of the server's own messages is open, or cannot be had.
    pub(super) fn stream_is_open(&self) -> Next {
        let awaited = self.step.is_some_and(|step| step.awaits == Awaits::Stream);
        if awaited { Next::StreamIsOpen } else { Next::Wait }
    }

    /// The step in this exchange waits for a login, or no longer does; `stops` while that is a person's. It has the `total` of
    /// any call for both: that its answer does not come says nothing about the server. Gives when its time is over.
    pub(super) fn wait_for_login(
        &mut self,
        now: Instant,
        exchange: u64,
        (waits, stops): (bool, bool),
        total: Duration,
    ) -> Option<Instant> {
        let step = self.step.as_mut().filter(|step| step.exchange == exchange)?;
        step.until = now + if waits { total } else { step.limit };
        step.logs_in = stops;
        Some(step.until)
    }

    /// The process starts. Gives when it is looked at, if it is.
    pub(super) fn begin_start(&mut self, now: Instant, settings: &Settings) -> Option<Instant> {
        self.start = Start::begin(now, &settings.timeouts);
        self.looks_for_life().then(|| Handshake::next_look(now, settings))
    }

    /// When the process is looked at again.
    pub(super) fn next_look(now: Instant, settings: &Settings) -> Instant {
        Start::next_look(now, &settings.timeouts)
    }

    /// Whether the process has shown no sign of life.
    pub(super) fn looks_for_life(&self) -> bool {
        self.start.is_awaited()
    }

    /// The process has not read all that was sent to it.
    pub(super) fn has_not_read(&mut self) {
        self.start.has_not_read();
    }

    /// The process runs: the times of the handshake begin. Gives the exchange of the step and when its time is over, if that moved.
    pub(super) fn is_alive(&mut self, now: Instant) -> Option<(u64, Instant)> {
        if !self.start.is_alive() {
            return None;
        }
        let step = self.step.as_mut()?;
        step.until = now + step.limit;
        Some((step.exchange, step.until))
    }

    /// The connection has ended, and the step with it.
    pub(super) fn connection_ended(&mut self) {
        (self.step, self.late_probe) = (None, None);
        self.members.drop_session();
    }

    /// Whether a connection that ended now may have ended because of the probe.
    pub(super) fn may_have_died_of_the_probe(&self, settings: &Settings) -> bool {
        let probes = |step: &Step| step.awaits == Awaits::Discovery && !step.again;
        self.era.is_none() && self.step.as_ref().is_some_and(probes) && settings.newest(Era::Legacy).is_some()
    }

    /// Remembers an era that the server did not state but showed.
    pub(super) fn infer_legacy(&mut self) {
        self.era = Some(Era::Legacy);
    }

    /// The server is asked for its era again.
    pub(super) fn forget_era(&mut self) {
        self.era = None;
    }

    /// Another client has found the server to be of the legacy era, with this transport. Says whether that is of use.
    pub(super) fn assume_legacy(&mut self, shape: Shape, settings: &Settings) -> bool {
        let is_of_use = self.era.is_none()
            && self.shape == Shape::Streamable
            && settings.newest(Era::Legacy).is_some()
            && settings.newest(Era::Modern).is_some()
            && (shape == Shape::Streamable || settings.allowed.contains(&Revision::V2024_11_05));
        if is_of_use {
            self.infer_legacy();
            self.shape = shape;
            self.assumed = true;
        }
        is_of_use
    }

    /// What was assumed of the era is doubtful, or known. Says whether anything was.
    pub(super) fn end_assumption(&mut self) -> bool {
        std::mem::take(&mut self.assumed)
    }

    /// The same URL is opened as the transport of 2024-11-05.
    pub(super) fn fall_back(&mut self, refused: String) {
        self.shape = Shape::Sse;
        self.refused_initialize = Some(refused);
        self.infer_legacy();
    }

    /// The handshake is done.
    pub(super) fn done(&mut self) {
        self.refused_initialize = None;
    }

    /// An attempt failed: the next one begins with the newest transport again.
    pub(super) fn attempt_failed(&mut self, error: &mut Error) {
        if std::mem::take(&mut self.shape) == Shape::Sse {
            self.era = None;
        }
        if let Some(refused) = self.refused_initialize.take() {
            // Which of the two says what is wrong is for a person to see.
            error.message = format!("{refused}. Tried as a server of 2024-11-05: {}", error.message);
        }
    }
}
