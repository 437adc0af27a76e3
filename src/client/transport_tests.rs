//! A transport written in Rust, with a server in memory.

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
    let until = Instant::now() + Duration::from_secs(20);
    while asked.load(Ordering::SeqCst) < before + 2 * JOBS_PER_TURN && Instant::now() < until {
        std::thread::yield_now();
    }
    assert!(asked.load(Ordering::SeqCst) >= before + 2 * JOBS_PER_TURN, "a thread goes on with it");
    assert_eq!(client.close(None), Status::Ok);
}
