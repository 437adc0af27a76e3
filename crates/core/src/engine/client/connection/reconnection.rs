//! State that outlives a connection: attempts to connect and the callers that wait for them, what must be restored on the server, and
//! the output that explains why an attempt failed.

use crate::engine::client::settings::Reconnect;
use crate::engine::{Error, Level, Random, millis};
use crate::json;
use crate::protocol::method::{SET_LEVEL, SUBSCRIBE};
use crate::protocol::visible::visible;
use std::time::{Duration, Instant};

/// What follows when a connection or an attempt ended.
#[derive(Clone, Debug)]
pub(crate) enum Retrial {
    /// There is a next attempt at this time.
    At(Instant),
    /// There is no further attempt, for this reason.
    GivenUp(&'static str, Error),
}

#[derive(Debug)]
pub(crate) struct Reconnection {
    /// Attempts in a row that did not lead to a stable connection.
    attempts: u32,
    next_attempt: Option<Instant>,
    /// Why the last connection or attempt ended.
    failure: Option<Error>,
    random: Random,
}

impl Reconnection {
    pub(crate) fn new(random: Random) -> Reconnection {
        Reconnection { attempts: 0, next_attempt: None, failure: None, random }
    }

    pub(crate) fn attempts(&self) -> u32 {
        self.attempts
    }

    pub(crate) fn next_attempt(&self) -> Option<Instant> {
        self.next_attempt
    }

    /// How long it is until the next attempt.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        self.next_attempt.map_or(Duration::ZERO, |at| at.saturating_duration_since(now))
    }

    /// Why the last connection or attempt ended, while there is no newer one.
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// A connection or an attempt ended with this error. `policy` is `None` with reconnection off.
    pub(crate) fn failed(&mut self, now: Instant, policy: Option<&Reconnect>, error: Error) -> Retrial {
        let Some(policy) = policy else { return Retrial::GivenUp("reconnection is off", error) };
        self.attempts += 1;
        if policy.max_attempts.is_some_and(|max| self.attempts > max) {
            return Retrial::GivenUp("no attempts are left (reconnect.max_attempts)", error);
        }
        let at = now + self.pause(policy, self.attempts - 1, policy.max);
        (self.next_attempt, self.failure) = (Some(at), Some(error));
        Retrial::At(at)
    }

    /// The server has ended the session. Says whether the next one may be opened at once: not again and again without a pause.
    pub(crate) fn opens_at_once(&mut self, policy: Option<&Reconnect>, error: &Error) -> bool {
        if self.attempts > 0 || policy.is_none() {
            return false;
        }
        self.attempts = 1;
        self.failure = Some(error.clone());
        true
    }

    /// The wait after so many `failures` in a row, spread as the policy says.
    pub(crate) fn pause(&mut self, policy: &Reconnect, failures: u32, most: Duration) -> Duration {
        let wait = policy.initial.saturating_mul(1 << failures.min(20)).min(most);
        wait.mul_f64(1.0 + policy.jitter.clamp(0.0, 1.0) * (2.0 * self.random.share() - 1.0))
    }

    /// Draws a sample: true for this share of all calls.
    pub(crate) fn draws(&mut self, share: f64) -> bool {
        share >= 1.0 || self.random.share() < share
    }

    /// An attempt is made.
    pub(crate) fn begin(&mut self) {
        self.next_attempt = None;
    }

    /// The connection is ready.
    pub(crate) fn ready(&mut self) {
        self.failure = None;
    }

    /// The connection has been ready long enough.
    pub(crate) fn stable(&mut self) {
        self.attempts = 0;
    }

    /// There is no further attempt, because of this failure or because the client is closed.
    pub(crate) fn end(&mut self, failure: Option<Error>) {
        (self.next_attempt, self.failure) = (None, failure);
    }
}

#[derive(Debug)]
struct ConnectionWaiter<T> {
    key: u64,
    ticket: T,
    timeout: Duration,
}

/// Who waits for the connection, in the order of asking.
#[derive(Debug)]
pub(crate) struct ConnectionWaiters<T> {
    /// The last key that was given.
    last: u64,
    waiting: Vec<ConnectionWaiter<T>>,
}

impl<T> Default for ConnectionWaiters<T> {
    fn default() -> Self {
        ConnectionWaiters { last: 0, waiting: Vec::new() }
    }
}

impl<T> ConnectionWaiters<T> {
    /// One more waits. Gives its key, for the timer that ends its wait.
    pub(crate) fn add(&mut self, ticket: T, timeout: Option<Duration>) -> u64 {
        self.last += 1;
        self.waiting.push(ConnectionWaiter { key: self.last, ticket, timeout: timeout.unwrap_or_default() });
        self.last
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether the one with this key still waits.
    pub(crate) fn is_due(&self, key: u64) -> bool {
        self.waiting.iter().any(|connect| connect.key == key)
    }

    /// The time of the one with this key is over. Gives it, and how many milliseconds it had.
    pub(crate) fn timed_out(&mut self, key: u64) -> Option<(T, u64)> {
        let at = self.waiting.iter().position(|connect| connect.key == key)?;
        let ConnectionWaiter { ticket, timeout, .. } = self.waiting.remove(at);
        Some((ticket, millis(timeout)))
    }

    /// Whether the one that `is_it` waits.
    pub(crate) fn has(&self, is_it: impl Fn(&T) -> bool) -> bool {
        self.waiting.iter().any(|connect| is_it(&connect.ticket))
    }

    /// The one that `is_it` does not want to wait any more.
    pub(crate) fn cancel(&mut self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.waiting.iter().position(|connect| is_it(&connect.ticket))?;
        Some(self.waiting.remove(at).ticket)
    }

    /// All of them: their wait is over.
    pub(crate) fn end(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.waiting).into_iter().map(|connect| connect.ticket)
    }
}

/// Subscriptions remembered; further ones work, but end with the connection.
const SUBSCRIPTIONS: usize = 4096;

/// State that the server keeps for the connection.
#[derive(Default, Debug)]
pub(crate) struct RestoredState {
    level: Option<Box<str>>,
    /// URI and parameters.
    subscriptions: Vec<(String, Box<str>)>,
}

impl RestoredState {
    /// The parameters that set the log level.
    pub(crate) fn level(&self) -> Option<&str> {
        self.level.as_deref()
    }

    /// The resources that are subscribed to.
    pub(crate) fn subscriptions(&self) -> impl Iterator<Item = &str> {
        self.subscriptions.iter().map(|(uri, _)| uri.as_str())
    }

    pub(crate) fn subscribes_to(&self, uri: &str) -> bool {
        self.subscriptions.iter().any(|(known, _)| known == uri)
    }

    /// A subscription is not wanted any more, or never came about.
    pub(crate) fn drop_subscription(&mut self, uri: &str) {
        self.subscriptions.retain(|(known, _)| known != uri);
    }

    /// The requests that tell a new connection what the earlier one was told: methods and parameters.
    pub(crate) fn requests(&self) -> Vec<(&'static str, Box<str>)> {
        let level = self.level.clone().map(|params| (SET_LEVEL, params));
        let subscriptions = self.subscriptions.iter().map(|(_, params)| (SUBSCRIBE, params.clone()));
        level.into_iter().chain(subscriptions).collect()
    }

    /// A request that matters succeeded.
    pub(crate) fn note(&mut self, method: &str, params: &str) {
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

#[derive(Default, Debug)]
pub(crate) struct StrayOutput {
    /// The first line of this connection.
    first: Option<String>,
    /// The first line of all.
    of_client: Option<String>,
    was_reported: bool,
    /// What the last error of this connection said that names no request of ours.
    error: Option<String>,
}

impl StrayOutput {
    /// A line came. Returns the log level for it: the first line of a client is a warning.
    pub(crate) fn note(&mut self, line: String) -> Level {
        if self.of_client.is_none() {
            self.of_client = Some(line.clone());
        }
        self.first.get_or_insert(line);
        if std::mem::replace(&mut self.was_reported, true) { Level::Debug } else { Level::Warn }
    }

    /// The first line that came, on whatever connection.
    pub(crate) fn first_of_client(&self) -> Option<&str> {
        self.of_client.as_deref()
    }

    /// An error came that can be about any call, or about none.
    pub(crate) fn note_error(&mut self, said: String) {
        self.error = Some(said);
    }

    /// What the last of them said.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Another connection is opened.
    pub(crate) fn connection_begins(&mut self) {
        (self.first, self.error) = (None, None);
    }

    /// The connection has ended, or is ready.
    pub(crate) fn forget(&mut self) {
        self.first = None;
    }

    /// Adds the line to the error of a connection that did not become ready.
    pub(crate) fn explain(&self, mut error: Error) -> Error {
        let Some(line) = &self.first else { return error };
        error.message.push_str("; the first line of its output is not an MCP message: ");
        error.message.push_str(&visible(line));
        error.with("output", line.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;
    use crate::protocol::method::UNSUBSCRIBE;

    fn policy() -> Reconnect {
        let second = Duration::from_secs(1);
        Reconnect {
            initial: second,
            max: 4 * second,
            jitter: 0.0,
            max_attempts: Some(4),
            ..Reconnect::default()
        }
    }

    #[test]
    fn the_waits_double_up_to_the_most_and_end() {
        let (mut reconnection, now) = (Reconnection::new(Random::new(1)), Instant::now());
        let error = Error::new(Status::Transport, "connect", "it is gone");
        for seconds in [1, 2, 4, 4] {
            let next = reconnection.failed(now, Some(&policy()), error.clone());
            assert!(matches!(next, Retrial::At(at) if at == now + Duration::from_secs(seconds)), "{next:?}");
            assert_eq!(reconnection.wait(now), Duration::from_secs(seconds));
        }
        assert!(matches!(reconnection.failed(now, Some(&policy()), error.clone()), Retrial::GivenUp(..)));
        reconnection.stable();
        assert!(matches!(reconnection.failed(now, Some(&policy()), error.clone()), Retrial::At(_)));
        assert!(matches!(reconnection.failed(now, None, error), Retrial::GivenUp(..)));
    }

    #[test]
    fn a_session_that_ended_is_opened_at_once_only_after_a_stable_connection() {
        let mut reconnection = Reconnection::new(Random::new(1));
        let error = Error::new(Status::Transport, "", "the session has ended");
        assert!(!reconnection.opens_at_once(None, &error));
        assert!(reconnection.opens_at_once(Some(&policy()), &error) && reconnection.failure().is_some());
        reconnection.ready();
        assert!(!reconnection.opens_at_once(Some(&policy()), &error) && reconnection.failure().is_none());
        reconnection.stable();
        assert!(reconnection.opens_at_once(Some(&policy()), &error));
    }

    #[test]
    fn jitter_spreads_the_waits_within_its_share() {
        let mut reconnection = Reconnection::new(Random::new(7));
        let policy = Reconnect { jitter: 0.5, ..policy() };
        let waits: Vec<Duration> = (0..100).map(|_| reconnection.pause(&policy, 0, policy.max)).collect();
        let within = Duration::from_millis(500)..=Duration::from_millis(1500);
        assert!(waits.iter().all(|wait| within.contains(wait)));
        assert!(waits.iter().any(|wait| *wait != waits[0]));
    }

    #[test]
    fn each_wait_ends_once() {
        let mut connects = ConnectionWaiters::default();
        let first = connects.add('a', Some(Duration::from_secs(2)));
        let second = connects.add('b', None);
        connects.add('c', None);
        assert_eq!(connects.timed_out(first), Some(('a', 2000)));
        assert_eq!(connects.timed_out(first), None);
        assert!(connects.is_due(second) && !connects.is_due(first));
        assert_eq!(connects.cancel(|ticket| *ticket == 'b'), Some('b'));
        assert_eq!(connects.cancel(|ticket| *ticket == 'b'), None);
        assert_eq!((connects.end().collect::<String>(), connects.len()), ("c".to_owned(), 0));
    }

    #[test]
    fn the_last_level_and_the_live_subscriptions_are_remembered() {
        let mut restore = RestoredState::default();
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
        let mut restore = RestoredState::default();
        for number in 0..=SUBSCRIPTIONS {
            restore.note(SUBSCRIBE, &format!(r#"{{"uri":"{number}"}}"#));
        }
        assert_eq!(restore.subscriptions.len(), SUBSCRIPTIONS);
    }

    #[test]
    fn the_first_line_explains_why_a_connection_failed() {
        let mut output = StrayOutput::default();
        let error = Error::new(Status::Timeout, "connect", "no answer");
        assert_eq!(output.explain(error.clone()), error);
        assert_eq!(output.note("usage: server FILE".to_owned()), Level::Warn);
        assert_eq!(output.note("  --help".to_owned()), Level::Debug);
        assert!(output.explain(error.clone()).message.ends_with("usage: server FILE"));
        output.forget();
        assert_eq!(output.explain(error.clone()), error);
        assert_eq!(output.note("again".to_owned()), Level::Debug, "the warning comes once");
        output.note_error("-32000, no".to_owned());
        output.forget();
        assert_eq!(output.error(), Some("-32000, no"), "it may be about a call that goes on");
        output.connection_begins();
        assert_eq!((output.error(), output.explain(error.clone())), (None, error));
    }
}
