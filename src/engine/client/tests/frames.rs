//! Frames that break a rule: each ends at most the call it answers, is counted, and never ends the connection.

use super::stage::{Made, Saw, Stage, legacy, ms};
use crate::engine::{Settings, State, Status};
use serde_json::json;

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
