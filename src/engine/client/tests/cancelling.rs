//! Calls that the application no longer wants.

use super::stage::{Stage, legacy, modern, ms};
use crate::engine::{Settings, Status};
use serde_json::{Value, json};

#[test]
fn a_cancelled_call_ends_at_once_and_the_server_is_told_why() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        assert!(stage.cancel(call, "the user pressed \"Escape\""));
        assert_eq!(stage.status(call), Status::Cancelled);
        assert_eq!(stage.error(call).message, "cancelled by the application: the user pressed \"Escape\"");
        assert_eq!(stage.error(call).operation, "tools/call");
        assert!(!stage.error(call).retryable);
        assert_eq!(
            stage.sent_one(),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": request["id"], "reason": "the user pressed \"Escape\""}})
        );
    }
}

#[test]
fn a_cancellation_without_a_reason_gives_the_server_none() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    let request = stage.sent_one();
    stage.cancel(call, "");
    assert_eq!(stage.sent_one()["params"], json!({"requestId": request["id"]}));
    assert_eq!(stage.error(call).message, "cancelled by the application");
}

#[test]
fn all_calls_up_to_one_are_cancelled_and_no_later_one() {
    let mut stage = Stage::ready(legacy());
    let (first, second, later) = (stage.call("ping"), stage.call("ping"), stage.call("ping"));
    stage.sent();
    stage.cancel_all(second, "interrupted");
    assert_eq!(stage.error(first).message, "cancelled by the application: interrupted");
    assert_eq!(stage.status(second), Status::Cancelled);
    assert_eq!(stage.sent().len(), 2, "the server is told");
    assert!(stage.cancel(later, "it was still there"));
}

#[test]
fn cancelling_again_does_nothing() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    assert!(stage.cancel(call, "once"));
    stage.sent();
    stage.take();
    for _ in 0..10 {
        assert!(!stage.cancel(call, "again"));
    }
    assert!(stage.take().is_empty());
    assert_eq!(stage.error(call).message, "cancelled by the application: once");
    assert_eq!(stage.counters().cancelled, 1);
}

#[test]
fn an_answer_that_came_first_wins_and_one_that_comes_later_is_late() {
    let mut stage = Stage::ready(legacy());
    let answered = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"won": true}));
    assert!(!stage.cancel(answered, ""));
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert_eq!(stage.result(answered), json!({"won": true}));

    let cancelled = stage.call("tools/call");
    let request = stage.sent_one();
    stage.cancel(cancelled, "");
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(cancelled), Status::Cancelled);
    assert_eq!(stage.counters().late_answers, 1);
}

#[test]
fn a_call_that_was_not_sent_is_cancelled_without_a_word_to_the_server() {
    let mut stage = Stage::opened(Settings::default());
    let call = stage.call("tools/call");
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    stage.cancel(call, "");
    assert_eq!(stage.status(call), Status::Cancelled);
    assert_eq!(stage.sent(), Vec::<Value>::new(), "nor is the handshake ever cancelled");
    stage.pass(ms(10_000));
    assert_eq!(stage.sent_methods(), ["initialize"]);
    stage.pass(ms(10_000));
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

#[test]
fn a_number_that_no_call_has_is_no_call() {
    let mut stage = Stage::ready(legacy());
    let now = stage.now;
    for number in [0, 1, u64::MAX] {
        assert!(!stage.engine.cancel(now, number, ""));
    }
}
