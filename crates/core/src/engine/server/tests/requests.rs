//! Requests: ids, answers, what is counted, and the queue of those for which there is no room yet.

#[cfg(feature = "http")]
use super::access::principal;
use super::{QUESTION, Stage, code, settings};
use crate::engine::Status;
#[cfg(feature = "http")]
use crate::engine::server::{Admission, AdmissionError, ScopesByName, SingleRequest};
use crate::engine::server::{
    AskOutcome, ClientCallOutcome, Effect, Histogram, Outcome, Principal, Responded, SessionId, Stream,
};
#[cfg(feature = "http")]
use crate::engine::telemetry::{Telemetry, TraceContext};
#[cfg(feature = "http")]
use crate::protocol::envelope;
use crate::shares::Holder;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn an_id_comes_back_in_its_type() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for id in [json!(1), json!("1"), json!(0), json!(""), json!(-5), json!(9_007_199_254_740_992_u64)] {
        assert_eq!(stage.ask_legacy(session, id.clone(), "ping", json!({}))[0]["id"], id);
    }
    for id in ["null", "1.5", "true", "{}", "[1]"] {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let answer = stage.raw(session, &frame);
        assert_eq!(code(&answer), -32600, "{id}");
        assert_eq!(answer[0].get("id"), None, "{id}");
    }
}

#[test]
fn what_is_no_message_gets_an_error_without_an_id_and_notifications_get_none() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for (frame, wanted) in [
        ("garbage", -32700),
        (r#"{"jsonrpc":"2.0","id":1,"method":"#, -32700),
        ("7", -32600),
        ("\"hello\"", -32600),
        ("\"hello", -32700),
        ("7 8", -32700),
        ("-", -32700),
        ("[1", -32700),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
    ] {
        assert_eq!(code(&stage.raw(session, frame)), wanted, "{frame}");
    }
    for frame in [
        r#"{"jsonrpc":"2.0","method":"nonsense"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":77,"error":{"code":"x"}}"#,
    ] {
        assert_eq!(stage.raw(session, frame), Vec::<Value>::new(), "{frame}");
    }
}

#[test]
fn the_first_answer_counts() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "name": "add", "arguments": { "a": 1 } });
    assert!(stage.ask_legacy(session, json!(5), "tools/call", params).is_empty());
    let run = stage.run();
    assert_eq!((run.handler, run.round), ("add", 0));
    let (responded, frames) = stage.respond(run.request, Outcome::Result(r#"{"content":[]}"#));
    assert_eq!(responded, Responded::Sent);
    assert_eq!(frames, [json!({ "jsonrpc": "2.0", "id": 5, "result": { "content": [] } })]);
    let (late, frames) = stage.respond(run.request, Outcome::Result("{}"));
    assert_eq!((late, frames.len()), (Responded::Late, 0));
}

#[test]
fn two_requests_with_one_id_do_not_end_each_other() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "name": "add", "arguments": { "a": 1 } });
    stage.ask_legacy(session, json!(5), "tools/call", params.clone());
    let second = stage.ask_legacy(session, json!(5), "tools/call", params.clone());
    assert_eq!(code(&second), -32600);
    assert_eq!(second[0].get("id"), None);
    assert_eq!(stage.runs.len(), 1);
    // A number and a string are two ids.
    assert!(stage.ask_legacy(session, json!("5"), "tools/call", params).is_empty());
    assert_eq!(stage.runs.len(), 2);
}

#[test]
fn a_cancelled_request_gets_no_answer() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let other = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(5), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } });
    stage.ask(other, &cancel);
    assert!(stage.withdrawn.is_empty(), "another session may not cancel it");
    stage.ask(session, &cancel);
    assert_eq!(stage.withdrawn, [run.request]);
    assert_eq!(stage.respond(run.request, Outcome::Result("{}")), (Responded::Late, Vec::new()));
    // A cancellation that crosses the answer is normal.
    assert!(stage.ask(session, &cancel).is_empty());
}

#[test]
fn a_request_that_takes_too_long_gets_an_error_and_its_handler_is_told() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(5), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    assert!(stage.advance(Duration::from_secs(299)).is_empty());
    let frames = stage.advance(Duration::from_secs(1));
    assert_eq!((code(&frames), &frames[0]["id"]), (-32603, &json!(5)));
    assert_eq!(stage.withdrawn, [run.request]);
    assert_eq!(stage.server.deadline(), None);
}

#[test]
fn the_end_of_a_session_leaves_nothing() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    stage.ask_legacy(session, json!(5), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    stage.ask_modern(session, json!(6), "subscriptions/listen", json!({ "notifications": {} }));
    let run = stage.run();
    stage.server.ask(run.request, "k", "roots/list", "{}");
    stage.server.returned(stage.now, run.request);
    assert_eq!(stage.server.open_counts(), [1, 1, 1, 1]);
    stage.server.close(session);
    let frames = stage.sent();
    assert!(frames.iter().all(|frame| frame["method"] == "roots/list"), "nothing after the end: {frames:?}");
    assert_eq!(stage.server.open_counts(), [0, 0, 0, 0]);
    assert_eq!(stage.withdrawn, [run.request]);
    assert_eq!(stage.server.deadline(), None);
}

#[test]
#[cfg(feature = "http")]
fn one_request_sessions_take_no_place_of_others() {
    let mut settings = settings();
    (settings.limits.sessions, settings.limits.requests, settings.limits.listens) = (1, 200, 56);
    let mut stage = Stage::new(settings);
    let mut open = |last: u8| stage.server.sessions.open_for_request(Holder::at([192, 0, 2, last].into()));
    let of_one: Vec<_> = std::iter::from_fn(|| open(1)).collect();
    assert_eq!(of_one.len(), 128, "half of requests and subscriptions together");
    let of_another: Vec<_> = std::iter::from_fn(|| open(2)).collect();
    assert_eq!((of_another.len(), open(1)), (64, None), "half of what the others leave");
    assert_eq!(std::iter::from_fn(|| open(3)).count(), 64, "what each may have in any case");
    assert_eq!(open(4), None);
    let session = stage.server.open(true).expect("requests take no place of a session");
    assert_eq!(stage.server.open(true), None);
    assert_eq!(stage.server.open_counts()[0], 1);
    stage.server.close(session);
    let mut open = |last: u8| stage.server.sessions.open_for_request(Holder::at([192, 0, 2, last].into()));
    assert_eq!(open(6), None, "a session gives no place of a request back");
    stage.server.close(of_another[0]);
    let mut open = |last: u8| stage.server.sessions.open_for_request(Holder::at([192, 0, 2, last].into()));
    assert_eq!(open(1), None, "what is free is not for the one that has most");
    assert!(open(6).is_some());
}

#[test]
#[cfg(feature = "http")]
fn a_request_that_comes_by_itself_is_admitted_answered_or_refused() {
    let mut settings = settings();
    settings.access.tools = ScopesByName::from([("typed".to_owned(), vec!["write".to_owned()])]);
    settings.telemetry = Some(Telemetry { rate: 1.0, measures: false, seed: 1 });
    let mut stage = Stage::new(settings);
    let call = |name: &str| json!({ "name": name, "arguments": { "a": 1 } });
    // The method and its parameters, whether the answer may be all, whether headers agree, and what becomes of it.
    let rows = [
        ("tools/list", json!({}), true, true, "answered None"),
        ("tools/list", json!({}), false, true, "admitted 1"),
        ("tools/call", call("add"), true, true, "admitted 0"),
        ("tools/call", call("add"), true, false, "refused Headers(\"they differ\")"),
        ("tools/call", call("typed"), true, true, "refused Scopes"),
        ("tools/call", call("none"), true, true, "answered Some(-32602)"),
        ("no/method", json!({}), true, true, "answered Some(-32601)"),
    ];
    for (method, params, takes_answer, agrees, expected) in rows {
        let params = Stage::modern(params, &json!({}));
        let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let compare = |text: &[u8], _: &[_]| {
            assert_eq!(text, frame.as_bytes());
            if agrees { Ok(()) } else { Err("they differ") }
        };
        let request = SingleRequest {
            holder: Holder::Unknown,
            principal: principal("ann", &[]),
            frame: frame.clone().into_bytes(),
            scanned: envelope::parse(frame.as_bytes(), 64).expect("a request"),
            tool: (method == "tools/call").then(|| ("add".to_owned(), compare)),
            takes_answer,
        };
        let mut seen = None;
        stage.server.arrives_with(Some(TraceContext { trace: 1, span: 2, is_sampled: true }));
        let admission = stage.server.admit(stage.now, request, |session, text| {
            assert_eq!(text, frame.as_bytes());
            seen = Some(session);
        });
        let what = match admission {
            Admission::Answered { session, frame, code } => {
                assert_eq!(seen, Some(session));
                assert!(stage.sent().is_empty(), "{method}: its answer is sent once");
                assert!(serde_json::from_slice::<Value>(&frame).is_ok_and(|frame| frame["id"] == 1));
                format!("answered {code:?}")
            }
            Admission::Admitted(stream) => {
                assert_eq!(seen, Some(stream.session));
                let sent = stage.sent().len();
                stage.server.close(stream.session);
                format!("admitted {sent}")
            }
            Admission::Refused(AdmissionError::Scopes(lacks)) => {
                assert_eq!(lacks.scopes(), ["write"]);
                "refused Scopes".to_owned()
            }
            Admission::Refused(why) => format!("refused {why:?}"),
        };
        assert_eq!(what, expected, "{method}");
        assert!(!stage.server.has_link(), "{method}: its header is of no other request");
        assert_eq!(seen.is_some(), agrees, "{method}");
        stage.sent();
        let is_left = seen.is_some_and(|session| stage.server.sessions.is_open(session));
        assert!(!is_left && stage.server.open_counts() == [0; 4], "{method}");
    }
}

#[test]
fn leaving_the_stream_cancels_in_the_modern_era_only() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let call = json!({ "name": "add", "arguments": { "a": 1 } });
    stage.ask_legacy(session, json!(1), "tools/call", call.clone());
    stage.ask_modern(session, json!(2), "tools/call", call);
    let modern = stage.runs[1].request;
    stage.server.stream_closed(Stream { session, number: 0 });
    stage.sent();
    assert_eq!(stage.withdrawn, [modern]);
}

#[test]
fn requests_under_way_are_bounded() {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (2, 1);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    for id in 0..4 {
        let frames = stage.ask_legacy(
            session,
            json!(id),
            "tools/call",
            json!({ "name": "add", "arguments": { "a": 1 } }),
        );
        assert_eq!(frames.len(), usize::from(id == 3), "one waits for its place");
        if let [refused] = &frames[..] {
            assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!(-32010)));
            let data = json!({ "retryable": true, "limit": "limits.session_waiting" });
            assert_eq!(refused["error"]["data"], data);
        }
    }
    assert_eq!((stage.runs.len(), stage.server.pending(session)), (2, 3));
    assert!(stage.ask_legacy(session, json!(9), "ping", json!({}))[0]["result"].is_object());
}

#[test]
fn a_result_that_breaks_its_promise_is_an_internal_error() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for (id, result, good) in [
        (1, r#"{"content":[],"structuredContent":{"n":1}}"#, true),
        (2, r#"{"content":[],"structuredContent":{"m":1}}"#, false),
        (3, r#"{"content":[]}"#, false),
        (4, r#"{"content":[],"isError":true}"#, true),
        (5, r#"{"structuredContent":{"n":1}}"#, false),
        (6, "[]", false),
        (7, "{", false),
    ] {
        stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "typed" }));
        let run = stage.run();
        let (responded, frames) = stage.respond(run.request, Outcome::Result(result));
        assert_eq!(matches!(responded, Responded::Sent), good, "{result}");
        if !good {
            assert_eq!(code(&frames), -32603);
            assert_eq!(frames[0]["error"]["message"], "internal error", "details are for the log");
        }
    }
}

#[test]
fn a_failure_of_a_tool_is_for_the_model_and_of_others_for_the_log() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "typed" }));
    let run = stage.run();
    let (_, frames) = stage.respond(run.request, Outcome::Failure("no disk"));
    assert_eq!(frames[0]["result"]["isError"], true);
    assert_eq!(frames[0]["result"]["content"][0]["text"], "no disk");
    stage.ask_legacy(session, json!(2), "resources/read", json!({ "uri": "x://handled" }));
    let run = stage.run();
    let (_, frames) = stage.respond(run.request, Outcome::Failure("/home/me/secret"));
    assert_eq!(code(&frames), -32603);
    assert!(!frames[0].to_string().contains("secret"));
}

#[test]
fn reserved_error_codes_are_not_sent_in_the_modern_era() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for (sent, modern, legacy) in [
        (-32002, -32602, -32002),
        (-32001, -32603, -32001),
        (-32042, -32603, -32603),
        (-32021, -32021, -32021),
        (7, 7, 7),
    ] {
        for (is_modern, wanted) in [(true, modern), (false, legacy)] {
            let params = json!({ "uri": "x://handled" });
            if is_modern {
                stage.ask_modern(session, json!(1), "resources/read", params);
            } else {
                stage.ask_legacy(session, json!(1), "resources/read", params);
            }
            let run = stage.run();
            let outcome = Outcome::Error { code: sent, message: "m", data: None };
            let (_, frames) = stage.respond(run.request, outcome);
            assert_eq!(code(&frames), wanted, "{sent} {is_modern}");
        }
    }
}

#[test]
fn a_stream_has_ids_of_its_own_where_a_session_has_many_streams() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(true).expect("a session");
    let params = Stage::modern(json!({ "name": "add", "arguments": { "a": 1 } }), &json!({}));
    let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params }).to_string();
    for number in [1, 2] {
        stage.server.frame(stage.now, Stream { session, number }, call.as_bytes());
    }
    assert!(stage.sent().is_empty());
    assert_eq!(stage.runs.len(), 2);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } });
    stage.ask(session, &cancel);
    assert!(stage.withdrawn.is_empty(), "it names neither of the two");
}

#[test]
fn unknown_members_do_no_harm_and_of_two_with_one_name_the_last_counts() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let frame = r#"{"later":[],"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"later":{},"name":"typed","name":"add","arguments":{"a":1},"_meta":{"traceparent":"00-1-2-01"}}}"#;
    assert!(stage.raw(session, frame).is_empty());
    let run = stage.run();
    assert_eq!(run.handler, "add");
    assert!(run.params.contains(r#""_meta":{"traceparent":"00-1-2-01"}"#), "{}", &*run.params);
    let twice = r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}"#;
    assert_eq!(code(&stage.raw(session, twice)), -32600);
}

#[test]
fn a_result_goes_out_as_it_was_written() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let parts = r#""structuredContent":{"empty":{},"big":12345678901234567890123,"n":1.10}"#;
    let result = format!(r#"{{"content":[],{parts},"_meta":{{"own":{{}}}}}}"#);
    for is_modern in [false, true] {
        let params = json!({ "name": "add", "arguments": { "a": 1 } });
        match is_modern {
            false => stage.ask_legacy(session, json!(1), "tools/call", params),
            true => stage.ask_modern(session, json!(1), "tools/call", params),
        };
        let request = stage.run().request;
        let _sent = stage.server.respond(stage.now, request, Outcome::Result(&result));
        let Some(Effect::Send { frame, .. }) = stage.server.effect() else { panic!("an answer") };
        let text = String::from_utf8(frame).expect("UTF-8");
        assert!(text.contains(parts), "{text}");
        let sent: Value = serde_json::from_str(&text).expect("JSON");
        let meta = &sent["result"]["_meta"];
        assert_eq!(meta["own"], json!({}));
        assert_eq!(meta.get("io.modelcontextprotocol/serverInfo").is_some(), is_modern);
    }
}

/// What became of calls: number, tag, outcome.
fn called(stage: &mut Stage) -> Vec<(u64, u64, ClientCallOutcome)> {
    let mut outcomes = Vec::new();
    while let Some(effect) = stage.server.effect() {
        if let Effect::Called { call, tag, outcome, .. } = effect {
            outcomes.push((call, tag, outcome));
        }
    }
    outcomes
}

fn answer(stage: &mut Stage, session: SessionId, message: &serde_json::Value) {
    let stream = crate::engine::server::Stream { session, number: 0 };
    stage.server.frame(stage.now, stream, message.to_string().as_bytes());
}

#[test]
fn a_call_has_one_outcome_whatever_the_client_does() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    let other = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    let now = stage.now;
    let call = |stage: &mut Stage, tag| {
        let id = stage.server.call(now, session, "roots/list", "{\n}", tag, Some(Duration::from_secs(9)));
        let id = id.expect("a call");
        let frames = stage.sent();
        assert_eq!(frames, [json!({ "jsonrpc": "2.0", "id": id, "method": "roots/list", "params": {} })]);
        id
    };
    let first = call(&mut stage, 1);
    let roots = json!({ "roots": [] });
    // Another session's answer does not count, and a second one is too late.
    answer(&mut stage, other, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    assert_eq!(called(&mut stage), []);
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    assert_eq!(called(&mut stage), [(first, 1, ClientCallOutcome::Result(roots.to_string().into()))]);
    let second = call(&mut stage, 2);
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": second, "result": { "roots": 3 } }));
    assert_eq!(called(&mut stage), [(second, 2, ClientCallOutcome::Malformed)]);
    let third = call(&mut stage, 3);
    let error = json!({ "code": -1, "message": "no" });
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": third, "error": error }));
    let outcomes = called(&mut stage);
    assert!(
        matches!(&outcomes[..], [(_, 3, ClientCallOutcome::Error(text))] if text.contains("\"no\"")),
        "{outcomes:?}"
    );
    let fourth = call(&mut stage, 4);
    stage.now.at += Duration::from_secs(10);
    stage.server.tick(stage.now);
    let effects: Vec<String> =
        std::iter::from_fn(|| stage.server.effect()).map(|effect| format!("{effect:?}")).collect();
    assert!(effects.iter().any(|effect| effect.contains("Overdue")), "{effects:?}");
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": fourth, "result": roots }));
    assert_eq!(called(&mut stage), []);
    let fifth = call(&mut stage, 5);
    stage.server.close(session);
    assert_eq!(called(&mut stage), [(fifth, 5, ClientCallOutcome::SessionEnded)]);
    assert_eq!(stage.server.open_counts()[2], 0);
}

#[test]
fn what_cannot_be_called_is_refused_and_leaves_nothing() {
    let mut settings = settings();
    settings.limits.requests_per_session = 2;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let modern = stage.server.open(false).expect("a session");
    for (to, method, params, status, names) in [
        (SessionId(99), "ping", "{}", Status::Unavailable, "session 99"),
        (modern, "ping", "{}", Status::Unsupported, "mcp_request_ask"),
        (session, "roots/list", "{}", Status::Unsupported, "roots/list"),
        (session, "tools/call", "{}", Status::InvalidArgument, "tools/call"),
        (session, "ping", "[]", Status::InvalidArgument, "object"),
        (session, "ping", "{", Status::InvalidArgument, "object"),
    ] {
        let refused = stage.server.call(stage.now, to, method, params, 0, None).expect_err(method);
        assert_eq!(refused.status, status, "{}", refused.message);
        assert!(refused.message.contains(names), "{}", refused.message);
    }
    for _ in 0..2 {
        stage.server.call(stage.now, session, "ping", "{}", 0, None).expect("a call");
    }
    let refused = stage.server.call(stage.now, session, "ping", "{}", 0, None).expect_err("too many");
    assert_eq!(refused.status, Status::Backpressure);
    assert_eq!(stage.server.open_counts()[2], 2);
}

#[test]
fn notifications_go_to_those_they_are_for() {
    let mut stage = Stage::new(settings());
    let first = stage.legacy("2025-11-25", &json!({}));
    stage.legacy("2025-06-18", &json!({}));
    let modern = stage.server.open(false).expect("a session");
    let sent = stage.server.notify_sessions(None, "notifications/x", "{\"a\":\n1}").expect("sent");
    let frame = json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": { "a": 1 } });
    assert_eq!((sent, stage.sent()), (2, vec![frame.clone(), frame.clone()]));
    let sent = stage.server.notify_sessions(Some(first), "notifications/x", "{\"a\":1}").expect("sent");
    assert_eq!((sent, stage.sent()), (1, vec![frame]));
    for (session, name, params, status) in [
        (None, "notifications/tools/list_changed", "{}", Status::InvalidArgument),
        (None, "notifications/message", "{}", Status::InvalidArgument),
        (None, "tools/call", "{}", Status::InvalidArgument),
        (None, "", "{}", Status::InvalidArgument),
        (None, "notifications/x", "3", Status::InvalidArgument),
        (Some(modern), "notifications/x", "{}", Status::Unavailable),
        (Some(SessionId(99)), "notifications/x", "{}", Status::Unavailable),
    ] {
        let refused = stage.server.notify_sessions(session, name, params).expect_err(name);
        assert_eq!(refused.status, status, "{}", refused.message);
    }
    assert!(stage.sent().is_empty());
}

#[test]
fn answers_of_the_wrong_shape_are_failures_in_2026_07_28_too() {
    use crate::engine::server::{Answer, AskOutcome};
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for (method, answer, is_good) in [
        ("elicitation/create", json!({ "action": "accept", "content": { "a": 1 } }), true),
        ("elicitation/create", json!({ "action": "decline" }), true),
        ("elicitation/create", json!({ "action": "maybe" }), false),
        ("elicitation/create", json!({ "content": {} }), false),
        ("roots/list", json!({ "roots": [] }), true),
        ("roots/list", json!({ "roots": {} }), false),
        ("sampling/createMessage", json!({ "role": "assistant", "content": { "type": "text" } }), true),
        ("sampling/createMessage", json!({ "content": [] }), false),
    ] {
        let params = json!({ "name": "add", "arguments": { "a": 1 }, "inputResponses": { "k": answer } });
        stage.ask_modern(session, json!(1), "tools/call", params);
        let request = stage.run().request;
        let question = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;
        let asked = stage.server.ask(request, "k", method, question);
        let is_result = matches!(&asked, AskOutcome::Answered(Answer::Result(_)));
        let is_failure = matches!(&asked, AskOutcome::Answered(Answer::Failed(why)) if why.contains("shape"));
        assert!(if is_good { is_result } else { is_failure }, "{method} {answer}: {asked:?}");
        stage.respond(request, crate::engine::server::Outcome::Failure("done"));
    }
}

#[test]
fn the_end_of_an_elicitation_is_a_notification_of_the_application() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": { "url": {} } }));
    let params = r#"{"elicitationId":"e1"}"#;
    let sent = stage.server.notify_sessions(Some(session), "notifications/elicitation/complete", params);
    assert_eq!(sent.expect("sent"), 1);
    assert_eq!(stage.sent()[0]["params"]["elicitationId"], "e1");
}

#[test]
fn a_resource_is_told_of_after_the_handshake_only() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    stage.ask_legacy(session, json!(1), "initialize", params);
    stage.ask_legacy(session, json!(2), "resources/subscribe", json!({ "uri": "x://handled" }));
    stage.server.resource_updated(stage.now, "x://handled");
    assert!(stage.advance(Duration::from_secs(1)).is_empty());
    stage.ask(session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    stage.server.resource_updated(stage.now, "x://handled");
    assert_eq!(stage.advance(Duration::from_secs(1)).len(), 1);
}

/// How many times were counted, and their sum in milliseconds.
fn of(histogram: &Histogram) -> (u64, u64) {
    (histogram.count(), histogram.micros() / 1000)
}

#[test]
fn waiting_ends_when_the_application_takes_a_request_and_handling_when_it_answers() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let request = stage.run().request;
    assert_eq!(of(&stage.server.timing().waiting), (0, 0), "it waits");
    stage.advance(Duration::from_millis(30));
    stage.server.begun(stage.now.at, request);
    stage.advance(Duration::from_millis(200));
    stage.respond(request, Outcome::Text("done"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((1, 30), (1, 200)));
    // What is over is counted no more.
    stage.server.begun(stage.now.at, request);
    stage.respond(request, Outcome::Text("again"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((1, 30), (1, 200)));
}

#[test]
fn a_handler_that_runs_again_waited_from_the_answer_of_its_client_on() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let request = stage.run().request;
    stage.server.begun(stage.now.at, request);
    stage.server.ask(request, "k", "elicitation/create", super::QUESTION);
    stage.server.dropped(stage.now, request);
    let question = stage.sent().remove(0);
    // A person thinks: neither waiting nor work of the server.
    stage.advance(Duration::from_secs(20));
    let answer = json!({ "action": "accept", "content": { "name": "x" } });
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }));
    assert_eq!(stage.run().request, request);
    stage.advance(Duration::from_millis(40));
    stage.server.begun(stage.now.at, request);
    stage.advance(Duration::from_millis(5));
    stage.respond(request, Outcome::Text("done"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((2, 40), (1, 5)));
}

#[test]
fn each_answer_is_a_result_or_an_error() {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (1, 0);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let before = stage.server.counters();
    let call = || json!({ "name": "add", "arguments": { "a": 1 } });
    stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    stage.ask_legacy(session, json!(2), "tools/call", call());
    stage.ask_legacy(session, json!(3), "tools/call", call());
    stage.ask_legacy(session, json!(4), "no/such", json!({}));
    let request = stage.run().request;
    stage.respond(request, Outcome::Text("done"));
    stage.ask_legacy(session, json!(5), "tools/call", call());
    let request = stage.run().request;
    stage.respond(request, Outcome::Result(r#"{"content":[]}"#));
    let after = stage.server.counters();
    assert_eq!(after.requests - before.requests, 5);
    assert_eq!((after.results - before.results, after.errors - before.errors), (3, 2));
    assert_eq!((after.busy, after.sessions_opened, after.sessions_ended), (1, 1, 0));
    stage.server.close(session);
    stage.server.close(session);
    assert_eq!(stage.server.counters().sessions_ended, 1);
}

fn stage(per_session: usize, waiting: usize) -> (Stage, SessionId) {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (per_session, waiting);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    (stage, session)
}

fn call(stage: &mut Stage, session: SessionId, id: u64) -> Vec<Value> {
    stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "add", "arguments": { "a": id } }))
}

fn answer_first(stage: &mut Stage) -> Value {
    let request = stage.runs.remove(0).request;
    let (_, frames) = stage.respond(request, Outcome::Text("done"));
    frames.into_iter().next().expect("its answer")
}

#[test]
fn a_thousand_requests_of_a_session_are_all_answered_in_order() {
    let (mut stage, session) = stage(4, 1_000);
    for id in 0..1_000 {
        assert!(call(&mut stage, session, id).is_empty(), "none is refused");
        assert!(stage.runs.len() <= 4);
    }
    for id in 0..1_000 {
        assert_eq!(answer_first(&mut stage)["id"], id);
    }
    assert_eq!((stage.server.counters().held, stage.server.counters().busy), (996, 0));
    assert_eq!(stage.server.open_counts()[1], 0);
}

#[test]
fn a_client_that_waits_is_still_heard_and_answered() {
    let (mut stage, session) = stage(1, 2);
    assert!(call(&mut stage, session, 1).is_empty());
    let asked = stage.runs.remove(0).request;
    assert_eq!(stage.server.ask(asked, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
    stage.server.dropped(stage.now, asked);
    let question = stage.sent();
    for id in [2, 3] {
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert!(stage.server.reads(session), "the answer to a question must come in");
    assert!(stage.ask_legacy(session, json!(9), "ping", json!({}))[0]["result"].is_object());
    assert!(stage.ask_legacy(session, json!(9), "tools/list", json!({}))[0]["result"].is_object());
    assert_eq!(call(&mut stage, session, 4)[0]["error"]["code"], -32010, "what finds no room meanwhile");
    // One that waits in the queue is withdrawn, and leaves its id to another.
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }),
    );
    assert_eq!(call(&mut stage, session, 3)[0]["error"]["code"], -32600, "its id is in use");
    assert!(call(&mut stage, session, 2).is_empty());
    let answer = json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "action": "decline" } });
    assert!(stage.ask(session, &answer).is_empty());
    assert_eq!(stage.runs[0].request, asked, "its handler runs again");
    let order: Vec<Value> = (0..3).map(|_| answer_first(&mut stage)["id"].clone()).collect();
    assert_eq!(order, [1, 3, 2]);
}

#[test]
fn a_session_that_fills_its_line_is_not_read_and_others_are() {
    let (mut stage, session) = stage(1, 2);
    let other = stage.legacy("2025-11-25", &json!({}));
    for id in 1..=3 {
        assert!(stage.server.reads(session));
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert!(!stage.server.reads(session) && stage.server.reads(other));
    assert!(call(&mut stage, other, 1).is_empty());
    assert_eq!(stage.runs.len(), 2, "the other session has a place of its own");
    answer_first(&mut stage);
    assert!(stage.server.reads(session));
    stage.server.close(session);
    stage.sent();
    assert_eq!(stage.server.open_counts()[1], 1, "what stood in line ends with its session");
}

#[test]
fn what_the_queue_has_no_room_for_waits_and_runs_later() {
    let (mut stage, session) = stage(10, 10);
    let other = stage.legacy("2025-11-25", &json!({}));
    stage.room = 0;
    for (session, id) in [(session, 1), (other, 1), (session, 2)] {
        assert!(call(&mut stage, session, id).is_empty() && stage.runs.is_empty());
    }
    assert_eq!(stage.server.counters().runs, 0);
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
    );
    stage.room = usize::MAX;
    assert!(stage.sent().is_empty());
    assert_eq!((stage.runs.len(), stage.server.counters().runs), (2, 2), "the withdrawn one does not run");
    for _ in 0..2 {
        answer_first(&mut stage);
    }
    assert_eq!(stage.server.open_counts()[1], 0);
}

#[test]
fn the_sessions_of_one_client_have_one_number_until_the_last_one_ends() {
    let mut stage = Stage::new(settings());
    let open = |stage: &mut Stage| {
        let session = stage.legacy("2025-11-25", &json!({}));
        stage.server.held_by(session, Holder::process(1));
        (session, stage.server.sessions.holder_number(session))
    };
    let [(first, number), (second, same)] = [open(&mut stage), open(&mut stage)];
    assert_eq!(number, same);
    stage.server.close(first);
    let (third, same) = open(&mut stage);
    assert_eq!(number, same);
    for session in [second, third] {
        stage.server.close(session);
    }
    assert_ne!(open(&mut stage).1, number, "nothing of the client is kept");
}

#[test]
fn a_client_that_has_its_share_of_the_queue_holds_up_no_other() {
    let (mut stage, session) = stage(10, 10);
    let again = stage.legacy("2025-11-25", &json!({}));
    let other = stage.legacy("2025-11-25", &json!({}));
    for session in [session, again] {
        stage.server.held_by(session, Holder::process(1));
    }
    call(&mut stage, session, 1);
    stage.full_for = vec![stage.runs[0].holder];
    for (session, id) in [(session, 2), (again, 1), (session, 3), (again, 2)] {
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert_eq!(
        (stage.runs.len(), stage.server.wants_room().len()),
        (1, 1),
        "one of it waits, the others behind it"
    );
    for id in 1..=3 {
        call(&mut stage, other, id);
    }
    assert_eq!(stage.runs.len(), 4, "the other one is served");
    stage.full_for.clear();
    assert!(stage.sent().is_empty());
    assert_eq!((stage.runs.len(), stage.server.counters().busy), (8, 0));
    let holders: HashSet<u64> = stage.runs.iter().map(|run| run.holder).collect();
    assert_eq!(holders.len(), 2, "two sessions are of one client");
    for run in &stage.runs {
        assert_eq!(stage.server.holder_of(run.request), Some(run.holder));
    }
    for session in [session, again, other] {
        stage.server.close(session);
    }
    assert!(!stage.server.is_holding() && stage.server.wants_room().is_empty());
}

#[test]
fn large_requests_of_a_client_wait_until_the_application_has_released_others() {
    let mut settings = settings();
    settings.limits.request_bytes = 1 << 20;
    let mut stage = Stage::new(settings);
    let large = |stage: &mut Stage, process: u32, session: SessionId, id: u64, bytes: usize| {
        stage.server.held_by(session, Holder::process(process));
        let text = "x".repeat(bytes);
        let arguments = json!({ "a": 1, "text": text });
        stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "add", "arguments": arguments }))
    };
    let sessions: Vec<_> = (0..6).map(|_| stage.legacy("2025-11-25", &json!({}))).collect();
    // However many sessions it has.
    for (id, session) in sessions[..5].iter().enumerate() {
        assert!(large(&mut stage, 1, *session, id as u64, 140_000).is_empty());
    }
    assert_eq!(stage.runs.len(), 3, "half of the bytes");
    large(&mut stage, 2, sessions[5], 10, 140_000);
    assert!(call(&mut stage, sessions[0], 11).is_empty());
    assert_eq!(stage.runs.len(), 5, "another one has its share, and what is small needs none");
    // It is over, and the application still has it.
    let first = stage.runs.remove(0).request;
    stage.server.begun(stage.now.at, first);
    stage.server.close(sessions[0]);
    stage.sent();
    assert_eq!(stage.runs.len(), 4, "nothing is free yet");
    assert!(
        !stage.server.is_under_way(first) && stage.server.released(first) && !stage.server.released(first)
    );
    stage.sent();
    assert_eq!((stage.runs.len(), stage.server.counters().busy), (5, 0));
    // One that is larger than a share comes in alone.
    for session in &sessions[1..] {
        stage.server.close(*session);
    }
    stage.sent();
    stage.runs.clear();
    let [one, two] = [1, 2].map(|_| stage.legacy("2025-11-25", &json!({})));
    large(&mut stage, 1, one, 1, 900_000);
    large(&mut stage, 2, two, 1, 900_000);
    assert_eq!(stage.runs.len(), 1);
    answer_first(&mut stage);
    assert_eq!(stage.runs.len(), 1);
    answer_first(&mut stage);
    assert!(!stage.server.is_holding());
}

#[test]
fn the_wait_for_a_place_ends_with_an_error_that_says_to_try_again() {
    let (mut stage, session) = stage(1, 5);
    call(&mut stage, session, 1);
    stage.advance(Duration::from_secs(200));
    call(&mut stage, session, 2);
    // The first request is over, and the second one has its place.
    stage.advance(Duration::from_secs(100));
    assert_eq!(stage.runs.len(), 2);
    call(&mut stage, session, 3);
    let task = stage.runs.remove(1).request;
    let frames = stage.advance(Duration::from_secs(299));
    assert!(frames.is_empty() && stage.server.pending(session) == 2, "{frames:?}");
    let frames = stage.advance(Duration::from_secs(1));
    let codes: Vec<_> = frames.iter().map(|frame| (&frame["id"], &frame["error"]["code"])).collect();
    assert_eq!(codes[0], (&json!(2), &json!(-32603)), "its handler took too long");
    assert!(stage.withdrawn.contains(&task));
}

#[test]
fn what_stands_in_line_keeps_the_rights_that_it_came_with() {
    let mut settings = settings();
    settings.limits.requests_per_session = 1;
    settings.access.methods.insert("tools/call".into(), vec!["call".into()]);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let with = |scopes: &[&str]| {
        let scopes = scopes.iter().map(|scope| (*scope).into()).collect();
        Some(Arc::new(Principal { id: "p".into(), scopes, text: "{}".into() }))
    };
    stage.server.authorize(session, with(&["call"]));
    assert!(call(&mut stage, session, 1).is_empty() && call(&mut stage, session, 2).is_empty());
    stage.server.authorize(session, with(&[]));
    assert_eq!(
        code(&call(&mut stage, session, 3)),
        -32600,
        "the third one may not call, and learns it at once"
    );
    answer_first(&mut stage);
    answer_first(&mut stage);
    assert!(stage.runs.is_empty());
    assert_eq!(stage.server.open_counts()[1], 0);
}
