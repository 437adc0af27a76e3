//! When the keys of an issuer are fetched, and how long they are used (S-AU-12). A flood of tokens with unknown keys leads to one
//! fetch in each pause, and an issuer that is down does not end the service at once.

use super::jwk::KeySet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The times of keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyTimes {
    /// How long keys are used before they are fetched again.
    pub fresh: Duration,
    /// How long they are used when they cannot be fetched.
    pub stale: Duration,
    /// How long after a fetch the next one begins at the earliest.
    pub pause: Duration,
}

/// What to do now.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Use these.
    Use(Arc<KeySet>),
    /// Fetch them, and ask again.
    Fetch,
    /// There are none, and it is too early for another fetch.
    Unavailable,
}

/// The keys of an issuer.
#[derive(Debug)]
pub struct KeyCache {
    times: KeyTimes,
    keys: Option<(Arc<KeySet>, Instant)>,
    /// When they were last asked for, with whatever outcome.
    asked: Option<Instant>,
}

impl KeyCache {
    /// No keys yet.
    pub fn new(times: KeyTimes) -> KeyCache {
        KeyCache { times, keys: None, asked: None }
    }

    /// What to do for a token. `missed` are the keys among which its key is not.
    pub fn wanted(&self, now: Instant, missed: Option<&Arc<KeySet>>) -> Keys {
        let may_fetch =
            self.asked.is_none_or(|asked| now.saturating_duration_since(asked) >= self.times.pause);
        let Some((keys, fetched)) = &self.keys else {
            return if may_fetch { Keys::Fetch } else { Keys::Unavailable };
        };
        let age = now.saturating_duration_since(*fetched);
        let is_missed = missed.is_some_and(|missed| Arc::ptr_eq(missed, keys));
        if may_fetch && (is_missed || age >= self.times.fresh) {
            return Keys::Fetch;
        }
        if age >= self.times.fresh.max(self.times.stale) {
            return Keys::Unavailable;
        }
        Keys::Use(Arc::clone(keys))
    }

    /// A fetch has ended: with keys, or without.
    pub fn fetched(&mut self, now: Instant, keys: Option<KeySet>) {
        self.asked = Some(now);
        if let Some(keys) = keys {
            self.keys = Some((Arc::new(keys), now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: KeyTimes = KeyTimes {
        fresh: Duration::from_secs(100),
        stale: Duration::from_secs(1000),
        pause: Duration::from_secs(10),
    };

    fn used(keys: &Keys) -> Arc<KeySet> {
        match keys {
            Keys::Use(keys) => Arc::clone(keys),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_flood_of_unknown_keys_leads_to_one_fetch_in_each_pause() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        assert!(matches!(cache.wanted(begin, None), Keys::Fetch));
        cache.fetched(begin, Some(KeySet::default()));
        let mut fetches = 0;
        for tenth in 0..500 {
            let now = begin + Duration::from_millis(tenth * 100);
            let keys = used(&match cache.wanted(now, None) {
                Keys::Use(keys) => Keys::Use(keys),
                other => panic!("{other:?}"),
            });
            if matches!(cache.wanted(now, Some(&keys)), Keys::Fetch) {
                fetches += 1;
                cache.fetched(now, Some(KeySet::default()));
            }
        }
        assert_eq!(fetches, 4, "50 seconds with pauses of 10");
    }

    #[test]
    fn keys_that_another_request_fetched_meanwhile_are_used() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        cache.fetched(begin, Some(KeySet::default()));
        let old = used(&cache.wanted(begin, None));
        cache.fetched(begin + TIMES.pause, Some(KeySet::default()));
        let later = begin + TIMES.pause * 3;
        let new = used(&cache.wanted(later, Some(&old)));
        assert!(!Arc::ptr_eq(&old, &new));
    }

    #[test]
    fn an_issuer_that_is_down_is_survived_for_a_time_and_no_longer() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        cache.fetched(begin, None);
        assert!(
            matches!(cache.wanted(begin, None), Keys::Unavailable),
            "no fetch right after one that failed"
        );
        let up = begin + TIMES.pause;
        assert!(matches!(cache.wanted(up, None), Keys::Fetch));
        cache.fetched(up, Some(KeySet::default()));
        let at = |seconds| up + Duration::from_secs(seconds);
        used(&cache.wanted(at(99), None));
        assert!(matches!(cache.wanted(at(100), None), Keys::Fetch), "they are to be fetched again");
        cache.fetched(at(100), None);
        used(&cache.wanted(at(101), None));
        cache.fetched(at(999), None);
        used(&cache.wanted(at(999), None));
        assert!(matches!(cache.wanted(at(1000), None), Keys::Unavailable), "too old to be trusted");
    }
}
