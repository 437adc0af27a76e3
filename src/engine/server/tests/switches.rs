//! What the application switches off, what it is warned of, and cancellations that name nothing.

use super::stage::{Stage, code, settings};
use crate::engine::server::{Effect, Outcome, Stream};
use serde_json::{Value, json};

#[test]
fn listening_can_be_switched_off() {
    let mut settings = settings();
    settings.offers_listen = false;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let listen = stage.ask_modern(session, json!(1), "subscriptions/listen", json!({ "notifications": {} }));
    assert_eq!(code(&listen), -32601);
    let discovered = stage.ask_modern(session, json!(2), "server/discover", json!({}));
    let capabilities = &discovered[0]["result"]["capabilities"];
    for list in ["tools", "resources", "prompts"] {
        assert_eq!(capabilities[list], json!({}), "{list}");
    }
    // The legacy era has notifications of its own.
    let legacy = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let answer = stage.ask_legacy(legacy, json!(1), "initialize", params);
    let capabilities = &answer[0]["result"]["capabilities"];
    assert_eq!(capabilities["resources"], json!({ "listChanged": true, "subscribe": true }));
    assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
}

#[test]
fn results_name_the_server_unless_that_is_switched_off() {
    const INFO: &str = "io.modelcontextprotocol/serverInfo";
    for named in [true, false] {
        let mut settings = settings();
        settings.name_in_results = named;
        let mut stage = Stage::new(settings);
        let session = stage.server.open(false).expect("a session");
        let has_name = |frame: &Value| frame["result"]["_meta"].get(INFO).is_some();
        let listed = stage.ask_modern(session, json!(1), "tools/list", json!({}));
        assert_eq!(has_name(&listed[0]), named);
        stage.ask_modern(session, json!(2), "tools/call", json!({ "name": "typed" }));
        let request = stage.run().request;
        let (_, frames) = stage.respond(request, Outcome::Failure("no"));
        assert_eq!(has_name(&frames[0]), named);
        stage.ask_modern(session, json!(3), "subscriptions/listen", json!({ "notifications": {} }));
        stage.server.end_listens();
        let ended = stage.sent();
        assert_eq!((ended.len(), has_name(&ended[1])), (2, named));
        assert_eq!(ended[1]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 3);
    }
}

#[test]
fn where_each_answer_has_its_own_stream_a_subscription_ends_with_its_result() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(true).expect("a session");
    let params = Stage::modern(json!({ "notifications": {} }), &json!({}));
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params });
    stage.server.frame(stage.now, Stream { session, number: 4 }, listen.to_string().as_bytes());
    stage.sent();
    stage.server.end_listens();
    let Some(Effect::Send { to, frame, .. }) = stage.server.effect() else { panic!("the result") };
    let frame: Value = serde_json::from_slice(&frame).expect("JSON");
    assert_eq!((to.number, &frame["id"], &frame["result"]["resultType"]), (4, &json!(1), &json!("complete")));
    assert!(stage.sent().is_empty());
}

#[test]
fn a_name_that_clients_may_refuse_is_told_and_served() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let now = stage.now;
    let long = "x".repeat(128);
    for name in ["a", "A_b-c.9", &long] {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        stage.server.add_tool(now, &tool, "t").expect("a tool");
    }
    stage.sent();
    assert!(stage.records.is_empty(), "{:?}", stage.records);
    let longer = "x".repeat(129);
    for (count, name) in (1..).zip(["two words", "größe", "a/b", &longer]) {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        stage.server.add_tool(now, &tool, "odd").expect("a tool");
        stage.sent();
        assert_eq!(stage.records.len(), count);
        assert!(stage.records[count - 1].contains(name) && stage.records[count - 1].contains("128"));
        stage.ask_legacy(session, json!(count), "tools/call", json!({ "name": name }));
        assert_eq!(stage.run().handler, "odd");
    }
}

#[test]
fn icons_have_addresses_that_clients_load() {
    let mut stage = Stage::new(settings());
    let now = stage.now;
    let with = |icons: Value| {
        [
            json!({ "name": "i", "inputSchema": { "type": "object" }, "icons": icons }).to_string(),
            json!({ "name": "i", "uri": "i://", "icons": icons }).to_string(),
            json!({ "name": "i", "uriTemplate": "i://{x}", "icons": icons }).to_string(),
            json!({ "name": "i", "icons": icons }).to_string(),
        ]
    };
    let mut add = |definitions: &[String; 4]| {
        [
            stage.server.add_tool(now, &definitions[0], "t"),
            stage.server.add_resource(now, &definitions[1], "t"),
            stage.server.add_template(now, &definitions[2], "t"),
            stage.server.add_prompt(now, &definitions[3], "t"),
        ]
    };
    for bad in [
        json!({}),
        json!([7]),
        json!([{}]),
        json!([{ "src": "http://example.com/i.png" }]),
        json!([{ "src": "https://example.com/i.png" }, { "src": "javascript:alert(1)" }]),
    ] {
        for added in add(&with(bad.clone())) {
            assert_eq!(added.expect_err("icons").member, "icons", "{bad}");
        }
    }
    let good = with(json!([{ "src": "https://example.com/i.png" }, { "src": "data:image/png;base64,AAAA" }]));
    for added in add(&good) {
        added.expect("good icons");
    }
}

#[test]
fn a_cancellation_that_names_nothing_open_is_ignored() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "typed" }));
    let request = stage.run().request;
    let finished = stage.ask_legacy(session, json!(2), "ping", json!({}));
    assert_eq!(finished[0]["id"], 2);
    for id in ["2", "3", "\"1\"", "1.5", "null", "true", "{}", "[1]", "-1", "18446744073709551616"] {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":7}}}}"#
        );
        assert!(stage.raw(session, &frame).is_empty(), "{id}");
    }
    assert!(stage.withdrawn.is_empty() && stage.server.is_under_way(request));
    assert_eq!(stage.server.counters().cancelled, 0);
}
