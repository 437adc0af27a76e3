//! How long requests wait for the application, and how long it works on them.
//!
//! A histogram has a fixed number of buckets, so that a request costs one addition and no memory.

use std::time::Duration;

/// The upper bounds of the buckets, in microseconds. One more bucket has what is longer.
pub const BOUNDS: [u64; 12] =
    [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 60_000_000];

/// How many times fell into each bucket.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BOUNDS.len() + 1],
    micros: u64,
}

impl Histogram {
    /// Counts a time.
    pub(super) fn record(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.counts[bucket] += 1;
        self.micros = self.micros.saturating_add(micros);
    }

    /// How many times were at most as long as each bound, and how many there were at all.
    pub fn cumulative(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let mut all = 0;
        let bounds = BOUNDS.iter().map(|bound| Some(*bound)).chain([None]);
        bounds.zip(self.counts).map(move |(bound, count)| {
            all += count;
            (bound, all)
        })
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their sum, in microseconds.
    pub fn micros(&self) -> u64 {
        self.micros
    }
}

/// The times of the requests that handlers were run for.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From the arrival of a request, or of the answers of its client, until the application took it.
    pub waiting: Histogram,
    /// From then on until the application answered.
    pub handling: Histogram,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_the_first_bucket_that_holds_it() {
        let mut histogram = Histogram::default();
        for micros in [0, 100, 101, 60_000_000, 60_000_001] {
            histogram.record(Duration::from_micros(micros));
        }
        histogram.record(Duration::MAX);
        let all: Vec<_> = histogram.cumulative().collect();
        assert_eq!(all.len(), BOUNDS.len() + 1);
        assert_eq!(all[..2], [(Some(100), 2), (Some(500), 3)]);
        assert_eq!(all[BOUNDS.len() - 1..], [(Some(60_000_000), 4), (None, 6)]);
        assert_eq!((histogram.count(), histogram.micros()), (6, u64::MAX));
    }
}
