//! Tasks under any schedule: sessions of both forms, handlers that ask, answer, fail or say nothing, clients that wait, update,
//! cancel, list and leave. Everything comes from a seed.
//!
//! Promises: each request is answered at most once, and by the end once unless it was cancelled or its session ended; a status
//! changes legally only; nothing is sent to a session after its end; no bound is passed; when the time of the last task is over
//! nothing is left.

use super::{QUESTION, Random, ring};
use crate::engine::server::{
    AskOutcome, Effect, Now, Outcome, OutgoingKind, RequestId, Server, SessionId, Settings, Stream,
    TaskOptions, TaskStart,
};
use crate::engine::telemetry::Telemetry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const TASKS: usize = 6;

struct World {
    random: Random,
    server: Server<u8>,
    now: Now,
    /// Open sessions, and the ids that each waits for.
    clients: BTreeMap<SessionId, BTreeSet<u64>>,
    /// Questions of the server's, by session.
    questions: Vec<(SessionId, u64)>,
    running: Vec<RequestId>,
    /// The last status that was seen of each task.
    tasks: BTreeMap<String, String>,
    next_id: u64,
    /// How often each status was seen.
    seen: BTreeMap<String, usize>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut settings = Settings::new("simulated", "1");
        settings.telemetry = Some(Telemetry { rate: 1.0, measures: false, seed });
        settings.limits.tasks = TASKS;
        settings.limits.tasks_per_session = 4;
        settings.limits.task_bytes = 300;
        settings.limits.requests_per_session = 5;
        settings.limits.waiting_per_session = 2;
        settings.page_size = 2;
        let now = Now { at: Instant::now(), unix: 1_800_000_000 };
        let mut server = Server::new(settings, ring());
        let tool = r#"{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
        server.add_tool(now, tool, 1).expect("a tool");
        World {
            random: Random::new(seed),
            server,
            now,
            clients: BTreeMap::new(),
            questions: Vec::new(),
            running: Vec::new(),
            tasks: BTreeMap::new(),
            next_id: 1,
            seen: BTreeMap::new(),
        }
    }

    fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.next(20) {
                0 | 1 => self.open(),
                2 => self.close(),
                3..=10 => self.request(),
                11 => self.cancel(),
                12 => self.answer(),
                13..=17 => self.handler(),
                _ => {
                    let ms = *self.random.of(&[1, 50, 150, 30_000, 70_000]);
                    self.pass(Duration::from_millis(ms));
                }
            }
            self.collect();
            assert!(self.server.task_count() <= TASKS);
            for session in self.clients.keys() {
                assert!(self.server.pending(*session) <= 7, "with those in line");
            }
        }
        // Handlers that wait for answers run again, or their tasks expire; all others answer.
        for _ in 0..20 {
            while let Some(request) = self.running.pop() {
                let _sent = self.server.respond(self.now, request, Outcome::Failure("the end"));
                self.collect();
            }
            self.pass(Duration::from_secs(600));
            self.collect();
        }
        for (session, waiting) in &self.clients {
            assert!(waiting.is_empty(), "{session:?} waits for {waiting:?}");
        }
        while !self.clients.is_empty() {
            self.close();
        }
        assert_eq!((self.server.open_counts(), self.server.task_count()), ([0; 4], 0));
        assert_eq!(self.server.open_spans(), 0);
        assert_eq!(self.server.deadline(), None, "nothing is left to wait for");
    }

    fn pass(&mut self, time: Duration) {
        self.now.at += time;
        self.now.unix += time.as_secs();
        self.server.tick(self.now);
    }

    fn session(&mut self) -> Option<SessionId> {
        let all: Vec<SessionId> = self.clients.keys().copied().collect();
        (!all.is_empty()).then(|| *self.random.of(&all))
    }

    fn open(&mut self) {
        if self.clients.len() >= 3 {
            return;
        }
        let session = self.server.open(false).expect("a session");
        self.clients.insert(session, BTreeSet::new());
        let params = json!({ "protocolVersion": "2025-11-25", "clientInfo": {}, "capabilities": { "elicitation": {} } });
        self.send(session, "initialize", params);
    }

    fn close(&mut self) {
        let Some(session) = self.session() else { return };
        self.server.close(session);
        self.clients.remove(&session);
        self.questions.retain(|(of, _)| *of != session);
        self.collect();
    }

    fn request(&mut self) {
        let Some(session) = self.session() else { return };
        let known: Vec<String> = self.tasks.keys().cloned().collect();
        let task = if known.is_empty() { "none".to_owned() } else { self.random.of(&known).clone() };
        let mut params = json!({ "name": "t", "taskId": task });
        if self.random.next(3) > 0 {
            params["task"] = json!({ "ttl": self.random.next(100_000) });
        }
        if self.random.next(2) == 0 {
            params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities":
                    { "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } } });
            params["inputResponses"] = json!({ "k": { "action": "decline" } });
        }
        let methods = [
            "tools/call",
            "tools/call",
            "tools/call",
            "tasks/get",
            "tasks/result",
            "tasks/list",
            "tasks/cancel",
            "tasks/update",
        ];
        let method = *self.random.of(&methods);
        if method == "tools/call" && self.random.next(2) == 0 {
            params.as_object_mut().expect("an object").remove("inputResponses");
        }
        self.send(session, method, params);
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
    fn send(&mut self, session: SessionId, method: &str, params: Value) {
        let id = self.next_id;
        self.next_id += 1;
        self.clients.get_mut(&session).expect("it is open").insert(id);
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        self.server.frame(self.now, Stream { session, number: 0 }, frame.as_bytes());
    }

    fn cancel(&mut self) {
        let Some(session) = self.session() else { return };
        let waiting: Vec<u64> = self.clients.get(&session).into_iter().flatten().copied().collect();
        if waiting.is_empty() {
            return;
        }
        let id = *self.random.of(&waiting);
        self.clients.get_mut(&session).expect("it is open").remove(&id);
        let frame =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        self.server.frame(self.now, Stream { session, number: 0 }, frame.to_string().as_bytes());
    }

    fn answer(&mut self) {
        if self.questions.is_empty() {
            return;
        }
        let index = self.random.next(self.questions.len());
        let (session, id) = self.questions.swap_remove(index);
        let result = self.random.of(&[json!({ "action": "decline" }), json!(7)]).clone();
        let frame = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
        self.server.frame(self.now, Stream { session, number: 0 }, frame.as_bytes());
    }

    fn handler(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let index = self.random.next(self.running.len());
        let request = self.running[index];
        match self.random.next(7) {
            0 | 1 => {
                let message = format!("m{}", self.random.next(3));
                let options = TaskOptions {
                    ttl: Some(Duration::from_secs(self.random.next(100) as u64)),
                    message: Some(&message),
                    ..TaskOptions::default()
                };
                let started = self.server.start_task(self.now, request, options);
                assert_ne!(started, TaskStart::Gone);
                assert_eq!(started == TaskStart::Task, self.server.is_task(request));
            }
            2 => {
                if self.server.ask(request, "k", "elicitation/create", QUESTION) == AskOutcome::Pending {
                    self.running.swap_remove(index);
                    self.server.dropped(self.now, request);
                }
            }
            3 => drop(self.server.progress(self.now, request, 1.0, None, None)),
            4 => {
                self.running.swap_remove(index);
                self.server.dropped(self.now, request);
            }
            _ => {
                self.running.swap_remove(index);
                let long = "x".repeat(self.random.next(200));
                let outcome = match self.random.next(3) {
                    0 => Outcome::Failure(&long),
                    1 => Outcome::Error { code: 1, message: &long, data: None },
                    _ => Outcome::Result(r#"{"content":[]}"#),
                };
                let _sent = self.server.respond(self.now, request, outcome);
            }
        }
    }

    /// What a client learns of a task.
    fn see(&mut self, task: &Value) {
        let (Some(id), Some(status)) = (task["taskId"].as_str(), task["status"].as_str()) else { return };
        let is_over = |status: &str| ["completed", "failed", "cancelled"].contains(&status);
        if let Some(before) = self.tasks.insert(id.to_owned(), status.to_owned()) {
            assert!(!is_over(&before) || before == status, "{id}: {before} to {status}");
        } else {
            assert_eq!(status, "working", "a task begins so");
        }
        *self.seen.entry(status.to_owned()).or_default() += 1;
    }

    fn collect(&mut self) {
        loop {
            let Some(effect) = self.server.effect() else {
                if self.server.go_on(self.now, |_, _| true) {
                    continue;
                }
                break;
            };
            match effect {
                Effect::Send { to, frame, sent } => {
                    let frame: Value = serde_json::from_slice(&frame).expect("JSON");
                    let waiting = self.clients.get_mut(&to.session);
                    let waiting =
                        waiting.unwrap_or_else(|| panic!("a frame for {to:?}, which has ended: {frame}"));
                    match sent {
                        OutgoingKind::Answer(_) => {
                            let id = frame["id"].as_u64().expect("an id");
                            assert!(waiting.remove(&id), "an answer to nothing: {frame}");
                        }
                        OutgoingKind::Request => {
                            self.questions.push((to.session, frame["id"].as_u64().expect("an id")));
                        }
                        OutgoingKind::Notification => {}
                    }
                    self.see(&frame["result"]["task"]);
                    self.see(&frame["result"]);
                    if frame["method"] == "notifications/tasks/status" {
                        self.see(&frame["params"]);
                    }
                }
                Effect::Run(run) => {
                    assert!(!self.running.contains(&run.request));
                    self.running.push(run.request);
                }
                Effect::Withdrawn { request, .. } => self.running.retain(|running| *running != request),
                _ => {}
            }
        }
        while self.server.discarded().is_some() {}
    }
}

#[test]
fn tasks_keep_their_promises_under_any_schedule() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 1..=2_000 {
        let mut world = World::new(seed);
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.play(80)));
        assert!(played.is_ok(), "seed {seed}");
        for (status, count) in world.seen {
            *seen.entry(status).or_default() += count;
        }
    }
    for status in ["working", "input_required", "completed", "failed", "cancelled"] {
        assert!(seen.get(status).is_some_and(|count| *count > 200), "the schedules reach {status}: {seen:?}");
    }
}
