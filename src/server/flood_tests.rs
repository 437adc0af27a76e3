//! Clients over HTTP that take all they can, and one beside them that asks for little. The flood has an address of its own.

use super::{Entry, Handler, Outcome, Server};
use crate::engine::Status;
use crate::engine::server::TaskOptions;
use crate::runtime::message::Message;
use rustix::net::sockopt::set_socket_recv_buffer_size;
use rustix::net::{AddressFamily, SocketType, bind, connect as connect_to, socket};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const TOTAL: usize = 8 << 20;

/// A server with a tool that gives a little, one that gives much, and any resource.
fn server(more: &str) -> (Server, u16) {
    let config = format!(
        r#"{{"name":"s","workers":1,"limits":{{"shared_bytes":{TOTAL}{more}}},"timeouts":{{"write_ms":600000}}}}"#
    );
    let server = Server::new(&config, None).expect("a server");
    for (name, bytes) in [("little", 10), ("much", TOTAL / 4)] {
        let text = "x".repeat(bytes);
        let give = move |message: Message| {
            let (request, by) = message.request().expect("a request");
            // Its client may be gone.
            drop(by.respond(request, Outcome::Text(&text)));
        };
        let definition = format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
        server.add(Entry::Tool, &definition, Handler::function(Arc::new(give))).expect("a tool");
    }
    let read = |message: Message| drop(message);
    let definition = r#"{"name":"any","uriTemplate":"any:///{+path}"}"#;
    server.add(Entry::Template, definition, Handler::function(Arc::new(read))).expect("a template");
    let bound = server.serve(r#"{"url":"http://127.0.0.1:0/mcp"}"#).expect("served");
    let port = bound.rsplit(':').next().and_then(|rest| rest.split('/').next()?.parse().ok());
    (server, port.expect("a port"))
}

/// A connection from an address of this machine, that takes little at a time.
fn connect(port: u16, from: [u8; 4]) -> TcpStream {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    set_socket_recv_buffer_size(&socket, 4096).expect("set");
    // Not every system has all of 127.0.0.0/8. Then both have one address.
    let _own_address = bind(&socket, &SocketAddrV4::new(Ipv4Addr::from(from), 0));
    connect_to(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).expect("connected");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    stream.set_write_timeout(Some(PATIENCE)).expect("set");
    stream
}

fn modern(method: &str, name: Option<&str>, params: &str) -> Vec<u8> {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params},{meta}}}}}"#);
    let name = name.map(|name| format!("Mcp-Name: {name}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn call(tool: &str) -> Vec<u8> {
    modern("tools/call", Some(tool), &format!(r#""name":"{tool}","arguments":{{}}"#))
}

/// What a client at an address of this machine gets for a call.
fn answer(port: u16, from: [u8; 4], tool: &str) -> String {
    let mut stream = connect(port, from);
    stream.write_all(&call(tool)).expect("written");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

/// Checks that an innocent client is served.
fn check_served(port: u16) {
    let text = answer(port, [127, 0, 0, 1], "little");
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("xxxxxxxxxx"), "{text}");
}

fn check_held(server: &Server) {
    let held = server.serving.held();
    assert!(held <= TOTAL + TOTAL / 4, "{held} bytes are held");
}

fn end(server: &Server, flood: Vec<TcpStream>) {
    drop(flood);
    let until = Instant::now() + PATIENCE;
    while server.serving.held() > 0 {
        assert!(Instant::now() < until, "{} bytes are held for nothing", server.serving.held());
        std::thread::yield_now();
    }
    assert_eq!(server.close(Some(PATIENCE)), Status::Ok);
}

#[test]
fn answers_that_no_client_reads_take_nothing_from_others() {
    let (server, port) = server("");
    let mut flood = Vec::new();
    for _ in 0..24 {
        let mut stream = connect(port, [127, 0, 0, 2]);
        stream.write_all(&call("much")).expect("written");
        flood.push(stream);
        check_served(port);
        check_held(&server);
    }
    end(&server, flood);
}

#[test]
fn large_bodies_that_stop_take_nothing_from_others() {
    let (server, port) = server(r#","frame_bytes":4194304"#);
    let mut flood = Vec::new();
    for _ in 0..6 {
        let mut stream = connect(port, [127, 0, 0, 2]);
        let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4194304\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("written");
        // It may be cut off while it is sent.
        let _sent_or_not = stream.write_all(&vec![b' '; 4_000_000]);
        flood.push(stream);
        check_served(port);
        check_held(&server);
    }
    end(&server, flood);
}

#[test]
fn a_large_body_that_comes_too_slowly_is_refused_and_a_small_one_is_not() {
    let config = r#"{"name":"s","workers":1,"limits":{"body_bytes_per_second":1000000},"timeouts":{"body_grace_ms":100}}"#;
    let server = Server::new(config, None).expect("a server");
    let bound = server.serve(r#"{"url":"http://127.0.0.1:0/mcp"}"#).expect("served");
    let port =
        bound.rsplit(':').next().and_then(|rest| rest.split('/').next()?.parse().ok()).expect("a port");
    let mut small = connect(port, [127, 0, 0, 1]);
    let request = modern("server/discover", None, r#""x":1"#);
    let (first, rest) = request.split_at(request.len() - 1);
    small.write_all(first).expect("written");
    let mut large = connect(port, [127, 0, 0, 2]);
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    large.write_all(head.as_bytes()).expect("written");
    large.write_all(&vec![b' '; 100_000]).expect("written");
    let mut text = vec![0; 12];
    large.read_exact(&mut text).expect("an answer");
    assert_eq!(text, b"HTTP/1.1 408");
    small.write_all(rest).expect("written");
    small.read_exact(&mut text).expect("an answer");
    assert_eq!(text, b"HTTP/1.1 200", "it was open for longer");
    end(&server, vec![small, large]);
}

#[test]
fn what_is_refused_sends_no_id_back_that_is_too_long_or_of_another_kind() {
    let (server, port) = server("");
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let modern = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\n";
    for id in [format!("\"{}\"", "7".repeat(100_000)), "7".repeat(100_000), "7.25".to_owned()] {
        for (headers, params) in [("", ""), ("Mcp-Session-Id: x\r\n", ""), (modern, ""), (modern, meta)] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{{params}}}}}"#);
            let mut stream = connect(port, [127, 0, 0, 1]);
            let head = format!(
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).expect("written");
            stream.write_all(body.as_bytes()).expect("written");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("an answer");
            assert!(text.starts_with("HTTP/1.1 400"), "{headers}: {text:.200}");
            assert!(
                text.len() < 2000 && !text.contains("\"id\":") && text.contains("1024 bytes"),
                "{text:.900}"
            );
        }
    }
    assert_eq!(server.close(Some(PATIENCE)), Status::Ok);
}

#[test]
fn subscriptions_of_one_client_have_a_share_of_their_bytes() {
    let (server, port) = server(r#","subscription_bytes":1048576"#);
    let uris: Vec<String> = (0..100).map(|at| format!(r#""any:///{at}/{}""#, "a".repeat(2000))).collect();
    let params = format!(r#""notifications":{{"resourceSubscriptions":[{}]}}"#, uris.join(","));
    let mut flood = Vec::new();
    let mut refused = 0;
    for _ in 0..8 {
        let mut stream = connect(port, [127, 0, 0, 2]);
        stream.write_all(&modern("subscriptions/listen", None, &params)).expect("written");
        let mut got = Vec::new();
        while !got.windows(2).any(|two| two == b"\n\n") && !got.ends_with(b"}") {
            let mut part = [0; 4096];
            match stream.read(&mut part).expect("an answer") {
                0 => break,
                more => got.extend_from_slice(&part[..more]),
            }
        }
        refused += usize::from(String::from_utf8_lossy(&got).contains("limits.subscription_bytes"));
        flood.push(stream);
        check_held(&server);
    }
    assert!((4..8).contains(&refused), "{refused} of 8 were refused");
    check_served(port);
    let mut stream = connect(port, [127, 0, 0, 1]);
    let params = r#""notifications":{"resourceSubscriptions":["any:///1"]}"#;
    stream.write_all(&modern("subscriptions/listen", None, params)).expect("written");
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("an answer");
    assert_eq!(&head, b"HTTP/1.1 200");
    flood.push(stream);
    end(&server, flood);
}

#[test]
fn tasks_of_one_client_leave_tasks_and_calls_to_others() {
    let (server, port) = server(r#","tasks":8"#);
    let running: Arc<Mutex<Vec<Message>>> = Arc::default();
    let begun = Arc::clone(&running);
    let begin = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        let options = TaskOptions::default();
        match by.start_task(request, options) {
            Ok(()) => begun.lock().expect("not poisoned").push(message),
            Err(error) => drop(by.respond(request, Outcome::Failure(&error.message))),
        }
    };
    let definition =
        r#"{"name":"long","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object"}}"#;
    server.add(Entry::Tool, definition, Handler::function(Arc::new(begin))).expect("a tool");
    let tasks = (0..20).filter(|_| answer(port, [127, 0, 0, 2], "long").contains("taskId")).count();
    assert!((1..=4).contains(&tasks), "one client has {tasks} of 8 tasks");
    check_served(port);
    let text = answer(port, [127, 0, 0, 1], "long");
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("taskId"), "{text}");
    running.lock().expect("not poisoned").clear();
    end(&server, Vec::new());
}
