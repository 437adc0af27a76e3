//! What a connection that is not ready waits for, told to those who wait for it in vain.

use super::Engine;
use super::effect::State;
use super::handshake::Awaits;
use super::millis;
use super::settings::Wire;
use super::status::Error;
use crate::json;
use crate::protocol::method;
use std::time::Instant;

impl<T> Engine<T> {
    /// Tells a timeout what was awaited, what the last attempt failed of, and what the server printed instead of messages.
    /// `fix` says what the application can do.
    pub(super) fn tell_what_is_awaited(&self, now: Instant, mut error: Error, fix: &str) -> Error {
        let (step, what) = self.awaited(now);
        error.message = format!("{}: {what}; {fix}", error.message);
        error = self.stray_output.explain(error);
        if let Some(failure) = self.failure() {
            error.message.push_str("; the last attempt failed: ");
            error.message.push_str(&failure.message);
            error = error.with("last_failure", failure.message.as_str());
        }
        error.with("state", self.state.as_str()).with("step", step)
    }

    /// The step's name, and what it is in words.
    fn awaited(&self, now: Instant) -> (&'static str, String) {
        let step = self.handshake.step().filter(|_| self.state == State::Initializing);
        let (name, what) = match (self.state, step) {
            (State::Backoff, _) => {
                let wait = millis(self.reconnection.wait(now));
                return ("backoff", format!("the next attempt to connect is in {wait} ms"));
            }
            (_, Some(step)) if step.logs_in => ("login", "the login is not done"),
            (_, Some(step)) if step.awaits == Awaits::Stream => {
                ("listening", "the stream of the server's own messages is not open")
            }
            (_, Some(step)) if step.awaits == Awaits::Restored => {
                ("restoring", "the server has not answered what is restored on a new connection")
            }
            (_, Some(step)) if step.awaits == Awaits::Discovery => {
                ("probing", "it has not answered server/discover, which asks for its revision")
            }
            (_, Some(_)) => ("initialize", "it has not answered initialize"),
            _ if self.settings.wire == Wire::Http => ("starting", "the connection to it is not set up"),
            _ => ("starting", "it is being started or connected to"),
        };
        (name, what.to_owned())
    }

    /// Whether a request is the one of the handshake that is under way, which came back: the program repeats what it is sent,
    /// as `cat` does. A server that asks a client for something counts its ids by itself, and never asks for these methods.
    pub(super) fn is_repeated(&self, id: &str, method: &str, params: Option<&str>) -> bool {
        let Some(step) = self.handshake.step().filter(|_| self.state == State::Initializing) else {
            return false;
        };
        let probes = step.awaits == Awaits::Discovery;
        let sent = if probes { method::DISCOVER } else { method::INITIALIZE };
        let client = if probes { "/_meta/io.modelcontextprotocol~1clientInfo" } else { "/clientInfo" };
        method == sent
            && json::integer(id).and_then(|id| u64::try_from(id).ok()) == Some(step.exchange)
            && params.is_some_and(|params| json::pointer(params, client).is_ok_and(|found| found.is_some()))
    }
}
