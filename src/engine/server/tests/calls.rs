//! What the application sends by itself: calls of clients, and notifications.

use super::stage::{Stage, settings};
use crate::engine::Status;
use crate::engine::server::{Effect, Outgone, SessionId};
use serde_json::json;
use std::time::Duration;

/// What became of calls: number, tag, outcome.
fn called(stage: &mut Stage) -> Vec<(u64, u64, Outgone)> {
    let mut outcomes = Vec::new();
    while let Some(effect) = stage.server.effect() {
        if let Effect::Called { call, tag, outcome, .. } = effect {
            outcomes.push((call, tag, outcome));
        }
    }
    outcomes
}

fn answer(stage: &mut Stage, session: SessionId, message: &serde_json::Value) {
    let stream = crate::engine::server::Stream { session, number: 0 };
    stage.server.frame(stage.now, stream, message.to_string().as_bytes());
}

#[test]
fn a_call_has_one_outcome_whatever_the_client_does() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    let other = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    let now = stage.now;
    let call = |stage: &mut Stage, tag| {
        let id = stage.server.call(now, session, "roots/list", "{\n}", tag, Some(Duration::from_secs(9)));
        let id = id.expect("a call");
        let frames = stage.sent();
        assert_eq!(frames, [json!({ "jsonrpc": "2.0", "id": id, "method": "roots/list", "params": {} })]);
        id
    };
    let first = call(&mut stage, 1);
    let roots = json!({ "roots": [] });
    // Another session's answer does not count, and a second one is too late.
    answer(&mut stage, other, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    assert_eq!(called(&mut stage), []);
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": first, "result": roots }));
    assert_eq!(called(&mut stage), [(first, 1, Outgone::Result(roots.to_string().into()))]);
    let second = call(&mut stage, 2);
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": second, "result": { "roots": 3 } }));
    assert_eq!(called(&mut stage), [(second, 2, Outgone::Malformed)]);
    let third = call(&mut stage, 3);
    let error = json!({ "code": -1, "message": "no" });
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": third, "error": error }));
    let outcomes = called(&mut stage);
    assert!(
        matches!(&outcomes[..], [(_, 3, Outgone::Error(text))] if text.contains("\"no\"")),
        "{outcomes:?}"
    );
    let fourth = call(&mut stage, 4);
    stage.now.at += Duration::from_secs(10);
    stage.server.tick(stage.now);
    let effects: Vec<String> =
        std::iter::from_fn(|| stage.server.effect()).map(|effect| format!("{effect:?}")).collect();
    assert!(effects.iter().any(|effect| effect.contains("Overdue")), "{effects:?}");
    answer(&mut stage, session, &json!({ "jsonrpc": "2.0", "id": fourth, "result": roots }));
    assert_eq!(called(&mut stage), []);
    let fifth = call(&mut stage, 5);
    stage.server.close(session);
    assert_eq!(called(&mut stage), [(fifth, 5, Outgone::SessionEnded)]);
    assert_eq!(stage.server.open_counts()[2], 0);
}

#[test]
fn what_cannot_be_called_is_refused_and_leaves_nothing() {
    let mut settings = settings();
    settings.limits.requests_per_session = 2;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let modern = stage.server.open(false).expect("a session");
    for (to, method, params, status, names) in [
        (SessionId(99), "ping", "{}", Status::Unavailable, "session 99"),
        (modern, "ping", "{}", Status::Unsupported, "mcp_request_ask"),
        (session, "roots/list", "{}", Status::Unsupported, "roots/list"),
        (session, "tools/call", "{}", Status::InvalidArgument, "tools/call"),
        (session, "ping", "[]", Status::InvalidArgument, "object"),
        (session, "ping", "{", Status::InvalidArgument, "object"),
    ] {
        let refused = stage.server.call(stage.now, to, method, params, 0, None).expect_err(method);
        assert_eq!(refused.status, status, "{}", refused.message);
        assert!(refused.message.contains(names), "{}", refused.message);
    }
    for _ in 0..2 {
        stage.server.call(stage.now, session, "ping", "{}", 0, None).expect("a call");
    }
    let refused = stage.server.call(stage.now, session, "ping", "{}", 0, None).expect_err("too many");
    assert_eq!(refused.status, Status::Backpressure);
    assert_eq!(stage.server.open_counts()[2], 2);
}

#[test]
fn notifications_go_to_those_they_are_for() {
    let mut stage = Stage::new(settings());
    let first = stage.legacy("2025-11-25", &json!({}));
    stage.legacy("2025-06-18", &json!({}));
    let modern = stage.server.open(false).expect("a session");
    let sent = stage.server.notify_sessions(None, "notifications/x", "{\"a\":\n1}").expect("sent");
    let frame = json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": { "a": 1 } });
    assert_eq!((sent, stage.sent()), (2, vec![frame.clone(), frame.clone()]));
    let sent = stage.server.notify_sessions(Some(first), "notifications/x", "{\"a\":1}").expect("sent");
    assert_eq!((sent, stage.sent()), (1, vec![frame]));
    for (session, name, params, status) in [
        (None, "notifications/tools/list_changed", "{}", Status::InvalidArgument),
        (None, "notifications/message", "{}", Status::InvalidArgument),
        (None, "tools/call", "{}", Status::InvalidArgument),
        (None, "", "{}", Status::InvalidArgument),
        (None, "notifications/x", "3", Status::InvalidArgument),
        (Some(modern), "notifications/x", "{}", Status::Unavailable),
        (Some(SessionId(99)), "notifications/x", "{}", Status::Unavailable),
    ] {
        let refused = stage.server.notify_sessions(session, name, params).expect_err(name);
        assert_eq!(refused.status, status, "{}", refused.message);
    }
    assert!(stage.sent().is_empty());
}

#[test]
fn answers_of_the_wrong_shape_are_failures_in_2026_07_28_too() {
    use crate::engine::server::{Answer, Asked};
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for (method, answer, is_good) in [
        ("elicitation/create", json!({ "action": "accept", "content": { "a": 1 } }), true),
        ("elicitation/create", json!({ "action": "decline" }), true),
        ("elicitation/create", json!({ "action": "maybe" }), false),
        ("elicitation/create", json!({ "content": {} }), false),
        ("roots/list", json!({ "roots": [] }), true),
        ("roots/list", json!({ "roots": {} }), false),
        ("sampling/createMessage", json!({ "role": "assistant", "content": { "type": "text" } }), true),
        ("sampling/createMessage", json!({ "content": [] }), false),
    ] {
        let params = json!({ "name": "add", "arguments": { "a": 1 }, "inputResponses": { "k": answer } });
        stage.ask_modern(session, json!(1), "tools/call", params);
        let request = stage.run().request;
        let question = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;
        let asked = stage.server.ask(request, "k", method, question);
        let is_result = matches!(&asked, Asked::Answered(Answer::Result(_)));
        let is_failure = matches!(&asked, Asked::Answered(Answer::Failed(why)) if why.contains("shape"));
        assert!(if is_good { is_result } else { is_failure }, "{method} {answer}: {asked:?}");
        stage.respond(request, crate::engine::server::Outcome::Failure("done"));
    }
}

#[test]
fn the_end_of_an_elicitation_is_a_notification_of_the_application() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": { "url": {} } }));
    let params = r#"{"elicitationId":"e1"}"#;
    let sent = stage.server.notify_sessions(Some(session), "notifications/elicitation/complete", params);
    assert_eq!(sent.expect("sent"), 1);
    assert_eq!(stage.sent()[0]["params"]["elicitationId"], "e1");
}

#[test]
fn a_resource_is_told_of_after_the_handshake_only() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    stage.ask_legacy(session, json!(1), "initialize", params);
    stage.ask_legacy(session, json!(2), "resources/subscribe", json!({ "uri": "x://handled" }));
    stage.server.resource_updated(stage.now, "x://handled");
    assert!(stage.advance(Duration::from_secs(1)).is_empty());
    stage.ask(session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    stage.server.resource_updated(stage.now, "x://handled");
    assert_eq!(stage.advance(Duration::from_secs(1)).len(), 1);
}
