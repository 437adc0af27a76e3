//! Attempts to connect: how many failed in a row, when the next one is, and why the last one failed.

use super::settings::Reconnect;
use crate::engine::{Error, Random};
use std::time::{Duration, Instant};

/// What follows when a connection or an attempt ended.
#[derive(Clone, Debug)]
pub(super) enum Retrial {
    /// There is a next attempt at this time.
    At(Instant),
    /// There is none, for this reason.
    GivenUp(&'static str, Error),
}

#[derive(Debug)]
pub(super) struct Reconnection {
    /// Attempts in a row that did not lead to a stable connection.
    attempts: u32,
    next_attempt: Option<Instant>,
    /// Why the last connection or attempt ended.
    failure: Option<Error>,
    random: Random,
}

impl Reconnection {
    pub(super) fn new(random: Random) -> Reconnection {
        Reconnection { attempts: 0, next_attempt: None, failure: None, random }
    }

    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    pub(super) fn next_attempt(&self) -> Option<Instant> {
        self.next_attempt
    }

    /// How long it is until the next attempt.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        self.next_attempt.map_or(Duration::ZERO, |at| at.saturating_duration_since(now))
    }

    /// Why the last connection or attempt ended, while there is no newer one.
    pub(super) fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// A connection or an attempt ended with this error. `policy` is `None` with reconnection off.
    pub(super) fn failed(&mut self, now: Instant, policy: Option<&Reconnect>, error: Error) -> Retrial {
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
    pub(super) fn opens_at_once(&mut self, policy: Option<&Reconnect>, error: &Error) -> bool {
        if self.attempts > 0 || policy.is_none() {
            return false;
        }
        self.attempts = 1;
        self.failure = Some(error.clone());
        true
    }

    /// The wait after so many `failures` in a row, spread as the policy says.
    pub(super) fn pause(&mut self, policy: &Reconnect, failures: u32, most: Duration) -> Duration {
        let wait = policy.initial.saturating_mul(1 << failures.min(20)).min(most);
        wait.mul_f64(1.0 + policy.jitter.clamp(0.0, 1.0) * (2.0 * self.random.share() - 1.0))
    }

    /// Whether something is drawn that has this share of all.
    pub(super) fn draws(&mut self, share: f64) -> bool {
        share >= 1.0 || self.random.share() < share
    }

    /// An attempt is made.
    pub(super) fn begin(&mut self) {
        self.next_attempt = None;
    }

    /// The connection is ready.
    pub(super) fn ready(&mut self) {
        self.failure = None;
    }

    /// The connection has been ready long enough.
    pub(super) fn stable(&mut self) {
        self.attempts = 0;
    }

    /// There is no further attempt, because of this failure or because the client is closed.
    pub(super) fn end(&mut self, failure: Option<Error>) {
        (self.next_attempt, self.failure) = (None, failure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;

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
}
