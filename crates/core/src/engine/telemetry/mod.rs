//! OpenTelemetry: spans and durations of requests, made of what the engines of both sides know anyway. Instants are given, as everywhere in
//! an engine.
//!
//! The names are those of the conventions for MCP and for generative models (`open-telemetry/semantic-conventions`, `model/mcp`, status Development):
//! the table [`ATTRIBUTES`] and the metrics in `measures`. [`Tracer`] decides whether a request is recorded before anything is built for
//! it: as its parent was, else by the rate.
//!
//! The files:
//!
//! * `context`: `TraceContext`: `traceparent` and `tracestate` of W3C Trace Context
//! * `span`: `RequestSpan`: one request that is over, as a span of OTLP/JSON
//! * `measures`: `Measures`: histograms of durations, as metrics of OTLP/JSON

mod context;
mod measures;
mod span;

use super::Random;
pub use context::{TraceContext, TraceState};
pub use measures::{BOUNDS, Measures};
pub use span::{Failure, Peer, RequestSpan, Side, WallClock};
use std::time::Instant;

/// An attribute of the conventions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Whether it may be on metrics: what has a bounded number of values and names no person.
    pub is_measured: bool,
}

const fn measured(name: &'static str) -> Attribute {
    Attribute { name, is_measured: true }
}

const fn on_spans(name: &'static str) -> Attribute {
    Attribute { name, is_measured: false }
}

/// Every attribute that is written, in its order. `mcp.session.id` is not: over HTTP the name of a session is as good as a credential.
/// Nor are the addresses of clients.
pub const ATTRIBUTES: [Attribute; 14] = [
    measured("mcp.method.name"),
    measured("error.type"),
    measured("rpc.response.status_code"),
    measured("gen_ai.operation.name"),
    measured("gen_ai.tool.name"),
    measured("gen_ai.prompt.name"),
    measured("mcp.protocol.version"),
    measured("network.transport"),
    measured("network.protocol.name"),
    measured("network.protocol.version"),
    measured("server.address"),
    measured("server.port"),
    on_spans("jsonrpc.request.id"),
    on_spans("mcp.resource.uri"),
];

/// What stands for a method or, in metrics, a code that the library does not know: what is received must not make series without bound.
pub const OTHER: &str = "_OTHER";

/// What an engine is to record. Without it nothing is looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Telemetry {
    /// The share of requests without a parent that become spans, 0 to 1.
    pub rate: f64,
    /// Whether the duration of every request is counted.
    pub measures: bool,
    /// Where ids begin.
    pub seed: u64,
}

/// Decides what is recorded, and makes the ids.
#[derive(Debug)]
pub struct Tracer {
    /// A trace without a parent is recorded if the last 56 bits of its id are below.
    below: u64,
    measures: bool,
    random: Random,
}

/// What was decided for one request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The span's own context, which goes to the receiver.
    pub context: TraceContext,
    /// The id of the span that it belongs to; 0 for none.
    pub parent: u64,
    /// Whether anything is to be kept for it: it becomes a span, or is counted.
    pub is_kept: bool,
    /// Whether its duration is counted.
    pub is_measured: bool,
}

impl Decision {
    /// That something is counted, and is no span.
    pub const COUNTED: Decision = Decision {
        context: TraceContext { trace: 0, span: 0, is_sampled: false },
        parent: 0,
        is_kept: true,
        is_measured: true,
    };
}

impl Tracer {
    /// Whether durations are counted.
    pub fn measures(&self) -> bool {
        self.measures
    }

    /// A notification, if anything of it is kept. `parent` is what it carries itself.
    pub fn notification(
        &mut self,
        now: Instant,
        side: Side,
        (method, params): (&str, Option<&str>),
        parent: Option<(TraceContext, TraceState)>,
    ) -> Option<Box<RequestSpan>> {
        let decision = self.decide(parent.as_ref().map(|(context, _)| *context));
        if !decision.is_kept {
            return None;
        }
        let mut span =
            RequestSpan::new(side, RequestSpan::method_name(method, side == Side::Client), decision, now);
        (_, span.uri) = RequestSpan::subject(method, params.unwrap_or("{}"));
        span.state = parent.and_then(|(_, state)| state);
        Some(Box::new(span))
    }

    /// A tracer for an engine.
    pub fn new(telemetry: Telemetry) -> Tracer {
        // 2^56
        const ALL: f64 = 72_057_594_037_927_936.0;
        // NaN is no share: nothing.
        let share = if telemetry.rate > 0.0 { telemetry.rate.min(1.0) } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2^56")]
        let below = (share * ALL) as u64;
        Tracer {
            below,
            measures: telemetry.measures,
            random: Random::new(telemetry.seed ^ 0x6f74_656c_5f69_6473),
        }
    }

    /// A number that is not 0, as ids must be.
    #[inline]
    fn id(&mut self) -> u64 {
        // An even chance of 2^64 is no reason for a loop.
        self.random.draw().max(1)
    }

    /// Decides for a request with this parent: before anything is built for it.
    #[inline]
    pub fn decide(&mut self, parent: Option<TraceContext>) -> Decision {
        let span = self.id();
        let (trace, is_sampled, parent) = match parent {
            Some(parent) => (parent.trace, parent.is_sampled, parent.span),
            None => {
                let low = self.id();
                let trace = u128::from(self.random.draw()) << 64 | u128::from(low);
                (trace, low & (u64::MAX >> 8) < self.below, 0)
            }
        };
        let context = TraceContext { trace, span, is_sampled };
        Decision { context, parent, is_kept: is_sampled || self.measures, is_measured: self.measures }
    }

    /// The same request goes out once more: another span of the same parent.
    pub fn again(&mut self, decision: Decision) -> Decision {
        let context = TraceContext { span: self.id(), ..decision.context };
        Decision { context, ..decision }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracer(rate: f64, measures: bool) -> Tracer {
        Tracer::new(Telemetry { rate, measures, seed: 7 })
    }

    #[test]
    fn what_has_a_parent_is_recorded_as_that_is_and_the_rest_by_the_rate() {
        let parent = |is_sampled| Some(TraceContext { trace: 5, span: 6, is_sampled });
        for (rate, given, recorded) in [
            (0.0, None, false),
            (1.0, None, true),
            (f64::NAN, None, false),
            (-1.0, None, false),
            (7.0, None, true),
            (0.0, parent(true), true),
            (1.0, parent(false), false),
        ] {
            let mut tracer = tracer(rate, false);
            for _ in 0..1000 {
                let decision = tracer.decide(given);
                assert_eq!((decision.context.is_sampled, decision.is_kept), (recorded, recorded), "{rate}");
                assert!(!decision.is_measured);
                assert_eq!(decision.parent, given.map_or(0, |parent| parent.span));
                assert!(decision.context.span != 0 && decision.context.trace != 0);
                assert!(given.is_none_or(|parent| parent.trace == decision.context.trace));
            }
        }
    }

    #[test]
    fn one_in_a_hundred_is_recorded_and_all_are_counted_where_that_is_wanted() {
        let mut tracer = tracer(0.01, true);
        let all: Vec<Decision> = (0..100_000).map(|_| tracer.decide(None)).collect();
        let recorded = all.iter().filter(|one| one.context.is_sampled).count();
        // Ten standard deviations on both sides; the seed is fixed.
        assert!((700..1300).contains(&recorded), "{recorded}");
        assert!(all.iter().all(|one| one.is_kept && one.is_measured));
        let mut ids: Vec<u128> = all.iter().map(|one| one.context.trace).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all.len(), "no id comes twice");
    }

    #[test]
    fn a_request_that_goes_out_again_is_another_span_of_the_same_trace() {
        let mut tracer = tracer(1.0, false);
        let first = tracer.decide(Some(TraceContext { trace: 1, span: 2, is_sampled: true }));
        let second = tracer.again(first);
        assert_ne!(first.context.span, second.context.span);
        assert_eq!((second.context.trace, second.parent, second.is_kept), (1, 2, true));
    }

    /// What the registry of the conventions has (`conventions.txt`, v1.44.0), by its group.
    fn conventions(group: &str) -> Vec<&'static str> {
        let lines = include_str!("conventions.txt").lines();
        let mut found = lines.filter_map(|line| line.split_once(": ")).filter(|(name, _)| *name == group);
        found.next().unwrap_or_else(|| panic!("{group} is missing")).1.split(' ').collect()
    }

    #[test]
    fn every_name_is_one_of_the_conventions() {
        let known: Vec<&str> =
            ["span.mcp.client", "span.mcp.server"].into_iter().flat_map(conventions).collect();
        for attribute in ATTRIBUTES {
            assert!(known.contains(&attribute.name), "{attribute:?}");
        }
        let now = Instant::now();
        for side in [Side::Client, Side::Server] {
            let request = RequestSpan::new(side, "tools/call".into(), Decision::COUNTED, now);
            for mut span in [request, RequestSpan::session(side, now)] {
                (span.target, span.request, span.uri) =
                    (Some("t".into()), Some("7".into()), Some("u://x".into()));
                span.revision = crate::protocol::Revision::parse("2025-11-25");
                span.failure = Some(Failure::spoken(-32602, "no"));
                // Only a client knows the place of its server.
                let is_client = side == Side::Client;
                let peer = Peer {
                    is_http: true,
                    http_version: "1.1",
                    address: is_client.then(|| "h".into()),
                    port: is_client.then_some(1),
                    ..Peer::default()
                };
                let of_metric = conventions(&format!("metric.{}", span.metric()));
                let series: serde_json::Value =
                    serde_json::from_str(&format!("[{}]", span.series(&peer))).expect("JSON");
                let names = series.as_array().expect("an array").iter().filter_map(|one| one["key"].as_str());
                let strange: Vec<&str> = names.filter(|name| !of_metric.contains(name)).collect();
                assert!(strange.is_empty(), "{}: {strange:?}", span.metric());
            }
        }
        for method in conventions("mcp.method.name") {
            assert!(crate::protocol::method::find(method).is_some(), "{method}");
        }
    }
}
