//! Progress: asked for by token, handed on while the call is under way, and what it does to a call's time.

use super::stage::{Made, Saw, Stage, legacy, ms};
use crate::engine::{CallOptions, Settings, Status, Timeouts};
use serde_json::{Value, json};

fn wanting_progress() -> CallOptions {
    CallOptions { progress: true, timeout: Some(ms(100)), ..CallOptions::default() }
}

fn resetting() -> CallOptions {
    CallOptions { reset_on_progress: Some(true), ..wanting_progress() }
}

/// A call that wants progress, and its token.
fn called(stage: &mut Stage, options: CallOptions) -> (Made, Value) {
    let call = stage.call_with("tools/call", options);
    let request = stage.sent().pop().expect("the call");
    (call, request["params"]["_meta"]["progressToken"].clone())
}

fn progress(stage: &mut Stage, token: &Value) {
    stage.notified("notifications/progress", &json!({"progressToken": token, "progress": 1}));
}

fn progress_seen(stage: &mut Stage) -> usize {
    stage.take().iter().filter(|saw| matches!(saw, Saw::Progressed { .. })).count()
}

#[test]
fn a_token_is_sent_only_when_progress_is_wanted_and_no_two_calls_share_one() {
    let mut stage = Stage::ready(legacy());
    let (_, first) = called(&mut stage, wanting_progress());
    let (_, second) = called(&mut stage, wanting_progress());
    let (_, none) = called(&mut stage, CallOptions::default());
    assert!(first.is_u64() && second.is_u64() && first != second);
    assert_eq!(none, Value::Null);
}

#[test]
fn progress_comes_with_the_call_and_the_applications_own_number() {
    let mut stage = Stage::ready(legacy());
    called(&mut stage, wanting_progress());
    let (call, token) = called(&mut stage, wanting_progress());
    stage.take();
    progress(&mut stage, &token);
    let saw = stage.take();
    let Some(Saw::Progressed { call: of, tag, params }) = saw.last() else { panic!("{saw:?}") };
    assert_eq!((*of, *tag > 0), (call.call, true));
    assert_eq!(params["progress"], 1);
}

#[test]
fn progress_resets_the_time_only_where_that_was_chosen() {
    let mut stage = Stage::ready(legacy());
    let (plain, token) = called(&mut stage, wanting_progress());
    stage.pass(ms(99));
    progress(&mut stage, &token);
    stage.pass(ms(1));
    assert_eq!(stage.status(plain), Status::Timeout);

    let (resetting, token) = called(&mut stage, resetting());
    for _ in 0..5 {
        stage.pass(ms(99));
        progress(&mut stage, &token);
    }
    assert_eq!(stage.reply(resetting), None);
    stage.pass(ms(100));
    assert_eq!(stage.status(resetting), Status::Timeout);

    let timeouts = Timeouts { reset_on_progress: true, ..Timeouts::default() };
    let mut stage = Stage::ready(Settings { timeouts, ..legacy() });
    let (by_config, token) = called(&mut stage, wanting_progress());
    stage.pass(ms(99));
    progress(&mut stage, &token);
    stage.pass(ms(99));
    assert_eq!(stage.reply(by_config), None);
}

#[test]
fn no_amount_of_progress_takes_a_call_over_its_total() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions { max_total: Some(ms(250)), ..resetting() };
    let (call, token) = called(&mut stage, options);
    for _ in 0..2 {
        stage.pass(ms(90));
        progress(&mut stage, &token);
    }
    assert_eq!(stage.pass_to_deadline(), ms(70));
    assert_eq!(stage.status(call), Status::Timeout);
    assert!(stage.error(call).message.contains("raise max_total_ms"));
}

#[test]
fn a_flood_of_progress_leaves_nothing_behind() {
    let mut stage = Stage::ready(legacy());
    stage.call_with("tools/list", CallOptions { timeout: Some(ms(1)), ..CallOptions::default() });
    stage.sent();
    let options = CallOptions { max_total: Some(ms(150)), ..resetting() };
    let (_, token) = called(&mut stage, options);
    for step in 0..1000 {
        stage.now += std::time::Duration::from_micros(step % 2);
        progress(&mut stage, &token);
    }
    assert!(stage.engine.deadlines.len() <= 80, "{} deadlines", stage.engine.deadlines.len());
    stage.now += ms(99);
    for _ in 0..1000 {
        progress(&mut stage, &token);
    }
    assert!(stage.engine.deadlines.len() <= 80, "{} deadlines", stage.engine.deadlines.len());
}

#[test]
fn there_is_no_progress_after_the_outcome() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", wanting_progress());
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
    progress(&mut stage, &request["params"]["_meta"]["progressToken"]);
    assert_eq!(progress_seen(&mut stage), 0);
    assert_eq!((stage.counters().notifications, stage.counters().ignored_progress), (1, 1));
}

#[test]
fn tokens_that_belong_to_nobody_are_ignored_and_counted() {
    let mut stage = Stage::ready(legacy());
    let (silent, _) = called(&mut stage, CallOptions::default());
    let (call, _) = called(&mut stage, wanting_progress());
    let wrong = [json!(silent.call), json!(call.call + 1), json!(-1), json!(1.5), json!(null), json!({})];
    stage.take();
    for token in &wrong {
        progress(&mut stage, token);
    }
    stage.text(r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#);
    stage.text(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#);
    assert_eq!(progress_seen(&mut stage), 0);
    assert_eq!(stage.counters().ignored_progress, wrong.len() as u64 + 2);
}

#[test]
fn a_call_that_waits_for_a_connection_makes_no_progress() {
    let mut stage = Stage::opened(legacy());
    let call = stage.call_with("tools/call", resetting());
    progress(&mut stage, &json!(call.call));
    assert_eq!(progress_seen(&mut stage), 0);
    stage.pass(ms(100));
    assert_eq!(stage.status(call), Status::Timeout);
}
