//! The client's engine as its HTTP engine sees it: what that brings is given to the engine at once, and written down for the
//! simulation.

use super::network::Plant;
use crate::engine::{Engine, Error, ExchangeFailure, LoginWait, State};
use crate::runtime::http::HttpOwner;
use crate::runtime::link::owner::{LinkContext, Owner};
use crate::runtime::link::owner::{LinkTarget, StderrTo, TransportSettings};
use crate::runtime::queue::{Queue, QueueLimits};
use crate::runtime::waiter::Waiter;
use crate::runtime::{clock, lock};
use crate::transport::Framing;
use crate::transport::framing::Piece;
use crate::transport::stderr::StderrLimits;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the HTTP engine brought.
#[derive(Debug)]
#[expect(dead_code, reason = "some of it is for the trace only")]
pub enum Heard {
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
    plant: Option<Plant>,
    heard: Mutex<Vec<Heard>>,
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
    pub fn new(engine: &Arc<Mutex<Engine<u64>>>, stir: Stir, plant: Option<Plant>) -> Arc<ClientEnd> {
        let context = LinkContext {
            client: 1,
            name: "simulated".to_owned(),
            transport: settings(),
            queue: Queue::new(QueueLimits::default()),
            owns_queue: true,
            callbacks: Arc::default(),
        };
        Arc::new(ClientEnd { context, engine: Arc::clone(engine), stir, plant, heard: Mutex::default() })
    }

    pub fn heard(&self) -> Vec<Heard> {
        std::mem::take(&mut lock(&self.heard))
    }

    pub fn queue(&self) -> &Queue {
        &self.context.queue
    }

    fn hear(&self, heard: Heard) {
        lock(&self.heard).push(heard);
        (self.stir)();
    }
}

impl Owner for ClientEnd {
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
        self.hear(Heard::Opened);
        wanted
    }

    fn failed_to_start(&self, generation: u64, error: Error) {
        self.hear(Heard::Lost(error.to_string()));
        lock(&self.engine).failed_to_start(clock::now(), generation, error);
    }

    fn lost(&self, generation: u64, error: Error) {
        self.hear(Heard::Lost(error.to_string()));
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
            let is_dropped = self.plant == Some(Plant::AnswerDropped) && id.is_some_and(|id| id % 5 == 0);
            self.hear(Heard::Frame { generation, exchange, value, is_awaited });
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
        self.hear(Heard::Failed { generation, exchange, why, spoken });
        lock(&self.engine).exchange_failed(clock::now(), generation, exchange, failure);
    }

    fn waits_for_login(&self, generation: u64, exchange: u64, wait: LoginWait) {
        self.hear(Heard::Login(wait));
        lock(&self.engine).waits_for_login(clock::now(), generation, exchange, wait);
    }

    fn session_ended(&self, generation: u64, exchange: Option<u64>, error: Error, forget: &mut dyn FnMut()) {
        self.hear(Heard::SessionEnded);
        if lock(&self.engine).session_ended(clock::now(), generation, exchange, error) {
            forget();
        }
    }

    fn listening(&self, generation: u64) {
        let mut engine = lock(&self.engine);
        if self.plant != Some(Plant::GapUncounted) || engine.state() != State::Ready {
            engine.incoming_is_open(clock::now(), generation);
        }
        (self.stir)();
    }
}
