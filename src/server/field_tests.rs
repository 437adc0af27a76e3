//! Clients that people have, over HTTP: the table `http-clients.toml`. The client is written by hand, on a socket.

use super::{Entry, Handler, Outcome, Server};
use crate::protocol::field::rows;
use crate::runtime::message::Message;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

/// Posts a body; gives the whole answer.
fn post(port: u16, lines: &[&str], body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    let mut head = String::from("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for line in lines {
        head.push_str(line);
        head.push_str("\r\n");
    }
    stream.write_all(head.as_bytes()).expect("written");
    write!(stream, "Content-Length: {}\r\n\r\n", body.len()).expect("written");
    stream.write_all(body.as_bytes()).expect("written");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("read");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn every_client_over_http_that_was_reported_is_served_or_refused_in_words() {
    let server = Server::new(r#"{"name":"s","workers":1}"#, None).expect("a server");
    let fine = |message: Message| {
        let (request, by) = message.request().expect("a request");
        // Its client may be gone.
        drop(by.respond(request, Outcome::Text("fine")));
    };
    let definition = r#"{"name":"typed","inputSchema":{"type":"object"}}"#;
    server.add(Entry::Tool, definition, Handler::function(Arc::new(fine))).expect("a tool");
    let bound = server.serve(r#"{"url":"http://127.0.0.1:0/mcp"}"#).expect("served");
    let port =
        bound.rsplit(':').next().and_then(|rest| rest.split('/').next()?.parse().ok()).expect("a port");
    for row in rows("http-clients.toml") {
        let name = row.name();
        let opened = post(port, &["Content-Type: application/json"], INITIALIZE);
        let session =
            opened.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
        let body = row.get("body").unwrap_or(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        let session = format!("{}: {session}", row.get("session").unwrap_or("Mcp-Session-Id"));
        let mut lines = row.all("head");
        if !body.contains("\"initialize\"") {
            lines.push(&session);
        }
        let answer = post(port, &lines, body);
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert_eq!(status, row.get("status").unwrap_or("200"), "{name}: {answer}");
        row.check(&answer);
        if row.get("status").is_none() && row.all("has").is_empty() {
            assert!(answer.contains("\"typed\""), "{name}: {answer}");
        }
    }
    server.close(None);
}
