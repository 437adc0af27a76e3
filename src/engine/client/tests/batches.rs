//! Several messages in one frame: a thing of 2025-03-26, tolerated before, a violation after.

use super::stage::{Saw, Stage, initialized_at, legacy};
use crate::engine::{Settings, State, Status};
use crate::protocol::Revision;
use serde_json::json;

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
