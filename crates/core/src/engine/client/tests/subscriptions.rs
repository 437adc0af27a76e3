//! Change notifications of the modern era, by streams that the library opens, changes and opens again.

use super::stage::{Made, Saw, Stage, discovery, modern, ms};
use crate::engine::{CallOptions, Feature, Retry, Settings, Status};
use serde_json::{Value, json};

const KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// A ready connection to a modern server that has changes of tools to tell, and of resources.
fn ready(settings: Settings) -> Stage {
    let mut stage = Stage::opened(settings);
    shake_hands(&mut stage);
    stage
}

fn shake_hands(stage: &mut Stage) {
    let request = stage.sent().pop().expect("a probe");
    let mut result = discovery();
    result["capabilities"] =
        json!({"tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true}});
    stage.answer(&request, &result);
}

/// The stream that is being opened, with what it asks for.
fn opening(stage: &mut Stage) -> Value {
    let request = stage.sent().into_iter().find(|frame| frame["method"] == "subscriptions/listen");
    request.expect("a stream is opened")
}

fn acknowledge(stage: &mut Stage, listen: &Value, granted: &Value) {
    let params = json!({"_meta": {KEY: listen["id"]}, "notifications": granted});
    stage.notified("notifications/subscriptions/acknowledged", &params);
}

/// Grants all that was asked for.
fn grant(stage: &mut Stage, listen: &Value) {
    acknowledge(stage, listen, &listen["params"]["notifications"].clone());
}

fn change(stage: &mut Stage, listen: &Value) -> usize {
    stage.take();
    stage.notified("notifications/tools/list_changed", &json!({"_meta": {KEY: listen["id"]}}));
    stage.take().iter().filter(|saw| matches!(saw, Saw::Notified { .. })).count()
}

fn feature(stage: &mut Stage, method: &str, uri: &str) -> Made {
    let options = CallOptions { feature: Feature::Plain, ..CallOptions::default() };
    stage.try_call(method, Some(&json!({ "uri": uri }).to_string()), &options).expect("accepted")
}

#[test]
fn every_change_that_the_server_has_is_asked_for_at_once() {
    let mut stage = ready(modern());
    let listen = opening(&mut stage);
    assert_eq!(listen["params"]["notifications"], json!({"toolsListChanged": true}));
    assert!(listen["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string());
    stage.take();
    grant(&mut stage, &listen);
    assert!(
        !stage.take().iter().any(|saw| matches!(saw, Saw::Notified { .. })),
        "the acknowledgement is the library's"
    );
    assert_eq!(stage.engine.listening(), Some(r#"{"toolsListChanged":true}"#));
    assert_eq!(change(&mut stage, &listen), 1);
}

#[test]
fn nothing_is_asked_for_where_that_was_chosen_or_nothing_is_there() {
    let mut stage = ready(Settings { change_notifications: false, ..modern() });
    assert!(stage.sent().is_empty());
    let mut stage = Stage::ready(modern());
    assert!(stage.sent().is_empty(), "this server has no changes to tell");
}

#[test]
fn a_subscription_waits_for_its_acknowledgement_and_closes_the_stream_before() {
    let mut stage = ready(modern());
    let first = opening(&mut stage);
    grant(&mut stage, &first);
    let call = feature(&mut stage, "resources/subscribe", "file:///a");
    let second = stage.sent_one();
    assert_eq!(
        second["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]})
    );
    assert!(stage.reply(call).is_none(), "not acknowledged yet");
    assert_eq!(change(&mut stage, &first), 1, "the old stream still counts");
    grant(&mut stage, &second);
    assert_eq!(stage.result(call), json!({}));
    let cancelled = stage.sent_one();
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &first["id"])
    );
    assert_eq!((change(&mut stage, &first), change(&mut stage, &second)), (0, 1), "no change comes twice");

    let call = feature(&mut stage, "resources/unsubscribe", "file:///a");
    let third = stage.sent_one();
    assert_eq!(third["params"]["notifications"], json!({"toolsListChanged": true}));
    grant(&mut stage, &third);
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn the_last_subscription_that_ends_leaves_no_stream() {
    let mut stage = ready(Settings { change_notifications: false, ..modern() });
    let call = feature(&mut stage, "resources/subscribe", "file:///a");
    let listen = stage.sent_one();
    grant(&mut stage, &listen);
    assert_eq!(stage.status(call), Status::Ok);
    let call = feature(&mut stage, "resources/unsubscribe", "file:///a");
    assert_eq!(stage.sent_one()["params"]["requestId"], listen["id"]);
    assert_eq!(stage.status(call), Status::Ok);
    assert!(stage.engine.exchanges.all().len() == 0);
    let call = feature(&mut stage, "resources/unsubscribe", "file:///never");
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn subscriptions_made_at_once_share_the_next_stream() {
    let mut stage = ready(modern());
    let first = opening(&mut stage);
    grant(&mut stage, &first);
    let calls: Vec<Made> = ["a", "b", "c"].map(|uri| feature(&mut stage, "resources/subscribe", uri)).into();
    let second = stage.sent_one();
    assert_eq!(second["params"]["notifications"]["resourceSubscriptions"], json!(["a"]));
    grant(&mut stage, &second);
    let third = opening(&mut stage);
    let mut uris: Vec<Value> =
        third["params"]["notifications"]["resourceSubscriptions"].as_array().expect("a list").clone();
    uris.sort_by_key(ToString::to_string);
    assert_eq!(uris, [json!("a"), json!("b"), json!("c")]);
    assert_eq!(stage.status(calls[0]), Status::Ok);
    assert!(stage.reply(calls[1]).is_none());
    grant(&mut stage, &third);
    assert_eq!((stage.status(calls[1]), stage.status(calls[2])), (Status::Ok, Status::Ok));
}

#[test]
fn what_the_server_does_not_grant_is_unsupported_and_not_asked_for_again() {
    let mut stage = ready(modern());
    let call = feature(&mut stage, "resources/subscribe", "file:///secret");
    let first = opening(&mut stage);
    grant(&mut stage, &first);
    let second = opening(&mut stage);
    acknowledge(&mut stage, &second, &json!({"toolsListChanged": true}));
    assert_eq!(stage.status(call), Status::Unsupported);
    assert!(stage.error(call).message.contains("file:///secret"));
    assert_eq!(stage.error(call).details["uri"], "file:///secret");
    stage.lose("it died");
    stage.come_back();
    stage.open();
    shake_hands(&mut stage);
    assert_eq!(opening(&mut stage)["params"]["notifications"], json!({"toolsListChanged": true}));
}

#[test]
fn a_refused_stream_ends_what_waits_for_it_and_is_not_tried_again() {
    let mut stage = ready(Settings { change_notifications: false, ..modern() });
    let call = feature(&mut stage, "resources/subscribe", "a");
    let listen = stage.sent_one();
    stage.refuse(&listen, -32601, &Value::Null);
    assert_eq!(stage.status(call), Status::Unsupported);
    assert!(stage.error(call).message.contains("-32601"));
    stage.pass(ms(100_000));
    assert!(stage.sent().is_empty());
}

#[test]
fn a_stream_that_is_lost_before_it_opens_is_asked_for_again() {
    use crate::engine::client::settings::Wire;
    use crate::engine::{Error, ExchangeFailure, FailureKind};

    for (kind, is_asked_again) in [(FailureKind::Lost, true), (FailureKind::Refused, false)] {
        let mut stage = ready(Settings { wire: Wire::Http, ..modern() });
        let listen = opening(&mut stage);
        let error = Error::new(Status::Transport, "subscriptions/listen", "lost");
        let failure = ExchangeFailure { kind, error, http: None, spoken: None };
        stage.fail(listen["id"].as_u64().expect("an id"), failure);
        assert!(stage.sent().is_empty(), "not at once");
        stage.pass(ms(100_000));
        let asked = stage.sent().iter().any(|frame| frame["method"] == "subscriptions/listen");
        assert_eq!(asked, is_asked_again, "{kind:?}");
    }
}

#[test]
fn a_stream_that_ends_is_opened_again_after_waits_that_grow() {
    let mut stage = ready(modern());
    let mut waits = Vec::new();
    let before = stage.engine.freshness();
    for number in 0..3 {
        let listen = opening(&mut stage);
        grant(&mut stage, &listen);
        stage.sent();
        if number % 2 == 0 {
            stage.answer(&listen, &json!({"_meta": {KEY: listen["id"]}}));
        } else {
            stage.notified("notifications/cancelled", &json!({"requestId": listen["id"]}));
        }
        assert!(stage.sent().is_empty(), "not at once");
        let from = stage.now;
        while stage.sent.is_empty() {
            stage.pass_to_deadline();
        }
        waits.push(stage.now - from);
    }
    assert!(waits[1] > waits[0] && waits[2] > waits[1], "{waits:?}");
    assert_eq!(stage.engine.freshness(), before + 3, "changes may have been missed");
    assert_eq!(stage.counters().late_answers, 0);
}

#[test]
fn a_stream_that_is_opened_during_the_wait_for_the_next_one_is_that_one() {
    let mut stage = ready(modern());
    let listen = opening(&mut stage);
    grant(&mut stage, &listen);
    stage.answer(&listen, &json!({"_meta": {KEY: listen["id"]}}));
    let call = feature(&mut stage, "resources/subscribe", "file:///a");
    let listen = opening(&mut stage);
    grant(&mut stage, &listen);
    assert_eq!(stage.status(call), Status::Ok);
    stage.pass(ms(100_000));
    assert!(stage.sent().is_empty(), "a second stream was opened");
}

#[test]
fn over_http_what_a_replaced_stream_was_told_last_may_be_missed() {
    use crate::engine::client::settings::Wire;

    for (wire, missed) in [(Wire::Stream, 0), (Wire::Http, 1)] {
        let mut stage = ready(Settings { wire, ..modern() });
        let first = opening(&mut stage);
        grant(&mut stage, &first);
        feature(&mut stage, "resources/subscribe", "a");
        let second = opening(&mut stage);
        let before = stage.engine.freshness();
        grant(&mut stage, &second);
        assert_eq!(stage.engine.freshness(), before + missed, "{wire:?}");
    }
}

#[test]
fn the_end_of_a_stream_that_was_closed_is_no_late_answer_of_a_call() {
    let mut stage = ready(modern());
    let first = opening(&mut stage);
    grant(&mut stage, &first);
    feature(&mut stage, "resources/subscribe", "a");
    let second = opening(&mut stage);
    grant(&mut stage, &second);
    stage.take();
    stage.notified("notifications/cancelled", &json!({"requestId": first["id"]}));
    assert!(!stage.take().iter().any(|saw| matches!(saw, Saw::Notified { .. })));
}

#[test]
fn subscriptions_outlive_the_connection() {
    let mut stage = ready(modern());
    let listen = opening(&mut stage);
    grant(&mut stage, &listen);
    feature(&mut stage, "resources/subscribe", "a");
    let listen = opening(&mut stage);
    grant(&mut stage, &listen);
    stage.lose("it died");
    stage.come_back();
    stage.open();
    shake_hands(&mut stage);
    let again = opening(&mut stage);
    assert_eq!(again["params"]["notifications"]["resourceSubscriptions"], json!(["a"]));
    assert_eq!(change(&mut stage, &again), 0, "not acknowledged yet");
}

#[test]
fn a_subscription_under_way_when_the_connection_is_lost_ends_or_begins_anew() {
    for (retry, sent) in [(Retry::Never, false), (Retry::Safe, true)] {
        let mut stage = ready(Settings { change_notifications: false, retry, ..modern() });
        let call = feature(&mut stage, "resources/subscribe", "a");
        stage.lose("it died");
        assert_eq!(stage.reply(call).is_none(), sent);
        stage.come_back();
        stage.open();
        shake_hands(&mut stage);
        assert_eq!(!stage.sent.is_empty(), sent);
        if sent {
            let listen = opening(&mut stage);
            grant(&mut stage, &listen);
            assert_eq!(stage.status(call), Status::Ok);
        } else {
            assert_eq!(stage.status(call), Status::Transport);
        }
    }
}

#[test]
fn a_subscription_that_ran_out_of_time_is_not_kept() {
    let mut stage = ready(Settings { change_notifications: false, ..modern() });
    let call = feature(&mut stage, "resources/subscribe", "a");
    let listen = stage.sent_one();
    stage.pass(ms(30_000));
    assert_eq!(stage.status(call), Status::Timeout);
    assert!(stage.error(call).message.contains("did not acknowledge"));
    grant(&mut stage, &listen);
    let call = feature(&mut stage, "resources/subscribe", "b");
    let next = opening(&mut stage);
    assert_eq!(next["params"]["notifications"]["resourceSubscriptions"], json!(["b"]));
    grant(&mut stage, &next);
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn streams_of_the_application_are_its_own() {
    let mut stage = Stage::ready(modern());
    let call =
        stage.try_call("subscriptions/listen", Some(r#"{"notifications":{}}"#), &CallOptions::default());
    let call = call.expect("accepted");
    let listen = stage.sent_one();
    stage.take();
    acknowledge(&mut stage, &listen, &json!({}));
    assert_eq!(change(&mut stage, &listen), 1);
    stage.answer(&listen, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn a_change_that_belongs_to_no_stream_is_dropped_and_counted() {
    use crate::engine::client::settings::Wire;
    use crate::protocol::Revision;

    let told = |stage: &mut Stage, method: &str, params: &Value| {
        let violations = stage.counters().violations;
        stage.take();
        stage.notified(method, params);
        let handed_on = stage.take().iter().any(|saw| matches!(saw, Saw::Notified { .. }));
        assert_ne!(handed_on, stage.counters().violations > violations, "{method} {params}: one of both");
        handed_on
    };
    let mut stage = ready(modern());
    let listen = opening(&mut stage);
    grant(&mut stage, &listen);
    let id = listen["id"].as_u64().expect("a number");
    let strays =
        [json!({}), json!({"_meta": {}}), json!({"_meta": {KEY: id + 40}}), json!({"_meta": {KEY: {}}})];
    for list in ["tools", "prompts", "resources"] {
        let method = format!("notifications/{list}/list_changed");
        for params in &strays {
            assert!(!told(&mut stage, &method, params), "{method} {params}");
        }
        assert!(told(&mut stage, &method, &json!({"_meta": {KEY: id}})));
        assert!(
            told(&mut stage, &method, &json!({"_meta": {KEY: id.to_string()}})),
            "as the reference writes it"
        );
    }
    assert!(told(&mut stage, "notifications/message", &json!({"level": "info", "data": 1})), "no change");

    let mut stage = Stage::ready(Settings { wire: Wire::Http, ..modern() });
    assert!(told(&mut stage, "notifications/tools/list_changed", &json!({})), "a stream of its own");
    let mut stage = Stage::ready_at(Revision::LATEST_LEGACY, super::stage::legacy());
    assert!(told(&mut stage, "notifications/tools/list_changed", &json!({})), "legacy has no subscriptions");
}
