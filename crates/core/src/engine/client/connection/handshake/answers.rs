//! Where the end of a request of the handshake leads: an answer, a failure, or no answer in time.

use crate::engine::client::connection::handshake::{
    Awaits, Handshake, HandshakeAction, HandshakeRequest, HandshakeStep,
};
use crate::engine::client::effect::Shape;
use crate::engine::client::exchanges::{ExchangeFailure, FailureKind, RpcError};
use crate::engine::client::settings::{Settings, Wire};
use crate::engine::{Error, Status, excerpt, millis};
use crate::protocol::handshake::{self, Fallback, InitializeAnswer, ProbeAnswer, ProbeVerdict, ServerFacts};
use crate::protocol::{Era, Revision, error_code, method};
use std::time::Instant;

impl Handshake {
    /// The request was answered with a result.
    pub(crate) fn answered(&mut self, result: &str, settings: &Settings) -> HandshakeAction {
        let Some(step) = self.step else { return HandshakeAction::Wait };
        if step.awaits == Awaits::Discovery {
            return self.probe_answered(step, ProbeAnswer::Result(result), None, settings);
        }
        let legacy = |revision: &Revision| revision.era() == Era::Legacy;
        let allowed: Vec<Revision> = settings.allowed.iter().copied().filter(legacy).collect();
        match handshake::read_initialize(result, &allowed) {
            InitializeAnswer::Agreed(revision, facts) => {
                self.era = Some(Era::Legacy);
                self.adopt(revision, settings);
                self.set_facts(facts);
                HandshakeAction::Initialized
            }
            InitializeAnswer::OtherVersion(version) => {
                let permitted = names(&allowed);
                let error = Error::new(
                    Status::Unsupported,
                    method::INITIALIZE,
                    format!(
                        "the server answered with revision '{version}'; permitted: {permitted}; \
                         change 'protocol' in the config if libmcp speaks it"
                    ),
                )
                .with("server_version", version)
                .with("permitted", permitted);
                self.initialize_failed(error, true)
            }
            InitializeAnswer::Invalid(why) => {
                let message = format!("the server's answer to initialize is invalid: {why}");
                let error = Error::new(Status::Protocol, method::INITIALIZE, message);
                self.initialize_failed(error.with("result", excerpt(result)), false)
            }
        }
    }

    /// The request was answered with an error.
    pub(crate) fn refused(&mut self, spoken: &RpcError, settings: &Settings) -> HandshakeAction {
        let Some(step) = self.step else { return HandshakeAction::Wait };
        let RpcError { code, message, data } = spoken;
        let (code, data) = (*code, data.as_deref());
        if step.awaits == Awaits::Discovery {
            return self.probe_answered(step, ProbeAnswer::Error { code, data }, None, settings);
        }
        let asked = step.asked.as_str();
        let mut text = format!("the server refused initialize (revision {asked}): {message} (code {code})");
        if code == error_code::UNSUPPORTED_VERSION
            && let Some(supported) = handshake::supported(data)
        {
            match self.in_common(&supported, settings) {
                Some(revision) if !step.again => return HandshakeAction::Turn(revision),
                Some(_) => {}
                None => {
                    let error = none_in_common(method::INITIALIZE, supported, settings);
                    return self.initialize_failed(error, true);
                }
            }
            text.push_str("; it supports ");
            text.push_str(&supported.join(", "));
        }
        let mut error = Error::new(Status::Server, method::INITIALIZE, text);
        error.code = Some(code);
        error.data = data.map(str::to_owned);
        self.initialize_failed(error, false)
    }

    /// The answer to the request broke a rule of the protocol.
    pub(crate) fn unusable(&mut self, violation: &str, settings: &Settings) -> HandshakeAction {
        let Some(step) = self.step else { return HandshakeAction::Wait };
        if step.awaits == Awaits::Discovery {
            return self.probe_answered(step, ProbeAnswer::Result("null"), None, settings);
        }
        let message = format!("the server's answer to initialize is invalid: {violation}");
        self.initialize_failed(Error::new(Status::Protocol, method::INITIALIZE, message), false)
    }

    /// The request failed without an answer that its message could be read from.
    pub(crate) fn failed(&mut self, failure: ExchangeFailure, settings: &Settings) -> HandshakeAction {
        let Some(step) = self.step else { return HandshakeAction::Wait };
        let probes = step.awaits == Awaits::Discovery;
        if let Some(spoken) = names_revisions(failure.spoken.as_ref()).filter(|_| !probes) {
            // The error says more than the status that it came with.
            return self.refused(spoken, settings);
        }
        let ExchangeFailure { kind, error, http, spoken } = failure;
        let said = spoken.as_ref().map(|spoken| (spoken.code, spoken.data.as_deref()));
        match (http, kind) {
            (_, FailureKind::Unreachable) => HandshakeAction::failed(error),
            // A login that may well succeed the next time, such as when the authorization server is down.
            _ if error.status == Status::Auth && error.retryable => HandshakeAction::failed(error),
            (Some(status), FailureKind::NotLoggedIn) if probes => {
                HandshakeAction::failed_for_good(error.of(method::DISCOVER).with("http_status", status))
            }
            (status, _) if probes => {
                let answer =
                    status.map_or(ProbeAnswer::Closed, |status| ProbeAnswer::Http { status, error: said });
                self.probe_answered(step, answer, Some(error), settings)
            }
            // Not the method was forbidden, but who asks: what was said first is told. A login that failed says more than that, and
            // a server that is busy or away says nothing of who asks.
            (Some(status), _)
                if self.refused_probe.is_some() && !matches!(status, 401 | 408 | 425 | 429 | 500..) =>
            {
                HandshakeAction::failed_for_good(self.refused_probe.clone().unwrap_or(error))
            }
            (Some(status), _) => match handshake::after_initialize(status, said) {
                Fallback::HttpSse | Fallback::None if self.assumed => self.initialize_failed(error, false),
                Fallback::HttpSse if self.may_fall_back(settings) => HandshakeAction::FallBack(error),
                Fallback::Authorize(_) => HandshakeAction::failed_for_good(error),
                Fallback::HttpSse | Fallback::None => HandshakeAction::failed(error),
            },
            (None, _) => HandshakeAction::failed(error),
        }
    }

    fn may_fall_back(&self, settings: &Settings) -> bool {
        settings.wire == Wire::Http
            && self.shape == Shape::Streamable
            && settings.allowed.contains(&Revision::V2024_11_05)
    }

    /// `initialize` led to nothing. If it was sent only because of what was assumed, the server is asked after all.
    fn initialize_failed(&mut self, error: Error, permanent: bool) -> HandshakeAction {
        if self.shape == Shape::Streamable && self.assumed {
            self.era = None;
            return HandshakeAction::BeginAgain(error.message);
        }
        HandshakeAction::Failed { error, permanent }
    }

    /// The time of the step in this exchange is over.
    pub(crate) fn timed_out(&mut self, now: Instant, exchange: u64, settings: &Settings) -> HandshakeAction {
        let Some(step) = self.step.as_mut().filter(|step| step.exchange == exchange) else {
            return HandshakeAction::Wait;
        };
        let probes = match step.awaits {
            // Some servers send no head before the first event; the stream may well be open.
            Awaits::Stream => return HandshakeAction::StreamIsOpen,
            Awaits::Restored => return HandshakeAction::NotRestored,
            Awaits::Discovery => true,
            Awaits::Initialize => false,
        };
        if let Some(until) = self.start.still_starts(now, probes) {
            step.until = until;
            return HandshakeAction::WaitUntil(exchange, until);
        }
        if let Some(error) = self.start.error(probes, step.limit, &settings.timeouts) {
            return HandshakeAction::failed(error);
        }
        let step = *step;
        if probes && !step.again && settings.newest(Era::Legacy).is_some() {
            // Servers that start slowly answer both.
            self.late_probe = Some(exchange);
            return self.probe_answered(step, ProbeAnswer::Timeout, None, settings);
        }
        let limit = millis(step.limit);
        let (operation, key) = if probes {
            (method::DISCOVER, "timeouts.probe_ms")
        } else {
            (method::INITIALIZE, "timeouts.initialize_ms")
        };
        let message = format!(
            "the server did not answer {operation} within {limit} ms; raise {key} if it starts slowly"
        );
        HandshakeAction::failed(Error::new(Status::Timeout, operation, message).with("limit_ms", limit))
    }
}

fn names(revisions: &[Revision]) -> String {
    revisions.iter().map(|revision| revision.as_str()).collect::<Vec<_>>().join(", ")
}

/// An error that names the revisions of the server.
fn names_revisions(spoken: Option<&RpcError>) -> Option<&RpcError> {
    spoken.filter(|spoken| {
        spoken.code == error_code::UNSUPPORTED_VERSION
            && handshake::supported(spoken.data.as_deref()).is_some()
    })
}

fn none_in_common(operation: &str, supported: Vec<String>, settings: &Settings) -> Error {
    let permitted = names(&settings.allowed);
    let named = supported.join(", ");
    let text = format!("no revision in common: the server supports {named}; permitted: {permitted}");
    Error::new(Status::Unsupported, operation, text).with("supported", supported).with("permitted", permitted)
}

impl Handshake {
    /// The probe of this step has its answer. `refused` is the error of one that failed without a message.
    fn probe_answered(
        &mut self,
        step: HandshakeStep,
        answer: ProbeAnswer<'_>,
        refused: Option<Error>,
        settings: &Settings,
    ) -> HandshakeAction {
        match handshake::classify_probe(answer, &settings.allowed, step.again) {
            ProbeVerdict::Modern(revision, facts) => {
                self.showed_modern(revision, facts, settings);
                HandshakeAction::Ready
            }
            ProbeVerdict::AskAgain(revision) => {
                HandshakeAction::Ask(HandshakeRequest { revision, again: true })
            }
            ProbeVerdict::NamesLegacy(revision) => self.showed_legacy(
                HandshakeRequest { revision, again: step.again },
                "of the revisions that the server named only legacy ones are permitted",
            ),
            ProbeVerdict::Legacy(why) if step.again => {
                // Never `initialize` to a server that has shown the modern era (2026-07-28 `basic/versioning`).
                let error = Error::new(
                    Status::Protocol,
                    method::DISCOVER,
                    format!("the server asked for another modern revision and then did not take it: {why}"),
                );
                HandshakeAction::failed(error)
            }
            ProbeVerdict::Legacy(why) => match (settings.newest(Era::Legacy), refused) {
                (Some(revision), _) => self.showed_legacy(HandshakeRequest { revision, again: false }, why),
                // Without a JSON-RPC error it is not known whether this is an MCP server at all: its answer says more than
                // what could be concluded of an era.
                (None, Some(error)) if !matches!(answer, ProbeAnswer::Http { error: Some(_), .. }) => {
                    HandshakeAction::failed(error)
                }
                (None, _) => {
                    let error = Error::new(
                        Status::Unsupported,
                        method::DISCOVER,
                        format!(
                            "the server is of the legacy era ({why}) and the config permits only the modern one; \
                             set 'protocol' to \"auto\" or a legacy revision"
                        ),
                    );
                    HandshakeAction::failed_for_good(error)
                }
            },
            ProbeVerdict::Busy(status) => {
                let error = refused.unwrap_or_else(|| {
                    let message = format!("the server is busy (HTTP status {status})");
                    Error::new(Status::Transport, method::DISCOVER, message)
                });
                HandshakeAction::failed(error)
            }
            ProbeVerdict::NoneInCommon(supported) => {
                let error = none_in_common(method::DISCOVER, supported, settings);
                HandshakeAction::failed_for_good(error)
            }
            ProbeVerdict::Refused(code) => {
                let mut error = Error::new(
                    Status::Server,
                    method::DISCOVER,
                    format!("the server refused server/discover with code {code}"),
                );
                error.code = Some(code);
                if let ProbeAnswer::Error { data, .. } | ProbeAnswer::Http { error: Some((_, data)), .. } =
                    answer
                {
                    error.data = data.map(str::to_owned);
                }
                HandshakeAction::failed(error)
            }
            ProbeVerdict::Authorize(status) => {
                let error = refused.map_or_else(
                    || {
                        let message = format!("the server requires authorization (HTTP status {status})");
                        Error::new(Status::Auth, method::DISCOVER, message)
                    },
                    |error| error.of(method::DISCOVER),
                );
                let error = error.with("http_status", status);
                // A gateway that lets through what it knows may refuse this method to credentials that are good for `initialize`.
                let legacy = settings.newest(Era::Legacy).filter(|_| !step.again);
                let Some(revision) = legacy else { return HandshakeAction::failed_for_good(error) };
                self.refused_probe = Some(error);
                self.showed_legacy(
                    HandshakeRequest { revision, again: false },
                    "server/discover was not permitted, which initialize may be",
                )
            }
        }
    }

    /// The newest permitted revision among those that a server names, a modern one before any legacy one.
    fn in_common(&self, supported: &[String], settings: &Settings) -> Option<Revision> {
        let newest = |era| handshake::newest_named(supported, &settings.allowed, era);
        // HTTP+SSE is a transport of the legacy era.
        newest(Era::Modern).filter(|_| self.shape == Shape::Streamable).or_else(|| newest(Era::Legacy))
    }

    /// The probe is answered while `initialize` waits. What shows the modern era is taken; with anything else `initialize`
    /// goes on.
    pub(crate) fn late_probe_answered(
        &mut self,
        answer: ProbeAnswer<'_>,
        settings: &Settings,
    ) -> HandshakeAction {
        self.late_probe = None;
        match handshake::classify_probe(answer, &settings.allowed, false) {
            ProbeVerdict::Modern(revision, facts) => {
                self.showed_modern(revision, facts, settings);
                HandshakeAction::Ready
            }
            ProbeVerdict::AskAgain(revision) => HandshakeAction::Turn(revision),
            _ => HandshakeAction::Wait,
        }
    }

    fn showed_modern(&mut self, revision: Revision, facts: ServerFacts, settings: &Settings) {
        self.era = Some(Era::Modern);
        self.adopt(revision, settings);
        self.set_facts(facts);
    }

    fn showed_legacy(&mut self, question: HandshakeRequest, why: &'static str) -> HandshakeAction {
        self.infer_legacy();
        self.set_facts(ServerFacts::default());
        HandshakeAction::AskLegacy(question, why)
    }
}
