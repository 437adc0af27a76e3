//! What a new connection is told again, because the server kept it for the connection before.

use super::stage::{Saw, Stage, legacy, modern};
use crate::engine::{CallOptions, Settings, Status};
use serde_json::{Value, json};

/// Makes a call that the server grants.
fn granted(stage: &mut Stage, method: &str, params: &Value) {
    let options = CallOptions::default();
    let call = stage.try_call(method, Some(&params.to_string()), &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
}

fn back_again(stage: &mut Stage) {
    stage.lose("it died");
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
}

#[test]
fn the_log_level_and_the_live_subscriptions_are_restored_before_any_call_is_sent() {
    let mut stage = Stage::ready(Settings { wait_when_unavailable: true, ..legacy() });
    granted(&mut stage, "logging/setLevel", &json!({"level": "info"}));
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    for uri in ["file:///a", "file:///b"] {
        granted(&mut stage, "resources/subscribe", &json!({"uri": uri}));
    }
    granted(&mut stage, "resources/unsubscribe", &json!({"uri": "file:///a"}));
    stage.lose("it died");
    stage.call("tools/list");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let sent: Vec<(Value, Value)> =
        stage.sent().iter().map(|frame| (frame["method"].clone(), frame["params"].clone())).collect();
    assert_eq!(
        sent,
        [
            (json!("notifications/initialized"), Value::Null),
            (json!("logging/setLevel"), json!({"level": "debug"})),
            (json!("resources/subscribe"), json!({"uri": "file:///b"})),
            (json!("tools/list"), Value::Null),
        ]
    );
}

#[test]
fn what_the_server_did_not_grant_is_not_restored() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions::default();
    stage.try_call("resources/subscribe", Some(r#"{"uri":"file:///a"}"#), &options).expect("accepted");
    let request = stage.sent_one();
    stage.refuse(&request, -32602, &Value::Null);
    back_again(&mut stage);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
}

#[test]
fn the_answer_to_what_is_restored_goes_to_nobody_and_a_refusal_is_logged() {
    let mut stage = Stage::ready(legacy());
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    granted(&mut stage, "resources/subscribe", &json!({"uri": "file:///a"}));
    back_again(&mut stage);
    let sent = stage.sent();
    stage.take();
    stage.answer(&sent[1], &json!({}));
    stage.refuse(&sent[2], -32602, &Value::Null);
    let saw = stage.take();
    let [Saw::Logged(record)] = saw.as_slice() else { panic!("{saw:?}") };
    assert_eq!(record.event, "connection.restore_failed");
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (0, 0));
    assert!(stage.engine.exchanges.all().len() == 0);
}

#[test]
fn a_modern_server_keeps_nothing_so_nothing_is_restored() {
    let mut stage = Stage::ready(modern());
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    back_again(&mut stage);
    assert_eq!(stage.sent(), Vec::<Value>::new());
}
