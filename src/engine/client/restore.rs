//! What a new connection must be told again: the log level and the resource subscriptions that the application had asked
//! for (legacy era; the modern one keeps no such state on the server).

use super::counters::Level;
use super::handshake::Awaits;
use super::settings::Wire;
use super::{Engine, Exchange, fields};
use crate::json;
use crate::protocol::method::{self, SET_LEVEL, SUBSCRIBE};
use crate::protocol::{Era, ParamsBuf, write};
use std::time::Instant;

/// Subscriptions remembered; further ones work, but end with the connection.
const SUBSCRIPTIONS: usize = 4096;

/// Whether the outcome of `method` changes what must be restored.
pub(super) fn matters(method: &str) -> bool {
    method::find(method).is_some_and(|method| method.is_restored)
}

/// State that the server keeps for the connection.
#[derive(Default, Debug)]
pub(super) struct Restore {
    level: Option<Box<str>>,
    /// URI and parameters.
    subscriptions: Vec<(String, Box<str>)>,
}

impl Restore {
    /// The parameters that set the log level.
    pub(super) fn level(&self) -> Option<&str> {
        self.level.as_deref()
    }

    /// The resources that are subscribed to.
    pub(super) fn subscriptions(&self) -> impl Iterator<Item = &str> {
        self.subscriptions.iter().map(|(uri, _)| uri.as_str())
    }

    pub(super) fn subscribes_to(&self, uri: &str) -> bool {
        self.subscriptions.iter().any(|(known, _)| known == uri)
    }

    /// A subscription is not wanted any more, or never came about.
    pub(super) fn drop_subscription(&mut self, uri: &str) {
        self.subscriptions.retain(|(known, _)| known != uri);
    }

    /// A request that matters succeeded.
    pub(super) fn note(&mut self, method: &str, params: &str) {
        if method == SET_LEVEL {
            self.level = Some(params.into());
            return;
        }
        let Some(uri) = json::member(params, "uri").and_then(json::string) else { return };
        self.subscriptions.retain(|(known, _)| *known != uri);
        if method == SUBSCRIBE && self.subscriptions.len() < SUBSCRIPTIONS {
            self.subscriptions.push((uri.into_owned(), params.into()));
        }
    }
}

impl<T> Engine<T> {
    /// The handshake is done but for what is said again first: over HTTP a call could overtake it, so that calls wait for the
    /// answers, for a bounded time.
    pub(super) fn restore_first(&mut self, now: Instant) {
        if self.settings.wire == Wire::Http && self.restore() {
            return self.wait_in_handshake(now, Awaits::Restored);
        }
        self.become_ready(now);
    }

    /// An answer to something that was restored is there, or will not come.
    pub(super) fn restored(&mut self, now: Instant) {
        let awaited = self.handshake.step().is_some_and(|step| step.awaits == Awaits::Restored);
        if awaited && !self.exchanges.restore() {
            self.become_ready(now);
        }
    }

    /// Says again what the connection before was told. Says whether there was anything.
    pub(super) fn restore(&mut self) -> bool {
        if self.era() != Some(Era::Legacy) {
            return false;
        }
        let level = self.restore.level.clone().map(|params| (SET_LEVEL, params));
        let subscriptions = self.restore.subscriptions.iter().map(|(_, params)| (SUBSCRIBE, params.clone()));
        let requests: Vec<(&'static str, Box<str>)> = level.into_iter().chain(subscriptions).collect();
        let any = !requests.is_empty();
        for (method, params) in requests {
            let exchange = self.exchanges.begin(Exchange::Restore);
            let params = ParamsBuf::written(method, params);
            self.send(write::request(exchange, method, Some(params.view()), ""));
        }
        any
    }

    /// A server refused to be told again, or did not hear it.
    pub(super) fn not_restored(&mut self, now: Instant, why: &str) {
        self.restore_failed(why);
        self.restored(now);
    }

    /// Something is not restored.
    pub(super) fn restore_failed(&mut self, why: &str) {
        self.log(Level::Warn, "connection.restore_failed", || fields([("error", why.into())]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::method::UNSUBSCRIBE;

    #[test]
    fn the_last_level_and_the_live_subscriptions_are_remembered() {
        let mut restore = Restore::default();
        restore.note(SET_LEVEL, r#"{"level":"info"}"#);
        restore.note(SET_LEVEL, r#"{"level":"debug"}"#);
        for uri in ["a", "b", "a"] {
            restore.note(SUBSCRIBE, &format!(r#"{{"uri":"{uri}"}}"#));
        }
        restore.note(UNSUBSCRIBE, r#"{"uri":"b"}"#);
        assert_eq!(restore.level.as_deref(), Some(r#"{"level":"debug"}"#));
        assert_eq!(restore.subscriptions.len(), 1);
        assert_eq!(restore.subscriptions[0].0, "a");
    }

    #[test]
    fn subscriptions_are_bounded() {
        let mut restore = Restore::default();
        for number in 0..=SUBSCRIPTIONS {
            restore.note(SUBSCRIBE, &format!(r#"{{"uri":"{number}"}}"#));
        }
        assert_eq!(restore.subscriptions.len(), SUBSCRIPTIONS);
    }
}
