//! What there is to know about a server: as JSON, and as text for Prometheus (exposition format 0.0.4).

use super::serving::Serving;
use crate::engine::server::{Counters, Histogram};
use serde_json::{Map, Value, json};
#[cfg(any(test, feature = "http"))]
use std::fmt::Write as _;

/// The counters of the engine, by the names that they have in JSON and, with `mcp_server_` and `_total`, for Prometheus.
fn counted(counters: &Counters) -> [(&'static str, &'static str, u64); 16] {
    [
        ("frames", "messages that arrived", counters.frames),
        ("requests", "requests among them", counters.requests),
        ("handled", "runs of handlers", counters.runs),
        ("results", "requests answered with a result", counters.results),
        ("errors", "requests answered with an error", counters.errors),
        ("held", "requests that waited for a place, because as many as may be were under way", counters.held),
        ("busy", "requests refused because as many as may be were under way", counters.busy),
        ("cancelled", "requests that their clients withdrew", counters.cancelled),
        ("overdue", "requests whose time was over", counters.overdue),
        ("late", "answers that came too late or belong to nothing", counters.late),
        ("violations", "messages that were refused or dropped because they are invalid", counters.violations),
        ("tolerated", "messages that are not written as they should be, and were taken", counters.tolerated),
        ("dropped_logs", "log messages left out because of limits.logs_per_second", counters.dropped_logs),
        (
            "sessions_opened",
            "sessions opened; over HTTP each request of 2026-07-28 is one",
            counters.sessions_opened,
        ),
        ("sessions_ended", "sessions that have ended", counters.sessions_ended),
        ("listens", "streams of subscriptions/listen that were opened", counters.listens),
    ]
}

/// A time in seconds, exact and without an exponent.
fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn histogram_json(histogram: &Histogram) -> Value {
    let bound = |bound: Option<u64>| bound.map_or_else(|| "+Inf".to_owned(), seconds);
    let buckets: Map<String, Value> =
        crate::json::inserted(histogram.cumulative().map(|(most, count)| (bound(most), Value::from(count))));
    let micros = histogram.micros();
    json!({ "count": histogram.count(), "sum_ms": micros / 1000, "buckets": buckets })
}

/// Text in the exposition format.
#[cfg(any(test, feature = "http"))]
#[derive(Default)]
struct Exposition(String);

#[cfg(any(test, feature = "http"))]
impl Exposition {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        // A String takes everything.
        let _ = write!(self.0, "# HELP mcp_server_{name} {help}\n# TYPE mcp_server_{name} {kind}\n");
    }

    fn value(&mut self, name: &str, labels: &str, value: &dyn std::fmt::Display) {
        let _ = writeln!(self.0, "mcp_server_{name}{labels} {value}");
    }

    fn single(&mut self, name: &str, help: &str, kind: &str, value: u64) {
        self.head(name, help, kind);
        self.value(name, "", &value);
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        for (bound, count) in histogram.cumulative() {
            let bound = bound.map_or_else(|| "+Inf".to_owned(), seconds);
            self.value(&format!("{name}_bucket"), &format!("{{le=\"{bound}\"}}"), &count);
        }
        self.value(&format!("{name}_sum"), "", &seconds(histogram.micros()));
        self.value(&format!("{name}_count"), "", &histogram.count());
    }
}

impl Serving {
    /// What there is to know, as JSON text.
    pub(crate) fn describe(&self) -> String {
        let inside = self.inside();
        let (listening, state) = (inside.listening(), inside.state());
        let counters = inside.engine.counters();
        let timing = *inside.engine.timing();
        let [sessions, requests, questions, listens] = inside.engine.open_counts();
        let tasks = inside.engine.task_count();
        drop(inside);
        let counters: Map<String, Value> = crate::json::inserted(
            counted(&counters).into_iter().map(|(name, _, count)| (name.to_owned(), count.into())),
        );
        let info = json!({
            "state": state,
            "sessions": sessions,
            "requests": requests,
            "questions": questions,
            "subscriptions": listens,
            "tasks": tasks,
            "listening": listening,
            "counters": counters,
            "times": {
                "waiting": histogram_json(&timing.waiting),
                "handling": histogram_json(&timing.handling),
            },
            "http": self.describe_http(),
            "store": self.describe_store(),
        });
        info.to_string()
    }

    #[cfg(feature = "http")]
    fn describe_http(&self) -> Value {
        let meters = &self.meters;
        let seen = meters.by_status().filter(|(_, count)| *count > 0);
        let answers: Map<String, Value> = crate::json::inserted(seen.map(|(status, count)| {
            (status.map_or_else(|| "other".to_owned(), |it| it.to_string()), count.into())
        }));
        json!({
            "connections": meters.accepted.get().saturating_sub(meters.ended.get()),
            "accepted": meters.accepted.get(),
            "refused": meters.refused.get(),
            "received_bytes": meters.received.get(),
            "sent_bytes": meters.sent.get(),
            "streams": meters.streams.get(),
            "answers": answers,
        })
    }

    /// Null without a store.
    #[cfg(feature = "store")]
    fn describe_store(&self) -> Value {
        self.store.get().map_or(Value::Null, |store| {
            json!({"ready": store.generation().is_some(), "open": store.open(), "late": store.late()})
        })
    }

    #[cfg(not(feature = "store"))]
    #[expect(clippy::unused_self, reason = "the same function as with a store")]
    fn describe_store(&self) -> Value {
        Value::Null
    }

    #[cfg(not(feature = "http"))]
    #[expect(clippy::unused_self, reason = "the same function as with HTTP")]
    fn describe_http(&self) -> Value {
        Value::Null
    }

    /// The same as text for Prometheus.
    #[cfg(feature = "http")]
    pub(super) fn metrics(&self) -> String {
        let inside = self.inside();
        let is_serving = u64::from(inside.state() == "serving");
        let counters = inside.engine.counters();
        let timing = *inside.engine.timing();
        let [sessions, requests, questions, listens] = inside.engine.open_counts();
        let tasks = inside.engine.task_count();
        drop(inside);
        let mut text = Exposition::default();
        text.single("serving", "1 while the server serves, 0 while it drains", "gauge", is_serving);
        for (name, help, value) in [
            ("open_sessions", "sessions that are open", sessions),
            ("open_requests", "requests that are not answered yet", requests),
            ("open_questions", "questions to clients that are not answered yet", questions),
            ("open_listens", "streams of subscriptions/listen that are open", listens),
            ("kept_tasks", "tasks that are kept", tasks),
        ] {
            text.single(name, help, "gauge", value as u64);
        }
        for (name, help, count) in counted(&counters) {
            text.single(&format!("{name}_total"), help, "counter", count);
        }
        let waiting = "from the arrival of a request until the application took it";
        text.histogram("waiting_seconds", waiting, &timing.waiting);
        let handling = "from then on until the application answered";
        text.histogram("handling_seconds", handling, &timing.handling);
        let meters = &self.meters;
        let open = meters.accepted.get().saturating_sub(meters.ended.get());
        text.single("http_connections", "connections that are open", "gauge", open);
        for (name, help, meter) in [
            ("http_connections_total", "connections that were taken", &meters.accepted),
            ("http_refused_connections_total", "connections over limits.connections", &meters.refused),
            ("http_received_bytes_total", "bytes that came", &meters.received),
            ("http_sent_bytes_total", "bytes that went out", &meters.sent),
            ("http_streams_total", "answers that are streams of events", &meters.streams),
        ] {
            text.single(name, help, "counter", meter.get());
        }
        text.head("http_answers_total", "answers by status", "counter");
        for (status, count) in meters.by_status() {
            let status = status.map_or_else(|| "other".to_owned(), |status| status.to_string());
            text.value("http_answers_total", &format!("{{status=\"{status}\"}}"), &count);
        }
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_no_exponent_and_no_zeros_behind() {
        for (micros, text) in [
            (0, "0"),
            (100, "0.0001"),
            (500, "0.0005"),
            (1_000_000, "1"),
            (60_000_000, "60"),
            (1_234_567, "1.234567"),
        ] {
            assert_eq!(seconds(micros), text);
        }
    }

    #[test]
    fn a_histogram_is_written_with_its_sum_and_all_buckets() {
        let mut text = Exposition::default();
        text.histogram("x_seconds", "what it is", &Histogram::default());
        assert!(
            text.0.starts_with(
                "# HELP mcp_server_x_seconds what it is\n# TYPE mcp_server_x_seconds histogram\n"
            )
        );
        assert!(text.0.contains("mcp_server_x_seconds_bucket{le=\"0.0001\"} 0\n"));
        assert!(text.0.contains("mcp_server_x_seconds_bucket{le=\"+Inf\"} 0\n"));
        assert!(text.0.ends_with("mcp_server_x_seconds_sum 0\nmcp_server_x_seconds_count 0\n"));
    }
}
