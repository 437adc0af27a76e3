//! Checks against schemas that take their time: the engine does none of them itself, and serves everyone else meanwhile.

use super::stage::{Stage, code, settings};
use crate::engine::server::{Effect, Outcome, Responded, SessionId};
use serde_json::{Value, json};

/// A tool whose schema asks for more than a pass over the text can answer.
const DEEP: &str = r##"{"name":"deep","inputSchema":{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},
    "$defs":{"node":{"anyOf":[{"type":"integer","minimum":1},{"type":"array","items":{"$ref":"#/$defs/node"}}]}}}}"##;

fn stage() -> (Stage, SessionId, SessionId) {
    let mut stage = Stage::new(settings());
    stage.server.add_tool(stage.now, DEEP, "deep").expect("a tool");
    stage.checks_wait = true;
    let hostile = stage.legacy("2025-11-25", &json!({}));
    let other = stage.legacy("2025-11-25", &json!({}));
    (stage, hostile, other)
}

fn call(stage: &mut Stage, session: SessionId, id: u64, tree: &Value) -> Vec<Value> {
    let params = json!({ "name": "deep", "arguments": { "tree": tree } });
    stage.ask_legacy(session, json!(id), "tools/call", params)
}

/// Ends the check of the request that waits for it, the only one. Gives whether its handler runs.
fn verdict(stage: &mut Stage) -> bool {
    let run = stage.run();
    let verdict = run.check.expect("a check").run(&run.params);
    stage.server.arguments_checked(stage.now, run.request, verdict)
}

#[test]
fn another_session_is_served_while_arguments_are_checked() {
    let (mut stage, hostile, other) = stage();
    // As wide as the bound of a check allows: it would take the whole of its time.
    let wide = json!(vec![json!(vec![1; 1000]); 1000]);
    assert!(call(&mut stage, hostile, 1, &wide).is_empty());
    let answer = stage.ask_legacy(other, json!(1), "ping", json!({}));
    assert_eq!(answer[0]["result"], json!({}));
    stage.ask_legacy(other, json!(2), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.runs.pop().expect("the call of the other session");
    assert!(run.check.is_none(), "what one pass over the text finds to fit needs no check");
    let (responded, frames) = stage.respond(run.request, Outcome::Text("done"));
    assert_eq!((responded, &frames[0]["id"]), (Responded::Sent, &json!(2)));
    // The check ends at a bound of its own, and is a tool's error as every other fault of arguments.
    assert!(!verdict(&mut stage));
    let frames = stage.sent();
    assert_eq!((&frames[0]["id"], &frames[0]["result"]["isError"]), (&json!(1), &json!(true)));
    assert!(frames[0].to_string().contains("the check reached its bound"), "{}", frames[0]);
}

#[test]
fn a_handler_runs_when_its_arguments_are_found_to_fit() {
    let (mut stage, session, _) = stage();
    call(&mut stage, session, 1, &json!([1, [2, [3]]]));
    assert_eq!(stage.server.counters().runs, 0);
    assert!(verdict(&mut stage));
    assert_eq!(stage.server.counters().runs, 1);
    call(&mut stage, session, 2, &json!([1, [0]]));
    assert!(!verdict(&mut stage));
    let frames = stage.sent();
    let text = frames[0]["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("The arguments of the tool 'deep' are wrong: /tree"), "{text}");
    assert_eq!(stage.server.counters().runs, 1);
}

#[test]
fn a_request_that_is_withdrawn_while_it_is_checked_never_reaches_the_application() {
    let (mut stage, session, _) = stage();
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for is_checked in [false, true] {
        call(&mut stage, session, 1, &json!(1));
        if is_checked {
            let run = &stage.runs[0];
            let verdict = run.check.as_ref().expect("a check").run(&run.params);
            assert!(stage.server.arguments_checked(stage.now, run.request, verdict));
        }
        stage.server.frame(
            stage.now,
            crate::engine::server::Stream { session, number: 0 },
            cancel.to_string().as_bytes(),
        );
        let mut known = None;
        while let Some(effect) = stage.server.effect() {
            match effect {
                Effect::Withdrawn { is_known, .. } => known = Some(is_known),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(known, Some(is_checked), "the application is told of what it may know");
        if !is_checked {
            assert!(!verdict(&mut stage), "too late");
        }
        assert!(stage.sent().is_empty());
        stage.runs.clear();
    }
}

#[test]
fn requests_that_are_checked_count_as_under_way_and_have_a_deadline() {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (2, 0);
    let mut stage = Stage::new(settings);
    stage.server.add_tool(stage.now, DEEP, "deep").expect("a tool");
    stage.checks_wait = true;
    let session = stage.legacy("2025-11-25", &json!({}));
    for id in [1, 2] {
        assert!(call(&mut stage, session, id, &json!(0)).is_empty());
    }
    assert_eq!(code(&call(&mut stage, session, 3, &json!(0))), -32010);
    let deadline = stage.server.deadline().expect("a deadline");
    let frames = stage.advance(deadline - stage.now.at);
    assert_eq!(frames.len(), 2, "both are answered: {frames:?}");
    stage.runs.truncate(1);
    assert!(!verdict(&mut stage));
    assert!(stage.sent().is_empty(), "no second answer");
}

#[test]
fn another_session_is_served_while_a_result_is_checked() {
    let (mut stage, session, other) = stage();
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "typed", "arguments": {} }));
    let request = stage.run().request;
    let result = r#"{"content":[],"structuredContent":{"n":1}}"#;
    let responded = stage.server.respond(stage.now, request, Outcome::Result(result));
    let Responded::Check(check) = responded else { panic!("{responded:?}") };
    assert!(stage.sent().is_empty());
    let answer = stage.ask_legacy(other, json!(1), "ping", json!({}));
    assert_eq!(answer[0]["result"], json!({}));
    let verdict = check.run(result);
    let responded = stage.server.respond_checked(stage.now, request, result, verdict);
    assert_eq!(responded, Responded::Sent);
    assert_eq!(stage.sent()[0]["result"]["structuredContent"], json!({ "n": 1 }));
    // One that is cancelled meanwhile gets no answer.
    stage.ask_legacy(session, json!(2), "tools/call", json!({ "name": "typed", "arguments": {} }));
    let request = stage.run().request;
    let responded = stage.server.respond(stage.now, request, Outcome::Result(result));
    let Responded::Check(check) = responded else { panic!("{responded:?}") };
    stage.server.close(session);
    stage.sent();
    let late = stage.server.respond_checked(stage.now, request, result, check.run(result));
    assert_eq!((late, stage.sent()), (Responded::Late, Vec::new()));
}
