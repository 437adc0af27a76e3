//! The server under any schedule: sessions of all eras, frames that are late, doubled, cut or hostile, answers and questions in
//! any order, cancellations, closes, floods. Everything comes from a seed.
//!
//! Promises: every request that was accepted gets one answer, or none if it was withdrawn; no id is answered twice; nothing is
//! sent to a session after its end; no bound is passed; after the last session nothing is left.

use super::{Random, ring};
use crate::engine::server::{
    ArgumentCheck, AskOutcome, Effect, FrameText, Now, Outcome, OutgoingKind, RequestId, Responded, Server,
    SessionId, Settings, Severity, Stream, Withdrawn,
};
use crate::engine::telemetry::Telemetry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is known of one session from the outside.
#[derive(Default)]
struct Client {
    /// Requests that were sent and not answered: how often each id was.
    waiting: BTreeMap<String, usize>,
    /// Ids of questions that were not answered.
    questions: Vec<u64>,
    /// Ids of open subscriptions.
    listening: BTreeSet<u64>,
}

pub(super) struct World {
    pub(super) random: Random,
    pub(super) server: Server<u8>,
    pub(super) now: Now,
    clients: BTreeMap<SessionId, Client>,
    /// Requests whose handlers run.
    pub(super) running: Vec<RequestId>,
    /// Requests whose arguments are being checked.
    pub(super) checking: Vec<(RequestId, ArgumentCheck, FrameText)>,
    pub(super) withdrawn: BTreeSet<RequestId>,
    answered: u64,
    ended: BTreeSet<SessionId>,
    /// Whether the queue of the application has room.
    has_room: bool,
    put_back: u64,
    /// Requests that were put back: no handler knows them.
    pub(super) waiting_for_room: BTreeSet<RequestId>,
}

const LIMIT: usize = 5;
const WAITING: usize = 3;

impl World {
    fn new(seed: u64) -> World {
        let mut settings = Settings::new("simulated", "1");
        settings.telemetry = Some(Telemetry { rate: 1.0, measures: false, seed });
        settings.announced.logging = true;
        settings.page_size = 2;
        settings.limits.sessions = 4;
        settings.limits.requests_per_session = LIMIT;
        settings.limits.waiting_per_session = WAITING;
        settings.limits.listens_per_session = 2;
        settings.limits.subscriptions_per_session = 3;
        settings.limits.input_rounds = 3;
        let now = Now { at: Instant::now(), unix: 1_800_000_000 };
        let mut server = Server::new(settings, ring());
        for name in ["a", "b", "c"] {
            let mut tool = json!({ "name": name, "inputSchema": { "type": "object" } });
            match name {
                "b" => tool["outputSchema"] = json!({ "type": "object" }),
                "c" => tool["inputSchema"]["properties"] = json!({ "n": { "minimum": 1 } }),
                _ => {}
            }
            server.add_tool(now, &tool.to_string(), 1).expect("a tool");
        }
        server.add_fixed_text(now, r#"{"name":"r","uri":"x://r"}"#, "text").expect("a resource");
        server.add_template(now, r#"{"name":"t","uriTemplate":"y://{id}"}"#, 2).expect("a template");
        World {
            random: Random::new(seed),
            server,
            now,
            clients: BTreeMap::new(),
            running: Vec::new(),
            checking: Vec::new(),
            withdrawn: BTreeSet::new(),
            answered: 0,
            has_room: true,
            put_back: 0,
            waiting_for_room: BTreeSet::new(),
            ended: BTreeSet::new(),
        }
    }

    fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.next(100) {
                0..=5 => self.open(),
                6..=8 => self.close(),
                9..=55 => self.request(),
                56..=62 => self.cancel(),
                63..=80 => self.handler(),
                81..=86 => self.answer_question(),
                87..=90 => self.garbage(),
                91 => self.has_room = !self.has_room,
                92..=93 => self.change(),
                94 => {
                    if let Some(session) = self.session() {
                        self.confirm(session);
                    }
                }
                _ => self.time(),
            }
            self.collect();
            let open = self.server.open_counts();
            assert!(
                self.server.open_spans() <= open[1..].iter().sum::<usize>(),
                "{} of {open:?}",
                self.server.open_spans()
            );
            assert!(open[1] > 0 || open[2] == 0, "a question without its request");
        }
        // The end: every handler answers or is told, every session closes.
        self.has_room = true;
        self.collect();
        // Questions that were not answered end first, once they were sent.
        for session in self.clients.keys().copied().collect::<Vec<_>>() {
            self.confirm(session);
        }
        self.collect();
        self.now.at += Duration::from_secs(61);
        self.server.tick(self.now);
        self.collect();
        // What waited in the queue runs then, too.
        loop {
            if !self.checking.is_empty() {
                self.verdict();
            } else if let Some(request) = self.running.pop() {
                let _responded = self.server.respond(self.now, request, Outcome::Failure("the end"));
            } else {
                break;
            }
            self.collect();
        }
        for (session, client) in &self.clients {
            let open: usize = client.waiting.values().sum();
            assert_eq!(open, 0, "{session:?} waits for {:?}", client.waiting);
        }
        for session in self.clients.keys().copied().collect::<Vec<_>>() {
            self.end(session);
        }
        assert_eq!((self.server.open_counts(), self.server.open_spans()), ([0; 4], 0));
        self.now.at += Duration::from_secs(3600);
        self.server.tick(self.now);
        self.collect();
        assert_eq!(self.server.deadline(), None, "nothing is left to wait for");
    }

    fn session(&mut self) -> Option<SessionId> {
        let all: Vec<SessionId> = self.clients.keys().copied().collect();
        (!all.is_empty()).then(|| *self.random.of(&all))
    }

    fn open(&mut self) {
        let room = self.clients.len() < 4;
        let opened = self.server.open(false);
        assert_eq!(opened.is_some(), room);
        if let Some(session) = opened {
            assert!(!self.ended.contains(&session), "numbers are never used twice");
            self.clients.insert(session, Client::default());
            if self.random.next(4) > 0 {
                self.send(session, false, "initialize");
            }
            if self.random.next(2) > 0 {
                self.confirm(session);
            }
        }
    }

    fn confirm(&mut self, session: SessionId) {
        let frame = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        self.server.frame(self.now, Stream { session, number: 0 }, frame);
    }

    fn close(&mut self) {
        if let Some(session) = self.session() {
            self.end(session);
        }
    }

    fn end(&mut self, session: SessionId) {
        self.collect();
        self.server.close(session);
        self.clients.remove(&session);
        self.ended.insert(session);
        self.collect();
    }

    fn request(&mut self) {
        let Some(session) = self.session() else { return };
        let modern = self.random.next(2) == 0;
        let method = *self.random.of(&[
            "tools/call",
            "tools/call",
            "tools/call",
            "tools/list",
            "resources/read",
            "resources/read",
            "ping",
            "initialize",
            "server/discover",
            "subscriptions/listen",
            "resources/subscribe",
            "logging/setLevel",
            "nonsense",
        ]);
        self.send(session, modern, method);
    }

    fn send(&mut self, session: SessionId, modern: bool, method: &str) {
        let name = *self.random.of(&["a", "b", "c", "d"]);
        let uri = *self.random.of(&["x://r", "y://1", "y://2", "z://"]);
        let mut params = json!({
            "name": name, "arguments": { "n": self.random.next(3) }, "uri": uri, "level": "info", "protocolVersion": "2025-11-25", "clientInfo": {},
            "capabilities": { "elicitation": {}, "roots": {} },
            "notifications": { "toolsListChanged": true, "resourceSubscriptions": [uri] },
        });
        if self.random.next(3) == 0 {
            params["_meta"] = json!({ "progressToken": self.random.next(3) });
        }
        if modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                json!({ "elicitation": {}, "roots": {} });
            if self.random.next(4) == 0 {
                params["inputResponses"] = json!({ "k": { "action": "accept" } });
            }
        }
        let Some(client) = self.clients.get_mut(&session) else { return };
        // Few ids, so that they are used again, while their requests are in progress and after.
        let id = self.random.next(12) as u64;
        let is_used = client.waiting.contains_key(&id.to_string()) || client.listening.contains(&id);
        let is_listen = method == "subscriptions/listen" && modern && !is_used;
        if !is_listen {
            // A second request with the id of one in progress gets an error without an id.
            let key = if is_used { "none".to_owned() } else { id.to_string() };
            *client.waiting.entry(key).or_default() += 1;
        }
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        self.server.frame(self.now, Stream { session, number: 0 }, frame.as_bytes());
        if is_listen {
            self.collect_listen(session, id);
        }
    }

    /// A subscription has no answer until its end; a refused one has.
    fn collect_listen(&mut self, session: SessionId, id: u64) {
        while let Some(effect) = self.server.effect() {
            let Effect::Send { frame, sent, .. } = effect else { continue };
            let frame: Value = serde_json::from_slice(&frame).expect("JSON");
            if sent == OutgoingKind::Notification {
                assert_eq!(frame["method"], "notifications/subscriptions/acknowledged");
                let client = self.clients.get_mut(&session).expect("the client");
                assert!(client.listening.insert(id), "acknowledged twice");
            } else {
                assert!(frame["error"].is_object() && frame["id"] == id, "only a refusal: {frame}");
            }
        }
    }

    fn cancel(&mut self) {
        let Some(session) = self.session() else { return };
        let before = self.server.counters().cancelled;
        let Some(client) = self.clients.get_mut(&session) else { return };
        let id = self.random.next(12) as u64;
        let frame =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        self.server.frame(self.now, Stream { session, number: 0 }, frame.to_string().as_bytes());
        client.listening.remove(&id);
        // Also what waits in the queue, of which no handler knows.
        let withdrawn = self.server.counters().cancelled > before;
        while let Some(effect) = self.server.effect() {
            match effect {
                Effect::Withdrawn { request, why, is_known, .. } => {
                    assert_eq!(why, Withdrawn::Cancelled);
                    self.is_withdrawn(request, is_known);
                }
                Effect::Send { sent, .. } => {
                    assert_eq!(sent, OutgoingKind::Notification, "a cancelled request gets no answer");
                }
                _ => {}
            }
        }
        if withdrawn {
            let client = self.clients.get_mut(&session).expect("the client");
            assert_eq!(client.waiting.remove(&id.to_string()), Some(1));
        }
    }

    fn answer_question(&mut self) {
        let Some(session) = self.session() else { return };
        let client = self.clients.get_mut(&session).expect("the client");
        let id = client.questions.pop().unwrap_or(99);
        let result =
            self.random.of(&[json!({ "action": "accept" }), json!({ "roots": [] }), json!(7)]).clone();
        let mut answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        if self.random.next(4) == 0 {
            answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -1, "message": "no" } });
        }
        for _ in 0..=self.random.next(2) {
            self.server.frame(self.now, Stream { session, number: 0 }, answer.to_string().as_bytes());
        }
    }

    fn garbage(&mut self) {
        let Some(session) = self.session() else { return };
        let whole = r#"{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"a"}}"#;
        let cut = self.random.next(whole.len());
        let frame = whole.as_bytes().get(..cut).unwrap_or_default();
        self.server.frame(self.now, Stream { session, number: 0 }, frame);
        while let Some(effect) = self.server.effect() {
            if let Effect::Send { frame, .. } = effect {
                let frame: Value = serde_json::from_slice(&frame).expect("JSON");
                assert!(frame["error"]["code"].is_i64() && frame.get("id").is_none(), "{frame}");
            }
        }
    }

    fn change(&mut self) {
        match self.random.next(3) {
            0 => self.server.resource_updated(self.now, "y://1"),
            1 => drop(self.server.log_to_all(self.now, Severity::Warning, None, "{}")),
            _ => {
                let name = format!("n{}", self.random.next(5));
                if !self.server.remove(self.now, crate::engine::server::Kind::Tool, &name) {
                    let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
                    self.server.add_tool(self.now, &tool, 3).expect("a tool");
                }
            }
        }
    }

    fn time(&mut self) {
        let times = [1, 20, 1_000, 61_000, 301_000];
        self.now.at += Duration::from_millis(*self.random.of(&times));
        self.now.unix += 1;
        self.server.tick(self.now);
    }

    /// Runs the effects, and checks what goes out.
    fn collect(&mut self) {
        loop {
            let Some(effect) = self.server.effect() else {
                if self.server.go_on(self.now, |_, _| self.has_room) {
                    continue;
                }
                return;
            };
            match effect {
                Effect::Run(run) if !self.has_room => {
                    self.put_back += 1;
                    self.waiting_for_room.insert(run.request);
                    self.server.put_back(run.request);
                }
                Effect::Send { to, frame, sent } => {
                    let client = self.clients.get_mut(&to.session);
                    let client = client.unwrap_or_else(|| panic!("a frame for {to:?}, which has ended"));
                    let frame: Value = serde_json::from_slice(&frame).expect("JSON");
                    match sent {
                        OutgoingKind::Answer(_) => {
                            let key = frame.get("id").map_or("none".to_owned(), Value::to_string);
                            let count = client.waiting.get_mut(&key);
                            let count = count.unwrap_or_else(|| panic!("an answer to nothing: {frame}"));
                            *count -= 1;
                            if *count == 0 {
                                client.waiting.remove(&key);
                            }
                            self.answered += 1;
                        }
                        OutgoingKind::Request => client.questions.push(frame["id"].as_u64().expect("an id")),
                        OutgoingKind::Notification => assert!(frame.get("id").is_none()),
                    }
                }
                Effect::Run(run) => {
                    assert!(!self.running.contains(&run.request));
                    self.waiting_for_room.remove(&run.request);
                    match run.check {
                        Some(check) => self.checking.push((run.request, check, run.params)),
                        None => self.running.push(run.request),
                    }
                    let of_all = self.server.open_counts()[1];
                    assert!(of_all <= (LIMIT + WAITING) * 4);
                }
                Effect::Withdrawn { request, why, is_known, .. } => {
                    self.is_withdrawn(request, is_known);
                    assert_ne!(why, Withdrawn::Cancelled, "nothing else cancels");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_request_has_one_answer_under_any_schedule() {
    let seeds: u64 =
        std::env::var("MCP_SIM_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(10_000);
    let next = AtomicU64::new(1);
    let answered = AtomicU64::new(0);
    let [held, put_back] = [const { AtomicU64::new(0) }; 2];
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > seeds {
                        return;
                    }
                    let mut world = World::new(seed);
                    let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.play(60)));
                    assert!(played.is_ok(), "seed {seed}");
                    answered.fetch_add(world.answered, Ordering::Relaxed);
                    held.fetch_add(world.server.counters().held, Ordering::Relaxed);
                    put_back.fetch_add(world.put_back, Ordering::Relaxed);
                }
            });
        }
    });
    let answered = answered.into_inner();
    assert!(answered > seeds * 10, "the schedules reach the server: {answered}");
    let (held, put_back) = (held.into_inner(), put_back.into_inner());
    assert!(held > seeds / 4 && put_back > seeds / 4, "and its line: {held}, {put_back}");
}

/// Parameters that every question may have.
const QUESTION: &str =
    r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;

impl World {
    /// The check of some arguments ends: the handler runs, or the client is told what is wrong.
    pub(super) fn verdict(&mut self) {
        let index = self.random.next(self.checking.len());
        let (request, check, params) = self.checking.swap_remove(index);
        if self.server.arguments_checked(self.now, request, check.run(&params)) {
            self.running.push(request);
        }
    }

    /// A request is withdrawn. The application knows it if its arguments were checked and the queue had room for it.
    pub(super) fn is_withdrawn(&mut self, request: RequestId, is_known: bool) {
        assert!(self.withdrawn.insert(request), "withdrawn twice");
        let is_checked = !self.checking.iter().any(|(checking, ..)| *checking == request);
        assert_eq!(is_known, is_checked && !self.waiting_for_room.remove(&request));
        self.running.retain(|running| *running != request);
    }

    fn answer(&mut self, request: RequestId, outcome: Outcome<'_>) {
        let responded = self.server.respond(self.now, request, outcome);
        if let (Responded::Check(check), Outcome::Result(result)) = (responded, outcome) {
            let verdict = check.run(result);
            let _responded = self.server.respond_checked(self.now, request, result, verdict);
        }
    }

    /// A handler does something.
    pub(super) fn handler(&mut self) {
        if !self.checking.is_empty() && self.random.next(2) == 0 {
            return self.verdict();
        }
        if self.running.is_empty() {
            return;
        }
        let index = self.random.next(self.running.len());
        let request = self.running[index];
        match self.random.next(6) {
            0 => {
                let key = *self.random.of(&["k", "l"]);
                let method = *self.random.of(&["elicitation/create", "roots/list", "sampling/createMessage"]);
                if self.server.ask(request, key, method, QUESTION) == AskOutcome::Pending {
                    if self.random.next(2) == 0 {
                        self.server.set_state(request, "1");
                    }
                    self.running.swap_remove(index);
                    self.server.returned(self.now, request);
                }
            }
            1 => {
                let value = f64::from(u8::try_from(self.random.next(100)).unwrap_or(0));
                self.server.progress(self.now, request, value, None, Some("m"));
            }
            2 => drop(self.server.log(self.now, request, Severity::Error, None, "1")),
            step => {
                self.running.swap_remove(index);
                let outcome = match step {
                    3 => Outcome::Result(
                        r#"{"content":[],"structuredContent":{},"contents":[{"uri":"x:","text":""}]}"#,
                    ),
                    4 => Outcome::Error { code: 1, message: "no", data: None },
                    _ => Outcome::Result("not JSON"),
                };
                self.answer(request, outcome);
            }
        }
        // An answer of a request that is over does no harm.
        if self.random.next(4) == 0
            && let Some(over) = self.withdrawn.last()
        {
            let late = self.server.respond(self.now, *over, Outcome::NotFound);
            assert_eq!(late, Responded::Late);
        }
    }
}
