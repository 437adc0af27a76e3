//! The handshake of either era: the probe (`server/discover`), and `initialize` with `notifications/initialized`. This part
//! owns the step that is under way and what is known of the server. It says what is to be done next ([`HandshakeAction`]); the engine
//! does it.
//!
//! The files:
//!
//! * `answers`: where the end of a request of the handshake leads

mod answers;

use crate::engine::client::effect::Shape;
use crate::engine::client::settings::{Settings, Timeouts};
use crate::engine::{Error, Status, millis};
use crate::json;
use crate::protocol::capability::AskedAnyway;
use crate::protocol::handshake::{self, ServerFacts};
use crate::protocol::{Era, Frame, ParamsBuf, Revision, capability, meta, method, task, write};
use std::time::{Duration, Instant};

/// What is known of the server, and the step that is under way.
#[derive(Default, Debug)]
pub(crate) struct Handshake {
    /// Known from one connection to the next, until a handshake fails.
    era: Option<Era>,
    /// The era is what another client found out about the server.
    assumed: bool,
    revision: Option<Revision>,
    facts: ServerFacts,
    /// Which of these the server declared: every call of one wants to know.
    declared: [bool; AskedAnyway::ALL.len()],
    members: RequestMeta,
    step: Option<HandshakeStep>,
    /// The probe whose time was over before its answer came, while `initialize` waits.
    late_probe: Option<u64>,
    /// The start of the process at the other end.
    start: ProcessStart,
    /// Which HTTP transport this connection uses.
    shape: Shape,
    /// Why `initialize` was refused before HTTP+SSE was tried.
    refused_initialize: Option<String>,
    /// Why the probe was refused, while `initialize` is tried all the same.
    refused_probe: Option<Error>,
}

impl Handshake {
    pub(crate) fn era(&self) -> Option<Era> {
        self.era
    }

    pub(crate) fn revision(&self) -> Option<Revision> {
        self.revision
    }

    fn set_facts(&mut self, facts: ServerFacts) {
        self.facts = facts;
        self.declared =
            AskedAnyway::ALL.map(|feature| capability::server_has(self.capabilities(), feature.pointer()));
    }

    /// Whether the server declared it.
    pub(crate) fn declares(&self, feature: AskedAnyway) -> bool {
        self.declared.get(feature as usize).copied().unwrap_or_default()
    }

    pub(crate) fn facts(&self) -> &ServerFacts {
        &self.facts
    }

    /// The server's capabilities, JSON text of an object.
    pub(crate) fn capabilities(&self) -> &str {
        self.facts.capabilities.as_deref().unwrap_or("{}")
    }

    pub(crate) fn members(&self) -> &RequestMeta {
        &self.members
    }

    pub(crate) fn members_mut(&mut self) -> &mut RequestMeta {
        &mut self.members
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn step(&self) -> Option<&HandshakeStep> {
        self.step.as_ref()
    }

    pub(crate) fn late_probe(&self) -> Option<u64> {
        self.late_probe
    }

    /// Whether the step waits for a person who logs in.
    pub(crate) fn logs_in(&self) -> bool {
        self.step.is_some_and(|step| step.logs_in)
    }

    /// Whether a timer that was set for the step in this exchange is still its own.
    pub(crate) fn is_due(&self, exchange: u64, at: Instant) -> bool {
        self.step.is_some_and(|step| step.exchange == exchange && step.until <= at)
    }

    /// The transport is open: what is asked first.
    pub(crate) fn begin(&self, settings: &Settings) -> HandshakeAction {
        let modern = settings.newest(Era::Modern);
        match (modern, settings.newest(Era::Legacy), self.era) {
            (Some(modern), _, Some(Era::Modern) | None) | (Some(modern), None, _) => {
                HandshakeAction::ask(modern)
            }
            (_, Some(legacy), _) => HandshakeAction::ask(legacy),
            (None, None, _) => {
                let what = "the config permits no revision (protocol)";
                HandshakeAction::failed_for_good(Error::new(Status::Unsupported, "connect", what))
            }
        }
    }

    /// Begins the step that asks this in `exchange`. Gives the frame to send, and when the step's time is over.
    pub(crate) fn ask(
        &mut self,
        now: Instant,
        exchange: u64,
        HandshakeRequest { revision, again }: HandshakeRequest,
        settings: &Settings,
    ) -> (Frame, Instant) {
        self.adopt(revision, settings);
        let times = &settings.timeouts;
        let (frame, awaits, limit) = if revision.era() == Era::Modern {
            // A server that named a modern revision may be slow: no other handshake is left to try.
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
        (frame, self.enter(HandshakeStep::new(now, exchange, awaits, revision, again, limit)))
    }

    /// Begins a step that no request of its own answers.
    pub(crate) fn wait_for(
        &mut self,
        now: Instant,
        exchange: u64,
        awaits: Awaits,
        limit: Duration,
    ) -> Instant {
        let revision = self.revision.unwrap_or(Revision::LATEST_LEGACY);
        self.enter(HandshakeStep::new(now, exchange, awaits, revision, false, limit))
    }

    fn enter(&mut self, step: HandshakeStep) -> Instant {
        self.step = Some(step);
        step.until
    }

    /// Leaves the step that is under way. Its exchange has ended with it, unless that is the late probe.
    pub(crate) fn leave_step(&mut self) -> Option<HandshakeStep> {
        self.step.take()
    }

    /// No answer to the probe is of use any more. Gives its exchange.
    pub(crate) fn end_late_probe(&mut self) -> Option<u64> {
        self.late_probe.take()
    }

    /// Speaks `revision` from here on.
    fn adopt(&mut self, revision: Revision, settings: &Settings) {
        self.revision = Some(revision);
        self.members = RequestMeta::of(revision, settings);
    }

    /// The stream of the server's own messages is open, or cannot be had.
    pub(crate) fn stream_is_open(&self) -> HandshakeAction {
        let awaited = self.step.is_some_and(|step| step.awaits == Awaits::Stream);
        if awaited { HandshakeAction::StreamIsOpen } else { HandshakeAction::Wait }
    }

    /// The step in this exchange waits for a login, or no longer does; `stops` while that is a person's. It has the `total` of
    /// any call for both: that its answer does not come says nothing about the server. Gives when its time is over.
    pub(crate) fn wait_for_login(
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
    pub(crate) fn begin_start(&mut self, now: Instant, settings: &Settings) -> Option<Instant> {
        self.start = ProcessStart::begin(now, &settings.timeouts);
        self.looks_for_life().then(|| Handshake::next_start_check(now, settings))
    }

    /// When the process is looked at again.
    pub(crate) fn next_start_check(now: Instant, settings: &Settings) -> Instant {
        ProcessStart::next_start_check(now, &settings.timeouts)
    }

    /// Whether the process has shown no sign of life.
    pub(crate) fn looks_for_life(&self) -> bool {
        self.start.is_awaited()
    }

    /// The process has not read all that was sent to it.
    pub(crate) fn has_not_read(&mut self) {
        self.start.has_not_read();
    }

    /// The process runs: the times of the handshake begin. Gives the exchange of the step and when its time is over, if that moved.
    pub(crate) fn is_alive(&mut self, now: Instant) -> Option<(u64, Instant)> {
        if !self.start.is_alive() {
            return None;
        }
        let step = self.step.as_mut()?;
        step.until = now + step.limit;
        Some((step.exchange, step.until))
    }

    /// The connection has ended, and the step with it.
    pub(crate) fn connection_ended(&mut self) {
        (self.step, self.late_probe) = (None, None);
        self.members.drop_session();
    }

    /// Whether a connection that ended now may have ended because of the probe.
    pub(crate) fn may_have_ended_because_of_probe(&self, settings: &Settings) -> bool {
        let probes = |step: &HandshakeStep| step.awaits == Awaits::Discovery && !step.again;
        self.era.is_none() && self.step.as_ref().is_some_and(probes) && settings.newest(Era::Legacy).is_some()
    }

    /// Remembers an era that the server did not state but showed.
    pub(crate) fn infer_legacy(&mut self) {
        self.era = Some(Era::Legacy);
    }

    /// The server is asked for its era again.
    pub(crate) fn forget_era(&mut self) {
        self.era = None;
    }

    /// Another client has found the server to be of the legacy era, with this transport. Says whether that is of use.
    pub(crate) fn assume_legacy(&mut self, shape: Shape, settings: &Settings) -> bool {
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
    pub(crate) fn end_assumption(&mut self) -> bool {
        std::mem::take(&mut self.assumed)
    }

    /// The same URL is opened as the transport of 2024-11-05.
    pub(crate) fn fall_back(&mut self, refused: String) {
        self.shape = Shape::Sse;
        self.refused_initialize = Some(refused);
        self.infer_legacy();
    }

    /// The handshake is done.
    pub(crate) fn done(&mut self) {
        (self.refused_initialize, self.refused_probe) = (None, None);
    }

    /// An attempt failed: the next one begins with the newest transport again.
    pub(crate) fn attempt_failed(&mut self, error: &mut Error) {
        let asked_anyway = self.refused_probe.take().is_some();
        if std::mem::take(&mut self.shape) == Shape::Sse || asked_anyway {
            self.era = None;
        }
        if let Some(refused) = self.refused_initialize.take() {
            // Which of the two says what is wrong is for a person to see.
            error.message = format!("{refused}. Tried as a server of 2024-11-05: {}", error.message);
        }
    }
}

/// What a step awaits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Awaits {
    /// The answer to `server/discover`, the probe.
    Discovery,
    /// The answer to `initialize`.
    Initialize,
    /// The stream of the server's own messages, `initialize` having been answered.
    Stream,
    /// The answers to what is restored, after that.
    Restored,
}

/// The step that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandshakeStep {
    /// Its request on the wire.
    pub(crate) exchange: u64,
    pub(crate) awaits: Awaits,
    /// The revision it asked for.
    pub(crate) asked: Revision,
    /// Whether the server was asked for this revision because it named it, on this connection.
    pub(crate) again: bool,
    /// Whether it waits for a person who logs in.
    pub(crate) logs_in: bool,
    /// The time it has.
    pub(crate) limit: Duration,
    /// When its time is over, as things stand.
    pub(crate) until: Instant,
}

impl HandshakeStep {
    pub(crate) fn new(
        now: Instant,
        exchange: u64,
        awaits: Awaits,
        asked: Revision,
        again: bool,
        limit: Duration,
    ) -> HandshakeStep {
        HandshakeStep { exchange, awaits, asked, again, logs_in: false, limit, until: now + limit }
    }
}

/// What the server is asked next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HandshakeRequest {
    pub(crate) revision: Revision,
    /// Whether it is asked for this revision because it named it, on this connection.
    pub(crate) again: bool,
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub(crate) enum HandshakeAction {
    /// Nothing: the step continues.
    Wait,
    /// Nothing until then: the time of the step in this exchange was moved.
    WaitUntil(u64, Instant),
    /// Ask what is asked first of a server of the revision's era.
    Ask(HandshakeRequest),
    /// The server showed that it is of the legacy era, for this reason: send `initialize`.
    AskLegacy(HandshakeRequest, &'static str),
    /// The server refused `initialize` and named this revision: ask for that on the same connection. What it then says is
    /// final, so that no server keeps a client going in circles.
    Turn(Revision),
    /// What was assumed of the era was wrong, for this reason: begin with the probe.
    BeginAgain(String),
    /// `initialize` was answered: say so, then open the stream of the server's own messages where there is one.
    Initialized,
    /// That stream is open, or cannot be had: both are well.
    StreamIsOpen,
    /// What is restored was not answered in time.
    NotRestored,
    /// The handshake is done.
    Ready,
    /// `initialize` was refused in a way that servers of 2024-11-05 refuse it: open the same URL as their transport.
    FallBack(Error),
    /// The attempt failed; a `permanent` failure would repeat itself.
    Failed { error: Error, permanent: bool },
}

impl HandshakeAction {
    pub(crate) fn failed(error: Error) -> HandshakeAction {
        HandshakeAction::Failed { error, permanent: false }
    }

    fn failed_for_good(error: Error) -> HandshakeAction {
        HandshakeAction::Failed { error, permanent: true }
    }

    pub(crate) fn ask(revision: Revision) -> HandshakeAction {
        HandshakeAction::Ask(HandshakeRequest { revision, again: false })
    }
}

/// How often the library checks whether a starting process has read its input.
const LOOK: Duration = Duration::from_millis(100);

/// The shortest interval between checks: a probe timeout of 0 must not become a busy loop.
const SHORTEST_LOOK: Duration = Duration::from_millis(5);

/// What is known of the process at the other end.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ProcessStart {
    /// When its time to start is over; `None` once it has shown a sign of life, or where nothing was started.
    until: Option<Instant>,
    /// Whether it is known that it has not read what was sent.
    has_not_read: bool,
}

impl ProcessStart {
    pub(crate) fn begin(now: Instant, timeouts: &Timeouts) -> ProcessStart {
        ProcessStart { until: timeouts.start.map(|start| now + start), has_not_read: false }
    }

    /// Whether it has shown no sign of life.
    pub(crate) fn is_awaited(&self) -> bool {
        self.until.is_some()
    }

    /// When it is checked again: before a short probe times out.
    pub(crate) fn next_start_check(now: Instant, timeouts: &Timeouts) -> Instant {
        now + LOOK.min(timeouts.probe / 4).max(SHORTEST_LOOK)
    }

    /// It has not read all that was sent to it.
    pub(crate) fn has_not_read(&mut self) {
        self.has_not_read = self.is_awaited();
    }

    /// It runs. Says whether that was not known before.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.until.take().is_some()
    }

    /// Until when a request keeps waiting because the process has not begun to read; `probes` if it is the probe.
    fn still_starts(&self, now: Instant, probes: bool) -> Option<Instant> {
        // Where it cannot be told, `initialize` goes out as well: an answer to the probe is taken even then.
        self.until.filter(|until| now < *until && (self.has_not_read || !probes))
    }

    /// The error of a process that showed no sign of life in the time it had for that, which was `limit` at least.
    pub(crate) fn error(&self, probes: bool, limit: Duration, timeouts: &Timeouts) -> Option<Error> {
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

#[derive(Default, Debug)]
pub(crate) struct RequestMeta {
    text: String,
    /// The same for a call that must not become a task. It does not name the session.
    without_tasks: String,
    /// The same for a call that declares its own capabilities. It names neither the session nor capabilities.
    without_capabilities: String,
    /// How long the text is without the session, while it names one.
    plain: Option<usize>,
}

impl RequestMeta {
    /// What requests of this revision carry. They name no session.
    pub(crate) fn of(revision: Revision, settings: &Settings) -> RequestMeta {
        let capabilities = capability::declared_at(&settings.capabilities, revision);
        #[cfg_attr(not(feature = "draft"), expect(unused_mut, reason = "a draft adds to them"))]
        let mut text = meta::connection_members(revision, &settings.client_info, &capabilities);
        let without = capability::without_extension(&settings.capabilities, task::EXTENSION);
        let without = capability::declared_at(&without, revision);
        #[cfg_attr(not(feature = "draft"), expect(unused_mut, reason = "a draft adds to them"))]
        let mut without_tasks = meta::connection_members(revision, &settings.client_info, &without);
        #[cfg_attr(not(feature = "draft"), expect(unused_mut, reason = "a draft adds to them"))]
        let mut without_capabilities = meta::client_members(revision, &settings.client_info);
        #[cfg(feature = "draft")]
        for members in [&mut text, &mut without_tasks, &mut without_capabilities] {
            crate::engine::client::draft::push_language(settings, members);
        }
        RequestMeta { text, without_tasks, without_capabilities, plain: None }
    }

    /// The members as JSON text without braces.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Adds them to `out`; without tasks for a call that must not become one, and with the capabilities of a call that declares its
    /// own. In the legacy era requests declare none.
    pub(crate) fn push(&self, without_tasks: bool, capabilities: Option<&str>, out: &mut String) {
        match capabilities.filter(|_| !self.without_capabilities.is_empty()) {
            Some(capabilities) => {
                out.push_str(&self.without_capabilities);
                meta::push_capabilities(capabilities, out);
            }
            None if without_tasks => out.push_str(&self.without_tasks),
            None => return out.push_str(&self.text),
        }
        // The session stands behind the rest, with its comma if there is a rest.
        out.push_str(self.plain.and_then(|plain| self.text.get(plain..)).unwrap_or_default());
    }

    /// Whether they name the session.
    pub(crate) fn name_session(&self) -> bool {
        self.plain.is_some()
    }

    /// Has them name the session.
    pub(crate) fn add_session(&mut self, id: &str) {
        self.drop_session();
        self.plain = Some(self.text.len());
        if !self.text.is_empty() {
            self.text.push(',');
        }
        json::quote_into(meta::SESSION_ID, &mut self.text);
        self.text.push(':');
        json::quote_into(id, &mut self.text);
    }

    /// They name no session any more.
    pub(crate) fn drop_session(&mut self) {
        if let Some(plain) = self.plain.take() {
            self.text.truncate(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::client::exchanges::RpcError;
    use crate::protocol::error_code;
    use crate::protocol::handshake::ProbeAnswer;

    const SECOND: Duration = Duration::from_secs(1);

    /// Asks the first question of `settings` in exchange 1.
    fn asked(settings: &Settings, now: Instant) -> (Handshake, HandshakeRequest) {
        let mut handshake = Handshake::default();
        let HandshakeAction::Ask(question) = handshake.begin(settings) else { panic!("nothing is asked") };
        let (frame, until) = handshake.ask(now, 1, question, settings);
        let method =
            if question.revision.era() == Era::Modern { method::DISCOVER } else { method::INITIALIZE };
        assert!(String::from_utf8_lossy(&frame.text).contains(method));
        assert!(handshake.is_due(1, until) && !handshake.is_due(2, until) && until > now);
        (handshake, question)
    }

    fn refusal(code: i64, data: Option<&str>) -> RpcError {
        RpcError { code, message: "no".to_owned(), data: data.map(str::to_owned) }
    }

    fn legacy_only() -> Settings {
        Settings { allowed: vec![Revision::LATEST_LEGACY], ..Settings::default() }
    }

    #[test]
    fn a_server_that_does_not_know_the_probe_is_sent_initialize() {
        let (settings, now) = (Settings::default(), Instant::now());
        let (mut handshake, question) = asked(&settings, now);
        assert_eq!(question.revision.era(), Era::Modern);
        assert!(handshake.may_have_ended_because_of_probe(&settings));
        let next = handshake.refused(&refusal(error_code::METHOD_NOT_FOUND, None), &settings);
        let HandshakeAction::AskLegacy(question, _) = next else { panic!("{next:?}") };
        assert_eq!((question.revision.era(), handshake.era()), (Era::Legacy, Some(Era::Legacy)));
        handshake.ask(now, 2, question, &settings);
        let result = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;
        assert!(matches!(handshake.answered(result, &settings), HandshakeAction::Initialized));
        assert_eq!(handshake.revision(), Some(Revision::V2025_06_18));
        assert_eq!(handshake.capabilities(), r#"{"tools":{}}"#);
    }

    #[test]
    fn a_probe_without_an_answer_is_awaited_while_initialize_waits() {
        let (settings, now) = (Settings::default(), Instant::now());
        let (mut handshake, _) = asked(&settings, now);
        assert!(
            matches!(handshake.timed_out(now, 7, &settings), HandshakeAction::Wait),
            "another exchange's time"
        );
        assert!(matches!(handshake.timed_out(now, 1, &settings), HandshakeAction::AskLegacy(..)));
        assert_eq!(handshake.late_probe(), Some(1));
        assert!(matches!(
            handshake.late_probe_answered(ProbeAnswer::Closed, &settings),
            HandshakeAction::Wait
        ));
        assert_eq!(handshake.late_probe(), None);
    }

    #[test]
    fn a_revision_that_a_refusal_names_is_asked_for_once() {
        let (settings, now) = (Settings::default(), Instant::now());
        let (mut handshake, _) = asked(&legacy_only(), now);
        let names = refusal(error_code::UNSUPPORTED_VERSION, Some(r#"{"supported":["2025-03-26"]}"#));
        let next = handshake.refused(&names, &settings);
        let HandshakeAction::Turn(revision) = next else { panic!("{next:?}") };
        handshake.ask(now, 2, HandshakeRequest { revision, again: true }, &settings);
        assert!(matches!(
            handshake.refused(&names, &settings),
            HandshakeAction::Failed { permanent: false, .. }
        ));
        let other = refusal(error_code::UNSUPPORTED_VERSION, Some(r#"{"supported":["1999-01-01"]}"#));
        assert!(matches!(
            handshake.refused(&other, &settings),
            HandshakeAction::Failed { permanent: true, .. }
        ));
    }

    #[test]
    fn what_was_assumed_is_dropped_when_initialize_leads_to_nothing() {
        let (settings, now) = (Settings::default(), Instant::now());
        let mut handshake = Handshake::default();
        assert!(handshake.assume_legacy(Shape::Streamable, &settings));
        assert!(!handshake.assume_legacy(Shape::Streamable, &settings), "the era is known");
        let HandshakeAction::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
        assert_eq!(question.revision.era(), Era::Legacy);
        handshake.ask(now, 1, question, &settings);
        assert!(matches!(handshake.unusable("it is cut off", &settings), HandshakeAction::BeginAgain(_)));
        assert!(handshake.end_assumption() && handshake.era().is_none());
        let HandshakeAction::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
        assert_eq!(question.revision.era(), Era::Modern);
    }

    #[test]
    fn the_times_begin_at_the_first_sign_of_life() {
        let (mut settings, now) = (Settings::default(), Instant::now());
        settings.timeouts.start = Some(60 * SECOND);
        let mut handshake = Handshake::default();
        assert!(handshake.begin_start(now, &settings).is_some() && handshake.looks_for_life());
        let HandshakeAction::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
        let (_, until) = handshake.ask(now, 1, question, &settings);
        handshake.has_not_read();
        let next = handshake.timed_out(until, 1, &settings);
        assert!(matches!(next, HandshakeAction::WaitUntil(1, at) if at == now + 60 * SECOND), "{next:?}");
        let moved = handshake.is_alive(now + 20 * SECOND);
        assert_eq!(moved, Some((1, until + 20 * SECOND)));
        assert!(handshake.is_alive(now + 20 * SECOND).is_none() && !handshake.looks_for_life());
    }

    #[test]
    fn a_login_stops_the_time_of_its_own_step_only() {
        let (settings, now) = (Settings::default(), Instant::now());
        let (mut handshake, _) = asked(&settings, now);
        assert_eq!(handshake.wait_for_login(now, 9, (true, true), SECOND), None);
        assert_eq!(handshake.wait_for_login(now, 1, (true, true), 900 * SECOND), Some(now + 900 * SECOND));
        assert!(handshake.logs_in());
        assert!(handshake.wait_for_login(now, 1, (false, false), 900 * SECOND) < Some(now + 900 * SECOND));
        assert!(!handshake.logs_in() && handshake.leave_step().is_some() && handshake.step().is_none());
    }

    #[test]
    fn requests_name_the_session_until_the_connection_ends() {
        let (settings, now) = (Settings::default(), Instant::now());
        let (mut handshake, _) = asked(&settings, now);
        let plain = handshake.members().text().to_owned();
        handshake.members_mut().add_session("abc");
        assert!(handshake.members().name_session() && handshake.members().text().ends_with(":\"abc\""));
        let mut without_tasks = String::new();
        handshake.members().push(true, None, &mut without_tasks);
        assert!(without_tasks.ends_with(":\"abc\""));
        let mut declaring = String::new();
        handshake.members().push(false, Some(r#"{"sampling":{}}"#), &mut declaring);
        assert!(declaring.ends_with(":\"abc\""), "{declaring}");
        let declared = if plain.is_empty() { None } else { Some(r#"{"sampling":{}}"#) };
        let members = format!("{{{declaring}}}");
        assert_eq!(crate::json::member(&members, crate::protocol::meta::CLIENT_CAPABILITIES), declared);
        assert_eq!(declaring.matches("clientCapabilities").count(), usize::from(declared.is_some()));
        handshake.connection_ended();
        assert_eq!(handshake.members().text(), plain);
    }
}
