//! Which era a message belongs to, and what each era demands before anything else.

use super::stage::{Stage, code, settings};
use crate::engine::server::Asked;
use crate::protocol::Revision;
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn each_legacy_revision_is_agreed_as_it_was_asked_for() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        Stage::new(settings()).legacy(revision, &json!({}));
    }
}

#[test]
fn another_revision_gets_the_newest_legacy_one() {
    for revision in ["1.0", "2099-01-01", "2026-07-28"] {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": {} });
        let answer = stage.ask_legacy(session, json!(1), "initialize", params);
        assert_eq!(answer[0]["result"]["protocolVersion"], "2025-11-25", "{revision}");
    }
}

#[test]
fn a_second_handshake_is_refused_and_changes_nothing() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-06-18", &json!({}));
    let params = json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {} });
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "initialize", params)), -32600);
    let tools = stage.ask_legacy(session, json!(3), "tools/list", json!({}));
    assert_eq!(tools[0]["result"]["tools"][0]["title"], "Add", "still 2025-06-18");
}

#[test]
fn a_handshake_of_the_wrong_shape_can_be_tried_again() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for params in [
        json!({ "protocolVersion": 1, "capabilities": {}, "clientInfo": {} }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": "me" }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": [1], "clientInfo": {} }),
    ] {
        assert_eq!(code(&stage.ask_legacy(session, json!(1), "initialize", params)), -32602);
    }
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    assert!(stage.ask_legacy(session, json!(1), "initialize", params)[0]["result"].is_object());
}

#[test]
fn requests_of_both_eras_are_served_side_by_side() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2024-11-05", &json!({}));
    let old = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    assert_eq!(old[0]["result"]["tools"][0].get("title"), None);
    assert_eq!(old[0]["result"].get("resultType"), None);
    let new = stage.ask_modern(session, json!(2), "tools/list", json!({}));
    assert_eq!(new[0]["result"]["tools"][0]["title"], "Add");
    assert_eq!(new[0]["result"]["resultType"], "complete");
    assert_eq!(new[0]["result"]["ttlMs"], 0);
    assert_eq!(new[0]["result"]["cacheScope"], "private");
    assert_eq!(new[0]["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "stage");
}

#[test]
fn a_request_before_any_handshake_says_what_is_missing() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/list", json!({}))), -32602);
    assert_eq!(stage.ask_legacy(session, json!(2), "ping", json!({}))[0]["result"], json!({}));
    let mut only_legacy = settings();
    only_legacy.revisions = Revision::ALL[..4].to_vec();
    let mut stage = Stage::new(only_legacy);
    let session = stage.server.open(false).expect("a session");
    assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/list", json!({}))), -32600);
    assert_eq!(code(&stage.ask_modern(session, json!(1), "server/discover", json!({}))), -32601);
}

#[test]
fn a_modern_request_must_say_who_sends_it() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let send = |stage: &mut Stage, meta: Value| {
        stage.ask_legacy(session, json!(1), "tools/list", json!({ "_meta": meta }))
    };
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    assert_eq!(code(&send(&mut stage, json!({ version: "2026-07-28" }))), -32602);
    assert_eq!(code(&send(&mut stage, json!({ version: 7, capabilities: {} }))), -32602);
    assert_eq!(code(&send(&mut stage, json!({ version: "2026-07-28", capabilities: 7 }))), -32602);
    let unknown = send(&mut stage, json!({ version: "2099-01-01", capabilities: {} }));
    assert_eq!(code(&unknown), -32022);
    assert_eq!(
        unknown[0]["error"]["data"],
        json!({ "supported": ["2026-07-28"], "requested": "2099-01-01" })
    );
    let legacy_version = send(&mut stage, json!({ version: "2025-11-25", capabilities: {} }));
    assert_eq!(code(&legacy_version), -32022);
}

#[test]
fn what_the_modern_era_does_not_have_is_not_found() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "x/y",
    ] {
        let answer =
            stage.ask_modern(session, json!(1), method, json!({ "uri": "x://fixed", "level": "info" }));
        assert_eq!(code(&answer), -32601, "{method}");
    }
}

#[test]
fn discovery_names_what_works() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let answer = stage.ask_modern(session, json!(0), "server/discover", json!({}));
    let result = &answer[0]["result"];
    assert_eq!(answer[0]["id"], 0);
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 0);
    assert_eq!(result["capabilities"]["resources"], json!({ "listChanged": true, "subscribe": true }));
    assert!(result["capabilities"]["completions"].is_object());
}

#[test]
fn batches_are_of_one_revision() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    for (revision, answers) in [("2025-03-26", 2), ("2024-11-05", 1), ("2025-06-18", 1), ("2025-11-25", 1)] {
        let mut stage = Stage::new(settings());
        let session = stage.legacy(revision, &json!({}));
        let frames = stage.raw(session, batch);
        assert_eq!(frames.len(), answers, "{revision}");
        if answers == 1 {
            assert_eq!(code(&frames), -32600);
            assert_eq!(frames[0].get("id"), None);
        }
        assert_eq!(code(&stage.raw(session, "[]")), -32600);
    }
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {} });
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    assert_eq!(code(&stage.ask(session, &json!([initialize]))), -32600, "the handshake comes alone");
    stage.ask(session, &initialize);
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(stage.ask(session, &json!([initialized])).is_empty(), "nothing in it wants an answer");
}

#[test]
fn a_modern_request_in_a_batch_is_refused_and_the_rest_is_served() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-03-26", &json!({}));
    let modern = json!({ "jsonrpc": "2.0", "id": "m", "method": "tools/list",
                         "params": Stage::modern(json!({}), &json!({})) });
    let legacy = json!({ "jsonrpc": "2.0", "id": "l", "method": "tools/list" });
    let frames = stage.ask(session, &json!([modern, legacy]));
    assert_eq!(frames.len(), 2, "{frames:?}");
    assert_eq!(frames[0]["id"], "m");
    assert_eq!(frames[0]["error"]["code"], -32600, "2026-07-28 has one message per frame");
    assert_eq!(frames[1]["id"], "l");
    assert!(frames[1]["result"]["tools"].is_array());
    assert!(stage.ask(session, &modern)[0]["result"]["tools"].is_array(), "alone it is served");
}

#[test]
fn each_revision_is_told_what_it_knows() {
    let mut all = settings();
    let info = json!({ "name": "n", "version": "1", "title": "T", "description": "D", "icons": [],
                       "websiteUrl": "https://example.com" });
    all.info = info.to_string();
    all.instructions = Some("Use it.".to_owned());
    let newest = ["description", "icons", "websiteUrl"];
    for (revision, absent) in [
        ("2024-11-05", &["title", "description", "icons", "websiteUrl"][..]),
        ("2025-03-26", &["title", "description", "icons", "websiteUrl"]),
        ("2025-06-18", &newest),
        ("2025-11-25", &[]),
    ] {
        let mut stage = Stage::new(all.clone());
        let session = stage.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": {} });
        let answer = stage.ask_legacy(session, json!(1), "initialize", params);
        let result = &answer[0]["result"];
        let mut wanted = info.clone();
        for member in absent {
            wanted.as_object_mut().expect("an object").remove(*member);
        }
        assert_eq!(result["serverInfo"], wanted, "{revision}");
        assert_eq!(result["instructions"], "Use it.");
        assert_eq!(result["capabilities"].get("completions").is_some(), revision != "2024-11-05");
        assert_eq!(result.get("resultType"), None);
    }
}

#[test]
fn a_request_before_the_confirmation_is_served_and_no_change_is_told() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let answer = stage.ask_legacy(session, json!(2), "tools/list", json!({}));
    assert!(answer[0]["result"]["tools"].is_array());
    let tool = r#"{"name":"new","inputSchema":{"type":"object"}}"#;
    stage.server.add_tool(stage.now, tool, "t").expect("a tool");
    assert!(stage.advance(Duration::from_secs(1)).is_empty());
}

#[test]
fn a_modern_server_names_its_versions_to_a_legacy_client() {
    let mut only_modern = settings();
    only_modern.revisions = Revision::ALL[4..].to_vec();
    let mut stage = Stage::new(only_modern);
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    let answer = stage.ask_legacy(session, json!(1), "initialize", params);
    assert_eq!(code(&answer), -32022);
    assert_eq!(answer[0]["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[test]
fn a_request_before_the_handshake_is_told_what_comes_first() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let answer = stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add" }));
    let text = answer[0]["error"]["message"].as_str().expect("a text");
    assert!(text.starts_with("'tools/call' came before 'initialize': send that first"), "{text}");
    assert!(text.contains("io.modelcontextprotocol/protocolVersion"), "{text}");
    assert_eq!(answer[0]["error"]["code"], -32602);
    // A request that names a version is of the other era.
    let params = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    let answer = stage.ask_legacy(session, json!(2), "tools/list", params);
    assert!(!answer[0]["error"]["message"].as_str().expect("a text").contains("initialize"), "{answer:?}");
}

#[test]
fn capabilities_have_a_bound_in_each_era() {
    let mut stage = Stage::new(settings());
    let long = json!({ "experimental": { "x": "y".repeat(20_000) } });
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": &long, "clientInfo": {} });
    let refused = stage.ask_legacy(session, json!(1), "initialize", params);
    assert_eq!(code(&refused), -32602);
    assert!(
        refused[0]["error"]["message"].as_str().is_some_and(|text| text.contains("16384 are allowed")),
        "{refused:?}"
    );
    let params = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": long,
    } });
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "tools/list", params)), -32602);
    // What is null or false is not declared.
    let none = json!({ "protocolVersion": "2025-11-25", "capabilities": { "sampling": false, "roots": null }, "clientInfo": {} });
    let session = stage.server.open(false).expect("a session");
    stage.ask_legacy(session, json!(1), "initialize", none);
    stage.ask_legacy(session, json!(2), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    for (method, params) in
        [("roots/list", "{}"), ("sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#)]
    {
        assert!(
            matches!(stage.server.ask(run.request, "q", method, params), Asked::Unsupported(_)),
            "{method}"
        );
    }
}
