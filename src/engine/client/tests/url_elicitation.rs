//! Pages that a server of 2025-11-25 wants visited before it answers a call (-32042).

use super::stage::{Made, Saw, Stage, declaring, ms};
use crate::engine::{Answer, CallOptions, Settings, Status, ToolModes};
use crate::protocol::Revision;
use serde_json::{Value, json};

const REQUIRED: i64 = -32042;

fn asking() -> Settings {
    declaring(Settings::default(), &json!({"elicitation": {"form": {}, "url": {}}}))
}

fn ready(settings: Settings) -> Stage {
    Stage::ready_at(Revision::V2025_11_25, settings)
}

fn call(stage: &mut Stage) -> (Made, Value) {
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
fn asked(stage: &mut Stage) -> Vec<(u64, String)> {
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

fn respond(stage: &mut Stage, key: u64, action: &str) -> Result<(), Status> {
    let answer = json!({ "action": action }).to_string();
    let outcome = stage.engine.respond(stage.now, key, Answer::Result(&answer));
    stage.pass(ms(0));
    outcome.map_err(|error| error.status)
}

fn complete(stage: &mut Stage, id: &str) {
    stage.notified("notifications/elicitation/complete", &json!({ "elicitationId": id }));
}

#[test]
fn the_call_is_sent_again_when_every_page_is_agreed_to() {
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a", "b", "a"]));
    let keys = asked(&mut stage);
    assert_eq!(keys.iter().map(|(_, id)| id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(respond(&mut stage, keys[1].0, "accept"), Ok(()));
    assert!(stage.sent().is_empty(), "not before every page");
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Ok(()));
    let again = stage.sent_one();
    assert_ne!(again["id"], first["id"]);
    assert_eq!((&again["method"], &again["params"]), (&first["method"], &first["params"]));
    stage.answer(&again, &json!({"paid": true}));
    assert_eq!(stage.result(made)["paid"], true);
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Err(Status::InvalidArgument), "answered once");
    let Some(Ok(body)) = stage.reply(made) else { panic!("a result") };
    assert!(body.asked, "what came of it is the application's alone");
}

#[test]
fn the_word_of_the_server_counts_as_an_answer() {
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    complete(&mut stage, "never heard of");
    assert!(stage.sent().is_empty());
    complete(&mut stage, "a");
    let handed_on = stage.take().iter().filter(|saw| matches!(saw, Saw::Notified { .. })).count();
    assert_eq!(handed_on, 2, "the application hears of both");
    let again = stage.sent_one();
    let late = stage.engine.respond(stage.now, keys[0].0, Answer::Result(r#"{"action":"accept"}"#));
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
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Ok(()));
    let second = stage.sent_one();
    stage.refuse(&second, REQUIRED, &pages(&["a", "b"]));
    let keys = asked(&mut stage);
    assert_eq!(keys.len(), 1, "the same page is asked for once");
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Ok(()));
    assert!(stage.sent().is_empty());
    stage.pass(ms(60_000));
    assert!(stage.reply(made).is_none(), "a person takes longer than a call may");
    complete(&mut stage, "a");
    let third = stage.sent_one();
    complete(&mut stage, "b");
    assert!(stage.sent().is_empty(), "the call is under way");
    stage.refuse(&third, REQUIRED, &pages(&["b"]));
    let fourth = stage.sent_one();
    assert!(asked(&mut stage).is_empty(), "that page was done with meanwhile");
    stage.answer(&fourth, &json!({"n": 4}));
    assert_eq!(stage.result(made)["n"], 4);
}

#[test]
fn a_page_that_is_never_done_with_ends_in_the_total_time() {
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    respond(&mut stage, keys[0].0, "accept").expect("answered");
    let second = stage.sent_one();
    stage.refuse(&second, REQUIRED, &pages(&["a"]));
    stage.pass(ms(600_000));
    assert_eq!(stage.status(made), Status::Timeout);
    let message = &stage.error(made).message;
    assert!(message.contains("did not say that the page"), "{message}");

    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    stage.pass(ms(600_000));
    assert!(stage.error(made).message.contains("did not answer what the server asked"));
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Err(Status::Cancelled));
}

#[test]
fn what_is_not_agreed_to_leaves_the_servers_own_error() {
    for action in ["decline", "cancel"] {
        let mut stage = ready(asking());
        let (made, first) = call(&mut stage);
        stage.refuse(&first, REQUIRED, &pages(&["a", "b"]));
        let keys = asked(&mut stage);
        assert_eq!(respond(&mut stage, keys[0].0, action), Ok(()));
        let error = stage.error(made);
        assert_eq!((error.status, error.code), (Status::Server, Some(REQUIRED)));
        assert_eq!(error.details["elicitation"], action);
        assert!(error.data.as_deref().is_some_and(|data| data.contains(r#""own":1"#)));
        assert_eq!(respond(&mut stage, keys[1].0, "accept"), Err(Status::Cancelled));
        assert!(stage.sent().is_empty());
    }
}

#[test]
fn a_refusal_or_a_dropped_message_cancels_the_call() {
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    let refusal = Answer::Error { code: -1, message: "not today", data: None };
    stage.engine.respond(stage.now, keys[0].0, refusal).expect("answered");
    stage.pass(ms(0));
    assert_eq!(stage.status(made), Status::Cancelled);
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    stage.engine.abandon(stage.now, keys[0].0);
    stage.pass(ms(0));
    assert_eq!(stage.status(made), Status::Cancelled);
}

#[test]
fn without_the_mode_the_revision_or_a_page_it_is_an_error_with_its_data() {
    let forms = declaring(Settings::default(), &json!({"elicitation": {}}));
    for (revision, settings) in
        [(Revision::V2025_11_25, forms), (Revision::V2025_06_18, asking()), (Revision::V2026_07_28, asking())]
    {
        let mut stage = Stage::ready_at(revision, settings);
        let (made, first) = call(&mut stage);
        stage.refuse(&first, REQUIRED, &pages(&["a"]));
        assert_eq!(stage.error(made).code, Some(REQUIRED), "{revision:?}");
        assert!(!stage.error(made).details.contains_key("not_visited"));
        assert!(asked(&mut stage).is_empty());
    }
    let unsafe_page = json!({"elicitations": [page("a"), {"mode": "url", "elicitationId": "b", "url": "http://example.com"}]});
    for (data, why) in [
        (Value::Null, "names no elicitations"),
        (json!({"elicitations": []}), "names no elicitations"),
        (json!({"elicitations": [7]}), "no elicitationId"),
        (json!({"elicitations": [{"mode": "form", "elicitationId": "x"}]}), "not of mode url"),
        (unsafe_page, "https is needed"),
    ] {
        let mut stage = ready(asking());
        let (made, first) = call(&mut stage);
        stage.refuse(&first, REQUIRED, &data);
        let told = stage.error(made).details["not_visited"].as_str().expect("why");
        assert!(told.contains(why), "{told}");
        assert!(asked(&mut stage).is_empty(), "nothing is shown of an error with a bad part");
    }
}

#[test]
fn pages_and_rounds_are_bounded() {
    let mut stage = ready(Settings { server_requests: 2, ..asking() });
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a", "b", "c"]));
    assert!(
        stage.error(made).details["not_visited"].as_str().is_some_and(|why| why.contains("server_requests"))
    );
    let (made, mut request) = call(&mut stage);
    for round in 0..8 {
        stage.refuse(&request, REQUIRED, &pages(&[&format!("page-{round}")]));
        let keys = asked(&mut stage);
        respond(&mut stage, keys[0].0, "accept").expect("answered");
        request = stage.sent_one();
    }
    stage.refuse(&request, REQUIRED, &pages(&["one more"]));
    assert_eq!(stage.error(made).code, Some(REQUIRED));
    assert!(stage.error(made).details["not_visited"].as_str().is_some_and(|why| why.contains("8 times")));
}

#[test]
fn a_lost_connection_ends_the_call_and_what_was_asked_for_it() {
    let mut stage = ready(asking());
    let (made, first) = call(&mut stage);
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    let keys = asked(&mut stage);
    stage.lose("it died");
    assert_eq!(stage.status(made), Status::Transport);
    assert_eq!(stage.error(made).details["sent"], true);
    assert_eq!(respond(&mut stage, keys[0].0, "accept"), Err(Status::Transport));
}

#[test]
fn a_stateful_call_keeps_its_turn_while_pages_are_visited() {
    let modes = Some(ToolModes { waiting: 9, secret: [1, 2] });
    let mut stage = ready(Settings { tool_modes: modes, ..asking() });
    let list = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [{"name": "pay", "mode": "stateful"}]}));
    assert_eq!(stage.status(list), Status::Ok);
    let (_, first) = call(&mut stage);
    let params = Some(r#"{"name":"pay"}"#);
    stage.try_call("tools/call", params, &CallOptions::default()).expect("accepted");
    stage.refuse(&first, REQUIRED, &pages(&["a"]));
    assert!(stage.sent().is_empty());
    let keys = asked(&mut stage);
    respond(&mut stage, keys[0].0, "accept").expect("answered");
    let again = stage.sent_one();
    assert_eq!(again["params"]["arguments"]["n"], 1.5);
    stage.answer(&again, &json!({}));
    assert!(stage.sent_one()["params"].get("arguments").is_none(), "the next one's turn");
}

#[test]
fn a_page_that_is_not_safe_is_refused_wherever_it_stands() {
    let bad = json!({"mode": "url", "elicitationId": "a", "url": "javascript:alert(1)", "message": "Please"});
    let mut stage = ready(asking());
    stage.frame(&json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": bad}));
    let refusal = stage.sent_one();
    assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&json!("q"), &json!(-32602)));
    assert!(
        refusal["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains("neither http nor https"))
    );
    assert!(asked(&mut stage).is_empty());

    let mut stage = Stage::ready_at(Revision::V2026_07_28, asking());
    let (made, first) = call(&mut stage);
    let inputs = json!({"a": {"method": "elicitation/create", "params": bad}});
    stage.answer(&first, &json!({"resultType": "input_required", "inputRequests": inputs}));
    assert_eq!(stage.status(made), Status::Protocol);
    assert!(stage.error(made).message.contains("not safe"), "{}", stage.error(made).message);

    let mut stage = ready(Settings { any_page: true, ..asking() });
    stage.frame(&json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": bad}));
    assert_eq!(asked(&mut stage).len(), 1, "the application said it looks itself");
}
