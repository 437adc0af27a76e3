//! Sleeping on a number without a futex: each thread that sleeps takes a place with a [`Wake`] of its own. A place and its wake stay
//! when the thread leaves, so that a signal handler that is setting the wake at that moment finds it.

use crate::transport::poller::wait_for_wake;
use crate::transport::system::poller::Wake;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// The threads that can be told; one more looks now and then.
const PLACES: usize = 64;
/// How often a thread looks that has no place.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);
/// How long a thread sleeps at most for which no end was given.
const LONGEST: Duration = Duration::from_secs(3600);

#[derive(Debug, Default)]
struct SleepPlace {
    taken: AtomicBool,
    wake: OnceLock<Wake>,
}

/// A number on which threads sleep until it changes.
#[derive(Debug)]
pub struct Parking {
    changes: AtomicU32,
    places: [SleepPlace; PLACES],
}

impl Default for Parking {
    fn default() -> Parking {
        Parking { changes: AtomicU32::new(0), places: std::array::from_fn(|_| SleepPlace::default()) }
    }
}

impl Parking {
    /// What [`Parking::sleep`] must be given: taken before the look at what is waited for.
    pub fn changes(&self) -> u32 {
        self.changes.load(Ordering::SeqCst)
    }

    /// Has every thread that sleeps look again. Async-signal-safe.
    pub fn wake_all(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        for place in &self.places {
            if place.taken.load(Ordering::SeqCst)
                && let Some(wake) = place.wake.get()
            {
                wake.set();
            }
        }
    }

    /// Sleeps until something changed after `seen`, or the time is over. May end early, as by a signal.
    pub fn sleep(&self, seen: u32, left: Option<Duration>) {
        let left = left.unwrap_or(LONGEST);
        let Some(place) = self.place() else {
            return self.look_now_and_then(seen, left);
        };
        match place.wake() {
            Some(wake) => {
                wake.clear();
                // Either this sees the change, or who made it sees that the place is taken, and sets the wake after it was cleared.
                if self.changes() == seen {
                    wait_for_wake(wake, left);
                }
            }
            None => self.look_now_and_then(seen, left),
        }
        place.taken.store(false, Ordering::SeqCst);
    }

    fn place(&self) -> Option<&SleepPlace> {
        self.places.iter().find(|place| !place.taken.swap(true, Ordering::SeqCst))
    }

    /// Ends after one interval: the caller looks at its conditions and comes again.
    fn look_now_and_then(&self, seen: u32, left: Duration) {
        if self.changes() == seen {
            std::thread::sleep(left.min(LOOK_INTERVAL));
        }
    }
}

impl SleepPlace {
    /// The wake of the place; none where no descriptor is left.
    fn wake(&self) -> Option<&Wake> {
        if self.wake.get().is_none() {
            // Only the thread that has the place makes one.
            let fresh = Wake::new().ok()?;
            return Some(self.wake.get_or_init(|| fresh));
        }
        self.wake.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::{Duration, Instant};

    #[test]
    fn every_thread_that_sleeps_is_woken_and_those_without_a_place_too() {
        let parking = Arc::new(Parking::default());
        let asleep = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..PLACES + 6)
            .map(|_| {
                let (parking, asleep) = (Arc::clone(&parking), Arc::clone(&asleep));
                std::thread::spawn(move || {
                    let seen = parking.changes();
                    asleep.fetch_add(1, Ordering::SeqCst);
                    let until = Instant::now() + Duration::from_secs(60);
                    while parking.changes() == seen && Instant::now() < until {
                        parking.sleep(seen, Some(Duration::from_secs(60)));
                    }
                    parking.changes() != seen
                })
            })
            .collect();
        while asleep.load(Ordering::SeqCst) < u32::try_from(PLACES + 6).expect("small") {
            std::thread::yield_now();
        }
        let begun = Instant::now();
        parking.wake_all();
        assert!(threads.into_iter().all(|thread| thread.join().expect("no panic")));
        assert!(begun.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn what_changed_before_the_sleep_ends_it_at_once_and_the_time_ends_it() {
        let parking = Parking::default();
        let seen = parking.changes();
        parking.wake_all();
        let begun = Instant::now();
        parking.sleep(seen, Some(Duration::from_secs(60)));
        assert!(begun.elapsed() < Duration::from_secs(30));
        let begun = Instant::now();
        parking.sleep(parking.changes(), Some(Duration::from_millis(20)));
        assert!(begun.elapsed() >= Duration::from_millis(19));
    }
}
