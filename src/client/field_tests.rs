//! Servers that people have, over HTTP: the table `http-servers.toml`. The server is written by hand, on a socket.

use super::Client;
use crate::engine::Status;
use crate::json;
use mcp_core::testing::field::{Row, rows};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
const SERVED: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"served"}]}}"#;
const JSON: [&str; 2] = ["HTTP/1.1 200 OK", "Content-Type: application/json"];

/// One request: its head in small letters, and its body.
fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().expect("a length"));
            if bytes.len() >= end + 4 + length {
                return Some((head, String::from_utf8_lossy(&bytes[end + 4..end + 4 + length]).into_owned()));
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
    }
}

/// What a row answers to a request; `is_first` of its calls.
fn answer(row: &Row, head: &str, body: &str, is_first: bool) -> String {
    let id = json::member(body, "id").unwrap_or("null");
    let is_post = head.starts_with("post");
    let called = json::member(body, "method").and_then(json::string).unwrap_or_default();
    let lacks = row.get("needs").is_some_and(|needs| !head.contains(needs)) && called != "initialize";
    let or = |key: &str, usual: &[&'static str]| {
        let given: Vec<String> = row.all(key).iter().map(|line| (*line).to_owned()).collect();
        if given.is_empty() { usual.iter().map(|line| (*line).to_owned()).collect() } else { given }
    };
    let (lines, text) = match &*called {
        _ if !is_post => (vec!["HTTP/1.1 405 Method Not Allowed".to_owned()], ""),
        _ if lacks => (vec!["HTTP/1.1 400 Bad Request".to_owned()], "the session is missing"),
        "initialize" => (or("initialize", &JSON), INITIALIZED),
        "notifications/initialized" => {
            (or("initialized", &["HTTP/1.1 202 Accepted"]), row.get("initialized_body").unwrap_or(""))
        }
        _ if is_first && !row.all("lost").is_empty() => {
            (or("lost", &JSON), row.get("lost_body").unwrap_or(""))
        }
        _ => (or("call", &JSON), row.get("call_body").unwrap_or(SERVED)),
    };
    let text = text.replace("$ID", id);
    let length =
        if lines[0].contains(" 204") { String::new() } else { format!("Content-Length: {}\r\n", text.len()) };
    format!("{}\r\n{length}Connection: close\r\n\r\n{text}", lines.join("\r\n"))
}

#[test]
fn every_server_over_http_that_was_reported_is_understood_or_refused_in_words() {
    for row in rows("http-servers.toml") {
        let name = row.name();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let row = Arc::new(row);
        let (served, by) = (Arc::clone(&row), listener.try_clone().expect("a copy"));
        let server = thread::spawn(move || {
            let mut calls = 0;
            for stream in by.incoming() {
                let mut stream = stream.expect("a connection");
                stream.set_read_timeout(Some(PATIENCE)).expect("set");
                let Some((head, body)) = request(&mut stream) else { return };
                calls += usize::from(body.contains("tools/call"));
                // The client may have what it wants already.
                drop(stream.write_all(answer(&served, &head, &body, calls == 1).as_bytes()));
            }
        });
        let reconnect = !row.all("lost").is_empty();
        let is_authorized = row.is("auth") && cfg!(feature = "auth");
        let auth = if is_authorized { r#""auth":{"store":"memory"},"# } else { "" };
        let config = format!(
            r#"{{"url":"http://{address}/mcp",{auth}"protocol":"2025-06-18","reconnect":{reconnect}}}"#
        );
        let client = Client::new(&config, None).expect("a client");
        let reply = client.call(
            "tools/call",
            Some(r#"{"name":"echo","arguments":{}}"#),
            Some(&format!(r#"{{"timeout_ms":{}}}"#, row.get("timeout_ms").unwrap_or("15000"))),
        );
        let ends = match reply.status() {
            Status::Ok => "ok",
            Status::Transport => "transport",
            Status::Protocol => "protocol",
            Status::Timeout => "timeout",
            Status::Auth => "auth",
            other => panic!("{name}: {other:?} {}", reply.json()),
        };
        assert_eq!(ends, row.get("ends").unwrap_or("ok"), "{name}: {}", reply.json());
        if ends == "ok" {
            assert!(reply.json().contains("served"), "{name}: {}", reply.json());
        }
        row.check(reply.json());
        drop(client);
        // A connection that says nothing ends the server.
        drop(TcpStream::connect(address).expect("connected"));
        server.join().unwrap_or_else(|_| panic!("{name}"));
    }
}

/// A balancer that tells clients by a cookie, and two servers behind it whose sessions are their own. A request without the cookie goes to
/// each in turn; gives what came, as the number of the server, the method and the head, and how many calls failed.
fn balanced(clients: usize, more: &str) -> (Vec<(usize, String, String)>, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    let by = listener.try_clone().expect("a copy");
    let balancer = thread::spawn(move || {
        let (mut seen, mut next) = (Vec::new(), 0);
        for stream in by.incoming() {
            let mut stream = stream.expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("set");
            let Some((head, body)) = request(&mut stream) else { return seen };
            let known = head.split("lb=").nth(1).and_then(|rest| rest[..1].parse().ok());
            let server = known.unwrap_or_else(|| {
                next = 1 - next;
                next
            });
            let method = json::member(&body, "method").and_then(json::string).unwrap_or_default();
            let id = json::member(&body, "id").unwrap_or("null");
            let (status, text) = match &*method {
                _ if !head.starts_with("post") => ("405 Method Not Allowed", ""),
                "initialize" if known.is_none() && head.contains("x-begin: redirected") => {
                    ("307 Temporary Redirect\r\nLocation: /mcp", "")
                }
                "initialize" => ("200 OK", INITIALIZED),
                _ if !head.contains(&format!("mcp-session-id: s-{server}")) => ("404 Not Found", ""),
                "notifications/initialized" => ("202 Accepted", ""),
                _ => ("200 OK", SERVED),
            };
            let text = text.replace("$ID", id);
            let sets = if known.is_none() {
                format!("Set-Cookie: lb={server}; Path=/; HttpOnly\r\n")
            } else {
                String::new()
            };
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nMcp-Session-Id: s-{server}\r\n{sets}Content-Length: {}\r\n\
                 Connection: close\r\n\r\n{text}",
                text.len()
            );
            seen.push((server, method.into_owned(), head));
            drop(stream.write_all(answer.as_bytes()));
        }
        seen
    });
    let config = format!(r#"{{"url":"http://{address}/mcp","protocol":"2025-06-18"{more}}}"#);
    let clients: Vec<Client> = (0..clients).map(|_| Client::new(&config, None).expect("a client")).collect();
    let mut failed = 0;
    for _ in 0..3 {
        for client in &clients {
            let reply = client.call("tools/call", Some(r#"{"name":"echo","arguments":{}}"#), None);
            failed += usize::from(reply.status() != Status::Ok);
        }
    }
    drop(clients);
    drop(TcpStream::connect(address).expect("connected"));
    (balancer.join().expect("it served"), failed)
}

#[test]
fn a_balancer_that_tells_clients_by_a_cookie_leads_each_to_its_server() {
    for more in ["", r#","headers":{"X-Begin":"redirected","Cookie":"own=1"}"#] {
        let (seen, failed) = balanced(2, more);
        assert_eq!(failed, 0, "{seen:?}");
        for server in [0, 1] {
            let of_server = seen.iter().filter(|(by, method, _)| *by == server && !method.is_empty());
            let methods: Vec<&str> = of_server.map(|(_, method, _)| method.as_str()).collect();
            let begins = if more.is_empty() { 1 } else { 2 };
            let count = |wanted: &str| methods.iter().filter(|method| **method == wanted).count();
            assert_eq!(
                (count("initialize"), count("tools/call")),
                (begins, 3),
                "{more} {server}: {methods:?}"
            );
        }
        let own = if more.is_empty() { "cookie: lb=" } else { "cookie: own=1; lb=" };
        assert_eq!(
            seen.iter().filter(|(_, _, head)| !head.contains(own)).count(),
            2,
            "the first of each: {seen:?}"
        );
    }
}

#[test]
fn cookies_that_are_switched_off_are_not_sent_back() {
    let (seen, failed) = balanced(1, r#","http":{"cookies":false}"#);
    assert!(failed > 0, "the sessions of the servers are their own: {seen:?}");
    assert!(seen.iter().all(|(_, _, head)| !head.contains("cookie:")), "{seen:?}");
}
