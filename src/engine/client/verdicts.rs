//! Where the answer to the probe leads, and what a revision does that the server names.

use super::counters::Level;
use super::effect::Shape;
use super::handshake::{Handshake, names};
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::protocol::handshake::ServerFacts;
use crate::protocol::probe::{self, Answer, Verdict};
use crate::protocol::{Era, Revision, method};
use std::time::Instant;

impl<T> Engine<T> {
    pub(super) fn probe_answered(&mut self, now: Instant, step: Handshake, answer: Answer<'_>) {
        match probe::classify(answer, &self.settings.allowed, step.again) {
            Verdict::Modern(revision, facts) => {
                self.era = Some(Era::Modern);
                self.adopt(revision);
                self.facts = facts;
                self.become_ready(now);
            }
            Verdict::AskAgain(revision) => self.probe(now, revision, true),
            Verdict::NamesLegacy(revision) => {
                self.infer_legacy("of the revisions that the server named only legacy ones are permitted");
                self.facts = ServerFacts::default();
                self.initialize(now, revision, step.again);
            }
            Verdict::Legacy(why) if step.again => {
                // Never `initialize` to a server that has shown the modern era (2026-07-28 `basic/versioning`).
                let error = Error::new(
                    Status::Protocol,
                    method::DISCOVER,
                    format!("the server asked for another modern revision and then did not take it: {why}"),
                );
                self.attempt_failed(now, error, false);
            }
            Verdict::Legacy(why) => match self.settings.newest(Era::Legacy) {
                Some(revision) => {
                    self.infer_legacy(why);
                    self.facts = ServerFacts::default();
                    self.initialize(now, revision, false);
                }
                // Without a JSON-RPC error nobody knows whether this is an MCP server at all: its answer says more than
                // what could be concluded of an era.
                None if self.refused_probe.is_some()
                    && !matches!(answer, Answer::Http { error: Some(_), .. }) =>
                {
                    if let Some(error) = self.refused_probe.take() {
                        self.attempt_failed(now, error, false);
                    }
                }
                None => {
                    let error = Error::new(
                        Status::Unsupported,
                        method::DISCOVER,
                        format!(
                            "the server is of the legacy era ({why}) and the config permits only the modern one; \
                             set 'protocol' to \"auto\" or a legacy revision"
                        ),
                    );
                    self.attempt_failed(now, error, true);
                }
            },
            Verdict::Busy(status) => {
                let error = self.refused_probe.take().unwrap_or_else(|| {
                    let message = format!("the server is busy (HTTP status {status})");
                    Error::new(Status::Transport, method::DISCOVER, message)
                });
                self.attempt_failed(now, error, false);
            }
            Verdict::NoneInCommon(supported) => {
                let error = self.none_in_common(method::DISCOVER, supported);
                self.attempt_failed(now, error, true);
            }
            Verdict::Refused(code) => {
                let mut error = Error::new(
                    Status::Server,
                    method::DISCOVER,
                    format!("the server refused server/discover with code {code}"),
                );
                error.code = Some(code);
                if let Answer::Error { data, .. } | Answer::Http { error: Some((_, data)), .. } = answer {
                    error.data = data.map(str::to_owned);
                }
                self.attempt_failed(now, error, false);
            }
            Verdict::Authorize(status) => {
                let error = self.refused_probe.take().map_or_else(
                    || {
                        let message = format!("the server wants authorization (HTTP status {status})");
                        Error::new(Status::Auth, method::DISCOVER, message)
                    },
                    |error| error.of(method::DISCOVER),
                );
                self.attempt_failed(now, error.with("http_status", status), true);
            }
        }
    }

    /// The newest permitted revision among those that a server names, a modern one before any legacy one.
    pub(super) fn in_common(&self, supported: &[String]) -> Option<Revision> {
        let newest = |era| probe::newest_named(supported, &self.settings.allowed, era);
        // HTTP+SSE is a transport of the legacy era.
        newest(Era::Modern).filter(|_| self.shape == Shape::Streamable).or_else(|| newest(Era::Legacy))
    }

    /// `initialize` was refused by a server that named this revision: it is asked for that, on the same connection. What it
    /// then says is final, so that no server keeps a client going in circles.
    pub(super) fn turn_to(&mut self, now: Instant, revision: Revision) {
        self.end_late_probe();
        match revision.era() {
            Era::Modern => {
                self.doubt_the_era();
                self.era = None;
                self.log(Level::Info, "connection.era", || {
                    fields([("era", "unknown".into()), ("why", "the server named a modern revision".into())])
                });
                self.probe(now, revision, true);
            }
            Era::Legacy => self.initialize(now, revision, true),
        }
    }

    /// The time of the probe is over, and `initialize` follows. Servers that start slowly answer both.
    pub(super) fn expect_late_probe(&mut self, exchange: u64) {
        self.exchanges.turn_into(exchange, Exchange::LateProbe);
        self.late_probe = Some(exchange);
    }

    /// No answer to the probe is of use any more.
    pub(super) fn end_late_probe(&mut self) {
        if let Some(exchange) = self.late_probe.take() {
            self.end_exchange(exchange);
        }
    }

    /// The probe is answered while `initialize` waits. What shows the modern era is taken; with anything else `initialize`
    /// goes on.
    pub(super) fn late_probe_answered(&mut self, now: Instant, exchange: u64, answer: Answer<'_>) {
        self.late_probe = None;
        match probe::classify(answer, &self.settings.allowed, false) {
            Verdict::Modern(revision, facts) => {
                self.doubt_the_era();
                self.era = Some(Era::Modern);
                self.adopt(revision);
                self.facts = facts;
                self.become_ready(now);
            }
            Verdict::AskAgain(revision) => self.turn_to(now, revision),
            _ => self.unmatched(self.exchanges.unmatched(exchange)),
        }
    }

    pub(super) fn none_in_common(&self, operation: &str, supported: Vec<String>) -> Error {
        let permitted = names(&self.settings.allowed);
        let named = supported.join(", ");
        let text = format!("no revision in common: the server supports {named}, permitted are {permitted}");
        Error::new(Status::Unsupported, operation, text)
            .with("supported", supported)
            .with("permitted", permitted)
    }
}
