//! One answer for every request, and none for anything else.

use super::stage::{Stage, code, settings};
use crate::engine::server::{Effect, Outcome, Responded, Stream};
use crate::shares::Holder;
use serde_json::{Value, json};
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
    let mut open = |last: u8| stage.server.open_for_request(Holder::at([192, 0, 2, last].into()));
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
    let mut open = |last: u8| stage.server.open_for_request(Holder::at([192, 0, 2, last].into()));
    assert_eq!(open(6), None, "a session gives no place of a request back");
    stage.server.close(of_another[0]);
    let mut open = |last: u8| stage.server.open_for_request(Holder::at([192, 0, 2, last].into()));
    assert_eq!(open(1), None, "what is free is not for the one that has most");
    assert!(open(6).is_some());
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
    for (sent, modern, legacy) in
        [(-32002, -32603, -32002), (-32042, -32603, -32603), (-32021, -32021, -32021), (7, 7, 7)]
    {
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
