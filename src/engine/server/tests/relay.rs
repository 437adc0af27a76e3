//! A server that stands before another one hands on what nothing of it is for, and tells what clients want.

use super::stage::{Stage, code, settings};
use crate::engine::server::{Effect, Outcome, Severity, Stream};
use serde_json::{Value, json};

/// A relay before a server with these capabilities.
fn relay(capabilities: &Value) -> Stage {
    let mut stage = Stage::new(settings());
    // Methods that no schema has are asked.
    stage.keeps_schema = false;
    let capabilities = capabilities.as_object().cloned().unwrap_or_default();
    stage.server.relay("behind", capabilities);
    stage
}

#[test]
fn what_no_entry_is_for_goes_to_the_application_in_both_eras() {
    let mut stage = relay(&json!({ "completions": {} }));
    let legacy = stage.legacy("2025-11-25", &json!({}));
    for (method, params) in [
        ("tools/call", json!({ "name": "hidden" })),
        ("prompts/get", json!({ "name": "hidden" })),
        ("resources/read", json!({ "uri": "z://hidden" })),
        ("example/method", json!({ "a": 1 })),
    ] {
        assert_eq!(stage.ask_legacy(legacy, json!(1), method, params.clone()), [] as [Value; 0], "{method}");
        let run = stage.run();
        assert_eq!(run.handler, "behind");
        let (_, sent) = stage.respond(run.request, Outcome::Error { code: -1, message: "x", data: None });
        assert_eq!(code(&sent), -1);
        assert_eq!(stage.ask_modern(legacy, json!(2), method, params), [] as [Value; 0], "{method}");
        let run = stage.run();
        stage.respond(run.request, Outcome::Error { code: -1, message: "x", data: None });
    }
}

#[test]
fn what_belongs_to_the_protocol_is_answered_by_the_relay_itself() {
    let mut stage = relay(&json!({}));
    let session = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(
        code(&stage.ask_modern(session, json!(1), "resources/subscribe", json!({ "uri": "x://a" }))),
        -32601
    );
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "server/discover", json!({}))), -32601);
    assert!(stage.runs.is_empty());
}

#[test]
fn capabilities_that_the_library_does_not_know_are_those_of_the_server_behind() {
    let mut stage = relay(&json!({
        "tools": {"odd": 1}, "completions": {}, "experimental": {"x": {}}, "resources": {},
        "extensions": {"com.example/x": {"y": 1}, "io.modelcontextprotocol/tasks": {}},
    }));
    let session = stage.legacy("2025-11-25", &json!({}));
    let found =
        &stage.ask_modern(session, json!(1), "server/discover", json!({}))[0]["result"]["capabilities"];
    assert_eq!(found["experimental"], json!({"x": {}}));
    assert_eq!(found["extensions"]["com.example/x"], json!({"y": 1}));
    assert_eq!(found["extensions"]["io.modelcontextprotocol/tasks"], json!({}));
    assert_eq!(found["tools"], json!({"listChanged": true}), "its own it announces itself");
    assert_eq!(found["resources"].get("subscribe"), None, "the server behind has no subscriptions");
}

#[test]
fn the_application_learns_of_notifications_sessions_levels_and_subscriptions() {
    let mut stage = relay(&json!({ "resources": {"subscribe": true} }));
    let session = stage.legacy("2025-11-25", &json!({}));
    let effects = |stage: &mut Stage, message: &Value| -> Vec<String> {
        stage.server.frame(stage.now, Stream { session, number: 0 }, message.to_string().as_bytes());
        let mut found = Vec::new();
        while let Some(effect) = stage.server.effect() {
            match effect {
                Effect::Notified { method, params, .. } => found.push(format!("{method} {params}")),
                Effect::Joined(_) => found.push("joined".to_owned()),
                Effect::Subscriptions => found.push("subscriptions".to_owned()),
                Effect::LevelSet(_) => found.push("level".to_owned()),
                _ => {}
            }
        }
        found
    };
    let notification = |method: &str| json!({ "jsonrpc": "2.0", "method": method, "params": {"a": 1.50} });
    assert_eq!(effects(&mut stage, &notification("notifications/odd")), ["notifications/odd {\"a\":1.5}"]);
    assert_eq!(effects(&mut stage, &notification("notifications/initialized")), ["joined"]);
    let request = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params });
    assert_eq!(effects(&mut stage, &request("logging/setLevel", json!({"level": "debug"}))), ["level"]);
    assert_eq!(stage.server.least_severity(), Some(Severity::Debug));
    let fixed = json!({ "uri": "x://fixed" });
    assert_eq!(effects(&mut stage, &request("resources/subscribe", fixed.clone())), ["subscriptions"]);
    assert_eq!(effects(&mut stage, &request("resources/subscribe", fixed.clone())), [] as [&str; 0]);
    let (all, by) = stage.server.subscribed();
    assert_eq!((all, by.len()), (["x://fixed".into()].into(), 1));
    assert_eq!(effects(&mut stage, &request("resources/unsubscribe", fixed)), ["subscriptions"]);
    let (all, by) = stage.server.subscribed();
    assert_eq!((all.len(), by.len()), (0, 1));
}

#[test]
fn another_server_drops_unknown_notifications_and_tells_nothing() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let odd = br#"{"jsonrpc":"2.0","method":"notifications/odd"}"#;
    stage.server.frame(stage.now, Stream { session, number: 0 }, odd);
    while let Some(effect) = stage.server.effect() {
        assert!(matches!(effect, Effect::Record { .. }), "{effect:?}");
    }
}
