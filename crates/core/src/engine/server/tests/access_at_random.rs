//! Random requests over all methods, rules and tokens: no handler runs and no text of an entry leaves without its scopes.
//!
//! What may leave is told by marks in the texts of entries, and by what a careless server would make of a URI: neither knows how the engine
//! looks for an entry.

use super::access::{open, principal};
use super::{Random, Stage, extensions, settings};
use crate::engine::server::{AccessRules, Outcome, ScopesByName, SessionId, Settings, TaskOptions};
use crate::protocol::method::METHODS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What rules may be about, by kind; the scope of each is its name here.
const TOOLS: [&str; 2] = ["t0", "t1"];
const PROMPTS: [&str; 1] = ["p0"];
const RESOURCES: [&str; 8] = [
    "x://fixed/0",
    "x://handled/0",
    "y://{id}",
    "z:///{+path}",
    "z:///secret/plan",
    "skill://a/SKILL.md",
    "skill://a/x/b",
    "skill://b",
];
const URIS: [&str; 12] = [
    "x://fixed/0",
    "x://handled/0",
    "y://7",
    "z:///secret/plan",
    "z:///open",
    "skill://a",
    "skill://a/x",
    "skill://a/SKILL.md",
    "skill://a/x/b",
    "skill://b/x/c",
    "other://behind",
    "y://{id}",
];

struct Play {
    stage: Stage,
    random: Random,
    rules: BTreeSet<String>,
    is_relay: bool,
    /// Of each request its method, and the scopes of its token.
    asked: BTreeMap<u64, (String, Vec<String>)>,
    next: u64,
    sessions: Vec<(SessionId, &'static str)>,
    /// The scopes of the newest token of each session.
    newest: BTreeMap<u64, Vec<String>>,
    tasks: Vec<String>,
    cursors: Vec<String>,
    served: usize,
    refused: usize,
}

fn chosen(random: &mut Random, names: &[&str]) -> ScopesByName {
    let mut rules = ScopesByName::new();
    for name in names.iter().filter(|_| random.next(4) > 0).collect::<Vec<_>>() {
        rules.insert((*name).to_owned(), vec![(*name).to_owned()]);
    }
    rules
}

impl Play {
    fn new(seed: u64) -> Play {
        let mut random = Random::new(seed);
        let methods: Vec<&str> = METHODS.iter().map(|it| it.name).filter(|_| random.next(8) == 0).collect();
        let access = AccessRules {
            methods: methods.iter().map(|it| ((*it).to_owned(), vec![(*it).to_owned()])).collect(),
            tools: chosen(&mut random, &TOOLS),
            prompts: chosen(&mut random, &PROMPTS),
            resources: chosen(&mut random, &RESOURCES).into(),
            lists_all: false,
        };
        let mut rules: BTreeSet<String> = methods.iter().map(|it| (*it).to_owned()).collect();
        rules.extend(access.tools.keys().chain(access.prompts.keys()).cloned());
        let text = format!("{:?}", access.resources);
        rules.extend(
            RESOURCES.iter().filter(|it| text.contains(&format!("{it:?}"))).map(|it| (*it).to_owned()),
        );
        let is_relay = random.next(2) == 0;
        let mut stage = Stage::new(Settings { access, page_size: 1 + random.next(3), ..settings() });
        stage.keeps_schema = false;
        let (now, server) = (stage.now, &mut stage.server);
        let tool = |name: &str, more: Value| {
            let mut tool = json!({ "name": name, "description": format!("MARK:{name};"), "inputSchema": { "type": "object" } });
            tool["execution"] = more;
            tool.to_string()
        };
        server.add_tool(now, &tool("t0", json!({})), "t0").expect("a tool");
        server.add_tool(now, &tool("t1", json!({ "taskSupport": "optional" })), "t1").expect("a tool");
        let prompt = r#"{"name":"p0","description":"MARK:p0;","arguments":[{"name":"who"}]}"#;
        server.add_prompt(now, prompt, "p0").expect("a prompt");
        server.complete_from("p0", "who", vec!["MARK:p0;".into()]);
        let fixed = r#"{"name":"f","uri":"x://fixed/0","description":"MARK:x://fixed/0;"}"#;
        server.add_fixed_text(now, fixed, "MARK:x://fixed/0;").expect("a resource");
        let handled = r#"{"name":"h","uri":"x://handled/0","description":"MARK:x://handled/0;"}"#;
        server.add_resource(now, handled, "x://handled/0").expect("a resource");
        // The stage has 'y://{id}'.
        server.complete_from("y://{id}", "id", vec!["MARK:y://{id};".into()]);
        let all = r#"{"name":"z","uriTemplate":"z:///{+path}","description":"MARK:z:///{+path};"}"#;
        server.add_template(now, all, "z:///{+path}").expect("a template");
        server.set_skills(now, "/f", extensions::set(&["a", "b"], "text of")).expect("skills");
        if is_relay {
            let behind = json!({ "resources": { "subscribe": true }, "completions": {} });
            server.relay("behind", behind.as_object().cloned().expect("an object"));
        }
        let mut play = Play {
            stage,
            random,
            rules,
            is_relay,
            asked: BTreeMap::new(),
            next: 100,
            sessions: Vec::new(),
            newest: BTreeMap::new(),
            tasks: vec!["none".to_owned()],
            cursors: vec!["none".to_owned()],
            served: 0,
            refused: 0,
        };
        for revision in ["2025-03-26", "2025-11-25", "2025-11-25"] {
            let session = play.stage.legacy(revision, &json!({}));
            play.sessions.push((session, revision));
        }
        for _ in 0..2 {
            let session = open(&mut play.stage, None);
            play.sessions.push((session, "2026-07-28"));
        }
        play
    }

    /// Whether a token allows what a rule is about.
    fn may(&self, scopes: &[String], rule: &str) -> bool {
        !self.rules.contains(rule) || scopes.iter().any(|scope| scope == rule)
    }

    fn uri(&mut self) -> String {
        let plain = *self.random.of(&URIS);
        let mut uri = String::new();
        let escapes = self.random.next(2) == 0;
        let (scheme, rest) = plain.split_once("://").expect("a scheme");
        uri.push_str(&if self.random.next(8) == 0 { scheme.to_uppercase() } else { scheme.to_owned() });
        uri.push_str("://");
        for byte in rest.bytes() {
            match self.random.next(12) {
                0 if escapes => uri.extend(["%", &format!("{byte:02x}")]),
                1 if escapes => uri.extend(["%25", &format!("{byte:02X}")]),
                2 if escapes && byte == b'/' => uri.push_str("/x/../"),
                3 if escapes && byte == b'/' => uri.push_str("/./"),
                4 if escapes => uri.push(char::from(byte).to_ascii_uppercase()),
                _ => uri.push(char::from(byte)),
            }
        }
        uri + *self.random.of(&["", "", "", "", "?raw", "#part", "/", "%00", "."])
    }

    fn params(&mut self, method: &str) -> Value {
        let name = *self.random.of(&["t0", "t1", "p0", "add", "p", "T0", "hidden"]);
        let uri = self.uri();
        let task = self.random.next(self.tasks.len());
        let task = self.tasks[task].clone();
        let mut params = json!({ "name": name, "uri": uri, "taskId": task });
        if method == "completion/complete" {
            let kind = *self.random.of(&["ref/prompt", "ref/resource"]);
            let of = *self.random.of(&["y://{id}", "z:///{+path}", "x://fixed/0"]);
            params["ref"] = json!({ "type": kind, "name": name, "uri": of });
            let argument = *self.random.of(&["who", "id", "path"]);
            params["argument"] = json!({ "name": argument, "value": "" });
        }
        if method == "subscriptions/listen" {
            let other = self.uri();
            params["notifications"] = json!({ "resourceSubscriptions": [uri, other], "taskIds": [task] });
        }
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        if self.random.next(3) == 0 && method.ends_with("list") {
            let at = self.random.next(self.cursors.len());
            params["cursor"] = json!(self.cursors[at]);
        }
        if method == "tools/call" && self.random.next(2) == 0 {
            params["task"] = json!({});
        }
        params
    }

    fn request(&mut self, revision: &str, scopes: &[String]) -> Value {
        let method = self.random.of(METHODS).name;
        let mut params = self.params(method);
        if revision == "2026-07-28" {
            let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
            params = Stage::modern(params, &capabilities);
        }
        if self.random.next(20) == 0 {
            return json!({ "jsonrpc": "2.0", "method": method, "params": params });
        }
        self.next += 1;
        self.asked.insert(self.next, (method.to_owned(), scopes.to_vec()));
        json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params })
    }

    fn step(&mut self) {
        let (session, revision) = *self.random.of(&self.sessions);
        let known: Vec<String> = self.rules.iter().cloned().collect();
        let scopes: Vec<String> = known.into_iter().filter(|_| self.random.next(3) > 0).collect();
        let words: Vec<&str> = scopes.iter().map(String::as_str).collect();
        self.stage.server.authorize(session, principal("ann", &words));
        self.newest.insert(session.0, scopes.clone());
        let message = match self.random.next(6) {
            0 if revision == "2025-03-26" => {
                Value::Array(vec![self.request(revision, &scopes), self.request(revision, &scopes)])
            }
            _ => self.request(revision, &scopes),
        };
        let frames = self.stage.ask(session, &message);
        self.look(&frames, &message);
        for run in std::mem::take(&mut self.stage.runs) {
            self.ran(&run.params, run.handler, run.method, run.matched.as_deref(), &message);
            if run.handler == "t1" && self.random.next(2) == 0 {
                self.stage.server.start_task(self.stage.now, run.request, TaskOptions::default());
            }
            let frames = self.stage.sent();
            self.look(&frames, &message);
            let text = format!("MARK:{};", if run.handler == "behind" { "" } else { run.handler });
            let result = match run.method {
                "resources/read" => json!({ "contents": [{ "uri": "u://u", "text": text }] }),
                "prompts/get" => json!({ "messages": [], "description": text }),
                _ => json!({ "content": [{ "type": "text", "text": text }] }),
            };
            let (_, frames) = self.stage.respond(run.request, Outcome::Result(&result.to_string()));
            self.look(&frames, &message);
        }
        for uri in URIS {
            if self.random.next(20) == 0 {
                self.stage.server.resource_updated(self.stage.now, uri);
            }
        }
        if self.random.next(5) == 0 {
            let frames = self.stage.advance(std::time::Duration::from_millis(200));
            self.look(&frames, &message);
        }
    }

    /// A handler is to run.
    fn ran(&mut self, params: &str, handler: &str, method: &str, matched: Option<&str>, message: &Value) {
        let messages = message.as_array().cloned().unwrap_or_else(|| vec![message.clone()]);
        let of: Vec<&Value> = messages
            .iter()
            .filter(|it| it["params"] == serde_json::from_str::<Value>(params).expect("JSON"))
            .collect();
        let id =
            of.iter().find_map(|it| it["id"].as_u64()).unwrap_or_else(|| panic!("whose? {params} {message}"));
        let (name, scopes) = self.asked[&id].clone();
        assert!(method.is_empty() || name == method, "{name} {method}");
        assert!(self.may(&scopes, &name), "the method {name} ran with {scopes:?}: {message}");
        let mut needed: Vec<&str> = Vec::new();
        match (handler, name.as_str()) {
            ("behind", "tools/call") => needed.extend(TOOLS),
            ("behind", "prompts/get") => needed.extend(PROMPTS),
            ("behind", "completion/complete") => {}
            ("behind", _) => needed.extend(RESOURCES),
            ("template", _) => needed.push("y://{id}"),
            (handler, _) => needed.push(handler),
        }
        let path =
            matched.map(|it| serde_json::from_str::<Value>(it).expect("JSON")["variables"]["path"].clone());
        if let Some(Value::String(path)) = path
            && taken_for(&path) == "secret/plan"
        {
            needed.push("z:///secret/plan");
        }
        for rule in needed {
            assert!(self.may(&scopes, rule), "'{rule}' was served with {scopes:?}: {message}");
        }
        self.served += 1;
    }

    /// What leaves.
    fn look(&mut self, frames: &[Value], message: &Value) {
        for frame in frames {
            let text = frame.to_string();
            if let Some(id) = frame["id"].as_u64().filter(|_| frame.get("method").is_none()) {
                let Some((method, scopes)) = self.asked.get(&id).cloned() else { panic!("{frame}") };
                self.marks(&text, &scopes, message);
                if frame.get("result").is_some() {
                    assert!(self.may(&scopes, &method), "{method} was answered with {scopes:?}: {message}");
                    for skill in ["skill://a/SKILL.md", "skill://a/x/b", "skill://b"] {
                        let is_told =
                            text.contains(&format!("{skill}\"")) || text.contains(&format!("{skill}/"));
                        assert!(!is_told || self.may(&scopes, skill), "{skill} is told: {message} {frame}");
                    }
                    self.served += 1;
                } else {
                    self.refused += usize::from(text.contains("insufficient_scope"));
                }
                if let Some(task) =
                    frame["result"]["taskId"].as_str().or(frame["result"]["task"]["taskId"].as_str())
                {
                    self.tasks.push(task.to_owned());
                }
                if let Some(cursor) = frame["result"]["nextCursor"].as_str() {
                    self.cursors.push(cursor.to_owned());
                }
                continue;
            }
            // A notification: to the session of its subscription or of its task, which any of the newest tokens may be.
            let uri = frame["params"]["uri"].as_str().filter(|it| RESOURCES.contains(it));
            if let Some(uri) = uri {
                assert!(self.newest.values().any(|scopes| self.may(scopes, uri)), "{uri} is told: {frame}");
            }
            let all: Vec<String> = self.newest.values().flatten().cloned().collect();
            self.marks(&text, &all, message);
        }
    }

    fn marks(&self, text: &str, scopes: &[String], message: &Value) {
        for mark in text.split("MARK:").skip(1) {
            let rule = mark.split(';').next().unwrap_or_default();
            assert!(self.may(scopes, rule), "the text of '{rule}' leaves with {scopes:?}: {message} {text}");
        }
    }
}

/// What a careless server takes a path for.
fn taken_for(path: &str) -> String {
    let mut path = path.to_owned();
    loop {
        let mut bytes = Vec::new();
        let mut rest = path.as_bytes();
        while let Some((first, behind)) = rest.split_first() {
            let escape =
                behind.get(..2).and_then(|it| u8::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok());
            match escape.filter(|_| *first == b'%') {
                Some(byte) => (bytes.push(byte), rest = &behind[2..]).1,
                None => (bytes.push(*first), rest = behind).1,
            }
        }
        let decoded = String::from_utf8_lossy(&bytes).into_owned();
        if decoded == path {
            break;
        }
        path = decoded;
    }
    let path = path.split(['?', '#', '\0']).next().unwrap_or_default().to_lowercase();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.trim_end_matches('.')),
        }
    }
    parts.join("/")
}

#[test]
fn no_handler_runs_and_no_text_of_an_entry_leaves_without_its_scopes() {
    let (mut served, mut refused, mut relays) = (0, 0, 0);
    for seed in 1..=80 {
        let mut play = Play::new(seed);
        for _ in 0..120 {
            play.step();
        }
        (served, refused, relays) =
            (served + play.served, refused + play.refused, relays + usize::from(play.is_relay));
    }
    assert!(served > 1000 && refused > 500 && relays > 20, "{served} {refused} {relays}");
}
