//! What is recorded of calls for OpenTelemetry, and what their requests carry.

use super::stage::{Saw, Stage, declaring, legacy, modern, ms};
use crate::engine::telemetry::{Peer, Side, Telemetry, TraceContext, WallClock};
use crate::engine::{CallOptions, RequestAnswer, Retry, Settings};
use serde_json::{Value, json};
use std::time::Duration;

const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn traced(settings: Settings, rate: f64) -> Settings {
    Settings { telemetry: Some(Telemetry { rate, measures: false, seed: 3 }), ..settings }
}

fn meta(text: &str) -> CallOptions {
    CallOptions { meta: text.to_owned(), ..CallOptions::default() }
}

/// The context that a request carries.
fn carried(request: &Value) -> Option<TraceContext> {
    TraceContext::parse(request["params"]["_meta"]["traceparent"].as_str()?)
}

/// The only span that was told, and its attributes by name.
fn told(stage: &mut Stage) -> (Value, Value) {
    assert_eq!(stage.traced.len(), 1, "{:?}", stage.traced);
    let span = stage.traced.remove(0);
    let clock = WallClock { at: span.begun, unix: Duration::from_secs(1) };
    let span: Value = serde_json::from_str(&span.to_json(&Peer::default(), clock)).expect("JSON");
    let all = span["attributes"].as_array().expect("an array").iter();
    let pair = |one: &Value| Some((one["key"].as_str()?.to_owned(), one["value"]["stringValue"].clone()));
    let attributes = Value::Object(all.filter_map(pair).collect());
    (span, attributes)
}

#[test]
fn a_request_carries_the_context_of_the_span_that_is_told_of_it() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(traced(settings, 1.0));
        let params = r#"{"name":"add","arguments":{}}"#;
        let made = stage.try_call("tools/call", Some(params), &CallOptions::default()).expect("accepted");
        let request = stage.sent_one();
        let context = carried(&request).expect("a context");
        assert!(context.is_sampled && stage.traced.is_empty());
        stage.pass(ms(7));
        stage.answer(&request, &json!({"content": [], "resultType": "complete"}));
        stage.result(made);
        let span = stage.traced[0].clone();
        assert_eq!((span.side, span.duration()), (Side::Client, ms(7)));
        assert_eq!(span.decision.context, context);
        let (span, attributes) = told(&mut stage);
        assert_eq!((&span["name"], &span["kind"]), (&json!("tools/call add"), &json!(3)));
        assert_eq!(attributes["jsonrpc.request.id"], request["id"].to_string());
        assert!(attributes["mcp.protocol.version"].is_string() && span["status"] == json!({}));
    }
}

#[test]
fn the_handshake_and_notifications_are_spans() {
    for (settings, names) in
        [(legacy(), &["initialize", "notifications/initialized"][..]), (modern(), &["server/discover"])]
    {
        let stage = Stage::ready(traced(settings, 1.0));
        let methods: Vec<&str> = stage.shaken.iter().map(|span| &*span.method).collect();
        assert_eq!(methods, names);
        assert!(stage.shaken.iter().all(|span| span.side == Side::Client && span.failure.is_none()));
    }
    let mut stage = Stage::ready(traced(legacy(), 1.0));
    stage.engine.notify(stage.now, "notifications/own", None).expect("ready");
    stage.text(format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{{\"uri\":\"u://x\",\"_meta\":{{\"traceparent\":\"{GIVEN}\"}}}}}}"
    ));
    let sent = stage.sent().pop().expect("a notification");
    let [own, updated] = &stage.traced[..] else { panic!("{:?}", stage.traced) };
    assert_eq!(
        (own.side, &*own.method, carried(&sent)),
        (Side::Client, "notifications/own", Some(own.decision.context))
    );
    assert_eq!((updated.side, updated.uri.as_deref()), (Side::Server, Some("u://x")));
    assert_eq!(format!("{:016x}", updated.decision.parent), GIVEN[36..52]);
}

#[test]
fn a_request_of_the_server_is_a_span_of_its_receiver() {
    let settings = declaring(legacy(), &json!({"sampling": {}}));
    let mut stage = Stage::ready(traced(settings.clone(), 1.0));
    let ask = |stage: &mut Stage, id: u64, method: &str, meta: Value| {
        stage.frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"_meta": meta}}));
        stage.pass(ms(0));
        stage.take().into_iter().find_map(|saw| match saw {
            Saw::Asked { key, .. } => Some(key),
            _ => None,
        })
    };
    // The library answers.
    assert!(ask(&mut stage, 7, "ping", json!({"traceparent": GIVEN})).is_none());
    let (span, attributes) = told(&mut stage);
    assert_eq!((&span["name"], &span["kind"]), (&json!("ping"), &json!(2)));
    assert_eq!((&span["traceId"], &span["parentSpanId"]), (&json!(&GIVEN[3..35]), &json!(&GIVEN[36..52])));
    assert_eq!(attributes["jsonrpc.request.id"], "7");
    assert!(attributes["mcp.protocol.version"].is_string());
    for (method, name) in [("elicitation/create", "elicitation/create"), ("made/up", "_OTHER")] {
        assert!(ask(&mut stage, 8, method, json!({})).is_none());
        let (span, attributes) = told(&mut stage);
        assert_eq!((&span["name"], &attributes["error.type"]), (&json!(name), &json!("-32601")));
    }
    // The application does.
    let key = ask(&mut stage, 9, "sampling/createMessage", json!({})).expect("it is asked");
    assert!(stage.traced.is_empty());
    stage.pass(ms(5));
    stage.engine.respond(stage.now, key, RequestAnswer::Result("{}")).expect("it is open");
    stage.pass(ms(0));
    assert_eq!((stage.traced[0].side, stage.traced[0].duration()), (Side::Server, ms(5)));
    assert_eq!(told(&mut stage).0["status"], json!({}));
    let refusal = RequestAnswer::Error { code: -1, message: "no", data: None };
    let key = ask(&mut stage, 10, "sampling/createMessage", json!({})).expect("it is asked");
    stage.engine.respond(stage.now, key, refusal).expect("it is open");
    stage.pass(ms(0));
    assert_eq!(told(&mut stage).1["error.type"], "-1");
    // The application gives no answer.
    let key = ask(&mut stage, 11, "sampling/createMessage", json!({})).expect("it is asked");
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    assert_eq!(told(&mut stage).1["error.type"], "-32603");
    ask(&mut stage, 12, "sampling/createMessage", json!({})).expect("it is asked");
    stage.notified("notifications/cancelled", &json!({"requestId": 12}));
    assert_eq!(told(&mut stage).1["error.type"], "cancelled");
    ask(&mut stage, 13, "sampling/createMessage", json!({})).expect("it is asked");
    stage.lose("it died");
    let lost: Vec<_> = stage.traced.iter().filter(|span| &*span.method == "sampling/createMessage").collect();
    assert_eq!(lost.len(), 1, "{:?}", stage.traced);
    // What its sender does not record is not recorded here.
    let mut stage = Stage::ready(traced(settings, 1.0));
    ask(&mut stage, 1, "ping", json!({"traceparent": GIVEN.replace("-01", "-00")}));
    assert_eq!(stage.traced.len(), 0);
}

#[test]
fn a_session_is_counted_from_the_handshake_to_its_end() {
    type End = fn(&mut Stage);
    let rows: [(End, bool); 2] = [(|stage| stage.lose("the pipe broke"), true), (Stage::close, false)];
    for (end, is_failure) in rows {
        let telemetry = Some(Telemetry { rate: 0.0, measures: true, seed: 3 });
        let mut stage = Stage::ready(Settings { telemetry, ..legacy() });
        stage.pass(ms(700));
        stage.traced.clear();
        end(&mut stage);
        let [session] = &stage.traced[..] else { panic!("{:?}", stage.traced) };
        assert_eq!((session.is_session, session.duration()), (true, ms(700)));
        assert_eq!(session.metric(), "mcp.client.session.duration");
        let series = session.series(&Peer::default());
        assert_eq!(series.contains("error.type"), is_failure, "{series}");
        assert!(series.contains("mcp.protocol.version") && !series.contains("mcp.method.name"), "{series}");
    }
    let mut stage = Stage::ready(Settings {
        telemetry: Some(Telemetry { rate: 1.0, measures: true, seed: 3 }),
        ..modern()
    });
    stage.traced.clear();
    stage.close();
    assert!(stage.traced.is_empty(), "2026-07-28 has no sessions");
}

#[test]
fn what_the_application_says_of_a_trace_stays_and_decides() {
    let unsampled = GIVEN.replace("-01", "-00");
    for (given, is_told) in [(GIVEN, true), (&*unsampled, false)] {
        for rate in [0.0, 1.0] {
            let mut stage = Stage::ready(traced(modern(), rate));
            let made = stage.call_with(
                "ping/x",
                meta(&format!("\"traceparent\":\"{given}\",\"tracestate\":\"a=1\",\"own\":1")),
            );
            let request = stage.sent_one();
            let text = &request["params"]["_meta"];
            assert_eq!(
                (&text["traceparent"], &text["tracestate"], &text["own"]),
                (&json!(given), &json!("a=1"), &json!(1))
            );
            stage.answer(&request, &json!({"resultType": "complete"}));
            stage.result(made);
            assert_eq!(stage.traced.len(), usize::from(is_told), "{given} {rate}");
            if is_told {
                let (span, _) = told(&mut stage);
                assert_eq!(
                    (&span["traceId"], &span["parentSpanId"]),
                    (&json!(&GIVEN[3..35]), &json!(&GIVEN[36..52]))
                );
                assert_eq!(span["traceState"], "a=1");
                assert_ne!(span["spanId"], span["parentSpanId"]);
            }
        }
    }
}

#[test]
fn the_span_of_a_call_goes_out_in_place_of_its_parent_if_it_is_recorded() {
    let parent = format!("\"traceparent\":\"{GIVEN}\",");
    for (parent, is_told) in [(parent.clone(), true), (parent.replace("-01\"", "-00\""), false)] {
        let mut stage = Stage::ready(traced(modern(), 0.0));
        let given = format!("{parent}\"tracestate\":\"a=1\"");
        let options = CallOptions { parent_length: parent.len(), ..meta(&given) };
        let made = stage.call_with("ping/x", options);
        let request = stage.sent_one();
        let text = &request["params"]["_meta"];
        assert_eq!(text["tracestate"], "a=1");
        let context = carried(&request).expect("a context");
        assert_eq!(format!("{:032x}", context.trace), GIVEN[3..35]);
        assert_eq!(context.is_sampled, is_told);
        assert_eq!(format!("{:016x}", context.span) == GIVEN[36..52], !is_told);
        stage.answer(&request, &json!({"resultType": "complete"}));
        stage.result(made);
        assert_eq!(stage.traced.len(), usize::from(is_told));
        if is_told {
            let (span, _) = told(&mut stage);
            assert_eq!((&span["parentSpanId"], &span["traceState"]), (&json!(&GIVEN[36..52]), &json!("a=1")));
            assert_eq!(span["spanId"], format!("{:016x}", context.span));
        }
    }
    // Nothing is recorded: the parent goes out.
    let mut stage = Stage::ready(modern());
    stage.call_with(
        "ping/x",
        CallOptions { parent_length: parent.len() - 1, ..meta(&parent[..parent.len() - 1]) },
    );
    assert_eq!(stage.sent_one()["params"]["_meta"]["traceparent"], GIVEN);
}

#[test]
fn what_is_not_recorded_says_so_to_the_server_and_is_not_told() {
    let mut stage = Stage::ready(traced(legacy(), 0.0));
    let made = stage.call("tools/list");
    let request = stage.sent_one();
    assert!(carried(&request).is_some_and(|context| !context.is_sampled));
    stage.answer(&request, &json!({"tools": []}));
    stage.result(made);
    assert!(stage.traced.is_empty());
}

#[test]
fn off_a_request_is_as_it_was() {
    let mut stage = Stage::ready(legacy());
    stage.call("tools/list");
    assert_eq!(stage.sent_one(), json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    let mut on = Stage::ready(traced(legacy(), 1.0));
    on.call("tools/list");
    assert_eq!(on.sent_one()["params"]["_meta"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn a_call_that_fails_says_why() {
    type End = fn(&mut Stage, &Value);
    let rows: [(End, &str); 5] = [
        (|stage, request| stage.answer(request, &json!({"isError": true, "content": []})), "tool_error"),
        (|stage, request| stage.refuse(request, -32603, &json!(null)), "-32603"),
        (|stage, _| stage.pass(Duration::from_secs(3600)), "timeout"),
        (|stage, _| stage.lose("the pipe broke"), "transport"),
        (|stage, _| stage.close(), "closed"),
    ];
    for (end, kind) in rows {
        let mut stage = Stage::ready(traced(legacy(), 1.0));
        stage.try_call("tools/call", Some(r#"{"name":"t"}"#), &CallOptions::default()).expect("accepted");
        let request = stage.sent_one();
        end(&mut stage, &request);
        let (span, attributes) = told(&mut stage);
        assert_eq!((&attributes["error.type"], &span["status"]["code"]), (&json!(kind), &json!(2)));
        let is_spoken = kind.starts_with('-');
        assert_eq!(attributes.get("rpc.response.status_code").is_some(), is_spoken, "{attributes}");
    }
}

#[test]
fn a_call_that_was_never_sent_is_told_of_once() {
    let mut stage = Stage::new(traced(legacy(), 1.0));
    stage.call("tools/list");
    stage.close();
    let (span, attributes) = told(&mut stage);
    assert_eq!(span["status"]["code"], 2);
    assert!(attributes.get("jsonrpc.request.id").is_none(), "{attributes}");
}

#[test]
fn each_time_that_a_request_goes_out_is_a_span_of_its_own() {
    let settings = Settings { retry: Retry::Safe, ..traced(legacy(), 1.0) };
    let mut stage = Stage::ready(settings);
    let made = stage.call("tools/list");
    let first = stage.sent_one();
    stage.lose("the pipe broke");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let again = stage.sent().pop().expect("it goes out again");
    assert_eq!(again["method"], "tools/list");
    stage.answer(&again, &json!({"tools": []}));
    stage.result(made);
    let [before, after] = &stage.traced[..] else { panic!("{:?}", stage.traced) };
    for (request, span) in [(&first, before), (&again, after)] {
        assert_eq!(carried(request), Some(span.decision.context));
        assert_eq!(span.request.as_deref(), Some(&*request["id"].to_string()));
    }
    assert_eq!(before.decision.context.trace, after.decision.context.trace);
    assert_ne!(before.decision.context.span, after.decision.context.span);
    assert!(before.failure.is_some() && after.failure.is_none());
}

#[test]
fn a_round_of_input_is_a_request_that_succeeded() {
    let settings = declaring(modern(), &json!({"roots": {}}));
    let mut stage =
        Stage::ready(traced(Settings { roots: Some(r#"{"roots":[]}"#.to_owned()), ..settings }, 1.0));
    let made =
        stage.try_call("tools/call", Some(r#"{"name":"t"}"#), &CallOptions::default()).expect("accepted");
    let first = stage.sent_one();
    stage.pass(ms(5));
    stage.answer(
        &first,
        &json!({"resultType": "input_required", "inputRequests": {"r": {"method": "roots/list", "params": {}}}, "requestState": "s"}),
    );
    let again = stage.sent().pop().expect("the answer");
    stage.answer(&again, &json!({"content": [], "resultType": "complete"}));
    stage.result(made);
    let [before, after] = &stage.traced[..] else { panic!("{:?}", stage.traced) };
    assert_eq!((before.failure.clone(), before.duration(), after.failure.clone()), (None, ms(5), None));
    assert_ne!(carried(&first), carried(&again));
}
