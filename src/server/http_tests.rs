//! Hostile clients of HTTP/2, against the listener of a server: frames are written by hand.

use super::{Entry, Handler, Outcome, Server};
use crate::engine::Status;
use crate::runtime::message::Message;
use mcp_core::testing::field::rows;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::set_socket_recv_buffer_size;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// How often the innocent client asks beside a flood.
const INNOCENT_CALLS: usize = 10;
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short one").to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend_from_slice(&stream.to_be_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// The head of a call, in HPACK without its tables and codes.
fn head() -> Vec<u8> {
    let mut block = vec![0x83, 0x87];
    let mut put = |name: &[u8], value: &str| {
        block.extend_from_slice(name);
        block.push(u8::try_from(value.len()).expect("a short one"));
        block.extend_from_slice(value.as_bytes());
    };
    put(&[4], "/mcp");
    put(&[1], "localhost");
    for (name, value) in [
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "hello"),
    ] {
        let mut literal = vec![0, u8::try_from(name.len()).expect("a short one")];
        literal.extend_from_slice(name.as_bytes());
        put(&literal, value);
    }
    block
}

fn server() -> (Server, u16) {
    // The head has the time of the TLS handshake, which a busy machine may take long for.
    let config = r#"{"name":"s","workers":1,"timeouts":{"head_ms":1500,"body_ms":300,"write_ms":300}}"#;
    server_that_says(config, "hello".to_owned())
}

fn server_that_says(config: &str, text: String) -> (Server, u16) {
    let server = Server::new(config, None).expect("a server");
    let hello = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        let text = if message.json().contains("little") { "hello" } else { &*text };
        // Its client may be gone.
        drop(by.respond(request, Outcome::Text(text)));
    };
    let definition = r#"{"name":"hello","inputSchema":{"type":"object"}}"#;
    server.add(Entry::Tool, definition, Handler::function(Arc::new(hello))).expect("a tool");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let endpoint = serde_json::json!({
        "url": "https://localhost:0/mcp",
        "certificate_file": root.join("src/server/test_certificate.pem"),
        "key_file": root.join("crates/core/src/auth/test_keys/ec_pkcs8.pem"),
    });
    let bound = server.serve(&endpoint.to_string()).expect("served");
    let port = bound.rsplit(':').next().and_then(|rest| rest.split('/').next()?.parse().ok());
    (server, port.expect("a port"))
}

/// A socket that waits for the other side. A wait in vain is `WouldBlock` everywhere, after which rustls reads although it has something to
/// write. With a timeout of the system it would be `TimedOut` on Windows, and the socket of no use any more.
struct Patient(TcpStream);

impl Patient {
    fn wait<T>(
        &self,
        most: Duration,
        for_what: PollFlags,
        mut once: impl FnMut(&TcpStream) -> Result<T>,
    ) -> Result<T> {
        let most = Timespec::try_from(most).expect("a short one");
        loop {
            let outcome = once(&self.0);
            let waits = outcome.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
            if !waits || poll(&mut [PollFd::new(&self.0, for_what)], Some(&most))? == 0 {
                return outcome;
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        self.wait(PATIENCE, PollFlags::IN, |mut socket| socket.read(into))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.wait(Duration::from_secs(1), PollFlags::OUT, |mut socket| socket.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A client that has said that it speaks HTTP/2.
struct Wire(StreamOwned<ClientConnection, Patient>);

impl Wire {
    fn open(port: u16) -> Wire {
        let mut roots = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_slice(include_bytes!("test_certificate.pem"));
        roots.add(certificate.expect("a certificate")).expect("a root");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = builder.expect("versions").with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let name = ServerName::try_from("localhost").expect("a name");
        let tls = ClientConnection::new(Arc::new(config), name).expect("a client");
        let tcp = TcpStream::connect(("127.0.0.1", port)).expect("connected");
        tcp.set_nonblocking(true).expect("set");
        // What is not read is soon more than there is room for.
        set_socket_recv_buffer_size(&tcp, 16 * 1024).expect("set");
        let mut wire = Wire(StreamOwned::new(tls, Patient(tcp)));
        assert!(wire.send(PREFACE) && wire.send(&frame(SETTINGS, 0, 0, &[])));
        wire
    }

    /// Whether the server still takes something.
    fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).and_then(|()| self.0.flush()).is_ok()
    }

    /// The next frame; `None` at the end of the connection.
    fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 9];
        self.read(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let mut payload = vec![0; length];
        self.read(&mut payload)?;
        Some((head[3], payload))
    }

    fn read(&mut self, into: &mut [u8]) -> Option<()> {
        match self.0.read_exact(into) {
            Ok(()) => Some(()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("the server neither says anything nor ends the connection")
            }
            Err(_) => None,
        }
    }

    fn call(&mut self, stream: u32) -> bool {
        self.send(&frame(HEADERS, END_HEADERS, stream, &head()))
            && self.send(&frame(DATA, END_STREAM, stream, CALL.as_bytes()))
    }

    /// Whether the connection ended with GOAWAY, and with which code.
    fn until_end(&mut self) -> Option<u32> {
        let mut code = None;
        while let Some((kind, payload)) = self.next() {
            if kind == GOAWAY {
                code = payload.get(4..8).map(|code| u32::from_be_bytes(code.try_into().expect("four")));
            }
        }
        code
    }
}

/// A call on a connection of its own is answered.
fn check_served(port: u16) {
    let mut wire = Wire::open(port);
    assert!(wire.call(1));
    loop {
        let (kind, payload) = wire.next().expect("an answer");
        if kind == DATA && !payload.is_empty() {
            let text = String::from_utf8(payload).expect("UTF-8");
            assert!(text.contains("hello"), "{text}");
            return;
        }
    }
}

/// No connection is left, and no request.
fn check_nothing_left(server: &Server) {
    let until = Instant::now() + PATIENCE;
    loop {
        let info: serde_json::Value = serde_json::from_str(&server.info()).expect("JSON");
        if info["http"]["connections"] == 0 && info["requests"] == 0 && info["sessions"] == 0 {
            return;
        }
        assert!(Instant::now() < until, "{info}");
        std::thread::yield_now();
    }
}

/// A client that sends these frames again and again loses its connection, connects again and goes on, and another one is served
/// meanwhile, each time. Its slowest call is printed.
fn flood(server: &Server, port: u16, frames: impl Fn(u32) -> Vec<u8> + Sync) {
    let is_over = AtomicBool::new(false);
    let lose_one = || {
        let mut wire = Wire::open(port);
        let until = Instant::now() + PATIENCE;
        let mut round = 0;
        while wire.send(&frames(round)) {
            assert!(Instant::now() < until, "the flood goes on");
            round += 1;
        }
        wire.until_end();
    };
    std::thread::scope(|scope| {
        lose_one();
        let flooding = scope.spawn(|| {
            let mut connections = 1;
            while !is_over.load(Ordering::Relaxed) {
                lose_one();
                connections += 1;
            }
            connections
        });
        let calls = (0..INNOCENT_CALLS).map(|_| {
            let begun = Instant::now();
            // The flood ends also where this fails.
            let served = std::panic::catch_unwind(|| check_served(port));
            is_over.fetch_or(served.is_err(), Ordering::Relaxed);
            served.map(|()| begun.elapsed())
        });
        let slowest = calls.collect::<std::thread::Result<Vec<Duration>>>();
        is_over.store(true, Ordering::Relaxed);
        let connections = flooding.join().expect("it was ended each time");
        let slowest = slowest.expect("served").into_iter().max();
        println!(
            "{connections} connections were lost; the slowest of {INNOCENT_CALLS} calls took {slowest:?}"
        );
    });
    check_nothing_left(server);
}

#[test]
fn streams_that_are_reset_at_once_end_the_connection() {
    let (server, port) = server();
    flood(&server, port, |round| {
        let stream = 2 * round + 1;
        let mut frames = frame(HEADERS, END_HEADERS, stream, &head());
        frames.extend(frame(RST_STREAM, 0, stream, &8u32.to_be_bytes()));
        frames
    });
    let info: serde_json::Value = serde_json::from_str(&server.info()).expect("JSON");
    assert!(info["counters"]["handled"].as_u64().is_some_and(|runs| runs < 100), "{info}");
}

#[test]
fn a_head_without_an_end_ends_the_connection() {
    let (server, port) = server();
    // A header that is 16,000 bytes long, in each frame.
    let mut block = vec![0, 1, b'x', 0x7f, 0x81, 0x7c];
    block.extend(vec![b'y'; 16_000]);
    flood(&server, port, |round| match round {
        0 => frame(HEADERS, 0, 1, &head()),
        _ => frame(CONTINUATION, 0, 1, &block),
    });
}

#[test]
fn empty_continuations_end_the_connection() {
    let (server, port) = server();
    flood(&server, port, |round| match round {
        0 => frame(HEADERS, 0, 1, &head()),
        _ => frame(CONTINUATION, 0, 1, &[]).repeat(100),
    });
}

#[test]
fn settings_and_pings_that_are_not_read_end_the_connection() {
    let (server, port) = server();
    flood(&server, port, |_| frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 100]).repeat(100));
    flood(&server, port, |_| frame(PING, 0, 0, &[0; 8]).repeat(100));
}

#[test]
fn heads_with_too_many_headers_are_refused_and_the_others_are_counted() {
    const TOTAL: usize = 2 << 20;
    let config =
        r#"{"name":"s","workers":1,"limits":{"shared_bytes":2097152},"timeouts":{"body_ms":600000}}"#;
    let (server, port) = server_that_says(config, "hello".to_owned());
    // An entry of HPACK's table, again and again: a byte each.
    let mut wire = Wire::open(port);
    let mut many = head();
    many.extend_from_slice(&[0x40, 1, b'x', 1, b'y']);
    many.extend_from_slice(&[0xbe; 1000]);
    assert!(wire.send(&frame(HEADERS, END_HEADERS, 1, &many)));
    let text = loop {
        let (kind, payload) = wire.next().expect("an answer");
        if kind == DATA {
            break String::from_utf8_lossy(&payload).into_owned();
        }
    };
    assert!(text.contains("more than 100 headers"), "{text}");
    // Few headers that are long, whose bodies never come.
    let mut long = head();
    long.extend_from_slice(&[0x40, 1, b'z', 0x7f, 0xbd, 0x1d]);
    long.extend(vec![b'y'; 3900]);
    let mut wires: Vec<Wire> = (0..4).map(|_| Wire::open(port)).collect();
    let mut most = 0;
    for stream in 0..60_u32 {
        for wire in &mut wires {
            let first = if stream == 0 { long.clone() } else { head() };
            let block = [first, vec![0xbe; 13]].concat();
            let _taken_or_not = wire.send(&frame(HEADERS, END_HEADERS, 2 * stream + 1, &block));
        }
        most = most.max(server.serving.held());
    }
    check_answered(port);
    most = most.max(server.serving.held());
    assert!(most > TOTAL / 2 && most <= TOTAL + TOTAL / 4, "{most} bytes were held");
    drop((wire, wires));
    assert_eq!(server.close(Some(PATIENCE)), Status::Ok);
}

#[test]
fn a_server_that_closes_says_goaway() {
    let (server, port) = server();
    let mut wire = Wire::open(port);
    assert!(wire.call(1));
    while wire.next().is_some_and(|(kind, payload)| kind != DATA || payload.is_empty()) {}
    assert_eq!(server.close(Some(PATIENCE)), Status::Ok);
    assert_eq!(wire.until_end(), Some(0), "no error");
}

#[test]
fn answers_that_no_client_reads_have_one_bound_for_all_streams() {
    const TOTAL: usize = 4 << 20;
    let config =
        r#"{"name":"s","workers":1,"limits":{"shared_bytes":4194304},"timeouts":{"write_ms":600000}}"#;
    let (server, port) = server_that_says(config, "x".repeat(TOTAL / 4));
    let mut wires: Vec<Wire> = (0..3).map(|_| Wire::open(port)).collect();
    let mut most = 0;
    for stream in 0..8_u32 {
        for wire in &mut wires {
            // One that has given way takes nothing more.
            let _taken_or_not = wire.call(2 * stream + 1);
        }
        check_answered(port);
        most = most.max(server.serving.held());
    }
    assert!(most > 0 && most <= TOTAL + TOTAL / 4, "{most} bytes were held");
    drop(wires);
    assert_eq!(server.close(Some(PATIENCE)), Status::Ok);
}

/// A call on a connection of its own, for a little, is answered.
fn check_answered(port: u16) {
    let mut wire = Wire::open(port);
    let call = CALL.replace(r#""arguments":{}"#, r#""arguments":{"little":1}"#);
    assert!(wire.send(&frame(HEADERS, END_HEADERS, 1, &head())));
    assert!(wire.send(&frame(DATA, END_STREAM, 1, call.as_bytes())));
    loop {
        let (kind, payload) = wire.next().expect("an answer");
        if kind == DATA {
            assert!(String::from_utf8_lossy(&payload).contains("hello"));
            return;
        }
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

/// Posts a body; gives the whole answer.
fn post(port: u16, path: &str, lines: &[&str], body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    let mut head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
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
        let opened = post(port, "/mcp", &["Content-Type: application/json"], INITIALIZE);
        let session =
            opened.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
        let body = row.get("body").unwrap_or(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        let session = format!("{}: {session}", row.get("session").unwrap_or("Mcp-Session-Id"));
        let mut lines = row.all("head");
        if !body.contains("\"initialize\"") {
            lines.push(&session);
        }
        let answer = post(port, row.get("path").unwrap_or("/mcp"), &lines, body);
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert_eq!(status, row.get("status").unwrap_or("200"), "{name}: {answer}");
        row.check(&answer);
        if row.get("status").is_none() && row.all("has").is_empty() {
            assert!(answer.contains("\"typed\""), "{name}: {answer}");
        }
    }
    server.close(None);
}

/// A call over HTTP takes the lock of its server as often as it is admitted, answered, and its thread waits again; not once for each thing
/// that is asked about it.
#[test]
fn a_call_takes_the_lock_of_the_server_a_few_times() {
    const CALLS: usize = 50;
    let server = Server::new(r#"{"name":"s","workers":1}"#, None).expect("a server");
    let hello = |message: Message| {
        let served = message.request().expect("a request");
        message.answer(served, Outcome::Text("hello")).expect("it is sent");
    };
    let definition = r#"{"name":"hello","inputSchema":{"type":"object","properties":{"place":{"type":"string","x-mcp-header":"Place"}}}}"#;
    server.add(Entry::Tool, definition, Handler::function(Arc::new(hello))).expect("a tool");
    let bound = server.serve(r#"{"url":"http://127.0.0.1:0/mcp"}"#).expect("served");
    let place = bound.split('/').nth(2).expect("an authority").to_owned();
    let mut socket = TcpStream::connect(&place).expect("it listens");
    socket.set_read_timeout(Some(PATIENCE)).expect("a time");
    let mut ask = |headers: &str, body: &str| {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\nAccept: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        let mut part = [0; 4096];
        // Every answer of this test is one JSON object, or has no body.
        while !(answer.ends_with("}}") || answer.contains("content-length: 0\r\n")) {
            let read = socket.read(&mut part).expect("it answers");
            assert_ne!(read, 0, "{answer}");
            answer.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        answer
    };
    let params =
        r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#;
    let opened = ask("", &format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{params}}}"#));
    let session = opened.lines().find(|line| line.starts_with("mcp-session-id:")).expect("a session");
    let in_session = format!("{session}\r\nMCP-Protocol-Version: 2025-06-18\r\n");
    let modern = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hello\r\n";
    let legacy = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{}}}"#;
    let list = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n";
    let listed = CALL.replace("tools/call", "tools/list");
    // What is answered at once has no session and no stream that would be looked for.
    let rows = [
        ("a call, legacy", in_session.as_str(), legacy, 5),
        ("a call, modern", modern, CALL, 5),
        ("a list, modern", list, &listed, 2),
    ];
    for (what, headers, body, most) in rows {
        let before = server.serving.entered();
        for _ in 0..CALLS {
            let answer = ask(headers, body);
            assert!(answer.contains("hello"), "{answer}");
        }
        let entered = server.serving.entered() - before;
        assert!(entered <= most * CALLS, "{what}: {entered} times, {CALLS} asked for");
    }
    server.close(Some(PATIENCE));
}
