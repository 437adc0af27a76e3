//! Clients that take all they can from `mcp serve`, and one beside them that asks for little, while the process has little memory: it
//! lives, and the innocent client is never refused. The slowest answer of each flood is printed (`--nocapture`).

use rustix::net::sockopt::set_socket_recv_buffer_size;
use rustix::net::{AddressFamily, SocketType, bind, connect as connect_to, socket};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// What the process may have of addresses, in KiB.
const ADDRESSES: &str = "1500000";
/// How often the innocent client asks beside each flood.
const CALLS: usize = 20;

const DESCRIPTION: &str = r#"{"name": "floods", "tools": [
    {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}, "command": ["echo", "{text}"]},
    {"name": "slow", "inputSchema": {"type": "object"}, "command": ["sleep", "30"]}],
    "resources": [{"name": "docs", "uri": "docs:///{+path}", "folder": "docs"}]}"#;

/// The program under test.
struct Serve {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Serve {
    fn start() -> Serve {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("docs")).expect("a folder");
        std::fs::write(folder.path().join("docs/large.txt"), vec![b'x'; 4 << 20]).expect("a file");
        std::fs::write(folder.path().join("serve.json"), DESCRIPTION).expect("a file");
        let line =
            format!("ulimit -v {ADDRESSES}; exec \"$0\" serve serve.json --listen http://127.0.0.1:0/mcp");
        let mut child = Command::new("sh")
            .args(["-c", &line, env!("CARGO_BIN_EXE_mcp")])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut address)
            .expect("where it listens");
        let (_, rest) =
            address.split_once("127.0.0.1:").unwrap_or_else(|| panic!("'{address}' is no address"));
        let port = rest.trim_end().trim_end_matches("/mcp").parse().expect("a port");
        Serve { child, port, _folder: folder }
    }

    /// A connection from an address of this machine, that takes little at a time.
    fn connect(&self, last: u8) -> TcpStream {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        set_socket_recv_buffer_size(&socket, 4096).expect("set");
        // Not every system has all of 127.0.0.0/8. Then all have one address.
        let _own_address = bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, last), 0));
        connect_to(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, self.port)).expect("connected");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        stream.set_write_timeout(Some(Duration::from_secs(2))).expect("set");
        stream
    }

    /// A client of the flood, which sends this and may be refused.
    fn send(&self, bytes: &[u8]) -> Option<TcpStream> {
        let mut stream = self.connect(2);
        stream.write_all(bytes).ok().map(|()| stream)
    }

    /// What the innocent client gets, again and again; its slowest answer.
    fn check_served(&mut self, flood: &str) -> Duration {
        let mut slowest = Duration::ZERO;
        for _ in 0..CALLS {
            let begun = Instant::now();
            let mut stream = self.connect(1);
            stream.write_all(&call("echo", r#"{"text":"still here"}"#)).expect("written");
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap_or_else(|error| panic!("{flood}: {error}, after {text}"));
            assert!(text.starts_with("HTTP/1.1 200") && text.contains("still here"), "{flood}: {text}");
            slowest = slowest.max(begun.elapsed());
        }
        let ended = self.child.try_wait().expect("a child");
        assert!(ended.is_none(), "{flood}: the server has ended: {ended:?}");
        slowest
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // It may have ended.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn post(headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn modern(method: &str, name: &str, params: &str) -> Vec<u8> {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params},{meta}}}}}"#);
    let name = if name.is_empty() { String::new() } else { format!("Mcp-Name: {name}\r\n") };
    post(
        &format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}Connection: close\r\n"),
        &body,
    )
}

fn call(tool: &str, arguments: &str) -> Vec<u8> {
    modern("tools/call", tool, &format!(r#""name":"{tool}","arguments":{arguments}"#))
}

/// What a flood holds to its end.
type Held = Vec<TcpStream>;

fn many(serve: &Serve, count: usize, bytes: &[u8]) -> Held {
    (0..count).filter_map(|_| serve.send(bytes)).collect()
}

fn long_subscriptions() -> Vec<u8> {
    let uris: Vec<String> = (0..1000).map(|at| format!(r#""docs:///{at}/{}""#, "a".repeat(8100))).collect();
    modern(
        "subscriptions/listen",
        "",
        &format!(r#""notifications":{{"resourceSubscriptions":[{}]}}"#, uris.join(",")),
    )
}

fn initialize(_: usize) -> Vec<u8> {
    let info = r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}"#;
    post("", &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{{info}}}}}"#))
}

/// Requests on one connection, one after the other, whose answers are read.
fn in_a_row(serve: &Serve, count: usize, request: impl Fn(usize) -> Vec<u8>) -> Held {
    let mut stream = serve.connect(2);
    let mut reader = stream.try_clone().expect("a second one");
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    for at in 0..count {
        if stream.write_all(&request(at)).is_err() {
            stream = serve.connect(2);
        }
    }
    vec![stream]
}

fn half_a_body(size: usize, sent: usize) -> Vec<u8> {
    let mut bytes = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n\r\n").into_bytes();
    bytes.resize(bytes.len() + sent, b' ');
    bytes
}

type Flood = fn(&Serve) -> Held;

const FLOODS: [(&str, Flood); 12] = [
    ("connections that say nothing", |serve| many(serve, 600, b"")),
    ("heads without an end", |serve| many(serve, 600, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ")),
    ("small bodies without an end", |serve| many(serve, 200, &half_a_body(1000, 500))),
    ("large bodies without an end", |serve| many(serve, 12, &half_a_body(15 << 20, 14 << 20))),
    ("answers that stay unread", |serve| {
        many(serve, 80, &modern("resources/read", "docs:///large.txt", r#""uri":"docs:///large.txt""#))
    }),
    ("subscriptions to long URIs", |serve| many(serve, 20, &long_subscriptions())),
    ("sessions", |serve| in_a_row(serve, 3000, initialize)),
    ("slow programs", |serve| many(serve, 200, &call("slow", "{}"))),
    ("slow programs that are cancelled", |serve| {
        (0..200).for_each(|_| drop(serve.send(&call("slow", "{}"))));
        Vec::new()
    }),
    ("calls whose answers stay unread", |serve| many(serve, 300, &call("echo", r#"{"text":"x"}"#))),
    ("invalid tokens", |serve| {
        in_a_row(serve, 3000, |at| {
            let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
            post(&format!("Authorization: Bearer {at}{}\r\n", "x".repeat(2000)), body)
        })
    }),
    ("invalid requests", |serve| in_a_row(serve, 3000, |at| post("", &"[".repeat(at % 2000 + 1)))),
];

#[test]
fn no_client_is_refused_beside_a_flood_and_the_process_lives() {
    for (flood, begin) in FLOODS {
        let mut serve = Serve::start();
        let alone = serve.check_served("nothing");
        let held = begin(&serve);
        let beside = serve.check_served(flood);
        println!(
            "{flood}: {} connections; the slowest of {CALLS} calls took {beside:?}, {alone:?} alone",
            held.len()
        );
        drop(held);
        serve.check_served(flood);
    }
}
