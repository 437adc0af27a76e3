//! How long requests took: histograms of OTLP/JSON (`opentelemetry-proto`, `metrics/v1`), cumulative from the start on.

use super::span::{Peer, RequestSpan, WallClock};
use crate::sorted::SortedMap;
use std::fmt::Write as _;
use std::time::Instant;

/// The upper bounds of the buckets, in seconds: those that the conventions give.
pub const BOUNDS: [f64; 14] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

/// The series that are kept at most; what comes then is counted in one that says so, as the metrics of OpenTelemetry do it.
const SERIES: usize = 2000;
const OVERFLOW: &str = r#"{"key":"otel.metric.overflow","value":{"boolValue":true}}"#;

#[derive(Clone, Debug, Default)]
struct Histogram {
    counts: [u64; BOUNDS.len() + 1],
    sum: f64,
}

/// The durations of all requests since the start.
#[derive(Debug)]
pub struct Measures {
    since: Instant,
    /// By the name of the histogram and the attributes.
    series: SortedMap<(&'static str, Box<str>), Histogram>,
}

impl Measures {
    /// Nothing yet.
    pub fn new(now: Instant) -> Measures {
        Measures { since: now, series: SortedMap::default() }
    }

    /// Counts one request, if its engine was told to.
    pub fn record(&mut self, span: &RequestSpan, peer: &Peer) {
        if !span.decision.is_measured {
            return;
        }
        let mut key = (span.metric(), Box::from(span.series(peer)));
        if self.series.len() >= SERIES && !self.series.contains_key(&key) {
            key.1 = OVERFLOW.into();
        }
        let histogram = self.series.entry(key).or_default();
        let seconds = span.duration().as_secs_f64();
        let bucket = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        if let Some(count) = histogram.counts.get_mut(bucket) {
            *count += 1;
        }
        histogram.sum += seconds;
    }

    /// The metrics, a JSON array as `ResourceMetrics.scopeMetrics.metrics` has it; empty while nothing was counted.
    pub fn to_json(&self, clock: WallClock, now: Instant) -> String {
        let mut out = String::from("[");
        let mut before = "";
        for ((name, attributes), histogram) in &self.series {
            if *name == before {
                out.push(',');
            } else {
                out.push_str(if before.is_empty() { "" } else { "]}}," });
                let _infallible = write!(
                    out,
                    "{{\"name\":\"{name}\",\"unit\":\"s\",\"histogram\":{{\"aggregationTemporality\":2,\"dataPoints\":["
                );
            }
            before = name;
            self.push_point(attributes, histogram, (clock, now), &mut out);
        }
        out.push_str(if before.is_empty() { "]" } else { "]}}]" });
        out
    }

    fn push_point(
        &self,
        attributes: &str,
        histogram: &Histogram,
        (clock, now): (WallClock, Instant),
        out: &mut String,
    ) {
        let count: u64 = histogram.counts.iter().sum();
        let _infallible = write!(
            out,
            "{{\"attributes\":[{attributes}],\"startTimeUnixNano\":\"{}\",\"timeUnixNano\":\"{}\",\"count\":\"{count}\",\
             \"sum\":{},\"bucketCounts\":[",
            clock.nanos(self.since),
            clock.nanos(now),
            histogram.sum
        );
        for (at, count) in histogram.counts.iter().enumerate() {
            let _infallible = write!(out, "{}\"{count}\"", if at > 0 { "," } else { "" });
        }
        out.push_str("],\"explicitBounds\":[");
        for (at, bound) in BOUNDS.iter().enumerate() {
            let _infallible = write!(out, "{}{bound}", if at > 0 { "," } else { "" });
        }
        out.push_str("]}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::telemetry::{Decision, Failure, Side, TraceContext};
    use crate::protocol::error_code;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn took(name: &str, millis: u64) -> RequestSpan {
        let context = TraceContext { trace: 1, span: 1, is_sampled: false };
        let decision = Decision { context, parent: 0, is_kept: true, is_measured: true };
        let begun = Instant::now();
        let mut made = RequestSpan::new(Side::Server, name.to_owned().into(), decision, begun);
        made.ended = begun + Duration::from_millis(millis);
        made.request = Some("7".into());
        made
    }

    fn told(measures: &Measures) -> Value {
        let clock = WallClock { at: measures.since, unix: Duration::from_secs(1) };
        serde_json::from_str(&measures.to_json(clock, measures.since + Duration::from_secs(1))).expect("JSON")
    }

    #[test]
    fn durations_are_counted_in_the_buckets_of_the_conventions() {
        let mut measures = Measures::new(Instant::now());
        assert_eq!(told(&measures), json!([]));
        let mut only_told = took("ping", 1);
        only_told.decision.is_measured = false;
        measures.record(&only_told, &Peer::default());
        assert_eq!(told(&measures), json!([]), "its engine was not to measure");
        for millis in [0, 10, 11, 300_000, 300_001] {
            measures.record(&took("ping", millis), &Peer::default());
        }
        let all = told(&measures);
        assert_eq!(
            (&all[0]["name"], &all[0]["unit"]),
            (&json!("mcp.server.operation.duration"), &json!("s"))
        );
        let point = &all[0]["histogram"]["dataPoints"][0];
        assert_eq!(all[0]["histogram"]["aggregationTemporality"], 2);
        assert_eq!(
            point["attributes"],
            json!([{"key": "mcp.method.name", "value": {"stringValue": "ping"}}])
        );
        let counts = point["bucketCounts"].as_array().expect("an array");
        assert_eq!(counts.len(), BOUNDS.len() + 1);
        assert_eq!(
            (&counts[0], &counts[1], &counts[13], &counts[14]),
            (&json!("2"), &json!("1"), &json!("1"), &json!("1"))
        );
        let bounds = point["explicitBounds"].as_array().expect("an array").iter().filter_map(Value::as_f64);
        assert_eq!((&point["count"], bounds.collect::<Vec<_>>()), (&json!("5"), BOUNDS.to_vec()));
        assert_eq!(
            (&point["startTimeUnixNano"], &point["timeUnixNano"]),
            (&json!("1000000000"), &json!("2000000000"))
        );
    }

    #[test]
    fn sessions_have_histograms_of_their_own_without_a_method() {
        let mut measures = Measures::new(Instant::now());
        for side in [Side::Server, Side::Client] {
            let mut session = RequestSpan::session(side, measures.since);
            session.ended = measures.since + Duration::from_secs(61);
            measures.record(&session, &Peer { transport: "pipe", ..Peer::default() });
            let mut ping = took("ping", 1);
            ping.side = side;
            measures.record(&ping, &Peer::default());
        }
        let all = told(&measures);
        let names: Vec<_> = all.as_array().expect("an array").iter().map(|it| it["name"].clone()).collect();
        assert_eq!(
            names,
            [
                "mcp.client.operation.duration",
                "mcp.client.session.duration",
                "mcp.server.operation.duration",
                "mcp.server.session.duration"
            ]
        );
        let point = &all[1]["histogram"]["dataPoints"][0];
        assert_eq!(
            point["attributes"],
            json!([{"key": "network.transport", "value": {"stringValue": "pipe"}}])
        );
        assert_eq!((&point["bucketCounts"][12], &point["sum"]), (&json!("1"), &json!(61)));
    }

    #[test]
    fn the_codes_of_a_peer_make_no_series_of_their_own() {
        let mut measures = Measures::new(Instant::now());
        for code in (-33_000..-31_000).chain([i64::MIN, -1, 0, 42, i64::MAX]) {
            let mut made = took("ping", 1);
            made.failure = Some(Failure::spoken(code, "no"));
            measures.record(&made, &Peer::default());
        }
        let all = told(&measures);
        let points = all[0]["histogram"]["dataPoints"].as_array().expect("an array");
        let of =
            |kind: &str| points.iter().find(|point| point["attributes"][1]["value"]["stringValue"] == kind);
        let known = error_code::ALL.len();
        assert_eq!(points.len(), known + 1);
        assert_eq!(of("-32602").expect("known")["count"], "1");
        let other = of("_OTHER").expect("the rest");
        assert_eq!(other["count"], (2005 - known).to_string());
        assert_eq!(other["attributes"][2]["value"]["stringValue"], "_OTHER", "{other}");
    }

    #[test]
    fn series_have_a_bound() {
        let mut measures = Measures::new(Instant::now());
        for number in 0..SERIES + 5 {
            measures.record(&took(&format!("m{number}"), 1), &Peer::default());
        }
        measures.record(&took("m0", 1), &Peer::default());
        let all = told(&measures);
        let points = all[0]["histogram"]["dataPoints"].as_array().expect("an array");
        assert_eq!(points.len(), SERIES + 1);
        let of = |key: &str| points.iter().find(|point| point["attributes"][0]["key"] == key);
        let overflow = of("otel.metric.overflow").expect("there is one");
        assert_eq!(
            (&overflow["count"], &overflow["attributes"][0]["value"]),
            (&json!("5"), &json!({"boolValue": true}))
        );
    }
}
