//! Clients that take all they can from `mcp serve`, over HTTP, HTTP+SSE and sockets, itself or behind `mcp bridge`, and one beside them
//! that asks for little, while the process has little memory: it lives, and the innocent client is never refused. The two have
//! addresses of their own, or tokens of two principals and one address, or are two processes. The slowest answer of each flood is
//! printed (`--nocapture`).

use rustix::net::sockopt::{set_socket_linger, set_socket_recv_buffer_size};
use rustix::net::{AddressFamily, SocketType, bind, connect as connect_to, socket};
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// What the process may have of addresses, in KiB.
const ADDRESSES: &str = "1500000";
/// What it may hold of bytes for its clients: little, so that a flood of little fills it.
const BOUNDS: &str = "--set limits.shared_bytes=33554432 --set limits.subscription_bytes=4194304";
/// The programs of calls that may run at one time.
const PROGRAMS: usize = 64;
/// How often the innocent client asks beside each flood.
const CALLS: usize = 20;

/// A slow program takes longer than the innocent client waits, so that it cannot wait for one.
const DESCRIPTION: &str = r#"{"name": "floods", "tools": [
    {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}, "command": ["echo", "{text}"]},
    {"name": "slow", "inputSchema": {"type": "object"}, "command": ["sleep", "90"]}],
    "resources": [{"name": "docs", "uri": "docs:///{+path}", "folder": "docs"}]}"#;

/// The tokens `flood` and `innocent`.
const AUTH: &str = r#"{"tokens": [
    {"principal": "f", "sha256": "d8864644c15d33be9c0aef2d08c8fc105adc040de488b0116882a2cc6aa4492b"},
    {"principal": "i", "sha256": "4c95538022f8a2eaa5cf3a4ac8919e873fa40725a8978953104959f37bc796f6"}]}"#;

/// How the server tells clients apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Address,
    Principal,
    /// They connect to a Unix socket.
    Process,
    /// By address, and the server stands behind a bridge.
    AddressAtBridge,
    /// The same, and the server behind is `NOISY`.
    AddressAtNoisy,
}

/// A server whose tool `noise` answers behind much progress and many log records, and is slow about it.
const NOISY: &str = r#"while read -r line; do
    id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    answer='{"jsonrpc":"2.0","id":'$id
    case $line in
    *'"initialize"'*) echo "$answer"',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"n","version":"1"}}}' ;;
    *'"tools/list"'*) echo "$answer"',"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"noise","inputSchema":{"type":"object"}}]}}' ;;
    *'"noise"'*)
        token=$(printf %s "$line" | sed -n 's/.*"progressToken":\([^,}]*\).*/\1/p')
        [ -z "$token" ] || seq 1 4000 | sed 's/.*/{"jsonrpc":"2.0","method":"notifications\/progress","params":{"progressToken":'"$token"',"progress":&,"message":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}/'
        seq 1 4000 | sed 's/.*/{"jsonrpc":"2.0","method":"notifications\/message","params":{"level":"error","data":"& xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}/'
        echo "$answer"',"result":{"content":[{"type":"text","text":"noise"}]}}' ;;
    *'"tools/call"'*) echo "$answer"',"result":{"content":[{"type":"text","text":"still here"}]}}' ;;
    *) [ -z "$id" ] || echo "$answer"',"error":{"code":-32601,"message":"there is no such method"}}' ;;
    esac
done
"#;

/// The program under test: as packages have it where the step `cli` says so, which takes a fifth of the time of the one that cargo has built.
fn program() -> OsString {
    std::env::var_os("MCP_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_mcp").into())
}

struct Serve {
    child: Child,
    http: u16,
    socket: u16,
    unix: PathBuf,
    by: By,
    _folder: tempfile::TempDir,
}

fn port(line: &str) -> u16 {
    let (_, rest) = line.split_once("127.0.0.1:").unwrap_or_else(|| panic!("no address in '{line}'"));
    rest.trim_end().trim_end_matches("/mcp").parse().expect("a port")
}

impl Serve {
    fn start(by: By) -> Serve {
        let folder = Serve::folder();
        let unix = folder.path().join("mcp.sock");
        let further = match by {
            By::Principal => "--auth auth.json",
            By::Process => "--listen unix:mcp.sock",
            By::Address | By::AddressAtBridge | By::AddressAtNoisy => "--listen tcp:127.0.0.1:0",
        };
        let listen = format!("--listen http://127.0.0.1:0/mcp --sse /sse {further}");
        let what = match by {
            By::AddressAtBridge => format!("bridge {listen} -- \"$0\" serve serve.json {BOUNDS}"),
            By::AddressAtNoisy => format!("bridge {listen} -- sh noisy.sh"),
            _ => format!("serve serve.json {BOUNDS} --set limits.request_bytes=67108864 {listen}"),
        };
        let line = format!("ulimit -v {ADDRESSES}; exec \"$0\" {what}");
        let mut child = Command::new("sh")
            .args(["-c", &line])
            .arg(program())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut next = || lines.next().expect("where it listens").expect("a line");
        let http = port(&next());
        assert!(next().ends_with("/sse"), "HTTP+SSE");
        let socket = if matches!(by, By::Principal | By::Process) { 0 } else { port(&next()) };
        if by == By::Process {
            assert!(next().ends_with("mcp.sock"), "the Unix socket");
        }
        Serve { child, http, socket, unix, by, _folder: folder }
    }

    /// With one client, over its standard streams.
    fn over_stdio() -> Serve {
        let folder = Serve::folder();
        let line = format!("ulimit -v {ADDRESSES}; exec \"$0\" serve serve.json {BOUNDS}");
        let child = Command::new("sh")
            .args(["-c", &line])
            .arg(program())
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh");
        Serve { child, http: 0, socket: 0, unix: PathBuf::new(), by: By::Process, _folder: folder }
    }

    /// What is to be served.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("docs")).expect("a folder");
        std::fs::write(folder.path().join("docs/large.txt"), vec![b'x'; 512 << 10]).expect("a file");
        for (name, text) in [("serve.json", DESCRIPTION), ("auth.json", AUTH), ("noisy.sh", NOISY)] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        folder
    }

    /// A connection from an address of this machine, that takes little at a time.
    fn connect(&self, last: u8, port: u16) -> TcpStream {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        set_socket_recv_buffer_size(&socket, 4096).expect("set");
        let last = if self.by == By::Principal { 1 } else { last };
        // Not every system has all of 127.0.0.0/8. Then all have one address.
        let _own_address = bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, last), 0));
        connect_to(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).expect("connected");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        stream.set_write_timeout(Some(Duration::from_secs(2))).expect("set");
        stream
    }

    /// A client of the flood, which sends this and may be refused.
    fn send(&self, bytes: &[u8]) -> Option<TcpStream> {
        let mut stream = self.connect(2, self.http);
        stream.write_all(bytes).ok().map(|()| stream)
    }

    /// The same over a socket.
    fn say(&self, bytes: &[u8]) -> Option<OwnedFd> {
        if self.by == By::Process {
            let mut stream = UnixStream::connect(&self.unix).expect("connected");
            stream.set_write_timeout(Some(Duration::from_secs(2))).expect("set");
            return stream.write_all(bytes).ok().map(|()| stream.into());
        }
        let mut stream = self.connect(2, self.socket);
        stream.write_all(bytes).ok().map(|()| stream.into())
    }

    /// What another process gets over the Unix socket, again and again; its slowest answer.
    fn check_process(&mut self, flood: &str) -> Duration {
        let mut slowest = Duration::ZERO;
        for _ in 0..CALLS / 5 {
            let begun = Instant::now();
            let called = Command::new(program())
                .args(["call", &format!("unix:{}", self.unix.display()), "echo", "text=still here"])
                .stdin(Stdio::null())
                .output()
                .expect("mcp");
            let said = String::from_utf8_lossy(&called.stdout);
            let why = String::from_utf8_lossy(&called.stderr);
            assert!(called.status.success() && said.contains("still here"), "{flood}: {said}{why}");
            slowest = slowest.max(begun.elapsed());
        }
        slowest
    }

    /// What the innocent client gets, again and again; its slowest answer.
    fn check_served(&mut self, flood: &str) -> Duration {
        let mut slowest = if self.by == By::Process { self.check_process(flood) } else { Duration::ZERO };
        let calls = if self.by == By::Process { 0 } else { CALLS };
        for _ in 0..calls {
            let begun = Instant::now();
            let mut stream = self.connect(1, self.http);
            stream.write_all(&call("innocent", "echo", r#"{"text":"still here"}"#)).expect("written");
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap_or_else(|error| panic!("{flood}: {error}, after {text}"));
            assert!(text.starts_with("HTTP/1.1 200") && text.contains("still here"), "{flood}: {text}");
            slowest = slowest.max(begun.elapsed());
            if self.by == By::Principal {
                continue;
            }
            let begun = Instant::now();
            let mut stream = self.connect(1, self.socket);
            stream
                .write_all(&line("tools/call", r#""name":"echo","arguments":{"text":"still here"}"#))
                .expect("written");
            let mut text = String::new();
            BufReader::new(stream)
                .read_line(&mut text)
                .unwrap_or_else(|error| panic!("{flood}: {error}, over a socket"));
            assert!(text.contains("still here"), "{flood}, over a socket: {text}");
            slowest = slowest.max(begun.elapsed());
        }
        let ended = self.child.try_wait().expect("a child");
        assert!(ended.is_none(), "{flood}: the server has ended: {ended:?}");
        let programs = self.programs();
        assert!(programs <= PROGRAMS, "{flood}: {programs} programs at one time");
        slowest
    }

    /// The programs of calls that the system has, those included that are being ended; none where it does not say.
    fn programs(&self) -> usize {
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{}/task", self.child.id())) else { return 0 };
        let children = |task: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(task.ok()?.path().join("children")).ok()
        };
        tasks.filter_map(children).map(|children| children.split_whitespace().count()).sum()
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

fn message(method: &str, params: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params},{meta}}}}}"#)
}

fn line(method: &str, params: &str) -> Vec<u8> {
    (message(method, params) + "\n").into_bytes()
}

fn modern(token: &str, method: &str, name: &str, params: &str) -> Vec<u8> {
    let name = if name.is_empty() { String::new() } else { format!("Mcp-Name: {name}\r\n") };
    let head =
        format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}Connection: close\r\n");
    post(&format!("{head}Authorization: Bearer {token}\r\n"), &message(method, params))
}

fn call(token: &str, tool: &str, arguments: &str) -> Vec<u8> {
    modern(token, "tools/call", tool, &format!(r#""name":"{tool}","arguments":{arguments}"#))
}

/// What a flood holds to its end.
type Held = Vec<OwnedFd>;

fn many(serve: &Serve, count: usize, bytes: &[u8]) -> Held {
    (0..count).filter_map(|_| serve.send(bytes)).map(OwnedFd::from).collect()
}

fn many_sockets(serve: &Serve, count: usize, bytes: &[u8]) -> Held {
    (0..count).filter_map(|_| serve.say(bytes)).collect()
}

fn long_subscriptions() -> String {
    let uris: Vec<String> = (0..125).map(|at| format!(r#""docs:///{at}/{}""#, "a".repeat(8100))).collect();
    format!(r#""notifications":{{"resourceSubscriptions":[{}]}}"#, uris.join(","))
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}"#;
const LARGE: &str = r#""uri":"docs:///large.txt""#;

/// Requests on one connection, one after the other, whose answers are read.
fn in_a_row(serve: &Serve, count: usize, request: impl Fn(usize) -> Vec<u8>) -> Held {
    let mut stream = serve.connect(2, serve.http);
    let mut reader = stream.try_clone().expect("a second one");
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    for at in 0..count {
        if stream.write_all(&request(at)).is_err() {
            stream = serve.connect(2, serve.http);
        }
    }
    vec![stream.into()]
}

fn half_a_body(size: usize, sent: usize) -> Vec<u8> {
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer flood\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + sent, b' ');
    bytes
}

fn half_a_line(bytes: usize) -> Vec<u8> {
    let mut line = INITIALIZE.trim_end_matches('}').as_bytes().to_vec();
    line.extend_from_slice(br#","more":""#);
    line.resize(bytes, b'x');
    line
}

/// What is short as text, and long as values.
fn many_values() -> String {
    format!(r#""name":"slow","arguments":{{"text":[{}1]}}"#, "[],".repeat(4 << 20))
}

fn large_call() -> String {
    format!(r#""name":"slow","arguments":{{"text":"{}"}}"#, "x".repeat(8 << 20))
}

struct Flood {
    name: &'static str,
    /// Whether it is tried over a Unix socket, and at a bridge, too.
    is_tried_elsewhere: bool,
    /// Whether the token of a request says who it is: what comes before a token is told apart by address alone.
    has_token: bool,
    begin: fn(&Serve) -> Held,
}

const fn over_http(name: &'static str, begin: fn(&Serve) -> Held) -> Flood {
    Flood { name, is_tried_elsewhere: false, has_token: true, begin }
}

const fn without_token(name: &'static str, begin: fn(&Serve) -> Held) -> Flood {
    Flood { name, is_tried_elsewhere: false, has_token: false, begin }
}

const fn everywhere(name: &'static str, begin: fn(&Serve) -> Held) -> Flood {
    Flood { is_tried_elsewhere: true, ..without_token(name, begin) }
}

/// A notification of a client in a session.
fn notification(method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{method}\",\"params\":{{{params}}}}}\n")
}

/// A session over a socket, and behind its beginning this line again and again.
fn session_with(line: &str, count: usize) -> Vec<u8> {
    format!("{INITIALIZE}\n{}{}", notification("initialized", ""), line.repeat(count)).into_bytes()
}

const LEVEL: &str =
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}}\n";
/// A call that asks for progress and log records.
const NOISE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"noise","arguments":{},"_meta":{"progressToken":7,"io.modelcontextprotocol/logLevel":"debug","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// What a server behind a bridge says to clients that do not read it.
const NOISE_FLOODS: [Flood; 2] = [
    over_http("progress and log records that stay unread", |serve| {
        let head = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: noise\r\n";
        many(serve, 4, &post(head, NOISE))
    }),
    over_http("sockets with progress and log records that stay unread", |serve| {
        many_sockets(serve, 4, format!("{NOISE}\n").as_bytes())
    }),
];

const FLOODS: [Flood; 26] = [
    without_token("connections that say nothing", |serve| many(serve, 600, b"")),
    without_token("heads without an end", |serve| {
        many(serve, 600, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ")
    }),
    over_http("small bodies without an end", |serve| many(serve, 200, &half_a_body(1000, 500))),
    over_http("large bodies without an end", |serve| many(serve, 12, &half_a_body(15 << 20, 14 << 20))),
    over_http("answers that stay unread", |serve| {
        many(serve, 80, &modern("flood", "resources/read", "docs:///large.txt", LARGE))
    }),
    over_http("subscriptions to long URIs", |serve| {
        many(serve, 8, &modern("flood", "subscriptions/listen", "", &long_subscriptions()))
    }),
    over_http("sessions", |serve| {
        in_a_row(serve, 3000, |_| post("Authorization: Bearer flood\r\n", INITIALIZE))
    }),
    over_http("slow programs", |serve| many(serve, 200, &call("flood", "slow", "{}"))),
    over_http("slow programs that are cancelled", |serve| {
        (0..200).for_each(|_| drop(serve.send(&call("flood", "slow", "{}"))));
        Vec::new()
    }),
    over_http("calls whose answers stay unread", |serve| {
        many(serve, 300, &call("flood", "echo", r#"{"text":"x"}"#))
    }),
    over_http("requests that are not waited for", |serve| {
        let head = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\nAuthorization: Bearer flood\r\n";
        many(serve, 30, &post(head, &message("server/discover", r#""x":1"#)).repeat(200))
    }),
    over_http("sessions that are not waited for", |serve| {
        many(serve, 30, &post("Authorization: Bearer flood\r\n", INITIALIZE).repeat(200))
    }),
    over_http("invalid tokens", |serve| {
        in_a_row(serve, 3000, |at| {
            let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
            post(&format!("Authorization: Bearer {at}{}\r\n", "x".repeat(2000)), body)
        })
    }),
    without_token("invalid requests", |serve| {
        in_a_row(serve, 3000, |at| post("", &"[".repeat(at % 2000 + 1)))
    }),
    over_http("progress of nothing", |serve| {
        let progress = notification("progress", r#""progressToken":1,"progress":1"#);
        in_a_row(serve, 3000, |_| post("Authorization: Bearer flood\r\n", progress.trim_end()))
    }),
    everywhere("sockets with progress of nothing", |serve| {
        let progress = notification("progress", r#""progressToken":1,"progress":1"#);
        many_sockets(serve, 4, &session_with(&progress, 20_000))
    }),
    everywhere("sockets with log levels", |serve| many_sockets(serve, 4, &session_with(LEVEL, 20_000))),
    over_http("streams of HTTP+SSE", |serve| {
        let head = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer flood\r\nAccept: text/event-stream\r\n\r\n";
        many(serve, 600, head.as_bytes())
    }),
    everywhere("sockets that say nothing", |serve| many_sockets(serve, 600, b"")),
    without_token("sockets with a line without an end", |serve| {
        many_sockets(serve, 150, &half_a_line(14 << 20))
    }),
    everywhere("sockets with sessions", |serve| {
        many_sockets(serve, 600, format!("{INITIALIZE}\n").as_bytes())
    }),
    everywhere("sockets whose answers stay unread", |serve| {
        many_sockets(serve, 40, &line("resources/read", LARGE).repeat(4))
    }),
    without_token("sockets with subscriptions to long URIs", |serve| {
        many_sockets(serve, 8, &line("subscriptions/listen", &long_subscriptions()))
    }),
    everywhere("sockets with large calls", |serve| {
        many_sockets(serve, 12, &line("tools/call", &large_call()))
    }),
    without_token("sockets with calls of many values", |serve| {
        many_sockets(serve, 6, &line("tools/call", &many_values()))
    }),
    everywhere("sockets with slow programs", |serve| {
        many_sockets(serve, 20, &line("tools/call", r#""name":"slow","arguments":{}"#).repeat(20))
    }),
];

fn check(flood: &Flood, by: By) {
    let name = flood.name;
    let mut serve = Serve::start(by);
    let alone = serve.check_served("nothing");
    let begun = Instant::now();
    let held = (flood.begin)(&serve);
    let beside = serve.check_served(name);
    println!(
        "{name}: {} connections in {:?}; the slowest of {CALLS} calls took {beside:?}, {alone:?} alone",
        held.len(),
        begun.elapsed()
    );
    drop(held);
    serve.check_served(name);
}

#[test]
fn no_client_is_refused_beside_a_flood_and_the_process_lives() {
    for flood in &FLOODS {
        check(flood, By::Address);
    }
}

#[test]
fn no_principal_is_refused_beside_a_flood_of_another_from_the_same_address() {
    for flood in FLOODS.iter().filter(|flood| flood.has_token) {
        check(flood, By::Principal);
    }
}

#[test]
fn no_process_is_refused_beside_a_flood_of_another_at_a_unix_socket() {
    for flood in FLOODS.iter().filter(|flood| flood.is_tried_elsewhere) {
        check(flood, By::Process);
    }
}

#[test]
fn no_client_of_a_bridge_is_refused_beside_a_flood() {
    for flood in FLOODS.iter().filter(|flood| flood.is_tried_elsewhere) {
        check(flood, By::AddressAtBridge);
    }
}

#[test]
fn no_client_of_a_bridge_is_refused_beside_the_noise_of_a_server() {
    for flood in &NOISE_FLOODS {
        check(flood, By::AddressAtNoisy);
    }
}

/// How many of them connect as fast as they can.
const CONNECTING: usize = 3;

#[test]
fn one_client_is_answered_beside_others_that_connect_at_full_speed() {
    let mut serve = Serve::start(By::Address);
    let alone = serve.check_served("nothing");
    let (http, is_over) = (serve.http, Arc::new(AtomicBool::new(false)));
    let flood: Vec<_> = (0..CONNECTING)
        .map(|_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || connect_at_full_speed(http, &is_over))
        })
        .collect();
    let beside = serve.check_served("connections at full speed");
    is_over.store(true, Ordering::Relaxed);
    let count: usize = flood.into_iter().map(|one| one.join().expect("it ends")).sum();
    println!(
        "connections at full speed: {count}; the slowest of {CALLS} calls took {beside:?}, {alone:?} alone"
    );
    assert!(count >= CONNECTING, "there was a flood");
}

/// Connects, asks and leaves, until it is over. Gives how often.
fn connect_at_full_speed(http: u16, is_over: &AtomicBool) -> usize {
    let request = modern("flood", "server/discover", "", r#""x":1"#);
    let mut count = 0;
    while !is_over.load(Ordering::Relaxed) {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        // It ends by a reset: no port is kept for it.
        set_socket_linger(&socket, Some(Duration::ZERO)).expect("set");
        let _own_address = bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, 2), 0));
        let connected = connect_to(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, http));
        // One that is sent away comes again.
        if connected.is_ok() && TcpStream::from(socket).write_all(&request).is_ok() {
            count += 1;
        }
    }
    count
}

/// What the only client over standard streams says: it harms itself alone, and the process lives.
struct OverStdio {
    name: &'static str,
    line: fn(usize) -> String,
    count: usize,
}

fn request(id: usize, method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{{params}}}}}\n")
}

/// The same call of a tool that ends at once: one that holds its arguments for long ends reading, as there is one client.
fn quick(call: &str) -> String {
    call.replacen("slow", "echo", 1)
}

const STDIO: [OverStdio; 9] = [
    OverStdio {
        name: "answers that stay unread",
        line: |id| request(id, "resources/read", LARGE),
        count: 2000,
    },
    OverStdio { name: "large calls", line: |id| request(id, "tools/call", &quick(&large_call())), count: 12 },
    OverStdio {
        name: "calls of many values",
        line: |id| request(id, "tools/call", &quick(&many_values())),
        count: 4,
    },
    OverStdio {
        name: "slow programs",
        line: |id| request(id, "tools/call", r#""name":"slow","arguments":{}"#),
        count: 2000,
    },
    OverStdio {
        name: "long subscriptions",
        line: |id| request(id, "resources/subscribe", &format!(r#""uri":"docs:///{}""#, "a".repeat(8100))),
        count: 5000,
    },
    OverStdio {
        name: "progress of nothing",
        line: |_| notification("progress", r#""progressToken":1,"progress":1"#),
        count: 100_000,
    },
    OverStdio {
        name: "cancellations",
        line: |_| notification("cancelled", r#""requestId":2"#),
        count: 100_000,
    },
    OverStdio {
        name: "log levels",
        line: |id| request(id, "logging/setLevel", r#""level":"debug""#),
        count: 50_000,
    },
    OverStdio { name: "a line without an end", line: |_| "x".repeat(64 << 20), count: 3 },
];

/// The most memory that a process has had, as Linux says it.
fn peak(child: &Child) -> String {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("not known").trim().to_owned()
}

#[test]
fn a_flood_over_standard_streams_harms_only_itself() {
    for flood in &STDIO {
        let name = flood.name;
        let mut serve = Serve::over_stdio();
        let mut input = serve.child.stdin.take().expect("piped");
        let output = BufReader::new(serve.child.stdout.take().expect("piped"));
        let (write, written) = std::sync::mpsc::channel();
        let (line, count) = (flood.line, flood.count);
        let writer = std::thread::spawn(move || {
            input.write_all(&session_with("", 0)).expect("written");
            for id in 2..count + 2 {
                input.write_all(line(id).as_bytes()).expect("it reads on, or ends");
                write.send(()).expect("counted");
            }
            input
                .write_all(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}\n")
                .expect("written");
            input
        });
        // As long as its answers are not read it need not read on.
        let mut taken = 0;
        while written.recv_timeout(Duration::from_secs(1)).is_ok() {
            taken += 1;
        }
        let begun = Instant::now();
        let (found, last) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let answer = output.lines().map_while(Result::ok).find(|line| line.contains(r#""id":"last""#));
            found.send(answer.unwrap_or_default()).expect("it is waited for");
        });
        let answer = last.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{name}: no answer in time"));
        assert!(answer.contains(r#""result":{}"#), "{name}: {answer}");
        let programs = serve.programs();
        assert!(programs <= PROGRAMS, "{name}: {programs} programs at one time");
        println!(
            "{name}: {taken} of {count} taken unread, the last answer after {:?}, {} of memory",
            begun.elapsed(),
            peak(&serve.child)
        );
        reader.join().expect("read");
        // The end of its input ends it.
        drop(writer.join().expect("written"));
    }
}
