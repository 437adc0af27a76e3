//! The handshake of either era: the probe (`server/discover`), and `initialize` with `notifications/initialized`.

use super::Engine;
use super::deadlines::Due;
use super::effect::{Effect, Shape, State};
use super::exchanges::{Failure, FailureKind, Spoken};
use super::millis;
use super::settings::Wire;
use super::status::{Error, Status};
use crate::protocol::handshake::{self, InitializeAnswer};
use crate::protocol::probe::{self, Answer, Fallback};
use crate::protocol::{Era, ParamsBuf, Revision, capability, error_code, meta, method, task, write};
use std::time::{Duration, Instant};

/// The handshake step that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handshake {
    /// Its request on the wire.
    pub(super) exchange: u64,
    /// Whether it is `server/discover`.
    pub(super) probes: bool,
    /// The revision it asked for.
    asked: Revision,
    /// Whether the server was asked for this revision because it named it, on this connection.
    pub(super) again: bool,
    /// Whether it only awaits the stream of the server's own messages, `initialize` having been answered.
    pub(super) listens: bool,
    /// Whether it only awaits the answers to what is restored, after that.
    pub(super) restores: bool,
    /// Whether it waits for somebody who logs in.
    pub(super) logs_in: bool,
    limit: Duration,
    /// When its time is over, as things stand.
    pub(super) until: Instant,
}

impl Handshake {
    /// The time it has.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }
}

impl<T> Engine<T> {
    /// The transport is open: say the first thing.
    pub(super) fn begin_handshake(&mut self, now: Instant) {
        let modern = self.settings.newest(Era::Modern);
        let legacy = self.settings.newest(Era::Legacy);
        match (modern, legacy, self.era) {
            (Some(modern), _, Some(Era::Modern) | None) | (Some(modern), None, _) => {
                self.probe(now, modern, false);
            }
            (_, Some(legacy), _) => self.initialize(now, legacy, false),
            (None, None, _) => {
                let error =
                    Error::new(Status::Unsupported, "connect", "the config permits no revision (protocol)");
                self.attempt_failed(now, error, true);
            }
        }
    }

    pub(super) fn probe(&mut self, now: Instant, revision: Revision, again: bool) {
        self.adopt(revision);
        let times = &self.settings.timeouts;
        // A server that has named a modern revision may be slow: there is nothing else to try with it.
        let general = if again { times.probe.max(times.initialize) } else { times.probe };
        let limit = self.settings.handshake_timeout(method::DISCOVER, general);
        let exchange = self.step(now, revision, true, again, limit);
        self.send(write::request(exchange, method::DISCOVER, None, &self.members));
    }

    pub(super) fn initialize(&mut self, now: Instant, revision: Revision, again: bool) {
        self.adopt(revision);
        let limit = self.settings.handshake_timeout(method::INITIALIZE, self.settings.timeouts.initialize);
        let exchange = self.step(now, revision, false, again, limit);
        let capabilities = capability::declared_at(&self.settings.capabilities, revision);
        let params = handshake::initialize_params(revision, &capabilities, &self.settings.client_info);
        let params = ParamsBuf::written(method::INITIALIZE, params);
        self.send(write::request(exchange, method::INITIALIZE, Some(params.view()), ""));
    }

    /// Speaks `revision` from here on.
    pub(super) fn adopt(&mut self, revision: Revision) {
        self.revision = Some(revision);
        let capabilities = capability::declared_at(&self.settings.capabilities, revision);
        self.members = meta::connection_members(revision, &self.settings.client_info, &capabilities);
        let without = capability::without_extension(&self.settings.capabilities, task::EXTENSION);
        let without = capability::declared_at(&without, revision);
        self.members_without_tasks = meta::connection_members(revision, &self.settings.client_info, &without);
    }

    fn step(&mut self, now: Instant, asked: Revision, probes: bool, again: bool, limit: Duration) -> u64 {
        if let Some(step) = self.handshake.take() {
            if self.late_probe != Some(step.exchange) {
                // Its answer is late from here on.
                self.end_exchange(step.exchange);
            }
            if step.logs_in {
                self.no_login_any_more(now);
            }
        }
        let exchange = self.next_handshake_exchange();
        let until = now + limit;
        let (listens, restores, logs_in) = (false, false, false);
        self.handshake =
            Some(Handshake { exchange, probes, asked, again, listens, restores, logs_in, limit, until });
        self.deadlines.add(until, Due::Handshake(exchange));
        exchange
    }

    /// The handshake request was answered with a result.
    pub(super) fn handshake_result(&mut self, now: Instant, result: &str) {
        let Some(step) = self.handshake else { return };
        if step.probes {
            return self.probe_answered(now, step, Answer::Result(result));
        }
        let allowed: Vec<Revision> =
            self.settings.allowed.iter().copied().filter(|revision| revision.era() == Era::Legacy).collect();
        self.end_late_probe();
        match handshake::read_initialize(result, &allowed) {
            InitializeAnswer::Agreed(revision, facts) => {
                self.era = Some(Era::Legacy);
                self.adopt(revision);
                self.facts = facts;
                self.send(write::notification(method::INITIALIZED, None));
                if self.settings.wire == Wire::Http && self.shape == Shape::Streamable {
                    self.open_incoming(now);
                } else {
                    self.restore_first(now);
                }
            }
            InitializeAnswer::OtherVersion(version) => {
                let permitted = names(&allowed);
                let error = Error::new(
                    Status::Unsupported,
                    method::INITIALIZE,
                    format!(
                        "the server wants revision '{version}', and permitted are {permitted}; \
                         change 'protocol' in the config if libmcp speaks it"
                    ),
                )
                .with("server_version", version)
                .with("permitted", permitted);
                self.initialize_failed(now, error, true);
            }
            InitializeAnswer::Invalid(why) => {
                let error = Error::new(
                    Status::Protocol,
                    method::INITIALIZE,
                    format!("the server's answer to initialize is invalid: {why}"),
                )
                .with("result", excerpt(result));
                self.initialize_failed(now, error, false);
            }
        }
    }

    /// The handshake request was answered with an error.
    pub(super) fn handshake_refused(&mut self, now: Instant, code: i64, message: &str, data: Option<&str>) {
        let Some(step) = self.handshake else { return };
        if step.probes {
            return self.probe_answered(now, step, Answer::Error { code, data });
        }
        let mut text = format!(
            "the server refused initialize (revision {}): {message} (code {code})",
            step.asked.as_str()
        );
        if code == error_code::UNSUPPORTED_VERSION
            && let Some(supported) = probe::supported(data)
        {
            match self.in_common(&supported) {
                Some(revision) if !step.again => return self.turn_to(now, revision),
                Some(_) => {}
                None => {
                    let error = self.none_in_common(method::INITIALIZE, supported);
                    return self.initialize_failed(now, error, true);
                }
            }
            text.push_str("; it supports ");
            text.push_str(&supported.join(", "));
        }
        let mut error = Error::new(Status::Server, method::INITIALIZE, text);
        error.code = Some(code);
        error.data = data.map(str::to_owned);
        self.initialize_failed(now, error, false);
    }

    /// The answer to the handshake request broke a rule of the protocol.
    pub(super) fn handshake_malformed(&mut self, now: Instant, violation: &str) {
        let Some(step) = self.handshake else { return };
        if step.probes {
            return self.probe_answered(now, step, Answer::Result("null"));
        }
        let error = Error::new(
            Status::Protocol,
            method::INITIALIZE,
            format!("the server's answer to initialize is invalid: {violation}"),
        );
        self.initialize_failed(now, error, false);
    }

    pub(super) fn handshake_timed_out(&mut self, now: Instant, exchange: u64) {
        let Some(step) = self.handshake.filter(|step| step.exchange == exchange) else { return };
        if step.listens {
            // Some servers send no head before the first event; the stream may well be open.
            return self.incoming_is_open(now, self.generation);
        }
        if step.restores {
            self.restore_failed("not everything was answered within timeouts.listen_ms");
            return self.become_ready(now);
        }
        if let Some(until) = self.still_starts(now, &step) {
            if let Some(step) = &mut self.handshake {
                step.until = until;
            }
            return self.deadlines.add(until, Due::Handshake(exchange));
        }
        if let Some(error) = self.never_started(&step) {
            return self.attempt_failed(now, error, false);
        }
        if step.probes && !step.again && self.settings.newest(Era::Legacy).is_some() {
            self.expect_late_probe(exchange);
            return self.probe_answered(now, step, Answer::Timeout);
        }
        let limit = millis(step.limit);
        let (operation, key) = if step.probes {
            (method::DISCOVER, "timeouts.probe_ms")
        } else {
            (method::INITIALIZE, "timeouts.initialize_ms")
        };
        let error = Error::new(
            Status::Timeout,
            operation,
            format!(
                "the server did not answer {operation} within {limit} ms; raise {key} if it starts slowly"
            ),
        )
        .with("limit_ms", limit);
        self.attempt_failed(now, error, false);
    }

    /// Has the transport open the stream of the server's own messages. Some servers drop what they want to send while there
    /// is none, so the connection is not ready before that was tried.
    fn open_incoming(&mut self, now: Instant) {
        let limit = self.settings.timeouts.listen;
        if let Some(step) = self.step_without_request(now, limit) {
            step.listens = true;
        }
        self.effects.push_back(Effect::Listen { generation: self.generation });
    }

    /// A step that nothing on the wire answers.
    pub(super) fn step_without_request(&mut self, now: Instant, limit: Duration) -> Option<&mut Handshake> {
        let exchange = self.step(now, self.revision.unwrap_or(Revision::LATEST_LEGACY), false, false, limit);
        self.exchanges.end(exchange);
        self.handshake.as_mut()
    }

    /// The stream of the server's own messages is open, or cannot be had: both are well.
    pub fn incoming_is_open(&mut self, now: Instant, generation: u64) {
        let listens = self.handshake.is_some_and(|step| step.listens);
        if generation == self.generation && self.state == State::Initializing && listens {
            self.restore_first(now);
        }
    }

    /// The handshake request failed without an answer that its message could be read from.
    pub(super) fn handshake_failed(&mut self, now: Instant, failure: Failure) {
        let Some(step) = self.handshake else { return };
        if let Some(spoken) = names_revisions(failure.spoken.as_ref()).filter(|_| !step.probes) {
            // The error says more than the status that it came with.
            return self.handshake_refused(now, spoken.code, &spoken.message, spoken.data.as_deref());
        }
        let error = failure.spoken.as_ref().map(|spoken| (spoken.code, spoken.data.as_deref()));
        match (failure.http, failure.kind) {
            (_, FailureKind::Unreachable) => self.attempt_failed(now, failure.error, false),
            // A login that may well succeed the next time, such as when the authorization server is down.
            _ if failure.error.status == Status::Auth && failure.error.retryable => {
                self.attempt_failed(now, failure.error, false);
            }
            (status, _) if step.probes => {
                // What went wrong belongs to the story when there is no other way to go on.
                self.refused_probe = Some(failure.error.clone());
                let answer = status.map_or(Answer::Closed, |status| Answer::Http { status, error });
                self.probe_answered(now, step, answer);
                self.refused_probe = None;
            }
            (Some(status), _) => match probe::after_initialize(status, error) {
                Fallback::HttpSse | Fallback::None if self.assumed => {
                    self.initialize_failed(now, failure.error, false);
                }
                Fallback::HttpSse if self.may_fall_back() => self.fall_back(now, failure.error),
                Fallback::Authorize(_) => self.attempt_failed(now, failure.error, true),
                Fallback::HttpSse | Fallback::None => self.attempt_failed(now, failure.error, false),
            },
            (None, _) => self.attempt_failed(now, failure.error, false),
        }
    }

    fn may_fall_back(&self) -> bool {
        self.settings.wire == Wire::Http
            && self.shape == Shape::Streamable
            && self.settings.allowed.contains(&Revision::V2024_11_05)
    }
}

pub(super) fn names(revisions: &[Revision]) -> String {
    revisions.iter().map(|revision| revision.as_str()).collect::<Vec<_>>().join(", ")
}

/// An error that names the revisions of the server.
fn names_revisions(spoken: Option<&Spoken>) -> Option<&Spoken> {
    spoken.filter(|spoken| {
        spoken.code == error_code::UNSUPPORTED_VERSION && probe::supported(spoken.data.as_deref()).is_some()
    })
}

/// The start of a text, for an error.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
