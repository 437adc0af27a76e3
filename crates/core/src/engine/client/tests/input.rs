//! Servers that need input before they answer a call: modern ones by `inputRequests`, those of 2025-11-25 by pages to visit
//! (-32042).

use super::stage::{Made, Saw, Stage, declaring, modern, ms};
use crate::engine::{CallOptions, RequestAnswer, Settings, Status, ToolModes};
use crate::protocol::Revision;
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
    let outcome = stage.engine.respond(stage.now, key, RequestAnswer::Result(answer));
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
    let _first_of_all = call(&mut stage);
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
            let answer = RequestAnswer::Error { code: -1, message: "User rejected", data: None };
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

const REQUIRED: i64 = -32042;

fn with_url_elicitation() -> Settings {
    declaring(Settings::default(), &json!({"elicitation": {"form": {}, "url": {}}}))
}

fn ready(settings: Settings) -> Stage {
    Stage::ready_at(Revision::V2025_11_25, settings)
}

fn call_pay(stage: &mut Stage) -> (Made, Value) {
    let params = Some(r#"{"name":"pay","arguments":{"n":1.50}}"#);
    let made = stage.try_call("tools/call", params, &CallOptions::default()).expect("accepted");
    (made, stage.sent_one())
}

fn page(id: &str) -> Value {
    json!({"mode": "url", "elicitationId": id, "url": format!("https://example.com/{id}"), "message": "Please"})
}

fn pages(ids: &[&str]) -> Value {
    json!({"elicitations": ids.iter().map(|id| page(id)).collect::<Vec<_>>(), "own": 1})
}

/// The keys of what the application was asked, in order, with the ids of the pages.
fn asked_pages(stage: &mut Stage) -> Vec<(u64, String)> {
    let mut keys = Vec::new();
    for saw in stage.take() {
        if let Saw::Asked { key, method, params, .. } = saw {
            assert_eq!(method, "elicitation/create");
            assert_eq!((&params["mode"], &params["message"]), (&json!("url"), &json!("Please")));
            keys.push((key, params["elicitationId"].as_str().expect("an id").to_owned()));
        }
    }
    keys
}

fn respond_page(stage: &mut Stage, key: u64, action: &str) -> Result<(), Status> {
    let answer = json!({ "action": action }).to_string();
    let outcome = stage.engine.respond(stage.now, key, RequestAnswer::Result(&answer));
    stage.pass(ms(0));
    outcome.map_err(|error| error.status)
}

fn complete(stage: &mut Stage, id: &str) {
    stage.notified("notifications/elicitation/complete", &json!({ "elicitationId": id }));
}

#[test]
fn the_call_is_sent_again_when_every_page_is_agreed_to() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a", "b", "a"]));
    let keys = asked_pages(&mut stage);
    assert_eq!(keys.iter().map(|(_, id)| id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(respond_page(&mut stage, keys[1].0, "accept"), Ok(()));
    assert!(stage.sent().is_empty(), "not before every page");
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Ok(()));
    let again = stage.sent_one();
    assert_ne!(again["id"], first["id"]);
    assert_eq!((&again["method"], &again["params"]), (&first["method"], &first["params"]));
    stage.answer(&again, &json!({"paid": true}));
    assert_eq!(stage.result(made)["paid"], true);
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Err(Status::InvalidArgument), "answered once");
    let Some(Ok(body)) = stage.reply(made) else { panic!("a result") };
    assert!(body.asked, "what came of it is the application's alone");
}

#[test]
fn the_word_of_the_server_counts_as_an_answer() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    complete(&mut stage, "never heard of");
    assert!(stage.sent().is_empty());
    complete(&mut stage, "a");
    let handed_on = stage.take().iter().filter(|saw| matches!(saw, Saw::Notified { .. })).count();
    assert_eq!(handed_on, 2, "the application hears of both");
    let again = stage.sent_one();
    let late = stage.engine.respond(stage.now, keys[0].0, RequestAnswer::Result(r#"{"action":"accept"}"#));
    let late = late.expect_err("the server wants no answer any more");
    assert_eq!(late.status, Status::Cancelled);
    assert!(late.message.contains("notifications/elicitation/complete"), "{}", late.message);
    complete(&mut stage, "a");
    assert!(stage.sent().is_empty(), "said twice, meant once");
    stage.answer(&again, &json!({}));
    assert_eq!(stage.status(made), Status::Ok);
    complete(&mut stage, "a");
    assert_eq!(stage.engine.unanswered(), 0);
}

#[test]
fn a_page_agreed_to_that_is_not_done_with_is_waited_for() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Ok(()));
    let second = stage.sent_one();
    stage.refuse(&second, REQUIRED, &pages(&["a", "b"]));
    let keys = asked_pages(&mut stage);
    assert_eq!(keys.len(), 1, "the same page is asked for once");
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Ok(()));
    assert!(stage.sent().is_empty());
    stage.pass(ms(60_000));
    assert!(stage.reply(made).is_none(), "a person takes longer than a call may");
    complete(&mut stage, "a");
    let third = stage.sent_one();
    complete(&mut stage, "b");
    assert!(stage.sent().is_empty(), "the call is under way");
    stage.refuse(&third, REQUIRED, &pages(&["b"]));
    let fourth = stage.sent_one();
    assert!(asked_pages(&mut stage).is_empty(), "that page was done with meanwhile");
    stage.answer(&fourth, &json!({"n": 4}));
    assert_eq!(stage.result(made)["n"], 4);
}

#[test]
fn a_page_that_is_never_done_with_ends_in_the_total_time() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    respond_page(&mut stage, keys[0].0, "accept").expect("answered");
    let second = stage.sent_one();
    stage.refuse(&second, REQUIRED, &pages(&["a"]));
    stage.pass(ms(600_000));
    assert_eq!(stage.status(made), Status::Timeout);
    let message = &stage.error(made).message;
    assert!(message.contains("did not say that the page"), "{message}");

    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    stage.pass(ms(600_000));
    assert!(stage.error(made).message.contains("did not answer what the server asked"));
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Err(Status::Cancelled));
}

#[test]
fn what_is_not_agreed_to_leaves_the_servers_own_error() {
    for action in ["decline", "cancel"] {
        let mut stage = ready(with_url_elicitation());
        let (made, first) = call_pay(&mut stage);
        stage.refuse(&first, REQUIRED, &pages(&["a", "b"]));
        let keys = asked_pages(&mut stage);
        assert_eq!(respond_page(&mut stage, keys[0].0, action), Ok(()));
        let error = stage.error(made);
        assert_eq!((error.status, error.code), (Status::Server, Some(REQUIRED)));
        assert_eq!(error.details["elicitation"], action);
        assert!(error.data.as_deref().is_some_and(|data| data.contains(r#""own":1"#)));
        assert_eq!(respond_page(&mut stage, keys[1].0, "accept"), Err(Status::Cancelled));
        assert!(stage.sent().is_empty());
    }
}

#[test]
fn a_refusal_or_a_dropped_message_cancels_the_call() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    let refusal = RequestAnswer::Error { code: -1, message: "not today", data: None };
    stage.engine.respond(stage.now, keys[0].0, refusal).expect("answered");
    stage.pass(ms(0));
    assert_eq!(stage.status(made), Status::Cancelled);
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    stage.engine.abandon(stage.now, keys[0].0);
    stage.pass(ms(0));
    assert_eq!(stage.status(made), Status::Cancelled);
}

#[test]
fn without_the_mode_the_revision_or_a_page_it_is_an_error_with_its_data() {
    let forms = declaring(Settings::default(), &json!({"elicitation": {}}));
    for (revision, settings) in [
        (Revision::V2025_11_25, forms),
        (Revision::V2025_06_18, with_url_elicitation()),
        (Revision::V2026_07_28, with_url_elicitation()),
    ] {
        let mut stage = Stage::ready_at(revision, settings);
        let (made, first) = call_pay(&mut stage);
        stage.refuse(&first, REQUIRED, &pages(&["a"]));
        assert_eq!(stage.error(made).code, Some(REQUIRED), "{revision:?}");
        assert!(!stage.error(made).details.contains_key("not_visited"));
        assert!(asked_pages(&mut stage).is_empty());
    }
    let unsafe_page = json!({"elicitations": [page("a"), {"mode": "url", "elicitationId": "b", "url": "http://example.com"}]});
    for (data, why) in [
        (Value::Null, "names no elicitations"),
        (json!({"elicitations": []}), "names no elicitations"),
        (json!({"elicitations": [7]}), "no elicitationId"),
        (json!({"elicitations": [{"mode": "form", "elicitationId": "x"}]}), "not of mode url"),
        (unsafe_page, "https is needed"),
    ] {
        let mut stage = ready(with_url_elicitation());
        let (made, first) = call_pay(&mut stage);
        stage.refuse(&first, REQUIRED, &data);
        let told = stage.error(made).details["not_visited"].as_str().expect("why");
        assert!(told.contains(why), "{told}");
        assert!(asked_pages(&mut stage).is_empty(), "nothing is shown of an error with a bad part");
    }
}

#[test]
fn pages_and_rounds_are_bounded() {
    let mut stage = ready(Settings { server_requests: 2, ..with_url_elicitation() });
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a", "b", "c"]));
    assert!(
        stage.error(made).details["not_visited"].as_str().is_some_and(|why| why.contains("server_requests"))
    );
    let (made, mut request) = call_pay(&mut stage);
    for round in 0..8 {
        stage.refuse(&request, REQUIRED, &pages(&[&format!("page-{round}")]));
        let keys = asked_pages(&mut stage);
        respond_page(&mut stage, keys[0].0, "accept").expect("answered");
        request = stage.sent_one();
    }
    stage.refuse(&request, REQUIRED, &pages(&["one more"]));
    assert_eq!(stage.error(made).code, Some(REQUIRED));
    assert!(stage.error(made).details["not_visited"].as_str().is_some_and(|why| why.contains("8 times")));
}

#[test]
fn a_lost_connection_ends_the_call_and_what_was_asked_for_it() {
    let mut stage = ready(with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked_pages(&mut stage);
    stage.lose("it died");
    assert_eq!(stage.status(made), Status::Transport);
    assert_eq!(stage.error(made).details["sent"], true);
    assert_eq!(respond_page(&mut stage, keys[0].0, "accept"), Err(Status::Transport));
}

#[test]
fn a_stateful_call_keeps_its_turn_while_pages_are_visited() {
    let modes = Some(ToolModes { waiting: 9, secret: [1, 2] });
    let mut stage = ready(Settings { tool_modes: modes, ..with_url_elicitation() });
    let list = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [{"name": "pay", "mode": "stateful"}]}));
    assert_eq!(stage.status(list), Status::Ok);
    let (_, first) = call_pay(&mut stage);
    let params = Some(r#"{"name":"pay"}"#);
    stage.try_call("tools/call", params, &CallOptions::default()).expect("accepted");
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    assert!(stage.sent().is_empty());
    let keys = asked_pages(&mut stage);
    respond_page(&mut stage, keys[0].0, "accept").expect("answered");
    let again = stage.sent_one();
    assert_eq!(again["params"]["arguments"]["n"], 1.5);
    stage.answer(&again, &json!({}));
    assert!(stage.sent_one()["params"].get("arguments").is_none(), "the next one's turn");
}

#[test]
fn a_page_that_is_not_safe_is_refused_wherever_it_stands() {
    let bad = json!({"mode": "url", "elicitationId": "a", "url": "javascript:alert(1)", "message": "Please"});
    let mut stage = ready(with_url_elicitation());
    stage.frame(&json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": bad}));
    let refusal = stage.sent_one();
    assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&json!("q"), &json!(-32602)));
    assert!(
        refusal["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains("does not begin with http"))
    );
    assert!(asked_pages(&mut stage).is_empty());

    let mut stage = Stage::ready_at(Revision::V2026_07_28, with_url_elicitation());
    let (made, first) = call_pay(&mut stage);
    let inputs = json!({"a": {"method": "elicitation/create", "params": bad}});
    stage.answer(&first, &json!({"resultType": "input_required", "inputRequests": inputs}));
    assert_eq!(stage.status(made), Status::Protocol);
    assert!(stage.error(made).message.contains("not safe"), "{}", stage.error(made).message);

    let mut stage = ready(Settings { any_page: true, ..with_url_elicitation() });
    stage.frame(&json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": bad}));
    assert_eq!(asked_pages(&mut stage).len(), 1, "the application said it looks itself");
}
