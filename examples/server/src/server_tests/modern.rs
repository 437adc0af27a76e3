//! The rules of 2026-07-28: metadata on every request, streams for changes, questions in rounds.

use serde_json::json;

use super::{Talk, messages, only_message, text, with_meta};
use crate::options::EraChoice;

#[test]
fn discover_tells_versions_capabilities_and_name() {
    let result = Talk::new(EraChoice::Both).modern("server/discover", json!({}))["result"].take();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["cacheScope"], "public");
    assert!(result["ttlMs"].is_u64() && result["capabilities"]["tools"].is_object());
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "mcp-example-server");
}

#[test]
fn a_modern_request_without_its_metadata_is_refused() {
    let mut talk = Talk::new(EraChoice::Modern);
    assert_eq!(talk.ask("tools/list", json!({}))["error"]["code"], -32602);
    let only_version = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    assert_eq!(talk.ask("tools/list", only_version)["error"]["code"], -32602);
    let old = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2027-01-01" } });
    let answer = talk.modern("tools/list", old);
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"], json!({ "supported": ["2026-07-28"], "requested": "2027-01-01" }));
}

#[test]
fn modern_changes_flow_only_through_a_stream_that_asked_for_them() {
    let mut talk = Talk::new(EraChoice::Both);
    let notify = || with_meta(json!({ "name": "notify", "arguments": { "count": 1 } }));
    assert_eq!(talk.effects("tools/call", notify()).len(), 1, "only the answer");

    let uris = json!(["demo://greeting", "demo://nowhere"]);
    let filter = json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": uris } });
    let acknowledged = talk.modern("subscriptions/listen", filter);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["demo://greeting"] })
    );
    let listen = acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
    assert_eq!(listen, 2);

    let heard = messages(talk.effects("tools/call", notify()));
    assert_eq!(heard[0]["method"], "notifications/tools/list_changed");
    assert_eq!(heard[1]["method"], "notifications/resources/updated");
    assert!(
        heard[..2].iter().all(|message| {
            message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == listen
        })
    );

    talk.tell("notifications/cancelled", json!({ "requestId": listen }));
    assert_eq!(talk.effects("tools/call", notify()).len(), 1);
    assert_eq!(talk.server.farewell(), []);
}

#[test]
fn modern_log_messages_need_a_level_on_the_request() {
    let mut talk = Talk::new(EraChoice::Modern);
    let mut heard = |level: &str| {
        let meta = json!({ "io.modelcontextprotocol/logLevel": level });
        talk.effects(
            "tools/call",
            with_meta(json!({
                "name": "notify", "arguments": { "count": 3 }, "_meta": meta,
            })),
        )
    };
    assert_eq!(heard("info").len(), 4);
    assert_eq!(heard("warning").len(), 1);
    assert_eq!(only_message(heard("loud"))["error"]["code"], -32602);
}

#[test]
fn an_open_stream_gets_its_end_when_the_client_leaves() {
    let mut talk = Talk::new(EraChoice::Both);
    talk.modern("subscriptions/listen", json!({ "notifications": {} }));
    let last = messages(talk.server.farewell());
    assert_eq!(last[0]["method"], "notifications/cancelled");
    assert_eq!(last[1]["id"], 1);
    assert_eq!(last[1]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
}

#[test]
fn a_modern_question_takes_two_rounds() {
    let mut talk = Talk::new(EraChoice::Modern);
    let call = || json!({ "name": "ask", "arguments": { "question": "Name?" } });
    let first = talk.modern("tools/call", call())["result"].take();
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(first["inputRequests"]["answer"]["method"], "elicitation/create");

    let mut retry = call();
    retry["requestState"] = first["requestState"].clone();
    retry["inputResponses"] = json!({ "answer": { "action": "accept", "content": { "answer": "Ada" } } });
    assert_eq!(text(&talk.modern("tools/call", retry.clone())), "Ada");

    retry["inputResponses"] = json!({ "answer": { "action": "decline" } });
    assert_eq!(text(&talk.modern("tools/call", retry.clone())), "No answer: decline");

    retry["inputResponses"] = json!({});
    assert_eq!(talk.modern("tools/call", retry.clone())["result"]["resultType"], "input_required");

    retry["requestState"] = "something else".into();
    assert_eq!(talk.modern("tools/call", retry.clone())["error"]["code"], -32602);

    talk.next_id = 1;
    retry["requestState"] = first["requestState"].clone();
    assert_eq!(talk.modern("tools/call", retry)["error"]["code"], -32602, "the retry used the first id");
}
