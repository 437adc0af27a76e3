//! What the server saw, for tests to ask: `GET /stats` on the control port, or the tool `stats`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::http::Request;

/// How many requests are remembered in full, and how many complaints.
const MOST: usize = 2000;

pub struct Stats {
    since: Instant,
    seen: Mutex<Seen>,
}

#[derive(Default)]
pub struct Seen {
    pub connections: u64,
    pub open: u64,
    pub max_open: u64,
    /// Connections that wait for a request.
    pub idle: u64,
    pub in_flight: u64,
    pub max_in_flight: u64,
    /// By HTTP method.
    methods: BTreeMap<String, u64>,
    /// By JSON-RPC method; answers count as `(answer)`.
    rpc: BTreeMap<String, u64>,
    /// By name, in lower case: on how many requests.
    headers: BTreeMap<String, u64>,
    pub get_streams: u64,
    pub get_streams_open: u64,
    pub max_get_streams_open: u64,
    /// GETs with `Last-Event-ID`.
    pub resumed: u64,
    /// Answers under way that the client closed.
    pub abandoned: u64,
    pub sessions: u64,
    pub unknown_session: u64,
    /// Connections that ended at random, and answers that were not asked for.
    pub random_ends: u64,
    pub strays: u64,
    /// Bytes of bodies and heads that never end.
    pub endless_bytes: u64,
    /// Connections with TLS, also those that came to nothing, and why these did not.
    pub tls_connections: u64,
    pub tls_failures: Vec<String>,
    /// Of HTTP/2: connections, requests, the most at a time on one, and those that the client gave up.
    pub h2_connections: u64,
    pub h2_streams: u64,
    pub h2_max_streams: u64,
    pub h2_resets: u64,
    /// What the client did against the specification.
    violations: Vec<String>,
    requests: VecDeque<Value>,
}

impl Stats {
    pub fn new() -> Self {
        Self { since: Instant::now(), seen: Mutex::default() }
    }

    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn opened(&self) {
        let mut seen = self.seen();
        seen.connections += 1;
        seen.open += 1;
        seen.max_open = seen.max_open.max(seen.open);
    }

    pub fn closed(&self) {
        self.seen().open -= 1;
    }

    /// A request came; `message` is its body as far as it is JSON. It is under way until [`Self::answered`].
    pub fn note(&self, connection: u64, request: &Request, message: &Value) {
        let at = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut seen = self.seen();
        seen.in_flight += 1;
        seen.max_in_flight = seen.max_in_flight.max(seen.in_flight);
        *seen.methods.entry(request.method.clone()).or_default() += 1;
        let rpc = match (&message["method"], message.is_object()) {
            (Value::String(method), _) => method.clone(),
            (_, true) => "(answer)".to_owned(),
            _ => String::new(),
        };
        if !rpc.is_empty() {
            *seen.rpc.entry(rpc.clone()).or_default() += 1;
        }
        let mut headers = Map::new();
        for (name, value) in &request.headers {
            let name = name.to_ascii_lowercase();
            *seen.headers.entry(name.clone()).or_default() += 1;
            headers.insert(name, Value::String(value.clone()));
        }
        if seen.requests.len() == MOST {
            seen.requests.pop_front();
        }
        seen.requests.push_back(json!({
            "at": at,
            "connection": connection,
            "method": request.method,
            "target": request.written,
            "rpc": rpc,
            "id": message["id"],
            "headers": headers,
            "tool": message["params"]["name"],
            "session": message["params"]["_meta"]["session_id"],
        }));
    }

    pub fn answered(&self) {
        self.seen().in_flight -= 1;
    }

    pub fn complain(&self, about: String) {
        let mut seen = self.seen();
        if seen.violations.len() < MOST && !seen.violations.contains(&about) {
            seen.violations.push(about);
        }
    }

    pub fn summary(&self) -> Value {
        let seen = self.seen();
        json!({
            "connections": seen.connections,
            "open": seen.open,
            "max_open": seen.max_open,
            "idle": seen.idle,
            "in_flight": seen.in_flight,
            "max_in_flight": seen.max_in_flight,
            "methods": seen.methods,
            "rpc": seen.rpc,
            "headers": seen.headers,
            "get_streams": seen.get_streams,
            "get_streams_open": seen.get_streams_open,
            "max_get_streams_open": seen.max_get_streams_open,
            "resumed": seen.resumed,
            "abandoned": seen.abandoned,
            "sessions": seen.sessions,
            "unknown_session": seen.unknown_session,
            "random_ends": seen.random_ends,
            "strays": seen.strays,
            "endless_bytes": seen.endless_bytes,
            "tls_connections": seen.tls_connections,
            "tls_failures": seen.tls_failures,
            "h2_connections": seen.h2_connections,
            "h2_streams": seen.h2_streams,
            "h2_max_streams": seen.h2_max_streams,
            "h2_resets": seen.h2_resets,
            "violations": seen.violations,
        })
    }

    /// The last requests, oldest first.
    pub fn requests(&self) -> Value {
        Value::Array(self.seen().requests.iter().cloned().collect())
    }
}
