//! An engine on a stage: bytes become events, and what comes out is held to what the engine promises.

use crate::traffic::{ERRORS, METHODS, NOTIFICATIONS, PARAMS, RESULTS};
use crate::{Input, text};
use mcp::engine::{
    CallOptions, CallRequest, Effect, Engine, Error, Event, ExchangeFailure, FailureKind, Feature,
    ListLimits, LoginWait, Reply, RequestAnswer, Retry, Settings, State, Status, TaskSettings, ToolModes,
    Wire,
};
use mcp::json::{Span, scan_value};
use mcp::protocol::{Era, Params, Revision};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Requests of the server that may wait, calls that may be under way, and those of stateful tools that may stand in line.
const REQUESTS: usize = 4;
const CALLS: usize = 40;
const IN_LINE: usize = 2;
/// The most that a call may take, as a task or not.
const LIFE: Duration = Duration::from_secs(900);

pub struct Stage {
    engine: Engine<u64>,
    now: Instant,
    settings: Settings,
    /// Calls without an outcome: their tickets.
    calls: HashMap<u64, u64>,
    /// Those who wait for the connection.
    connects: HashSet<u64>,
    tickets: u64,
    /// Ids of the requests sent on the current connection, the newest last, and all there ever were.
    sent: Vec<u64>,
    ids: HashSet<u64>,
    /// Those of them that asked to become a task, which are ended as tasks only.
    as_tasks: HashSet<u64>,
    /// Requests of the current connection that were answered: there is nothing left of them to be ended.
    answered: HashSet<u64>,
    /// Whether parameters of the input itself say what the library says otherwise.
    says_it_itself: bool,
    /// The session that requests name, and the connection that it belongs to.
    session: Option<(u64, String)>,
    /// Requests of the server that can be answered.
    keys: Vec<u64>,
    /// Connections that were opened and not yet told to end.
    open: HashSet<u64>,
    shut: Vec<u64>,
    state: State,
}

impl Stage {
    pub fn new(input: &mut Input<'_>) -> Stage {
        let choice = input.byte();
        let more = input.byte();
        let era = [None, None, Some(Era::Legacy), Some(Era::Modern)][usize::from(choice & 3)];
        let allowed = Revision::ALL.into_iter().filter(|it| era.is_none_or(|era| it.era() == era)).collect();
        let mut capabilities = match choice & 12 {
            0 => json!({}),
            4 => json!({"roots": {"listChanged": true}}),
            _ => json!({"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}),
        };
        let tasks = more & 64 != 0;
        if tasks {
            capabilities["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
        }
        let defaults = Settings::default();
        let settings = Settings {
            allowed,
            capabilities: capabilities.as_object().cloned().unwrap_or_default(),
            roots: (choice & 16 != 0).then(|| r#"{"roots":[]}"#.to_owned()),
            wait_when_unavailable: choice & 32 != 0,
            retry: if choice & 64 == 0 { Retry::Never } else { Retry::Safe },
            reconnect: defaults.reconnect.clone().filter(|_| choice & 128 == 0).map(|reconnect| {
                mcp::engine::Reconnect { max_attempts: (more & 1 == 1).then_some(3), ..reconnect }
            }),
            wire: if more & 2 == 0 { Wire::Stream } else { Wire::Http },
            capability_checks: more & 4 == 0,
            change_notifications: more & 8 == 0,
            json_depth: if more & 16 == 0 { 64 } else { 4 },
            server_requests: REQUESTS,
            in_flight: CALLS,
            lists: ListLimits { pages: 5, items: 20, bytes: 2_000 },
            tasks: tasks.then(|| TaskSettings { limit: 3, life: LIFE, ..TaskSettings::default() }),
            result_types: tasks.then(|| "partial".to_owned()).into_iter().collect(),
            tool_modes: (more & 128 != 0).then_some(ToolModes { waiting: IN_LINE, secret: [7, 8] }),
            seed: u64::from(more),
            ..defaults
        };
        let mut engine = Engine::new(settings.clone());
        engine.set_verbosity(if more & 32 == 0 { 5 } else { 0 });
        Stage {
            engine,
            now: Instant::now(),
            settings,
            calls: HashMap::new(),
            connects: HashSet::new(),
            tickets: 0,
            sent: Vec::new(),
            ids: HashSet::new(),
            as_tasks: HashSet::new(),
            answered: HashSet::new(),
            says_it_itself: false,
            session: None,
            keys: Vec::new(),
            open: HashSet::new(),
            shut: Vec::new(),
            state: State::Idle,
        }
    }

    /// One event, and what comes of it.
    pub fn event(&mut self, input: &mut Input<'_>) {
        let (now, generation) = (self.now, self.generation(input));
        match input.byte() % 24 {
            0 => self.connect(input.bool().then(|| Duration::from_millis(input.number()))),
            1..=3 => self.call(input),
            4 => {
                let params = Params::check(input.pick(&PARAMS), 64).ok();
                let method =
                    input.pick(&["notifications/roots/list_changed", "notifications/cancelled", "mine"]);
                drop(self.engine.notify(now, method, params));
            }
            5 => {
                let call = self.any_call(input);
                let was_there = self.calls.contains_key(&call);
                assert_eq!(self.engine.cancel(now, call, if input.bool() { "" } else { "why" }), was_there);
            }
            6 | 7 => self.engine.opened(now, generation),
            8 => {
                let error = Error::new(Status::Transport, "connection", "gone");
                match input.below(3) {
                    0 => self.engine.lost(now, generation, error),
                    1 => self.engine.failed_to_start(now, generation, error),
                    _ => {
                        let exchange = input.bool().then(|| self.exchange(input));
                        let kind = FailureKind::SessionGone;
                        let failure = ExchangeFailure { kind, error, http: None, spoken: None };
                        let _ends_or_not = self.engine.session_ended(now, generation, exchange, failure);
                    }
                }
            }
            9 | 10 => {
                let frame = input.until(0).to_vec();
                self.engine.frame(now, generation, frame);
            }
            11..=14 => {
                let known = RESULTS.get(input.below(32));
                let result = known.map_or_else(|| text(input.until(0)), |result| (*result).into());
                let exchange = self.exchange(input);
                let frame = format!(r#"{{"jsonrpc":"2.0","id":{exchange},"result":{result}}}"#);
                let on = input.bool().then_some(exchange);
                let arrives = generation == self.engine.generation() && self.sent.contains(&exchange);
                if known.is_some() && arrives {
                    self.answered.insert(exchange);
                }
                self.engine.frame_on(now, generation, on, frame.into_bytes());
            }
            15 => {
                let (code, data) = input.pick(&ERRORS);
                let id = self.exchange(input);
                let frame = format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no","data":{data}}}}}"#
                );
                self.engine.frame(now, generation, frame.into_bytes());
            }
            16 | 17 => {
                let frame = input.pick(&NOTIFICATIONS).replace('$', &self.exchange(input).to_string());
                self.engine.frame(now, generation, frame.into_bytes());
            }
            18 | 19 => self.pass(Duration::from_millis(input.number() * if input.bool() { 1 } else { 50 })),
            20 => self.respond(input),
            21 => match input.below(4) {
                0 => self.engine.incoming_is_open(now, generation),
                1 => {
                    let id = input.bool().then(|| self.exchange(input));
                    self.engine.oversized(now, generation, id, 1 << 30, 1 << 20);
                }
                2 => drop(self.engine.set_roots(r#"{"roots":[{"uri":"file:///x"}]}"#.to_owned())),
                _ => {
                    let exchange = self.exchange(input);
                    let wait = input.pick(&[LoginWait::Person, LoginWait::Servers, LoginWait::Over]);
                    self.engine.waits_for_login(now, generation, exchange, wait);
                }
            },
            22 => {
                let kind = input.pick(&[FailureKind::Unreachable, FailureKind::Refused, FailureKind::Lost]);
                let http = input.pick(&[None, Some(400), Some(401), Some(404), Some(405), Some(500)]);
                let error = Error::new(Status::Transport, "connection", "an exchange failed");
                let failure = ExchangeFailure { kind, error, http, spoken: None };
                let exchange = self.exchange(input);
                self.engine.exchange_failed(now, generation, exchange, failure);
            }
            _ => match input.below(16) {
                0 => self.engine.close(now),
                _ => {
                    if let Some(generation) = self.shut.pop() {
                        self.engine.shut(generation);
                    }
                }
            },
        }
        self.effects();
    }

    /// Closes, and looks whether anybody was forgotten.
    pub fn end(mut self) {
        self.engine.close(self.now);
        self.effects();
        while let Some(generation) = self.shut.pop() {
            self.engine.shut(generation);
            self.effects();
        }
        assert_eq!(self.engine.state(), State::Closed);
        assert!(self.calls.is_empty(), "calls without an outcome: {:?}", self.calls);
        assert!(self.connects.is_empty(), "not told: {:?}", self.connects);
        assert_eq!((self.engine.pending(), self.engine.waiting_bytes()), (0, 0));
        assert!(self.open.is_empty(), "connections were not told to end: {:?}", self.open);
        assert_eq!(self.engine.next_deadline(), None, "nothing is due any more");
    }

    /// Mostly the current connection.
    fn generation(&self, input: &mut Input<'_>) -> u64 {
        let current = self.engine.generation();
        if input.byte() < 8 { current.wrapping_sub(1) } else { current }
    }

    /// One of the last requests that were sent, or none that ever was.
    fn exchange(&self, input: &mut Input<'_>) -> u64 {
        let back = input.below(8);
        self.sent.iter().rev().nth(back).copied().unwrap_or(back as u64)
    }

    fn any_call(&self, input: &mut Input<'_>) -> u64 {
        let mut calls: Vec<u64> = self.calls.keys().copied().collect();
        calls.sort_unstable();
        let at = input.below(16);
        calls.get(at % calls.len().max(1)).copied().unwrap_or(at as u64 + 1_000_000)
    }

    fn connect(&mut self, timeout: Option<Duration>) {
        self.tickets += 1;
        self.connects.insert(self.tickets);
        self.engine.connect(self.now, timeout, self.tickets);
    }

    fn call(&mut self, input: &mut Input<'_>) {
        let choice = input.byte();
        let options = CallOptions {
            timeout: (choice & 1 == 1).then(|| Duration::from_millis(input.number())),
            reset_on_progress: (choice & 2 != 0).then_some(true),
            progress: choice & 4 != 0,
            meta: if choice & 8 == 0 { String::new() } else { r#""mine":{"a":1}"#.to_owned() },
            feature: [Feature::Raw, Feature::Plain, Feature::AllPages, Feature::Plain]
                [usize::from(choice >> 4 & 3)],
            task: [None, Some(true), Some(false), Some(true)][usize::from(choice >> 6)],
            task_ttl: (choice >> 6 == 3).then(|| Duration::from_millis(input.number())),
            ..CallOptions::default()
        };
        let method = input.pick(&METHODS);
        let own = text(input.until(0)).into_owned();
        let params = PARAMS.get(input.below(16)).copied().unwrap_or(&own);
        self.says_it_itself |= serde_json::from_str::<Value>(params).is_ok_and(|params| {
            params.get("task").is_some()
                || params.get("_meta").is_some_and(|meta| meta.get("session_id").is_some())
        });
        let params = Params::check(params, self.settings.json_depth).ok();
        self.tickets += 1;
        let request = CallRequest { method, params, options: &options, ticket: self.tickets, tag: 7 };
        match self.engine.call(self.now, request) {
            Ok(call) => assert!(self.calls.insert(call, self.tickets).is_none(), "a number of its own"),
            Err(error) => assert!(!error.message.is_empty()),
        }
        assert!(self.engine.pending() <= CALLS);
    }

    fn respond(&mut self, input: &mut Input<'_>) {
        let at = input.below(8);
        let Some(key) = self.keys.get(at).copied() else { return };
        match input.below(4) {
            0 => self.engine.abandon(self.now, key),
            3 => drop(self.engine.respond(self.now, key, RequestAnswer::Result(r#"{"action":"accept"}"#))),
            1 => drop(self.engine.respond(self.now, key, RequestAnswer::Result(r#"{"action":"decline"}"#))),
            _ => {
                let answer = RequestAnswer::Error { code: -1, message: "no\n", data: Some("{\n}") };
                drop(self.engine.respond(self.now, key, answer));
            }
        }
        self.keys.remove(at);
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.engine.tick(self.now);
        let next = self.engine.next_deadline();
        assert!(
            next.is_none_or(|at| at > self.now),
            "what is due stays due: a thread that waits for it would spin"
        );
        self.effects();
        for call in self.calls.keys() {
            let deadline = self.engine.deadline_of(*call).expect("a call under way has a deadline");
            assert!(deadline > self.now, "a call outlives its deadline");
            assert!(deadline <= self.now + LIFE, "a call with time without an end");
        }
    }

    fn effects(&mut self) {
        for _ in 0..5_000 {
            let Some(effect) = self.engine.effect() else {
                assert_eq!(self.state, self.engine.state(), "every change of state is told");
                assert!(
                    self.engine.unanswered() <= REQUESTS * (CALLS + 1),
                    "requests of the server are bounded"
                );
                let session = self.engine.session();
                assert_eq!(session.is_some(), self.settings.tool_modes.is_some());
                assert!(session.is_none_or(|it| it.waiting <= IN_LINE), "more in line than may");
                return;
            };
            self.effect(effect);
        }
        panic!("one event has no end of effects");
    }

    fn effect(&mut self, effect: Effect<u64>) {
        match effect {
            Effect::Open { generation, .. } => {
                assert!(self.open.insert(generation), "each connection is opened once");
                self.sent.clear();
                self.answered.clear();
            }
            Effect::Shut { generation } => {
                assert!(self.open.remove(&generation), "only what was opened is told to end, once");
                self.shut.push(generation);
            }
            Effect::Send { frame, .. } => self.sends(&frame.text, frame.exchange()),
            Effect::Complete { call, ticket, reply } => {
                assert_eq!(
                    self.calls.remove(&call),
                    Some(ticket),
                    "one outcome for each call, and only for calls"
                );
                check_reply(&reply);
            }
            Effect::Connected { ticket, outcome } => {
                assert!(self.connects.remove(&ticket), "told once");
                drop(outcome.map_err(|error| error.to_json()));
            }
            Effect::Emit(event) => self.emitted(event),
            Effect::Log(record) => assert!(!record.event.is_empty()),
            Effect::Traced(operation) => assert!(operation.decision.is_kept),
            Effect::Abort { .. } | Effect::Listen { .. } | Effect::Remember(_) => {
                assert_eq!(self.settings.wire, Wire::Http);
            }
        }
    }

    fn sends(&mut self, frame: &[u8], exchange: Option<u64>) {
        assert!(!frame.contains(&b'\n') && !frame.contains(&b'\r'), "one line each");
        let message: Value = match serde_json::from_slice(frame) {
            Ok(message) => message,
            // What an application passed through may be JSON that serde_json does not take: numbers without end.
            Err(_) => {
                assert!(scan_value(frame, 128).is_ok(), "JSON: {}", frame.escape_ascii());
                Value::Null
            }
        };
        if message.get("method").is_some() && message.get("id").is_some() {
            let id = message["id"].as_u64().expect("our ids are numbers");
            assert!(self.ids.insert(id), "an id of its own");
            assert_eq!(exchange, Some(id));
            if message["params"].get("task").is_some() && !self.says_it_itself {
                self.as_tasks.insert(id);
            }
            self.names_session(&message["params"]["_meta"]["session_id"]);
        }
        if message["method"] == "notifications/cancelled" {
            let is_in = |ids: &HashSet<u64>| {
                message["params"]["requestId"].as_u64().is_some_and(|id| ids.contains(&id))
            };
            assert!(!is_in(&self.as_tasks), "what asked to become a task is ended as one");
            assert!(!is_in(&self.answered) || self.says_it_itself, "what is answered needs no end");
        }
        self.sent.extend(exchange);
    }

    /// One session for each connection that has any.
    fn names_session(&mut self, id: &Value) {
        let Some(id) = id.as_str().filter(|_| !self.says_it_itself) else { return };
        assert!(self.settings.tool_modes.is_some(), "a session that is not wanted");
        let generation = self.engine.generation();
        if let Some((of, known)) = &self.session {
            assert_eq!(*of == generation, known == id, "one session for each connection");
        }
        self.session = Some((generation, id.to_owned()));
    }

    fn emitted(&mut self, event: Event) {
        let json = |frame: &[u8], span: Span| assert!(scan_value(span.of(frame), 128).is_ok());
        match event {
            Event::State { from, to, .. } => {
                assert_eq!(from, self.state);
                self.state = to;
            }
            Event::Notification { frame, method, params } => {
                json(&frame, method);
                params.into_iter().for_each(|params| json(&frame, params));
            }
            Event::Task { frame, method, params, call, .. } => {
                json(&frame, method);
                params.into_iter().for_each(|params| json(&frame, params));
                assert!(self.calls.contains_key(&call), "a task's state after its call has ended");
            }
            Event::Request { frame, method, params, key, .. } => {
                json(&frame, method);
                params.into_iter().for_each(|params| json(&frame, params));
                assert!(!self.keys.contains(&key));
                self.keys.push(key);
            }
            Event::Progress { frame, params, call, .. } => {
                json(&frame, params);
                assert!(self.calls.contains_key(&call), "progress of a call that has ended");
            }
        }
    }
}

fn check_reply(reply: &Reply) {
    match reply {
        Ok(body) => assert!(scan_value(body.json.of(&body.frame), 128).is_ok(), "a result is JSON"),
        Err(error) => {
            assert!(serde_json::from_str::<Value>(&error.to_json()).is_ok() && !error.message.is_empty());
        }
    }
}
