//! Servers that share a store, against a real one: `redis-server` is started, killed, stopped, emptied and filled here.

use super::{Entry, Handler, Outcome, Server};
use crate::engine::seal::KeyRing;
use crate::engine::server::{
    Answer, Expected, Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus, Ticket,
};
use crate::runtime::message::Message;
use crate::runtime::server::http::RequestParts;
use crate::runtime::server::store::{
    Bound, Connection, Port, Purpose, RedisStore, Reply, StoreAddress, StoreGrade, StoreUser, examine_store,
};
use ring::rand::{SecureRandom as _, SystemRandom};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(super) const PATIENCE: Duration = Duration::from_secs(60);
const TIMEOUT_MS: u64 = 500;
/// A key that processes share.
pub(super) const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A port below those that systems give to connections that go out: none of these takes it while its server is started again.
pub(super) fn free_port() -> u16 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let first = u64::from(std::process::id()) * 97;
    loop {
        let number = first + NEXT.fetch_add(1, Ordering::SeqCst);
        let port = u16::try_from(10_240 + number % 22_000).expect("a port");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A store of its own for one test. It is killed at the end.
pub(super) struct Redis {
    child: Child,
    port: u16,
    options: Vec<String>,
    pub(super) folder: PathBuf,
}

impl Redis {
    pub(super) fn start(options: &[&str]) -> Redis {
        let port = free_port();
        let folder = std::env::temp_dir().join(format!("libmcp-store-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let child = Redis::child(port, &options, &folder);
        Redis { child, port, options, folder }
    }

    fn child(port: u16, options: &[String], folder: &Path) -> Child {
        let program = std::env::var("MCP_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
        let mut command = Command::new(&program);
        command.args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command.args(options).arg("--dir").arg(folder).stdout(Stdio::null());
        command.spawn().unwrap_or_else(|error| panic!("{program}: {error}; apt-get install redis-server"))
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// A connection of the test's own, as soon as there is one.
    fn admin(url: &str) -> Connection {
        let address = StoreAddress::parse(url).expect("a URL");
        let end = Instant::now() + PATIENCE;
        loop {
            let resolved = address.resolve().expect("an address");
            match Connection::open(&address, &resolved, Instant::now() + PATIENCE) {
                Ok(connection) => return connection,
                Err(why) => assert!(Instant::now() < end, "{why}"),
            }
            std::thread::yield_now();
        }
    }

    fn ask(&self, command: &[&str]) -> Reply {
        let reply = Redis::admin(&self.url()).ask(command, Instant::now() + PATIENCE).expect("a reply");
        assert!(!matches!(reply, Reply::Refused(_)), "{reply:?}");
        reply
    }

    /// Waits until so many processes watch a channel of the space `tests`.
    pub(super) fn has_watchers(&self, channel: &str, count: usize) {
        let channel = format!("mcp1:{{tests}}:{channel}");
        let end = Instant::now() + PATIENCE;
        let is_there = |reply: Reply| matches!(reply, Reply::List(parts) if matches!(parts.last(), Some(Reply::Number(it)) if usize::try_from(*it) == Ok(count)));
        while !is_there(self.ask(&["PUBSUB", "NUMSUB", &channel])) {
            assert!(Instant::now() < end, "{count} processes never watch {channel}");
            std::thread::yield_now();
        }
    }

    /// How often scripts ran, and how many commands there were.
    fn counted(&self) -> (u64, u64) {
        let Reply::Text(info) = self.ask(&["INFO", "all"]) else { panic!("no INFO") };
        let number = |line: &str, behind: &str| -> u64 {
            let rest = line.split_once(behind).map_or("", |(_, rest)| rest);
            rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
        };
        let line = |start: &str| info.lines().find(|line| line.starts_with(start)).unwrap_or_default();
        (number(line("cmdstat_eval:"), "calls="), number(line("total_commands_processed:"), ":"))
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is there");
    }

    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.child.wait().expect("it ends");
    }

    pub(super) fn restart(&mut self) {
        self.child = Redis::child(self.port, &self.options, &self.folder);
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It may be over already.
        let _was_there = self.child.kill();
        let _is_over = self.child.wait();
        let _is_gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// A process of a server whose tool `act` asks first, and then counts that it ran.
struct Process {
    server: Server,
    runs: Arc<AtomicUsize>,
}

impl Process {
    fn new(store: &Value) -> Process {
        let mut keys = json!({ "space": "tests", "timeout_ms": TIMEOUT_MS });
        keys.as_object_mut().expect("an object").extend(store.as_object().cloned().unwrap_or_default());
        let config = json!({ "name": "s", "workers": 2, "store": keys, "request_state": { "keys": [KEY] } });
        let server = Server::new(&config.to_string(), None).expect("a server");
        let runs = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&runs);
        let act = move |message: Message| {
            let (request, by) = message.request().expect("a request");
            if by.state(request).is_some() {
                count.fetch_add(1, Ordering::SeqCst);
                drop(by.respond(request, Outcome::Text("done")));
                return;
            }
            assert!(by.set_state(request, "\"kept\""));
            let form = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;
            let asked: Option<Answer> = by.ask(request, "k", "elicitation/create", form).expect("it may ask");
            assert!(asked.is_none());
        };
        let tell = |message: Message| {
            let (request, by) = message.request().expect("a request");
            drop(by.respond(request, Outcome::Text("told")));
        };
        let add = |name: &str, handler| {
            let tool = format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
            server.add(Entry::Tool, &tool, handler).expect("a tool");
        };
        add("act", Handler::function(Arc::new(act)));
        add("tell", Handler::function(Arc::new(tell)));
        server.serve(r#"{"url":"https://m.example/mcp","listen":false}"#).expect("served");
        Process { server, runs }
    }

    /// The status and the answer.
    fn call(&self, tool: &str, state: Option<&str>) -> (u16, Value) {
        let mut params = json!({ "name": tool, "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } } });
        if let Some(state) = state {
            params["requestState"] = state.into();
            params["inputResponses"] = json!({ "k": { "action": "decline" } });
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
        let headers = [
            ("host", "m.example"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts = RequestParts { method: b"POST", target: b"/mcp", headers: &headers };
        let exchange = self.server.http(&parts, body.as_bytes(), None).expect("taken");
        let end = Some(Instant::now() + PATIENCE);
        let status = exchange.head(end).unwrap_or_else(|_| panic!("no answer")).status;
        let mut text = Vec::new();
        while let Ok(Some(bytes)) = exchange.read(64 << 10, end) {
            text.extend_from_slice(&bytes);
        }
        exchange.free();
        (
            status,
            serde_json::from_slice(&text).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&text))),
        )
    }

    /// A state, as soon as the store is there.
    fn state(&self) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let (_, answer) = self.call("act", None);
            if let Some(state) = answer["result"]["requestState"].as_str() {
                return state.to_owned();
            }
            assert!(Instant::now() < end, "{answer}");
            std::thread::yield_now();
        }
    }

    /// What becomes of a state: 0 if it was used, else the code of the error.
    fn used(&self, state: &str) -> i64 {
        let (status, answer) = self.call("act", Some(state));
        let code = answer["error"]["code"].as_i64().unwrap_or(0);
        assert_eq!(status == 503, code == -32010, "{answer}");
        assert!(code != -32010 || answer["error"]["data"]["limit"] == "store", "{answer}");
        code
    }

    /// A state that was made now is used, as soon as the store is there.
    fn goes_on(&self) {
        let end = Instant::now() + PATIENCE;
        while self.used(&self.state()) != 0 {
            assert!(Instant::now() < end, "the store is there again, and nothing is used");
        }
    }

    fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }
}

fn two(redis: &Redis) -> [Process; 2] {
    [(); 2].map(|()| Process::new(&json!({ "url": redis.url() })))
}

const REFUSED: i64 = -32602;
const AWAY: i64 = -32010;
const UNKNOWN: i64 = -32603;

#[test]
fn a_state_is_good_once_for_all_processes_and_leaves_no_key_without_a_life() {
    let redis = Redis::start(&[]);
    let [first, second] = two(&redis);
    let state = first.state();
    second.goes_on();
    assert_eq!((second.used(&state), second.used(&state), first.used(&state)), (0, REFUSED, REFUSED));
    let state = second.state();
    drop(second);
    assert_eq!((first.used(&state), first.used(&state)), (0, REFUSED), "also when its process is gone");
    let Reply::List(keys) = redis.ask(&["KEYS", "*"]) else { panic!("no keys") };
    assert!(keys.len() >= 4, "{keys:?}");
    for key in keys {
        let Reply::Text(key) = key else { panic!("{key:?}") };
        assert!(key.starts_with("mcp1:{tests}:"), "{key}");
        assert!(matches!(redis.ask(&["TTL", &key]), Reply::Number(life) if life > 0), "{key} has no life");
    }
}

#[test]
fn requests_that_come_at_once_use_a_state_once() {
    let redis = Redis::start(&[]);
    // On a machine that is busy the answer to one of many may be late.
    let store = json!({ "url": redis.url(), "timeout_ms": 30_000 });
    let both = [(); 2].map(|()| Process::new(&store));
    both.iter().for_each(Process::goes_on);
    let before: usize = both.iter().map(Process::runs).sum();
    let states: Vec<String> = (0..20).map(|_| both[0].state()).collect();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (both, states) = (&both, &states);
            scope.spawn(move || {
                for state in states {
                    let said = both[number % 2].used(state);
                    assert!(said == 0 || said == REFUSED, "{said}");
                }
            });
        }
    });
    assert_eq!(both.iter().map(Process::runs).sum::<usize>() - before, states.len());
}

#[test]
fn a_call_without_a_state_asks_the_store_nothing_and_one_with_a_state_asks_once() {
    let redis = Redis::start(&[]);
    let [first, _] = two(&redis);
    first.goes_on();
    let states: Vec<String> = (0..10).map(|_| first.state()).collect();
    let (evals, _) = redis.counted();
    for _ in 0..100 {
        assert_eq!(first.call("tell", None).0, 200);
    }
    assert!(!first.state().is_empty(), "a question asks nothing either");
    let (after, _) = redis.counted();
    // Each of both looks once in 5 seconds whether the store is the same.
    assert!(after - evals <= 4, "{evals} {after}");
    for state in &states {
        assert_eq!(first.used(state), 0);
    }
    let (used, _) = redis.counted();
    assert!((10..=14).contains(&(used - after)), "{after} {used}");
}

#[test]
fn while_the_store_is_away_states_are_refused_and_everything_else_is_served() {
    let mut redis = Redis::start(&[]);
    let [first, second] = two(&redis);
    let state = first.state();
    second.goes_on();
    redis.kill();
    let runs = first.runs();
    let end = Instant::now() + PATIENCE;
    let asked = Instant::now();
    let said = first.used(&state);
    assert!(said == AWAY || said == UNKNOWN, "{said}");
    assert!(asked.elapsed() < Duration::from_millis(4 * TIMEOUT_MS), "{:?}", asked.elapsed());
    assert_eq!(first.used(&state), AWAY, "it is known by now");
    assert_eq!(first.call("tell", None).0, 200);
    redis.restart();
    // It has forgotten what was used: nothing that was made before is good.
    first.goes_on();
    second.goes_on();
    assert_eq!((first.used(&state), second.used(&state)), (REFUSED, REFUSED));
    assert!(first.runs() > runs && Instant::now() < end);
}

#[test]
fn a_store_that_was_emptied_refuses_what_was_made_before() {
    let redis = Redis::start(&[]);
    let [first, second] = two(&redis);
    let (state, used) = (first.state(), second.state());
    assert_eq!(first.used(&used), 0);
    redis.ask(&["FLUSHALL"]);
    for (process, state) in [(&first, &used), (&second, &used), (&first, &state), (&second, &state)] {
        let said = process.used(state);
        assert!(said == REFUSED || said == AWAY, "{said}");
    }
    first.goes_on();
    second.goes_on();
    assert_eq!((first.used(&used), second.used(&state)), (REFUSED, REFUSED));
}

#[test]
fn a_store_that_stands_still_costs_the_request_and_no_more_than_its_time() {
    let redis = Redis::start(&[]);
    let [first, second] = two(&redis);
    let state = first.state();
    second.goes_on();
    let runs = first.runs() + second.runs();
    redis.signal(Signal::STOP);
    let asked = Instant::now();
    let said = first.used(&state);
    let took = asked.elapsed();
    redis.signal(Signal::CONT);
    assert_eq!(said, UNKNOWN);
    let time = Duration::from_millis(TIMEOUT_MS);
    assert!((time / 2..time * 8).contains(&took), "{took:?}");
    first.goes_on();
    // Its use may have been noted: then it is lost, and never good twice.
    let again = [first.used(&state), second.used(&state)];
    assert!(again.iter().filter(|said| **said == 0).count() <= 1, "{again:?}");
    assert!(first.runs() + second.runs() > runs);
}

#[test]
fn a_full_store_refuses_states_until_there_is_room() {
    let redis = Redis::start(&[]);
    let [first, second] = two(&redis);
    second.goes_on();
    let state = first.state();
    redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    assert_eq!(first.used(&state), AWAY);
    redis.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    first.goes_on();
    assert_eq!((second.used(&state), first.used(&state)), (0, REFUSED), "nothing was noted");
}

/// What a store says of itself.
struct Ears(std::sync::mpsc::Sender<Result<String, String>>);

impl StoreUser for Ears {
    fn stored(&self, purpose: Purpose, _: StoreOutcome) {
        panic!("nothing was asked: {purpose:?}");
    }

    fn event(&self, channel: &str, _: Option<&[u8]>) {
        panic!("nothing is watched: {channel}");
    }

    fn ready(&self, is: Result<&str, &str>) {
        // The test may have heard enough.
        let _is_heard = self.0.send(is.map(str::to_owned).map_err(str::to_owned));
    }
}

/// One process's use of a store, an operation at a time.
struct Uses {
    port: Arc<Port>,
    ends: std::sync::mpsc::Receiver<StoreOutcome>,
    events: std::sync::mpsc::Receiver<Option<Vec<u8>>>,
    ready: std::sync::mpsc::Receiver<Result<String, String>>,
}

struct Hears {
    ends: std::sync::mpsc::Sender<StoreOutcome>,
    events: std::sync::mpsc::Sender<Option<Vec<u8>>>,
    ready: std::sync::mpsc::Sender<Result<String, String>>,
}

impl StoreUser for Hears {
    fn stored(&self, _: Purpose, outcome: StoreOutcome) {
        // The test may have ended.
        let _is_heard = self.ends.send(outcome);
    }

    fn event(&self, _: &str, data: Option<&[u8]>) {
        let _is_heard = self.events.send(data.map(<[u8]>::to_vec));
    }

    fn ready(&self, is: Result<&str, &str>) {
        let _is_heard = self.ready.send(is.map(str::to_owned).map_err(str::to_owned));
    }
}

impl Uses {
    fn of(redis: &Redis, space: &str) -> Uses {
        Uses::at(&redis.url(), space)
    }

    fn at(url: &str, space: &str) -> Uses {
        let (end, ends) = std::sync::mpsc::channel();
        let (event, events) = std::sync::mpsc::channel();
        let (is, ready) = std::sync::mpsc::channel();
        let port = RedisStore::open(StoreAddress::parse(url).expect("a URL"));
        let ring = KeyRing::new(vec![[1; 32]], Box::new(|bytes| SystemRandom::new().fill(bytes).is_ok()));
        let user = Box::new(Hears { ends: end, events: event, ready: is });
        let prefix = format!("mcp1:{{{space}}}:");
        let bound = Bound { user, prefix, ring: ring.expect("a ring"), timeout: PATIENCE };
        port.bind(bound).and_then(|()| port.begin_use()).expect("bound");
        let uses = Uses { port, ends, events, ready };
        uses.is_ready();
        uses
    }

    /// What the store is, as soon as it can be asked.
    fn is_ready(&self) -> String {
        loop {
            if let Ok(generation) = self.ready.recv_timeout(PATIENCE).expect("it is told") {
                return generation;
            }
        }
    }

    fn ask(&self, operation: Operation) -> StoreOutcome {
        self.port.start([(Purpose::Asked(Ticket(1)), operation)]);
        self.ends.recv_timeout(PATIENCE).expect("an end")
    }

    fn get(&self, key: &str) -> StoreOutcome {
        self.ask(Operation::Get { key: key.into() })
    }

    fn put(&self, key: &str, value: Option<&str>, expected: Expected, life: Duration) -> StoreOutcome {
        let value = value.map(|value| value.as_bytes().to_vec());
        self.ask(Operation::Put { key: key.into(), value, expected, life })
    }

    fn append(&self, entry: &str, place: u64, life: Duration) -> StoreOutcome {
        let entry = entry.as_bytes().to_vec();
        self.ask(Operation::Append { stream: "s".into(), entry, place, most: 5, life })
    }

    fn read(&self, after: u64, most: u32, bytes: usize) -> StoreOutcome {
        self.ask(Operation::Read { stream: "s".into(), after, most, bytes })
    }

    fn publish(&self, data: &str) {
        let data = data.as_bytes().to_vec();
        let outcome = self.ask(Operation::Publish { channel: "c".into(), data });
        assert_eq!(outcome.status, StoreStatus::Done);
    }
}

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn a_value_is_put_if_what_is_expected_is_there_and_versions_never_come_again() {
    let redis = Redis::start(&[]);
    let (store, other) = (Uses::of(&redis, "a"), Uses::of(&redis, "b"));
    let (done, conflict, empty) = (StoreStatus::Done, StoreStatus::Conflict, StoreStatus::Empty);
    let mut last = 0;
    // What is put, what is expected of the version before, what becomes of it.
    let rows = [
        (Some("x"), Expected::Version(5), conflict),
        (Some("one"), Expected::Absent, done),
        (Some("x"), Expected::Absent, conflict),
        (Some("two"), Expected::Version(0), done),
        (Some("x"), Expected::Version(1), conflict),
        (Some("three"), Expected::Any, done),
        (None, Expected::Version(1), conflict),
        (None, Expected::Version(0), done),
        (None, Expected::Any, done),
        (Some("four"), Expected::Absent, done),
    ];
    for (value, expected, status) in rows {
        let version = match expected {
            Expected::Version(behind) if behind < 5 => Expected::Version(last - behind),
            other => other,
        };
        let outcome = store.put("k", value, version, HOUR);
        assert_eq!(outcome.status, status, "{value:?} {expected:?}");
        assert!(outcome.unix_ms > 1_600_000_000_000, "{outcome:?}");
        let found = store.get("k");
        match status {
            StoreStatus::Done if value.is_none() => assert_eq!(found.status, empty),
            StoreStatus::Done => {
                assert!(outcome.version > last && found.version == outcome.version, "{outcome:?} {found:?}");
                assert_eq!(found.value.as_deref(), value.map(str::as_bytes));
                last = outcome.version;
            }
            _ => assert_eq!((outcome.value, outcome.version), (found.value, found.version)),
        }
    }
    assert_eq!(other.get("k").status, empty, "another space is another store");
    assert_eq!(store.put("brief", Some("x"), Expected::Any, Duration::from_millis(1)).status, done);
    let end = Instant::now() + PATIENCE;
    while store.get("brief").status != empty {
        assert!(Instant::now() < end, "its life does not end");
    }
    let large = "l".repeat(STORE_VALUE_BYTES - 200);
    assert_eq!(store.put("large", Some(&large), Expected::Any, HOUR).status, done);
    assert_eq!(store.get("large").value.as_deref(), Some(large.as_bytes()));
}

#[test]
fn entries_have_places_and_only_the_newest_stay() {
    let redis = Redis::start(&[]);
    let store = Uses::of(&redis, "a");
    let (done, conflict) = (StoreStatus::Done, StoreStatus::Conflict);
    assert_eq!(store.read(0, 9, 999).status, StoreStatus::Empty);
    for (entry, place, status, version) in [
        ("x", 2, conflict, 0),
        ("one", 1, done, 1),
        ("two", 0, done, 2),
        ("x", 2, conflict, 2),
        ("x", 4, conflict, 2),
    ] {
        let outcome = store.append(entry, place, HOUR);
        assert_eq!((outcome.status, outcome.version), (status, version), "{entry} {place}");
        let last = (version == 2 && status == conflict).then_some(&b"two"[..]);
        assert_eq!(outcome.value.as_deref(), last);
    }
    for place in 3..=9 {
        assert_eq!(store.append("n", place, HOUR).status, done);
    }
    for (after, most, bytes, places) in
        [(0, 99, 9999, 5..10), (6, 99, 9999, 7..10), (0, 2, 9999, 5..7), (0, 99, 0, 5..6), (9, 9, 9999, 0..0)]
    {
        let outcome = store.read(after, most, bytes);
        let found: Vec<u64> = outcome.entries.iter().map(|(place, _)| *place).collect();
        assert_eq!((outcome.status, found), (done, places.collect::<Vec<u64>>()), "{after} {most} {bytes}");
    }
    assert_eq!(store.append("last", 10, Duration::from_millis(1)).status, done);
    let end = Instant::now() + PATIENCE;
    while store.read(0, 9, 999).status != StoreStatus::Empty {
        assert!(Instant::now() < end, "its life does not end");
    }
}

#[test]
fn messages_come_in_order_and_what_may_be_missed_is_told() {
    let mut redis = Redis::start(&[]);
    let (store, other) = (Uses::of(&redis, "a"), Uses::of(&redis, "a"));
    assert_eq!(store.ask(Operation::Watch { channel: "c".into() }).status, StoreStatus::Done);
    let hears = || store.events.recv_timeout(PATIENCE).expect("an event");
    assert_eq!(hears(), None, "the watch begins");
    for number in 0..20 {
        let from = if number % 2 == 0 { &store } else { &other };
        from.publish(&number.to_string());
        assert_eq!(hears(), Some(number.to_string().into_bytes()));
    }
    redis.kill();
    redis.restart();
    assert_eq!(hears(), None, "messages may have been missed");
    other.is_ready();
    other.publish("again");
    assert_eq!(hears(), Some(b"again".to_vec()));
    assert_eq!(store.ask(Operation::Unwatch { channel: "c".into() }).status, StoreStatus::Done);
}

#[test]
fn a_user_with_the_rights_of_the_guide_is_enough_and_the_doctor_misses_each_of_them() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide/deployment.md");
    let guide = std::fs::read_to_string(guide).expect("the guide").replace("weather", "tests");
    let (_, rest) = guide.split_once("user mcp on >PASSWORD ").expect("the rights");
    let (rights, _) = rest.split_once("```").expect("their end");
    let rights: Vec<&str> = rights.split_whitespace().collect();
    let redis = Redis::start(&[&["--user", "mcp", "on", ">PASSWORD"], &rights[..]].concat());
    let url = format!("redis://mcp:PASSWORD@127.0.0.1:{}", redis.port);
    drop(Redis::admin(&url));
    let process = Process::new(&json!({ "url": url, "timeout_ms": 30_000 }));
    process.goes_on();
    let state = process.state();
    assert_eq!((process.used(&state), process.used(&state)), (0, REFUSED));
    let uses = Uses::at(&url, "tests");
    let life = Duration::from_secs(60);
    let stream: Box<str> = "s".into();
    let append = Operation::Append { stream: stream.clone(), entry: b"e".to_vec(), place: 1, most: 1, life };
    let channel: Box<str> = "c".into();
    for operation in [
        Operation::Put { key: "k".into(), value: Some(b"v".to_vec()), expected: Expected::Absent, life },
        Operation::Get { key: "k".into() },
        Operation::Put { key: "k".into(), value: None, expected: Expected::Any, life },
        append,
        Operation::Read { stream, after: 0, most: 9, bytes: 99 },
        Operation::Watch { channel: channel.clone() },
    ] {
        let told = format!("{operation:?}");
        assert_eq!(uses.ask(operation).status, StoreStatus::Done, "{told}");
    }
    let hears = || uses.events.recv_timeout(PATIENCE).expect("an event");
    assert_eq!(hears(), None, "the watch begins");
    uses.publish("m");
    assert_eq!(hears(), Some(b"m".to_vec()));
    assert_eq!(uses.ask(Operation::Unwatch { channel }).status, StoreStatus::Done);
    drop((uses, process));

    let faults = || {
        let examined = examine_store(&url, None, "tests", PATIENCE).expect("a URL");
        examined.findings.into_iter().filter(|it| it.grade == StoreGrade::Fault).collect::<Vec<_>>()
    };
    assert_eq!(faults(), []);
    let commands: Vec<&str> = rights.iter().filter_map(|right| right.strip_prefix('+')).collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        redis.ask(&["ACL", "SETUSER", "mcp", &format!("-{command}")]);
        let found = faults();
        let is_told = found.iter().any(|it| it.fix.contains(&command.to_uppercase()));
        assert!(is_told, "without {command}: {found:?}");
        redis.ask(&["ACL", "SETUSER", "mcp", &format!("+{command}")]);
    }
    redis.ask(&["ACL", "SETUSER", "mcp", "resetchannels"]);
    assert!(!faults().is_empty(), "without channels");
    let Reply::List(left) = redis.ask(&["KEYS", "*doctor*"]) else { panic!("no keys") };
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_store_that_was_emptied_or_restarted_is_another_one() {
    let mut redis = Redis::start(&[]);
    let store = Uses::of(&redis, "a");
    redis.ask(&["FLUSHALL"]);
    assert_eq!(store.get("k").status, StoreStatus::Unavailable, "what it was is gone");
    let emptied = store.is_ready();
    redis.kill();
    redis.restart();
    let restarted = store.is_ready();
    assert!(restarted != emptied, "{restarted}");
}

#[test]
fn a_store_that_forgets_or_does_not_let_in_is_not_used_and_the_log_says_why() {
    let rows: [(&[&str], &str, &str); 3] = [
        (&["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"], "", "maxmemory-policy"),
        (&["--requirepass", "right"], "", "NOAUTH"),
        (&["--requirepass", "right"], ":wrong@", "WRONGPASS"),
    ];
    for (options, login, why) in rows {
        let redis = Redis::start(options);
        let own = if options.contains(&"right") { ":right@" } else { "" };
        let at = |login: &str| format!("redis://{login}127.0.0.1:{}", redis.port);
        drop(Redis::admin(&at(own)));
        let (told, heard) = std::sync::mpsc::channel();
        let address = StoreAddress::parse(&at(login)).expect("a URL");
        let store = RedisStore::open(address);
        let keys = KeyRing::new(vec![[1; 32]], Box::new(|_| true)).expect("a ring");
        let (user, prefix) = (Box::new(Ears(told)), "mcp1:{tests}:".to_owned());
        let timeout = Duration::from_millis(TIMEOUT_MS);
        let bound = Bound { user, prefix, ring: keys, timeout };
        store.bind(bound).and_then(|()| store.begin_use()).expect("bound");
        let text = heard.recv_timeout(PATIENCE).expect("a record").expect_err("it is used");
        assert!(text.contains(why) && !text.contains("wrong@") && !text.contains(":wrong"), "{text}");
        drop(store);
        if own.is_empty() {
            continue;
        }
        Process::new(&json!({ "url": at(own) })).goes_on();
    }
}

#[test]
fn a_store_with_tls_is_used_if_its_certificate_is_trusted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let certificate = root.join("src/server/test_certificate.pem").display().to_string();
    let key = root.join("crates/core/src/auth/test_keys/ec_pkcs8.pem").display().to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    drop(listener);
    let redis = Redis::start(&[
        "--tls-port",
        &port,
        "--tls-cert-file",
        &certificate,
        "--tls-key-file",
        &key,
        "--tls-auth-clients",
        "no",
        "--tls-ca-cert-file",
        &certificate,
        // The second one is not in the certificate.
        "--bind",
        "127.0.0.1",
        "127.0.0.2",
    ]);
    drop(Redis::admin(&redis.url()));
    let url = format!("rediss://localhost:{port}");
    Process::new(&json!({ "url": url, "ca_file": certificate })).goes_on();
    let (_, answer) = Process::new(&json!({ "url": url })).call("act", None);
    assert_eq!(answer["error"]["code"], UNKNOWN, "no state is made without a store: {answer}");
    let trusted = Some(Path::new(&certificate));
    for (login, host, ca_file, why) in [
        ("", "localhost", None, "certificate"),
        ("", "127.0.0.2", trusted, "certificate"),
        ("ann:s3cret@", "localhost", trusted, "WRONGPASS"),
    ] {
        let url = format!("rediss://{login}{host}:{port}");
        let examined = examine_store(&url, ca_file.map(Path::to_path_buf), "tests", PATIENCE).expect("a URL");
        let is_told = |it: &super::StoreFinding| {
            it.grade == StoreGrade::Fault && it.what.contains(why) && !it.fix.is_empty()
        };
        assert!(examined.findings.iter().any(is_told), "{host}: {:?}", examined.findings);
        assert!(!format!("{examined:?}").contains("s3cret"), "{host}: {examined:?}");
    }
}

#[test]
fn what_is_wrong_with_a_store_is_told_at_once() {
    let rows = [
        (json!({ "url": "redis://h" }), json!({}), "request_state.keys"),
        (json!({ "url": "http://h" }), json!({ "keys": [KEY] }), "store.url"),
        (json!({ "url": "redis://h", "space": "a{b}" }), json!({ "keys": [KEY] }), "store.space"),
        (json!({ "ca_file": "a" }), json!({}), "store.url"),
        (json!({ "timeout_ms": 1000, "lease_ms": 2999 }), json!({}), "store.lease_ms"),
        (json!({ "lease_ms": 3_600_001 }), json!({}), "store.lease_ms"),
    ];
    for (store, sealing, key) in rows {
        let config = json!({ "name": "s", "store": store, "request_state": sealing });
        let error = Server::new(&config.to_string(), None).expect_err("it is wrong");
        assert!(error.message.contains(key), "{}", error.message);
    }
}
