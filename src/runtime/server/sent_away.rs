//! Clients that are sent away because there are as many connections as there may be: one record a second tells of them.

use std::time::{Duration, Instant};

/// The time between two records.
const PAUSE: Duration = Duration::from_secs(1);

/// Those of whom no record has told yet.
#[derive(Default, Debug)]
pub(super) struct SentAway {
    count: u64,
    told: Option<Instant>,
}

impl SentAway {
    /// One more. Gives how many a record is to tell of, if it is time for one.
    pub(super) fn add(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        if self.told.is_some_and(|told| now < told + PAUSE) {
            return None;
        }
        self.told = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::{PAUSE, SentAway};
    use std::time::{Duration, Instant};

    #[test]
    fn a_flood_of_clients_has_one_record_a_second_which_counts_them() {
        let (mut away, start) = (SentAway::default(), Instant::now());
        assert_eq!(away.add(start), Some(1));
        for _ in 0..1000 {
            assert_eq!(away.add(start + Duration::from_millis(999)), None);
        }
        assert_eq!(away.add(start + PAUSE), Some(1001));
        assert_eq!(away.add(start + PAUSE), None);
    }
}
