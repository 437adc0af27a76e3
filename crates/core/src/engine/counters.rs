//! What the engine counted, how long calls took by method, and the levels of log records.
//!
//! Durations go into buckets that double, so that a summary costs one increment a call and a bounded amount of memory.

use super::fields;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::time::Duration;

/// The level of a log record. The numbers are the ABI's; 0 listens to nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Level {
    /// Something failed.
    Error = 1,
    /// Something is odd.
    Warn = 2,
    /// A change of state.
    Info = 3,
    /// Each request.
    Debug = 4,
    /// Each frame.
    Trace = 5,
}

impl Level {
    /// The level as it stands in a record.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        }
    }
}

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Counts since the client was made.
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// The counts by name.
            pub fn to_map(self) -> Map<String, Value> {
                let mut map = Map::new();
                $(map.insert(stringify!($name).to_owned(), Value::from(self.$name));)+
                map
            }
        }
    };
}

counters! {
    /// Calls the application made.
    calls,
    /// Calls that ended with a result.
    results,
    /// Calls that ended with a JSON-RPC error.
    server_errors,
    /// Calls that ended for want of time.
    timeouts,
    /// Calls the application cancelled.
    cancelled,
    /// Calls that ended because the connection was lost.
    lost_calls,
    /// Calls sent again after the connection was lost.
    retries,
    /// Calls that became tasks, and those that watched one.
    tasks,
    /// Connections that became ready.
    connections,
    /// Attempts to connect that failed.
    failed_attempts,
    /// Notifications of the server.
    notifications,
    /// Progress of calls that had ended, were not sent or wanted none: the only notifications that are not handed on.
    ignored_progress,
    /// Requests of the server.
    server_requests,
    /// Requests of the server refused because nothing was enabled for them.
    refused_requests,
    /// Answers to calls that had ended already.
    late_answers,
    /// Answers to calls that were never made.
    unknown_answers,
    /// Frames that were no JSON at all.
    garbage_frames,
    /// Frames that broke a rule of the protocol.
    violations,
    /// Messages that are not written as they should be, and were taken all the same.
    tolerated,
    /// Frames over the bound.
    oversized_frames,
}

/// Methods that are told apart; the rest are counted together.
const METHODS: usize = 64;
/// Buckets: the first holds durations below 1 µs, each further one twice as much.
const BUCKETS: usize = 40;
/// What the methods beyond the bound are counted as.
const OTHERS: &str = "(other)";

#[derive(Debug)]
struct Latency {
    method: Cow<'static, str>,
    count: u64,
    longest: Duration,
    buckets: [u64; BUCKETS],
}

/// The durations of all calls that ended with a result.
#[derive(Default, Debug)]
pub(super) struct Latencies {
    methods: Vec<Latency>,
}

impl Latencies {
    #[allow(clippy::ptr_arg, reason = "a borrowed name is kept without a copy")]
    pub(super) fn record(&mut self, method: &Cow<'static, str>, elapsed: Duration) {
        let at = self.methods.iter().position(|latency| latency.method == *method);
        let at = at.unwrap_or_else(|| {
            let full = self.methods.len() >= METHODS;
            let method = if full { Cow::Borrowed(OTHERS) } else { method.clone() };
            match self.methods.iter().position(|latency| full && latency.method == method) {
                Some(at) => at,
                None => {
                    // Most clients call one or two methods, and a vector would take room for four.
                    self.methods.reserve_exact(1);
                    self.methods.push(Latency {
                        method,
                        count: 0,
                        longest: Duration::ZERO,
                        buckets: [0; BUCKETS],
                    });
                    self.methods.len() - 1
                }
            }
        });
        let Some(latency) = self.methods.get_mut(at) else { return };
        latency.count += 1;
        latency.longest = latency.longest.max(elapsed);
        let micros =
            elapsed.as_secs().saturating_mul(1_000_000).saturating_add(elapsed.subsec_micros().into());
        // The position of the highest bit, which is at most 64.
        let bucket = usize::try_from(u64::BITS - micros.leading_zeros()).unwrap_or(BUCKETS).min(BUCKETS - 1);
        latency.buckets[bucket] += 1;
    }

    /// For each method: how many calls were answered, and about how long half of them and 99 of 100 took at the most.
    pub(super) fn to_map(&self) -> Map<String, Value> {
        fields(self.methods.iter().map(|latency| {
            let summary = fields([
                ("count", latency.count.into()),
                ("p50_us", latency.quantile(50).into()),
                ("p99_us", latency.quantile(99).into()),
                ("max_us", micros(latency.longest).into()),
            ]);
            (latency.method.as_ref(), Value::Object(summary))
        }))
    }
}

impl Latency {
    /// The upper edge of the bucket in which the quantile lies, but no more than the longest duration.
    fn quantile(&self, percent: u64) -> u64 {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return (1u64 << bucket).min(micros(self.longest));
            }
        }
        micros(self.longest)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_within_a_factor_of_two() {
        let mut latencies = Latencies::default();
        let method = Cow::Borrowed("tools/call");
        for micros in 1..=1000 {
            latencies.record(&method, Duration::from_micros(micros));
        }
        let summary = latencies.to_map();
        let of = |name: &str| summary["tools/call"][name].as_u64().expect("a number");
        assert_eq!(of("count"), 1000);
        assert!((500..=1000).contains(&of("p50_us")), "{}", of("p50_us"));
        assert_eq!(of("p99_us"), 1000);
        assert_eq!(of("max_us"), 1000);
    }

    #[test]
    fn endless_method_names_are_counted_together() {
        let mut latencies = Latencies::default();
        for number in 0..1000 {
            latencies.record(&Cow::Owned(format!("m{number}")), Duration::from_secs(1));
        }
        assert_eq!(latencies.methods.len(), METHODS + 1);
        assert_eq!(latencies.to_map()[OTHERS]["count"], 1000 - 64);
    }
}
