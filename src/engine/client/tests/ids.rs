//! Who is who on the wire: ids of requests, notifications without one, and errors that are not the server's.

use super::stage::{Saw, Stage, declaring, legacy, modern, ms};
use crate::engine::{CallOptions, Retry, Settings, Status};
use serde_json::{Value, json};
use std::collections::HashSet;

fn open_again(stage: &mut Stage) {
    stage.lose("it died");
    stage.come_back();
    stage.open();
    let handshake = stage.sent();
    let request = handshake.last().expect("a handshake");
    let result = match request["method"].as_str() {
        Some("server/discover") => super::stage::discovery(),
        _ => super::stage::initialized_at("2025-11-25"),
    };
    stage.answer(request, &result);
}

#[test]
fn every_request_of_ours_has_an_integer_id_that_no_other_has() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::opened(Settings { retry: Retry::Safe, ..settings });
        stage.shake_hands();
        for _ in 0..3 {
            for method in ["tools/list", "logging/setLevel", "tools/call"] {
                stage
                    .try_call(method, Some(r#"{"level":"info"}"#), &CallOptions::default())
                    .expect("accepted");
            }
            let level = stage.sent().into_iter().find(|frame| frame["method"] == "logging/setLevel");
            stage.answer(&level.expect("the level"), &json!({}));
            // What was lost is sent again, what was granted is restored: each under an id of its own.
            open_again(&mut stage);
        }
        let requests: Vec<Value> = stage
            .take()
            .into_iter()
            .filter_map(|saw| match saw {
                Saw::Sent(frame) if frame.get("id").is_some() => Some(frame["id"].clone()),
                _ => None,
            })
            .collect();
        assert!(requests.len() >= 16 && requests.iter().all(Value::is_u64), "{requests:?}");
        let distinct: HashSet<u64> = requests.iter().filter_map(Value::as_u64).collect();
        assert_eq!(distinct.len(), requests.len(), "{requests:?}");
    }
}

#[test]
fn an_answer_with_two_ids_ends_both_calls_at_once() {
    let mut stage = Stage::ready(legacy());
    let calls = [stage.call("tools/call"), stage.call("tools/call")];
    let ids: Vec<Value> = stage.sent().iter().map(|frame| frame["id"].clone()).collect();
    let other = stage.call("tools/call");
    stage.sent();
    stage.text(format!(r#"{{"jsonrpc":"2.0","id":{},"id":{},"result":{{}}}}"#, ids[0], ids[1]));
    for call in calls {
        assert_eq!(stage.status(call), Status::Protocol);
    }
    assert_eq!(stage.counters().violations, 1);
    assert!(stage.reply(other).is_none(), "it was not named");
}

#[test]
fn notifications_carry_no_id_and_are_never_answered() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::opened(settings);
        stage.shake_hands();
        stage.engine.notify(stage.now, "notifications/roots/list_changed", None).expect("ready");
        let call = stage.call("tools/call");
        stage.cancel(call, "");
        let sent = stage.take();
        for saw in &sent {
            let Saw::Sent(frame) = saw else { continue };
            let is_notification =
                frame["method"].as_str().is_some_and(|name| name.starts_with("notifications/"));
            assert_eq!(frame.get("id").is_none(), is_notification, "{frame}");
        }
        stage.sent();
        for method in ["notifications/message", "notifications/cancelled", "made/up", "ping", "initialize"] {
            stage.notified(method, &json!({"requestId": 1}));
        }
        assert_eq!(stage.sent(), Vec::<Value>::new());
    }
}

#[test]
fn an_error_made_here_never_looks_like_one_of_the_server() {
    let mut stage = Stage::ready(legacy());
    let within = CallOptions { timeout: Some(ms(5)), ..CallOptions::default() };
    let timed_out = stage.call_with("tools/call", within);
    stage.pass(ms(5));
    let cancelled = stage.call("tools/call");
    stage.cancel(cancelled, "");
    stage.sent();
    let broken = stage.call("tools/call");
    let id = stage.sent_one()["id"].clone();
    stage.text(format!(r#"{{"jsonrpc":"1.0","id":{id},"error":{{"code":-32603,"message":"?"}}}}"#));
    let lost = stage.call("tools/call");
    stage.lose("it died");
    stage.come_back();
    let closed = stage.call("tools/call");
    stage.close();
    for (call, status) in [
        (timed_out, Status::Timeout),
        (cancelled, Status::Cancelled),
        (broken, Status::Protocol),
        (lost, Status::Transport),
        (closed, Status::Closed),
    ] {
        let error = stage.error(call);
        assert_eq!((error.status, error.code, error.data.as_deref()), (status, None, None));
        let shown: Value = serde_json::from_str(&error.to_json()).expect("JSON");
        assert_eq!((shown.get("code"), &shown["status"]), (None, &json!(status.as_str())));
    }
}

#[test]
fn what_the_server_calls_itself_changes_nothing() {
    for info in [json!(null), json!("a string"), json!({"name": 7}), json!({"name": "x".repeat(1000)})] {
        let mut stage = Stage::opened(legacy());
        let request = stage.sent_one();
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info});
        stage.answer(&request, &result);
        stage.call("tools/list");
        assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"], "{info}");

        let mut stage = Stage::opened(modern());
        let probe = stage.sent_one();
        let result = json!({"supportedVersions": ["2026-07-28"], "capabilities": {},
            "_meta": {"io.modelcontextprotocol/serverInfo": info}});
        stage.answer(&probe, &result);
        stage.call("tools/list");
        assert_eq!(stage.sent_methods(), ["tools/list"], "{info}");
    }
}

#[test]
fn only_the_library_says_that_it_is_initialized_or_that_a_request_is_cancelled() {
    let mut stage = Stage::ready(declaring(legacy(), &json!({})));
    for method in ["notifications/initialized", "notifications/cancelled"] {
        let refused = stage.engine.notify(stage.now, method, None).expect_err("it belongs to the library");
        assert_eq!(refused.status, Status::InvalidArgument);
    }
    stage.pass(ms(0));
    assert_eq!(stage.sent(), Vec::<Value>::new());
}
