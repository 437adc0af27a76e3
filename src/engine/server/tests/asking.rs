//! Questions to the client: one handler, five revisions.

use super::stage::{Stage, code, settings};
use crate::engine::Status;
use crate::engine::server::{Answer, Asked, Caching, Effect, Outcome, Outgone, RequestId, SessionId, Stream};
use serde_json::{Value, json};
use std::time::Duration;

const FORM: &str = r#"{"message":"Name?","requestedSchema":{"type":"object","properties":{}}}"#;

/// A handler that asks two questions, one after the other, and keeps how far it came.
fn handler(stage: &mut Stage, request: RequestId) -> Option<String> {
    let first = stage.server.ask(request, "name", "elicitation/create", FORM);
    let Asked::Answered(Answer::Result(name)) = first else {
        assert_eq!(first, Asked::Pending);
        return None;
    };
    stage.server.set_state(request, "\"second\"");
    let second = stage.server.ask(request, "roots", "roots/list", "{}");
    let Asked::Answered(Answer::Result(roots)) = second else {
        assert_eq!(second, Asked::Pending);
        return None;
    };
    Some(format!("{name}{roots}"))
}

fn step(stage: &mut Stage) -> Vec<Value> {
    let run = stage.run();
    match handler(stage, run.request) {
        None => {
            stage.server.returned(stage.now, run.request);
            stage.sent()
        }
        Some(text) => {
            let result = json!({ "content": [{ "type": "text", "text": text }] }).to_string();
            stage.respond(run.request, Outcome::Result(&result)).1
        }
    }
}

const CALL: &str = "add";

pub(super) fn call() -> Value {
    json!({ "name": CALL, "arguments": { "a": 1 } })
}

#[test]
fn one_handler_asks_in_every_revision() {
    let accept = json!({ "action": "accept", "content": {} });
    let roots = json!({ "roots": [] });
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut stage = Stage::new(settings());
        let session = stage.legacy(revision, &json!({ "elicitation": {}, "roots": {} }));
        stage.ask_legacy(session, json!(1), "tools/call", call());
        let question = step(&mut stage);
        assert_eq!(question[0]["method"], "elicitation/create");
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": accept }));
        let question = step(&mut stage);
        assert_eq!(question[0]["method"], "roots/list");
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": roots }));
        let answer = step(&mut stage);
        assert_eq!(
            (&answer[0]["id"], answer[0]["result"]["content"][0]["text"].is_string()),
            (&json!(1), true)
        );
        assert_eq!(stage.server.open_counts()[1..], [0, 0, 0]);
    }
    // 2026-07-28: each round may reach another process.
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    stage.ask_modern(session, json!(1), "tools/call", call());
    let first = step(&mut stage);
    assert_eq!(first[0]["result"]["resultType"], "input_required");
    assert_eq!(first[0]["result"]["inputRequests"]["name"]["method"], "elicitation/create");
    assert_eq!(first[0]["result"].get("requestState"), None, "nothing is kept yet");
    assert_eq!(stage.server.open_counts()[1..], [0, 0, 0], "nothing waits for the client");
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let mut params = call();
    params["inputResponses"] = json!({ "name": accept });
    stage.ask_modern(session, json!(2), "tools/call", params);
    let second = step(&mut stage);
    let state = second[0]["result"]["requestState"].clone();
    assert!(state.is_string());
    assert_eq!(second[0]["result"].get("ttlMs"), None);
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let mut params = call();
    params["inputResponses"] = json!({ "roots": roots, "unknown": {} });
    params["requestState"] = state;
    stage.ask_modern(session, json!(3), "tools/call", params);
    assert_eq!(stage.server.state(stage.runs[0].request), Some("\"second\""));
    let last = step(&mut stage);
    assert_eq!(last[0]["result"]["resultType"], "complete");
}

pub(super) fn sealed(stage: &mut Stage, session: SessionId) -> String {
    let mut params = call();
    params["inputResponses"] = json!({ "name": { "action": "accept" } });
    stage.ask_modern(session, json!(2), "tools/call", params);
    let frames = step(stage);
    frames[0]["result"]["requestState"].as_str().expect("a state").to_owned()
}

#[test]
fn a_state_that_is_not_ours_is_refused() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let state = sealed(&mut stage, session);
    let with = |stage: &mut Stage, state: Value, change: &dyn Fn(&mut Value)| {
        let mut params = call();
        params["requestState"] = state;
        change(&mut params);
        stage.ask_modern(session, json!(3), "tools/call", params)
    };
    let mut flipped = state.clone().into_bytes();
    flipped[40] = if flipped[40] == b'A' { b'B' } else { b'A' };
    let flipped = String::from_utf8(flipped).expect("ASCII");
    for bad in [json!(flipped), json!(""), json!(7), json!(state[1..]), json!("x".repeat(100_000))] {
        assert_eq!(code(&with(&mut stage, bad, &|_| {})), -32602);
    }
    let empty = with(&mut stage, json!(""), &|_| {});
    let other_arguments = |params: &mut Value| params["arguments"] = json!({ "a": 2 });
    let other = with(&mut stage, json!(state), &other_arguments);
    assert_eq!(code(&other), -32602);
    assert_eq!(other[0]["error"], empty[0]["error"], "the reason is not told");
    let other_tool = |params: &mut Value| params["name"] = json!("typed");
    assert_eq!(code(&with(&mut stage, json!(state), &other_tool)), -32602);
    assert!(stage.runs.is_empty());
    // The right one is good, once.
    assert!(with(&mut stage, json!(state), &|_| {}).is_empty());
    let run = stage.run();
    stage.respond(run.request, Outcome::Failure("done"));
    assert_eq!(code(&with(&mut stage, json!(state), &|_| {})), -32602);
}

/// Numbers that the server reads and another parser may refuse: the state is bound to the arguments all the same.
#[test]
fn a_state_is_bound_to_the_arguments_whatever_stands_beside_them() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let with = |stage: &mut Stage, id: u64, params: Value, beside: &str| {
        let params = Stage::modern(params, &json!({ "elicitation": {}, "sampling": {}, "roots": {} }));
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        stage.raw(session, &message.replacen("\"params\":{", &format!("\"params\":{{\"x\":{beside},"), 1))
    };
    for (at, beside) in (10..).zip(["1e999", "\"\\ud800\"", "18446744073709551616"]) {
        let mut params = call();
        params["inputResponses"] = json!({ "name": { "action": "accept" } });
        with(&mut stage, at, params, beside);
        let frames = step(&mut stage);
        let state = frames[0]["result"]["requestState"].clone();
        let mut params = call();
        params["requestState"] = state;
        params["arguments"] = json!({ "a": 2 });
        assert_eq!(code(&with(&mut stage, at + 100, params, beside)), -32602, "{beside}");
    }
}

#[test]
fn a_state_expires() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let state = sealed(&mut stage, session);
    stage.advance(Duration::from_secs(601));
    let mut params = call();
    params["requestState"] = json!(state);
    assert_eq!(code(&stage.ask_modern(session, json!(3), "tools/call", params)), -32602);
}

#[test]
fn answers_that_are_no_objects_are_refused() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for responses in [json!(7), json!([]), json!({ "name": 7 }), json!({ "name": null })] {
        let mut params = call();
        params["inputResponses"] = responses;
        assert_eq!(code(&stage.ask_modern(session, json!(3), "tools/call", params)), -32602);
    }
}

#[test]
fn only_what_the_client_can_do_is_asked() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {}, "sampling": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let request = stage.run().request;
    let url = r#"{"mode":"url","url":"https://x","message":"m","elicitationId":"1"}"#;
    for (method, params, missing) in [
        ("roots/list", "{}", r#"{"roots":{}}"#),
        ("elicitation/create", url, r#"{"elicitation":{"url":{}}}"#),
        (
            "sampling/createMessage",
            r#"{"messages":[],"maxTokens":1,"tools":[]}"#,
            r#"{"sampling":{"tools":{}}}"#,
        ),
    ] {
        assert_eq!(stage.server.ask(request, "k", method, params), Asked::Unsupported(missing.to_owned()));
    }
    assert!(matches!(stage.server.ask(request, "k", "tools/list", "{}"), Asked::Refused(_)));
    assert!(matches!(stage.server.ask(request, "k", "elicitation/create", "7"), Asked::Refused(_)));
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", FORM), Asked::Pending);
    let old = stage.legacy("2025-03-26", &json!({ "elicitation": {} }));
    stage.ask_legacy(old, json!(1), "tools/call", call());
    let request = stage.run().request;
    assert!(matches!(stage.server.ask(request, "k", "elicitation/create", FORM), Asked::Unsupported(_)));
}

#[test]
fn a_question_that_is_not_answered_ends_and_its_handler_runs() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let question = step(&mut stage);
    let frames = stage.advance(Duration::from_secs(60));
    assert_eq!(frames[0]["method"], "notifications/cancelled");
    assert_eq!(frames[0]["params"]["requestId"], question[0]["id"]);
    let run = stage.run();
    assert_eq!(run.round, 1);
    let asked = stage.server.ask(run.request, "name", "elicitation/create", FORM);
    assert!(matches!(asked, Asked::Answered(Answer::Failed(_))), "{asked:?}");
    // Its answer comes after all.
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "action": "accept" } }),
    );
    assert!(stage.runs.is_empty());
    assert_eq!(stage.server.counters().late, 1);
}

#[test]
fn an_answer_of_another_session_or_of_the_wrong_shape_is_none() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    let other = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let question = step(&mut stage);
    stage.ask(other, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "action": "accept" } }));
    assert!(stage.runs.is_empty());
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "action": "perhaps" } }),
    );
    let run = stage.run();
    let asked = stage.server.ask(run.request, "name", "elicitation/create", FORM);
    assert!(matches!(asked, Asked::Answered(Answer::Failed(_))), "{asked:?}");
}

#[test]
fn questions_and_rounds_are_bounded() {
    let mut settings = settings();
    settings.limits.questions = 2;
    settings.limits.input_rounds = 1;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let request = stage.run().request;
    for (key, pending) in [("a", true), ("b", true), ("a", true), ("c", false)] {
        let asked = stage.server.ask(request, key, "elicitation/create", FORM);
        assert_eq!(asked == Asked::Pending, pending, "{key}: {asked:?}");
    }
    stage.server.returned(stage.now, request);
    for question in stage.sent() {
        stage.ask(
            session,
            &json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } }),
        );
    }
    let run = stage.run();
    assert!(matches!(stage.server.ask(run.request, "d", "elicitation/create", FORM), Asked::Refused(_)));
    let declined = Asked::Answered(Answer::Result(r#"{"action":"decline"}"#.into()));
    assert_eq!(stage.server.ask(run.request, "a", "elicitation/create", FORM), declined);
}

#[test]
fn a_cancelled_request_withdraws_its_questions() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let question = step(&mut stage);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let frames = stage.ask(session, &cancel);
    assert_eq!(frames[0]["params"]["requestId"], question[0]["id"]);
    assert_eq!(stage.server.open_counts()[1..], [0, 0, 0]);
}

/// Cancels a request whose run the application has not taken. Whether its handler ran before.
fn has_run(stage: &mut Stage, session: SessionId, id: u64) -> bool {
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    stage.server.frame(stage.now, Stream { session, number: 0 }, cancel.to_string().as_bytes());
    let Some(Effect::Withdrawn { is_known: true, has_run, .. }) = stage.server.effect() else {
        panic!("it was to be withdrawn");
    };
    has_run
}

/// A handler that ran before may have kept something for the request; one whose client repeats the request knows only the request
/// before.
#[test]
fn a_request_that_is_cancelled_between_its_runs_is_one_whose_handler_has_run() {
    let accept = json!({ "action": "accept", "content": {} });
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {}, "roots": {} }));
    stage.ask_legacy(session, json!(1), "tools/call", call());
    assert!(!has_run(&mut stage, session, 1), "its first run");
    stage.runs.clear();
    stage.ask_legacy(session, json!(2), "tools/call", call());
    let question = step(&mut stage);
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": accept }));
    assert!(has_run(&mut stage, session, 2), "its second run");

    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let mut params = call();
    params["inputResponses"] = json!({ "name": accept });
    stage.ask_modern(session, json!(3), "tools/call", params);
    assert_eq!(stage.runs[0].round, 1);
    assert!(!has_run(&mut stage, session, 3), "the request before was another one");
}

#[test]
fn three_methods_may_ask_in_the_modern_era() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    stage.server.complete_by("p", "who", "completer");
    let params = json!({ "name": "p", "uri": "x://handled", "arguments": { "who": "x" },
                         "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "who", "value": "" } });
    let mut tool = params.clone();
    tool["name"] = json!("typed");
    for (id, (method, params, may_ask)) in [
        ("tools/call", tool, true),
        ("prompts/get", params.clone(), true),
        ("resources/read", params.clone(), true),
        ("completion/complete", params.clone(), false),
    ]
    .into_iter()
    .enumerate()
    {
        stage.ask_modern(session, json!(id), method, params);
        let request = stage.run().request;
        let asked = stage.server.ask(request, "k", "roots/list", "{}");
        assert_eq!(asked == Asked::Pending, may_ask, "{method}: {asked:?}");
    }
    stage.ask_legacy(session, json!("l"), "completion/complete", params);
    let request = stage.run().request;
    assert_eq!(stage.server.ask(request, "k", "roots/list", "{}"), Asked::Pending);
}

#[test]
fn a_state_is_for_its_server() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let mut params = call();
    params["requestState"] = json!(sealed(&mut stage, session));
    let mut other = settings();
    other.audience = "https://other.example".to_owned();
    let mut other = Stage::new(other);
    let there = other.server.open(false).expect("a session");
    assert_eq!(code(&other.ask_modern(there, json!(3), "tools/call", params.clone())), -32602);
    assert!(stage.ask_modern(session, json!(3), "tools/call", params).is_empty());
}

#[test]
fn a_question_without_its_answer_is_asked_again() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for responses in [json!({}), json!({ "unknown": {} })] {
        let mut params = call();
        params["inputResponses"] = responses;
        stage.ask_modern(session, json!(3), "tools/call", params);
        let again = step(&mut stage);
        assert_eq!(again[0]["result"]["resultType"], "input_required");
        assert_eq!(again[0]["result"]["inputRequests"]["name"]["method"], "elicitation/create");
    }
}

#[test]
fn nothing_of_a_retry_may_be_kept() {
    let mut settings = settings();
    settings.caching = Caching { ttl_ms: 5000, public: true };
    let mut stage = Stage::new(settings);
    let session = stage.server.open(false).expect("a session");
    let mut read = |params: Value, ask: bool| {
        stage.ask_modern(session, json!(1), "resources/read", params);
        let request = stage.run().request;
        if ask {
            assert_eq!(stage.server.ask(request, "k", "roots/list", "{}"), Asked::Pending);
            stage.server.returned(stage.now, request);
            return stage.sent();
        }
        let result = r#"{"contents":[{"uri":"x://handled","text":""}],"ttlMs":7000,"cacheScope":"public"}"#;
        stage.respond(request, Outcome::Result(result)).1
    };
    let uri = "x://handled";
    assert_eq!(read(json!({ "uri": uri }), false)[0]["result"]["ttlMs"], 7000);
    let asked = read(json!({ "uri": uri }), true);
    assert_eq!(asked[0]["result"]["resultType"], "input_required");
    assert_eq!(asked[0]["result"].get("ttlMs"), None);
    let retried = read(json!({ "uri": uri, "inputResponses": { "k": { "roots": [] } } }), false);
    assert_eq!(retried[0]["result"]["resultType"], "complete");
    // The schema wants both hints of a resource, and neither the handler nor the configuration decides about a retry.
    assert_eq!(retried[0]["result"]["ttlMs"], 0);
    assert_eq!(retried[0]["result"]["cacheScope"], "private");
}

#[test]
fn a_modern_request_has_the_capabilities_that_it_says_and_not_those_of_the_one_before() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let large = json!({ "roots": {}, "experimental": { "x": "y".repeat(5000) } });
    let senders =
        [json!({ "roots": {} }), json!({ "roots": {} }), json!({}), large, json!({}), json!({ "roots": {} })];
    for (id, capabilities) in senders.iter().enumerate() {
        let params = Stage::modern(call(), capabilities);
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        let request = stage.run().request;
        let asked = stage.server.ask(request, "k", "roots/list", "{}");
        assert_eq!(asked == Asked::Pending, capabilities.get("roots").is_some(), "{id} {capabilities}");
    }
}

fn effects_of(stage: &mut Stage) -> Vec<Effect<&'static str>> {
    std::iter::from_fn(|| stage.server.effect()).collect()
}

#[test]
fn at_the_end_of_its_input_a_client_has_answered_all_that_it_will() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {}, "roots": {} }));
    let other = stage.legacy("2025-11-25", &json!({ "elicitation": {}, "roots": {} }));
    stage.ask_legacy(other, json!(2), "tools/call", call());
    let of_other = stage.run();
    stage.ask_legacy(session, json!(1), "tools/call", call());
    let run = stage.run();
    for request in [run.request, of_other.request] {
        assert_eq!(stage.server.ask(request, "name", "elicitation/create", FORM), Asked::Pending);
        stage.server.returned(stage.now, request);
    }
    let called = stage.server.call(stage.now, session, "roots/list", "{}", 7, None).expect("a call");
    stage.sent();
    stage.server.input_ended(stage.now, session);
    let effects = effects_of(&mut stage);
    let outcome = effects.iter().find_map(|effect| match effect {
        Effect::Called { call, tag, outcome, .. } => Some((*call, *tag, outcome.clone())),
        _ => None,
    });
    assert_eq!(outcome, Some((called, 7, Outgone::SessionEnded)));
    let runs =
        effects.iter().filter(|effect| matches!(effect, Effect::Run(again) if again.request == run.request));
    assert_eq!(runs.count(), 1, "and that of the other client waits on: {effects:?}");
    let failed = |asked: Asked| match asked {
        Asked::Answered(Answer::Failed(why)) => assert!(why.contains("has ended its input"), "{why}"),
        other => panic!("{other:?}"),
    };
    failed(stage.server.ask(run.request, "name", "elicitation/create", FORM));
    // What it asks from now on is not sent, and fails as soon as it has returned.
    assert_eq!(stage.server.ask(run.request, "roots", "roots/list", "{}"), Asked::Pending);
    stage.server.returned(stage.now, run.request);
    let effects = effects_of(&mut stage);
    assert!(matches!(&effects[..], [.., Effect::Run(again)] if again.request == run.request), "{effects:?}");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })), "{effects:?}");
    failed(stage.server.ask(run.request, "roots", "roots/list", "{}"));
    let refused =
        stage.server.call(stage.now, session, "roots/list", "{}", 8, None).expect_err("no answer comes");
    assert_eq!(refused.status, Status::Unavailable);
    let (_, answer) = stage.respond(run.request, Outcome::Result(r#"{"content":[]}"#));
    assert_eq!(answer[0]["id"], json!(1), "what it asked for is still answered");
}

#[test]
fn a_question_of_an_unconfirmed_handshake_fails_at_the_end_of_the_input_too() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} }, "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    stage.ask_legacy(session, json!(2), "tools/call", call());
    let run = stage.run();
    assert_eq!(stage.server.ask(run.request, "roots", "roots/list", "{}"), Asked::Pending);
    stage.server.returned(stage.now, run.request);
    stage.sent();
    stage.server.input_ended(stage.now, session);
    stage.sent();
    assert_eq!(stage.run().request, run.request);
    let asked = stage.server.ask(run.request, "roots", "roots/list", "{}");
    assert!(matches!(asked, Asked::Answered(Answer::Failed(_))), "{asked:?}");
}
