//! Servers of the modern era that answer a call with what they need to know first.

use super::stage::{Made, Saw, Stage, declaring, modern, ms};
use crate::engine::{Answer, CallOptions, Settings, Status};
use serde_json::{Value, json};

fn asking() -> Settings {
    declaring(modern(), &json!({"elicitation": {}, "sampling": {}}))
}

fn call(stage: &mut Stage) -> (Made, Value) {
    let made = stage
        .try_call("tools/call", Some(r#"{"name":"book","arguments":{"seat":1}}"#), &CallOptions::default())
        .expect("accepted");
    (made, stage.sent_one())
}

fn required(inputs: &Value, state: Option<&str>) -> Value {
    let mut result = json!({"resultType": "input_required", "inputRequests": inputs});
    if let Some(state) = state {
        result["requestState"] = state.into();
    }
    result
}

fn ask() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "Sure?"}})
}

/// The keys of what the application was asked, in order.
fn asked(stage: &mut Stage) -> Vec<u64> {
    let mut keys = Vec::new();
    for saw in stage.take() {
        if let Saw::Asked { key, method, params, .. } = saw {
            assert_eq!(method, "elicitation/create");
            assert_eq!(params["message"], "Sure?");
            keys.push(key);
        }
    }
    keys
}

fn respond(stage: &mut Stage, key: u64, answer: &str) -> Result<(), Status> {
    let outcome = stage.engine.respond(stage.now, key, Answer::Result(answer));
    stage.pass(ms(0));
    outcome.map_err(|error| error.status)
}

#[test]
fn the_call_is_sent_again_with_the_answers_the_state_and_a_new_id() {
    let mut stage = Stage::ready(asking());
    let (made, first) = call(&mut stage);
    let state = "opaque \u{1f511} \"state\"";
    stage.answer(&first, &required(&json!({"a\"b": ask(), "c": ask()}), Some(state)));
    let keys = asked(&mut stage);
    assert_eq!(keys.len(), 2);
    assert_eq!(respond(&mut stage, keys[1], r#"{"action":"decline"}"#), Ok(()));
    assert!(stage.sent().is_empty(), "not before every answer is there");
    assert_eq!(respond(&mut stage, keys[0], r#"{"action":"accept","content":{"x":1}}"#), Ok(()));
    let again = stage.sent_one();
    assert_ne!(again["id"], first["id"]);
    assert_eq!(again["method"], "tools/call");
    assert_eq!(again["params"]["name"], "book");
    assert_eq!(again["params"]["arguments"], json!({"seat": 1}));
    assert_eq!(again["params"]["requestState"], state);
    assert_eq!(
        again["params"]["inputResponses"],
        json!({"a\"b": {"action": "accept", "content": {"x": 1}}, "c": {"action": "decline"}})
    );
    assert_eq!(again["params"]["_meta"], first["params"]["_meta"]);
    stage.answer(&again, &json!({"resultType": "complete", "x": 1}));
    assert_eq!(stage.result(made)["x"], 1);
    assert_eq!(respond(&mut stage, keys[0], "{}"), Err(Status::InvalidArgument), "answered once");
}

#[test]
fn a_request_for_input_names_the_call_that_waits_for_it() {
    let mut stage = Stage::ready(asking());
    let (made, first) = call(&mut stage);
    stage.answer(&first, &required(&json!({"a": ask()}), None));
    let calls: Vec<u64> = stage
        .take()
        .into_iter()
        .filter_map(|saw| if let Saw::Asked { call, .. } = saw { Some(call) } else { None })
        .collect();
    assert_eq!(calls, [made.call]);
}

#[test]
fn a_second_round_carries_nothing_of_the_first() {
    let mut stage = Stage::ready(asking());
    let (made, first) = call(&mut stage);
    stage.answer(&first, &required(&json!({"a": ask()}), Some("one")));
    let key = asked(&mut stage)[0];
    respond(&mut stage, key, "{}").expect("open");
    let second = stage.sent_one();
    stage.answer(&second, &required(&json!({"b": ask()}), None));
    let key = asked(&mut stage)[0];
    respond(&mut stage, key, "{}").expect("open");
    let third = stage.sent_one();
    assert_eq!(third["params"]["inputResponses"], json!({"b": {}}));
    assert_eq!(third["params"].get("requestState"), None);
    stage.answer(&third, &json!({}));
    assert_eq!(stage.status(made), Status::Ok, "a result without a type is complete");
}

#[test]
fn state_alone_is_sent_back_at_once() {
    for declared in [asking(), modern()] {
        let mut stage = Stage::ready(declared);
        let (made, first) = call(&mut stage);
        stage.answer(&first, &json!({"resultType": "input_required", "requestState": "s"}));
        let again = stage.sent_one();
        assert_eq!(again["params"]["requestState"], "s");
        assert_eq!(again["params"].get("inputResponses"), None);
        stage.answer(&again, &json!({"resultType": "complete", "x": 1}));
        assert_eq!(stage.result(made)["x"], 1);
    }
}

#[test]
fn static_roots_are_answered_by_the_library() {
    let roots = json!({"roots": [{"uri": "file:///a"}]});
    let settings = Settings {
        roots: Some(roots.to_string()),
        ..declaring(modern(), &json!({"roots": {}, "elicitation": {}}))
    };
    let mut stage = Stage::ready(settings);
    let (_, first) = call(&mut stage);
    stage.answer(&first, &required(&json!({"r": {"method": "roots/list"}}), None));
    assert_eq!(stage.sent_one()["params"]["inputResponses"], json!({"r": roots}));
}

#[test]
fn what_a_server_may_not_ask_ends_the_call_as_a_violation() {
    let undeclared = json!({"method": "roots/list"});
    for result in [
        json!({"resultType": "input_required"}),
        json!({"resultType": "input_required", "inputRequests": [], "requestState": 1}),
        required(&json!({"a": ask(), "b": undeclared}), Some("s")),
        required(&json!({"a": {"method": "tools/list"}}), None),
        required(&json!({"a": 7}), None),
    ] {
        let mut stage = Stage::ready(asking());
        let (made, first) = call(&mut stage);
        stage.answer(&first, &result);
        assert_eq!(stage.status(made), Status::Protocol, "{result}");
        assert!(asked(&mut stage).is_empty() && stage.engine.unanswered() == 0, "{result}");
        assert_eq!(stage.counters().violations, 1);
    }
    let mut stage = Stage::ready(asking());
    let made = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &required(&json!({"a": ask()}), None));
    assert_eq!(stage.status(made), Status::Protocol, "a list asks nothing");
    let mut stage = Stage::ready(modern());
    let (made, first) = call(&mut stage);
    stage.answer(&first, &required(&json!({"a": ask()}), None));
    assert_eq!(stage.status(made), Status::Protocol, "nothing was declared");
    let message = &stage.error(made).message;
    assert!(message.contains("'elicitation/create', which this client has not declared"), "{message}");
}

#[test]
fn a_server_cannot_ask_for_ever() {
    let mut stage = Stage::ready(modern());
    let (made, mut request) = call(&mut stage);
    let mut rounds = 0;
    while stage.reply(made).is_none() {
        stage.answer(&request, &json!({"resultType": "input_required", "requestState": "s"}));
        rounds += 1;
        request = stage.sent().pop().unwrap_or_default();
    }
    assert_eq!(rounds, 9);
    assert!(stage.error(made).message.contains("more than 8 times"));
}

#[test]
fn a_refused_or_dropped_input_ends_the_call() {
    for refused in [true, false] {
        let mut stage = Stage::ready(asking());
        let (made, first) = call(&mut stage);
        stage.answer(&first, &required(&json!({"a": ask(), "b": ask()}), None));
        let keys = asked(&mut stage);
        if refused {
            let answer = Answer::Error { code: -1, message: "User rejected", data: None };
            stage.engine.respond(stage.now, keys[0], answer).expect("open");
        } else {
            stage.engine.abandon(stage.now, keys[0]);
        }
        stage.pass(ms(0));
        assert_eq!(stage.status(made), Status::Cancelled);
        assert!(stage.sent().is_empty(), "the server waits for nothing");
        assert_eq!(respond(&mut stage, keys[1], "{}"), Err(Status::Cancelled), "no longer wanted");
        assert_eq!(stage.engine.unanswered(), 0);
    }
}

#[test]
fn the_person_may_take_longer_than_the_server_but_not_for_ever() {
    let mut stage = Stage::ready(asking());
    let options =
        CallOptions { timeout: Some(ms(100)), max_total: Some(ms(10_000)), ..CallOptions::default() };
    let made = stage.try_call("tools/call", Some("{}"), &options).expect("accepted");
    let first = stage.sent_one();
    stage.answer(&first, &required(&json!({"a": ask()}), None));
    let key = asked(&mut stage)[0];
    stage.pass(ms(5_000));
    assert!(stage.reply(made).is_none());
    respond(&mut stage, key, "{}").expect("open");
    stage.sent_one();
    stage.pass(ms(100));
    assert_eq!(stage.status(made), Status::Timeout, "the server has its own time again");

    let made = stage.try_call("tools/call", Some("{}"), &options).expect("accepted");
    let first = stage.sent().pop().expect("sent");
    stage.take();
    stage.answer(&first, &required(&json!({"a": ask()}), None));
    let key = asked(&mut stage)[0];
    stage.pass(ms(10_000));
    assert_eq!(stage.status(made), Status::Timeout);
    assert_eq!(respond(&mut stage, key, "{}"), Err(Status::Cancelled));
}

#[test]
fn what_was_asked_ends_with_the_call_the_connection_and_the_client() {
    for end in 0..3 {
        let mut stage = Stage::ready(asking());
        let (made, first) = call(&mut stage);
        stage.answer(&first, &required(&json!({"a": ask()}), None));
        let key = asked(&mut stage)[0];
        let status = match end {
            0 => {
                stage.cancel(made, "");
                Status::Cancelled
            }
            1 => {
                stage.lose("the server exited");
                Status::Transport
            }
            _ => {
                stage.close();
                Status::Closed
            }
        };
        assert_eq!(stage.status(made), status);
        assert!(respond(&mut stage, key, "{}").is_err());
        assert_eq!(stage.engine.unanswered(), 0);
        assert_eq!(stage.engine.waiting_bytes(), 0);
    }
}

#[test]
fn an_input_in_a_mode_that_was_not_declared_ends_the_call() {
    let mut stage = Stage::ready(declaring(modern(), &json!({"elicitation": {"form": {}}})));
    let call = stage.try_call("tools/call", Some("{}"), &CallOptions::default()).expect("accepted");
    let request = stage.sent_one();
    let asked = json!({"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "https://a"}});
    stage.answer(&request, &json!({"resultType": "input_required", "inputRequests": {"a": asked}}));
    assert_eq!(stage.status(call), Status::Protocol);
    assert!(stage.error(call).message.contains("mode"), "{}", stage.error(call).message);
}
