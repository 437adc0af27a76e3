//! Requests of the server, and every way one can end.

use super::stage::{Saw, Stage, declaring, legacy, modern, ms};
use crate::engine::{RequestAnswer, Settings, State, Status};
use crate::protocol::Revision;
use serde_json::{Value, json};

fn open_hearted() -> Settings {
    declaring(legacy(), &json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}}))
}

fn asked(stage: &mut Stage, id: &Value, method: &str) {
    stage.frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"x": 1}}));
}

/// Has the server ask something that the application has to answer, and gives the key.
fn key_of(stage: &mut Stage, id: &Value) -> u64 {
    asked(stage, id, "sampling/createMessage");
    match stage.take().pop() {
        Some(Saw::Asked { key, .. }) => key,
        other => panic!("{other:?}"),
    }
}

fn respond(stage: &mut Stage, key: u64) -> Result<(), Status> {
    let outcome = stage.engine.respond(stage.now, key, RequestAnswer::Result("{\r\n\"done\" :\n\ttrue\n}"));
    stage.pass(ms(0));
    outcome.map_err(|error| error.status)
}

#[test]
fn a_ping_is_answered_at_once_with_the_id_it_came_with() {
    let mut stage = Stage::ready(legacy());
    for id in [json!(7), json!("seven"), json!(-1)] {
        asked(&mut stage, &id, "ping");
        assert_eq!(stage.sent_one(), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    assert_eq!(stage.counters().server_requests, 3);
}

#[test]
fn a_ping_is_answered_before_the_answer_to_initialize_too() {
    let mut stage = Stage::opened(legacy());
    stage.sent();
    asked(&mut stage, &json!(1), "ping");
    assert_eq!(stage.sent_one()["result"], json!({}));
    assert_eq!(stage.engine.state(), State::Initializing);
}

#[test]
fn what_the_application_has_not_enabled_is_refused_as_not_found() {
    let mut stage = Stage::ready(legacy());
    for method in ["sampling/createMessage", "elicitation/create", "roots/list", "initialize", "made/up"] {
        asked(&mut stage, &json!("q"), method);
        let answer = stage.sent_one();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("q"), &json!(-32601)), "{method}");
    }
    assert_eq!(stage.counters().refused_requests, 5);
    assert_eq!(stage.engine.unanswered(), 0);
}

#[test]
fn what_this_revision_did_not_let_us_declare_is_refused_as_well() {
    let settings = declaring(Settings::default(), &json!({"elicitation": {}}));
    let mut stage = Stage::ready_at(Revision::V2025_03_26, settings.clone());
    asked(&mut stage, &json!(1), "elicitation/create");
    assert_eq!(stage.sent_one()["error"]["code"], -32601);
    let mut stage = Stage::ready_at(Revision::V2025_06_18, settings);
    asked(&mut stage, &json!(1), "elicitation/create");
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert_eq!(stage.engine.unanswered(), 1);
}

#[test]
fn a_declared_request_goes_to_the_application_and_its_answer_to_the_server() {
    let mut stage = Stage::ready(open_hearted());
    asked(&mut stage, &json!("a-1"), "sampling/createMessage");
    let saw = stage.take();
    let Some(Saw::Asked { key, method, params, .. }) = saw.last() else { panic!("{saw:?}") };
    assert_eq!((method.as_str(), params), ("sampling/createMessage", &json!({"x": 1})));
    assert_eq!(respond(&mut stage, *key), Ok(()));
    assert_eq!(stage.sent_one(), json!({"jsonrpc": "2.0", "id": "a-1", "result": {"done": true}}));
    assert_eq!(stage.engine.unanswered(), 0);
}

#[test]
fn the_application_may_refuse() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!(3));
    let answer = RequestAnswer::Error { code: -1, message: "the user said no", data: Some("[\n1]") };
    stage.engine.respond(stage.now, key, answer).expect("the request is open");
    stage.pass(ms(0));
    assert_eq!(
        stage.sent_one(),
        json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -1, "message": "the user said no", "data": [1]}})
    );
}

#[test]
fn a_request_is_answered_once() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!(3));
    assert_eq!(respond(&mut stage, key), Ok(()));
    assert_eq!(respond(&mut stage, key), Err(Status::InvalidArgument));
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    assert_eq!(stage.sent().len(), 1);
    assert_eq!(respond(&mut stage, 4711), Err(Status::InvalidArgument));
}

#[test]
fn a_request_that_the_server_withdrew_gets_no_answer() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!("w"));
    let other = key_of(&mut stage, &json!("x"));
    stage.notified("notifications/cancelled", &json!({"requestId": "w", "reason": "too slow"}));
    let saw = stage.take();
    assert!(matches!(saw.last(), Some(Saw::Notified { .. })), "the application may stop working on it");
    assert_eq!(respond(&mut stage, key), Err(Status::Cancelled));
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert_eq!(respond(&mut stage, other), Ok(()));
}

#[test]
fn a_withdrawal_that_names_nothing_open_is_harmless() {
    let mut stage = Stage::ready(open_hearted());
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    let key = key_of(&mut stage, &json!(50));
    for params in [json!({"requestId": request["id"]}), json!({"requestId": "50"}), json!({}), json!(null)] {
        stage.notified("notifications/cancelled", &params);
    }
    assert_eq!(stage.reply(call), None, "the server cannot cancel a request of ours");
    assert_eq!(respond(&mut stage, key), Ok(()));
}

#[test]
fn a_request_does_not_outlive_its_connection() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!(1));
    stage.lose("it died");
    assert_eq!(respond(&mut stage, key), Err(Status::Transport));
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
    stage.sent();
    assert_eq!(respond(&mut stage, key), Err(Status::Transport), "nor is another connection answered");
    assert_eq!(stage.sent(), Vec::<Value>::new());

    let key = key_of(&mut stage, &json!(1));
    stage.close();
    assert_eq!(respond(&mut stage, key), Err(Status::Closed));
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

#[test]
fn the_library_answers_for_an_application_that_drops_a_request() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!("lost"));
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    let answer = stage.sent_one();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("lost"), &json!(-32603)));
    assert_eq!(respond(&mut stage, key), Err(Status::InvalidArgument));
}

#[test]
fn no_more_requests_wait_for_the_application_than_the_bound_allows() {
    let mut stage = Stage::ready(Settings { server_requests: 2, ..open_hearted() });
    let first = key_of(&mut stage, &json!(1));
    key_of(&mut stage, &json!(2));
    asked(&mut stage, &json!(3), "sampling/createMessage");
    assert_eq!(stage.sent_one()["error"]["code"], -32603);
    asked(&mut stage, &json!(4), "ping");
    assert_eq!(stage.sent_one()["result"], json!({}), "what the library answers itself is not held up");
    assert_eq!(stage.engine.unanswered(), 2);
    assert_eq!(respond(&mut stage, first), Ok(()));
    key_of(&mut stage, &json!(5));
    assert_eq!(stage.engine.unanswered(), 2);
}

#[test]
fn the_memory_of_requests_that_are_over_is_bounded() {
    let mut stage = Stage::ready(Settings { server_requests: 4, ..open_hearted() });
    for id in 0..2000 {
        let key = key_of(&mut stage, &json!(id));
        respond(&mut stage, key).expect("the request is open");
    }
    assert_eq!(
        stage.engine.requests.remembered(),
        4 + crate::engine::client::server_requests::pending::BETWEEN_READS
    );
}

#[test]
fn static_roots_are_answered_without_the_application() {
    let roots = Some(r#"{"roots":[{"uri":"file:///work"}]}"#.to_owned());
    let mut stage = Stage::ready(Settings { roots: roots.clone(), ..open_hearted() });
    asked(&mut stage, &json!(9), "roots/list");
    assert_eq!(stage.sent_one()["result"], json!({"roots": [{"uri": "file:///work"}]}));
    assert_eq!(stage.engine.unanswered(), 0);

    let mut stage = Stage::ready(open_hearted());
    asked(&mut stage, &json!(9), "roots/list");
    assert_eq!(stage.engine.unanswered(), 1, "without static ones the application is asked");

    let mut stage = Stage::ready(Settings { roots, ..legacy() });
    asked(&mut stage, &json!(9), "roots/list");
    assert_eq!(stage.sent_one()["error"]["code"], -32601, "roots that were not declared do not exist");
}

#[test]
fn a_modern_server_has_nothing_to_ask_and_is_not_answered() {
    let mut stage = Stage::ready(declaring(modern(), &json!({"sampling": {}})));
    asked(&mut stage, &json!(1), "sampling/createMessage");
    asked(&mut stage, &json!(2), "ping");
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert!(!stage.take().iter().any(|saw| matches!(saw, Saw::Asked { .. })));
    assert_eq!((stage.counters().violations, stage.engine.unanswered()), (2, 0));
}

#[test]
fn a_call_can_be_made_while_a_request_waits_for_its_answer() {
    let mut stage = Stage::ready(open_hearted());
    let key = key_of(&mut stage, &json!(1));
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": []}));
    assert_eq!(stage.status(call), Status::Ok);
    assert_eq!(respond(&mut stage, key), Ok(()));
}

#[test]
fn an_elicitation_in_a_mode_that_was_not_declared_is_refused() {
    let mut stage = Stage::ready(declaring(legacy(), &json!({"elicitation": {}})));
    stage.frame(&json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"mode": "url", "message": "m"}}));
    assert_eq!(stage.sent_one()["error"]["code"], -32602);
    stage.frame(
        &json!({"jsonrpc": "2.0", "id": 2, "method": "elicitation/create", "params": {"message": "m"}}),
    );
    assert!(stage.sent().is_empty(), "a form reaches the application");
    assert_eq!(stage.counters().refused_requests, 1);
}

#[test]
fn a_request_whose_id_is_over_a_kibibyte_is_dropped_and_counted() {
    let mut stage = Stage::ready(declaring(legacy(), &json!({"sampling": {}})));
    for method in ["sampling/createMessage", "ping", "made/up"] {
        let id = "x".repeat(1023);
        stage.take();
        stage.frame(&json!({"jsonrpc": "2.0", "id": id, "method": method}));
        assert_eq!((stage.sent(), stage.engine.unanswered()), (Vec::<Value>::new(), 0), "{method}");
        assert!(!stage.take().iter().any(|saw| matches!(saw, Saw::Asked { .. })));
    }
    assert_eq!(stage.counters().violations, 3);
    // With its quotes this one has exactly 1024 bytes.
    stage.frame(&json!({"jsonrpc": "2.0", "id": "x".repeat(1022), "method": "ping"}));
    assert_eq!(stage.sent_one()["id"].as_str().map(str::len), Some(1022));
}
