//! What handlers answer is checked; checks that take long run without the engine.

use super::{Stage, code, settings};
use crate::engine::server::{Effect, Outcome, Responded, SessionId};
use serde_json::{Value, json};

/// Lets a handler answer a call of `tool`; gives the result.
fn call(
    stage: &mut Stage,
    session: SessionId,
    modern: bool,
    tool: &str,
    result: &str,
) -> Result<Value, String> {
    let params = json!({ "name": tool, "arguments": { "a": 1 } });
    match modern {
        true => stage.ask_modern(session, json!(1), "tools/call", params),
        false => stage.ask_legacy(session, json!(1), "tools/call", params),
    };
    let request = stage.run().request;
    match stage.respond(request, Outcome::Result(result)) {
        (Responded::Wrong(what), frames) => {
            assert_eq!(code(&frames), -32603);
            Err(what)
        }
        (_, frames) => Ok(frames[0]["result"].clone()),
    }
}

#[test]
fn a_structured_result_is_there_as_text_too() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for modern in [false, true] {
        let result =
            call(&mut stage, session, modern, "typed", r#"{"content":[ ],"structuredContent":{"n":"ä\""}}"#);
        let result = result.expect("a result");
        assert_eq!(result["content"], json!([{ "type": "text", "text": r#"{"n":"ä\""}"# }]));
        assert_eq!(result["structuredContent"], json!({ "n": "ä\"" }));
    }
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "a/b" });
    let given =
        json!({ "content": [image], "structuredContent": { "n": 1 }, "isError": false, "_meta": { "m": 1 } });
    let result = call(&mut stage, session, false, "add", &given.to_string()).expect("a result");
    let mut wanted = given.clone();
    wanted["content"] = json!([image, { "type": "text", "text": r#"{"n":1}"# }]);
    assert_eq!(result, wanted);
    // One with a text has it already.
    let given = json!({ "content": [{ "type": "text", "text": "one" }], "structuredContent": { "n": 1 } });
    assert_eq!(call(&mut stage, session, false, "typed", &given.to_string()), Ok(given));

    let mut settings = settings();
    settings.structured_as_text = false;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let given = json!({ "content": [], "structuredContent": { "n": 1 } });
    assert_eq!(call(&mut stage, session, false, "typed", &given.to_string()), Ok(given));
}

#[test]
fn a_structured_result_that_is_no_object_is_for_2026_07_28() {
    let mut stage = Stage::new(settings());
    let list = r#"{"name":"list","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}"#;
    stage.server.add_tool(stage.now, list, "list").expect("a tool");
    let given = r#"{"content":[],"structuredContent":[1,2]}"#;
    for revision in ["2025-06-18", "2025-11-25"] {
        let session = stage.legacy(revision, &json!({}));
        for tool in ["add", "list"] {
            let result = call(&mut stage, session, false, tool, given);
            assert_eq!(
                result,
                Ok(json!({ "content": [{ "type": "text", "text": "[1,2]" }] })),
                "{revision} {tool}"
            );
        }
        let listed = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
        let tools = listed[0]["result"]["tools"].as_array().expect("tools").clone();
        let has_schema =
            |name: &str| tools.iter().any(|it| it["name"] == name && it.get("outputSchema").is_some());
        assert!(has_schema("typed") && !has_schema("list"), "no structured result is promised: {tools:?}");
        let modern = call(&mut stage, session, true, "list", given).expect("a result");
        assert_eq!(modern["structuredContent"], json!([1, 2]));
        let listed = stage.ask_modern(session, json!(1), "tools/list", json!({}));
        assert_eq!(listed[0]["result"]["tools"][2]["outputSchema"], json!({ "type": "array" }));
        let broken = call(&mut stage, session, true, "list", r#"{"content":[],"structuredContent":{}}"#);
        assert!(broken.expect_err("an object").contains("structuredContent"));
    }
}

#[test]
fn a_failed_result_has_a_fitting_structured_content_or_none() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let text = json!({ "type": "text", "text": "failed" });
    let good = json!({ "content": [text], "structuredContent": { "n": 1 }, "isError": true });
    assert_eq!(call(&mut stage, session, false, "typed", &good.to_string()), Ok(good));
    assert!(stage.records.is_empty());
    let bad = json!({ "content": [text], "structuredContent": { "m": 1 }, "isError": true });
    let sent = call(&mut stage, session, false, "typed", &bad.to_string());
    assert_eq!(sent, Ok(json!({ "content": [text], "isError": true })));
    assert!(stage.records[0].contains("left out"), "{:?}", stage.records);
    // A tool without a schema promises nothing.
    assert_eq!(call(&mut stage, session, false, "add", &bad.to_string()), Ok(bad));
    let wrong = call(&mut stage, session, false, "add", r#"{"content":[],"isError":"true"}"#);
    assert!(wrong.expect_err("no boolean").contains("isError"));
}

#[test]
fn a_handler_writes_no_result_type_of_its_own() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let complete = r#"{"content":[],"resultType":"complete"}"#;
    assert_eq!(call(&mut stage, session, true, "add", complete).expect("a result")["resultType"], "complete");
    for other in [r#""input_required""#, r#""else""#, "7"] {
        let result = format!(r#"{{"content":[],"resultType":{other},"inputRequests":{{}}}}"#);
        let what = call(&mut stage, session, true, "add", &result).expect_err(other);
        assert!(what.contains("mcp_request_ask"), "{what}");
    }
}

#[test]
fn completions_of_a_handler_are_counted() {
    let mut stage = Stage::new(settings());
    stage.server.complete_by("y://{id}", "id", "completer");
    let session = stage.legacy("2025-11-25", &json!({}));
    let mut complete = |completion: Value| {
        let params = json!({ "ref": { "type": "ref/resource", "uri": "y://{id}" },
                             "argument": { "name": "id", "value": "" } });
        stage.ask_legacy(session, json!(1), "completion/complete", params);
        let request = stage.run().request;
        let result = json!({ "completion": completion, "_meta": { "m": 1 } }).to_string();
        match stage.respond(request, Outcome::Result(&result)) {
            (Responded::Wrong(what), frames) => {
                assert_eq!(code(&frames), -32603);
                Err(what)
            }
            (_, frames) => {
                assert_eq!(frames[0]["result"]["_meta"], json!({ "m": 1 }));
                Ok(frames[0]["result"]["completion"].clone())
            }
        }
    };
    let values = |count: usize| -> Vec<String> { (0..count).map(|number| format!("v{number}")).collect() };
    for good in [
        json!({ "values": [] }),
        json!({ "values": values(100) }),
        json!({ "values": values(2), "total": 2, "hasMore": false }),
        json!({ "values": values(2), "total": 7, "hasMore": true }),
        json!({ "values": values(2), "hasMore": true }),
    ] {
        assert_eq!(complete(good.clone()), Ok(good));
    }
    let cut = json!({ "values": values(100), "total": 101, "hasMore": true });
    assert_eq!(complete(json!({ "values": values(101) })), Ok(cut));
    let cut = json!({ "values": values(100), "total": 500, "hasMore": true });
    assert_eq!(complete(json!({ "values": values(150), "total": 500, "hasMore": false })), Ok(cut));
    for (bad, names) in [
        (json!([]), "'completion'"),
        (json!({}), "'values'"),
        (json!({ "values": "a" }), "'values'"),
        (json!({ "values": ["a", 7] }), "'values'"),
        (json!({ "values": ["a"], "total": 0 }), "'total'"),
        (json!({ "values": ["a"], "total": "1" }), "'total'"),
        (json!({ "values": ["a"], "total": 1.5 }), "'total'"),
        (json!({ "values": ["a"], "hasMore": 1 }), "'hasMore'"),
        (json!({ "values": ["a"], "total": 1, "hasMore": true }), "'hasMore'"),
        (json!({ "values": ["a"], "total": 2, "hasMore": false }), "'hasMore'"),
    ] {
        let what = complete(bad.clone()).expect_err("it breaks a rule");
        assert!(what.contains(names), "{bad}: {what}");
    }
}

/// The code that reaches a client, when a handler sends `sent`.
fn refused(stage: &mut Stage, session: SessionId, modern: bool, sent: i64, data: Option<&str>) -> i64 {
    let params = json!({ "uri": "x://handled" });
    match modern {
        true => stage.ask_modern(session, json!(1), "resources/read", params),
        false => stage.ask_legacy(session, json!(1), "resources/read", params),
    };
    let request = stage.run().request;
    code(&stage.respond(request, Outcome::Error { code: sent, message: "m", data }).1)
}

#[test]
fn codes_of_an_application_are_outside_of_the_range_of_json_rpc() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for own in [7, -1, -31_999, -32_769, i64::MAX] {
        assert_eq!(refused(&mut stage, session, true, own, None), own);
    }
    for reserved in [-32_000, -32_001, -32_019, -32_050, -32_100, -32_768, -32_700] {
        assert_eq!(refused(&mut stage, session, true, reserved, None), -32_603, "{reserved}");
        assert!(stage.records.last().is_some_and(|text| text.contains(&reserved.to_string())));
        assert_eq!(
            refused(&mut stage, session, false, reserved, None),
            reserved,
            "older revisions leave it open"
        );
    }
    for known in [-32_600, -32_601, -32_602, -32_603, -32_021] {
        assert_eq!(refused(&mut stage, session, true, known, None), known);
    }
}

#[test]
fn pages_to_visit_first_are_listed_for_the_revision_that_has_them() {
    let mut stage = Stage::new(settings());
    let able = json!({ "elicitation": { "url": {} } });
    let session = stage.legacy("2025-11-25", &able);
    let page = json!({ "mode": "url", "url": "https://example.com/login", "message": "Log in", "elicitationId": "1" });
    let list = |pages: Value| json!({ "elicitations": pages }).to_string();
    let good = list(json!([page]));
    assert_eq!(refused(&mut stage, session, false, -32_042, Some(&good)), -32_042);
    let with = |member: &str, value: Value| {
        let mut page = page.clone();
        page[member] = value;
        list(json!([page]))
    };
    for bad in [
        "{}".to_owned(),
        list(json!([])),
        list(json!([page, page])),
        list(json!([7])),
        with("mode", json!("form")),
        with("url", json!("http://example.com")),
        with("url", json!(null)),
        with("message", json!(null)),
        with("elicitationId", json!("")),
    ] {
        assert_eq!(refused(&mut stage, session, false, -32_042, Some(&bad)), -32_603, "{bad}");
    }
    assert_eq!(refused(&mut stage, session, false, -32_042, None), -32_603);
    assert_eq!(refused(&mut stage, session, true, -32_042, Some(&good)), -32_603);
    for (revision, capabilities) in [("2025-06-18", able), ("2025-11-25", json!({ "elicitation": {} }))] {
        let other = stage.legacy(revision, &capabilities);
        assert_eq!(refused(&mut stage, other, false, -32_042, Some(&good)), -32_603, "{revision}");
    }
}

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

fn call_typed(stage: &mut Stage, session: SessionId, id: u64, tree: &Value) -> Vec<Value> {
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
    assert!(call_typed(&mut stage, hostile, 1, &wide).is_empty());
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
    call_typed(&mut stage, session, 1, &json!([1, [2, [3]]]));
    assert_eq!(stage.server.counters().runs, 0);
    assert!(verdict(&mut stage));
    assert_eq!(stage.server.counters().runs, 1);
    call_typed(&mut stage, session, 2, &json!([1, [0]]));
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
        call_typed(&mut stage, session, 1, &json!(1));
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
        assert!(call_typed(&mut stage, session, id, &json!(0)).is_empty());
    }
    assert_eq!(code(&call_typed(&mut stage, session, 3, &json!(0))), -32010);
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
