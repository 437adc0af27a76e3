//! Three processes of one server behind a load balancer, with one store: servers and the store are killed (SIGKILL) and stopped (SIGSTOP) while clients
//! call, answer what they were asked, answer it again, begin tasks and ask for them at any process, listen to changes, and go on with sessions of an
//! older revision. What was answered was executed, nothing was executed twice, no end of a task was taken back, each change was heard by who
//! listened, and no client was told to log in again or that its session is gone.
//!
//! The processes are this test program, run again with one test of it. They write what they execute into a book, a line each.

use super::store_tests::{KEY, PATIENCE, Redis, free_port};
use super::{Entry, Handler, Outcome, Server};
use crate::engine::server::{Answer, TaskOptions};
use crate::runtime::message::Message;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

const SERVERS: usize = 3;
const CLIENTS: u64 = 4;
/// Calls in a plain run: 45 s of the processor. `MCP_STORE_CALLS` has those of a long one.
const CALLS: u64 = 10_000;
/// A hundred disturbances, but with so many calls between two of them, at least and at most.
const BETWEEN: (u64, u64) = (40, 400);
/// The variable that makes this program a process of the server: what it needs to know as JSON.
const PROCESS: &str = "MCP_STORE_PROCESS";
const REFUSED: i64 = -32602;

// ---- a process of the server ---------------------------------------------------------------------

#[test]
#[ignore = "it is a process of the server, which the test below starts"]
fn a_process_of_the_server() {
    let text = std::env::var(PROCESS).expect("what it is");
    let is: Value = serde_json::from_str(&text).expect("JSON");
    let book = Arc::new(
        OpenOptions::new().append(true).open(is["book"].as_str().expect("a path")).expect("the book"),
    );
    let config = json!({
        "name": "s", "workers": 2, "session_names": "sealed", "request_state": { "keys": [KEY] },
        // A long run asks for all at its end.
        "timeouts": { "task_ttl_ms": 86_400_000 }, "limits": { "tasks": 1_000_000, "session_tasks": 1_000_000 },
        "store": { "url": is["store"], "space": "chaos", "timeout_ms": 500, "lease_ms": 2_000 },
    });
    let server = Arc::new(Server::new(&config.to_string(), None).expect("a server"));
    let this: Arc<OnceLock<Weak<Server>>> = Arc::default();
    this.set(Arc::downgrade(&server)).expect("set once");
    // Tasks end when other calls come.
    let open: Arc<Mutex<Vec<Message>>> = Arc::default();
    let end_one = {
        let open = Arc::clone(&open);
        move || {
            let first = open.lock().expect("no handler failed").pop();
            if let Some((request, by)) = first.as_ref().and_then(Message::request) {
                // It may be over: its client has waited for too long.
                drop(by.respond(request, Outcome::Text("worked")));
            }
        }
    };
    let write = |book: &File, number: &str| {
        // One write of a line: what a process that is killed has written stays.
        (&*book).write_all(format!("{number}\n").as_bytes()).expect("written");
    };
    let acting = Arc::clone(&book);
    let act = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        if let Some(number) = by.state(request) {
            write(&acting, &number);
            drop(by.respond(request, Outcome::Text("done")));
            return;
        }
        let params: Value = serde_json::from_str(message.json()).expect("JSON");
        assert!(by.set_state(request, &params["arguments"]["n"].to_string()));
        let form = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;
        // While the store was not reached yet it fails, which its client is told.
        let _asked: Option<Option<Answer>> = by.ask(request, "k", "elicitation/create", form).ok();
    };
    let telling = Arc::clone(&book);
    let tell = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        let params: Value = serde_json::from_str(message.json()).expect("JSON");
        write(&telling, &params["arguments"]["n"].to_string());
        end_one();
        drop(by.respond(request, Outcome::Text("told")));
    };
    let working = Arc::clone(&book);
    let work = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        let params: Value = serde_json::from_str(message.json()).expect("JSON");
        if by.start_task(request, TaskOptions::default()).is_err() {
            drop(by.respond(request, Outcome::Failure("no task")));
            return;
        }
        write(&working, &params["arguments"]["n"].to_string());
        open.lock().expect("no handler failed").push(message);
    };
    let change = move |message: Message| {
        let (request, by) = message.request().expect("a request");
        if let Some(server) = this.get().and_then(Weak::upgrade) {
            server.resource_updated("x://r");
        }
        drop(by.respond(request, Outcome::Text("told")));
    };
    server.add_fixed(r#"{"name":"r","uri":"x://r"}"#, Some("text"), b"").expect("a resource");
    let handlers = [
        ("act", Handler::function(Arc::new(act))),
        ("tell", Handler::function(Arc::new(tell))),
        ("work", Handler::function(Arc::new(work))),
        ("change", Handler::function(Arc::new(change))),
    ];
    for (name, handler) in handlers {
        let support = if name == "work" { "optional" } else { "forbidden" };
        let tool = format!(
            r#"{{"name":"{name}","inputSchema":{{"type":"object"}},"execution":{{"taskSupport":"{support}"}}}}"#
        );
        server.add(Entry::Tool, &tool, handler).expect("a tool");
    }
    let endpoint = json!({ "url": format!("http://127.0.0.1:{}/mcp", is["port"]), "health": "/healthz" });
    server.serve(&endpoint.to_string()).expect("served");
    // Its parent ends it, or ends.
    let _end = std::io::stdin().read(&mut [0]).expect("the end of the input");
}

// ---- what is played with ---------------------------------------------------------------------------

/// A process that is killed at the end.
struct Running(Child);

impl Running {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).expect("it is there");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over already.
        let _was_there = self.0.kill();
        let _is_over = self.0.wait();
    }
}

struct Play {
    folder: PathBuf,
    redis: Redis,
    ports: [u16; SERVERS],
    servers: Vec<Running>,
    balanced: u16,
    _balancer: Running,
}

fn listens(port: u16) {
    let end = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "nothing listens at {port}");
        std::thread::yield_now();
    }
}

impl Play {
    fn new() -> Play {
        // It keeps what it has acknowledged. With `everysec` it acknowledges before it writes, while the disk is busy.
        let redis = Redis::start(&["--appendonly", "yes", "--appendfsync", "always"]);
        let folder = redis.folder.clone();
        File::create(folder.join("book")).expect("the book");
        let ports = [(); SERVERS].map(|()| free_port());
        let servers = ports.iter().map(|port| Play::server(&folder, &redis, *port)).collect();
        let balanced = free_port();
        let configuration = folder.join("haproxy.cfg");
        std::fs::write(&configuration, Play::configuration(ports)).expect("written");
        let program = std::env::var("MCP_HAPROXY").unwrap_or_else(|_| "/usr/sbin/haproxy".to_owned());
        let mut command = Command::new(&program);
        // It tells of each process that is gone.
        command
            .stderr(Stdio::null())
            .args(["-db", "-f"])
            .arg(&configuration)
            .env("MCP_BIND", format!("127.0.0.1:{balanced}"));
        let balancer =
            command.spawn().unwrap_or_else(|error| panic!("{program}: {error}; apt-get install haproxy"));
        let play = Play { folder, redis, ports, servers, balanced, _balancer: Running(balancer) };
        listens(balanced);
        for port in ports {
            listens(port);
            goes_on(port);
        }
        play
    }

    /// The configuration that users get, with these processes in the place of its two.
    fn configuration(ports: [u16; SERVERS]) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/balancing/haproxy.cfg");
        let text = std::fs::read_to_string(path).expect("the configuration");
        let mut made = String::new();
        for line in text.lines() {
            match line.trim_start() {
                it if it.starts_with("server a ") => {
                    for (number, port) in ports.iter().enumerate() {
                        made.extend([
                            "    server s",
                            &number.to_string(),
                            " 127.0.0.1:",
                            &port.to_string(),
                            "\n",
                        ]);
                    }
                }
                it if it.starts_with("server ") => {}
                _ => made.extend([line, "\n"]),
            }
        }
        made
    }

    fn server(folder: &Path, redis: &Redis, port: u16) -> Running {
        let is = json!({ "port": port, "store": redis.url(), "book": folder.join("book") });
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--ignored", "--exact", "server::store_chaos_tests::a_process_of_the_server"]);
        command.env(PROCESS, is.to_string()).stdin(Stdio::piped()).stdout(Stdio::null());
        Running(command.spawn().expect("a process"))
    }

    fn restart(&mut self, which: usize) {
        self.servers[which].signal(Signal::KILL);
        self.servers[which].0.wait().expect("it ends");
        self.servers[which] = Play::server(&self.folder, &self.redis, self.ports[which]);
        listens(self.ports[which]);
    }

    fn executed(&self) -> HashMap<u64, usize> {
        let book = std::fs::read_to_string(self.folder.join("book")).expect("the book");
        let mut executed = HashMap::new();
        for number in book.lines() {
            *executed.entry(number.parse().expect("a number")).or_default() += 1;
        }
        executed
    }
}

// ---- what clients do --------------------------------------------------------------------------------

/// What came back.
#[derive(Debug)]
enum Said {
    /// The connection ended: its process was killed.
    Cut,
    /// The balancer said it.
    Balancer,
    Server {
        status: u16,
        session: Option<String>,
        has_pause: bool,
        answer: Value,
    },
}

impl Said {
    fn code(&self) -> Option<i64> {
        match self {
            Said::Server { answer, .. } => answer["error"]["code"].as_i64(),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Said::Server { answer, .. } => answer["result"]["content"][0]["text"].as_str(),
            _ => None,
        }
    }

    fn state(&self) -> Option<String> {
        match self {
            Said::Server { answer, .. } => answer["result"]["requestState"].as_str().map(str::to_owned),
            _ => None,
        }
    }

    /// Nothing says that a login or a session is lost, and what is to be tried again says when. An answer in a session is an event, whose
    /// status was sent before.
    fn honest(self, is_in_session: bool) -> Said {
        if let Said::Server { status, has_pause, answer, .. } = &self {
            assert!(matches!(status, 200 | 202 | 400 | 500 | 503), "{status}: {answer}");
            assert!(*status != 503 || *has_pause, "503 without Retry-After: {answer}");
            assert!(
                answer["error"]["code"] != -32010 || *status == 503 || is_in_session,
                "{status}: {answer}"
            );
        }
        self
    }
}

/// Sends a request on a connection of its own.
fn begun(port: u16, headers: &str, body: &str) -> Option<TcpStream> {
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    stream.write_all((head + body).as_bytes()).ok()?;
    Some(stream)
}

/// One exchange with a connection of its own.
fn exchange(port: u16, headers: &str, body: &Value) -> Said {
    let Some(mut stream) = begun(port, headers, &body.to_string()) else { return Said::Cut };
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes) {
        let is_late = matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut);
        assert!(!is_late, "no answer came: {headers}{body}");
        return Said::Cut;
    }
    let text = String::from_utf8(bytes).expect("text");
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return Said::Cut };
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    let header = |name: &str| {
        let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    if body.starts_with("<html>") {
        assert!(matches!(status, 502..=504), "{text}");
        return Said::Balancer;
    }
    // An answer as an event, or by itself; chunks that were cut have none.
    let answer = body
        .lines()
        .map(|line| line.strip_prefix("data: ").unwrap_or(line))
        .find_map(|line| serde_json::from_str::<Value>(line).ok().filter(Value::is_object));
    let needs_answer = status != 202;
    if answer.is_none() && needs_answer {
        return Said::Cut;
    }
    Said::Server {
        status,
        session: header("mcp-session-id"),
        has_pause: header("retry-after").is_some(),
        answer: answer.unwrap_or_default(),
    }
    .honest(headers.contains("Mcp-Session-Id"))
}

fn modern(port: u16, tool: &str, number: u64, state: Option<&str>) -> Said {
    let mut params = json!({ "name": tool, "arguments": { "n": number } });
    if let Some(state) = state {
        params["requestState"] = state.into();
        params["inputResponses"] = json!({ "k": { "action": "decline" } });
    }
    let (headers, body) = asked("tools/call", tool, params);
    exchange(port, &headers, &body)
}

/// A request of 2026-07-28: its headers and its body.
fn asked(method: &str, name: &str, mut params: Value) -> (String, Value) {
    params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":
            { "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } } });
    let name = if name.is_empty() { String::new() } else { format!("Mcp-Name: {name}\r\n") };
    let headers = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n{name}");
    (headers, json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
}

fn about(port: u16, method: &str, task: &GivenTask) -> Said {
    let params = json!({ "taskId": task.name });
    if let Some(session) = &task.session {
        return in_session(port, session, method, &params);
    }
    let (headers, body) = asked(method, &task.name, params);
    exchange(port, &headers, &body)
}

/// What a client listens with.
struct Listening {
    stream: BufReader<TcpStream>,
    line: Vec<u8>,
}

impl Listening {
    /// Begins, and is told that it does.
    fn begin(port: u16) -> Option<Listening> {
        let filter = json!({ "notifications": { "resourceSubscriptions": ["x://r"] } });
        let (headers, body) = asked("subscriptions/listen", "", filter);
        let stream = begun(port, &headers, &body.to_string())?;
        stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a time");
        let mut listening = Listening { stream: BufReader::new(stream), line: Vec::new() };
        (listening.hears("acknowledged", PATIENCE) == Some(true)).then_some(listening)
    }

    /// Whether an event with this in it comes in a time; `None` when the stream has ended.
    fn hears(&mut self, word: &str, most: Duration) -> Option<bool> {
        let end = Instant::now() + most;
        while Instant::now() < end {
            match self.stream.read_until(b'\n', &mut self.line) {
                Ok(0) => return None,
                Ok(_) => {
                    let line = std::mem::take(&mut self.line);
                    if String::from_utf8_lossy(&line).contains(word) {
                        return Some(true);
                    }
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) => {}
                Err(_) => return None,
            }
        }
        Some(false)
    }
}

const LEGACY: &str = "2025-11-25";

/// A session of an older revision; none where its process was killed meanwhile.
fn session(port: u16) -> Option<String> {
    let params = json!({ "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let Said::Server { session: Some(name), .. } = exchange(port, "", &body) else { return None };
    let headers = format!("MCP-Protocol-Version: {LEGACY}\r\nMcp-Session-Id: {name}\r\n");
    // Whether it is told or not: the name is good.
    let _said = exchange(port, &headers, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    Some(name)
}

fn in_session(port: u16, session: &str, method: &str, params: &Value) -> Said {
    let headers = format!("MCP-Protocol-Version: {LEGACY}\r\nMcp-Session-Id: {session}\r\n");
    exchange(port, &headers, &json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }))
}

fn legacy(port: u16, session: &str, number: u64) -> Said {
    in_session(port, session, "tools/call", &json!({ "name": "tell", "arguments": { "n": number } }))
}

/// Numbers of their own for calls that are not counted.
static OUTSIDE: AtomicU64 = AtomicU64::new(1 << 40);

fn outside() -> u64 {
    OUTSIDE.fetch_add(1, Ordering::SeqCst)
}

/// Waits until what is asked now can be answered at a port.
fn goes_on(port: u16) {
    let end = Instant::now() + PATIENCE;
    loop {
        let number = outside();
        let state = modern(port, "act", number, None).state();
        let said = state.map(|state| modern(port, "act", number, Some(&state)));
        if said.as_ref().and_then(Said::text) == Some("done") {
            return;
        }
        assert!(Instant::now() < end, "it does not go on: {said:?}");
        std::thread::yield_now();
    }
}

/// Numbers that are the same in each run with a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// What all clients share.
struct Game {
    port: u16,
    next: AtomicU64,
    is_over: AtomicBool,
    /// Odd while the store may know other things than the servers think.
    epoch: AtomicU64,
    /// The calls that were answered well.
    answered: Mutex<Vec<u64>>,
    /// States that were used, with what they were for.
    used: Mutex<Vec<(u64, String)>>,
    /// Tasks whose names were given: what each is for, and the end that was seen.
    tasks: Mutex<Vec<GivenTask>>,
    /// Changes that were heard.
    heard: AtomicU64,
}

#[derive(Clone, Debug)]
struct GivenTask {
    number: u64,
    name: String,
    /// The session of 2025-11-25 whose it is; none for one of 2026-07-28.
    session: Option<String>,
    end: Option<String>,
}

impl GivenTask {
    /// What it came to, as the answer of a call that was no task.
    fn outcome(&self, port: u16, answer: &Value) -> Option<Value> {
        if self.session.is_none() {
            return Some(answer["result"].clone());
        }
        match about(port, "tasks/result", self) {
            Said::Server { answer, .. } if answer["error"]["code"] != -32010 => Some(answer),
            _ => None,
        }
    }
}

impl Game {
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::SeqCst)
    }

    fn answered(&self, number: u64) {
        self.answered.lock().expect("no test failed").push(number);
    }

    /// A question, its answer, and the answer once more.
    fn act(&self) {
        let number = self.number();
        let before = self.epoch.load(Ordering::SeqCst);
        let Some(state) = modern(self.port, "act", number, None).state() else { return };
        let said = modern(self.port, "act", number, Some(&state));
        let after = self.epoch.load(Ordering::SeqCst);
        if said.code() == Some(REFUSED) {
            assert!(before != after || before % 2 == 1, "a state was refused at its first use: {said:?}");
        }
        if said.text() == Some("done") {
            self.answered(number);
            let again = modern(self.port, "act", number, Some(&state));
            assert!(again.text().is_none(), "a state was good twice: {again:?}");
            self.used.lock().expect("no test failed").push((number, state));
        }
    }

    /// A task begins at some process, of a session or of none, and others are asked for at some.
    fn work(&self, dice: &mut Dice, open: Option<&String>) {
        let number = self.number();
        let session = open.filter(|_| dice.below(2) == 0);
        let said = match session {
            Some(session) => {
                let params = json!({ "name": "work", "arguments": { "n": number }, "task": {} });
                in_session(self.port, session, "tools/call", &params)
            }
            None => modern(self.port, "work", number, None),
        };
        if let Said::Server { answer, .. } = said {
            let result = &answer["result"];
            let name = if session.is_some() { &result["task"]["taskId"] } else { &result["taskId"] };
            if let Some(name) = name.as_str() {
                let task = GivenTask { number, name: name.to_owned(), session: session.cloned(), end: None };
                self.tasks.lock().expect("no test failed").push(task);
            }
        }
        let at = {
            let count = self.tasks.lock().expect("no test failed").len();
            if count == 0 {
                return;
            }
            usize::try_from(dice.below(count as u64)).expect("small")
        };
        self.look(self.port, at);
    }

    /// Asks for a task. Gives whether it is over. It is known, and its end stays.
    fn look(&self, port: u16, at: usize) -> bool {
        let task = &self.tasks.lock().expect("no test failed")[at].clone();
        let said = about(port, "tasks/get", task);
        let Said::Server { answer, .. } = &said else { return false };
        assert_ne!(said.code(), Some(REFUSED), "a name that was given is not known: {task:?} {answer}");
        let is = match answer["result"]["status"].as_str() {
            Some("completed") => {
                let Some(came_to) = task.outcome(port, answer) else { return false };
                assert_eq!(came_to["result"]["content"][0]["text"], "worked", "{came_to}");
                "completed"
            }
            Some("failed") => {
                let Some(came_to) = task.outcome(port, answer) else { return false };
                assert_eq!(came_to["error"]["data"]["reason"], "worker_lost", "{came_to}");
                "failed"
            }
            Some("working") => "working",
            _ => return false,
        };
        // What was known when this was asked is still so.
        assert!(task.end.as_deref().is_none_or(|end| end == is), "{task:?} is {is}");
        if is == "working" {
            return false;
        }
        let mut tasks = self.tasks.lock().expect("no test failed");
        let known = &mut tasks[at];
        assert!(known.end.as_deref().is_none_or(|end| end == is), "{known:?} is {is}");
        known.end = Some(is.to_owned());
        true
    }

    /// A client that listens, and has some process tell of a change, again and again. One that is killed may not have told of it.
    fn listen(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            let Some(mut listening) = Listening::begin(self.port) else { continue };
            let mut last = Instant::now();
            while !self.is_over.load(Ordering::SeqCst) {
                let is_told = modern(self.port, "change", outside(), None).text() == Some("told");
                match listening.hears("notifications/resources/updated", Duration::from_secs(1)) {
                    None => break,
                    Some(true) => {
                        last = Instant::now();
                        self.heard.fetch_add(1, Ordering::SeqCst);
                    }
                    Some(false) => assert!(!is_told || last.elapsed() < PATIENCE, "changes are not heard"),
                }
            }
        }
    }

    fn play(&self, seed: u64, told: &Sender<()>) {
        let mut dice = Dice(seed);
        let mut open = None;
        while !self.is_over.load(Ordering::SeqCst) {
            match dice.below(12) {
                10.. => self.work(&mut dice, open.as_ref()),
                0..3 => self.act(),
                3..6 => {
                    let name: Option<String> = open.take().or_else(|| session(self.port));
                    if let Some(name) = name {
                        let number = self.number();
                        if legacy(self.port, &name, number).text() == Some("told") {
                            self.answered(number);
                        }
                        open = Some(name).filter(|_| dice.below(8) > 0);
                    }
                }
                _ => {
                    let number = self.number();
                    if modern(self.port, "tell", number, None).text() == Some("told") {
                        self.answered(number);
                    }
                }
            }
            // The one that listens may have seen enough.
            let _is_heard = told.send(());
        }
    }
}

/// Waits for so many turns of clients, or for a time: all may wait for what is stopped.
fn turns(heard: &Receiver<()>, count: u64, most: Duration) {
    let end = Instant::now() + most;
    for _ in 0..count {
        if heard.recv_timeout(end.saturating_duration_since(Instant::now())).is_err() {
            return;
        }
    }
}

// ---- the tests ---------------------------------------------------------------------------------------

#[test]
fn while_the_store_is_away_three_processes_say_503_for_what_needs_it_and_serve_the_rest() {
    let mut play = Play::new();
    let port = play.balanced;
    let name = session(port).expect("a session");
    let state = |number| modern(port, "act", number, None).state().expect("a state");
    let states: Vec<(u64, String)> =
        (0..12).map(|_| outside()).map(|number| (number, state(number))).collect();
    let retry = |at: u16, (number, state): &(u64, String)| modern(at, "act", *number, Some(state));
    play.redis.kill();
    // Each process learns it by the first use.
    for one in play.ports {
        let end = Instant::now() + PATIENCE;
        while retry(one, &states[0]).code() != Some(-32010) {
            assert!(Instant::now() < end, "the store is away");
        }
    }
    for state in &states {
        let said = retry(port, state);
        assert!(matches!(said, Said::Server { status: 503, .. }), "{said:?}");
        assert_eq!(modern(port, "tell", outside(), None).text(), Some("told"));
        assert_eq!(legacy(port, &name, outside()).text(), Some("told"));
    }
    play.redis.restart();
    play.ports.into_iter().for_each(goes_on);
    for state in &states {
        assert_eq!(retry(port, state).code(), Some(REFUSED), "it was made before");
    }
    assert_eq!(legacy(port, &name, outside()).text(), Some("told"));
}

/// Ends the game: a client that fails ends it for the others, too.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn processes_and_the_store_are_killed_and_stopped_and_nothing_is_lost_or_done_twice() {
    let calls = std::env::var("MCP_STORE_CALLS").ok().map_or(CALLS, |it| it.parse().expect("a number"));
    let seed = std::env::var("MCP_STORE_SEED").ok().map_or(50, |it| it.parse().expect("a number"));
    let mut play = Play::new();
    let game = Game {
        port: play.balanced,
        next: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        epoch: AtomicU64::new(0),
        answered: Mutex::default(),
        used: Mutex::default(),
        tasks: Mutex::default(),
        heard: AtomicU64::new(0),
    };
    let (told, heard) = channel();
    let mut disturbed = [0; 4];
    std::thread::scope(|scope| {
        for client in 1..=CLIENTS {
            let (game, told) = (&game, told.clone());
            scope.spawn(move || {
                let _over = Over(&game.is_over);
                game.play(seed * 1000 + client, &told);
            });
        }
        {
            let game = &game;
            scope.spawn(move || {
                let _over = Over(&game.is_over);
                game.listen();
            });
        }
        let over = Over(&game.is_over);
        let mut dice = Dice(seed);
        let between = (calls / 100).clamp(BETWEEN.0, BETWEEN.1);
        let mut first = 0;
        let short = Duration::from_secs(1);
        while game.next.load(Ordering::SeqCst) < calls && !game.is_over.load(Ordering::SeqCst) {
            turns(&heard, between, PATIENCE);
            let which = usize::try_from(dice.below(SERVERS as u64)).expect("small");
            // Each kind comes once in four, and the seed says which is the first of them.
            let round = disturbed.iter().sum::<u64>();
            if round % 4 == 0 {
                first = dice.below(4);
            }
            let kind = (first + round) % 4;
            disturbed[usize::try_from(kind).expect("small")] += 1;
            match kind {
                0 => play.restart(which),
                1 => {
                    play.servers[which].signal(Signal::STOP);
                    turns(&heard, BETWEEN.0, short);
                    play.servers[which].signal(Signal::CONT);
                }
                2 => {
                    game.epoch.fetch_add(1, Ordering::SeqCst);
                    play.redis.kill();
                    turns(&heard, BETWEEN.0, short);
                    play.redis.restart();
                    play.ports.into_iter().for_each(goes_on);
                    game.epoch.fetch_add(1, Ordering::SeqCst);
                }
                _ => {
                    play.redis.signal(Signal::STOP);
                    turns(&heard, BETWEEN.0, short);
                    play.redis.signal(Signal::CONT);
                }
            }
        }
        drop(over);
    });
    play.ports.into_iter().for_each(goes_on);
    // Each task ends: other calls end those that are open, and those of processes that are gone are found.
    let given = game.tasks.lock().expect("no test failed").clone();
    for (at, task) in given.iter().enumerate() {
        let end = Instant::now() + PATIENCE;
        while !play.ports.iter().all(|port| game.look(*port, at)) {
            play.ports.iter().for_each(|port| drop(modern(*port, "tell", outside(), None)));
            assert!(Instant::now() < end, "it does not end: {task:?}");
        }
    }
    let ended = |status: &str| {
        let tasks = game.tasks.lock().expect("no test failed");
        tasks
            .iter()
            .filter(|task| task.end.as_deref() == Some(status))
            .map(|task| task.number)
            .collect::<Vec<u64>>()
    };
    let (worked, lost_with_process) = (ended("completed"), ended("failed"));
    assert_eq!(worked.len() + lost_with_process.len(), given.len(), "each ends once");
    let heard = game.heard.load(Ordering::SeqCst);
    let used = game.used.into_inner().expect("no test failed");
    for (number, state) in used.iter().rev().take(50) {
        for port in play.ports {
            let said = modern(port, "act", *number, Some(state));
            assert_eq!(said.code(), Some(REFUSED), "{said:?}");
        }
    }
    let executed = play.executed();
    let twice: Vec<_> = executed.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "executed more than once: {twice:?}");
    let answered = game.answered.into_inner().expect("no test failed");
    let all = answered.iter().chain(&worked).chain(&lost_with_process);
    let lost: Vec<_> = all.filter(|number| !executed.contains_key(number)).collect();
    assert!(lost.is_empty(), "answered and not executed: {lost:?}");
    let begun = game.next.load(Ordering::SeqCst);
    println!(
        "{begun} calls, {} answered, {} states used; {} tasks, {} worked, {} lost with their process; {heard} changes heard; killed {} servers and {} stores, stopped {} and {}",
        answered.len(),
        used.len(),
        given.len(),
        worked.len(),
        lost_with_process.len(),
        disturbed[0],
        disturbed[2],
        disturbed[1],
        disturbed[3],
    );
    assert!(disturbed.iter().all(|times| *times > 0), "{disturbed:?}");
    assert!(answered.len() as u64 * 2 > begun && !used.is_empty(), "{} of {begun}", answered.len());
    assert!(!worked.is_empty() && heard > 0, "{} tasks worked, {heard} changes were heard", worked.len());
}
