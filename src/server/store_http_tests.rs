//! What the processes of a server over HTTP share in a real store: proofs of possession, and sessions of the older revisions. `redis-server`
//! is started, killed and stopped here.

use super::store_tests::{KEY, PATIENCE, Redis};
use super::{Entry, Handler, Outcome, Server};
use crate::auth::server::Algorithm;
use crate::engine::server::Answer as Reply;
use crate::runtime::message::Message;
use crate::runtime::server::http::{HostedExchange, RequestParts};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcp_core::testing::signer::Signer;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const URL: &str = "https://m.example/mcp";

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    text: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A process of a server.
struct Process(Server, Mutex<Receiver<Message>>);

impl Process {
    fn new(redis: &Redis, more: &Value) -> Process {
        let mut config = json!({ "name": "s", "workers": 2, "request_state": { "keys": [KEY] },
            "store": { "url": redis.url(), "space": "tests", "timeout_ms": 500 } });
        config.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let server = Server::new(&config.to_string(), None).expect("a server");
        let tell = |message: Message| {
            let (request, by) = message.request().expect("a request");
            drop(by.respond(request, Outcome::Text("told")));
        };
        let tool = r#"{"name":"tell","inputSchema":{"type":"object"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(tell))).expect("a tool");
        let (call, calls) = channel();
        let call = Mutex::new(call);
        let work = move |message: Message| {
            let _is_taken = call.lock().expect("no test failed").send(message);
        };
        let tool =
            r#"{"name":"work","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(work))).expect("a tool");
        let ask = |message: Message| {
            let (request, by) = message.request().expect("a request");
            let form = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;
            if let Some(Reply::Result(said)) =
                by.ask(request, "k", "elicitation/create", form).expect("asked")
            {
                by.respond(request, Outcome::Text(&said)).expect("it is wanted");
            }
        };
        let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(ask))).expect("a tool");
        let resource = r#"{"name":"r","uri":"x://r"}"#;
        server.add(Entry::Resource, resource, Handler::function(Arc::new(drop))).expect("a resource");
        server.serve(&json!({ "url": URL, "listen": false }).to_string()).expect("served");
        Process(server, Mutex::new(calls))
    }

    fn begin(&self, method: &str, headers: &[(&str, &str)], body: &Value) -> Arc<HostedExchange> {
        let mut all = vec![("host", "m.example"), ("content-type", "application/json")];
        if !headers.iter().any(|(name, _)| *name == "accept") {
            all.push(("accept", if method == "GET" { "text/event-stream" } else { "application/json" }));
        }
        all.extend_from_slice(headers);
        let all: Vec<_> = all.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts = RequestParts { method: method.as_bytes(), target: b"/mcp", headers: &all };
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.0.http(&parts, body.as_bytes(), None).expect("taken")
    }

    fn ask(&self, method: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let exchange = self.begin(method, headers, body);
        let end = Some(Instant::now() + PATIENCE);
        let head = exchange.head(end).unwrap_or_else(|_| panic!("no answer"));
        let text = |value: &std::ffi::CString| value.to_string_lossy().into_owned();
        let headers = head.headers.iter().map(|(name, value)| (text(name), text(value))).collect();
        let mut bytes = Vec::new();
        while let Ok(Some(more)) = exchange.read(64 << 10, end) {
            bytes.extend_from_slice(&more);
        }
        exchange.free();
        Answer { status: head.status, headers, text: String::from_utf8(bytes).expect("text") }
    }
}

fn digest(of: &str) -> String {
    URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, of.as_bytes()))
}

/// A client whose token is bound to its key.
struct Client {
    key: Signer,
    token: String,
    made: AtomicU64,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs()
}

impl Client {
    fn new(issuer: &Signer) -> Client {
        let key = Signer::new(Algorithm::EdDsa);
        let x = key.jwk()["x"].as_str().expect("a key").to_owned();
        let thumbprint = digest(&format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#));
        let claims = json!({ "iss": "https://as.example", "aud": URL, "sub": "ann", "exp": now() + 3600,
            "cnf": { "jkt": thumbprint } });
        Client { key, token: issuer.sign(&json!({}), &claims), made: AtomicU64::new(0) }
    }

    fn proof(&self, nonce: Option<&str>) -> String {
        let number = self.made.fetch_add(1, Ordering::SeqCst);
        let mut claims = json!({ "jti": number.to_string(), "htm": "POST", "htu": URL, "iat": now(),
            "ath": digest(&self.token) });
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        self.key.sign(&json!({ "typ": "dpop+jwt", "jwk": self.key.jwk() }), &claims)
    }

    fn send(&self, to: &Process, proof: &str) -> Answer {
        let authorization = format!("DPoP {}", self.token);
        let headers = [
            ("authorization", authorization.as_str()),
            ("dpop", proof),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "tell"),
        ];
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "tell", "arguments": {},
            "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {} } } });
        let answer = to.ask("POST", &headers, &body);
        assert_eq!(answer.status == 503, answer.header("retry-after").is_some(), "{}", answer.text);
        answer
    }

    /// The nonce of a process, as soon as its store is there.
    fn nonce(&self, of: &Process) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.send(of, &self.proof(None));
            if let Some(nonce) = answer.header("dpop-nonce") {
                assert_eq!(answer.status, 401);
                let challenge = answer.header("www-authenticate").expect("a challenge");
                assert!(challenge.contains("error=\"use_dpop_nonce\""), "{challenge}");
                return nonce.to_owned();
            }
            assert_eq!(answer.status, 503, "{}", answer.text);
            assert!(Instant::now() < end, "the store never comes");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_proof_is_good_once_for_all_processes_and_not_while_the_store_is_away() {
    let mut redis = Redis::start(&[]);
    let issuer = Signer::new(Algorithm::EdDsa);
    let auth = json!({ "auth": { "resource": URL, "authorization_servers": ["https://as.example"],
        "jwks": { "keys": [issuer.jwk()] }, "dpop": "required" } });
    let [first, second] = [(); 2].map(|()| Process::new(&redis, &auth));
    let client = Client::new(&issuer);
    let nonce = client.nonce(&first);
    client.nonce(&second);
    // A nonce of one process is good in all, and a proof with it once.
    let proof = client.proof(Some(&nonce));
    let says = |to: &Process, proof: &str| {
        let answer = client.send(to, proof);
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        let error = challenge.split('"').nth(1).unwrap_or_default().to_owned();
        (answer.status, error)
    };
    assert_eq!(says(&second, &proof), (200, String::new()));
    for process in [&first, &second] {
        assert_eq!(says(process, &proof), (401, "invalid_dpop_proof".to_owned()));
    }
    assert_eq!(says(&first, &client.proof(Some("made up"))).1, "use_dpop_nonce");
    // At once at both.
    for _ in 0..10 {
        let proof = client.proof(Some(&nonce));
        let good = std::thread::scope(|scope| {
            let all = [&first, &second, &first].map(|to| scope.spawn(|| client.send(to, &proof).status));
            all.into_iter().filter_map(|one| one.join().ok()).filter(|status| *status == 200).count()
        });
        assert_eq!(good, 1);
    }
    let unused = client.proof(Some(&nonce));
    redis.kill();
    let end = Instant::now() + PATIENCE;
    for process in [&first, &second, &first] {
        let (status, error) = says(process, &unused);
        assert_eq!((status, error.as_str()), (503, ""), "never 401 because the store is away");
    }
    redis.restart();
    // It has forgotten what was used: nothing that was made before is good, and what is made now is.
    let newer = client.nonce(&first);
    client.nonce(&second);
    for old in [&proof, &unused] {
        for process in [&first, &second] {
            assert_eq!(says(process, old), (401, "use_dpop_nonce".to_owned()));
        }
    }
    assert_eq!(says(&second, &client.proof(Some(&newer))).0, 200);
    assert!(Instant::now() < end);
}

/// The SHA-256 of `secret-of-ann` and of `secret-of-bob`.
const ANN: &str = "70b418541da77d413246ec0d700eebb8b23852493cfaa4ab4f39009cd68360f0";
const BOB: &str = "f6dbcfeb957b327b63c0705f1348f75715f09f5020903b696c43e66a53d0f189";

/// A process whose sessions belong to ann, or to bob.
fn site(redis: &Redis) -> Process {
    let tokens = json!([{ "sha256": ANN, "principal": "ann" }, { "sha256": BOB, "principal": "bob" }]);
    let store = json!({ "url": redis.url(), "space": "tests", "timeout_ms": 500, "session_check_ms": 500 });
    Process::new(redis, &json!({ "auth": { "resource": URL, "tokens": tokens }, "store": store }))
}

/// A client with a session.
#[derive(Clone)]
struct Guest {
    token: String,
    session: String,
}

impl Guest {
    fn post(&self, to: &Process, method: &str, params: &Value) -> Answer {
        let mut body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if !method.starts_with("notifications/") {
            body["id"] = 1.into();
        }
        self.send(to, "POST", &body)
    }

    fn send(&self, to: &Process, method: &str, body: &Value) -> Answer {
        let answer = to.ask(method, &self.headers(), body);
        assert_eq!(answer.status == 503, answer.header("retry-after").is_some(), "{}", answer.text);
        answer
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![("authorization", self.token.as_str())];
        if !self.session.is_empty() {
            headers.push(("mcp-session-id", &self.session));
        }
        headers
    }

    /// What a request about a task came to.
    fn task(&self, to: &Process, method: &str, task: &Value) -> Value {
        let answer = self.post(to, method, &json!({ "taskId": task }));
        serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{}: {}", answer.status, answer.text))
    }

    fn call(&self, to: &Process) -> u16 {
        let answer = self.post(to, "tools/call", &json!({ "name": "tell", "arguments": {} }));
        assert_eq!(answer.status == 200, answer.text.contains("told"), "{}", answer.text);
        answer.status
    }

    fn initialize(to: &Process) -> Answer {
        let guest = Guest { token: "Bearer secret-of-ann".to_owned(), session: String::new() };
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "c", "version": "1" } });
        guest.post(to, "initialize", &params)
    }

    /// Begins a session at one process, as soon as its store is there, and goes on at another one.
    fn open(first: &Process, second: &Process) -> Guest {
        let end = Instant::now() + PATIENCE;
        let session = loop {
            let answer = Guest::initialize(first);
            if let Some(session) = answer.header("mcp-session-id") {
                break session.to_owned();
            }
            assert!(answer.status == 503 && Instant::now() < end, "{}", answer.text);
            std::thread::yield_now();
        };
        let guest = Guest { token: "Bearer secret-of-ann".to_owned(), session };
        guest.until(202, |guest| guest.post(second, "notifications/initialized", &json!({})).status);
        guest
    }

    /// What comes to `status` in the end, and is 503 before because a store is not there yet.
    fn until(&self, status: u16, once: impl Fn(&Guest) -> u16) {
        let end = Instant::now() + PATIENCE;
        loop {
            let now = once(self);
            if now == status {
                return;
            }
            assert!(now == 503 && Instant::now() < end, "{now}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_session_is_one_for_all_processes_until_its_client_ends_it() {
    let redis = Redis::start(&[]);
    let [first, second, third] = [(); 3].map(|()| site(&redis));
    let guest = Guest::open(&first, &second);
    guest.until(200, |guest| guest.call(&third));
    let bob = Guest { token: "Bearer secret-of-bob".to_owned(), ..guest.clone() };
    for process in [&first, &second, &third] {
        assert_eq!((guest.call(process), bob.call(process)), (200, 404));
    }
    // What it does at one is so at all: its messages come where it listens.
    assert_eq!(guest.post(&second, "resources/subscribe", &json!({ "uri": "x://r" })).status, 200);
    let listening = third.begin("GET", &guest.headers(), &Value::Null);
    let end = Some(Instant::now() + PATIENCE);
    assert_eq!(listening.head(end).unwrap_or_else(|_| panic!("no answer")).status, 200);
    let mut told = String::new();
    let mut hears = |times: usize| {
        while told.matches("notifications/resources/updated").count() < times {
            match listening.read(64 << 10, end) {
                Ok(Some(bytes)) => told.push_str(&String::from_utf8_lossy(&bytes)),
                _ => panic!("the stream ended: {told}"),
            }
        }
    };
    // What may have been missed elsewhere is told once, then what changes.
    hears(1);
    third.0.resource_updated("x://r");
    hears(2);
    listening.free();
    // A new process in the place of an old one.
    drop(first);
    let newer = site(&redis);
    guest.until(200, |guest| guest.call(&newer));
    assert_eq!(guest.send(&newer, "DELETE", &Value::Null).status, 204);
    for process in [&newer, &second, &third] {
        let until = Instant::now() + PATIENCE;
        while guest.call(process) != 404 {
            assert!(Instant::now() < until, "it goes on");
        }
    }
}

#[test]
fn a_task_of_a_session_is_read_listed_cancelled_and_waited_for_at_another_process() {
    let redis = Redis::start(&[]);
    let [first, second] = [(); 2].map(|()| site(&redis));
    let guest = Guest::open(&first, &second);
    let begin = || {
        let params = json!({ "name": "work", "arguments": {}, "task": { "ttl": 60_000 } });
        let answer = guest.post(&first, "tools/call", &params);
        let begun: Value = serde_json::from_str(&answer.text).expect("JSON");
        let calls = first.1.lock().expect("no test failed");
        let message = calls.recv_timeout(PATIENCE).expect("a handler runs");
        (begun["result"]["task"]["taskId"].clone(), message)
    };
    let (task, message) = begin();
    assert_eq!(guest.task(&second, "tasks/get", &task)["result"]["status"], "working");
    let listed = guest.task(&second, "tasks/list", &Value::Null);
    assert_eq!(listed["result"]["tasks"][0]["taskId"], task, "{listed}");
    let wanted = json!({ "jsonrpc": "2.0", "id": 7, "method": "tasks/result", "params": { "taskId": task } });
    let waits = second.begin("POST", &guest.headers(), &wanted);
    // Another one has it neither by its name nor in its list.
    let other = Guest::open(&second, &first);
    assert_eq!(other.task(&first, "tasks/get", &task)["error"]["code"], -32602);
    assert_eq!(other.task(&first, "tasks/list", &Value::Null)["result"]["tasks"], json!([]));
    let (request, by) = message.request().expect("a request");
    by.respond(request, Outcome::Text("done")).expect("it is wanted");
    let end = Some(Instant::now() + PATIENCE);
    let mut text = String::new();
    while let Ok(Some(bytes)) = waits.read(64 << 10, end) {
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
    waits.free();
    assert!(text.contains("done") && text.contains("related-task"), "{text}");
    let (task, message) = begin();
    let cancelled = guest.task(&second, "tasks/cancel", &task);
    assert_eq!(cancelled["result"]["status"], "cancelled", "{cancelled}");
    let (request, by) = message.request().expect("a request");
    let until = Instant::now() + PATIENCE;
    while by.is_under_way(request) {
        assert!(Instant::now() < until, "its handler is not told");
        std::thread::yield_now();
    }
}

#[test]
fn an_answer_and_a_cancellation_reach_the_process_that_works_through_another_one() {
    let redis = Redis::start(&[]);
    let [first, second] = [(); 2].map(|()| site(&redis));
    let guest = Guest::open(&first, &second);
    let bob = Guest { token: "Bearer secret-of-bob".to_owned(), ..guest.clone() };
    let mut headers = guest.headers();
    headers.push(("accept", "application/json, text/event-stream"));
    let call = |id: u64, name: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": {} } });
    let end = Some(Instant::now() + PATIENCE);
    let calling = first.begin("POST", &headers, &call(5, "ask"));
    assert_eq!(calling.head(end).unwrap_or_else(|_| panic!("no answer")).status, 200);
    let heard = hears(&calling, "elicitation/create");
    let events = heard.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut questions = events.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok());
    let id =
        questions.find_map(|it| it.get("method").is_some().then(|| it["id"].clone())).expect("a question");
    let reply =
        json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "accept", "content": { "of": "ann" } } });
    assert_eq!(bob.send(&second, "POST", &reply).status, 404);
    guest.until(202, |guest| guest.send(&second, "POST", &reply).status);
    hears(&calling, "of\\\":\\\"ann");
    calling.free();
    let working = first.begin("POST", &headers, &call(6, "work"));
    let message = first.1.lock().expect("no test failed").recv_timeout(PATIENCE).expect("a handler runs");
    let cancelled = guest.post(&second, "notifications/cancelled", &json!({ "requestId": 6 }));
    assert_eq!(cancelled.status, 202, "{}", cancelled.text);
    let (request, by) = message.request().expect("a request");
    let until = Instant::now() + PATIENCE;
    while by.is_under_way(request) {
        assert!(Instant::now() < until, "its handler is not told");
        std::thread::yield_now();
    }
    working.free();
    // What no process asked fills no store.
    let stray = json!({ "jsonrpc": "2.0", "id": 1, "result": { "of": "x".repeat(500_000) } });
    let refused = (0..20).map(|_| guest.send(&second, "POST", &stray)).find(|answer| answer.status != 202);
    let refused = refused.expect("it has a bound");
    assert_eq!(refused.status, 503);
    assert!(refused.text.contains("limits.session_event_bytes"), "{}", refused.text);
    let large = json!({ "jsonrpc": "2.0", "id": 1, "result": { "of": "x".repeat(900_000) } });
    let other = Guest::open(&first, &second);
    assert_eq!(other.send(&second, "POST", &large).status, 413);
}

/// Reads a stream until it has said something, and gives all that it said.
fn hears(exchange: &HostedExchange, what: &str) -> String {
    let (end, mut text) = (Some(Instant::now() + PATIENCE), String::new());
    while !text.contains(what) {
        match exchange.read(64 << 10, end) {
            Ok(Some(bytes)) => text.push_str(&String::from_utf8_lossy(&bytes)),
            _ => panic!("the stream ended without {what}: {text}"),
        }
    }
    text
}

#[test]
fn events_in_a_store_that_writes_each_to_its_disk_are_there_after_it_was_killed() {
    let mut redis = Redis::start(&["--appendonly", "yes", "--appendfsync", "always"]);
    let [first, second] = [(); 2].map(|()| site(&redis));
    let guest = Guest::open(&first, &second);
    let headers = [guest.headers(), vec![("accept", "application/json, text/event-stream")]].concat();
    let call = json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call",
        "params": { "name": "work", "arguments": {}, "_meta": { "progressToken": 6 } } });
    let own = first.begin("POST", &headers, &call);
    let head = own.head(Some(Instant::now() + PATIENCE)).unwrap_or_else(|_| panic!("no answer"));
    assert_eq!(head.status, 200);
    let message = first.1.lock().expect("no test failed").recv_timeout(PATIENCE).expect("a handler runs");
    let (request, by) = message.request().expect("a request");
    assert!(by.progress(request, 1.0, None, Some("before")));
    let heard = hears(&own, "before");
    let id = heard.lines().find_map(|line| line.strip_prefix("id:")).expect("an id").trim().to_owned();
    let resumes = [guest.headers(), vec![("last-event-id", id.as_str())]].concat();
    let resumed = || loop {
        let exchange = second.begin("GET", &resumes, &Value::Null);
        let status =
            exchange.head(Some(Instant::now() + PATIENCE)).unwrap_or_else(|_| panic!("no answer")).status;
        if status == 200 {
            return exchange;
        }
        assert_eq!(status, 503, "the store is not there yet");
        exchange.free();
        std::thread::yield_now();
    };
    // It is in the store: another process has it.
    let elsewhere = resumed();
    hears(&elsewhere, "before");
    elsewhere.free();
    redis.kill();
    own.free();
    redis.restart();
    let elsewhere = resumed();
    hears(&elsewhere, "before");
    // What follows is written behind it.
    assert!(by.progress(request, 2.0, None, Some("after")));
    by.respond(request, Outcome::Text("done")).expect("it is wanted");
    let heard = hears(&elsewhere, "done");
    assert!(heard.contains("after"), "{heard}");
    elsewhere.free();
}

#[test]
fn while_the_store_is_away_known_sessions_are_served_and_no_client_is_told_that_its_session_is_unknown() {
    let mut redis = Redis::start(&[]);
    let [first, second, third] = [(); 3].map(|()| site(&redis));
    let guest = Guest::open(&first, &second);
    Guest::open(&third, &third);
    // It stands still: each request waits for its time at most.
    redis.signal(Signal::STOP);
    assert_eq!((guest.call(&first), guest.call(&second), guest.call(&third)), (200, 200, 503));
    redis.signal(Signal::CONT);
    guest.until(200, |guest| guest.call(&third));
    redis.kill();
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        assert_eq!((guest.call(&first), guest.call(&second), guest.call(&third)), (200, 200, 200));
        assert_eq!(Guest::initialize(&first).status, 503);
        let other = Guest { session: "A".repeat(24), ..guest.clone() };
        assert_eq!((other.call(&first), guest.send(&second, "DELETE", &Value::Null).status), (503, 503));
    }
}
