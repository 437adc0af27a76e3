//! The modern era, without and with what goes wrong in it.

use serde_json::json;

use crate::client::Server;

#[test]
fn discovery_lists_and_calls_are_answered() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let found = connection.modern("server/discover", json!({})).json();
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]), "{found}");
    let list = connection.modern("tools/list", json!({})).json();
    assert!(list["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 10), "{list}");
    let echo =
        connection.modern("tools/call", json!({ "name": "echo", "arguments": { "text": "ä" } })).json();
    assert_eq!(echo["result"]["content"][0]["text"], "ä");
    assert_eq!(server.stats()["connections"], 1);
    server.check_no_violations();
}

#[test]
fn headers_that_differ_from_the_body_are_refused() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    // The client of these tests repeats no parameters.
    let refused =
        connection.modern("tools/call", json!({ "name": "headers", "arguments": { "region": "x" } }));
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32020)));
    let none = json!({ "name": "headers", "arguments": { "region": null, "plain": "x" } });
    assert_eq!(connection.modern("tools/call", none).status, 200);
}

#[test]
fn a_header_that_was_not_told_of_is_told_of_after_the_refusal() {
    let server = Server::start(&["late-header"]);
    let mut connection = server.connect();
    let mut told = || {
        let list = connection.modern("tools/list", json!({})).json();
        let refused =
            connection.modern("tools/call", json!({ "name": "moved", "arguments": { "region": "x" } }));
        assert_eq!(refused.json()["error"]["code"], -32020);
        list.to_string().matches("x-mcp-header").count()
    };
    assert_eq!([told(), told()], [4, 5]);
    server.check_no_violations();
}

#[test]
fn a_stream_carries_notifications_and_then_the_answer() {
    let server = Server::start(&[]);
    let params = json!({ "name": "progress", "arguments": { "steps": 2 } });
    assert_eq!(
        server.connect().modern("tools/call", params).json()["result"]["content"][0]["text"],
        "2 steps"
    );
    let server = Server::start(&["sse"]);
    let answer =
        server.connect().modern("tools/call", json!({ "name": "echo", "arguments": { "text": "x" } }));
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.events()[0]["result"]["content"][0]["text"], "x");
}

#[test]
fn a_closed_stream_is_counted() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let body = crate::client::modern_body("tools/call", json!({ "name": "never" }));
    let headers = [
        ("Accept", "application/json, text/event-stream"),
        ("Content-Type", "application/json"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "never"),
    ];
    connection.write("POST", "/mcp", &headers, &body);
    while server.stats()["in_flight"] != 1 {
        std::thread::yield_now();
    }
    drop(connection);
    while server.stats()["abandoned"] != 1 {
        std::thread::yield_now();
    }
}

#[test]
fn what_the_legacy_era_has_is_noted() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let headers = [
        ("Mcp-Session-Id", "x"),
        ("Accept", "text/html"),
        ("Content-Type", "application/json"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/list"),
    ];
    let answer =
        connection.send("POST", "/mcp", &headers, &crate::client::modern_body("tools/list", json!({})));
    assert_eq!(answer.status, 200);
    let violations = server.stats()["violations"].to_string();
    assert!(violations.contains("mcp-session-id") && violations.contains("text/html"), "{violations}");
}

#[test]
fn a_tool_may_be_stateful() {
    let server = Server::start(&["stateful=add"]);
    let list = server.connect().modern("tools/list", json!({})).json();
    let tools = list["result"]["tools"].as_array().expect("a list");
    let stateful: Vec<_> = tools.iter().filter(|tool| tool["_meta"]["mode"] == "stateful").collect();
    assert_eq!(stateful.len(), 1);
    assert_eq!(stateful[0]["name"], "add");
}
