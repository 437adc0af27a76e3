//! A transport written in Rust, with a server in memory.

use super::features::Request;
use super::*;
use crate::runtime::link::custom::JOBS_PER_TURN;
use crate::transport::custom::{Channel, Refused, Transport, Undelivered};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Answers from inside `send`.
#[derive(Default)]
struct Memory {
    opens: Arc<AtomicUsize>,
    closes: Arc<AtomicUsize>,
    drops: Arc<AtomicUsize>,
    /// Panics instead.
    panics: Arc<AtomicBool>,
    /// Asks for an answer whenever something is sent.
    asks: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Memory {
    fn answer(frame: &str) -> Option<String> {
        let id = crate::json::member(frame, "id")?;
        Some(match crate::json::member(frame, "method")? {
            r#""initialize""# => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"m","version":"1"}}}}}}"#
            ),
            r#""ping""# => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
            _ => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#),
        })
    }
}

impl Transport for Memory {
    fn open(&self, _channel: &Channel) -> Result<(), Refused> {
        self.opens.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn send(&self, channel: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        assert!(!self.panics.load(Ordering::SeqCst), "a planted panic");
        let frame = String::from_utf8(frame).map_err(|_| Refused::from("no UTF-8"))?;
        if let Some(answer) = Memory::answer(&frame) {
            channel.deliver(answer.as_bytes()).map_err(|why| Refused::from(why.to_string().as_str()))?;
        }
        if self.asks.load(Ordering::SeqCst) {
            let number = self.asked.fetch_add(1, Ordering::SeqCst);
            let ask = format!(r#"{{"jsonrpc":"2.0","id":"{number}","method":"ping"}}"#);
            channel.deliver(ask.as_bytes()).map_err(|why| Refused::from(why.to_string().as_str()))?;
        }
        Ok(())
    }

    fn close(&self, channel: &Channel) {
        assert_eq!(channel.deliver(b"{}"), Err(Undelivered::Closed));
        self.closes.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::SeqCst);
    }
}

fn ping(client: &Client) -> Status {
    client.call("ping", None, None).status()
}

#[test]
fn calls_are_answered_and_the_transport_goes_with_its_client() {
    let memory = Memory::default();
    let (opens, closes, drops) =
        (Arc::clone(&memory.opens), Arc::clone(&memory.closes), Arc::clone(&memory.drops));
    let client = Client::with_transport("{}", None, Box::new(memory)).expect("a client");
    assert_eq!(opens.load(Ordering::SeqCst), 0);
    assert_eq!(ping(&client), Status::Ok);
    assert_eq!(ping(&client), Status::Ok);
    assert_eq!(opens.load(Ordering::SeqCst), 1);
    drop(client);
    assert_eq!((closes.load(Ordering::SeqCst), drops.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn a_configuration_that_names_a_server_is_refused_and_the_transport_let_go() {
    let memory = Memory::default();
    let drops = Arc::clone(&memory.drops);
    let refused =
        Client::with_transport(r#"{"command":"x"}"#, None, Box::new(memory)).expect_err("a refusal");
    assert_eq!(
        refused.message,
        "config key 'command': the transport is the program's own; leave the key out"
    );
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[test]
fn a_transport_that_panics_loses_its_connection_only() {
    let memory = Memory::default();
    let (panics, closes) = (Arc::clone(&memory.panics), Arc::clone(&memory.closes));
    let config = r#"{"reconnect":{"initial_ms":1,"max_ms":2},"when_unavailable":"wait"}"#;
    let client = Client::with_transport(config, None, Box::new(memory)).expect("a client");
    assert_eq!(ping(&client), Status::Ok);
    panics.store(true, Ordering::SeqCst);
    let reply = client.call("ping", None, None);
    assert_eq!(reply.status(), Status::Transport);
    assert!(reply.json().contains("the program's transport failed to send: it panicked"), "{}", reply.json());
    panics.store(false, Ordering::SeqCst);
    assert_eq!(ping(&client), Status::Ok);
    assert!(closes.load(Ordering::SeqCst) >= 1);
}

#[test]
fn a_server_that_asks_without_end_holds_up_no_caller() {
    let memory = Memory::default();
    let (asks, asked) = (Arc::clone(&memory.asks), Arc::clone(&memory.asked));
    let client = Client::with_transport("{}", None, Box::new(memory)).expect("a client");
    assert_eq!(ping(&client), Status::Ok);
    asks.store(true, Ordering::SeqCst);
    // Each answer of ours makes the server ask again, from inside `send`.
    assert_eq!(ping(&client), Status::Ok);
    assert_eq!(ping(&client), Status::Ok);
    let before = asked.load(Ordering::SeqCst);
    let until = Instant::now() + Duration::from_secs(60);
    while asked.load(Ordering::SeqCst) < before + 2 * JOBS_PER_TURN && Instant::now() < until {
        std::thread::yield_now();
    }
    assert!(asked.load(Ordering::SeqCst) >= before + 2 * JOBS_PER_TURN, "a thread goes on with it");
    assert_eq!(client.close(None), Status::Ok);
}

const READ: &str = r#"{"resultType":"complete","ttlMs":3600000,"cacheScope":"private","contents":[{"uri":"test://x","text":"read"}]}"#;
const ASKS: &str = r#"{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}"#;

/// A modern server whose results are fresh for an hour. It asks for input before `test://asked` is read.
#[derive(Default)]
struct Resources {
    reads: Arc<AtomicUsize>,
}

impl Transport for Resources {
    fn open(&self, _channel: &Channel) -> Result<(), Refused> {
        Ok(())
    }

    fn send(&self, channel: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        let frame = String::from_utf8(frame).map_err(|_| Refused::from("no UTF-8"))?;
        let Some(id) = json::member(&frame, "id") else { return Ok(()) };
        let result = match json::member(&frame, "method") {
            Some(r#""server/discover""#) => {
                r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{}}}"#
            }
            Some(r#""resources/read""#) => {
                self.reads.fetch_add(1, Ordering::SeqCst);
                let params = json::member(&frame, "params").unwrap_or_default();
                let is_answered = json::member(params, "inputResponses").is_some();
                let asks = json::member(params, "uri") == Some(r#""test://asked""#) && !is_answered;
                if asks { ASKS } else { READ }
            }
            _ => return Ok(()),
        };
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
        channel.deliver(answer.as_bytes()).map_err(|why| Refused::from(why.to_string().as_str()))
    }

    fn close(&self, _channel: &Channel) {}
}

/// Reads a resource and gives what the server asks for.
fn read(client: &Client, uri: &str) {
    client.start_request(&Request::ResourcesRead { uri }, None, 1).expect("started");
    loop {
        let polled = client.poll(Some(Duration::from_secs(60)), false).expect("a queue of its own");
        let Polled::Message(message) = polled else { panic!("there is no outcome") };
        match message.kind() {
            Kind::Request => {
                let given = RequestAnswer::Result(r#"{"action":"accept","content":{}}"#);
                client.respond(&message, given).expect("it is waited for");
            }
            Kind::Reply => {
                assert_eq!(message.status(), Status::Ok, "{}", message.json());
                return;
            }
            _ => {}
        }
    }
}

#[test]
fn a_result_that_took_input_is_not_kept_and_another_is() {
    let server = Resources::default();
    let reads = Arc::clone(&server.reads);
    let config = r#"{"protocol":"modern","cache":true,"capabilities":{"elicitation":{}}}"#;
    let client = Client::with_transport(config, None, Box::new(server)).expect("a client");
    client.connect(None).expect("ready");
    for (uri, asked) in [
        ("test://plain", 1),
        ("test://plain", 0),
        ("test://asked", 2),
        ("test://asked", 2),
        ("test://plain", 0),
    ] {
        let before = reads.load(Ordering::SeqCst);
        read(&client, uri);
        assert_eq!(reads.load(Ordering::SeqCst) - before, asked, "{uri}");
    }
}
