//! How often something may be sent to each session: a bucket of permits for each, which fills with time.

use super::effect::SessionId;
use crate::engine::hashing::ById;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// The permits of all sessions. A full bucket holds the permits of one second; what was taken comes back evenly.
#[derive(Debug)]
pub(super) struct Rates {
    /// How long one permit takes to come back.
    interval: Duration,
    /// When the bucket of a session is full again. One that is not here is full.
    full: ById<Instant, SessionId>,
}

impl Rates {
    /// `per_second` permits for each session and second.
    pub fn new(per_second: u32) -> Rates {
        Rates { interval: SECOND / per_second.max(1), full: ById::default() }
    }

    /// Takes a permit of a session.
    ///
    /// # Errors
    /// When there will be one.
    pub fn take(&mut self, session: SessionId, now: Instant) -> Result<(), Instant> {
        let full = self.full.entry(session).or_insert(now);
        let after = (*full).max(now) + self.interval;
        let wait = after.saturating_duration_since(now).saturating_sub(SECOND);
        if !wait.is_zero() {
            return Err(now + wait);
        }
        *full = after;
        Ok(())
    }

    /// A session has ended.
    pub fn forget(&mut self, session: SessionId) {
        self.full.remove(&session);
    }
}

#[cfg(test)]
mod tests {
    use super::{Rates, SECOND, SessionId};
    use std::time::Instant;

    #[test]
    fn a_bucket_empties_and_fills() {
        let mut rates = Rates::new(4);
        let (start, one, other) = (Instant::now(), SessionId(1), SessionId(2));
        for _ in 0..4 {
            assert_eq!(rates.take(one, start), Ok(()));
        }
        assert_eq!(rates.take(one, start), Err(start + SECOND / 4));
        assert_eq!(rates.take(other, start), Ok(()), "each session has its own");
        assert_eq!(rates.take(one, start + SECOND / 4), Ok(()));
        assert_eq!(rates.take(one, start + SECOND / 4), Err(start + SECOND / 2));
        let later = start + SECOND * 60;
        let taken = (0..10).filter(|_| rates.take(one, later).is_ok()).count();
        assert_eq!(taken, 4, "permits are not saved up");
        rates.forget(one);
        rates.forget(other);
        assert!(rates.full.is_empty());
    }
}
