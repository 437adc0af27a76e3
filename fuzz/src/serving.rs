//! A server's engine on a stage: bytes become events, and what comes out is held to what the engine promises. Some servers share a store.

use crate::store::Store;
use crate::{Input, text};
use mcp::engine::seal::KeyRing;
use mcp::engine::server::{
    Admission, AskOutcome, Claimed, Effect, Kind, Now, Operation, Outcome, OutgoingKind, RequestId,
    Responded, Server, SessionId, Settings, Severity, SharedStore, SingleRequest, Skill, SkillSet, Stream,
    TaskOptions, TaskStart, Ticket,
};
use mcp::protocol::envelope;
use mcp::shares::Holder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

const SESSIONS: usize = 3;
const REQUESTS: usize = 6;
const WAITING: usize = 2;

/// Parameters that any question may have.
const FORM: &str =
    r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;

const METHODS: [&str; 25] = [
    "initialize",
    "notifications/initialized",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "notifications/cancelled",
    "skills/list",
    "skills/get",
    "resources/directory/read",
    "tasks/get",
    "tasks/result",
    "tasks/update",
    "tasks/cancel",
    "tasks/list",
];
const NAMES: [&str; 9] =
    ["tool", "typed", "prompt", "x://r", "y://1", "skill://a/SKILL.md", "skill://a", "other", "later"];
const RESULTS: [&str; 8] = [
    "{}",
    r#"{"content":[]}"#,
    r#"{"contents":[{"uri":"x:","text":""}]}"#,
    r#"{"messages":[]}"#,
    r#"{"completion":{"values":[]}}"#,
    r#"{"content":[],"structuredContent":{"n":1},"_meta":{"a":1},"resultType":"complete"}"#,
    "[]",
    "{",
];
const QUESTIONS: [&str; 4] = ["elicitation/create", "sampling/createMessage", "roots/list", "ping"];

/// What the server has asked of its store.
enum Asked {
    Operation(Ticket, Operation),
    Claim(RequestId),
}

/// The engine, and what is known of it from the outside.
pub struct Serving {
    server: Server<u8>,
    now: Now,
    /// The store that it shares with other processes, if it has one, and what it has asked of that.
    store: Option<Store>,
    asked: VecDeque<Asked>,
    /// Sessions that are one request each.
    single: BTreeSet<SessionId>,
    /// Requests that became tasks.
    tasks: BTreeSet<RequestId>,
    /// Open sessions: how many messages each got, and how many answers it gave.
    sessions: BTreeMap<SessionId, [usize; 2]>,
    /// Requests whose handlers run, and those that are over.
    running: Vec<RequestId>,
    over: BTreeSet<RequestId>,
    /// What the server gave out to be given back: states and cursors.
    given: Vec<String>,
}

/// A ring with a fixed key.
pub fn ring() -> KeyRing {
    let mut next = 0_u8;
    let random = move |bytes: &mut [u8]| {
        next = next.wrapping_add(1);
        bytes.fill(next);
        true
    };
    KeyRing::new(vec![[7; 32]], Box::new(random)).expect("a key was given")
}

impl Serving {
    /// A server with an entry of each kind.
    pub fn new(input: &mut Input<'_>) -> Serving {
        let choice = input.byte();
        let mut settings = Settings::new("fuzzed", "1");
        settings.announced.logging = choice & 1 != 0;
        settings.page_size = if choice & 2 == 0 { 1 } else { 100 };
        settings.limits.sessions = SESSIONS;
        settings.limits.requests_per_session = REQUESTS;
        settings.limits.requests = REQUESTS + 2;
        settings.limits.waiting_per_session = WAITING;
        settings.limits.subscriptions_per_session = 2;
        settings.limits.listens_per_session = 2;
        settings.limits.batch = 3;
        settings.limits.depth = if choice & 4 == 0 { 64 } else { 6 };
        settings.limits.spent_states = 4;
        settings.limits.input_rounds = 3;
        if choice & 8 != 0 {
            settings.timeouts.request = None;
        }
        let now = Now { at: Instant::now(), unix: 1_800_000_000 };
        let mut server = Server::new(settings, ring());
        let tool = r#"{"name":"tool","inputSchema":{"type":"object"}}"#;
        let typed = r#"{"name":"typed","inputSchema":{"type":"object","required":["a"]},"outputSchema":{"type":"object","required":["n"]}}"#;
        for tool in [tool, typed] {
            server.add_tool(now, tool, 1).expect("a tool");
        }
        server.add_fixed_text(now, r#"{"name":"r","uri":"x://r"}"#, "text").expect("a resource");
        server.add_template(now, r#"{"name":"t","uriTemplate":"y://{id}"}"#, 2).expect("a template");
        let prompt = r#"{"name":"prompt","arguments":[{"name":"who"}]}"#;
        server.add_prompt(now, prompt, 3).expect("a prompt");
        server.complete_by("prompt", "who", 4);
        server.set_skills(now, "/f", skills(&["a", "b"])).expect("skills");
        let later =
            r#"{"name":"later","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
        server.add_tool(now, later, 6).expect("a tool");
        let store = (choice & 16 != 0).then(Store::default);
        if store.is_some() {
            let times = SharedStore { lease: Duration::from_secs(15), timeout: Duration::from_secs(1) };
            server.keep_in_store(times).expect("a store");
            server.store_ready(now, "1");
        }
        Serving {
            server,
            now,
            store,
            asked: VecDeque::new(),
            single: BTreeSet::new(),
            tasks: BTreeSet::new(),
            sessions: BTreeMap::new(),
            running: Vec::new(),
            over: BTreeSet::new(),
            given: Vec::new(),
        }
    }

    /// One event, and what comes of it.
    pub fn event(&mut self, input: &mut Input<'_>) {
        match input.byte() % 20 {
            0 => self.open(input.bool()),
            16 => self.admit(input),
            17..=19 => self.shared(input),
            1 => {
                if let Some(session) = self.session(input) {
                    self.end_session(session);
                }
            }
            2..=7 => self.frame(input),
            8..=10 => self.handler(input),
            11 => self.registry(input),
            12 => {
                if let Some(session) = self.session(input) {
                    let number = input.number() % 4;
                    self.server.stream_closed(Stream { session, number });
                }
            }
            13 => {
                if let Some(session) = self.session(input) {
                    let method = input.pick(&QUESTIONS);
                    let params = input.pick(&["{}", "[]", "{"]);
                    let timeout = input.bool().then(|| Duration::from_millis(input.number()));
                    drop(self.server.call(self.now, session, method, params, 7, timeout));
                    drop(self.server.notify_sessions(Some(session), "notifications/mine", params));
                }
            }
            14 if self.store.is_some() => self.shared(input),
            14 => drop(self.server.log_to_all(self.now, Severity::ALL[input.below(8)], None, "{}")),
            _ => self.time(Duration::from_millis(input.pick(&[1, 20, 1_000, 61_000, 301_000, 700_000]))),
        }
        self.collect();
    }

    /// Everything ends, and nothing is left.
    pub fn end(&mut self) {
        self.server.end_listens();
        self.server.refuse_all(self.now, "the end");
        self.collect();
        for session in self.sessions.keys().copied().collect::<Vec<_>>() {
            self.end_session(session);
        }
        // What became a task goes on without its session.
        for request in self.running.clone() {
            if self.is_task(request) {
                drop(self.server.respond(self.now, request, Outcome::NotFound));
            }
        }
        self.collect();
        if self.store.is_some() {
            self.server.store_lost(self.now);
            self.asked.clear();
            self.time(Duration::from_secs(7 * 24 * 3600));
            self.collect();
        }
        assert_eq!(self.server.open_counts(), [0; 4], "something is left");
        self.time(Duration::from_secs(3600));
        self.collect();
        if self.store.is_none() {
            assert_eq!(self.server.deadline(), None, "nothing is left to wait for");
        }
        for request in self.running.clone() {
            assert_eq!(self.server.respond(self.now, request, Outcome::NotFound), Responded::Late);
        }
        while self.server.discarded().is_some() {}
    }

    /// A request that comes by itself over HTTP: it is answered once, on a stream or at once, or refused.
    fn admit(&mut self, input: &mut Input<'_>) {
        let frame = match input.below(4) {
            0 => input.until(0).to_vec(),
            _ => self.message(input).into_bytes(),
        };
        let Ok(scanned) = envelope::parse(&frame, 64) else { return };
        let says_otherwise = input.below(8) == 0;
        let tool = input.bool().then(|| {
            let compare = move |_: &[u8], _: &[_]| if says_otherwise { Err("headers") } else { Ok(()) };
            (input.pick(&NAMES).to_owned(), compare)
        });
        let holder = input.pick(&[Holder::Unknown, Holder::Program, Holder::User(1)].each_ref()).clone();
        let takes_answer = input.bool();
        let request = SingleRequest { holder, principal: None, frame, scanned, tool, takes_answer };
        let mut seen = None;
        match self.server.admit(self.now, request, |session, _| seen = Some(session)) {
            Admission::Admitted(stream) => {
                assert_eq!(seen, Some(stream.session));
                assert_eq!(self.sessions.insert(stream.session, [1, 0]), None, "a number was used twice");
                self.single.insert(stream.session);
            }
            Admission::Answered { session, frame, code } => {
                assert_eq!((seen, takes_answer), (Some(session), true));
                let frame: Value = serde_json::from_slice(&frame).expect("a frame is JSON");
                assert_eq!(frame["error"]["code"].as_i64(), code, "{frame}");
                self.keep(&frame["result"]);
                self.server.close(session);
            }
            Admission::Refused(_) => {}
        }
    }

    /// What the store says, and what is said by way of it.
    fn shared(&mut self, input: &mut Input<'_>) {
        let Some(store) = &mut self.store else { return };
        match input.below(12) {
            0 => self.server.store_lost(self.now),
            1 => self.server.store_ready(self.now, input.pick(&["1", "1", "2"])),
            2 => {
                let inbox = format!("inbox/{}", self.server.process());
                let channel = match input.below(4) {
                    0 => "all".to_owned(),
                    1 => inbox,
                    2 => text(input.until(0)).into_owned(),
                    _ => store.key(input).unwrap_or(inbox),
                };
                let data = input.bool().then(|| input.until(0));
                self.server.store_event(self.now, &channel, data);
            }
            3 => store.write(input),
            4 => {
                // Of an operation that was not asked for, or was answered.
                let outcome = store.anything(input);
                self.server.stored(self.now, Ticket(input.number() % 64), outcome);
            }
            _ => {
                let Some(asked) = self.asked.pop_front() else { return };
                match asked {
                    Asked::Operation(ticket, operation) => {
                        let outcome = store.outcome(operation, self.now.unix, input);
                        self.server.stored(self.now, ticket, outcome);
                    }
                    Asked::Claim(request) => {
                        let unix = self.now.unix;
                        let all = [Claimed::Granted(unix), Claimed::Granted(u64::MAX), Claimed::Refused];
                        let said = match input.below(4) {
                            3 => Claimed::Unknown,
                            at => all[at],
                        };
                        self.server.claimed(self.now, request, said);
                    }
                }
            }
        }
    }

    /// Whether a request is a task by now; one that is over is not.
    fn is_task(&mut self, request: RequestId) -> bool {
        !self.over.contains(&request) && self.tasks.contains(&request)
    }

    fn session(&self, input: &mut Input<'_>) -> Option<SessionId> {
        let all: Vec<SessionId> = self.sessions.keys().copied().collect();
        (!all.is_empty()).then(|| input.pick(&all))
    }

    fn open(&mut self, ids_per_stream: bool) {
        let has_room = self.sessions.len() - self.single.len() < SESSIONS;
        let opened = self.server.open(ids_per_stream);
        assert_eq!(opened.is_some(), has_room);
        if let Some(session) = opened {
            assert_eq!(self.sessions.insert(session, [0, 0]), None, "a number was used twice");
        }
    }

    fn end_session(&mut self, session: SessionId) {
        self.collect();
        self.server.close(session);
        self.sessions.remove(&session);
        self.single.remove(&session);
        self.collect();
    }

    /// A frame: of the input itself, or a request that is changed at some places.
    fn frame(&mut self, input: &mut Input<'_>) {
        let Some(session) = self.session(input) else { return };
        let stream = Stream { session, number: input.number() % 4 };
        let mut frame = match input.below(8) {
            0 => input.until(0).to_vec(),
            1 => {
                let [one, other] = [self.message(input), self.message(input)];
                format!("[{one},{other}]").into_bytes()
            }
            2 => {
                let result = input.pick(&[r#"{"action":"accept"}"#, r#"{"roots":[]}"#, "7"]);
                format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, input.number() % 8).into_bytes()
            }
            _ => self.message(input).into_bytes(),
        };
        for _ in 0..input.below(8).saturating_sub(4) {
            let at = usize::try_from(input.number()).expect("two bytes") % frame.len().max(1);
            match input.below(3) {
                0 => frame.truncate(at),
                1 if !frame.is_empty() => frame[at] = input.byte(),
                _ => frame.insert(at.min(frame.len()), input.byte()),
            }
        }
        // A batch is at most as many messages as it has opening braces.
        let messages = if frame.trim_ascii_start().first() == Some(&b'[') {
            frame.iter().filter(|byte| **byte == b'{').count().max(1)
        } else {
            1
        };
        self.sessions.get_mut(&session).expect("it is open")[0] += messages;
        match input.byte() {
            0 => self.server.oversized_frame(stream, 100),
            _ => self.server.frame(self.now, stream, &frame),
        }
    }

    fn message(&mut self, input: &mut Input<'_>) -> String {
        let method = input.pick(&METHODS);
        let name = input.pick(&NAMES);
        let more = input.byte();
        let mut params = json!({
            "name": name, "uri": name, "level": "info", "protocolVersion": "2025-11-25", "clientInfo": {},
            "capabilities": {"elicitation": {}, "roots": {}, "sampling": {}}, "arguments": {"a": 1},
            "notifications": {"toolsListChanged": true, "resourceSubscriptions": [name]}, "requestId": more % 8,
            "ref": {"type": "ref/prompt", "name": "prompt"}, "argument": {"name": "who", "value": ""},
        });
        if more & 1 != 0 {
            params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": more,
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "roots": {}, "sampling": {},
                    "extensions": {"io.modelcontextprotocol/tasks": {}}}});
        }
        if more & 2 != 0 {
            params["inputResponses"] = json!({"k": {"action": "accept"}});
        }
        if more & 4 != 0 && !self.given.is_empty() {
            let at = input.below(self.given.len().min(256));
            params["requestState"] = self.given[at].as_str().into();
            params["cursor"] = self.given[at].as_str().into();
            params["taskId"] = self.given[at].as_str().into();
        }
        if more & 16 != 0 {
            params["task"] = json!({});
        }
        if more & 8 != 0 {
            params[text(input.bytes(6)).as_ref()] = text(input.until(0)).into();
        }
        if method.starts_with("notifications/") {
            return json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
        }
        json!({"jsonrpc": "2.0", "id": input.byte() % 8, "method": method, "params": params}).to_string()
    }

    fn handler(&mut self, input: &mut Input<'_>) {
        if self.running.is_empty() {
            return;
        }
        let at = input.below(self.running.len().min(256));
        let request = self.running[at];
        let is_over = self.over.contains(&request);
        match input.below(9) {
            8 => {
                let options = TaskOptions {
                    ttl: input.bool().then(|| Duration::from_millis(input.number())),
                    attempts: u32::from(input.byte() % 3),
                    ..TaskOptions::default()
                };
                let started = self.server.start_task(self.now, request, options);
                assert!(
                    !is_over || started == TaskStart::Gone,
                    "a request that is over is a task: {started:?}"
                );
                if started == TaskStart::Task {
                    self.tasks.insert(request);
                }
            }
            0 => {
                let key = input.pick(&["k", "l", ""]);
                let asked = self.server.ask(
                    request,
                    key,
                    input.pick(&QUESTIONS),
                    input.pick(&[FORM, "{}", "[", "7"]),
                );
                if is_over {
                    assert_eq!(asked, AskOutcome::Gone);
                }
                if asked == AskOutcome::Pending {
                    if input.bool() {
                        self.server.set_state(request, &text(input.until(0)));
                    }
                    self.running.swap_remove(at);
                    match input.bool() {
                        true => self.server.returned(self.now, request),
                        false => self.server.dropped(self.now, request),
                    }
                }
            }
            1 => {
                let sent = self.server.progress(self.now, request, f64::from(input.byte()), None, Some("m"));
                assert!(!(sent && is_over), "progress of a request that is over");
            }
            2 => {
                let sent = self.server.log(self.now, request, Severity::Error, None, "1");
                assert!(!(sent && is_over), "a record of a request that is over");
            }
            3 => {
                self.running.swap_remove(at);
                self.server.dropped(self.now, request);
            }
            step => {
                self.running.swap_remove(at);
                let outcome = match step {
                    4 | 5 => Outcome::Result(input.pick(&RESULTS)),
                    6 => Outcome::Error {
                        code: -i64::from(input.byte()) - 31_900,
                        message: "no",
                        data: Some("[1]"),
                    },
                    _ => Outcome::Failure("failed"),
                };
                let mut responded = self.server.respond(self.now, request, outcome);
                if let (Responded::Check(check), Outcome::Result(result)) = (&responded, outcome) {
                    let verdict = check.run(result);
                    responded = self.server.respond_checked(self.now, request, result, verdict);
                }
                assert!(!is_over || responded == Responded::Late, "{responded:?}");
                assert_eq!(
                    self.server.respond(self.now, request, Outcome::NotFound),
                    Responded::Late,
                    "answered twice"
                );
            }
        }
    }

    /// Entries come and go while the server serves, also with definitions that are nonsense.
    fn registry(&mut self, input: &mut Input<'_>) {
        let now = self.now;
        match input.below(6) {
            0 => drop(self.server.add_tool(now, &text(input.until(0)), 5)),
            1 => drop(self.server.add_template(now, &text(input.until(0)), 5)),
            2 => drop(self.server.add_prompt(now, &text(input.until(0)), 5)),
            3 => {
                let kind = input.pick(&[Kind::Tool, Kind::Resource, Kind::Template, Kind::Prompt]);
                self.server.remove(
                    now,
                    kind,
                    input.pick(&["tool", "x://r", "y://{id}", "prompt", "skill://a/SKILL.md"]),
                );
            }
            4 => {
                let names: &[&str] = input.pick(&[&["a"], &["b", "c"], &[], &["a/b"]]);
                drop(self.server.set_skills(now, input.pick(&["/f", "/g"]), skills(names)));
            }
            _ => self.server.resource_updated(now, input.pick(&NAMES)),
        }
    }

    fn time(&mut self, passed: Duration) {
        self.now.at += passed;
        self.now.unix += passed.as_secs();
        self.server.tick(self.now);
        let due = self.server.deadline();
        assert!(due.is_none_or(|due| due > self.now.at), "what is due stays due");
    }

    /// Runs the effects, and checks what goes out.
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
                    let counts =
                        self.sessions.get_mut(&to.session).expect("a frame for a session that has ended");
                    assert!(!frame.contains(&b'\n'), "one message is one line");
                    let frame: Value = serde_json::from_slice(&frame).expect("a frame is JSON");
                    assert_eq!(frame["jsonrpc"], "2.0");
                    match sent {
                        OutgoingKind::Answer(code) => {
                            counts[1] += 1;
                            assert!(counts[1] <= counts[0], "more answers than messages: {frame}");
                            assert_eq!(frame["error"]["code"].as_i64(), code, "{frame}");
                            self.keep(&frame["result"]);
                        }
                        OutgoingKind::Notification => {
                            assert!(frame.get("id").is_none() && frame["method"].is_string())
                        }
                        OutgoingKind::Request => assert!(frame["id"].is_u64() && frame["method"].is_string()),
                    }
                }
                Effect::Run(run) => {
                    assert!(!self.over.contains(&run.request), "it is over and runs");
                    if !self.running.contains(&run.request) {
                        self.running.push(run.request);
                    }
                    let most = REQUESTS + 2 + SESSIONS * WAITING;
                    assert!(self.server.open_counts()[1] <= most, "more requests than the bound");
                }
                Effect::Store { ticket, operation } => {
                    assert!(self.store.is_some(), "there is no store");
                    self.asked.push_back(Asked::Operation(ticket, *operation));
                }
                Effect::Claim { request, .. } => self.asked.push_back(Asked::Claim(request)),
                Effect::Withdrawn { request, .. } => {
                    assert!(self.over.insert(request), "withdrawn twice");
                }
                _ => {}
            }
        }
        while self.server.discarded().is_some() {}
        let open = self.server.open_counts();
        assert_eq!(open[0], self.sessions.len() - self.single.len());
        // A session that is one request ends with the answer.
        let is_answered = |session: &&SessionId| self.sessions[*session][1] > 0;
        let ended: Vec<SessionId> = self.single.iter().filter(is_answered).copied().collect();
        let is_any = !ended.is_empty();
        for session in ended {
            self.server.close(session);
            self.sessions.remove(&session);
            self.single.remove(&session);
        }
        if is_any {
            self.collect();
        }
    }

    /// Keeps what a client would give back.
    fn keep(&mut self, result: &Value) {
        for member in ["requestState", "nextCursor", "taskId"] {
            if let Some(text) = result[member].as_str()
                && self.given.len() < 64
            {
                self.given.push(text.to_owned());
            }
        }
    }
}

/// A folder with skills of these names.
fn skills(names: &[&str]) -> SkillSet {
    let mut set = SkillSet::default();
    for name in names {
        let root = format!("skill://{name}");
        let uri = format!("{root}/SKILL.md");
        let resource = json!({"uri": uri, "name": name}).to_string();
        set.files.insert(uri.clone(), json!({"contents": [{"uri": uri, "text": "x"}]}).to_string().into());
        set.folders.insert(root, vec![resource.clone(), resource.clone(), resource.clone()]);
        let entry = json!({"uri": uri, "frontmatter": {"name": name}, "resources": []}).to_string();
        set.skills.push(Skill { uri, resource, entry });
    }
    set
}
