//! What a step takes: time, and the time of processors that its programs used.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use crate::process;

/// From where on is measured.
pub struct Clock {
    start: Instant,
    used: Option<Duration>,
}

/// What was measured.
#[derive(Clone, Copy, Default)]
pub struct Took {
    pub time: Duration,
    /// Of this program and of every program that it has waited for; `None` where the system does not tell it.
    pub used: Option<Duration>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { start: Instant::now(), used: used() }
    }

    pub fn took(&self) -> Took {
        let used = used().zip(self.used).map(|(now, then)| now.saturating_sub(then));
        Took { time: self.start.elapsed(), used }
    }
}

impl Took {
    /// The time since the start, for a person who waits.
    pub fn minutes(&self) -> String {
        format!("{} min {:02} s", self.time.as_secs() / 60, self.time.as_secs() % 60)
    }

    /// Both times in milliseconds, for [`Took::parse`].
    pub fn text(&self) -> String {
        let used = self.used.map_or_else(|| "-".to_owned(), |used| used.as_millis().to_string());
        format!("{} {used}", self.time.as_millis())
    }

    pub fn parse(time: &str, used: &str) -> Option<Took> {
        let milliseconds = |text: &str| text.parse().ok().map(Duration::from_millis);
        let used = if used == "-" { None } else { Some(milliseconds(used)?) };
        Some(Took { time: milliseconds(time)?, used })
    }
}

impl fmt::Display for Took {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:>8.1} s", self.time.as_secs_f64())?;
        match self.used {
            Some(used) => write!(out, "{:>10.1} s", used.as_secs_f64()),
            None => write!(out, "{:>12}", "-"),
        }
    }
}

impl std::iter::Sum for Took {
    fn sum<I: Iterator<Item = Took>>(all: I) -> Took {
        all.fold(Took { used: Some(Duration::ZERO), ..Took::default() }, |sum, one| Took {
            time: sum.time + one.time,
            used: sum.used.zip(one.used).map(|(a, b)| a + b),
        })
    }
}

fn used() -> Option<Duration> {
    Some(process::processor_times(&fs::read_to_string("/proc/self/stat").ok()?)?.iter().sum())
}
