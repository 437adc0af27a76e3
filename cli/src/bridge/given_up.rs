//! Calls that were given up: their server may still ask something for them, and does not say that it is for them.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How long a server may still ask for a call that was given up.
const KEPT: Duration = Duration::from_secs(60);
/// The most that are remembered.
const MOST: usize = 1024;

/// A session whose call was given up.
#[derive(Debug)]
struct Entry {
    upstream: usize,
    session: u64,
    until: Instant,
}

/// Whose calls were given up lately.
#[derive(Debug, Default)]
pub struct GivenUp {
    /// The oldest first; each session of each server once.
    entries: VecDeque<Entry>,
    /// Until when there were more than can be remembered: whose they are is not known.
    others_until: Option<Instant>,
}

impl GivenUp {
    /// Remembers the session of a call.
    pub fn add(&mut self, upstream: usize, session: u64, now: Instant) {
        self.forget(now);
        self.entries.retain(|it| (it.upstream, it.session) != (upstream, session));
        if self.entries.len() >= MOST
            && let Some(oldest) = self.entries.pop_front()
        {
            self.others_until = Some(oldest.until);
        }
        self.entries.push_back(Entry { upstream, session, until: now + KEPT });
    }

    /// Whether a question of a server may be for a call of another session than this one.
    pub fn has_other(&mut self, upstream: usize, session: u64, now: Instant) -> bool {
        self.forget(now);
        self.others_until.is_some()
            || self.entries.iter().any(|it| it.upstream == upstream && it.session != session)
    }

    fn forget(&mut self, now: Instant) {
        while self.entries.front().is_some_and(|it| it.until <= now) {
            self.entries.pop_front();
        }
        self.others_until = self.others_until.filter(|until| *until > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_was_given_up_keeps_questions_from_other_sessions_for_a_time() {
        let (mut given_up, now) = (GivenUp::default(), Instant::now());
        assert!(!given_up.has_other(0, 2, now));
        given_up.add(0, 1, now);
        assert!(given_up.has_other(0, 2, now), "the question may be for the call of 1");
        assert!(!given_up.has_other(0, 1, now), "it is of the same session");
        assert!(!given_up.has_other(1, 2, now), "it is at another server");
        given_up.add(0, 1, now + KEPT / 2);
        assert!(given_up.has_other(0, 2, now + KEPT), "the later call counts");
        assert!(!given_up.has_other(0, 2, now + KEPT * 2));
    }

    #[test]
    fn more_than_can_be_remembered_keep_questions_from_all_sessions() {
        let (mut given_up, now) = (GivenUp::default(), Instant::now());
        for session in 0..=MOST as u64 {
            given_up.add(0, session, now);
        }
        assert_eq!(given_up.entries.len(), MOST);
        assert!(given_up.has_other(1, 0, now), "whose the forgotten one is, is not known");
        assert!(!given_up.has_other(1, 0, now + KEPT));
    }
}
