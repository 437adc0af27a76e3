//! Calls whose time is over: what the application is told, what the server is told, and what becomes of the answer.

use super::stage::{Stage, legacy, modern, ms};
use crate::engine::{CallOptions, Settings, Status, Timeouts};
use serde_json::{Value, json};

fn within(millis: u64) -> CallOptions {
    CallOptions { timeout: Some(ms(millis)), ..CallOptions::default() }
}

#[test]
fn a_call_without_an_answer_ends_after_thirty_seconds_unless_told_otherwise() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    stage.pass(ms(29_999));
    assert_eq!(stage.reply(call), None);
    stage.pass(ms(1));
    assert_eq!(stage.status(call), Status::Timeout);
    let error = stage.error(call);
    assert_eq!(
        error.message,
        "the server did not answer within 30000 ms; raise timeout_ms for this call or timeouts in the config"
    );
    assert_eq!((error.details["elapsed_ms"].as_u64(), error.retryable), (Some(30_000), false));
    assert_eq!(stage.counters().timeouts, 1);
}

#[test]
fn the_call_goes_before_its_method_and_the_method_before_the_default() {
    let mut timeouts = Timeouts { call: ms(300), ..Timeouts::default() };
    timeouts.methods.insert("resources/read".to_owned(), ms(200));
    let mut stage = Stage::ready(Settings { timeouts, ..legacy() });
    let by_default = stage.call("tools/call");
    let by_method = stage.call("resources/read");
    let by_call = stage.call_with("resources/read", within(100));
    for call in [by_call, by_method, by_default] {
        assert_eq!(stage.reply(call), None);
        assert_eq!(stage.pass_to_deadline(), ms(100));
        assert_eq!(stage.status(call), Status::Timeout);
    }
}

#[test]
fn the_server_is_told_that_the_result_is_no_longer_wanted() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        stage.call_with("tools/call", within(50));
        let request = stage.sent_one();
        stage.pass(ms(50));
        assert_eq!(
            stage.sent_one(),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": request["id"], "reason": "timeout"}})
        );
    }
}

#[test]
fn a_late_answer_is_dropped_and_counted_apart_from_an_unknown_one() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(50));
    let request = stage.sent_one();
    stage.pass(ms(50));
    stage.answer(&request, &json!({"late": true}));
    stage.refuse(&request, -32800, &Value::Null);
    assert_eq!(stage.status(call), Status::Timeout);
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (2, 0));
    stage.answer(&json!({"id": 4711}), &json!({}));
    stage.answer(&json!({"id": 0}), &json!({}));
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (2, 2));
    assert_eq!(stage.counters().results, 0);
}

#[test]
fn an_answer_that_is_there_before_the_clock_is_looked_at_counts() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(50));
    let request = stage.sent_one();
    stage.now += ms(60);
    stage.answer(&request, &json!({}));
    stage.pass(ms(0));
    assert_eq!(stage.status(call), Status::Ok);
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

#[test]
fn the_total_bounds_a_call_whatever_its_own_time_is() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions { max_total: Some(ms(40)), ..within(50) };
    let call = stage.call_with("tools/call", options);
    assert_eq!(stage.pass_to_deadline(), ms(40));
    assert!(
        stage.error(call).message.starts_with("the server did not finish within 40 ms; raise max_total_ms")
    );
}

#[test]
fn a_time_longer_than_the_default_total_is_what_the_call_asked_for() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(3_600_000));
    assert_eq!(stage.pass_to_deadline(), ms(3_600_000));
    let message = &stage.error(call).message;
    assert!(message.contains("raise timeout_ms"), "raising the total would not help: {message}");
}

#[test]
fn calls_that_are_due_together_end_together() {
    let mut stage = Stage::ready(legacy());
    let calls: Vec<_> = (0..20).map(|at| stage.call_with("tools/list", within(50 + at))).collect();
    stage.pass(ms(1000));
    assert!(calls.iter().all(|call| stage.status(*call) == Status::Timeout));
    assert_eq!(stage.engine.pending(), 0);
    assert_eq!(stage.sent_methods().len(), 40);
}

#[test]
fn a_call_that_has_ended_is_due_no_more() {
    let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
    stage.call_with("tools/list", within(50));
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.engine.next_deadline(), None);
    stage.pass(ms(50));
    assert_eq!(stage.counters().timeouts, 0);
}
