//! What is recorded for OpenTelemetry, and who is told: one listener of the whole process for spans, and histograms of durations that it
//! may read.
//!
//! It holds for the clients and servers that are made while it is set; engines of others look at nothing. A span is made text on the
//! thread of callbacks, never under a lock.

use super::{clock, lock, seed};
use crate::engine::telemetry::{Measures, Peer, RequestSpan, Telemetry, WallClock};
use crate::transport::process::per_process::PerProcess;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

/// What receives spans, each as a JSON object of OTLP (`opentelemetry.proto.trace.v1.Span`).
pub type SpanListener = Arc<dyn Fn(&str) + Send + Sync>;

/// What is recorded.
#[derive(Clone)]
pub struct TelemetrySettings {
    /// The share of requests without a parent that become spans, 0 to 1. One with a parent is recorded if that is.
    pub sample_rate: f64,
    /// Whether the duration of every request is counted, for [`metrics`].
    pub metrics: bool,
    /// Whether the listener gets `{"span": …, "measurement": …}`, each if there is one, in place of a span.
    pub measurements: bool,
    /// Who gets the spans, on a thread of the library.
    pub spans: SpanListener,
}

impl std::fmt::Debug for TelemetrySettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TelemetrySettings { sample_rate, metrics, measurements, .. } = self;
        write!(f, "TelemetrySettings({sample_rate}, metrics: {metrics}, measurements: {measurements})")
    }
}

/// Whether anything is recorded: looked at where a server would read a header for it.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// Whether the listener gets what is not recorded, too.
static HANDS_OVER_ALL: AtomicBool = AtomicBool::new(false);
/// Spans that were dropped because the listener was too slow.
static DROPPED: AtomicU64 = AtomicU64::new(0);
/// A child of `fork` begins without, as it does with the logger.
static SETTINGS: PerProcess<Mutex<Option<TelemetrySettings>>> = PerProcess::new(Mutex::default);
static MEASURES: PerProcess<Mutex<Option<Measures>>> = PerProcess::new(Mutex::default);

/// Sets what the clients and servers record that are made from now on, and who is told; `None` ends that.
pub fn set_telemetry(settings: Option<TelemetrySettings>) {
    if settings.as_ref().is_some_and(|settings| settings.metrics) {
        lock(MEASURES.get()).get_or_insert_with(|| Measures::new(clock::now()));
    }
    let before = {
        let mut current = lock(SETTINGS.get());
        IS_ON.store(settings.is_some(), Ordering::Relaxed);
        let all = settings.as_ref().is_some_and(|settings| settings.measurements);
        HANDS_OVER_ALL.store(all, Ordering::Relaxed);
        std::mem::replace(&mut *current, settings)
    };
    // What it holds is released without the lock.
    drop(before);
}

/// The durations of all requests that were counted, a JSON array of metrics of OTLP; `[]` while there is none.
pub fn metrics() -> String {
    let now = wall_clock();
    lock(MEASURES.get()).as_ref().map_or_else(|| "[]".to_owned(), |measures| measures.to_json(now, now.at))
}

/// How many spans were dropped because more waited for the listener than may.
pub fn dropped_spans() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

pub(super) fn dropped_one() {
    DROPPED.fetch_add(1, Ordering::Relaxed);
}

/// Whether a server is to read what only spans say.
#[cfg(all(feature = "http", feature = "server"))]
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// What an engine is to record that is made now.
pub(crate) fn of_new_engine() -> Option<Telemetry> {
    if !IS_ON.load(Ordering::Relaxed) {
        return None;
    }
    let current = lock(SETTINGS.get());
    let TelemetrySettings { sample_rate, metrics, measurements, .. } = current.as_ref()?;
    Some(Telemetry { rate: *sample_rate, measures: *metrics || *measurements, seed: seed() })
}

/// Counts how long a request took, where that is wanted. Whether the listener is to be told of it.
pub(super) fn count(span: &RequestSpan, peer: &Peer) -> bool {
    if let Some(measures) = &mut *lock(MEASURES.get()) {
        measures.record(span, peer);
    }
    span.decision.context.is_sampled || HANDS_OVER_ALL.load(Ordering::Relaxed)
}

fn wall_clock() -> WallClock {
    WallClock { at: clock::now(), unix: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() }
}

/// A span that waits for the listener.
pub(super) struct EndedSpan {
    span: Box<RequestSpan>,
    peer: Arc<Peer>,
}

impl EndedSpan {
    pub(super) fn new(span: Box<RequestSpan>, peer: Arc<Peer>) -> EndedSpan {
        EndedSpan { span, peer }
    }

    pub(super) fn deliver(&self) {
        let current = lock(SETTINGS.get()).as_ref().map(|it| (Arc::clone(&it.spans), it.measurements));
        let Some((listener, with_measurement)) = current else { return };
        let EndedSpan { span, peer } = self;
        let decision = span.decision;
        let told = || span.to_json(peer, wall_clock());
        if !with_measurement {
            // One that was only to be measured may be here when the settings have changed meanwhile.
            if decision.context.is_sampled {
                listener(&told());
            }
            return;
        }
        let mut both = String::from("{");
        if decision.context.is_sampled {
            both.push_str("\"span\":");
            both.push_str(&told());
        }
        if decision.is_measured {
            both.push_str(if both.len() > 1 { ",\"measurement\":" } else { "\"measurement\":" });
            both.push_str(&span.to_measurement(peer));
        }
        both.push('}');
        listener(&both);
    }
}
