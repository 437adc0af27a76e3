//! Calls that the server has no place for.

use super::stage::{Made, Stage, initialized_at, legacy, ms};
use crate::engine::{CallOptions, Settings, Status, Wire};
use serde_json::{Value, json};

const TOOL: Option<&str> = Some(r#"{"name":"slow","arguments":{"n":1}}"#);

fn ready(wire: Wire) -> Stage {
    let mut stage = Stage::opened(Settings { wire, ..legacy() });
    let request = stage.sent().pop().expect("a handshake request");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    stage.sent();
    stage
}

fn call(stage: &mut Stage) -> Made {
    stage.try_call("tools/call", TOOL, &CallOptions::default()).expect("accepted")
}

fn busy(stage: &mut Stage, request: &Value) {
    stage.refuse(request, -32010, &json!({ "retryable": true, "limit": "limits.session_requests" }));
}

/// A client that makes many calls of a server with this many places: all succeed. Gives how many requests were sent, and how often
/// one went out while the server had no place.
fn plays(stage: &mut Stage, calls: usize, places: usize) -> (usize, usize) {
    let made: Vec<Made> = (0..calls).map(|_| call(stage)).collect();
    let (mut sent, mut refused) = (0, 0);
    let mut at_work: Vec<Value> = Vec::new();
    for _ in 0..10_000 {
        for request in stage.sent() {
            sent += 1;
            assert_eq!(request["params"]["name"], "slow", "the whole request is sent again: {request}");
            if at_work.len() < places {
                at_work.push(request);
            } else {
                refused += 1;
                busy(stage, &request);
            }
        }
        if at_work.is_empty() {
            break;
        }
        let first = at_work.remove(0);
        stage.answer(&first, &json!({ "content": [] }));
    }
    for made in made {
        assert!(stage.reply(made).expect("it has ended").is_ok());
    }
    (sent, refused)
}

#[test]
fn a_thousand_calls_of_a_server_with_few_places_all_succeed() {
    for wire in [Wire::Http, Wire::Stream] {
        let mut stage = ready(wire);
        // Over one stream the first calls are not kept: such a server has places for them.
        let (sent, refused) = plays(&mut stage, 1000, 70);
        assert!(refused >= 930 && sent < 2 * 1000 + 100, "{sent} requests, {refused} refused");
        // From then on it goes out as before.
        assert_eq!(plays(&mut stage, 60, 70), (60, 0));
    }
}

#[test]
fn a_call_waits_and_is_sent_again_where_no_other_is_under_way() {
    let mut stage = ready(Wire::Http);
    let first = call(&mut stage);
    let request = stage.sent_one();
    busy(&mut stage, &request);
    let second = call(&mut stage);
    assert!(stage.sent().is_empty(), "the second one waits behind the first");
    let mut waits = Vec::new();
    let request = loop {
        waits.push(stage.pass_to_deadline());
        let request = stage.sent_one();
        if waits.len() == 4 {
            break request;
        }
        busy(&mut stage, &request);
    };
    assert!(waits[0] <= ms(100) && waits[3] >= ms(300), "{waits:?}");
    stage.answer(&request, &json!({ "content": [] }));
    assert!(stage.reply(first).expect("it has ended").is_ok());
    let request = stage.sent_one();
    stage.answer(&request, &json!({ "content": [] }));
    assert!(stage.reply(second).expect("it has ended").is_ok());
}

#[test]
fn a_call_without_a_place_ends_with_its_time_and_says_why() {
    let mut stage = ready(Wire::Http);
    let options = CallOptions { timeout: Some(ms(200)), ..CallOptions::default() };
    let made = stage.try_call("tools/call", TOOL, &options).expect("accepted");
    for _ in 0..10 {
        for request in stage.sent() {
            busy(&mut stage, &request);
        }
        if stage.reply(made).is_some() {
            break;
        }
        stage.pass_to_deadline();
    }
    let error = stage.reply(made).expect("it has ended").as_ref().expect_err("no place");
    assert_eq!(error.status, Status::Timeout);
    assert!(error.message.contains("no place") && error.retryable, "{error:?}");
    assert_eq!(error.details["sent"], false);
}

#[test]
fn a_refusal_that_says_nothing_of_later_ends_the_call() {
    let mut stage = ready(Wire::Http);
    for (data, retryable) in
        [(json!({ "retryable": false, "limit": "limits.queue_bytes" }), false), (json!({}), false)]
    {
        let made = call(&mut stage);
        let request = stage.sent_one();
        stage.refuse(&request, -32010, &data);
        let error = stage.reply(made).expect("it has ended").as_ref().expect_err("refused");
        assert_eq!(
            (error.status, error.code, error.retryable),
            (Status::Backpressure, Some(-32010), retryable)
        );
    }
}

#[test]
fn calls_that_were_held_back_go_to_the_next_connection() {
    let mut stage = ready(Wire::Http);
    let held = [call(&mut stage), call(&mut stage)];
    let requests = stage.sent();
    busy(&mut stage, &requests[0]);
    let made = call(&mut stage);
    stage.lose("gone");
    assert!(stage.reply(held[1]).expect("it has ended").is_err(), "the server may be doing it");
    stage.come_back();
    stage.open();
    let request = stage.sent().pop().expect("a handshake request");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    assert_eq!(stage.sent().iter().filter(|request| request["method"] == "tools/call").count(), 2);
    assert!(stage.reply(held[0]).is_none() && stage.reply(made).is_none());
}
