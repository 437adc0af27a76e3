//! What a server may ask, when, and which answers count.

use super::stage::{Stage, settings};
use crate::engine::Status;
use crate::engine::server::{Answer, Asked, Effect, Outcome, Outgone, RequestId, SessionId, Stream};
use serde_json::{Value, json};
use std::time::Duration;

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
        Asked::Pending => String::new(),
        Asked::Refused(what) => {
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
        assert!(matches!(&refused, Asked::Refused(what) if what.contains(names)), "{params}: {refused:?}");
    }
    let good = page("https://example.com/pay", "1");
    assert_eq!(ask(&mut stage, "a", &good), Asked::Pending);
    assert_eq!(ask(&mut stage, "a", &good), Asked::Pending, "the same question");
    let again = ask(&mut stage, "b", &good);
    assert!(matches!(&again, Asked::Refused(what) if what.contains("used before")), "{again:?}");
    let local = page("http://127.0.0.1:8080/", "2");
    stage.server.call(stage.now, session, "elicitation/create", &local, 0, None).expect("a call");
    let twice = stage.server.call(stage.now, session, "elicitation/create", &local, 0, None);
    assert!(twice.expect_err("the same id").message.contains("used before"));
    stage.sent();
    // Another session has ids of its own.
    let other = stage.legacy("2025-11-25", &able());
    let second = request(&mut stage, other, 2);
    assert_eq!(stage.server.ask(second, "a", "elicitation/create", &good), Asked::Pending);
    // 2025-06-18 has forms only.
    let old = stage.legacy("2025-06-18", &able());
    let third = request(&mut stage, old, 3);
    let missing = Asked::Unsupported(r#"{"elicitation":{"url":{}}}"#.to_owned());
    assert_eq!(stage.server.ask(third, "a", "elicitation/create", &good), missing);
    // 2026-07-28 has no such ids.
    let modern = stage.server.open(false).expect("a session");
    let url = json!({ "elicitation": { "url": {} } });
    for id in 1..=2 {
        let params = Stage::modern(json!({ "name": "typed" }), &url);
        stage.ask(modern, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        let run = stage.run().request;
        let params = r#"{"mode":"url","message":"m","url":"https://example.com"}"#;
        assert_eq!(stage.server.ask(run, "a", "elicitation/create", params), Asked::Pending);
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
        (json!([uses(&["1", "1"])]), "twice"),
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
        assert_eq!(stage.server.ask(asking, "n", "sampling/createMessage", &none), Asked::Pending);
        let asked = stage.server.ask(asking, "k", "sampling/createMessage", params);
        let missing = Asked::Unsupported(r#"{"sampling":{"context":{}}}"#.to_owned());
        assert_eq!(asked, if may { Asked::Pending } else { missing }, "{revision} {capability}");
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
        let told = |asked: &Asked| match asked {
            Asked::Answered(Answer::Result(text)) => assert!(fits, "{text}"),
            Asked::Answered(Answer::Failed(error)) => {
                assert!(!fits && error.contains("does not fit"), "{answer}: {error}");
            }
            other => panic!("{answer}: {other:?}"),
        };
        let mut stage = Stage::new(settings());
        let session = stage.legacy("2025-11-25", &able());
        let asking = request(&mut stage, session, 1);
        assert_eq!(stage.server.ask(asking, "k", "elicitation/create", NUMBERS), Asked::Pending);
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
        assert_eq!(matches!(outcome, Outgone::Result(_)), fits, "{answer}: {outcome:?}");
        assert_eq!(outcome == Outgone::Malformed, !fits);
    }
}

#[test]
fn nothing_is_asked_before_the_handshake_is_confirmed() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": able(), "clientInfo": { "name": "c", "version": "1" } });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let asking = request(&mut stage, session, 2);
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), Asked::Pending);
    stage.server.returned(stage.now, asking);
    // The application may free the request as well.
    stage.server.dropped(stage.now, asking);
    assert!(stage.sent().is_empty());
    assert!(stage.advance(Duration::from_secs(40)).is_empty());
    // Another handler is still at work: what it noted goes out when it returns.
    let working = request(&mut stage, session, 3);
    assert_eq!(stage.server.ask(working, "k", "roots/list", "{}"), Asked::Pending);
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
        assert_eq!(stage.server.ask(asking, key, "roots/list", "{}"), Asked::Pending);
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
        let Asked::Answered(Answer::Failed(why)) = stage.server.ask(asking, key, "roots/list", "{}") else {
            panic!("the handler learns nothing of '{key}'")
        };
        assert!(why.contains("notifications/initialized"), "{why}");
    }
    let (_, answer) = stage.respond(asking, Outcome::Failure("no roots"));
    assert_eq!(answer[0]["id"], 2);
    assert_eq!((&stage.server.open_counts()[1..], stage.server.deadline()), (&[0, 0, 0][..], None));
    // One that is over before has no time left to wait for.
    let asking = request(&mut stage, session, 3);
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), Asked::Pending);
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
    assert_eq!(stage.server.ask(asking, "k", "roots/list", "{}"), Asked::Pending);
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
