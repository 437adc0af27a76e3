//! Tasks and changes that servers share in a real store: `redis-server` is started, killed and stopped here. Each server is a process of its own
//! for the store. `store_chaos_tests.rs` kills real ones, `tests/store` does so with the stores in C.

use super::store_tests::{KEY, PATIENCE, Redis};
use super::{Entry, Handler, Outcome, Server};
use crate::engine::server::TaskOptions;
use crate::runtime::message::Message;
use crate::runtime::server::http::RequestParts;
use crate::server::http::HostedExchange;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const QUESTION: &str = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;
const AWAY: i64 = -32010;

/// A server with a tool `work`, whose calls come to the test.
struct Process {
    server: Server,
    calls: Receiver<Message>,
}

impl Process {
    fn new(redis: &Redis, lease_ms: u64) -> Process {
        let config = json!({
            "name": "s", "workers": 2, "request_state": { "keys": [KEY] },
            "store": { "url": redis.url(), "space": "tests", "timeout_ms": lease_ms / 3, "lease_ms": lease_ms },
        });
        let server = Server::new(&config.to_string(), None).expect("a server");
        let (call, calls) = channel();
        let call = Mutex::new(call);
        let work = move |message: Message| {
            // The test may have seen enough.
            let _is_taken = call.lock().expect("no test failed").send(message);
        };
        let tool =
            r#"{"name":"work","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(work))).expect("a tool");
        for uri in ["x://p", "x://q", "x://r", "x://z"] {
            let resource = json!({ "name": uri, "uri": uri }).to_string();
            server.add_fixed(&resource, Some("text"), b"").expect("a resource");
        }
        server.serve(r#"{"url":"https://m.example/mcp","listen":false}"#).expect("served");
        Process { server, calls }
    }

    fn send(&self, method: &str, params: &Value) -> Arc<HostedExchange> {
        let mut params = params.clone();
        params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":
                { "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } } });
        let name = params["name"].as_str().or(params["taskId"].as_str()).unwrap_or_default().to_owned();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut headers = vec![
            ("host", "m.example"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        headers.extend((!name.is_empty()).then_some(("mcp-name", name.as_str())));
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts = RequestParts { method: b"POST", target: b"/mcp", headers: &headers };
        self.server.http(&parts, body.as_bytes(), None).expect("taken")
    }

    fn ask(&self, method: &str, params: &Value) -> Value {
        let answer = ended(&self.send(method, params));
        let code = answer["error"]["code"].as_i64().unwrap_or(AWAY);
        assert!(code == AWAY || code == -32603, "a store that is away is no other error: {answer}");
        answer
    }

    /// The handler of a call that was sent.
    fn call(&self) -> Message {
        self.calls.recv_timeout(PATIENCE).expect("a handler runs")
    }

    /// Begins a task, as soon as the store is there. Gives its name.
    fn begin(&self) -> (String, Message) {
        let end = Instant::now() + PATIENCE;
        loop {
            let exchange = self.send("tools/call", &json!({ "name": "work", "arguments": {} }));
            let message = self.call();
            let (request, by) = message.request().expect("a request");
            let started = by.start_task(request, TaskOptions::default());
            if started.is_err() {
                drop(message);
                let answer = ended(&exchange);
                assert!(Instant::now() < end, "no task begins: {started:?} {answer}");
                std::thread::yield_now();
                continue;
            }
            let answer = ended(&exchange);
            match answer["result"]["taskId"].as_str() {
                Some(task) => return (task.to_owned(), message),
                // The store was lost behind its start.
                None => assert!(answer["error"]["code"] == AWAY && Instant::now() < end, "{answer}"),
            }
        }
    }

    fn get(&self, task: &str) -> Value {
        self.ask("tasks/get", &json!({ "taskId": task }))
    }

    /// Waits until a task is so, for this process.
    fn until(&self, task: &str, status: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.get(task);
            if answer["result"]["status"] == status {
                return answer;
            }
            assert!(Instant::now() < end, "it is never {status}: {answer}");
            std::thread::yield_now();
        }
    }

    /// A client that listens. It has been told that it does.
    fn listen(&self, filter: &Value) -> Listener {
        let exchange = self.send("subscriptions/listen", &json!({ "notifications": filter }));
        let mut listener = Listener { exchange, text: String::new() };
        assert_eq!(listener.hear()["method"], "notifications/subscriptions/acknowledged");
        listener
    }
}

/// The answer of a request that ends.
fn ended(exchange: &HostedExchange) -> Value {
    let end = Some(Instant::now() + PATIENCE);
    let status = exchange.head(end).unwrap_or_else(|_| panic!("no answer")).status;
    let mut bytes = Vec::new();
    while let Ok(Some(more)) = exchange.read(64 << 10, end) {
        bytes.extend_from_slice(&more);
    }
    exchange.free();
    let text = String::from_utf8(bytes).expect("text");
    let answer = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let answer: Option<Value> =
        answer.filter_map(|line| serde_json::from_str(line).ok()).find(Value::is_object);
    let answer = answer.unwrap_or_else(|| panic!("{status}: {text}"));
    assert_eq!(status == 503, answer["error"]["code"] == AWAY, "{status}: {answer}");
    answer
}

struct Listener {
    exchange: Arc<HostedExchange>,
    text: String,
}

impl Listener {
    /// The next event.
    fn hear(&mut self) -> Value {
        self.hear_until(Instant::now() + PATIENCE).expect("an event")
    }

    fn hear_until(&mut self, end: Instant) -> Option<Value> {
        loop {
            while let Some((line, rest)) = self.text.split_once('\n') {
                let event = line.strip_prefix("data: ").and_then(|data| serde_json::from_str(data).ok());
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
            }
            let bytes = self.exchange.read(64 << 10, Some(end)).ok().flatten()?;
            self.text.push_str(std::str::from_utf8(&bytes).expect("text"));
        }
    }

    /// Events until one is this. Gives how many there were.
    fn hear_all_until(&mut self, is_last: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.hear());
            if heard.last().is_some_and(&is_last) {
                return heard;
            }
        }
    }
}

fn respond(message: &Message, text: &str) {
    let (request, by) = message.request().expect("a request");
    by.respond(request, Outcome::Text(text)).expect("it is wanted");
}

/// Longer than any test, and brief.
const LONG: u64 = 90_000;
const LEASE_MS: u64 = 3_000;

#[test]
fn a_task_of_one_process_is_read_answered_listened_to_and_cancelled_through_another() {
    let redis = Redis::start(&[]);
    let [first, second] = [(); 2].map(|()| Process::new(&redis, LONG));
    let (task, message) = first.begin();
    second.until(&task, "working");
    let mut listener = second.listen(&json!({ "taskIds": [task] }));
    let (request, by) = message.request().expect("a request");
    assert!(by.ask(request, "k", "elicitation/create", QUESTION).expect("it may ask").is_none());
    drop(message);
    let asked = second.until(&task, "input_required");
    assert!(asked["result"]["inputRequests"]["k"].is_object(), "{asked}");
    let answers = json!({ "taskId": task, "inputResponses": { "k": { "action": "decline" } } });
    for process in [&second, &first] {
        assert!(process.ask("tasks/update", &answers)["error"].is_null(), "also when it is late");
    }
    let again = first.call();
    let (request, by) = again.request().expect("a request");
    assert!(by.ask(request, "k", "elicitation/create", QUESTION).expect("it may ask").is_some());
    respond(&again, "done");
    let done = second.until(&task, "completed");
    assert_eq!(done["result"]["result"]["content"][0]["text"], "done");
    let is_last = |event: &Value| event["params"]["status"] == "completed";
    let heard = listener.hear_all_until(is_last);
    assert!(heard.iter().any(|event| event["params"]["status"] == "input_required"), "{heard:?}");
    // Of a cancellation its handler learns, wherever it was asked for.
    let (task, message) = first.begin();
    assert!(second.ask("tasks/cancel", &json!({ "taskId": task }))["error"].is_null());
    first.until(&task, "cancelled");
    let (request, by) = message.request().expect("a request");
    let end = Instant::now() + PATIENCE;
    while by.is_under_way(request) {
        assert!(Instant::now() < end, "its handler is not told");
        std::thread::yield_now();
    }
    assert!(by.respond(request, Outcome::Text("late")).is_err());
    second.until(&task, "cancelled");
}

#[test]
fn a_store_that_is_away_is_told_as_that_and_what_a_task_came_to_waits_for_it() {
    let mut redis = Redis::start(&["--appendonly", "yes", "--appendfsync", "always"]);
    let [first, second] = [(); 2].map(|()| Process::new(&redis, LEASE_MS));
    let (task, message) = first.begin();
    redis.kill();
    let end = Instant::now() + PATIENCE;
    for process in [&first, &second] {
        while process.get(&task)["error"]["code"] != AWAY {
            assert!(Instant::now() < end, "the store is away");
        }
    }
    respond(&message, "kept");
    redis.restart();
    let done = second.until(&task, "completed");
    assert_eq!(done["result"]["result"]["content"][0]["text"], "kept");
    // What stands still for longer than a lease makes no process look gone.
    let (task, message) = first.begin();
    redis.signal(Signal::STOP);
    let stopped = Instant::now();
    while stopped.elapsed() < Duration::from_millis(LEASE_MS + 1_000) {
        assert_eq!(second.get(&task)["error"]["code"], AWAY);
    }
    redis.signal(Signal::CONT);
    second.until(&task, "working");
    respond(&message, "kept");
    second.until(&task, "completed");
}

fn uri(event: &Value) -> &str {
    event["params"]["uri"].as_str().unwrap_or_default()
}

#[test]
fn a_change_is_told_once_to_the_clients_of_eight_processes_and_none_is_lost_with_the_store() {
    let mut redis = Redis::start(&[]);
    let processes = [(); 8].map(|()| Process::new(&redis, LONG));
    let listen = |uris: [&str; 2]| -> Vec<Listener> {
        processes.iter().map(|process| process.listen(&json!({ "resourceSubscriptions": uris }))).collect()
    };
    // A process that begins to watch tells its clients once of all they listen to. That is over when each has heard of another one.
    redis.has_watchers("all", processes.len());
    let mut first = listen(["x://p", "x://q"]);
    for (teller, change) in ["x://p", "x://q"].into_iter().enumerate() {
        processes[teller].server.resource_updated(change);
        for listener in &mut first {
            listener.hear_all_until(|event| uri(event) == change);
        }
    }
    for listener in &first {
        listener.exchange.free();
    }
    let mut listeners = listen(["x://r", "x://z"]);
    processes[3].server.resource_updated("x://r");
    listeners[3].hear_all_until(|event| uri(event) == "x://r");
    processes[3].server.resource_updated("x://z");
    for (number, listener) in listeners.iter_mut().enumerate() {
        let heard = listener.hear_all_until(|event| uri(event) == "x://z");
        assert_eq!(heard.len(), if number == 3 { 1 } else { 2 }, "{heard:?}");
    }
    redis.kill();
    processes[5].server.resource_updated("x://r");
    redis.restart();
    for listener in &mut listeners {
        listener.hear_all_until(|event| uri(event) == "x://r");
    }
}
