//! A store as adapters are to make one, in memory, and several servers on it: virtual time, no threads.

use super::Random;
use crate::engine::seal::KeyRing;
use crate::engine::server::{
    Effect, Expected, Now, Operation, OutgoingKind, RequestId, Server, SessionId, Settings, SharedSession,
    SharedStore, StoreOutcome, StoreStatus, Stream, Ticket,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

pub const START: u64 = 1_800_000_000;
pub const LEASE: Duration = Duration::from_secs(15);
pub const TIMEOUT: Duration = Duration::from_secs(1);

/// A message to a process on a channel; `None` says that some may have been missed.
type Told = (usize, String, Option<Vec<u8>>);

/// The store itself.
#[derive(Clone, Default, Debug)]
pub struct ModelStore {
    pub generation: String,
    /// Values, their versions, and until when they stay.
    pub values: BTreeMap<String, (Vec<u8>, u64, u64)>,
    /// Entries of streams, from the first place on, and until when they stay.
    pub streams: BTreeMap<String, (BTreeMap<u64, Vec<u8>>, u64)>,
    /// It gives no more entries to a read.
    pub gives: Option<usize>,
    watches: BTreeSet<(usize, String)>,
    next: u64,
}

impl ModelStore {
    /// Does an operation of a process at a time. Gives what it says, and who is told what.
    pub fn apply(
        &mut self,
        process: usize,
        operation: &Operation,
        unix_ms: u64,
    ) -> (StoreOutcome, Vec<Told>) {
        self.values.retain(|_, (_, _, until)| *until > unix_ms);
        self.streams.retain(|_, (_, until)| *until > unix_ms);
        let mut outcome = StoreOutcome { unix_ms, ..StoreOutcome::of(StoreStatus::Done) };
        let mut told = Vec::new();
        match operation {
            Operation::Get { key } => match self.values.get(&**key) {
                Some((value, version, _)) => {
                    (outcome.value, outcome.version) = (Some(value.clone()), *version);
                }
                None => outcome.status = StoreStatus::Empty,
            },
            Operation::Put { key, value, expected, life } => {
                assert!(key.len() <= 200 && key.is_ascii() && !life.is_zero(), "{key}: {life:?}");
                let there = self.values.get(&**key);
                let fits = match expected {
                    Expected::Any => true,
                    Expected::Absent => there.is_none(),
                    Expected::Version(version) => there.is_some_and(|(_, is, _)| is == version),
                };
                if !fits {
                    outcome.status = StoreStatus::Conflict;
                    if let Some((value, version, _)) = there {
                        (outcome.value, outcome.version) = (Some(value.clone()), *version);
                    }
                    return (outcome, told);
                }
                self.next += 1;
                outcome.version = self.next;
                match value {
                    Some(value) => {
                        assert!(value.len() <= 768 * 1024, "{key} has {} bytes", value.len());
                        let until = unix_ms + u64::try_from(life.as_millis()).expect("a life");
                        self.values.insert(key.to_string(), (value.clone(), self.next, until));
                    }
                    None => drop(self.values.remove(&**key)),
                }
            }
            Operation::Publish { channel, data } => {
                let watches = self.watches.iter().filter(|(_, watched)| **watched == **channel);
                told.extend(watches.map(|(to, channel)| (*to, channel.clone(), Some(data.clone()))));
            }
            Operation::Watch { channel } => {
                self.watches.insert((process, channel.to_string()));
                told.push((process, channel.to_string(), None));
            }
            Operation::Unwatch { channel } => drop(self.watches.remove(&(process, channel.to_string()))),
            Operation::Append { stream, entry, place, most, life } => {
                assert!(
                    stream.len() <= 200 && entry.len() <= 768 * 1024 && *most > 0 && !life.is_zero(),
                    "{stream}"
                );
                let last = self.streams.get(&**stream).and_then(|(all, _)| all.keys().next_back().copied());
                let next = last.unwrap_or(0) + 1;
                if *place != 0 && *place != next {
                    (outcome.status, outcome.version) = (StoreStatus::Conflict, next - 1);
                    return (outcome, told);
                }
                let (all, until) = self.streams.entry(stream.to_string()).or_default();
                all.insert(next, entry.clone());
                while all.len() > *most as usize {
                    all.pop_first();
                }
                *until = unix_ms + u64::try_from(life.as_millis()).expect("a life");
                outcome.version = next;
            }
            Operation::Read { stream, after, most, bytes } => match self.streams.get(&**stream) {
                None => outcome.status = StoreStatus::Empty,
                Some((all, _)) => {
                    let mut left = *bytes;
                    let most = self.gives.unwrap_or(usize::MAX).min(*most as usize);
                    for (place, entry) in all.range(after + 1..).take(most) {
                        if entry.len() > left && !outcome.entries.is_empty() {
                            break;
                        }
                        left = left.saturating_sub(entry.len());
                        outcome.entries.push((*place, entry.clone()));
                    }
                }
            },
        }
        (outcome, told)
    }

    /// The watches of a process that is gone, or whose connection is.
    pub fn forget_watches(&mut self, process: usize) {
        self.watches.retain(|(of, _)| *of != process);
    }
}

/// A process that is there.
pub struct Process {
    pub server: Server<u8>,
    pub session: SessionId,
    /// Handlers that are to run.
    pub runs: Vec<RequestId>,
    /// What its client got, and not looked at.
    pub frames: Vec<Value>,
    /// The requests that wait for an answer.
    pub waiting: BTreeSet<u64>,
    pub withdrawn: Vec<RequestId>,
    /// Streams of changes: they are answered when they end, or are refused.
    listens: BTreeSet<u64>,
    /// Rounds of handlers that were begun.
    pub begun: Vec<(RequestId, u32)>,
}

/// Several processes of one server.
pub struct Fleet {
    pub at: Instant,
    pub unix: u64,
    pub store: ModelStore,
    pub processes: Vec<Option<Process>>,
    /// Operations on their way.
    pub asked: Vec<(usize, Ticket, Operation)>,
    /// Messages on their way.
    pub told: Vec<Told>,
    /// The store does nothing, and loses nothing.
    pub is_frozen: bool,
    /// The store refuses everything.
    pub is_away: bool,
    /// How far the clock of the store was set.
    pub skew_ms: i64,
    /// How many operations there were.
    pub count: usize,
    next: u64,
    made: u64,
}

/// A ring with the key of all, and randomness of its own.
fn ring(seed: u64) -> KeyRing {
    let mut random = Random::new(seed);
    let random = move |bytes: &mut [u8]| {
        bytes.fill_with(|| u8::try_from(random.next(256)).expect("a byte"));
        true
    };
    KeyRing::new(vec![[7; 32]], Box::new(random)).expect("a key was given")
}

pub fn settings() -> Settings {
    Settings::new("fleet", "1")
}

impl Fleet {
    pub fn new(processes: usize) -> Fleet {
        Fleet::with(processes, settings)
    }

    pub fn with(processes: usize, settings: fn() -> Settings) -> Fleet {
        let mut fleet = Fleet {
            at: Instant::now(),
            unix: START,
            store: ModelStore { generation: "g1".to_owned(), ..ModelStore::default() },
            processes: (0..processes).map(|_| None).collect(),
            asked: Vec::new(),
            told: Vec::new(),
            is_frozen: false,
            is_away: false,
            skew_ms: 0,
            count: 0,
            next: 1,
            made: 0,
        };
        for process in 0..processes {
            fleet.start(process, settings());
        }
        fleet.settle();
        fleet
    }

    /// Starts a process, another one than was there before.
    pub fn start(&mut self, process: usize, settings: Settings) {
        self.made += 1;
        let mut server = Server::new(settings, ring(self.made));
        let now = self.now();
        let tool = r#"{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
        server.add_tool(now, tool, 1).expect("a tool");
        let session = server.open(false).expect("a session");
        server.keep_in_store(SharedStore { lease: LEASE, timeout: TIMEOUT }).expect("a name");
        server.store_ready(now, &self.store.generation);
        self.processes[process] = Some(Process {
            server,
            session,
            runs: Vec::new(),
            frames: Vec::new(),
            waiting: BTreeSet::new(),
            withdrawn: Vec::new(),
            listens: BTreeSet::new(),
            begun: Vec::new(),
        });
        self.collect();
    }

    /// A process is gone, without a word.
    pub fn kill(&mut self, process: usize) {
        self.processes[process] = None;
        self.store.forget_watches(process);
        self.asked.retain(|(of, ..)| *of != process);
        self.told.retain(|(of, ..)| *of != process);
    }

    pub fn now(&self) -> Now {
        Now { at: self.at, unix: self.unix }
    }

    pub fn of(&mut self, process: usize) -> &mut Process {
        self.processes[process].as_mut().expect("the process is there")
    }

    /// The clock of the store. It is not that of the processes.
    fn unix_ms(&self) -> u64 {
        ((self.unix - 3600) * 1000).saturating_add_signed(self.skew_ms)
    }

    /// A request of a client that declares the extension. Gives its id.
    pub fn send(&mut self, process: usize, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let mut params = params;
        params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":
                { "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } } });
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let now = self.now();
        let it = self.of(process);
        let expected = if method == "subscriptions/listen" { &mut it.listens } else { &mut it.waiting };
        expected.insert(id);
        it.server.frame(now, Stream { session: it.session, number: 0 }, frame.as_bytes());
        self.collect();
        id
    }

    /// A message of a session of an older revision, without what is in every request of the newest.
    pub fn say(&mut self, process: usize, session: SessionId, frame: &Value) {
        let now = self.now();
        let it = self.of(process);
        it.waiting.extend(frame["id"].as_u64());
        it.server.frame(now, Stream { session, number: 0 }, frame.to_string().as_bytes());
        self.collect();
    }

    /// A session of 2025-11-25 with which each process goes on.
    pub fn shared_session(&mut self) -> Vec<SessionId> {
        let sessions: Vec<SessionId> = (0..self.processes.len())
            .map(|process| self.of(process).server.open(false).expect("a session"))
            .collect();
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
        self.say(
            0,
            sessions[0],
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
        );
        self.answer(0, 0).expect("an answer");
        self.say(0, sessions[0], &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let record = self.of(0).server.shared_session(sessions[0]).expect("a handshake");
        let record = SharedSession::read(&record.text()).expect("what was written");
        for (process, session) in sessions.iter().enumerate().skip(1) {
            self.of(process).server.take_up_session(*session, &record);
        }
        self.settle();
        sessions
    }

    /// A request of such a session. Gives its id.
    pub fn send_in(&mut self, process: usize, session: SessionId, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.say(
            process,
            session,
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        );
        id
    }

    /// The same, until nothing is on its way. Gives the answer.
    pub fn ask_in(&mut self, process: usize, session: SessionId, method: &str, params: &Value) -> Value {
        let id = self.send_in(process, session, method, params);
        self.settle();
        self.answer(process, id).unwrap_or_else(|| panic!("'{method}' has no answer"))
    }

    /// The same, until nothing is on its way. Gives the answer.
    pub fn ask(&mut self, process: usize, method: &str, params: Value) -> Value {
        let id = self.send(process, method, params);
        self.settle();
        self.answer(process, id).unwrap_or_else(|| panic!("'{method}' has no answer"))
    }

    /// The answer to a request, once.
    pub fn answer(&mut self, process: usize, id: u64) -> Option<Value> {
        let frames = &mut self.of(process).frames;
        let at = frames.iter().position(|frame| frame["id"] == id)?;
        Some(frames.remove(at))
    }

    /// Takes what the servers want done.
    pub fn collect(&mut self) {
        let now = self.now();
        for (process, it) in self.processes.iter_mut().enumerate() {
            let Some(it) = it else { continue };
            loop {
                let Some(effect) = it.server.effect() else {
                    if it.server.go_on(now, |_, _| true) {
                        continue;
                    }
                    break;
                };
                match effect {
                    Effect::Send { frame, sent, .. } => {
                        let frame: Value = serde_json::from_slice(&frame).expect("JSON");
                        if let (OutgoingKind::Answer(_), Some(id)) = (sent, frame["id"].as_u64()) {
                            assert!(
                                it.waiting.remove(&id) || it.listens.remove(&id),
                                "an answer to nothing: {frame}"
                            );
                        }
                        it.frames.push(frame);
                    }
                    Effect::Store { ticket, operation } => {
                        self.count += 1;
                        self.asked.push((process, ticket, *operation));
                    }
                    Effect::Run(run) => {
                        it.runs.push(run.request);
                        it.begun.push((run.request, run.round));
                    }
                    Effect::Withdrawn { request, .. } => {
                        it.runs.retain(|running| *running != request);
                        it.withdrawn.push(request);
                    }
                    _ => {}
                }
            }
            while it.server.discarded().is_some() {}
        }
    }

    /// Does one operation that is on its way. `lost` loses the request or the reply.
    pub fn serve(&mut self, at: usize, lost: Option<bool>) {
        let (process, ticket, operation) = self.asked.remove(at);
        let unix_ms = self.unix_ms();
        let (outcome, told) = match lost {
            _ if self.is_away => (StoreOutcome::of(StoreStatus::Unavailable), Vec::new()),
            Some(true) => (StoreOutcome::of(StoreStatus::PerhapsDone), Vec::new()),
            Some(false) => {
                let (_, told) = self.store.apply(process, &operation, unix_ms);
                (StoreOutcome::of(StoreStatus::PerhapsDone), told)
            }
            None => self.store.apply(process, &operation, unix_ms),
        };
        self.told.extend(told);
        let now = self.now();
        if let Some(it) = &mut self.processes[process] {
            it.server.stored(now, ticket, outcome);
            // A second answer changes nothing.
            it.server.stored(now, ticket, StoreOutcome::of(StoreStatus::Empty));
        }
        self.collect();
    }

    /// One message arrives.
    pub fn deliver(&mut self, at: usize) {
        let (process, channel, data) = self.told.remove(at);
        let now = self.now();
        if let Some(it) = &mut self.processes[process] {
            it.server.store_event(now, &channel, data.as_deref());
        }
        self.collect();
    }

    /// Until nothing is on its way.
    pub fn settle(&mut self) {
        self.collect();
        for _ in 0..10_000 {
            if !self.asked.is_empty() && !self.is_frozen {
                self.serve(0, None);
            } else if !self.told.is_empty() {
                self.deliver(0);
            } else {
                return;
            }
        }
        panic!("the processes never come to rest: {:?}", self.asked);
    }

    /// Time passes for all but `stopped`.
    pub fn pass(&mut self, time: Duration, stopped: Option<usize>) {
        self.at += time;
        self.unix += time.as_secs();
        let now = self.now();
        for (process, it) in self.processes.iter_mut().enumerate() {
            if let Some(it) = it.as_mut().filter(|_| stopped != Some(process)) {
                it.server.tick(now);
            }
        }
        self.collect();
    }

    /// Time passes in steps, and everything that is to be done is done.
    pub fn live(&mut self, time: Duration) {
        let mut left = time;
        while !left.is_zero() {
            let step = left.min(Duration::from_secs(1));
            self.pass(step, None);
            self.settle();
            left -= step;
        }
    }

    /// The store may have forgotten something.
    pub fn renew(&mut self) {
        self.store.generation = format!("{}+", self.store.generation);
        let (now, generation) = (self.now(), self.store.generation.clone());
        for it in self.processes.iter_mut().flatten() {
            it.server.store_ready(now, &generation);
        }
        self.collect();
    }
}
