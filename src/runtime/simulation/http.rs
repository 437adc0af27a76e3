//! The two engines of HTTP between the engines, and the client's engine as its engine of HTTP sees it: what that brings is given to the
//! engine at once, and written down for the simulation.

use super::logins::Logins;
use super::network::{FaultyNetwork, NetworkEvent, PlantedFault};
use super::world::Simulation;
use super::{HttpSimulationSettings, http_settings, logins};
use crate::engine::server::{RequestId, Server};
use crate::engine::{Engine, Error, ExchangeFailure, LoginWait, Shape, State};
use crate::protocol::{Era, Frame, Revision};
use crate::runtime::clock::simulated::{SEED, WALL, Wall};
use crate::runtime::http::{Http, HttpOwner, HttpRuntime};
use crate::runtime::link::owner::{LinkContext, LinkOwner, LinkTarget, StderrTo, TransportSettings};
use crate::runtime::message::{Handler, Message};
use crate::runtime::queue::{Queue, QueueLimits};
use crate::runtime::server::http::simulated::{SimulatedExchange, SimulatedServer};
use crate::runtime::waiter::Waiter;
use crate::runtime::{clock, lock};
use crate::transport::Framing;
use crate::transport::framing::Piece;
use crate::transport::http::fetch::simulated::{Fetches, NETWORK};
use crate::transport::stderr::StderrLimits;
use mcp_core::testing::dice::Dice;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant};

/// The two engines of HTTP.
pub struct HttpPair {
    pub runtime: Arc<HttpRuntime>,
    pub http: Http,
    pub network: Arc<FaultyNetwork>,
    end: Arc<ClientEnd>,
    owner: Arc<dyn HttpOwner>,
    /// The requests at which handlers work.
    held: BTreeMap<RequestId, Message>,
    /// The answers that were brought.
    brought: BTreeSet<(u64, u64)>,
    pub limits: HttpSimulationSettings,
    /// The network doubled a message of HTTP+SSE, whose answers come on one stream.
    has_doubled: bool,
    /// The sessions whose stream the client had.
    streams: BTreeSet<String>,
}

impl HttpPair {
    pub fn new(
        dice: &mut Dice,
        runtime: Arc<HttpRuntime>,
        engine: &Arc<Mutex<Engine<u64>>>,
        is_sse: bool,
        plant: Option<PlantedFault>,
        traces: bool,
    ) -> HttpPair {
        let logs_in = dice.chance(30);
        let logins = logs_in.then(|| Logins::new(dice));
        let auth = logs_in.then(|| logins::config(dice));
        let network = FaultyNetwork::new(dice.roll(u64::MAX), plant, traces, logins);
        let fetches: Arc<dyn Fetches> = Arc::<FaultyNetwork>::clone(&network);
        NETWORK.set(Some(fetches));
        SEED.set(Some(dice.roll(u64::MAX)));
        let limits = http_settings(dice, logs_in, is_sse);
        let stirred = Arc::clone(&network);
        let end = ClientEnd::new(engine, Box::new(move || stirred.stir()), plant);
        let owner: Arc<dyn HttpOwner> = Arc::<ClientEnd>::clone(&end);
        let way = Arc::<FaultyNetwork>::clone(&network);
        let http = Http::simulated(limits.client.clone(), way, &runtime, auth);
        let (held, brought) = (BTreeMap::new(), BTreeSet::new());
        HttpPair {
            runtime,
            http,
            network,
            end,
            owner,
            held,
            brought,
            limits,
            has_doubled: false,
            streams: BTreeSet::new(),
        }
    }

    /// Starts a server.
    pub fn start(&self, engine: Server<Handler>, revisions: &[Revision]) -> SimulatedServer {
        let server =
            SimulatedServer::new(engine, self.limits.streams.clone(), self.limits.endpoint(revisions));
        self.network.lead_to(Some(server.front()));
        self.runtime.spawn(server.front().sweep());
        server
    }

    pub fn open(&self, generation: u64, shape: Shape) {
        self.http.open(&self.owner, generation, shape);
    }

    pub fn send(&self, frame: Frame, revision: Option<Revision>) {
        if let Some(exchange) = self.http.send(frame, revision) {
            self.http.run(exchange);
        }
    }

    /// Lets time pass until something happens or it is so late. Says whether anything has.
    fn go_on(&self, until: Instant) -> bool {
        self.runtime.simulate(async {
            let mut stirred = pin!(self.network.stirred());
            let mut late = pin!(tokio::time::sleep_until(until.into()));
            poll_fn(|cx| {
                if stirred.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(true);
                }
                late.as_mut().poll(cx).map(|()| false)
            })
            .await
        })
    }

    /// What the client's application is told.
    pub fn queue(&self) -> &Queue {
        self.end.queue()
    }

    fn now(&self) -> Instant {
        let _entered = self.runtime.enter();
        crate::runtime::clock::now()
    }
}

impl Simulation {
    /// Does something with the line, if the connection is HTTP.
    pub fn over_http(&self, work: impl FnOnce(&HttpPair)) {
        if let Some(line) = &self.line {
            work(line);
        }
    }

    /// A handler has returned, or answered.
    pub fn let_go(&mut self, request: RequestId) {
        let message = self.line.as_mut().and_then(|line| line.held.remove(&request));
        drop(message);
    }

    /// Time passes until the next thing happens, but not past `until`. Says whether anything did.
    pub fn go_on_over_http(&mut self, until: Instant) -> bool {
        let timer = self.due();
        let wake = timer.map_or(until, |timer| timer.min(until));
        let line = self.line.as_ref().expect("it is HTTP");
        let stirred = line.go_on(wake);
        self.now = line.now();
        self.hear();
        if self.due().is_some_and(|due| due <= self.now) {
            self.tick();
        }
        stirred || timer.is_some_and(|timer| timer <= until)
    }

    /// What the network did, and the HTTP engines brought.
    pub fn hear(&mut self) {
        let Some(line) = &self.line else { return };
        for happened in line.network.happened() {
            match happened {
                NetworkEvent::Note(text) => self.note(|| text),
                NetworkEvent::Streams(session) => {
                    if let Some(line) = &mut self.line {
                        line.streams.insert(session);
                    }
                }
                NetworkEvent::Reached(what) => self.reach(what),
                NetworkEvent::Broken(what) => panic!("{what}"),
                NetworkEvent::Fault(what, ticket) => {
                    self.cuts += 1;
                    self.reach(what);
                    if let Some(line) = &mut self.line {
                        line.has_doubled |= line.limits.is_sse && what == "doubled";
                    }
                    if let Some(call) = ticket.and_then(|ticket| self.calls.get_mut(&ticket)) {
                        call.doubled |= what == "doubled";
                        call.broke_off = true;
                    }
                }
            }
        }
        let mut taken = Vec::new();
        let heard = self.line.as_ref().map(|line| line.end.heard()).unwrap_or_default();
        for heard in heard {
            self.note(|| format!("heard {heard:?}"));
            match heard {
                ClientEvent::Frame { generation, exchange, value, is_awaited } => {
                    taken.extend(self.frame_came(generation, exchange, value, is_awaited));
                }
                ClientEvent::Failed { generation, exchange, spoken, .. } => {
                    self.cuts += 1;
                    self.task_request_failed(generation, exchange, spoken.as_ref());
                    let ticket = self.exchanges.get(&(generation, exchange));
                    if let Some(call) = ticket.and_then(|ticket| self.calls.get_mut(ticket)) {
                        call.broke_off = true;
                        call.answer = spoken.or(call.answer.take());
                    }
                }
                ClientEvent::SessionEnded => {
                    self.cuts += 1;
                    self.reach("session forgotten");
                }
                ClientEvent::Lost(_) => {
                    self.cuts += 1;
                    self.attempts_failed += 1;
                    self.reach("connection lost");
                }
                ClientEvent::Opened => {}
                ClientEvent::Login(wait) => self.login_waits(wait),
            }
        }
        self.take_login_messages();
        self.pump();
        for (ticket, value) in taken {
            self.answer_was_taken(ticket, &value);
        }
    }

    /// A frame came; gives the call that waited for it.
    fn frame_came(
        &mut self,
        generation: u64,
        exchange: Option<u64>,
        value: Value,
        is_awaited: bool,
    ) -> Option<(u64, Value)> {
        self.task_frame_comes(generation, &value, is_awaited);
        let id = value["id"].as_u64().filter(|_| value.get("method").is_none())?;
        let brought =
            self.line.as_mut().map(|line| line.brought.insert((generation, id)) || line.has_doubled);
        assert_eq!(brought, Some(true), "the answer to {id} of {generation} is brought twice");
        assert!(
            exchange.is_none_or(|exchange| exchange == id),
            "the answer to {id} on the stream of {exchange:?}"
        );
        let ticket = *self.exchanges.get(&(generation, id))?;
        let call = self.calls.get_mut(&ticket).filter(|call| is_awaited && !call.is_over)?;
        call.answer = Some(value.clone());
        Some((ticket, value))
    }

    /// What the server told its application.
    pub fn told_over_http(&mut self) -> bool {
        let Some(server) = self.http_server() else { return false };
        match server.told() {
            None => return false,
            Some(SimulatedExchange::Other) => {}
            Some(SimulatedExchange::Withdrawn { request, why }) => {
                self.let_go(request);
                self.withdrawn(request, why);
            }
            Some(SimulatedExchange::Run { request, method, params, round, is_modern, message }) => {
                if let Some(line) = &mut self.line {
                    line.held.insert(request, *message);
                }
                self.run(request, &method, &params, round, is_modern);
            }
        }
        true
    }

    /// Whether the client believes of its session (legacy era) that it is told of changes, and the server of it, if it knows it.
    pub fn is_told_over_http(&self, uri: Option<&str>) -> bool {
        let (Some(line), Some(server)) = (&self.line, self.http_server()) else { return false };
        // A handshake of both eras may leave a session that is not used.
        if self.client().revision().is_none_or(|revision| revision.era() == Era::Modern) {
            return false;
        }
        let Some(name) = line.http.session_name() else { return false };
        match server.session(&name) {
            Some(session) => server.with(|engine, _| engine.is_told_of(session, uri)),
            // It must come to know. Where it never had a stream, it learns that with its next request: a server without such a
            // stream may answer in the same way.
            None => line.limits.is_sse || line.streams.contains(&name),
        }
    }

    /// The server forgets the session of the client.
    pub fn forget_session(&mut self) {
        let (Some(line), Some(server)) = (&self.line, self.http_server()) else { return };
        if let Some(session) = line.http.session_name().and_then(|name| server.session(&name)) {
            server.forget(session);
            self.note(|| format!("the server forgets {session:?}"));
            self.hear();
        }
    }

    /// Another process serves from now on.
    pub fn restart_over_http(&mut self) {
        let Some(line) = &mut self.line else { return };
        line.network.lead_to(None);
        line.network.cut();
        // What the process held is gone with it: the application says nothing more.
        let held = std::mem::take(&mut line.held);
        self.end_host();
        drop(held);
        self.running.clear();
        self.restarts += 1;
        self.start_host();
    }

    /// The wall clock jumps.
    pub fn jump(&mut self) {
        let by = self.dice.between(0, 7200);
        self.reach("clock jump");
        self.note(|| format!("the wall clock jumps by {by} s - 3600 s"));
        self.wall = Wall { unix: self.wall.unix + by - 3600, ..self.wall };
        WALL.set(Some(self.wall));
    }

    /// Everything of HTTP ends in its time.
    pub fn end_over_http(&mut self) {
        for _ in 0..20 {
            self.pass(Duration::from_secs(1));
        }
        assert_eq!(self.client().state(), State::Closed);
        let session = self.line.as_ref().map(|line| line.limits.session()).unwrap_or_default();
        self.pass(session + Duration::from_secs(1));
        let open = self.line.as_ref().map(|line| line.network.open());
        assert_eq!(open, Some(0), "the client or the server keeps a request");
        self.check_logins_over();
        let sessions = self.http_server().map(SimulatedServer::sessions);
        assert_eq!(sessions, Some(0), "the server keeps sessions");
    }
}

/// What the HTTP engine brought.
#[derive(Debug)]
#[expect(dead_code, reason = "some of it is for the trace only")]
pub enum ClientEvent {
    Frame { generation: u64, exchange: Option<u64>, value: Value, is_awaited: bool },
    Failed { generation: u64, exchange: u64, why: String, spoken: Option<Value> },
    SessionEnded,
    Lost(String),
    Opened,
    Login(LoginWait),
}

/// Has the simulation look at what came.
pub type Stir = Box<dyn Fn() + Send + Sync>;

pub struct ClientEnd {
    context: LinkContext,
    engine: Arc<Mutex<Engine<u64>>>,
    stir: Stir,
    plant: Option<PlantedFault>,
    heard: Mutex<Vec<ClientEvent>>,
}

impl std::fmt::Debug for ClientEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientEnd").finish_non_exhaustive()
    }
}

const BYTES: usize = 1 << 20;

fn settings() -> TransportSettings {
    TransportSettings {
        endpoint: LinkTarget::Custom,
        framing: Framing::Newline,
        frame_bytes: BYTES,
        discard_bytes: BYTES,
        outgoing_bytes: BYTES,
        server_requests: 64,
        stderr: StderrLimits { line_bytes: 1, lines: 1 },
        stderr_to: StderrTo::default(),
        connect: Duration::from_secs(10),
        exit_wait: Duration::ZERO,
        term_wait: Duration::ZERO,
        close: Duration::from_secs(2),
    }
}

impl ClientEnd {
    pub fn new(engine: &Arc<Mutex<Engine<u64>>>, stir: Stir, plant: Option<PlantedFault>) -> Arc<ClientEnd> {
        let context = LinkContext {
            client: 1,
            name: "simulated".to_owned(),
            transport: settings(),
            queue: Queue::new(QueueLimits::default()),
            owns_queue: true,
            callbacks: Arc::default(),
            peer: Arc::default(),
        };
        Arc::new(ClientEnd { context, engine: Arc::clone(engine), stir, plant, heard: Mutex::default() })
    }

    pub fn heard(&self) -> Vec<ClientEvent> {
        std::mem::take(&mut lock(&self.heard))
    }

    pub fn queue(&self) -> &Queue {
        &self.context.queue
    }

    fn hear(&self, heard: ClientEvent) {
        lock(&self.heard).push(heard);
        (self.stir)();
    }
}

impl LinkOwner for ClientEnd {
    fn context(&self) -> &LinkContext {
        &self.context
    }

    fn opened(&self, generation: u64, install: &mut dyn FnMut()) -> bool {
        let mut engine = lock(&self.engine);
        let wanted = engine.generation() == generation && engine.state() == State::Starting;
        if wanted {
            install();
            engine.opened(clock::now(), generation);
        }
        self.hear(ClientEvent::Opened);
        wanted
    }

    fn failed_to_start(&self, generation: u64, error: Error) {
        self.hear(ClientEvent::Lost(error.to_string()));
        lock(&self.engine).failed_to_start(clock::now(), generation, error);
    }

    fn lost(&self, generation: u64, error: Error) {
        self.hear(ClientEvent::Lost(error.to_string()));
        lock(&self.engine).lost(clock::now(), generation, error);
    }

    fn gone(&self, generation: u64) {
        lock(&self.engine).shut(generation);
        (self.stir)();
    }

    fn received(
        &self,
        generation: u64,
        exchange: Option<u64>,
        next: &mut dyn FnMut() -> Option<Piece>,
        _by: Option<&Arc<Waiter>>,
    ) -> bool {
        let mut engine = lock(&self.engine);
        while let Some(piece) = next() {
            let Piece::Frame(frame) = piece else { panic!("{piece:?}, and all frames are small") };
            let value: Value = serde_json::from_slice(&frame).expect("JSON");
            let id = value["id"].as_u64().filter(|_| value.get("method").is_none());
            let is_awaited = id.is_some_and(|id| engine.is_under_way(generation, id));
            let is_dropped =
                self.plant == Some(PlantedFault::AnswerDropped) && id.is_some_and(|id| id % 5 == 0);
            self.hear(ClientEvent::Frame { generation, exchange, value, is_awaited });
            if is_dropped {
                return false;
            }
            engine.frame_on(clock::now(), generation, exchange, frame);
        }
        exchange.is_none_or(|exchange| engine.is_under_way(generation, exchange))
    }

    fn is_held_up(&self) -> bool {
        false
    }
}

impl HttpOwner for ClientEnd {
    fn exchange_failed(&self, generation: u64, exchange: u64, failure: ExchangeFailure) {
        let spoken = failure.spoken.as_ref();
        let spoken = spoken.map(|said| json!({ "error": { "code": said.code, "message": said.message } }));
        let why = format!("{:?} {}", failure.kind, failure.error);
        self.hear(ClientEvent::Failed { generation, exchange, why, spoken });
        lock(&self.engine).exchange_failed(clock::now(), generation, exchange, failure);
    }

    fn waits_for_login(&self, generation: u64, exchange: u64, wait: LoginWait) {
        self.hear(ClientEvent::Login(wait));
        lock(&self.engine).waits_for_login(clock::now(), generation, exchange, wait);
    }

    fn session_ended(
        &self,
        generation: u64,
        exchange: Option<u64>,
        failure: ExchangeFailure,
        forget: &mut dyn FnMut(),
    ) {
        self.hear(ClientEvent::SessionEnded);
        if lock(&self.engine).session_ended(clock::now(), generation, exchange, failure) {
            forget();
        }
    }

    fn listening(&self, generation: u64) {
        let mut engine = lock(&self.engine);
        if self.plant != Some(PlantedFault::GapUncounted) || engine.state() != State::Ready {
            engine.incoming_is_open(clock::now(), generation);
        }
        (self.stir)();
    }

    fn tolerated(&self, what: &'static str) {
        lock(&self.engine).tolerated(what);
    }
}
