//! The server's engine, driven by hand: frames in, effects out, virtual time.

mod access;
mod access_at_random;
mod checks;
mod client_requests;
#[cfg(feature = "draft")]
mod draft;
mod eras;
mod extensions;
mod methods;
#[cfg(feature = "store")]
mod model_store;
mod notifications;
mod requests;
mod simulator;
#[cfg(feature = "store")]
mod store_notices;
mod store_simulator;
#[cfg(feature = "store")]
mod store_tasks;
mod task_extension;
mod task_simulator;
mod tasks;
mod traced;
#[cfg(feature = "schema")]
mod wire;

use super::{Effect, Now, Outcome, RequestId, Responded, Run, Server, SessionId, Settings, Stream};
use crate::engine::seal::KeyRing;
use crate::engine::telemetry::RequestSpan;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A form that may be asked for.
pub const QUESTION: &str =
    r#"{"message":"?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}"#;

pub struct Stage {
    pub server: Server<&'static str>,
    pub now: Now,
    /// Handlers that are to be run.
    pub runs: Vec<Run<&'static str>>,
    /// Whether arguments are not checked at once: a handler that is to be run then waits for its check.
    pub checks_wait: bool,
    /// Whether every frame must be what the schema of its revision has. Not if a test lets the application send others.
    pub keeps_schema: bool,
    /// Withdrawn requests.
    pub withdrawn: Vec<RequestId>,
    /// What clients asked, so that what they get is checked against the schema of its revision.
    #[cfg(feature = "schema")]
    pub asked: wire::Asked,
    /// What was told for OpenTelemetry.
    pub traced: Vec<RequestSpan>,
    pub untraced: usize,
    /// Records for the log.
    pub records: Vec<String>,
    /// The bytes that the queue of the application has room for.
    pub room: usize,
    /// The clients that have their share of it.
    pub full_for: Vec<u64>,
}

/// A ring with a key that all stages share, so that two of them are two processes of one fleet.
pub fn ring() -> KeyRing {
    let mut next = 0u8;
    let random = move |bytes: &mut [u8]| {
        next = next.wrapping_add(1);
        bytes.fill(next);
        true
    };
    KeyRing::new(vec![[7; 32]], Box::new(random)).expect("a key was given")
}

pub fn settings() -> Settings {
    let mut settings = Settings::new("stage", "1.0");
    settings.announced.logging = true;
    settings
}

impl Stage {
    pub fn new(settings: Settings) -> Stage {
        let mut stage = Stage {
            server: Server::new(settings, ring()),
            now: Now { at: Instant::now(), unix: 1_800_000_000 },
            runs: Vec::new(),
            checks_wait: false,
            keeps_schema: true,
            #[cfg(feature = "schema")]
            asked: wire::Asked::default(),
            withdrawn: Vec::new(),
            records: Vec::new(),
            traced: Vec::new(),
            untraced: 0,
            room: usize::MAX,
            full_for: Vec::new(),
        };
        let now = stage.now;
        let add = r#"{"name":"add","title":"Add","inputSchema":{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}}"#;
        stage.server.add_tool(now, add, "add").expect("a tool");
        let typed = r#"{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}}"#;
        stage.server.add_tool(now, typed, "typed").expect("a tool");
        stage
            .server
            .add_fixed_text(now, r#"{"name":"r","uri":"x://fixed","mimeType":"text/plain"}"#, "hello")
            .expect("a resource");
        stage
            .server
            .add_resource(now, r#"{"name":"h","uri":"x://handled"}"#, "resource")
            .expect("a resource");
        stage
            .server
            .add_template(now, r#"{"name":"t","uriTemplate":"y://{id}"}"#, "template")
            .expect("a template");
        let prompt = r#"{"name":"p","arguments":[{"name":"who","required":true}]}"#;
        stage.server.add_prompt(now, prompt, "prompt").expect("a prompt");
        stage.server.complete_from("p", "who", vec!["anna".into(), "bob".into(), "ben".into()]);
        stage.advance(Duration::from_secs(1));
        stage
    }

    /// A session of the legacy era, with its handshake done.
    pub fn legacy(&mut self, revision: &str, capabilities: &Value) -> SessionId {
        let session = self.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": capabilities,
                             "clientInfo": { "name": "c", "version": "1" } });
        let answer = self.ask(
            session,
            &json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params }),
        );
        assert_eq!(answer[0]["result"]["protocolVersion"], revision);
        self.ask(session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    /// The parameters of a modern request.
    pub fn modern(params: Value, capabilities: &Value) -> Value {
        let mut params = params;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        params
    }

    /// Sends a message; gives the frames that go to any session.
    pub fn ask(&mut self, session: SessionId, message: &Value) -> Vec<Value> {
        self.raw(session, &message.to_string())
    }

    /// Sends a request of the modern era.
    #[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
    pub fn ask_modern(&mut self, session: SessionId, id: Value, method: &str, params: Value) -> Vec<Value> {
        let params = Stage::modern(params, &json!({ "elicitation": {}, "sampling": {}, "roots": {} }));
        self.ask(session, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    /// Sends a request of the legacy era.
    #[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
    pub fn ask_legacy(&mut self, session: SessionId, id: Value, method: &str, params: Value) -> Vec<Value> {
        self.ask(session, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    pub fn raw(&mut self, session: SessionId, frame: &str) -> Vec<Value> {
        #[cfg(feature = "schema")]
        if let Ok(message) = serde_json::from_str::<Value>(frame) {
            self.asked.sends(session.0, &message);
        }
        self.server.frame(self.now, Stream { session, number: 0 }, frame.as_bytes());
        self.sent()
    }

    pub fn respond(&mut self, request: RequestId, outcome: Outcome<'_>) -> (Responded, Vec<Value>) {
        let mut responded = self.server.respond(self.now, request, outcome);
        if let (Responded::Check(check), Outcome::Result(result)) = (&responded, outcome) {
            let verdict = check.run(result);
            responded = self.server.respond_checked(self.now, request, result, verdict);
        }
        (responded, self.sent())
    }

    pub fn advance(&mut self, time: Duration) -> Vec<Value> {
        self.now.at += time;
        self.now.unix += time.as_secs();
        self.server.tick(self.now);
        self.sent()
    }

    /// Runs the effects; gives the frames.
    pub fn sent(&mut self) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            let Some(effect) = self.server.effect() else {
                let has_room = |holder, bytes| bytes <= self.room && !self.full_for.contains(&holder);
                if self.server.go_on(self.now, has_room) {
                    continue;
                }
                break;
            };
            match effect {
                Effect::Send { frame, to, .. } => {
                    assert!(!frame.contains(&b'\n'), "one message is one line");
                    let frame = serde_json::from_slice(&frame).expect("JSON");
                    #[cfg(feature = "schema")]
                    self.asked.receives(to.session.0, &frame, self.keeps_schema);
                    #[cfg(not(feature = "schema"))]
                    let _: (Stream, bool) = (to, self.keeps_schema);
                    frames.push(frame);
                }
                Effect::Run(run) if run.params.held() > self.room || self.full_for.contains(&run.holder) => {
                    self.server.put_back(run.request);
                }
                Effect::Run(run) => {
                    if let Some(check) = run.check.as_ref().filter(|_| !self.checks_wait) {
                        let verdict = check.run(&run.params);
                        if !self.server.arguments_checked(self.now, run.request, verdict) {
                            continue;
                        }
                    }
                    self.runs.push(*run);
                }
                Effect::Withdrawn { request, .. } => self.withdrawn.push(request),
                Effect::Record { text, .. } => self.records.push(text),
                // No test of a server by itself may ask a store, whatever it does.
                Effect::Store { operation, .. } => panic!("there is no store: {operation:?}"),
                Effect::Traced(span) => self.traced.push(*span),
                Effect::Untraced => self.untraced += 1,
                _ => {}
            }
        }
        // Nothing is recorded longer than it is open.
        let open = self.server.open_counts();
        assert!(
            self.server.open_spans() <= open[1..].iter().sum::<usize>(),
            "{} of {open:?}",
            self.server.open_spans()
        );
        frames
    }

    /// The handler that is to be run, the only one.
    pub fn run(&mut self) -> Run<&'static str> {
        assert_eq!(self.runs.len(), 1, "{:?}", self.runs);
        self.runs.remove(0)
    }
}

pub fn code(frames: &[Value]) -> i64 {
    assert_eq!(frames.len(), 1, "{frames:?}");
    frames[0]["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {frames:?}"))
}

/// A generator of numbers from a seed (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // Before it is a usize, which may have 32 bits only.
        usize::try_from((self.0 >> 11) % below.max(1) as u64).expect("below a usize")
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.next(all.len())]
    }
}
