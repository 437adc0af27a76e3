//! What the modern era adds: metadata on every request, and results that say what they are.

use super::stage::{Stage, declaring, legacy, modern};
use crate::engine::{CallOptions, Status};
use serde_json::{Value, json};

#[test]
fn every_modern_request_says_which_revision_who_and_what() {
    let mut stage =
        Stage::opened(declaring(modern(), &json!({"roots": {"listChanged": true}, "sampling": {}})));
    stage.call("tools/list");
    let mut requests = stage.sent();
    stage.answer(&requests[0], &super::stage::discovery());
    requests.extend(stage.sent());
    stage.try_call("tools/call", Some(r#"{"name":"echo"}"#), &CallOptions::default()).expect("accepted");
    stage.try_call("tools/call", Some(r#"{"_meta":{"own":1}}"#), &CallOptions::default()).expect("accepted");
    requests.extend(stage.sent());
    assert_eq!(requests.len(), 4);
    for request in &requests {
        let meta = &request["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{request}");
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "libmcp");
        let capabilities = &meta["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(*capabilities, json!({"roots": {}, "sampling": {}}), "cut to what the revision knows");
    }
    assert_eq!(requests[2]["params"]["name"], "echo");
    assert_eq!(requests[3]["params"]["_meta"]["own"], 1, "the application's own metadata is kept");
}

#[test]
fn a_legacy_request_carries_only_what_the_application_gave() {
    let mut stage = Stage::ready(legacy());
    stage.call("tools/list");
    assert_eq!(stage.sent_one().get("params"), None);
    let options =
        CallOptions { meta: r#""traceparent":"00-1""#.to_owned(), progress: true, ..CallOptions::default() };
    let made = stage.call_with("tools/list", options);
    assert_eq!(
        stage.sent_one()["params"],
        json!({"_meta": {"progressToken": made.call, "traceparent": "00-1"}})
    );
}

#[test]
fn a_result_without_a_type_or_of_the_type_complete_is_the_result() {
    for written in
        [r#"{"x":1}"#, r#"{"x":1,"resultType":"complete"}"#, r#"{"x":1,"resultType":"compl\u0065te"}"#]
    {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let id = stage.sent_one()["id"].clone();
        stage.text(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{written}}}"#));
        assert_eq!(stage.result(call)["x"], 1, "{written}");
    }
}

#[test]
fn a_result_of_a_type_nobody_declared_is_no_result() {
    let mut stage = Stage::ready(modern());
    for (kind, status) in [
        (json!("task"), Status::Protocol),
        (json!(""), Status::Protocol),
        (json!(7), Status::Protocol),
        (json!(null), Status::Ok),
        (json!("input_required"), Status::Protocol),
    ] {
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        stage.answer(&request, &json!({"resultType": kind}));
        assert_eq!(stage.status(call), status, "{kind}");
        assert_eq!(stage.sent(), Vec::<Value>::new(), "it was answered: there is nothing to cancel");
    }
}

#[test]
fn the_legacy_era_has_no_result_types_so_any_is_just_a_member() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "anything"}));
    assert_eq!(stage.result(call), json!({"resultType": "anything"}));
}
