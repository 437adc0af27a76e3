//! Questions of handlers, calls to clients, and `requestState`.

use super::{Stage, code, settings};
use crate::engine::Status;
use crate::engine::server::{
    Answer, AskOutcome, Caching, ClientCallOutcome, Effect, Outcome, RequestId, SessionId, Stream,
};
use crate::shares::Holder;
use serde_json::{Value, json};
use std::time::Duration;

const FORM: &str = r#"{"message":"Name?","requestedSchema":{"type":"object","properties":{}}}"#;

/// A handler that asks two questions, one after the other, and keeps how far it came.
fn handler(stage: &mut Stage, request: RequestId) -> Option<String> {
    let first = stage.server.ask(request, "name", "elicitation/create", FORM);
    let AskOutcome::Answered(Answer::Result(name)) = first else {
        assert_eq!(first, AskOutcome::Pending);
        return None;
    };
    stage.server.set_state(request, "\"second\"");
    let second = stage.server.ask(request, "roots", "roots/list", "{}");
    let AskOutcome::Answered(Answer::Result(roots)) = second else {
        assert_eq!(second, AskOutcome::Pending);
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
fn a_state_over_the_limit_is_not_sent() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let bytes = sealed(&mut stage, session).len();
    for (limit, is_sent) in [(bytes, true), (bytes - 1, false)] {
        let mut settings = settings();
        settings.limits.request_state = limit;
        let mut stage = Stage::new(settings);
        let session = stage.server.open(false).expect("a session");
        let mut params = call();
        params["inputResponses"] = json!({ "name": { "action": "accept" } });
        stage.ask_modern(session, json!(2), "tools/call", params);
        let frames = step(&mut stage);
        assert_eq!(frames[0]["result"]["requestState"].is_string(), is_sent, "{limit}: {frames:?}");
        assert_eq!(frames[0]["error"]["code"] == -32603, !is_sent, "{limit}: {frames:?}");
    }
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
        assert_eq!(
            stage.server.ask(request, "k", method, params),
            AskOutcome::Unsupported(missing.to_owned())
        );
    }
    assert!(matches!(stage.server.ask(request, "k", "tools/list", "{}"), AskOutcome::Refused(_)));
    assert!(matches!(stage.server.ask(request, "k", "elicitation/create", "7"), AskOutcome::Refused(_)));
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", FORM), AskOutcome::Pending);
    let old = stage.legacy("2025-03-26", &json!({ "elicitation": {} }));
    stage.ask_legacy(old, json!(1), "tools/call", call());
    let request = stage.run().request;
    assert!(matches!(stage.server.ask(request, "k", "elicitation/create", FORM), AskOutcome::Unsupported(_)));
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
    assert!(matches!(asked, AskOutcome::Answered(Answer::Failed(_))), "{asked:?}");
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
    assert!(matches!(asked, AskOutcome::Answered(Answer::Failed(_))), "{asked:?}");
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
        assert_eq!(asked == AskOutcome::Pending, pending, "{key}: {asked:?}");
    }
    stage.server.returned(stage.now, request);
    for question in stage.sent() {
        stage.ask(
            session,
            &json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } }),
        );
    }
    let run = stage.run();
    assert!(matches!(stage.server.ask(run.request, "d", "elicitation/create", FORM), AskOutcome::Refused(_)));
    let declined = AskOutcome::Answered(Answer::Result(r#"{"action":"decline"}"#.into()));
    assert_eq!(stage.server.ask(run.request, "a", "elicitation/create", FORM), declined);
}

#[test]
fn of_what_a_client_answers_no_more_is_kept_than_may_be_asked() {
    for (key, is_kept) in [("a", true), ("b", true), ("c", false)] {
        let mut settings = settings();
        settings.limits.questions = 1;
        let mut stage = Stage::new(settings);
        let session = stage.server.open(false).expect("a session");
        let mut params = call();
        let accepted = json!({ "action": "accept" });
        params["inputResponses"] = json!({ "a": accepted, "b": accepted, "c": accepted });
        stage.ask_modern(session, json!(2), "tools/call", params);
        let run = stage.run();
        let asked = stage.server.ask(run.request, key, "elicitation/create", FORM);
        assert_eq!(matches!(asked, AskOutcome::Answered(_)), is_kept, "{key}: {asked:?}");
    }
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
        assert_eq!(asked == AskOutcome::Pending, may_ask, "{method}: {asked:?}");
    }
    stage.ask_legacy(session, json!("l"), "completion/complete", params);
    let request = stage.run().request;
    assert_eq!(stage.server.ask(request, "k", "roots/list", "{}"), AskOutcome::Pending);
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
            assert_eq!(stage.server.ask(request, "k", "roots/list", "{}"), AskOutcome::Pending);
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
        assert_eq!(asked == AskOutcome::Pending, capabilities.get("roots").is_some(), "{id} {capabilities}");
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
        assert_eq!(stage.server.ask(request, "name", "elicitation/create", FORM), AskOutcome::Pending);
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
    assert_eq!(outcome, Some((called, 7, ClientCallOutcome::SessionEnded)));
    let runs =
        effects.iter().filter(|effect| matches!(effect, Effect::Run(again) if again.request == run.request));
    assert_eq!(runs.count(), 1, "and that of the other client waits on: {effects:?}");
    let failed = |asked: AskOutcome| match asked {
        AskOutcome::Answered(Answer::Failed(why)) => assert!(why.contains("has ended its input"), "{why}"),
        other => panic!("{other:?}"),
    };
    failed(stage.server.ask(run.request, "name", "elicitation/create", FORM));
    // What it asks from now on is not sent, and fails as soon as it has returned.
    assert_eq!(stage.server.ask(run.request, "roots", "roots/list", "{}"), AskOutcome::Pending);
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
    assert_eq!(stage.server.ask(run.request, "roots", "roots/list", "{}"), AskOutcome::Pending);
    stage.server.returned(stage.now, run.request);
    stage.sent();
    stage.server.input_ended(stage.now, session);
    stage.sent();
    assert_eq!(stage.run().request, run.request);
    let asked = stage.server.ask(run.request, "roots", "roots/list", "{}");
    assert!(matches!(asked, AskOutcome::Answered(Answer::Failed(_))), "{asked:?}");
}

fn able() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

/// A request whose handler may ask.
fn request(stage: &mut Stage, session: SessionId, id: u64) -> RequestId {
    stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "typed" }));
    stage.run().request
}

/// What is wrong with a question; an empty text if it is asked. It is asked by a request, and as a call.
fn fault(stage: &mut Stage, session: SessionId, method: &str, params: &Value) -> String {
    let text = params.to_string();
    let asking = request(stage, session, 1);
    let asked = stage.server.ask(asking, "k", method, &text);
    stage.respond(asking, Outcome::Failure("done"));
    let called = stage.server.call(stage.now, session, method, &text, 0, None);
    stage.sent();
    match asked {
        AskOutcome::Pending => String::new(),
        AskOutcome::Refused(what) => {
            let refused = called.expect_err("a call is checked too");
            assert_eq!(refused.status, Status::InvalidArgument);
            assert!(refused.message.contains(&what), "{} / {what}", refused.message);
            what
        }
        other => panic!("{params}: {other:?}"),
    }
}

fn form(field: &Value) -> Value {
    json!({ "message": "?", "requestedSchema": { "type": "object", "properties": { "f": field } } })
}

#[test]
fn forms_are_flat() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &able());
    let old = stage.legacy("2025-06-18", &able());
    let choices = json!([{ "const": "a", "title": "A" }]);
    for (field, in_old) in [
        (json!({ "type": "string", "title": "T", "minLength": 1, "maxLength": 9, "default": "x" }), true),
        (json!({ "type": "string", "format": "date-time" }), true),
        (json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] }), true),
        (json!({ "type": "integer", "minimum": 0, "maximum": 9, "default": 1 }), true),
        (json!({ "type": "number", "default": 0.5 }), true),
        (json!({ "type": "boolean", "default": true }), true),
        (json!({ "type": "string", "oneOf": choices, "default": "a" }), false),
        (json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "default": ["a"] }), false),
        (json!({ "type": "array", "items": { "anyOf": choices }, "minItems": 1 }), false),
    ] {
        let fault_of =
            |stage: &mut Stage, session| fault(stage, session, "elicitation/create", &form(&field));
        assert_eq!(fault_of(&mut stage, session), "", "{field}");
        let what = fault_of(&mut stage, old);
        assert_eq!(what.is_empty(), in_old, "{field}: {what}");
        assert!(in_old || what.contains("2025-11-25"), "{what}");
    }
    for (field, names) in [
        (json!({ "type": "object", "properties": {} }), "flat"),
        (json!({}), "'type'"),
        (json!(true), "object"),
        (json!({ "type": "null" }), "flat"),
        (json!({ "type": ["string", "null"] }), "flat"),
        (json!({ "type": "string", "format": "password" }), "secret"),
        (json!({ "type": "string", "format": "ipv4" }), "'format'"),
        (json!({ "type": "string", "enum": [] }), "'enum'"),
        (json!({ "type": "string", "enum": [1] }), "'enum'"),
        (json!({ "type": "string", "enum": ["a"], "enumNames": ["A", "B"] }), "'enumNames'"),
        (json!({ "type": "string", "oneOf": [{ "const": "a" }] }), "'oneOf'"),
        (json!({ "type": "string", "title": 7 }), "'title'"),
        (json!({ "type": "string", "minLength": "x" }), "minLength"),
        (json!({ "type": "string", "default": 7 }), "'default'"),
        (json!({ "type": "integer", "default": 0.5 }), "'default'"),
        (json!({ "type": "boolean", "default": "true" }), "'default'"),
        (json!({ "type": "array", "items": { "type": "object" } }), "'items'"),
        (json!({ "type": "array" }), "'items'"),
        (json!({ "type": "array", "items": { "type": "string", "enum": [] } }), "'enum'"),
        (json!({ "type": "array", "items": { "anyOf": [] } }), "'anyOf'"),
    ] {
        let what = fault(&mut stage, session, "elicitation/create", &form(&field));
        assert!(what.contains(names), "{field}: {what}");
    }
    for (params, names) in [
        (json!({ "requestedSchema": { "type": "object", "properties": {} } }), "'message'"),
        (json!({ "message": "?" }), "'requestedSchema'"),
        (json!({ "message": "?", "requestedSchema": { "type": "object" } }), "'properties'"),
        (json!({ "message": "?", "requestedSchema": { "type": "string", "properties": {} } }), "\"object\""),
        (
            json!({ "message": "?", "requestedSchema": { "type": "object", "properties": {}, "required": ["f"] } }),
            "'required'",
        ),
    ] {
        let what = fault(&mut stage, session, "elicitation/create", &params);
        assert!(what.contains(names), "{params}: {what}");
    }
}

#[test]
fn pages_are_https_and_each_has_an_id_of_its_own() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &able());
    let page = |url: &str, id: &str| {
        json!({ "mode": "url", "message": "m", "url": url, "elicitationId": id }).to_string()
    };
    let first = request(&mut stage, session, 1);
    let ask = |stage: &mut Stage, key: &str, params: &str| {
        stage.server.ask(first, key, "elicitation/create", params)
    };
    for (params, names) in [
        (page("http://example.com", "1"), "https://"),
        (page("https://me:secret@example.com", "1"), "user information"),
        (page("https://example.com", ""), "'elicitationId'"),
        (
            json!({ "mode": "url", "url": "https://example.com", "elicitationId": "1" }).to_string(),
            "'message'",
        ),
    ] {
        let refused = ask(&mut stage, "a", &params);
        assert!(
            matches!(&refused, AskOutcome::Refused(what) if what.contains(names)),
            "{params}: {refused:?}"
        );
    }
    let good = page("https://example.com/pay", "1");
    assert_eq!(ask(&mut stage, "a", &good), AskOutcome::Pending);
    assert_eq!(ask(&mut stage, "a", &good), AskOutcome::Pending, "the same question");
    let again = ask(&mut stage, "b", &good);
    assert!(matches!(&again, AskOutcome::Refused(what) if what.contains("used before")), "{again:?}");
    let local = page("http://127.0.0.1:8080/", "2");
    stage.server.call(stage.now, session, "elicitation/create", &local, 0, None).expect("a call");
    let twice = stage.server.call(stage.now, session, "elicitation/create", &local, 0, None);
    assert!(twice.expect_err("the same id").message.contains("used before"));
    stage.sent();
    // Another session has ids of its own.
    let other = stage.legacy("2025-11-25", &able());
    let second = request(&mut stage, other, 2);
    assert_eq!(stage.server.ask(second, "a", "elicitation/create", &good), AskOutcome::Pending);
    // 2025-06-18 has forms only.
    let old = stage.legacy("2025-06-18", &able());
    let third = request(&mut stage, old, 3);
    let missing = AskOutcome::Unsupported(r#"{"elicitation":{"url":{}}}"#.to_owned());
    assert_eq!(stage.server.ask(third, "a", "elicitation/create", &good), missing);
    // 2026-07-28 has no such ids.
    let modern = stage.server.open(false).expect("a session");
    let url = json!({ "elicitation": { "url": {} } });
    for id in 1..=2 {
        let params = Stage::modern(json!({ "name": "typed" }), &url);
        stage.ask(modern, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        let run = stage.run().request;
        let params = r#"{"mode":"url","message":"m","url":"https://example.com"}"#;
        assert_eq!(stage.server.ask(run, "a", "elicitation/create", params), AskOutcome::Pending);
    }
}

#[test]
fn sampling_is_well_formed() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &able());
    let text = json!({ "type": "text", "text": "t" });
    let uses = |ids: &[&str]| -> Value {
        let block = |id: &&str| json!({ "type": "tool_use", "id": id, "name": "n", "input": {} });
        json!({ "role": "assistant", "content": ids.iter().map(block).collect::<Vec<_>>() })
    };
    let results = |ids: &[&str]| -> Value {
        let block = |id: &&str| json!({ "type": "tool_result", "toolUseId": id, "content": [] });
        json!({ "role": "user", "content": ids.iter().map(block).collect::<Vec<_>>() })
    };
    let user = json!({ "role": "user", "content": text });
    let ask = |messages: &Value| json!({ "maxTokens": 1, "messages": messages });
    for good in [
        json!([user]),
        json!([user, { "role": "assistant", "content": [text, text] }]),
        json!([user, uses(&["1", "2"]), results(&["2", "1"]), uses(&["3"]), results(&["3"])]),
    ] {
        assert_eq!(fault(&mut stage, session, "sampling/createMessage", &ask(&good)), "", "{good}");
    }
    let mixed = json!({ "role": "user", "content": [results(&["1"])["content"][0], text] });
    let mut of_user = uses(&["1"]);
    of_user["role"] = json!("user");
    for (messages, names) in [
        (json!({}), "'messages'"),
        (json!([{ "role": "system", "content": text }]), "'role'"),
        (json!([{ "role": "user", "content": { "type": "resource_link" } }]), "'resource_link'"),
        (
            json!([{ "role": "user", "content": { "type": "image", "data": "?", "mimeType": "a/b" } }]),
            "base64",
        ),
        (json!([uses(&["1"])]), "[1] are missing"),
        (json!([uses(&["1"]), user]), "[1]"),
        (json!([uses(&["1", "2"]), results(&["1"])]), "[1, 2]"),
        (json!([uses(&["1", "1"])]), "duplicate tool use"),
        (json!([results(&["1"])]), "[1]"),
        (json!([uses(&["1"]), mixed]), "nothing else"),
        (json!([of_user]), "only the assistant"),
    ] {
        let what = fault(&mut stage, session, "sampling/createMessage", &ask(&messages));
        assert!(what.contains(names), "{messages}: {what}");
    }
    for (member, value, names) in [
        ("maxTokens", json!(null), "'maxTokens'"),
        ("maxTokens", json!(0), "'maxTokens'"),
        ("maxTokens", json!("1"), "'maxTokens'"),
        ("tools", json!({}), "'tools'"),
        ("tools", json!([{ "name": "n" }]), "'tools'"),
        ("toolChoice", json!({ "mode": "all" }), "'toolChoice'"),
        ("toolChoice", json!("auto"), "'toolChoice'"),
    ] {
        let mut params = ask(&json!([user]));
        params[member] = value;
        let what = fault(&mut stage, session, "sampling/createMessage", &params);
        assert!(what.contains(names), "{params}: {what}");
    }
    // Lists of blocks came with 2025-11-25.
    let old = stage.legacy("2025-06-18", &able());
    let list = ask(&json!([{ "role": "user", "content": [text] }]));
    assert!(fault(&mut stage, old, "sampling/createMessage", &list).contains("2025-11-25"));
}

#[test]
fn the_context_of_other_servers_needs_its_capability() {
    let mut stage = Stage::new(settings());
    let params = r#"{"maxTokens":1,"messages":[],"includeContext":"allServers"}"#;
    for (revision, capability, may) in [
        ("2025-11-25", json!({}), false),
        ("2025-11-25", json!({ "context": {} }), true),
        ("2025-06-18", json!({}), true),
    ] {
        let session = stage.legacy(revision, &json!({ "sampling": capability }));
        let asking = request(&mut stage, session, 1);
        let none = params.replace("allServers", "none");
        assert_eq!(stage.server.ask(asking, "n", "sampling/createMessage", &none), AskOutcome::Pending);
        let asked = stage.server.ask(asking, "k", "sampling/createMessage", params);
        let missing = AskOutcome::Unsupported(r#"{"sampling":{"context":{}}}"#.to_owned());
        assert_eq!(asked, if may { AskOutcome::Pending } else { missing }, "{revision} {capability}");
    }
}

const NUMBERS: &str = r#"{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":3},"e":{"type":"string","format":"email"}},"required":["n"]}}"#;

fn answers() -> [(Value, bool); 8] {
    [
        (json!({ "action": "accept", "content": { "n": 3 } }), true),
        (json!({ "action": "accept", "content": { "n": 3, "e": "a@example.com" } }), true),
        (json!({ "action": "decline" }), true),
        (json!({ "action": "cancel", "content": {} }), true),
        (json!({ "action": "accept", "content": { "n": 2 } }), false),
        (json!({ "action": "accept", "content": { "n": "3" } }), false),
        (json!({ "action": "accept", "content": { "n": 3, "e": "none" } }), false),
        (json!({ "action": "accept" }), false),
    ]
}

#[test]
fn content_that_does_not_fit_its_form_is_no_answer() {
    for (answer, fits) in answers() {
        let told = |asked: &AskOutcome| match asked {
            AskOutcome::Answered(Answer::Result(text)) => assert!(fits, "{text}"),
            AskOutcome::Answered(Answer::Failed(error)) => {
                assert!(!fits && error.contains("does not fit"), "{answer}: {error}");
            }
            other => panic!("{answer}: {other:?}"),
        };
        let mut stage = Stage::new(settings());
        let session = stage.legacy("2025-11-25", &able());
        let asking = request(&mut stage, session, 1);
        assert_eq!(stage.server.ask(asking, "k", "elicitation/create", NUMBERS), AskOutcome::Pending);
        stage.server.returned(stage.now, asking);
        let question = stage.sent();
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": answer }));
        assert_eq!(stage.run().request, asking);
        told(&stage.server.ask(asking, "k", "elicitation/create", NUMBERS));

        let params = json!({ "name": "typed", "inputResponses": { "k": answer } });
        stage.ask_modern(session, json!(2), "tools/call", params);
        let modern = stage.run().request;
        told(&stage.server.ask(modern, "k", "elicitation/create", NUMBERS));

        let call =
            stage.server.call(stage.now, session, "elicitation/create", NUMBERS, 7, None).expect("a call");
        stage.sent();
        let message = json!({ "jsonrpc": "2.0", "id": call, "result": answer }).to_string();
        stage.server.frame(stage.now, Stream { session, number: 0 }, message.as_bytes());
        let Some(Effect::Called { outcome, .. }) = stage.server.effect() else { panic!("an outcome") };
        assert_eq!(matches!(outcome, ClientCallOutcome::Result(_)), fits, "{answer}: {outcome:?}");
        assert_eq!(outcome == ClientCallOutcome::Malformed, !fits);
    }
}

#[test]
fn nothing_is_asked_before_the_handshake_is_confirmed() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": able(), "clientInfo": { "name": "c", "version": "1" } });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let asking = request(&mut stage, session, 2);
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), AskOutcome::Pending);
    stage.server.returned(stage.now, asking);
    // The application may free the request as well.
    stage.server.dropped(stage.now, asking);
    assert!(stage.sent().is_empty());
    assert!(stage.advance(Duration::from_secs(40)).is_empty());
    // Another handler is still at work: what it noted goes out when it returns.
    let working = request(&mut stage, session, 3);
    assert_eq!(stage.server.ask(working, "k", "roots/list", "{}"), AskOutcome::Pending);
    let refused = stage.server.call(stage.now, session, "roots/list", "{}", 0, None).expect_err("too early");
    assert_eq!(refused.status, Status::Unavailable);
    let refused =
        stage.server.notify_sessions(Some(session), "notifications/x", "{}").expect_err("too early");
    assert_eq!(refused.status, Status::Unavailable);
    stage.server.call(stage.now, session, "ping", "{}", 0, None).expect("a ping may be sent");
    assert_eq!(stage.sent()[0]["method"], "ping");

    let confirmed = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let question = stage.ask(session, &confirmed);
    assert_eq!(question.len(), 1, "{question:?}");
    assert_eq!(question[0]["method"], "roots/list");
    assert!(stage.ask(session, &confirmed).is_empty(), "it is asked once");
    assert!(stage.advance(Duration::from_secs(40)).is_empty(), "its time begins when it is asked");
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "roots": [] } }));
    assert_eq!(stage.run().request, asking);
    stage.server.returned(stage.now, working);
    assert_eq!(stage.sent()[0]["method"], "roots/list");
}

#[test]
fn a_handshake_that_is_not_confirmed_in_time_fails_what_was_to_be_asked() {
    let mut settings = settings();
    settings.timeouts.request = None;
    settings.timeouts.question = Duration::from_secs(5);
    let mut stage = Stage::new(settings);
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": able(), "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let asking = request(&mut stage, session, 2);
    for key in ["one", "two"] {
        assert_eq!(stage.server.ask(asking, key, "roots/list", "{}"), AskOutcome::Pending);
    }
    stage.server.returned(stage.now, asking);
    stage.server.dropped(stage.now, asking);
    // An answer to what was not sent is one to nothing.
    let guessed = json!({ "jsonrpc": "2.0", "id": 1, "result": { "roots": [] } });
    assert!(stage.ask(session, &guessed).is_empty() && stage.runs.is_empty());
    assert!(stage.advance(Duration::from_millis(4_999)).is_empty() && stage.runs.is_empty());
    assert!(
        stage.advance(Duration::from_millis(1)).is_empty(),
        "nothing was asked, and nothing is taken back"
    );
    assert_eq!((stage.runs.len(), stage.run().request), (1, asking));
    for key in ["one", "two"] {
        let AskOutcome::Answered(Answer::Failed(why)) = stage.server.ask(asking, key, "roots/list", "{}")
        else {
            panic!("the handler learns nothing of '{key}'")
        };
        assert!(why.contains("notifications/initialized"), "{why}");
    }
    let (_, answer) = stage.respond(asking, Outcome::Failure("no roots"));
    assert_eq!(answer[0]["id"], 2);
    assert_eq!((&stage.server.open_counts()[1..], stage.server.deadline()), (&[0, 0, 0][..], None));
    // One that is over before has no time left to wait for.
    let asking = request(&mut stage, session, 3);
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), AskOutcome::Pending);
    stage.server.returned(stage.now, asking);
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
    assert!(stage.ask(session, &cancelled).is_empty());
    assert_eq!((&stage.server.open_counts()[1..], stage.server.deadline()), (&[0, 0, 0][..], None));
}

#[test]
fn a_handler_does_not_run_again_for_a_request_whose_time_is_over_as_well() {
    let mut settings = settings();
    settings.timeouts.request = Some(Duration::from_secs(5));
    settings.timeouts.question = Duration::from_secs(5);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &able());
    let asking = request(&mut stage, session, 1);
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), AskOutcome::Pending);
    stage.server.returned(stage.now, asking);
    let question = stage.sent();
    let frames = stage.advance(Duration::from_secs(5));
    assert!(stage.runs.is_empty(), "it would work for a request that is over");
    assert_eq!(stage.withdrawn, [asking]);
    let [answer, withdrawn] = &frames[..] else { panic!("{frames:?}") };
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32603)));
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question[0]["id"]);
    assert_eq!((&stage.server.open_counts()[1..], stage.server.deadline()), (&[0, 0, 0][..], None));
}

#[test]
fn a_client_without_a_principal_that_uses_many_states_loses_its_own_only() {
    let mut settings = settings();
    settings.limits.spent_states = 4;
    let mut stage = Stage::new(settings);
    let sessions: Vec<_> = (0..4).map(|_| stage.server.open(false).expect("a session")).collect();
    for (session, process) in sessions.iter().zip([1, 1, 2, 3]) {
        stage.server.held_by(*session, Holder::process(process));
    }
    let is_good = |stage: &mut Stage, session: SessionId, state: &str| {
        let mut params = call();
        params["requestState"] = json!(state);
        let frames = stage.ask_modern(session, json!(3), "tools/call", params);
        if !frames.is_empty() {
            assert_eq!(code(&frames), -32602);
            return false;
        }
        let run = stage.run();
        stage.respond(run.request, Outcome::Failure("done"));
        true
    };
    let of_calm: Vec<_> = (0..2).map(|_| sealed(&mut stage, sessions[2])).collect();
    assert!(is_good(&mut stage, sessions[2], &of_calm[0]));
    for at in 0..20 {
        let state = sealed(&mut stage, sessions[at % 2]);
        stage.advance(Duration::from_secs(1));
        // Another session of it, and another client, brings it back: it counts for the one that it was made for.
        let by = [sessions[0], sessions[1], sessions[3]][at % 3];
        assert!(is_good(&mut stage, by, &state), "{at}");
        assert!(
            !is_good(&mut stage, sessions[3], &state) && !is_good(&mut stage, sessions[0], &state),
            "{at}"
        );
    }
    assert!(!is_good(&mut stage, sessions[2], &of_calm[0]), "it is remembered");
    assert!(is_good(&mut stage, sessions[2], &of_calm[1]), "and its other states are in no doubt");
}
