//! What a new connection must be told again: the log level and the resource subscriptions that the application had asked
//! for (legacy era; the modern one keeps no such state on the server).

use crate::json;
use crate::protocol::method::{SET_LEVEL, SUBSCRIBE};

/// Subscriptions remembered; further ones work, but end with the connection.
const SUBSCRIPTIONS: usize = 4096;

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

    /// The requests that tell a new connection what the earlier one was told: methods and parameters.
    pub(super) fn requests(&self) -> Vec<(&'static str, Box<str>)> {
        let level = self.level.clone().map(|params| (SET_LEVEL, params));
        let subscriptions = self.subscriptions.iter().map(|(_, params)| (SUBSCRIBE, params.clone()));
        level.into_iter().chain(subscriptions).collect()
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
