//! Where the eras meet: what each refuses of the other, and the features they share.

use serde_json::json;

use super::{Talk, hello, only_message, text};
use crate::options::EraChoice;
use crate::server::Server;

#[test]
fn a_legacy_server_does_not_know_discover_and_a_modern_one_refuses_initialize() {
    let answer = Talk::new(EraChoice::Legacy).modern("server/discover", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let answer = Talk::new(EraChoice::Modern).ask("initialize", hello("2025-11-25", json!({})));
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["supported"], json!(["2026-07-28"]));
    assert_eq!(answer["error"]["data"]["requested"], "2025-11-25");
}

#[test]
fn methods_of_the_other_era_are_unknown() {
    let mut modern = Talk::new(EraChoice::Both);
    for method in ["ping", "logging/setLevel", "resources/subscribe", "no/such"] {
        assert_eq!(modern.modern(method, json!({}))["error"]["code"], -32601, "{method}");
    }
    let mut legacy = Talk::legacy("2025-11-25", json!({}));
    assert_eq!(legacy.ask("no/such", json!({}))["error"]["code"], -32601);
}

#[test]
fn results_are_plain_in_legacy_and_dressed_in_modern() {
    let plain = Talk::legacy("2025-11-25", json!({})).call("echo", json!({ "text": "hi" }));
    assert_eq!(plain["result"], json!({ "content": [{ "type": "text", "text": "hi" }] }));
    let params = json!({ "name": "echo", "arguments": { "text": "hi" } });
    let dressed = Talk::new(EraChoice::Both).modern("tools/call", params);
    assert_eq!(dressed["result"]["resultType"], "complete");
    assert_eq!(text(&dressed), "hi");
    assert!(dressed["result"].get("ttlMs").is_none());
}

#[test]
fn nobody_is_asked_who_cannot_answer() {
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let answer = Talk::legacy("2025-11-25", capabilities).call("ask", json!({ "question": "?" }));
        assert_eq!(answer["result"]["isError"], true);
    }
    let meta = json!({ "io.modelcontextprotocol/clientCapabilities": {} });
    let call = json!({ "name": "ask", "arguments": { "question": "?" }, "_meta": meta });
    let answer = Talk::new(EraChoice::Modern).modern("tools/call", call);
    assert_eq!(answer["error"]["code"], -32021);
    assert_eq!(answer["error"]["data"]["requiredCapabilities"], json!({ "elicitation": { "form": {} } }));
}

#[test]
fn resources_prompts_and_completions_answer() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    let read = talk.ask("resources/read", json!({ "uri": "demo://greeting/Ada" }));
    assert_eq!(read["result"]["contents"][0]["text"], "Hello, Ada!");
    let logo = talk.ask("resources/read", json!({ "uri": "demo://logo" }));
    assert!(logo["result"]["contents"][0]["blob"].is_string());
    assert_eq!(talk.ask("resources/read", json!({ "uri": "demo://no" }))["error"]["code"], -32002);
    assert_eq!(talk.modern("resources/read", json!({ "uri": "demo://no" }))["error"]["code"], -32602);

    let prompt = talk.ask("prompts/get", json!({ "name": "greet", "arguments": { "name": "Ada" } }));
    assert_eq!(prompt["result"]["messages"][0]["role"], "user");
    assert_eq!(talk.ask("prompts/get", json!({ "name": "greet" }))["error"]["code"], -32602);

    let argument = json!({ "name": "name", "value": "a" });
    let completion = talk.ask(
        "completion/complete",
        json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": argument }),
    );
    assert_eq!(completion["result"]["completion"]["values"], json!(["Ada", "Alan"]));
}

#[test]
fn lists_come_in_pages_when_asked() {
    let mut talk = Talk { server: Server::new(EraChoice::Both, Some(4)), next_id: 1 };
    let first = talk.modern("tools/list", json!({}))["result"].take();
    assert_eq!(first["tools"].as_array().map(Vec::len), Some(4));
    let second = talk.modern("tools/list", json!({ "cursor": first["nextCursor"] }));
    assert_ne!(second["result"]["tools"][0], first["tools"][0]);
    assert_eq!(talk.modern("tools/list", json!({ "cursor": "" }))["error"]["code"], -32602);
}

#[test]
fn what_is_no_request_is_told_so_and_notifications_never_are() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    assert_eq!(only_message(talk.server.receive(b"{no json"))["error"]["code"], -32700);
    for wrong in [
        json!(1),
        json!([]),
        json!({ "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1 , "method": 2 }),
    ] {
        assert_eq!(only_message(talk.send(&wrong))["error"]["code"], -32600, "{wrong}");
    }
    assert_eq!(talk.tell("notifications/unknown", json!({})), []);
    assert_eq!(talk.send(&json!({ "jsonrpc": "2.0", "id": 9, "result": {} })), []);
}
