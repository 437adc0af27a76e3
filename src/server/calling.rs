//! What a server sends to its clients by itself: notifications and calls (legacy era).

use super::Server;
use crate::config::fields::{Fields, parse_object};
use crate::engine::server::SessionId;
use crate::engine::{Error, Status};

impl Server {
    /// Sends a notification to one session of the legacy era, or to all of them.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`; `UNAVAILABLE` when there is no such session.
    pub fn notify(&self, session: u64, method: &str, params: &str) -> Result<usize, Error> {
        let session = (session != 0).then_some(SessionId(session));
        self.serving.with_engine(|engine, _| engine.notify_sessions(session, method, params))
    }

    /// Calls the client of a session of the legacy era; the outcome comes as a message.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`; `UNAVAILABLE` when there is no such session; `UNSUPPORTED`; `BACKPRESSURE`.
    pub fn start_call(
        &self,
        session: u64,
        method: &str,
        params: &str,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        let timeout = match options {
            Some(options) => {
                let object = parse_object(options, "options")?;
                let mut fields = Fields::new("", &object);
                let timeout = fields.millis("timeout_ms")?;
                fields.finish()?;
                timeout
            }
            None => None,
        };
        if !self.serving.has_room_for_outcome() {
            let what = "the application has not taken the messages that wait for it (limits.queue_messages, limits.queue_bytes)";
            return Err(Error::new(Status::Backpressure, "server_call", what));
        }
        self.serving
            .with_engine(|engine, now| engine.call(now, SessionId(session), method, params, tag, timeout))
    }
}
