//! Work that outlasts its call, in both eras.

use serde_json::{Value, json};

use super::{Talk, only_message, text};
use crate::options::EraChoice;
use crate::server::Effect;

const NOW: &str = "a task of no length";

fn legacy(talk: &mut Talk, arguments: Value) -> String {
    let call = json!({ "name": "research", "arguments": arguments, "task": { "ttl": 5 } });
    let created = talk.ask("tools/call", call);
    assert_eq!(created["result"]["task"]["status"], "working", "{created}");
    assert_eq!(created["result"]["task"]["ttl"], 5);
    created["result"]["task"]["taskId"].as_str().expect("a name").to_owned()
}

fn modern(talk: &mut Talk, method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": {
        "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} },
    } });
    talk.modern(method, params)
}

#[test]
fn the_core_form_gives_its_result_by_a_request_of_its_own() {
    let mut talk = Talk::legacy("2025-11-25", json!({}));
    let refused = talk.call("research", json!({ "topic": NOW }));
    assert_eq!(refused["error"]["code"], -32601, "only as a task");
    let id = legacy(&mut talk, json!({ "topic": NOW, "ms": 0 }));
    assert_eq!(talk.ask("tasks/get", json!({ "taskId": id }))["result"]["status"], "completed");
    assert_eq!(talk.ask("tasks/list", json!({}))["result"]["tasks"][0]["taskId"], id.as_str());
    let effects = talk.effects("tasks/result", json!({ "taskId": id }));
    let [Effect::Later { frames, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(text(&frames[0].1), format!("researched {NOW}"));
    let related = &frames[0].1["result"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(related["taskId"], id.as_str());
    assert_eq!(talk.ask("tasks/cancel", json!({ "taskId": id }))["error"]["code"], -32602);
    assert_eq!(talk.ask("tasks/get", json!({ "taskId": "no" }))["error"]["code"], -32602);
}

#[test]
fn the_core_form_asks_while_its_result_is_awaited() {
    let mut talk = Talk::legacy("2025-11-25", json!({ "elicitation": {} }));
    for (related, says) in [(true, "researched x: blue"), (false, "nothing to be found on x")] {
        let id = legacy(&mut talk, json!({ "topic": "x", "ms": 0, "question": "?" }));
        assert_eq!(talk.ask("tasks/get", json!({ "taskId": id }))["result"]["status"], "input_required");
        let question = only_message(talk.effects("tasks/result", json!({ "taskId": id })));
        assert_eq!(question["method"], "elicitation/create");
        let mut answer = json!({ "action": "accept", "content": { "answer": "blue" } });
        if related {
            answer["_meta"] = question["params"]["_meta"].clone();
        }
        let effects = talk.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }));
        let [Effect::Later { frames, .. }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(text(&frames[0].1), says);
    }
}

#[test]
fn the_extension_brings_inputs_and_result_with_the_state() {
    let mut talk = Talk::new(EraChoice::Modern);
    let call = json!({ "name": "research", "arguments": { "topic": "x", "ms": 0, "question": "?" } });
    let refused = talk.modern("tools/call", call.clone());
    assert_eq!(refused["error"]["code"], -32021, "the client has not declared the extension");
    let created = modern(&mut talk, "tools/call", call);
    assert_eq!(created["result"]["resultType"], "task");
    let id = created["result"]["taskId"].clone();
    let state = modern(&mut talk, "tasks/get", json!({ "taskId": id }));
    assert_eq!(state["result"]["inputRequests"]["question"]["method"], "elicitation/create");
    let answers = json!({ "question": { "action": "accept", "content": { "answer": "blue" } } });
    modern(&mut talk, "tasks/update", json!({ "taskId": id, "inputResponses": answers }));
    let state = modern(&mut talk, "tasks/get", json!({ "taskId": id }));
    assert_eq!(state["result"]["status"], "completed");
    assert_eq!(state["result"]["result"]["content"][0]["text"], "researched x: blue");
    assert_eq!(modern(&mut talk, "tasks/list", json!({}))["error"]["code"], -32601);
}

#[test]
fn a_cancelled_task_stays_cancelled_and_those_who_wait_are_told() {
    let mut talk = Talk::legacy("2025-11-25", json!({ "elicitation": {} }));
    let id = legacy(&mut talk, json!({ "topic": "x", "ms": 60000, "question": "?" }));
    talk.effects("tasks/result", json!({ "taskId": id }));
    let effects = talk.effects("tasks/cancel", json!({ "taskId": id }));
    assert_eq!(effects.len(), 2, "{effects:?}");
    assert_eq!(talk.ask("tasks/get", json!({ "taskId": id }))["result"]["status"], "cancelled");
    assert!(talk.ask("tasks/result", json!({ "taskId": id }))["error"]["code"].is_i64());
}

#[test]
fn earlier_revisions_have_no_tasks() {
    let mut talk = Talk::legacy("2025-06-18", json!({}));
    assert_eq!(talk.call("research", json!({ "topic": "x" }))["error"]["code"], -32602);
    assert_eq!(talk.ask("tasks/get", json!({ "taskId": "x" }))["error"]["code"], -32601);
    let tools = talk.ask("tools/list", json!({}));
    assert!(!tools.to_string().contains("research"));
}
