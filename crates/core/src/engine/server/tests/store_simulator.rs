//! Several servers on one store, under any schedule: states are used again and again at every server, while the store is slow, loses
//! requests and replies, is away, is emptied, set back to an old copy, or doubled, and clocks are apart. Everything comes from a seed.
//!
//! Promises: no state leads to more than one run of a handler; each request is answered once; a store that answers lets each state be
//! used.

use super::{QUESTION, Random, ring};
use crate::engine::server::{
    AskOutcome, Claim, Claimed, Effect, Now, Outcome, OutgoingKind, RequestId, Server, SessionId, Settings,
    Stream,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const SERVERS: usize = 3;
const START: u64 = 1_800_000_000;
const HOUR: i64 = 3600;
/// How much longer than its state is good a use is remembered: the most that the clock of the store may jump.
const MARGIN: u64 = 3600;

/// A store as adapters are to make one. It is there twice while there are two primaries, each with data of its own.
#[derive(Clone, Default)]
struct ModelStore {
    generation: String,
    used: BTreeMap<String, u64>,
}

impl ModelStore {
    fn claim(&mut self, claim: &Claim, unix: u64) -> Claimed {
        self.used.retain(|_, life| *life >= unix);
        let is_good = self.generation == *claim.generation && unix <= claim.expiry;
        if !is_good || self.used.contains_key(&*claim.key) {
            return Claimed::Refused;
        }
        self.used.insert(claim.key.to_string(), claim.expiry + MARGIN);
        Claimed::Granted(unix)
    }
}

struct Process {
    server: Server<u8>,
    session: SessionId,
    /// How far its clock is from the right one.
    skew: i64,
    /// Which of the stores it reaches.
    store: usize,
    waiting: BTreeSet<u64>,
}

struct World {
    random: Random,
    at: Instant,
    unix: u64,
    processes: Vec<Process>,
    stores: Vec<ModelStore>,
    old: ModelStore,
    generations: u64,
    is_away: bool,
    /// How far the clock of the store is from the right one; whether it jumps.
    skew: i64,
    jumps: bool,
    /// Claims that are on their way.
    claims: Vec<(usize, RequestId, Claim)>,
    /// Handlers that are to run.
    running: Vec<(usize, RequestId)>,
    /// States that were given out.
    states: Vec<String>,
    /// How often a handler ran with each.
    runs: BTreeMap<String, usize>,
    next: u64,
    refused: usize,
}

fn moved(unix: u64, by: i64) -> u64 {
    unix.saturating_add_signed(by)
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let at = Instant::now();
        // Either the clocks of processes and store are apart, or that of the store jumps.
        let jumps = random.next(2) == 0;
        let mut skew = |jumps| if jumps { 0 } else { *random.of(&[-HOUR, -60, 0, 60, HOUR]) };
        let store_skew = skew(jumps);
        let processes = (0..SERVERS).map(|_| {
            let mut settings = Settings::new("simulated", "1");
            settings.shares_states = true;
            settings.timeouts.request_state = Duration::from_secs(600);
            let mut server = Server::new(settings, ring());
            let now = Now { at, unix: START };
            server.add_tool(now, r#"{"name":"t","inputSchema":{"type":"object"}}"#, 1).expect("a tool");
            let session = server.open(false).expect("a session");
            Process { server, session, skew: skew(jumps), store: 0, waiting: BTreeSet::new() }
        });
        let processes = processes.collect();
        let mut world = World {
            random,
            at,
            unix: START,
            processes,
            stores: vec![ModelStore::default()],
            old: ModelStore::default(),
            generations: 0,
            is_away: false,
            skew: store_skew,
            jumps,
            claims: Vec::new(),
            running: Vec::new(),
            states: Vec::new(),
            runs: BTreeMap::new(),
            next: 1,
            refused: 0,
        };
        world.renew(0);
        world
    }

    /// Acknowledged uses may be lost: the store is another one from now on, and those who reach it are told.
    fn renew(&mut self, store: usize) {
        self.generations += 1;
        self.stores[store].generation = format!("g{}", self.generations);
        let now = Now { at: self.at, unix: self.unix };
        for process in self.processes.iter_mut().filter(|process| process.store == store) {
            process.server.store_ready(now, &self.stores[store].generation);
        }
    }

    fn now(&self, process: usize) -> Now {
        Now { at: self.at, unix: moved(self.unix, self.processes[process].skew) }
    }

    fn call(&mut self, state: Option<String>) {
        let process = self.random.next(SERVERS);
        let mut params = json!({ "name": "t", "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } } });
        if let Some(state) = state {
            params["requestState"] = state.into();
            params["inputResponses"] = json!({ "k": { "action": "decline" } });
        }
        let id = self.next;
        self.next += 1;
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let now = self.now(process);
        let it = &mut self.processes[process];
        it.waiting.insert(id);
        let to = Stream { session: it.session, number: 0 };
        it.server.frame(now, to, frame.to_string().as_bytes());
    }

    /// One claim arrives, or does not.
    fn store(&mut self) {
        if self.claims.is_empty() {
            return;
        }
        let index = self.random.next(self.claims.len());
        let (process, request, claim) = self.claims.swap_remove(index);
        let (unix, store) = (moved(self.unix, self.skew), self.processes[process].store);
        let said = match self.random.next(if self.is_away { 1 } else { 10 }) {
            0 if self.is_away || self.random.next(2) == 0 => Claimed::Unavailable,
            0 => {
                // The reply is lost.
                self.stores[store].claim(&claim, unix);
                Claimed::Unknown
            }
            _ => self.stores[store].claim(&claim, unix),
        };
        let now = self.now(process);
        self.processes[process].server.claimed(now, request, said);
        // A second answer changes nothing.
        self.processes[process].server.claimed(now, request, Claimed::Granted(0));
    }

    fn handler(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let index = self.random.next(self.running.len());
        let (process, request) = self.running.swap_remove(index);
        let now = self.now(process);
        let server = &mut self.processes[process].server;
        let kept = server.state(request).map(str::to_owned);
        if let Some(kept) = kept {
            *self.runs.entry(kept).or_default() += 1;
            drop(server.respond(now, request, Outcome::Text("done")));
            return;
        }
        assert_eq!(server.ask(request, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
        let own = format!("\"{}\"", self.next);
        self.next += 1;
        assert!(server.set_state(request, &own));
        server.returned(now, request);
    }

    fn fault(&mut self) {
        match self.random.next(9) {
            0 => self.is_away = !self.is_away,
            1 => {
                // It was emptied.
                self.stores[0].used.clear();
                self.renew(0);
            }
            2 => self.old = self.stores[0].clone(),
            3 => {
                // An old copy goes on.
                self.stores[0].used = self.old.used.clone();
                self.renew(0);
            }
            4 if self.stores.len() == 1 => {
                // Two primaries: some processes are led to the other one.
                self.stores.push(self.stores[0].clone());
                for process in &mut self.processes {
                    process.store = self.random.next(2);
                }
                self.renew(1);
            }
            5 if self.stores.len() == 2 => {
                // One is left.
                let left = self.random.next(2);
                self.stores.swap(0, left);
                self.stores.truncate(1);
                self.processes.iter_mut().for_each(|process| process.store = 0);
                self.renew(0);
            }
            6 if self.jumps => self.skew = *self.random.of(&[-HOUR, 0, HOUR]),
            _ => {
                self.unix += *self.random.of(&[1, 60, 300]);
                self.at += Duration::from_secs(1);
            }
        }
    }

    fn collect(&mut self) {
        for (process, it) in self.processes.iter_mut().enumerate() {
            while let Some(effect) = it.server.effect() {
                match effect {
                    Effect::Send { frame, sent: OutgoingKind::Answer(code), .. } => {
                        let frame: Value = serde_json::from_slice(&frame).expect("JSON");
                        let id = frame["id"].as_u64().expect("an id");
                        assert!(it.waiting.remove(&id), "an answer to nothing: {frame}");
                        self.refused += usize::from(code.is_some());
                        if let Some(state) = frame["result"]["requestState"].as_str() {
                            self.states.push(state.to_owned());
                        }
                    }
                    Effect::Claim { request, claim } => self.claims.push((process, request, *claim)),
                    Effect::Run(run) => self.running.push((process, run.request)),
                    Effect::Store { operation, .. } => panic!("states are claimed: {operation:?}"),
                    _ => {}
                }
            }
        }
    }

    fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.next(16) {
                0 | 1 => self.call(None),
                2..=5 if !self.states.is_empty() => {
                    let state = self.random.of(&self.states).clone();
                    self.call(Some(state));
                }
                6..=9 => self.store(),
                10..=13 => self.handler(),
                _ => self.fault(),
            }
            self.collect();
            assert!(self.runs.values().all(|runs| *runs == 1), "a state was good twice: {:?}", self.runs);
        }
        // The store is there again, and clocks are right: what is made now is good.
        self.is_away = false;
        while !(self.claims.is_empty() && self.running.is_empty()) {
            self.store();
            self.handler();
            self.collect();
        }
        assert!(self.processes.iter().all(|it| it.waiting.is_empty()), "each request is answered");
        assert!(self.runs.values().all(|runs| *runs == 1), "a state was good twice: {:?}", self.runs);
    }
}

/// How many schedules are played of several processes with a store. One takes 10 to 15 ms of the processor.
pub(super) fn seeds() -> u64 {
    let asked: Option<u64> = std::env::var("MCP_SIM_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    asked.map_or(500, |seeds| seeds.min(10_000).max(seeds / 10))
}

#[test]
fn no_state_is_good_twice_whatever_becomes_of_the_store() {
    let seeds = seeds();
    let (mut used, mut refused) = (0, 0);
    for seed in 1..=seeds {
        let mut world = World::new(seed);
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.play(200)));
        assert!(played.is_ok(), "seed {seed}");
        (used, refused) = (used + world.runs.len() as u64, refused + world.refused as u64);
    }
    assert!(used > seeds && refused > seeds, "the schedules use states and are refused: {used}, {refused}");
}

#[test]
fn a_use_that_is_granted_when_the_state_is_over_by_the_own_clock_is_refused() {
    // The clocks of processes are right; that of the store jumps.
    let mut world = (1..100).map(World::new).find(|world| world.jumps).expect("a seed");
    world.call(None);
    world.collect();
    world.handler();
    world.collect();
    let state = world.states.pop().expect("a state");
    world.call(Some(state));
    world.collect();
    let (process, request, claim) = world.claims.pop().expect("a use");
    world.unix = claim.expiry + 1;
    let now = world.now(process);
    world.processes[process].server.claimed(now, request, Claimed::Granted(claim.expiry));
    world.collect();
    assert!(world.running.is_empty() && world.refused == 1, "the store may have forgotten that it was used");
}
