//! Frames that break a rule: each ends at most the call it answers, is counted, and never ends the connection. Batches, ids, and
//! what was reported of servers that people have (the tables `servers.toml` and `results.toml`).

use super::stage::{Made, Saw, Stage, declaring, initialized_at, legacy, modern, ms};
use crate::engine::{CallOptions, Feature, Retry, Settings, State, Status};
use crate::protocol::Revision;
use crate::testing::field::{Row, rows};
use serde_json::{Value, json};
use std::collections::HashSet;

/// A ready connection with two calls under way, and the id of the first on the wire.
fn two_calls() -> (Stage, Made, Made, u64) {
    let mut stage = Stage::ready(legacy());
    let first = stage.call("tools/call");
    let second = stage.call("tools/list");
    let id = stage.sent()[0]["id"].as_u64().expect("a number");
    (stage, first, second, id)
}

/// What became of the call that `frame` answers. The other call is still under way.
fn outcome_after(frame: impl FnOnce(u64) -> Vec<u8>) -> (Option<Status>, Stage) {
    let (mut stage, first, second, id) = two_calls();
    stage.text(frame(id));
    assert_eq!(stage.engine.state(), State::Ready, "the connection stays");
    assert_eq!(stage.reply(second), None, "the other call is untouched");
    if let Some(Err(error)) = stage.reply(first) {
        assert_eq!(error.operation, "tools/call");
    }
    (stage.reply(first).is_some().then(|| stage.status(first)), stage)
}

fn answering(text: &'static str) -> impl FnOnce(u64) -> Vec<u8> {
    move |id| text.replace('#', &id.to_string()).into_bytes()
}

#[test]
fn an_answer_that_breaks_a_rule_ends_its_call_as_a_protocol_error() {
    for text in [
        r#"{"jsonrpc":"2.0","id":#,"result":{},"error":{"code":1,"message":"both"}}"#,
        r#"{"jsonrpc":"1.0","id":#,"result":{}}"#,
        r#"{"id":#,"result":7}"#,
        r#"{"jsonrpc":"2.0","id":#}"#,
        r#"{"jsonrpc":"2.0","id":#,"error":7}"#,
        // Two readers that disagree about an answer are a security problem.
        r#"{"jsonrpc":"2.0","id":#,"result":{"a":1},"result":{"a":2}}"#,
        r#"{"jsonrpc":"2.0","id":#,"id":#,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":#,"id":4711,"result":{}}"#,
        r#"{"result":{},"id":"x","id":#,"jsonrpc":"2.0"}"#,
        // Broken further on: the answer will not come again, so waiting for it would only cost time.
        r#"{"jsonrpc":"2.0","id":#,"result":{"text":"unfinished"#,
        r#"{"jsonrpc":"2.0","id":#,"result":{}}{"jsonrpc":"2.0"}"#,
    ] {
        let (status, stage) = outcome_after(answering(text));
        assert_eq!(status, Some(Status::Protocol), "{text}");
        assert_eq!((stage.counters().violations, stage.counters().garbage_frames), (1, 0), "{text}");
    }
}

#[test]
fn an_answer_that_is_not_utf8_ends_its_call() {
    let (status, stage) = outcome_after(|id| {
        let mut frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"text":""#).into_bytes();
        frame.extend_from_slice(b"\xff\"}}");
        frame
    });
    assert_eq!((status, stage.counters().violations), (Some(Status::Protocol), 1));
}

#[test]
fn an_answer_nested_too_deeply_ends_its_call_and_names_the_bound() {
    let (mut stage, first, _, id) = two_calls();
    let (open, close) = ("[".repeat(200), "]".repeat(200));
    stage.text(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{open}{close}}}"#));
    assert_eq!(stage.status(first), Status::TooLarge);
    assert!(stage.error(first).message.contains("limits.json_depth"));
}

#[test]
fn a_frame_that_answers_nobody_for_certain_ends_nobody() {
    for text in [
        r#"{"jsonrpc":"2.0","id":"x#","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":#.5,"result":{}}"#,
        // A line of a log.
        r#"{"level":"info","id":#,"msg":"served"}"#,
        r#"{"jsonrpc":"2.0","id":4711,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":[#],"result":{}}"#,
        // Requests of the server's own, whose ids are no business of ours.
        r#"{"jsonrpc":"1.0","id":#,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":#,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":#,"method":"ping","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":#,"method":"ping","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":#,"method":"ping","params":{"unfinished"#,
        r#"{"result":{"text":"no end, "id":#}"#,
    ] {
        let (status, stage) = outcome_after(answering(text));
        assert_eq!(status, None, "{text}");
        let counters = stage.counters();
        assert_eq!(counters.violations + counters.unknown_answers + counters.garbage_frames, 1, "{text}");
    }
}

#[test]
fn an_error_without_an_id_goes_to_the_only_call_it_can_mean() {
    let unreadable =
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "line too long"}});
    let (mut stage, first, second, id) = two_calls();
    stage.frame(&unreadable);
    assert_eq!((stage.reply(first), stage.reply(second)), (None, None), "it could mean either");
    stage.answer(&json!({"id": id}), &json!({}));
    stage.frame(&unreadable);
    assert_eq!((stage.status(second), stage.error(second).code), (Status::Server, Some(-32700)));
}

#[test]
fn an_error_about_a_notification_does_not_hit_the_call_that_happens_to_be_under_way() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/list");
    for code in [-32601, -32600, -32000] {
        let error = json!({"code": code, "message": "Method not found: notifications/initialized"});
        stage.frame(&json!({"jsonrpc": "2.0", "id": null, "error": error}));
    }
    assert_eq!(stage.reply(call), None);
    assert_eq!(stage.counters().unknown_answers, 3);
    // Where no answer comes, what was said is told.
    stage.pass(ms(60_000));
    let told = &stage.error(call).message;
    assert!(
        told.ends_with("; an error that names no call: -32000, Method not found: notifications/initialized"),
        "{told}"
    );
    // It says nothing of the next connection.
    stage.lose("it died");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let call = stage.call("tools/list");
    stage.pass(ms(60_000));
    let told = &stage.error(call).message;
    assert!(!told.contains("names no call"), "{told}");
}

#[test]
fn what_is_no_message_is_skipped_counted_and_told_once() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    let noise: [&[u8]; 8] = [
        b"Server listening on stdio",
        b"[info] ready",
        b"{not json}",
        b"\xff\xfe\x00",
        b"42",
        b"\"text\"",
        b"",
        b"   ",
    ];
    stage.take();
    for line in noise {
        stage.text(line);
    }
    assert_eq!(stage.counters().garbage_frames, noise.len() as u64);
    let warnings = stage
        .take()
        .iter()
        .filter(|saw| matches!(saw, Saw::Logged(record) if record.level == crate::engine::Level::Warn))
        .count();
    assert_eq!(warnings, 1);
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn a_byte_order_mark_and_white_space_around_a_frame_do_no_harm() {
    let mut stage = Stage::ready(legacy());
    for (before, after) in [("\u{feff}", ""), ("", "\r"), ("\u{feff} \t", " \r")] {
        let call = stage.call("tools/list");
        let id = stage.sent_one()["id"].clone();
        stage.text(format!(r#"{before}{{"jsonrpc":"2.0","id":{id},"result":{{"ok":true}}}}{after}"#));
        assert_eq!(stage.result(call), json!({"ok": true}));
    }
}

#[test]
fn an_oversized_answer_ends_its_call_and_says_how_large_it_was() {
    let (mut stage, first, second, id) = two_calls();
    let (now, generation) = (stage.now, stage.engine.generation());
    stage.engine.oversized(now, generation, Some(id), 20_000_000, 16_777_216);
    stage.engine.oversized(now, generation, None, 20_000_000, 16_777_216);
    stage.engine.oversized(now, generation, Some(4711), 20_000_000, 16_777_216);
    stage.engine.oversized(now, generation - 1, Some(id + 1), 20_000_000, 16_777_216);
    stage.pass(ms(0));
    assert_eq!(stage.status(first), Status::TooLarge);
    assert_eq!(stage.error(first).details["bytes"], 20_000_000);
    assert_eq!(stage.reply(second), None);
    assert_eq!((stage.counters().oversized_frames, stage.engine.state()), (3, State::Ready));
}

#[test]
fn a_notification_that_nobody_knows_is_handed_on() {
    let mut stage = Stage::ready(legacy());
    stage.notified("notifications/made/up", &json!({"any": ["thing"]}));
    let saw = stage.take();
    let Some(Saw::Notified { method, params }) = saw.last() else { panic!("{saw:?}") };
    assert_eq!((method.as_str(), params), ("notifications/made/up", &json!({"any": ["thing"]})));
}

#[test]
fn frames_of_another_connection_or_after_the_end_are_not_looked_at() {
    let mut stage = Stage::ready(Settings { wait_when_unavailable: true, ..legacy() });
    stage.call("tools/list");
    let request = stage.sent_one();
    stage.lose("it died");
    let retried = stage.call("tools/list");
    stage.answer(&request, &json!({}));
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let now = stage.now;
    let id = stage.sent().pop().expect("the call")["id"].clone();
    let frame = json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string().into_bytes();
    stage.engine.frame(now, 1, frame.clone());
    assert_eq!(stage.reply(retried), None, "an answer from the connection before");
    stage.close();
    stage.engine.frame(now, 2, frame);
    stage.pass(ms(0));
    assert_eq!(stage.status(retried), Status::Closed);
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (0, 0));
}

#[test]
fn a_server_error_comes_with_code_message_and_data_as_they_were_sent() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    let request = stage.sent_one();
    stage.text(format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32602,"message":"no \"such\" tool","data":{{"x":[1.50]}}}}}}"#,
        request["id"]
    ));
    let error = stage.error(call);
    assert_eq!((error.status, error.code), (Status::Server, Some(-32602)));
    assert_eq!(error.message, "no \"such\" tool");
    assert_eq!(error.data.as_deref(), Some(r#"{"x":[1.50]}"#), "not even a zero is lost");
}

#[test]
fn a_batch_is_taken_apart_and_each_message_goes_its_way() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        let mut stage = Stage::ready_at(revision, Settings::default());
        let (first, second) = (stage.call("tools/list"), stage.call("prompts/list"));
        let requests = stage.sent();
        stage.take();
        stage.frame(&json!([
            {"jsonrpc": "2.0", "id": requests[1]["id"], "result": {"of": "second"}},
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {}},
            {"jsonrpc": "2.0", "id": "p", "method": "ping"},
            {"jsonrpc": "2.0", "id": requests[0]["id"], "result": {"of": "first"}},
        ]));
        assert_eq!(stage.result(first), json!({"of": "first"}));
        assert_eq!(stage.result(second), json!({"of": "second"}));
        assert_eq!(stage.sent_one(), json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
        assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Notified { .. })));
        assert_eq!(stage.counters().violations, 0);
    }
}

#[test]
fn where_a_revision_has_no_batches_one_is_counted_and_its_answers_are_delivered_all_the_same() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut stage = Stage::ready_at(revision, Settings::default());
        let call = stage.call("tools/list");
        let request = stage.sent_one();
        stage.frame(&json!([{"jsonrpc": "2.0", "id": request["id"], "result": {}}]));
        assert_eq!((stage.status(call), stage.counters().violations), (Status::Ok, 1));
    }
}

#[test]
fn what_is_wrong_in_a_batch_does_not_hurt_the_rest_of_it() {
    let mut stage = Stage::ready_at(Revision::V2025_03_26, Settings::default());
    let (first, second) = (stage.call("tools/list"), stage.call("prompts/list"));
    let requests = stage.sent();
    stage.frame(&json!([
        1, "x", [], {},
        {"jsonrpc": "1.0", "id": requests[0]["id"], "result": {}},
        {"jsonrpc": "2.0", "id": requests[1]["id"], "result": {}},
    ]));
    assert_eq!((stage.status(first), stage.status(second)), (Status::Protocol, Status::Ok));
    assert_eq!((stage.counters().garbage_frames, stage.counters().violations), (4, 1));
}

#[test]
fn an_empty_batch_is_a_violation_and_one_that_is_no_json_is_noise() {
    let mut stage = Stage::ready_at(Revision::V2025_03_26, Settings::default());
    stage.text("[]");
    assert_eq!(stage.counters().violations, 1);
    stage.text("[info] {\"jsonrpc\":\"2.0\"}");
    assert_eq!((stage.counters().violations, stage.counters().garbage_frames), (1, 1));
}

#[test]
fn nothing_in_a_batch_is_looked_at_after_the_message_that_ended_the_connection() {
    let mut stage = Stage::opened(legacy());
    let request = stage.sent_one();
    stage.take();
    stage.frame(&json!([
        {"jsonrpc": "2.0", "id": request["id"], "result": initialized_at("1999-01-01")},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    ]));
    assert_eq!(stage.engine.state(), State::Closed);
    assert!(stage.sent().is_empty());
    let saw = stage.take();
    assert!(matches!(saw.last(), Some(Saw::Moved { to: State::Closed, .. })), "{saw:?}");
}

#[test]
fn calls_that_waited_are_sent_when_the_answer_to_initialize_comes_in_a_batch() {
    let mut stage = Stage::opened(legacy());
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    stage.frame(&json!([
        {"jsonrpc": "2.0", "id": request["id"], "result": initialized_at("2025-03-26")},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {}},
    ]));
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"]);
    assert_eq!(stage.reply(call), None);
}

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

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}},"serverInfo":{"name":"s","version":"1"}}}"#;

fn played(row: &Row, settings: crate::engine::Settings) {
    let name = row.name();
    let mut stage = Stage::opened(settings);
    let request = stage.sent_one();
    let at = |text: &str, id: &Value| text.replace("$ID", &id.to_string()).replace("$MARK", "\u{feff}");
    for frame in row.all("before") {
        stage.text(at(frame, &request["id"]));
    }
    stage.text(at(row.get("initialize").unwrap_or(INITIALIZED), &request["id"]));
    if row.get("ends") == Some("not connected") {
        assert_ne!(stage.engine.state(), State::Ready, "{name}");
        let told = stage.take().into_iter().filter_map(|saw| match saw {
            Saw::Connected(Err(error)) => Some(error.message),
            _ => None,
        });
        return row.check(&told.collect::<String>());
    }
    assert_eq!(stage.engine.state(), State::Ready, "{name}");
    stage.sent();
    let method = row.get("call").unwrap_or("tools/list");
    let feature = if method.ends_with("/list") { Feature::AllPages } else { Feature::Plain };
    let options = CallOptions { feature, progress: true, ..CallOptions::default() };
    let params = row.get("params");
    let made = stage.try_call(method, params, &options).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let before = stage.counters();
    let mut request = stage.sent_one();
    for frame in row.all("frames") {
        let token = request["params"]["_meta"]["progressToken"].to_string();
        stage.text(at(&frame.replace("$TOKEN", &token), &request["id"]));
        if let Some(next) = stage.sent.iter().find(|sent| sent["method"] == method) {
            request = next.clone();
        }
    }
    let (ends, seen) = match stage.reply(made) {
        None => ("waits", String::new()),
        Some(Ok(body)) => ("ok", String::from_utf8_lossy(body.json.of(&body.frame)).into_owned()),
        Some(Err(error)) => {
            let ends = match error.status {
                Status::Protocol => "protocol",
                Status::Server => "server",
                Status::Unsupported => "unsupported",
                other => panic!("{name}: {other:?}"),
            };
            (ends, error.message.clone())
        }
    };
    assert_eq!(ends, row.get("ends").unwrap_or("ok"), "{name}: {seen}");
    let saw: Vec<String> = stage.take().iter().map(|saw| format!("{saw:?}")).collect();
    row.check(&format!("{seen}\n{}", saw.join("\n")));
    let (now, counts) = (stage.counters(), row.get("counts").unwrap_or("tolerated"));
    for (counter, grew) in [
        ("tolerated", now.tolerated > 0),
        ("garbage", now.garbage_frames > 0),
        ("violations", now.violations > before.violations),
        ("unknown", now.unknown_answers > 0),
        ("progress", now.ignored_progress > 0),
    ] {
        assert_eq!(grew, counts == counter, "{name}: {counter}");
    }
    assert_eq!(stage.engine.state(), State::Ready, "{name}: the connection stays");
}

#[test]
fn every_server_that_was_reported_is_understood_or_refused_in_words() {
    for row in rows("servers.toml").iter().chain(&rows("results.toml")) {
        played(row, legacy());
    }
}
