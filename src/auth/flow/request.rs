//! How the requests of a login go out, and how long each of its steps may take.

use super::super::assertion::Unsigned;
use super::super::exchange::{ANSWER_BYTES, Method, Request};
use super::super::failure::{Failure, LoginStep};
use super::super::metadata::Server;
use super::super::secret::Secret;
use super::run::{Run, Why, internal};
use super::types::{Effect, Timestamp};
use super::{Authorizer, Header};
use crate::protocol::address::Address;
use std::time::{Duration, Instant};

/// The most requests of one login. The longest honest way takes a dozen.
const MOST_REQUESTS: u32 = 32;
/// How long one request may take.
const REQUEST_TIME: Duration = Duration::from_secs(15);

impl Authorizer {
    /// The login that runs. There is one in every phase but the idle ones.
    pub(super) fn run(&mut self) -> Result<&mut Run, Failure> {
        self.run.as_mut().ok_or_else(|| internal("no login is under way"))
    }

    /// The authorization server that was found.
    pub(super) fn found_server(&mut self) -> Result<Server, Failure> {
        self.run()?.server.clone().ok_or_else(|| internal("no authorization server was found"))
    }

    /// The name that tokens are asked for (RFC 8707): as published, else our own.
    pub(super) fn resource(&mut self) -> String {
        let published =
            self.run.as_ref().and_then(|run| run.resource.as_ref()).map(|resource| resource.name.clone());
        let known = self
            .run
            .as_ref()
            .filter(|run| matches!(run.why, Why::Renewal | Why::Logout))
            .and(self.login.as_ref());
        published
            .or_else(|| known.map(|login| login.resource.clone()))
            .unwrap_or_else(|| self.resource_name())
    }

    /// The servers, not the person, are next: they have their own time.
    pub(super) fn allow_limit(&mut self, now: Timestamp) {
        let deadline = now.at + self.settings.limit;
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
    }

    /// The person or the application is next.
    pub(super) fn allow_patience(&mut self, now: Timestamp) -> Instant {
        let deadline = now.at + self.settings.patience;
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
        deadline
    }

    /// The application signs something first, in its own time, and then the servers are next.
    pub(super) fn allow_signature(&mut self, now: Timestamp) {
        let deadline = now.at + self.settings.patience + REQUEST_TIME.min(self.settings.limit);
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
    }

    /// Sends a request; gives its number.
    pub(super) fn send(
        &mut self,
        step: LoginStep,
        method: Method,
        url: &Address,
        headers: Vec<Header>,
        body: Option<Secret>,
        unsigned: Option<Unsigned>,
    ) -> Result<u64, Failure> {
        let run = self.run()?;
        run.requests += 1;
        let most = if run.why == Why::Logout { 2 * MOST_REQUESTS } else { MOST_REQUESTS };
        if run.requests > most {
            return Err(Failure::new(
                step,
                "number of requests",
                format!("one login took more than {most} requests; the servers lead us in a circle"),
            ));
        }
        let id = self.next_request;
        self.next_request += 1;
        self.effects.push_back(Effect::Http(Request {
            id,
            step,
            method,
            url: url.clone(),
            headers,
            body,
            unsigned,
            // The identity provider is where the application says it is.
            refuse_private: step != LoginStep::Exchange && self.policy.refuses_private(url),
            most_bytes: ANSWER_BYTES,
            timeout: REQUEST_TIME.min(self.settings.limit),
        }));
        Ok(id)
    }
}
