//! The rules of the handshake and of the revisions that have it.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Talk, hello, messages, only_message, text};
use crate::options::EraChoice;
use crate::server::Effect;

#[test]
fn every_legacy_revision_is_taken_and_an_unknown_one_gets_the_newest() {
    for revision in crate::protocol::LEGACY {
        Talk::legacy(revision, json!({}));
    }
    for unknown in ["2026-07-28", "1999-01-01"] {
        let answer = Talk::new(EraChoice::Both).ask("initialize", hello(unknown, json!({})));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    }
}

#[test]
fn nothing_but_ping_is_served_before_the_handshake_is_done() {
    let mut talk = Talk::new(EraChoice::Legacy);
    assert_eq!(talk.ask("tools/list", json!({}))["error"]["code"], -32600);
    assert_eq!(talk.ask("ping", json!({}))["result"], json!({}));
    talk.ask("initialize", hello("2025-11-25", json!({})));
    assert_eq!(talk.ask("tools/list", json!({}))["error"]["code"], -32600);
    talk.tell("notifications/initialized", json!({}));
    assert!(talk.ask("tools/list", json!({}))["result"]["tools"].is_array());
    assert_eq!(talk.ask("initialize", hello("2025-11-25", json!({})))["error"]["code"], -32600);
}

#[test]
fn add_has_structure_where_the_revision_has_it() {
    let new = Talk::legacy("2025-06-18", json!({})).call("add", json!({ "a": 2, "b": 3 }));
    assert_eq!((text(&new), &new["result"]["structuredContent"]), ("5", &json!({ "sum": 5 })));
    let old = Talk::legacy("2025-03-26", json!({})).call("add", json!({ "a": 0.5, "b": 1 }));
    assert_eq!(text(&old), "1.5");
    assert!(old["result"].get("structuredContent").is_none());
}

#[test]
fn wrong_arguments_are_a_tool_error_and_an_unknown_tool_is_a_protocol_error() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    for (tool, arguments) in
        [("add", json!({ "a": "2", "b": 3 })), ("big", json!({ "bytes": -1 })), ("fail", json!({}))]
    {
        assert_eq!(talk.call(tool, arguments)["result"]["isError"], true, "{tool}");
    }
    assert_eq!(talk.call("no_such_tool", json!({}))["error"]["code"], -32602);
}

#[test]
fn slow_reports_progress_to_who_asked_and_can_be_cancelled() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    let call =
        json!({ "name": "slow", "arguments": { "ms": 100, "steps": 2 }, "_meta": { "progressToken": 7 } });
    let effects = talk.effects("tools/call", call);
    let [Effect::Later { id, frames }] = &effects[..] else { panic!("{effects:?}") };
    let due: Vec<_> = frames.iter().map(|(due, _)| *due).collect();
    assert_eq!(due, [50, 100, 100].map(Duration::from_millis));
    assert_eq!(frames[0].1["params"]["progressToken"], 7);
    assert_eq!(frames[2].1["id"], *id);
    assert_eq!(
        talk.tell("notifications/cancelled", json!({ "requestId": id })),
        [Effect::Cancel(id.clone())]
    );

    let effects =
        talk.effects("tools/call", json!({ "name": "slow", "arguments": { "ms": 100, "steps": 2 } }));
    assert!(matches!(&effects[..], [Effect::Later { frames, .. }] if frames.len() == 1));
}

#[test]
fn big_has_the_asked_size_with_and_without_escapes() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    for escapes in [false, true] {
        let answer = talk.call("big", json!({ "bytes": 10_001, "escapes": escapes }));
        assert_eq!(text(&answer).len(), 10_001);
    }
}

#[test]
fn legacy_notify_respects_the_log_level_and_the_subscriptions() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    let notify = || json!({ "name": "notify", "arguments": { "count": 2 } });
    let methods = |effects| -> Vec<String> {
        let name = |message: &Value| message["method"].as_str().unwrap_or("answer").to_owned();
        messages(effects).iter().map(name).collect()
    };
    let log = "notifications/message";
    let [tools, prompts, resources] =
        ["tools", "prompts", "resources"].map(|list| format!("notifications/{list}/list_changed"));
    let (tools, prompts, resources) = (tools.as_str(), prompts.as_str(), resources.as_str());
    assert_eq!(
        methods(talk.effects("tools/call", notify())),
        [log, log, tools, prompts, resources, "answer"]
    );

    assert_eq!(talk.ask("logging/setLevel", json!({ "level": "error" }))["result"], json!({}));
    talk.ask("resources/subscribe", json!({ "uri": "demo://greeting" }));
    let updated = "notifications/resources/updated";
    assert_eq!(methods(talk.effects("tools/call", notify())), [updated, tools, prompts, resources, "answer"]);

    assert_eq!(talk.ask("logging/setLevel", json!({ "level": "loud" }))["error"]["code"], -32602);
    assert_eq!(talk.ask("resources/subscribe", json!({ "uri": "demo://no" }))["error"]["code"], -32002);
}

#[test]
fn a_legacy_question_is_a_request_to_the_client() {
    let mut talk = Talk::legacy("2025-06-18", json!({ "elicitation": {} }));
    let form = talk.call("ask", json!({ "question": "Name?" }));
    assert_eq!(form["method"], "elicitation/create");
    assert!(form["params"].get("mode").is_none(), "there was no mode yet");
    let accepted = json!({ "action": "accept", "content": { "answer": "Ada" } });
    let reply = json!({ "jsonrpc": "2.0", "id": form["id"], "result": accepted });
    let answer = only_message(talk.send(&reply));
    assert_eq!((text(&answer), &answer["id"]), ("Ada", &json!(2)));
    assert_eq!(talk.send(&reply), [], "a second answer finds no request");

    let form = talk.call("ask", json!({ "question": "Name?" }));
    let refusal = json!({ "jsonrpc": "2.0", "id": form["id"], "error": { "code": -1, "message": "no" } });
    assert_eq!(only_message(talk.send(&refusal))["result"]["isError"], true);
}

#[test]
fn a_cancelled_question_is_taken_back() {
    let mut talk = Talk::legacy("2025-11-25", json!({ "elicitation": { "form": {} } }));
    let form = talk.call("ask", json!({ "question": "Name?" }));
    assert_eq!(form["params"]["mode"], "form");
    let effects = talk.tell("notifications/cancelled", json!({ "requestId": 2 }));
    let [Effect::Cancel(_), Effect::Send(taken_back)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(taken_back["params"]["requestId"], form["id"]);
}

#[test]
fn batches_are_for_2025_03_26_only() {
    let ping = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let batch = json!([ping(5), { "jsonrpc": "2.0", "method": "notifications/x" }, ping(6)]);
    let answer = only_message(Talk::legacy("2025-03-26", json!({})).send(&batch));
    assert_eq!(answer.as_array().map(Vec::len), Some(2));
    let answer = only_message(Talk::legacy("2025-06-18", json!({})).send(&batch));
    assert_eq!(answer["error"]["code"], -32600);
}
