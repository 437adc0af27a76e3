//! The time. In tests that of a simulation, where there is one: then it stands still until the simulation goes on.

use std::time::Instant;
#[cfg(any(feature = "auth", feature = "server"))]
use std::time::{SystemTime, UNIX_EPOCH};

/// Now. In tests as the runtime of HTTP has it that this thread is in.
pub(crate) fn now() -> Instant {
    #[cfg(all(test, feature = "http"))]
    return tokio::time::Instant::now().into_std();
    #[cfg(not(all(test, feature = "http")))]
    return Instant::now();
}

/// The seconds since the beginning of 1970.
#[cfg(any(feature = "auth", feature = "server"))]
pub(crate) fn unix() -> u64 {
    #[cfg(test)]
    if let Some(unix) = simulated::unix(now()) {
        return unix;
    }
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
pub(crate) mod simulated {
    use super::Instant;
    use std::cell::Cell;

    /// The other clock: its seconds at a time.
    #[derive(Clone, Copy)]
    pub(crate) struct Wall {
        pub(crate) start: Instant,
        pub(crate) unix: u64,
    }
    thread_local! {
        pub(crate) static WALL: Cell<Option<Wall>> = const { Cell::new(None) };
        /// The next number in place of those that differ from time to time.
        pub(crate) static SEED: Cell<Option<u64>> = const { Cell::new(None) };
    }

    impl Wall {
        pub(crate) fn at(self, now: Instant) -> u64 {
            self.unix + now.saturating_duration_since(self.start).as_secs()
        }
    }

    pub(super) fn unix(now: Instant) -> Option<u64> {
        WALL.get().map(|wall| wall.at(now))
    }

    pub(crate) fn seed() -> Option<u64> {
        let seed = SEED.get()?;
        SEED.set(Some(seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)));
        Some(seed >> 16)
    }
}
