//! What differs on the wire between the revisions.

use super::stage::{Stage, declaring, modern};
use crate::engine::{Settings, State, Status};
use crate::protocol::Revision;
use serde_json::{Value, json};

fn everything() -> Value {
    json!({
        "roots": {"listChanged": true}, "sampling": {"tools": {}, "context": {}},
        "elicitation": {"form": {}, "url": {}}, "tasks": {"list": {}},
        "extensions": {"com.example/x": {}}, "experimental": {"y": {}}
    })
}

/// What a client that enables everything declares when only this revision is permitted.
fn declared_at(revision: Revision) -> Value {
    let settings = Settings { allowed: vec![revision], ..Settings::default() };
    let request = Stage::opened(declaring(settings, &everything())).sent_one();
    match request["method"].as_str() {
        Some("initialize") => request["params"]["capabilities"].clone(),
        _ => request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"].clone(),
    }
}

#[test]
fn each_revision_is_told_of_the_capabilities_that_it_knows() {
    let oldest = json!({"roots": {"listChanged": true}, "sampling": {}, "experimental": {"y": {}}});
    assert_eq!(declared_at(Revision::V2024_11_05), oldest);
    assert_eq!(declared_at(Revision::V2025_03_26), oldest);
    let mut with_elicitation = oldest;
    with_elicitation["elicitation"] = json!({});
    assert_eq!(declared_at(Revision::V2025_06_18), with_elicitation);
    let mut everything_legacy = everything();
    everything_legacy.as_object_mut().expect("an object").remove("extensions");
    assert_eq!(declared_at(Revision::V2025_11_25), everything_legacy);
    let mut everything_modern = everything();
    everything_modern.as_object_mut().expect("an object").remove("tasks");
    everything_modern["roots"] = json!({});
    assert_eq!(declared_at(Revision::V2026_07_28), everything_modern);
}

#[test]
fn nothing_is_declared_that_the_application_did_not_enable() {
    for revision in Revision::ALL {
        let settings = Settings { allowed: vec![revision], ..Settings::default() };
        let request = Stage::opened(settings).sent_one();
        let of_legacy = &request["params"]["capabilities"];
        let of_modern = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        let declared = if of_legacy.is_null() { of_modern } else { of_legacy };
        assert_eq!(*declared, json!({}), "{revision}");
    }
}

#[test]
fn a_call_refused_for_its_version_or_a_missing_capability_is_an_error_with_what_the_server_wants() {
    for (code, data) in [
        (-32021, json!({"requiredCapabilities": {"elicitation": {}}})),
        (-32022, json!({"supported": ["2031-01-01"], "requested": "2026-07-28"})),
    ] {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        stage.refuse(&request, code, &data);
        let error = stage.error(call);
        assert_eq!((error.status, error.code), (Status::Server, Some(code)));
        assert_eq!(error.data, Some(data.to_string()));
        assert_eq!(stage.sent(), Vec::<Value>::new(), "never initialize");
        assert_eq!(stage.engine.state(), State::Ready);
    }
}

#[test]
fn codes_without_a_meaning_of_their_own_come_as_they_are() {
    let mut stage = Stage::ready(modern());
    for code in [-32000, -32001, -32002, -32004, -32019, -32042, -32099, 0, 7] {
        let call = stage.call("resources/read");
        let request = stage.sent_one();
        stage.refuse(&request, code, &Value::Null);
        assert_eq!((stage.status(call), stage.error(call).code), (Status::Server, Some(code)));
    }
    assert_eq!(stage.engine.state(), State::Ready);
}
