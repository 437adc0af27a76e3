//! What is counted, and the times of requests.

use super::stage::{Stage, settings};
use crate::engine::server::{Histogram, Outcome};
use serde_json::json;
use std::time::Duration;

/// How many times were counted, and their sum in milliseconds.
fn of(histogram: &Histogram) -> (u64, u64) {
    (histogram.count(), histogram.micros() / 1000)
}

#[test]
fn waiting_ends_when_the_application_takes_a_request_and_handling_when_it_answers() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let request = stage.run().request;
    assert_eq!(of(&stage.server.timing().waiting), (0, 0), "it waits");
    stage.advance(Duration::from_millis(30));
    stage.server.begun(stage.now.at, request);
    stage.advance(Duration::from_millis(200));
    stage.respond(request, Outcome::Text("done"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((1, 30), (1, 200)));
    // What is over is counted no more.
    stage.server.begun(stage.now.at, request);
    stage.respond(request, Outcome::Text("again"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((1, 30), (1, 200)));
}

#[test]
fn a_handler_that_runs_again_waited_from_the_answer_of_its_client_on() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let request = stage.run().request;
    stage.server.begun(stage.now.at, request);
    stage.server.ask(request, "k", "elicitation/create", super::stage::QUESTION);
    stage.server.dropped(stage.now, request);
    let question = stage.sent().remove(0);
    // A person thinks: neither waiting nor work of the server.
    stage.advance(Duration::from_secs(20));
    let answer = json!({ "action": "accept", "content": { "name": "x" } });
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }));
    assert_eq!(stage.run().request, request);
    stage.advance(Duration::from_millis(40));
    stage.server.begun(stage.now.at, request);
    stage.advance(Duration::from_millis(5));
    stage.respond(request, Outcome::Text("done"));
    let timing = stage.server.timing();
    assert_eq!((of(&timing.waiting), of(&timing.handling)), ((2, 40), (1, 5)));
}

#[test]
fn each_answer_is_a_result_or_an_error() {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (1, 0);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let before = stage.server.counters();
    let call = || json!({ "name": "add", "arguments": { "a": 1 } });
    stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    stage.ask_legacy(session, json!(2), "tools/call", call());
    stage.ask_legacy(session, json!(3), "tools/call", call());
    stage.ask_legacy(session, json!(4), "no/such", json!({}));
    let request = stage.run().request;
    stage.respond(request, Outcome::Text("done"));
    stage.ask_legacy(session, json!(5), "tools/call", call());
    let request = stage.run().request;
    stage.respond(request, Outcome::Result(r#"{"content":[]}"#));
    let after = stage.server.counters();
    assert_eq!(after.requests - before.requests, 5);
    assert_eq!((after.results - before.results, after.errors - before.errors), (3, 2));
    assert_eq!((after.busy, after.sessions_opened, after.sessions_ended), (1, 1, 0));
    stage.server.close(session);
    stage.server.close(session);
    assert_eq!(stage.server.counters().sessions_ended, 1);
}
