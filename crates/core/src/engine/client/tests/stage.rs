//! An engine on a stage: the clock moves only when the test moves it, and everything the engine does is kept for the
//! test to look at. Each call and each one who connects has a ticket of its own, so that a mix-up would show.

use crate::engine::telemetry::RequestSpan;
use crate::engine::{
    CallOptions, CallRequest, Counters, Effect, Engine, Error, Event, ExchangeFailure, FailureKind,
    LogRecord, Reply, RpcError, Settings, Shape, State, Status,
};
use crate::protocol::{Era, Frame, FrameKind, Params, Revision, method};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// One thing the engine did.
#[derive(Debug)]
pub enum Saw {
    Opened(u64),
    Sent(Value),
    Ended { call: u64, reply: Reply },
    Connected(Result<(), Error>),
    Notified { method: String, params: Value },
    Told { call: u64, tag: u64, method: String, params: Value },
    Asked { key: u64, call: u64, method: String, params: Value },
    Progressed { call: u64, tag: u64, params: Value },
    Moved { from: State, to: State, reason: String, next_attempt: Option<Instant> },
    Shut(u64),
    Aborted(u64),
    Listens(u64),
    Logged(LogRecord),
}

/// A call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    pub call: u64,
    ticket: u64,
}

pub struct Stage {
    pub engine: Engine<u64>,
    pub now: Instant,
    tickets: u64,
    pub sent: Vec<Value>,
    /// What was told for OpenTelemetry.
    pub traced: Vec<RequestSpan>,
    /// Those of the last handshake.
    pub shaken: Vec<RequestSpan>,
    saw: Vec<Saw>,
    replies: HashMap<u64, Reply>,
    connects: HashMap<u64, Result<(), Error>>,
    /// What other clients were told of the server's era.
    pub remembered: Vec<Option<Shape>>,
}

pub fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Settings that permit only the legacy era, so that no probe comes first.
pub fn legacy() -> Settings {
    let allowed = Revision::ALL.into_iter().filter(|revision| revision.era() == Era::Legacy).collect();
    Settings { allowed, ..Settings::default() }
}

/// Settings that permit only the modern era.
pub fn modern() -> Settings {
    Settings { allowed: vec![Revision::LATEST_MODERN], ..Settings::default() }
}

/// Settings with these client capabilities.
pub fn declaring(settings: Settings, capabilities: &Value) -> Settings {
    let capabilities = capabilities.as_object().cloned().unwrap_or_default();
    Settings { capabilities, ..settings }
}

/// What a modern server answers to the probe.
pub fn discovery() -> Value {
    json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete",
           "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern"}}})
}

/// What a legacy server answers to `initialize`.
pub fn initialized_at(revision: &str) -> Value {
    json!({"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": {"name": "legacy"}})
}

impl Stage {
    /// An engine at rest.
    pub fn new(settings: Settings) -> Stage {
        let mut engine = Engine::new(settings);
        engine.set_verbosity(5);
        Stage {
            engine,
            now: Instant::now(),
            tickets: 1000,
            sent: Vec::new(),
            traced: Vec::new(),
            shaken: Vec::new(),
            saw: Vec::new(),
            replies: HashMap::new(),
            connects: HashMap::new(),
            remembered: Vec::new(),
        }
    }

    /// A connection that waits for the answer to its first request.
    pub fn opened(settings: Settings) -> Stage {
        let mut stage = Stage::new(settings);
        stage.connect(None);
        stage.open();
        stage
    }

    /// A ready connection to a server of the era that these settings lead to.
    pub fn ready(settings: Settings) -> Stage {
        let mut stage = Stage::opened(settings);
        stage.shake_hands();
        stage.take();
        stage.sent();
        stage
    }

    /// A ready connection to a legacy server of this revision.
    pub fn ready_at(revision: Revision, settings: Settings) -> Stage {
        Stage::ready(Settings { allowed: vec![revision], ..settings })
    }

    /// Answers whichever handshake request is under way as a good server does.
    pub fn shake_hands(&mut self) {
        let request = self.sent().pop().expect("a handshake request");
        let result = match request["method"].as_str() {
            Some("server/discover") => discovery(),
            Some("initialize") => {
                initialized_at(request["params"]["protocolVersion"].as_str().expect("a version"))
            }
            other => panic!("{other:?} is no handshake"),
        };
        self.answer(&request, &result);
        assert_eq!(self.engine.state(), State::Ready);
        let is_of_it = |span: &RequestSpan| {
            matches!(&*span.method, "initialize" | "server/discover" | "notifications/initialized")
        };
        (self.shaken, self.traced) = std::mem::take(&mut self.traced).into_iter().partition(is_of_it);
    }

    pub fn open(&mut self) {
        self.engine.opened(self.now, self.engine.generation());
        self.collect();
    }

    pub fn connect(&mut self, timeout: Option<Duration>) -> u64 {
        self.tickets += 1;
        self.engine.connect(self.now, timeout, self.tickets);
        self.collect();
        self.tickets
    }

    /// What the one with this ticket was told of the connection, if anything yet.
    pub fn connected(&self, ticket: u64) -> Option<Result<(), Status>> {
        self.connects.get(&ticket).map(|outcome| outcome.clone().map_err(|error| error.status))
    }

    /// What the one with this ticket was told why there is no connection.
    pub fn connect_error(&self, ticket: u64) -> Option<&Error> {
        self.connects.get(&ticket).and_then(|outcome| outcome.as_ref().err())
    }

    pub fn try_call(
        &mut self,
        method: &str,
        params: Option<&str>,
        options: &CallOptions,
    ) -> Result<Made, Error> {
        self.tickets += 1;
        let ticket = self.tickets;
        let params =
            params.map(|text| Params::check_of(method::find(method), text, 128).expect("valid parameters"));
        let request = CallRequest { method, params, options, ticket, tag: ticket * 10 };
        let call = self.engine.call(self.now, request);
        self.collect();
        call.map(|call| Made { call, ticket })
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is made at the call nearly everywhere")]
    pub fn call_with(&mut self, method: &str, options: CallOptions) -> Made {
        self.try_call(method, None, &options).expect("the call is accepted")
    }

    pub fn call(&mut self, method: &str) -> Made {
        self.call_with(method, CallOptions::default())
    }

    /// Makes a call that is not accepted.
    pub fn refused_call(&mut self, method: &str) -> Error {
        self.try_call(method, None, &CallOptions::default()).expect_err("the call is refused")
    }

    pub fn cancel(&mut self, made: Made, reason: &str) -> bool {
        let was_there = self.engine.cancel(self.now, made.call, reason);
        self.collect();
        was_there
    }

    /// Cancels the calls up to one.
    pub fn cancel_all(&mut self, last: Made, reason: &str) {
        self.engine.cancel_all(self.now, last.call, |_| true, reason);
        self.collect();
    }

    pub fn set_roots(&mut self, roots: &str) -> Result<(), Error> {
        let outcome = self.engine.set_roots(roots.to_owned());
        self.collect();
        outcome
    }

    pub fn close(&mut self) {
        self.engine.close(self.now);
        self.collect();
    }

    pub fn lose(&mut self, why: &str) {
        let error = Error::new(Status::Transport, "connection", why);
        self.engine.lost(self.now, self.engine.generation(), error);
        self.collect();
    }

    /// An exchange fails.
    pub fn fail(&mut self, exchange: u64, failure: ExchangeFailure) {
        self.engine.exchange_failed(self.now, self.engine.generation(), exchange, failure);
        self.collect();
    }

    /// A frame arrives in the answer to an exchange.
    pub fn frame_in(&mut self, exchange: u64, frame: &Value) {
        let frame = frame.to_string().into_bytes();
        self.engine.frame_on(self.now, self.engine.generation(), Some(exchange), frame);
        self.collect();
    }

    /// The stream of the server's own messages is open, or cannot be had.
    pub fn listening(&mut self) {
        self.engine.incoming_is_open(self.now, self.engine.generation());
        self.collect();
    }

    /// The server says that there is no such session.
    pub fn end_session(&mut self, exchange: Option<u64>) {
        self.end_session_saying(exchange, None);
    }

    /// The same, with an error of JSON-RPC.
    pub fn end_session_saying(&mut self, exchange: Option<u64>, spoken: Option<RpcError>) {
        let error = Error::new(Status::Transport, "connection", "the session has ended");
        let failure = ExchangeFailure { kind: FailureKind::SessionGone, error, http: None, spoken };
        let _ends_or_not = self.engine.session_ended(self.now, self.engine.generation(), exchange, failure);
        self.collect();
    }

    /// Time passes, and the engine is told at its end.
    pub fn pass(&mut self, duration: Duration) {
        self.now += duration;
        self.engine.tick(self.now);
        self.collect();
    }

    /// Time passes until the next thing is due.
    pub fn pass_to_deadline(&mut self) -> Duration {
        let at = self.engine.next_deadline().expect("something is due");
        let wait = at.saturating_duration_since(self.now);
        self.pass(wait);
        wait
    }

    /// Has a lost or failed connection opened again, and gives the wait before it.
    pub fn come_back(&mut self) -> Duration {
        assert_eq!(self.engine.state(), State::Backoff);
        let at = self.engine.next_attempt().expect("an attempt is planned");
        let wait = at.saturating_duration_since(self.now);
        self.pass(wait);
        assert_eq!(self.engine.state(), State::Starting);
        wait
    }

    /// A frame arrives.
    pub fn text(&mut self, frame: impl AsRef<[u8]>) {
        self.engine.frame(self.now, self.engine.generation(), frame.as_ref().to_vec());
        self.collect();
    }

    pub fn frame(&mut self, frame: &Value) {
        self.text(frame.to_string());
    }

    pub fn answer(&mut self, request: &Value, result: &Value) {
        self.frame(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    pub fn refuse(&mut self, request: &Value, code: i64, data: &Value) {
        let error = json!({"code": code, "message": "no", "data": data});
        self.frame(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}));
    }

    pub fn notified(&mut self, method: &str, params: &Value) {
        self.frame(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The frames sent since this was last asked.
    pub fn sent(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.sent)
    }

    /// The only frame sent since this was last asked.
    pub fn sent_one(&mut self) -> Value {
        let mut sent = self.sent();
        assert_eq!(sent.len(), 1, "one frame: {sent:?}");
        sent.remove(0)
    }

    /// The methods of the frames sent since this was last asked.
    pub fn sent_methods(&mut self) -> Vec<String> {
        self.sent().iter().map(|frame| frame["method"].as_str().unwrap_or("-").to_owned()).collect()
    }

    /// What the engine did since this was last asked, in order.
    pub fn take(&mut self) -> Vec<Saw> {
        std::mem::take(&mut self.saw)
    }

    pub fn reply(&self, made: Made) -> Option<&Reply> {
        self.replies.get(&made.ticket)
    }

    /// How a call has ended.
    pub fn status(&self, made: Made) -> Status {
        match self.reply(made).expect("the call has ended") {
            Ok(_) => Status::Ok,
            Err(error) => error.status,
        }
    }

    /// The error a call has ended with.
    pub fn error(&self, made: Made) -> &Error {
        self.reply(made).expect("the call has ended").as_ref().expect_err("with an error")
    }

    /// The result a call has ended with.
    pub fn result(&self, made: Made) -> Value {
        let body = self.reply(made).expect("the call has ended").as_ref().expect("with a result");
        serde_json::from_slice(body.json.of(&body.frame)).expect("JSON")
    }

    pub fn counters(&self) -> Counters {
        self.engine.counters()
    }

    fn collect(&mut self) {
        while let Some(effect) = self.engine.effect() {
            let saw = match effect {
                Effect::Open { generation, shape: _ } => Saw::Opened(generation),
                Effect::Shut { generation } => Saw::Shut(generation),
                Effect::Log(record) => Saw::Logged(record),
                Effect::Traced(span) => {
                    self.traced.push(*span);
                    continue;
                }
                Effect::Emit(event) => seen(event),
                Effect::Abort { exchange } => Saw::Aborted(exchange),
                Effect::Listen { generation } => Saw::Listens(generation),
                Effect::Remember(shape) => {
                    self.remembered.push(shape);
                    continue;
                }
                Effect::Send { frame, .. } => {
                    assert!(!frame.text.contains(&b'\n'), "one line each");
                    let exchange = frame.exchange();
                    check_info(&frame);
                    let frame: Value = serde_json::from_slice(&frame.text).expect("the engine writes JSON");
                    // A request's exchange is its id; nothing else has one.
                    let is_request = frame.get("method").is_some() && frame.get("id").is_some();
                    assert_eq!(frame["id"].as_u64().filter(|_| is_request), exchange);
                    self.sent.push(frame.clone());
                    Saw::Sent(frame)
                }
                Effect::Complete { call, ticket, reply } => {
                    let before = self.replies.insert(ticket, reply.clone());
                    assert!(before.is_none(), "call {call} has ended twice");
                    Saw::Ended { call, reply }
                }
                Effect::Connected { ticket, outcome } => {
                    let before = self.connects.insert(ticket, outcome.clone());
                    assert!(before.is_none(), "ticket {ticket} was answered twice");
                    Saw::Connected(outcome)
                }
            };
            self.saw.push(saw);
        }
    }
}

/// What the engine says of a frame is what stands in it.
fn check_info(frame: &Frame) {
    let Frame { text, info } = frame;
    let value: Value = serde_json::from_slice(text).expect("the engine writes JSON");
    let is = |name: &str| value.get(name).is_some();
    let kind = match (is("method"), is("id")) {
        (true, true) => FrameKind::Request(value["id"].as_u64().expect("a number")),
        (true, false) => FrameKind::Notification,
        (false, _) => FrameKind::Answer,
    };
    assert_eq!(info.kind, kind);
    assert_eq!(info.method, value["method"].as_str().unwrap_or_default());
    let params = info.params(text).map(|params| serde_json::from_str::<Value>(params).expect("JSON"));
    assert_eq!(params.as_ref(), value.get("params"));
    let member = method::find(&info.method).and_then(|row| row.header_member);
    let name = member.and_then(|member| value["params"][member].as_str());
    assert_eq!(info.name(text).as_deref(), name);
}

fn seen(event: Event) -> Saw {
    let parsed = |frame: &[u8], span: Option<crate::json::Span>| match span {
        Some(span) => serde_json::from_slice(span.of(frame)).expect("JSON"),
        None => Value::Null,
    };
    let name = |frame: &[u8], method| parsed(frame, Some(method)).as_str().expect("a name").to_owned();
    match event {
        Event::Notification { frame, method, params } => {
            Saw::Notified { method: name(&frame, method), params: parsed(&frame, params) }
        }
        Event::Task { frame, method, params, call, tag } => {
            Saw::Told { call, tag, method: name(&frame, method), params: parsed(&frame, params) }
        }
        Event::Request { frame, method, params, key, call, .. } => {
            Saw::Asked { key, call, method: name(&frame, method), params: parsed(&frame, params) }
        }
        Event::Progress { frame, params, call, tag } => {
            Saw::Progressed { call, tag, params: parsed(&frame, Some(params)) }
        }
        Event::State { from, to, reason, next_attempt } => Saw::Moved { from, to, reason, next_attempt },
    }
}
