//! What is recorded of the requests of clients for OpenTelemetry.

use super::{Outcome, QUESTION, Stage};
use crate::engine::server::{AskOutcome, Responded, SessionId, Settings, Stream};
use crate::engine::telemetry::{Peer, RequestSpan, Side, Telemetry, TraceContext, WallClock};
use serde_json::{Value, json};
use std::time::Duration;

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A span, and its attributes by name.
fn told(span: &RequestSpan) -> (Value, Value) {
    let clock = WallClock { at: span.begun, unix: Duration::from_secs(1) };
    let span: Value = serde_json::from_str(&span.to_json(&Peer::default(), clock)).expect("JSON");
    let all = span["attributes"].as_array().expect("an array").iter();
    let pair = |one: &Value| Some((one["key"].as_str()?.to_owned(), one["value"]["stringValue"].clone()));
    let attributes = Value::Object(all.filter_map(pair).collect());
    (span, attributes)
}

fn only(stage: &mut Stage) -> RequestSpan {
    assert_eq!(stage.traced.len(), 1, "{:?}", stage.traced);
    stage.traced.remove(0)
}

fn rate(rate: f64) -> Settings {
    Settings { telemetry: Some(Telemetry { rate, measures: false, seed: 1 }), ..super::settings() }
}

fn settings() -> Settings {
    rate(1.0)
}

#[test]
fn a_request_is_told_of_when_its_answer_goes_out() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let initialized = stage.traced.pop().expect("a notification");
    assert_eq!((initialized.side, &*initialized.method), (Side::Server, "notifications/initialized"));
    let (_, attributes) = told(&only(&mut stage));
    assert_eq!(
        (&attributes["mcp.method.name"], &attributes["mcp.protocol.version"]),
        (&json!("initialize"), &json!("2025-11-25"))
    );
    stage.ask_legacy(session, json!("a\"b"), "tools/call", json!({"name": "add", "arguments": {"a": 1}}));
    assert!(stage.traced.is_empty(), "its handler runs");
    let request = stage.run().request;
    let described = stage.server.describe_request(request, stage.now.at).expect("it is under way");
    let (responded, _) = stage.respond(request, Outcome::Text("3"));
    assert_eq!(responded, Responded::Sent);
    let ended = only(&mut stage);
    let described: Value = serde_json::from_str(&described).expect("JSON");
    assert_eq!(
        described["traceparent"],
        ended.decision.context.text(),
        "what its handler does belongs to it"
    );
    let (span, attributes) = told(&ended);
    assert_eq!(
        (ended.side, &span["name"], &span["kind"]),
        (Side::Server, &json!("tools/call add"), &json!(2))
    );
    assert_eq!(
        attributes,
        json!({"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add",
            "mcp.protocol.version": "2025-11-25", "jsonrpc.request.id": "a\"b"})
    );
    assert_eq!(span["status"], json!({}));
}

#[test]
fn a_request_of_a_session_over_http_says_so() {
    for is_http in [false, true] {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(is_http).expect("a session");
        stage.ask_modern(session, json!(1), "tools/list", json!({}));
        assert_eq!(only(&mut stage).is_http, is_http);
    }
}

#[test]
fn what_a_client_is_asked_belongs_to_the_request_for_which_it_is_asked() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({"elicitation": {}, "roots": {}}));
    stage.traced.clear();
    let question = |stage: &mut Stage| {
        stage.ask_legacy(session, json!(1), "tools/call", json!({"name": "add", "arguments": {"a": 1}}));
        let request = stage.run().request;
        let asked = stage.server.ask(request, "k", "elicitation/create", QUESTION);
        assert_eq!(asked, AskOutcome::Pending);
        stage.server.returned(stage.now, request);
        stage.sent().remove(0)
    };
    let first = question(&mut stage);
    assert!(stage.traced.is_empty(), "it is not answered");
    stage.ask(session, &json!({"jsonrpc": "2.0", "id": first["id"], "result": {"action": "decline"}}));
    let asked = only(&mut stage);
    assert_eq!(first["params"]["_meta"]["traceparent"], asked.decision.context.text());
    let (span, attributes) = told(&asked);
    assert_eq!((&span["name"], &span["kind"]), (&json!("elicitation/create"), &json!(3)));
    assert_eq!(
        (&attributes["jsonrpc.request.id"], &attributes["mcp.protocol.version"]),
        (&json!(first["id"].to_string()), &json!("2025-11-25"))
    );
    let request = stage.run().request;
    let (responded, _) = stage.respond(request, Outcome::Text("3"));
    assert_eq!(responded, Responded::Sent);
    let outer = only(&mut stage).decision.context;
    assert_eq!((asked.decision.context.trace, asked.decision.parent), (outer.trace, outer.span));
    // What the application asks carries its context as it is, and a refusal is a failure.
    let given = json!({"_meta": {"traceparent": PARENT}}).to_string();
    let id = stage.server.call(stage.now, session, "roots/list", &given, 1, None).expect("it is open");
    assert_eq!(stage.sent()[0]["params"]["_meta"]["traceparent"], PARENT);
    let error = json!({"code": -32000, "message": "no"});
    stage.ask(session, &json!({"jsonrpc": "2.0", "id": id, "error": error}));
    let (span, attributes) = told(&only(&mut stage));
    assert_eq!((&span["parentSpanId"], &span["traceId"]), (&json!(&PARENT[36..52]), &json!(&PARENT[3..35])));
    assert_eq!((&attributes["error.type"], &span["status"]["message"]), (&json!("-32000"), &json!("no")));
    // Each ends, also without an answer.
    question(&mut stage);
    stage.server.call(stage.now, session, "ping", "{}", 2, None).expect("it is open");
    stage.server.close(session);
    stage.sent();
    let mut ended: Vec<_> = stage.traced.iter().map(|span| (span.side, &*span.method)).collect();
    ended.sort_unstable();
    let client = |method| (Side::Client, method);
    assert_eq!(ended, [(Side::Server, "tools/call"), client("elicitation/create"), client("ping")]);
    assert!(stage.traced.iter().all(|span| span.failure.is_some()));
    assert_eq!(stage.server.open_spans(), 0);
}

#[test]
fn of_a_request_that_is_not_recorded_no_question_is_and_its_client_does_not_draw_again() {
    for (settings, carried) in [(rate(0.0), Some("-00")), (super::settings(), None)] {
        let mut stage = Stage::new(settings);
        let session = stage.legacy("2025-11-25", &json!({"elicitation": {}}));
        stage.ask_legacy(session, json!(1), "tools/call", json!({"name": "add", "arguments": {"a": 1}}));
        let request = stage.run().request;
        stage.server.ask(request, "k", "elicitation/create", QUESTION);
        stage.server.returned(stage.now, request);
        let context =
            stage.sent()[0]["params"]["_meta"]["traceparent"].as_str().map(|text| text[52..].to_owned());
        assert_eq!((context.as_deref(), stage.server.open_spans()), (carried, 0));
    }
}

#[test]
fn a_session_is_counted_from_its_handshake_to_its_end() {
    let telemetry = Some(Telemetry { rate: 0.0, measures: true, seed: 1 });
    let mut stage = Stage::new(Settings { telemetry, ..super::settings() });
    let session = stage.legacy("2025-11-25", &json!({}));
    let silent = stage.server.open(false).expect("a session");
    stage.traced.clear();
    for ended in [session, silent] {
        stage.server.close(ended);
    }
    stage.sent();
    let counted: Vec<&RequestSpan> = stage.traced.iter().filter(|span| span.is_session).collect();
    let [counted] = counted[..] else { panic!("{:?}", stage.traced) };
    assert_eq!(counted.metric(), "mcp.server.session.duration");
    assert!(counted.series(&Peer::default()).contains("2025-11-25"));
}

#[test]
fn the_parent_is_what_the_metadata_says_and_a_header_is_a_link() {
    let header = TraceContext { trace: 9, span: 8, is_sampled: true };
    let of_parent = Some("00f067aa0ba902b7");
    for (given, link, parent, linked) in [
        (Some(PARENT), None, of_parent, None),
        (Some(PARENT), Some(header), of_parent, Some(header)),
        (None, Some(header), None, Some(header)),
        (Some("00-no-parent-01"), None, None, None),
        // The same context in both places is no link.
        (Some(PARENT), TraceContext::parse(PARENT), of_parent, None),
    ] {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(false).expect("a session");
        let mut params = Stage::modern(json!({}), &json!({}));
        params["_meta"]["traceparent"] = json!(given);
        let frame = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
        stage.server.arrives_with(link);
        stage.ask(session, &frame);
        let (span, _) = told(&only(&mut stage));
        assert_eq!(span.get("parentSpanId").and_then(Value::as_str), parent);
        assert_eq!(span["traceId"] == PARENT[3..35], parent.is_some());
        let own = linked.map(|link| json!([{"traceId": format!("{:032x}", link.trace), "spanId": format!("{:016x}", link.span)}]));
        assert_eq!(span.get("links"), own.as_ref());
        // It was said of that message only.
        params["_meta"]["traceparent"] = json!(null);
        stage.ask(session, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": params}));
        assert_eq!(only(&mut stage).link, None);
    }
}

#[test]
fn the_parent_decides_before_the_rate() {
    for (by_rate, given, is_told) in [
        (0.0, Some(PARENT.to_owned()), true),
        (1.0, Some(PARENT.replace("-01", "-00")), false),
        (0.0, None, false),
        (1.0, None, true),
        (0.0, Some(PARENT.to_uppercase()), false),
    ] {
        let mut stage = Stage::new(rate(by_rate));
        let session = stage.server.open(false).expect("a session");
        let mut params = Stage::modern(json!({}), &json!({}));
        params["_meta"]["traceparent"] = json!(given);
        let sent =
            stage.ask(session, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}));
        assert!(sent[0]["result"].is_object(), "the request goes on in any case");
        assert_eq!(stage.traced.len(), usize::from(is_told), "{by_rate} {given:?}");
    }
}

#[test]
fn names_that_clients_make_up_are_in_no_span() {
    let long = "x".repeat(100_000);
    for (method, params, name, kind) in [
        ("tools/call", json!({"name": "no tool"}), "tools/call", Some("-32602")),
        ("tools/call", json!({"name": long}), "tools/call", Some("-32602")),
        ("prompts/get", json!({"name": "no prompt"}), "prompts/get", Some("-32602")),
        ("prompts/get", json!({"name": "p", "arguments": {}}), "prompts/get p", Some("-32602")),
        ("made/up", json!({}), "_OTHER", Some("-32601")),
        ("resources/read", json!({"uri": "x://fixed"}), "resources/read", None),
    ] {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(false).expect("a session");
        stage.ask_modern(session, json!(1), method, params);
        let ended = only(&mut stage);
        let (span, attributes) = told(&ended);
        assert_eq!((span["name"].as_str(), attributes["error.type"].as_str()), (Some(name), kind));
        assert!(!ended.series(&Peer::default()).contains("xxx"));
    }
}

#[test]
fn however_a_request_ends_it_is_told_of_once() {
    let call = json!({"name": "add", "arguments": {"a": 1}});
    type End = fn(&mut Stage, Stream);
    let rows: [(End, &str); 6] = [
        (|stage, _| drop(stage.respond_to_run(Outcome::Failure("no"))), "tool_error"),
        (|stage, _| drop(stage.respond_to_run(Outcome::Error { code: 42, message: "no", data: None })), "42"),
        (|stage, _| drop(stage.advance(Duration::from_secs(3600))), "-32603"),
        (|stage, to| stage.server.close(to.session), "cancelled"),
        (|stage, _| stage.server.refuse_all(stage.now, "the server closes"), "-32603"),
        (
            |stage, to| {
                stage.ask(to.session, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
            },
            "cancelled",
        ),
    ];
    for (end, kind) in rows {
        for is_modern in [false, true] {
            let mut stage = Stage::new(settings());
            let session = match is_modern {
                true => stage.server.open(false).expect("a session"),
                false => stage.legacy("2025-11-25", &json!({})),
            };
            stage.traced.clear();
            match is_modern {
                true => stage.ask_modern(session, json!(1), "tools/call", call.clone()),
                false => stage.ask_legacy(session, json!(1), "tools/call", call.clone()),
            };
            end(&mut stage, Stream { session, number: 0 });
            stage.sent();
            let (span, attributes) = told(&only(&mut stage));
            assert_eq!(
                (&attributes["error.type"], &span["status"]["code"]),
                (&json!(kind), &json!(2)),
                "{is_modern}"
            );
            assert_eq!(stage.server.open_spans(), 0);
        }
    }
}

/// A session with one request that runs, `1`, and one that waits in the queue, `2`, whose headers name `link`; each on a stream of its own.
fn queued(link: Option<TraceContext>) -> (Stage, SessionId) {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (1, 1);
    let mut stage = Stage::new(settings);
    let session = stage.server.open(true).expect("a session");
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    stage.ask_legacy(session, json!(0), "initialize", hello);
    stage.traced.clear();
    stage.calls(session, 1);
    stage.server.arrives_with(link);
    stage.calls(session, 2);
    assert_eq!((stage.runs.len(), stage.traced.len(), stage.server.open_spans()), (1, 0, 2));
    (stage, session)
}

#[test]
fn the_time_in_the_queue_counts_and_the_header_stays_with_its_request() {
    let header = TraceContext { trace: 9, span: 8, is_sampled: true };
    let (mut stage, session) = queued(Some(header));
    let arrived = stage.now.at;
    // Another client names a context of its own, and is gone by now.
    let other = session_beside(&mut stage);
    stage.server.close(other);
    stage.server.arrives_with(Some(TraceContext { trace: 7, ..header }));
    stage.advance(Duration::from_secs(3));
    stage.respond_to_run(Outcome::Text("1"));
    assert_eq!(only(&mut stage).link, None);
    assert_eq!(stage.server.open_spans(), 1);
    stage.respond_to_run(Outcome::Text("2"));
    let second = only(&mut stage);
    assert_eq!((second.request.as_deref(), second.begun, second.link), (Some("2"), arrived, Some(header)));
    assert!(second.failure.is_none() && stage.server.pending(session) == 0);
}

#[test]
fn a_request_is_told_of_however_it_leaves_the_queue() {
    type End = fn(&mut Stage, SessionId);
    let rows: [(End, &str, &str); 4] = [
        (|stage, session| stage.calls(session, 3), "3", "-32010"),
        (|stage, _| drop(stage.advance(Duration::from_secs(3600))), "2", "-32010"),
        (|stage, session| stage.server.close(session), "2", "cancelled"),
        (
            |stage, session| {
                let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
                let from = Stream { session, number: 9 };
                stage.server.frame(stage.now, from, cancel.to_string().as_bytes());
            },
            "2",
            "cancelled",
        ),
    ];
    for (end, id, kind) in rows {
        let (mut stage, session) = queued(None);
        end(&mut stage, session);
        stage.sent();
        let of_it = stage.traced.iter().find(|one| one.request.as_deref() == Some(id));
        let (_, attributes) = told(of_it.unwrap_or_else(|| panic!("{id}: {:?}", stage.traced)));
        assert_eq!(attributes["error.type"], kind, "{id}");
    }
}

#[test]
fn a_header_of_a_message_that_is_not_taken_is_of_no_other() {
    let header = TraceContext { trace: 9, span: 8, is_sampled: true };
    let mut stage = Stage::new(settings());
    let gone = session_beside(&mut stage);
    stage.server.close(gone);
    let session = session_beside(&mut stage);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": Stage::modern(json!({}), &json!({}))});
    stage.server.arrives_with(Some(header));
    stage.server.frame(stage.now, Stream { session: gone, number: 0 }, list.to_string().as_bytes());
    stage.ask(session, &list);
    assert_eq!(only(&mut stage).link, None);
}

#[test]
fn a_request_beyond_those_that_may_be_recorded_is_served_and_counted() {
    let mut stage = Stage::new(settings());
    let session = session_beside(&mut stage);
    for (most, untraced) in [(0, 1), (1, 1)] {
        stage.server.bound_spans(most);
        let sent = stage.ask_modern(session, json!(1), "tools/list", json!({}));
        assert!(sent[0]["result"].is_object());
        assert_eq!((stage.traced.len(), stage.untraced), (most, untraced));
    }
}

fn session_beside(stage: &mut Stage) -> SessionId {
    stage.server.open(false).expect("a session")
}

impl Stage {
    /// Calls a tool on a stream that has the number of the request.
    fn calls(&mut self, session: SessionId, id: u64) {
        let params = json!({"name": "add", "arguments": {"a": 1}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string();
        self.server.frame(self.now, Stream { session, number: id }, call.as_bytes());
        let _refusals = self.sent();
    }

    fn respond_to_run(&mut self, outcome: Outcome<'_>) -> Vec<Value> {
        let request = self.run().request;
        self.respond(request, outcome).1
    }
}

#[test]
fn without_telemetry_nothing_is_told() {
    let mut stage = Stage::new(Settings { telemetry: None, ..settings() });
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    assert!(stage.traced.is_empty() && stage.server.open_spans() == 0);
}

#[test]
fn a_subscription_is_told_of_when_it_ends() {
    type End = fn(&mut Stage, Stream);
    let rows: [(End, Value); 4] = [
        (|stage, to| stage.server.stream_closed(to), Value::Null),
        (
            |stage, to| {
                stage.ask(
                    to.session,
                    &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
                );
            },
            Value::Null,
        ),
        (|stage, _| stage.server.end_listens(), Value::Null),
        (|stage, to| stage.server.close(to.session), json!("cancelled")),
    ];
    for (end, kind) in rows {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(false).expect("a session");
        stage.ask_modern(
            session,
            json!(1),
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        );
        assert_eq!((stage.traced.len(), stage.server.open_spans()), (0, 1));
        end(&mut stage, Stream { session, number: 0 });
        stage.sent();
        let (_, attributes) = told(&only(&mut stage));
        assert_eq!(
            (&attributes["mcp.method.name"], &attributes["error.type"]),
            (&json!("subscriptions/listen"), &kind)
        );
    }
}
