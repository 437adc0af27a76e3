//! A server that stands before another one, such as a proxy: it answers by what the application asks there.
//!
//! A relay gets as requests what no entry of it is for, with the method and the parameters as the client sent them, and these
//! notifications besides those of every server: what clients notify and the library does not know (the tag is the session),
//! `notifications/initialized` when a session of the legacy era begins, [`SUBSCRIPTIONS`] and [`LEVEL`].

use super::{Kind, Server, Severity};
use crate::config::fields::parse_object;
use crate::engine::Error;
use crate::engine::server::SessionId;
use crate::runtime::message::Handler;

/// The method of the notification that what clients are subscribed to may have changed: one until [`Server::subscribed`] is called.
pub const SUBSCRIPTIONS: &str = crate::runtime::server::SUBSCRIPTIONS;
/// The method of the notification that a client has set its level of log messages; the tag is the number of that client
/// ([`Request::holder`](super::Request::holder)). See [`Server::least_severity`].
pub const LEVEL: &str = crate::runtime::server::LEVEL;

impl Server {
    /// Makes the server a relay. Requests that no entry is for arrive on its queue. `capabilities` is the JSON object that the
    /// server behind declares: extensions, completion and what the library does not know are announced as they are there.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when `capabilities` is no JSON object.
    pub fn relay(&self, capabilities: &str) -> Result<(), Error> {
        let capabilities = parse_object(capabilities, "capabilities")?;
        self.serving.with_engine(|engine, _| engine.relay(Handler::queue(), capabilities));
        Ok(())
    }

    /// The URIs of the resources that clients are subscribed to, in either era, and the numbers of the clients
    /// ([`Request::holder`](super::Request::holder)) whose subscriptions have changed since the last time.
    pub fn subscribed(&self) -> (Vec<String>, Vec<u64>) {
        let (all, changed_by) = self.serving.with_engine(|engine, _| engine.subscribed());
        (all.into_iter().map(Into::into).collect(), changed_by.into_iter().collect())
    }

    /// The least severe log message that a client of the legacy era wants; `None` without such a client.
    pub fn least_severity(&self) -> Option<Severity> {
        self.serving.with_engine(|engine, _| engine.least_severity())
    }

    /// Whether a session is open.
    pub fn has_session(&self, session: u64) -> bool {
        self.serving.with_engine(|engine, _| engine.has_session(SessionId(session)))
    }

    /// Tells clients that a list has changed, although its entries here are the same.
    pub fn list_changed(&self, kind: Kind) {
        self.serving.with_engine(|engine, now| engine.list_changed(now, kind));
    }
}
