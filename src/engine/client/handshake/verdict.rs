//! Where the answer to the probe leads.

use super::answers::none_in_common;
use super::{Handshake, Next, Question, Step};
use crate::engine::client::effect::Shape;
use crate::engine::client::settings::Settings;
use crate::engine::{Error, Status};
use crate::protocol::handshake::ServerFacts;
use crate::protocol::probe::{self, Answer, Verdict};
use crate::protocol::{Era, Revision, method};

impl Handshake {
    /// The probe of this step has its answer. `refused` is the error of one that failed without a message.
    pub(super) fn probe_answered(
        &mut self,
        step: Step,
        answer: Answer<'_>,
        refused: Option<Error>,
        settings: &Settings,
    ) -> Next {
        match probe::classify(answer, &settings.allowed, step.again) {
            Verdict::Modern(revision, facts) => {
                self.showed_modern(revision, facts, settings);
                Next::Ready
            }
            Verdict::AskAgain(revision) => Next::Ask(Question { revision, again: true }),
            Verdict::NamesLegacy(revision) => self.showed_legacy(
                Question { revision, again: step.again },
                "of the revisions that the server named only legacy ones are permitted",
            ),
            Verdict::Legacy(why) if step.again => {
                // Never `initialize` to a server that has shown the modern era (2026-07-28 `basic/versioning`).
                let error = Error::new(
                    Status::Protocol,
                    method::DISCOVER,
                    format!("the server asked for another modern revision and then did not take it: {why}"),
                );
                Next::failed(error)
            }
            Verdict::Legacy(why) => match (settings.newest(Era::Legacy), refused) {
                (Some(revision), _) => self.showed_legacy(Question { revision, again: false }, why),
                // Without a JSON-RPC error it is not known whether this is an MCP server at all: its answer says more than
                // what could be concluded of an era.
                (None, Some(error)) if !matches!(answer, Answer::Http { error: Some(_), .. }) => {
                    Next::failed(error)
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
                    Next::failed_for_good(error)
                }
            },
            Verdict::Busy(status) => {
                let error = refused.unwrap_or_else(|| {
                    let message = format!("the server is busy (HTTP status {status})");
                    Error::new(Status::Transport, method::DISCOVER, message)
                });
                Next::failed(error)
            }
            Verdict::NoneInCommon(supported) => {
                let error = none_in_common(method::DISCOVER, supported, settings);
                Next::failed_for_good(error)
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
                Next::failed(error)
            }
            Verdict::Authorize(status) => {
                let error = refused.map_or_else(
                    || {
                        let message = format!("the server wants authorization (HTTP status {status})");
                        Error::new(Status::Auth, method::DISCOVER, message)
                    },
                    |error| error.of(method::DISCOVER),
                );
                Next::failed_for_good(error.with("http_status", status))
            }
        }
    }

    /// The newest permitted revision among those that a server names, a modern one before any legacy one.
    pub(super) fn in_common(&self, supported: &[String], settings: &Settings) -> Option<Revision> {
        let newest = |era| probe::newest_named(supported, &settings.allowed, era);
        // HTTP+SSE is a transport of the legacy era.
        newest(Era::Modern).filter(|_| self.shape == Shape::Streamable).or_else(|| newest(Era::Legacy))
    }

    /// The probe is answered while `initialize` waits. What shows the modern era is taken; with anything else `initialize`
    /// goes on.
    pub(in crate::engine::client) fn late_probe_answered(
        &mut self,
        answer: Answer<'_>,
        settings: &Settings,
    ) -> Next {
        self.late_probe = None;
        match probe::classify(answer, &settings.allowed, false) {
            Verdict::Modern(revision, facts) => {
                self.showed_modern(revision, facts, settings);
                Next::Ready
            }
            Verdict::AskAgain(revision) => Next::Turn(revision),
            _ => Next::Wait,
        }
    }

    fn showed_modern(&mut self, revision: Revision, facts: ServerFacts, settings: &Settings) {
        self.era = Some(Era::Modern);
        self.adopt(revision, settings);
        self.facts = facts;
    }

    fn showed_legacy(&mut self, question: Question, why: &'static str) -> Next {
        self.infer_legacy();
        self.facts = ServerFacts::default();
        Next::AskLegacy(question, why)
    }
}
