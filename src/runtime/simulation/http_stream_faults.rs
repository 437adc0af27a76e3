//! What the simulation has found in the client's engine of HTTP, each by itself, with a server that answers as it is told to.

use super::http::ClientEnd;
use super::http_client_settings;
use crate::engine::{Effect, Engine, Reconnect, Settings, State, Wire};
use crate::protocol::Revision;
use crate::runtime::http::{Http, HttpOwner, HttpRuntime};
use crate::runtime::{clock, lock};
use crate::transport::http::header::{LAST_EVENT_ID, MCP_SESSION_ID};
use crate::transport::http::simulated::{Network, Parts, Sending, Unanswered};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Uri};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

const HANDSHAKE: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}"#;

/// How the server answers each GET, one after another; then with a stream that stays open.
#[derive(Debug)]
enum ScriptedGet {
    /// A stream of one event with this id, which ends.
    Ends(&'static str),
    Refused(u16),
}

#[derive(Debug, Default)]
struct ScriptedState {
    gets: std::collections::VecDeque<ScriptedGet>,
    /// So many `notifications/initialized` do not get through.
    unreachable: u32,
    asked: Vec<String>,
    open: Vec<UnboundedSender<Result<Bytes, String>>>,
}

#[derive(Debug, Default)]
struct ScriptedServer(Mutex<ScriptedState>);

fn parts(text: &str) -> Parts {
    let (sender, parts) = unbounded_channel();
    sender.send(Ok(Bytes::copy_from_slice(text.as_bytes()))).expect("it is read");
    parts
}

impl Network for ScriptedServer {
    fn send(&self, method: Method, _path: Uri, headers: HeaderMap, body: Bytes, _repeats: bool) -> Sending {
        let inside = &mut *lock(&self.0);
        let text = String::from_utf8_lossy(&body).into_owned();
        let typed = |kind| HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
        let answer = if method == Method::GET {
            let last = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok());
            inside.asked.push(format!("GET {}", last.unwrap_or("-")));
            match inside.gets.pop_front() {
                Some(ScriptedGet::Refused(status)) => Ok((status, HeaderMap::new(), parts(""))),
                Some(ScriptedGet::Ends(id)) => {
                    Ok((200, typed("text/event-stream"), parts(&format!("id: {id}\ndata: \n\n"))))
                }
                None => {
                    let (sender, parts) = unbounded_channel();
                    inside.open.push(sender);
                    Ok((200, typed("text/event-stream"), parts))
                }
            }
        } else if text.contains("\"initialize\"") {
            inside.asked.push("initialize".to_owned());
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let mut head = typed("application/json");
            head.insert(MCP_SESSION_ID, HeaderValue::from_static("s"));
            Ok((200, head, parts(&HANDSHAKE.replace("ID", &value["id"].to_string()))))
        } else if text.contains("notifications/initialized") && inside.unreachable > 0 {
            inside.unreachable -= 1;
            Err(Unanswered::Unreachable("refused".to_owned()))
        } else {
            Ok((202, HeaderMap::new(), parts("")))
        };
        Box::pin(async move { answer })
    }
}

/// Has a client connect and lets a minute pass. Gives what it asked for, how often changes may have been missed since the connection
/// was ready, and its generation.
fn played(gets: Vec<ScriptedGet>, unreachable: u32) -> (Vec<String>, u64, u64) {
    let settings = Settings {
        allowed: vec![Revision::V2025_11_25],
        wire: Wire::Http,
        reconnect: Some(Reconnect::default()),
        ..Settings::default()
    };
    let inside = ScriptedState { gets: gets.into(), unreachable, ..ScriptedState::default() };
    let server = Arc::new(ScriptedServer(Mutex::new(inside)));
    let runtime = HttpRuntime::simulated();
    let engine = Arc::new(Mutex::new(Engine::<u64>::new(settings)));
    let owner: Arc<dyn HttpOwner> = ClientEnd::new(&engine, Box::new(|| {}), None);
    let http = Http::simulated(http_client_settings(), Arc::<ScriptedServer>::clone(&server), &runtime, None);
    let _entered = runtime.enter();
    lock(&engine).connect(clock::now(), None, 1);
    let mut ready = None;
    for _ in 0..6_000 {
        runtime.simulate(tokio::time::sleep(Duration::from_millis(10)));
        lock(&engine).tick(clock::now());
        loop {
            let Some(effect) = lock(&engine).effect() else { break };
            match effect {
                Effect::Open { generation, shape } => http.open(&owner, generation, shape),
                Effect::Send { frame, revision } => {
                    if let Some(exchange) = http.send(frame, revision) {
                        http.run(exchange);
                    }
                }
                Effect::Listen { generation } => {
                    let revision = lock(&engine).revision().expect("agreed on");
                    http.listen(generation, revision);
                }
                Effect::Shut { generation } => http.close(generation, None),
                _ => {}
            }
        }
        let engine = lock(&engine);
        if engine.state() == State::Ready
            && ready.is_none_or(|(generation, _)| generation != engine.generation())
        {
            ready = Some((engine.generation(), engine.freshness()));
        }
    }
    let engine = lock(&engine);
    assert_eq!(engine.state(), State::Ready);
    let (_, before) = ready.expect("it was ready");
    let asked = std::mem::take(&mut lock(&server.0).asked);
    (asked, engine.freshness() - before, engine.generation())
}

/// A server that has HTTP+SSE only, and answers each request on the stream of its session.
#[derive(Debug, Default)]
struct SseServer(Mutex<Option<UnboundedSender<Result<Bytes, String>>>>);

impl Network for SseServer {
    fn send(&self, method: Method, path: Uri, _headers: HeaderMap, body: Bytes, _repeats: bool) -> Sending {
        let mut stream = lock(&self.0);
        let head = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"))]);
        let answer = if method == Method::GET {
            let (sender, parts) = unbounded_channel();
            let first = "event: endpoint\ndata: /mcp?session_id=1\n\n";
            sender.send(Ok(Bytes::from_static(first.as_bytes()))).expect("it is read");
            *stream = Some(sender);
            Ok((200, head, parts))
        } else if path.query().is_none() {
            Ok((405, HeaderMap::new(), parts("")))
        } else {
            let value: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
            if let (Some(stream), "initialize") = (&*stream, value["method"].as_str().unwrap_or_default()) {
                let text =
                    HANDSHAKE.replace("ID", &value["id"].to_string()).replace("2025-11-25", "2024-11-05");
                let _left = stream.send(Ok(Bytes::from(format!("data: {text}\n\n"))));
            }
            Ok((202, HeaderMap::new(), parts("")))
        };
        Box::pin(async move { answer })
    }
}

#[test]
fn a_client_of_2024_11_05_leaves_its_stream_when_it_closes() {
    let allowed = vec![Revision::V2024_11_05];
    let settings = Settings { allowed, wire: Wire::Http, ..Settings::default() };
    let server = Arc::new(SseServer::default());
    let runtime = HttpRuntime::simulated();
    let engine = Arc::new(Mutex::new(Engine::<u64>::new(settings)));
    let owner: Arc<dyn HttpOwner> = ClientEnd::new(&engine, Box::new(|| {}), None);
    let http = Http::simulated(http_client_settings(), Arc::<SseServer>::clone(&server), &runtime, None);
    let _entered = runtime.enter();
    lock(&engine).connect(clock::now(), None, 1);
    for step in 0..200 {
        runtime.simulate(tokio::time::sleep(Duration::from_millis(10)));
        lock(&engine).tick(clock::now());
        if step == 100 {
            assert_eq!(lock(&engine).state(), State::Ready);
            assert!(!lock(&server.0).as_ref().expect("a stream").is_closed());
            lock(&engine).close(clock::now());
        }
        loop {
            let Some(effect) = lock(&engine).effect() else { break };
            match effect {
                Effect::Open { generation, shape } => http.open(&owner, generation, shape),
                Effect::Send { frame, revision } => {
                    if let Some(exchange) = http.send(frame, revision) {
                        http.run(exchange);
                    }
                }
                Effect::Shut { generation } => http.close(generation, None),
                _ => {}
            }
        }
    }
    assert_eq!(lock(&engine).state(), State::Closed);
    assert!(lock(&server.0).as_ref().expect("a stream").is_closed(), "the stream is still read");
}

#[test]
fn a_stream_whose_events_are_not_kept_is_opened_again_and_what_was_missed_counts() {
    let (asked, missed, generation) = played(vec![ScriptedGet::Ends("7"), ScriptedGet::Refused(400)], 0);
    assert_eq!(asked, ["initialize", "GET -", "GET 7", "GET -"]);
    assert!(missed > 0 && generation == 1, "{missed} {generation}");
}

#[test]
fn a_stream_that_goes_on_where_it_broke_off_has_missed_nothing() {
    let (asked, missed, generation) = played(vec![ScriptedGet::Ends("7")], 0);
    assert_eq!(asked, ["initialize", "GET -", "GET 7"]);
    assert_eq!((missed, generation), (0, 1));
}

#[test]
fn a_session_that_has_no_stream_any_more_has_ended() {
    let gets = vec![ScriptedGet::Ends("7"), ScriptedGet::Refused(404), ScriptedGet::Refused(404)];
    let (asked, _, generation) = played(gets, 0);
    assert_eq!(asked, ["initialize", "GET -", "GET 7", "GET -", "initialize", "GET -"]);
    assert_eq!(generation, 2);
}

#[test]
fn a_server_without_such_a_stream_is_asked_once() {
    let (asked, missed, generation) = played(vec![ScriptedGet::Refused(405)], 0);
    assert_eq!(asked, ["initialize", "GET -"]);
    assert_eq!((missed, generation), (0, 1));
}

#[test]
fn a_handshake_whose_confirmation_does_not_get_through_is_made_again() {
    let (asked, _, generation) = played(Vec::new(), 1);
    assert_eq!(asked.iter().filter(|asked| *asked == "initialize").count(), 2, "{asked:?}");
    assert_eq!(generation, 2);
}
