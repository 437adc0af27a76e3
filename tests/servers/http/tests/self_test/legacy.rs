//! Sessions, streams of their own, resumption, and HTTP+SSE.

use serde_json::{Value, json};

use crate::client::{Connection, Server, call};

fn open_stream(server: &Server, session: &str, event: Option<&str>) -> Connection {
    let mut connection = server.connect();
    let mut headers = vec![
        ("Accept", "text/event-stream"),
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    if let Some(event) = event {
        headers.push(("Last-Event-ID", event));
    }
    connection.write("GET", "/mcp", &headers, "");
    let (status, head) = connection.head();
    assert_eq!(status, 200, "{head}");
    connection
}

fn next_event(connection: &mut Connection) -> String {
    String::from_utf8(connection.chunk().expect("an event")).expect("text")
}

#[test]
fn a_session_is_opened_used_and_closed() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let session = connection.initialize();
    let sum = connection.call(&session, "add", json!({ "a": 2, "b": 3 })).json();
    assert_eq!(sum["result"]["structuredContent"]["sum"], 5);
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(connection.send("DELETE", "/mcp", &headers, "").status, 200);
    server.check_no_violations();
    assert_eq!(connection.call(&session, "echo", json!({})).status, 404);
    assert_eq!(connection.legacy(None, &call("echo", json!({}))).status, 400);
}

#[test]
fn a_session_can_be_lost() {
    let server = Server::start(&["lose-session-after=2"]);
    let mut connection = server.connect();
    let session = connection.initialize();
    assert_eq!(connection.call(&session, "echo", json!({})).status, 200);
    assert_eq!(connection.call(&session, "echo", json!({})).status, 404);
    assert_eq!(server.stats()["unknown_session"], 1);
}

#[test]
fn the_stream_of_the_session_has_what_is_pushed() {
    let server = Server::start(&[]);
    let session = server.connect().initialize();
    let mut stream = open_stream(&server, &session, None);
    server.tell("/push?count=1", "");
    assert!(next_event(&mut stream).contains("pushed 1 of 1"));
    assert_eq!(server.stats()["get_streams_open"], 1);
}

#[test]
fn an_answer_can_be_fetched_behind_an_event() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let session = connection.initialize();
    let first = connection.call(&session, "detach", json!({ "retry": 300, "ms": 10 })).text();
    assert!(first.contains("retry: 300\n"), "{first}");
    let id = first.lines().find_map(|line| line.strip_prefix("id: ")).expect("an id").to_owned();
    assert!(connection.is_ended());
    let mut stream = open_stream(&server, &session, Some(&id));
    assert!(next_event(&mut stream).contains("back again"));
    assert_eq!(server.stats()["resumed"], 1);
    server.check_no_violations();
}

#[test]
fn a_request_to_the_client_waits_for_its_answer() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let session = connection.initialize();
    let mut other = server.connect();
    let asking = std::thread::spawn({
        let session = session.clone();
        move || other.call(&session, "ask", json!({ "on": "get", "method": "roots/list" }))
    });
    let mut stream = open_stream(&server, &session, None);
    let event = next_event(&mut stream);
    let request: Value =
        serde_json::from_str(event.split_once("data: ").expect("data").1.trim()).expect("JSON");
    assert_eq!(request["method"], "roots/list");
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "roots": [] } });
    assert_eq!(connection.legacy(Some(&session), &answer).status, 202);
    let text = asking.join().expect("no panic").json()["result"]["content"][0]["text"].to_string();
    assert!(text.contains("roots"), "{text}");
    server.check_no_violations();
}

#[test]
fn http_with_sse_answers_on_its_stream() {
    let server = Server::start(&["--shape", "sse"]);
    assert_eq!(server.connect().legacy(None, &call("echo", json!({}))).status, 405);
    let mut stream = server.connect();
    stream.write("GET", "/mcp", &[("Accept", "text/event-stream")], "");
    assert_eq!(stream.head().0, 200);
    let event = next_event(&mut stream);
    let place = event.strip_prefix("event: endpoint\ndata: ").expect("the endpoint").trim().to_owned();
    let posted =
        server.connect().send("POST", &place, &[], &call("echo", json!({ "text": "x" })).to_string());
    assert_eq!(posted.status, 202);
    assert!(next_event(&mut stream).starts_with("event: message\ndata: "));
    server.check_no_violations();
}
