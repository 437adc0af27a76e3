//! A store that a simulation has, and the processes that share it: virtual time, one thread, everything from a seed. It is slow, loses
//! requests and replies, is away, is emptied, set back to an old copy and doubled, and its clock jumps.

use super::{Adapter, Call, Port, StoreUse, Watch};
use crate::engine::seal::{KEY, KeyRing};
use crate::engine::server::{Expected, Now, Operation, Server, Settings, StoreStatus};
use crate::runtime::clock::simulated::{WALL, Wall};
use crate::runtime::message::Handler;
use crate::runtime::server::http::HttpLimits;
use crate::runtime::server::http::simulated::SimulatedServer;
use crate::runtime::{clock, lock, simulation};
use mcp_core::testing::dice::Dice;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) const START: u64 = 1_800_000_000;
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);
pub(super) const CHECK: Duration = Duration::from_secs(5);

/// The resources of every process.
const URIS: [&str; 3] = ["a:1", "a:2", "a:3"];

/// One primary: values, their versions, and until when they stay by its clock.
#[derive(Clone, Default)]
struct Primary {
    generation: u64,
    values: BTreeMap<Box<str>, (Vec<u8>, u64, u64)>,
    streams: BTreeMap<Box<str>, Stream>,
}

/// Entries with their places, the last place, and until when they stay.
#[derive(Clone, Default)]
struct Stream {
    entries: VecDeque<(u64, Vec<u8>)>,
    last: u64,
    until: u64,
}

/// A message to a process; `None` says that some were missed.
type Told = (usize, Arc<Watch>, Option<Vec<u8>>);

#[derive(Default)]
struct Inside {
    primaries: Vec<Primary>,
    old: Primary,
    generations: u64,
    versions: u64,
    asked: Vec<(usize, Arc<Call>)>,
    watches: Vec<(usize, Arc<Watch>)>,
    told: Vec<Told>,
    /// Which primary a process reaches, and which generation it knows of.
    reached: Vec<(usize, u64)>,
    /// Those that are killed, and those that are stopped.
    dead: BTreeSet<usize>,
    stopped: BTreeSet<usize>,
    is_away: bool,
    skew_ms: i64,
    /// It gives no more entries to a read.
    gives: Option<u32>,
}

#[derive(Clone, Default)]
pub(super) struct SimulatedStore(Arc<Mutex<Inside>>);

/// The way of one process to it.
struct Way(SimulatedStore, usize);

impl Adapter for Way {
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let mut inside = lock(&self.0.0);
        if inside.is_away || inside.dead.contains(&self.1) {
            return Err(StoreStatus::Unavailable);
        }
        inside.asked.push((self.1, Arc::clone(call)));
        Ok(())
    }

    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus> {
        let mut inside = lock(&self.0.0);
        inside.watches.push((self.1, Arc::clone(watch)));
        inside.told.push((self.1, Arc::clone(watch), None));
        Ok(())
    }

    fn unwatch(&self, watch: &Arc<Watch>) {
        lock(&self.0.0).watches.retain(|(_, other)| !Arc::ptr_eq(other, watch));
    }

    // What is late may be done all the same.
    fn ended(&self, _call: &Arc<Call>, _is_late: bool) {}
}

/// What an operation comes to.
#[derive(Default)]
struct Said {
    value: Option<Vec<u8>>,
    version: u64,
    entries: Vec<(u64, Vec<u8>)>,
}

/// What becomes of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Served,
    /// Its reply is lost.
    Unheard,
    Lost,
}

impl Inside {
    fn unix_ms(&self) -> u64 {
        (clock::unix() * 1000).saturating_add_signed(self.skew_ms)
    }

    /// Does an operation of a process: what it says.
    fn apply(&mut self, process: usize, operation: &Operation) -> (StoreStatus, Said) {
        let now = self.unix_ms();
        let until = |life: &Duration| now + u64::try_from(life.as_millis()).expect("a life");
        let gives = self.gives.unwrap_or(u32::MAX);
        let (at, known) = self.reached[process];
        let primary = &mut self.primaries[at];
        if primary.generation != known {
            return (StoreStatus::Unavailable, Said::default());
        }
        primary.values.retain(|_, (_, _, until)| *until > now);
        primary.streams.retain(|_, stream| stream.until > now);
        match operation {
            Operation::Get { key } => match primary.values.get(key) {
                Some((value, version, _)) => (
                    StoreStatus::Done,
                    Said { value: Some(value.clone()), version: *version, ..Said::default() },
                ),
                None => (StoreStatus::Empty, Said::default()),
            },
            Operation::Put { key, value, expected, life } => {
                assert!(key.len() <= 200 && key.is_ascii() && !life.is_zero(), "{key}: {life:?}");
                let there = primary.values.get(key).cloned();
                let fits = match expected {
                    Expected::Any => true,
                    Expected::Absent => there.is_none(),
                    Expected::Version(version) => there.as_ref().is_some_and(|(_, is, _)| is == version),
                };
                if !fits {
                    let (value, version) = there.map_or((None, 0), |(value, is, _)| (Some(value), is));
                    return (StoreStatus::Conflict, Said { value, version, ..Said::default() });
                }
                self.versions += 1;
                match value {
                    Some(value) => {
                        primary.values.insert(key.clone(), (value.clone(), self.versions, until(life)));
                    }
                    None => drop(primary.values.remove(key)),
                }
                (StoreStatus::Done, Said { version: self.versions, ..Said::default() })
            }
            Operation::Publish { channel, data } => {
                let heard = self
                    .watches
                    .iter()
                    .filter(|(to, watch)| watch.whole_name() == &**channel && self.reached[*to].0 == at);
                self.told.extend(heard.map(|(to, watch)| (*to, Arc::clone(watch), Some(data.clone()))));
                (StoreStatus::Done, Said::default())
            }
            Operation::Append { stream, entry, place, most, life } => {
                assert!(stream.len() <= 200 && stream.is_ascii() && !life.is_zero(), "{stream}: {life:?}");
                let there = primary.streams.get(stream);
                let last = there.map_or(0, |there| there.last);
                if *place != 0 && *place != last + 1 {
                    let value = there.and_then(|there| there.entries.back()).map(|(_, entry)| entry.clone());
                    return (StoreStatus::Conflict, Said { value, version: last, ..Said::default() });
                }
                let there = primary.streams.entry(stream.clone()).or_default();
                (there.last, there.until) = (last + 1, until(life));
                there.entries.push_back((there.last, entry.clone()));
                while there.entries.len() > usize::try_from(*most).expect("a count") {
                    there.entries.pop_front();
                }
                (StoreStatus::Done, Said { version: there.last, ..Said::default() })
            }
            Operation::Read { stream, after, most, .. } => match primary.streams.get(stream) {
                None => (StoreStatus::Empty, Said::default()),
                Some(there) => {
                    let wanted = there.entries.iter().filter(|(place, _)| place > after);
                    let most = usize::try_from(gives.min(*most)).expect("a count");
                    let entries = wanted.take(most).cloned().collect();
                    (StoreStatus::Done, Said { entries, ..Said::default() })
                }
            },
            Operation::Watch { .. } | Operation::Unwatch { .. } => panic!("no adapter is asked for this"),
        }
    }
}

impl SimulatedStore {
    /// How many operations wait.
    pub(super) fn asked(&self) -> usize {
        lock(&self.0).asked.len()
    }

    /// It gives no more entries to a read from now on.
    pub(super) fn gives(&self, most: Option<u32>) {
        lock(&self.0).gives = most;
    }

    /// How many channels a process watches.
    pub(super) fn watched_by(&self, process: usize) -> usize {
        lock(&self.0).watches.iter().filter(|(by, _)| *by == process).count()
    }

    /// How many messages are on their way.
    pub(super) fn told(&self) -> usize {
        lock(&self.0).told.len()
    }

    /// One operation arrives, or does not.
    pub(super) fn serve(&self, at: usize, fate: Fate) {
        let mut inside = lock(&self.0);
        let (process, call) = inside.asked.remove(at);
        let (status, said) = match fate {
            Fate::Lost => (StoreStatus::PerhapsDone, Said::default()),
            _ => inside.apply(process, call.operation()),
        };
        let unix_ms = inside.unix_ms();
        drop(inside);
        if fate == Fate::Unheard {
            call.done(StoreStatus::PerhapsDone, 0, 0);
            return;
        }
        if let Some(value) = said.value {
            call.found(&value, said.version);
        }
        for (place, entry) in said.entries {
            call.entry(place, &entry);
        }
        call.done(status, said.version, unix_ms);
    }

    /// A process is killed: the store has some of what it asked, and tells it nothing.
    pub(super) fn kill(&self, process: usize, dice: &mut Dice) {
        let mut inside = lock(&self.0);
        inside.dead.insert(process);
        let (its, others) = std::mem::take(&mut inside.asked).into_iter().partition(|(by, _)| *by == process);
        inside.asked = others;
        let its: Vec<(usize, Arc<Call>)> = its;
        for (_, call) in its {
            if dice.chance(50) {
                inside.apply(process, call.operation());
            }
        }
        inside.told.retain(|(to, ..)| *to != process);
        inside.watches.retain(|(to, _)| *to != process);
    }

    /// A process is stopped, or goes on.
    pub(super) fn stop(&self, process: usize, is_stopped: bool) {
        let stopped = &mut lock(&self.0).stopped;
        if is_stopped {
            stopped.insert(process)
        } else {
            stopped.remove(&process)
        };
    }

    /// The places of what was asked by processes that run.
    pub(super) fn asked_by_running(&self) -> Vec<usize> {
        let inside = lock(&self.0);
        let is_running = |(_, (by, _)): &(usize, &(usize, Arc<Call>))| !inside.stopped.contains(by);
        inside.asked.iter().enumerate().filter(is_running).map(|(at, _)| at).collect()
    }

    /// Those of the messages to processes that run.
    pub(super) fn told_to_running(&self) -> Vec<usize> {
        let inside = lock(&self.0);
        let is_running = |(_, (to, ..)): &(usize, &Told)| !inside.stopped.contains(to);
        inside.told.iter().enumerate().filter(is_running).map(|(at, _)| at).collect()
    }

    /// One message arrives, or does not.
    pub(super) fn deliver(&self, at: usize, is_lost: bool) {
        let (_, watch, data) = lock(&self.0).told.remove(at);
        match data {
            Some(data) if !is_lost => watch.event(&data),
            Some(_) => {}
            // It is not a message: the adapter says it.
            None => watch.missed(),
        }
    }
}

/// Several processes of one server.
pub(super) struct Fleet {
    pub(super) store: SimulatedStore,
    pub(super) processes: Vec<(SimulatedServer, Arc<Port>)>,
    /// How long a session may be unused.
    life: Duration,
    bounds: fn(&mut HttpLimits),
}

fn ring() -> KeyRing {
    let random = ring::rand::SystemRandom::new();
    let fill = move |bytes: &mut [u8]| ring::rand::SecureRandom::fill(&random, bytes).is_ok();
    KeyRing::new(vec![[7; KEY]], Box::new(fill)).expect("a ring")
}

impl Fleet {
    /// In the runtime of a simulation, whose clock begins at `START`.
    pub(super) fn new(count: usize, dice: &mut Dice) -> Fleet {
        Fleet::with(count, dice, |_| {})
    }

    /// With other bounds.
    pub(super) fn with(count: usize, dice: &mut Dice, bounds: fn(&mut HttpLimits)) -> Fleet {
        WALL.set(Some(Wall { start: clock::now(), unix: START }));
        let store = SimulatedStore::default();
        let mut fleet = Fleet { store, processes: Vec::new(), life: Duration::ZERO, bounds };
        lock(&fleet.store.0).primaries.push(Primary::default());
        // All have the same configuration.
        let settings = dice.roll(u64::MAX);
        fleet.life = simulation::http_settings(&mut Dice::new(settings), false, false).session();
        for process in 0..count {
            lock(&fleet.store.0).reached.push((0, 0));
            let made = fleet.start(process, settings);
            fleet.processes.push(made);
        }
        fleet.renew(0, dice, false);
        for process in 0..count {
            fleet.hears(process);
        }
        fleet
    }

    fn start(&self, process: usize, seed: u64) -> (SimulatedServer, Arc<Port>) {
        let mut engine = Server::new(Settings::new("simulated", "1"), ring());
        let now = Now { at: clock::now(), unix: START };
        for uri in URIS {
            let definition = format!(r#"{{"uri":"{uri}","name":"{uri}"}}"#);
            engine.add_resource(now, &definition, Handler::function(Arc::new(drop))).expect("a resource");
        }
        let settings = simulation::http_settings(&mut Dice::new(seed), false, false);
        let mut endpoint = settings.endpoint(&crate::protocol::Revision::ALL);
        (self.bounds)(&mut endpoint.limits);
        let tool = r#"{"name":"work","inputSchema":{"type":"object"}}"#;
        engine.add_tool(now, tool, Handler::queue()).expect("a tool");
        let server = SimulatedServer::new(engine, settings.streams, endpoint);
        let port = Port::new(Box::new(Way(self.store.clone(), process)));
        let uses = StoreUse {
            space: "s".to_owned(),
            timeout: TIMEOUT,
            lease: TIMEOUT * 15,
            session_check: CHECK,
            backlog: 1 << 20,
            is_good: true,
        };
        server.serving().set_store(Arc::clone(&port), &uses, ring()).expect("it has none");
        tokio::spawn(server.front().sweep());
        (server, port)
    }

    /// A process finds out what store it reaches.
    pub(super) fn hears(&self, process: usize) {
        let generation = {
            let mut inside = lock(&self.store.0);
            if inside.is_away {
                return;
            }
            let generation = inside.primaries[inside.reached[process].0].generation;
            inside.reached[process].1 = generation;
            generation
        };
        self.processes[process].1.ready(&format!("g{generation}"));
    }

    /// Acknowledged writes may be lost: the processes find out one by one.
    fn renew(&self, primary: usize, dice: &mut Dice, is_old: bool) {
        let mut inside = lock(&self.store.0);
        inside.generations += 1;
        let (generation, old) = (inside.generations, inside.old.clone());
        let changed = &mut inside.primaries[primary];
        changed.generation = generation;
        match (is_old, dice.chance(50)) {
            (true, _) => (changed.values, changed.streams) = (old.values, old.streams),
            (false, true) => {
                changed.values.clear();
                changed.streams.clear();
            }
            (false, false) => {}
        }
    }

    pub(super) fn goes_away(&self, is_away: bool) {
        let lost = {
            let mut inside = lock(&self.store.0);
            inside.is_away = is_away;
            std::mem::take(&mut inside.asked)
        };
        for (process, (_, port)) in self.processes.iter().enumerate() {
            if is_away { port.lost("it is away") } else { self.hears(process) }
        }
        for (_, call) in lost {
            call.done(StoreStatus::PerhapsDone, 0, 0);
        }
    }

    /// Something goes wrong, or right again.
    pub(super) fn fault(&self, dice: &mut Dice) {
        let count = self.processes.len();
        let (is_away, primaries) = {
            let inside = lock(&self.store.0);
            (inside.is_away, inside.primaries.len())
        };
        match dice.roll(8) {
            0 => self.goes_away(!is_away),
            1 => self.renew(0, dice, false),
            2 => {
                let mut inside = lock(&self.store.0);
                inside.old = inside.primaries[0].clone();
            }
            3 => self.renew(0, dice, true),
            4 if primaries == 1 => {
                {
                    let mut inside = lock(&self.store.0);
                    let copy = inside.primaries[0].clone();
                    inside.primaries.push(copy);
                    for process in 0..count {
                        inside.reached[process].0 = dice.index(2);
                    }
                }
                self.renew(1, dice, false);
            }
            5 if primaries == 2 => {
                {
                    let mut inside = lock(&self.store.0);
                    let left = dice.index(2);
                    inside.primaries.swap(0, left);
                    inside.primaries.truncate(1);
                    inside.reached.iter_mut().for_each(|reached| reached.0 = 0);
                }
                self.renew(0, dice, false);
            }
            6 => {
                let minute = 60_000;
                lock(&self.store.0).skew_ms = *dice.pick(&[-60, -25, 0, 0, 25, 60]) * minute;
            }
            _ => self.hears(dice.index(count)),
        }
    }

    /// Faults are over.
    pub(super) fn heal(&self) {
        {
            let mut inside = lock(&self.store.0);
            inside.skew_ms = 0;
            inside.primaries.truncate(1);
            inside.reached.iter_mut().for_each(|reached| reached.0 = 0);
        }
        self.goes_away(false);
    }

    /// What waits gets on: one operation or message of the store, and all tasks that can.
    pub(super) async fn step(&self, dice: &mut Dice, is_faulty: bool) {
        let (asked, told) = (self.store.asked(), self.store.told());
        if asked > 0 && (told == 0 || dice.chance(60)) {
            let fate = match dice.roll(if is_faulty { 10 } else { 1 }) {
                8 => Fate::Lost,
                9 => Fate::Unheard,
                _ => Fate::Served,
            };
            self.store.serve(dice.index(asked), fate);
        } else if told > 0 {
            self.store.deliver(dice.index(told), is_faulty && dice.chance(20));
        }
        settle().await;
    }

    /// Everything of the store that waits is done.
    pub(super) async fn drain(&self, dice: &mut Dice) {
        settle().await;
        while self.store.asked() + self.store.told() > 0 {
            self.step(dice, false).await;
        }
    }

    /// Time passes.
    pub(super) async fn pass(&self, time: Duration) {
        tokio::time::advance(time).await;
        for (_, port) in &self.processes {
            port.tick(clock::now());
        }
        settle().await;
    }
}

/// Every task gets as far as it can.
pub(super) async fn settle() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

/// Which seeds are played, or the one that is asked for: one takes longer than one of the engines.
pub(super) fn seeds(most: u64) -> RangeInclusive<u64> {
    let asked = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    if let Some(seed) = asked("MCP_SIM_SEED") {
        return seed..=seed;
    }
    1..=asked("MCP_SIM_SEEDS").map_or(most, |seeds| seeds.min(most).max(seeds / 20))
}

mod proofs {
    use super::*;
    use crate::auth::server::{Denial, Proven};
    use crate::runtime::http::HttpRuntime;

    const WINDOW: Duration = Duration::from_secs(60);
    const PROCESSES: usize = 3;

    /// A client: its proofs, how often each was accepted, and the nonce that it has.
    #[derive(Default)]
    struct Client {
        proofs: Vec<(Proven, usize)>,
        nonce: Option<String>,
        counts: BTreeMap<&'static str, usize>,
    }

    fn name(said: &Result<(), Denial>) -> &'static str {
        match said {
            Ok(()) => "accepted",
            Err(Denial::Nonce(_)) => "nonce",
            Err(Denial::Proof(_)) => "used",
            Err(Denial::Unavailable(_)) => "away",
            Err(other) => panic!("{other:?}"),
        }
    }

    fn send(fleet: &Fleet, client: &Arc<Mutex<Client>>, process: usize, number: usize, skew: i64) {
        let proof = lock(client).proofs[number].0.clone();
        // What is too old, or from the future, is refused before.
        if clock::unix().saturating_add_signed(skew).abs_diff(proof.made) > WINDOW.as_secs() {
            return;
        }
        let (serving, client) = (Arc::clone(fleet.processes[process].0.serving()), Arc::clone(client));
        tokio::spawn(async move {
            let said = serving.use_proof(&proof, WINDOW).await;
            let mut client = lock(&client);
            *client.counts.entry(name(&said)).or_default() += 1;
            client.proofs[number].1 += usize::from(said.is_ok());
            if let Err(Denial::Nonce(nonce)) = said {
                client.nonce = Some(nonce);
            }
        });
    }

    fn make(client: &Arc<Mutex<Client>>, skew: i64) -> usize {
        let mut client = lock(client);
        let (id, made) = (format!("key {}", client.proofs.len()), clock::unix().saturating_add_signed(skew));
        let nonce = client.nonce.clone();
        client.proofs.push((Proven { id, made, nonce }, 0));
        client.proofs.len() - 1
    }

    async fn play(seed: u64) -> BTreeMap<&'static str, usize> {
        let mut dice = Dice::new(seed);
        let fleet = Fleet::new(PROCESSES, &mut dice);
        let client = Arc::new(Mutex::new(Client::default()));
        // Each process has a clock of its own, as exact as a window needs.
        let skews: Vec<i64> = (0..PROCESSES).map(|_| *dice.pick(&[-50, 0, 50])).collect();
        let of_client = *dice.pick(&[-9, 0, 9]);
        for _ in 0..150 {
            match dice.roll(16) {
                0..=2 => drop(make(&client, of_client)),
                3..=8 if !lock(&client).proofs.is_empty() => {
                    // The newest are used most often.
                    let count = lock(&client).proofs.len();
                    let number = count - 1 - dice.index(count.min(4));
                    let process = dice.index(PROCESSES);
                    send(&fleet, &client, process, number, skews[process]);
                }
                9..=13 => fleet.step(&mut dice, true).await,
                14 => fleet.pass(dice.millis(1, 20_000)).await,
                _ => fleet.fault(&mut dice),
            }
            settle().await;
            let twice = lock(&client).proofs.iter().find(|(_, accepted)| *accepted > 1).cloned();
            assert!(twice.is_none(), "good twice: {twice:?}");
        }
        fleet.heal();
        fleet.drain(&mut dice).await;
        // A nonce of now, and a proof that has it.
        for accepted in [false, true] {
            let number = make(&client, 0);
            send(&fleet, &client, 0, number, 0);
            fleet.drain(&mut dice).await;
            let client = lock(&client);
            assert!(client.proofs[number].1 == 1 || !accepted, "{:?}", client.counts);
        }
        assert!(lock(&client).proofs.iter().all(|(_, accepted)| *accepted <= 1));
        lock(&client).counts.clone()
    }

    #[test]
    fn no_proof_is_good_twice_whatever_becomes_of_the_store() {
        let mut all: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in seeds(200) {
            let played = std::panic::catch_unwind(|| HttpRuntime::simulated().simulate(play(seed)));
            let Ok(counts) = played else { panic!("seed {seed}") };
            for (name, count) in counts {
                *all.entry(name).or_default() += count;
            }
        }
        WALL.set(None);
        for what in ["accepted", "nonce", "used", "away"] {
            assert!(all.get(what).is_some_and(|count| *count > 20), "the schedules play everything: {all:?}");
        }
    }
}

mod sessions {
    use super::*;
    use crate::runtime::http::HttpRuntime;
    use hyper::header::{HeaderMap, HeaderName, HeaderValue};
    use serde_json::{Value, json};
    use std::time::Instant;
    use tokio::task::JoinHandle;

    const PROCESSES: usize = 3;

    /// A session as its client knows it.
    struct Session {
        name: String,
        is_confirmed: bool,
        /// When it was used last.
        used: Instant,
        /// When its end was answered, or asked for.
        ended: Option<Instant>,
        is_ending: bool,
        /// What it is subscribed to.
        subscribed: BTreeMap<&'static str, bool>,
        /// Such a request is under way.
        changes: bool,
    }

    #[derive(Default)]
    struct Client {
        sessions: Vec<Session>,
        counts: BTreeMap<(&'static str, u16), usize>,
        /// When the store did last what a store may do that is not well.
        faulted: Option<Instant>,
        life: Duration,
    }

    /// A request, as the store of its process stands: the status, and the name of the session that it opened.
    async fn ask(
        fleet: &Fleet,
        process: usize,
        method: &'static str,
        session: Option<String>,
        body: Value,
    ) -> (u16, Option<String>, String) {
        let front = fleet.processes[process].0.front();
        let mut headers = HeaderMap::new();
        let mut put = |name: &'static str, value: &str| {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"));
        };
        put("host", "localhost");
        put("content-type", "application/json");
        put("accept", "application/json, text/event-stream");
        if let Some(session) = session {
            put("mcp-session-id", &session);
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut answer = front.serve(method, "/mcp", &headers, body.as_bytes()).await;
        let name =
            answer.headers.get("mcp-session-id").and_then(|name| name.to_str().ok()).map(str::to_owned);
        let mut text = String::new();
        while let Some(Ok(part)) = answer.part().await {
            text.push_str(&String::from_utf8_lossy(&part));
        }
        assert_eq!(answer.status == 503, answer.headers.contains_key("retry-after"), "{}", answer.status);
        (answer.status, name, text)
    }

    fn request(method: &str, params: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
    }

    /// Opens a session at one process and confirms it at another one.
    async fn open(fleet: Arc<Fleet>, client: Arc<Mutex<Client>>, first: usize, second: usize) {
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "c", "version": "1" } });
        let (status, name, _) = ask(&fleet, first, "POST", None, request("initialize", &params)).await;
        *lock(&client).counts.entry(("initialize", status)).or_default() += 1;
        assert!(status == 503 || status == 200 && name.is_some(), "{status}");
        let Some(name) = name else { return };
        let number = {
            let mut client = lock(&client);
            client.sessions.push(Session {
                name: name.clone(),
                is_confirmed: false,
                used: clock::now(),
                ended: None,
                is_ending: false,
                subscribed: BTreeMap::new(),
                changes: false,
            });
            client.sessions.len() - 1
        };
        let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let (status, ..) = ask(&fleet, second, "POST", Some(name), body).await;
        let mut client = lock(&client);
        *client.counts.entry(("initialized", status)).or_default() += 1;
        assert!(matches!(status, 202 | 404 | 503), "{status}");
        if status == 202 {
            (client.sessions[number].is_confirmed, client.sessions[number].used) = (true, clock::now());
        }
    }

    /// What a request in a session may come to.
    fn check(
        client: &mut Client,
        number: usize,
        what: &'static str,
        (began, was): (Instant, Was),
        (status, text): (u16, &str),
    ) {
        *client.counts.entry((what, status)).or_default() += 1;
        let (faulted, life) = (client.faulted, client.life);
        let session = &mut client.sessions[number];
        match status {
            200 | 204 => {
                if let Some(ended) = session.ended {
                    let is_well = faulted.is_none_or(|at| at < ended);
                    assert!(
                        !is_well || began <= ended + CHECK,
                        "{what} in a session that ended {ended:?}, {began:?}"
                    );
                }
                session.used = clock::now();
            }
            404 => {
                let is_known = was.is_confirmed && began < was.used + life / 2 && faulted.is_none();
                assert!(
                    !is_known || session.is_ending,
                    "{what}: the session is there, and is told to be unknown"
                );
            }
            503 => assert!(faulted.is_some(), "{what}: the store is well: {text}"),
            _ => panic!("{what}: {status}"),
        }
    }

    /// What was known of a session when a request was sent.
    #[derive(Clone, Copy)]
    struct Was {
        is_confirmed: bool,
        used: Instant,
    }

    fn was(session: &Session) -> Was {
        Was { is_confirmed: session.is_confirmed, used: session.used }
    }

    async fn ping(fleet: Arc<Fleet>, client: Arc<Mutex<Client>>, process: usize, number: usize) -> u16 {
        let (name, was, began) = {
            let client = lock(&client);
            let session = &client.sessions[number];
            (session.name.clone(), was(session), clock::now())
        };
        let (status, _, text) = ask(&fleet, process, "POST", Some(name), request("ping", &json!({}))).await;
        check(&mut lock(&client), number, "ping", (began, was), (status, &text));
        status
    }

    async fn subscribe(
        fleet: Arc<Fleet>,
        client: Arc<Mutex<Client>>,
        (process, number): (usize, usize),
        (uri, on): (&'static str, bool),
    ) {
        let (name, was, began) = {
            let mut client = lock(&client);
            let session = &mut client.sessions[number];
            if std::mem::replace(&mut session.changes, true) {
                return;
            }
            (session.name.clone(), was(session), clock::now())
        };
        let method = if on { "resources/subscribe" } else { "resources/unsubscribe" };
        let body = request(method, &json!({ "uri": uri }));
        let (status, _, text) = ask(&fleet, process, "POST", Some(name), body).await;
        let mut client = lock(&client);
        check(&mut client, number, "subscribe", (began, was), (status, &text));
        let session = &mut client.sessions[number];
        session.changes = false;
        if status == 200 {
            session.subscribed.insert(uri, on);
        }
    }

    async fn end(fleet: Arc<Fleet>, client: Arc<Mutex<Client>>, process: usize, number: usize) {
        let (name, was, began) = {
            let mut client = lock(&client);
            client.sessions[number].is_ending = true;
            let session = &client.sessions[number];
            (session.name.clone(), was(session), clock::now())
        };
        let (status, _, text) = ask(&fleet, process, "DELETE", Some(name), Value::Null).await;
        let mut client = lock(&client);
        check(&mut client, number, "end", (began, was), (status, &text));
        if status == 204 {
            client.sessions[number].ended.get_or_insert(clock::now());
        }
    }

    /// What went wrong in a request is told here. `all`: each is over by now.
    async fn hear(tasks: &mut Vec<JoinHandle<()>>, all: bool) {
        let (over, open): (Vec<_>, Vec<_>) =
            std::mem::take(tasks).into_iter().partition(JoinHandle::is_finished);
        assert!(!all || open.is_empty(), "{} requests have no answer", open.len());
        *tasks = open;
        for task in over {
            task.await.expect("it ends well");
        }
    }

    /// Whether each process that has the session tells its client of a resource.
    fn told(fleet: &Fleet, name: &str, uri: &str) -> Vec<bool> {
        let of = |server: &SimulatedServer| {
            let id = server.session(name)?;
            Some(server.with(|engine, _| engine.is_told_of(id, Some(uri))))
        };
        fleet.processes.iter().filter_map(|(server, _)| of(server)).collect()
    }

    async fn play(seed: u64) -> BTreeMap<(&'static str, u16), usize> {
        let mut dice = Dice::new(seed);
        let fleet = Arc::new(Fleet::new(PROCESSES, &mut dice));
        let (is_faulty, loses) = (seed.is_multiple_of(2), !seed.is_multiple_of(3));
        let client = Arc::new(Mutex::new(Client { life: fleet.life, ..Client::default() }));
        let mut tasks = Vec::new();
        for _ in 0..150 {
            let (f, c, process) = (Arc::clone(&fleet), Arc::clone(&client), dice.index(PROCESSES));
            let count = lock(&client).sessions.len();
            // The newest are used most often.
            let number = if count == 0 { None } else { Some(count - 1 - dice.index(count.min(3))) };
            match (dice.roll(20), number) {
                (0, _) | (1..=9, None) => {
                    tasks.push(tokio::spawn(open(f, c, process, dice.index(PROCESSES))));
                }
                (1..=6, Some(number)) => tasks.push(tokio::spawn(async move {
                    ping(f, c, process, number).await;
                })),
                (7 | 8, Some(number)) => {
                    let change = (*dice.pick(&URIS), dice.chance(60));
                    tasks.push(tokio::spawn(subscribe(f, c, (process, number), change)));
                }
                (9, Some(number)) if dice.chance(30) => tasks.push(tokio::spawn(end(f, c, process, number))),
                (10, _) if is_faulty => {
                    fleet.fault(&mut dice);
                    lock(&client).faulted = Some(clock::now());
                }
                (11, _) => {
                    if is_faulty {
                        // What is not answered in time is as lost.
                        lock(&client).faulted = Some(clock::now());
                    } else {
                        while fleet.store.asked() > 0 {
                            fleet.store.serve(0, Fate::Served);
                            settle().await;
                        }
                    }
                    fleet.pass(dice.millis(1, 20_000)).await;
                }
                _ if is_faulty => {
                    fleet.step(&mut dice, true).await;
                    lock(&client).faulted = Some(clock::now());
                }
                _ => {
                    let (asked, told) = (fleet.store.asked(), fleet.store.told());
                    if told > 0 && dice.chance(50) {
                        fleet.store.deliver(dice.index(told), loses && dice.chance(30));
                    } else if asked > 0 {
                        fleet.store.serve(dice.index(asked), Fate::Served);
                    }
                }
            }
            settle().await;
            hear(&mut tasks, false).await;
        }
        if is_faulty {
            fleet.heal();
            for process in 0..PROCESSES {
                fleet.hears(process);
            }
        }
        fleet.drain(&mut dice).await;
        hear(&mut tasks, true).await;
        if !is_faulty && !loses {
            // Where nothing was lost, all that have a session do as its client wants.
            let count = lock(&client).sessions.len();
            for number in 0..count {
                // Each process looks at it when a request comes.
                for process in 0..PROCESSES {
                    let pinged = ping(Arc::clone(&fleet), Arc::clone(&client), process, number);
                    tasks.push(tokio::spawn(async move {
                        pinged.await;
                    }));
                }
                fleet.drain(&mut dice).await;
                hear(&mut tasks, true).await;
                let client = lock(&client);
                let session = &client.sessions[number];
                for (uri, on) in session.subscribed.iter().filter(|_| !session.is_ending) {
                    let told = told(&fleet, &session.name, uri);
                    assert!(told.iter().all(|told| told == on), "{uri}: {on}, {told:?}");
                }
            }
        }
        last(&fleet, &client, &mut dice).await;
        lock(&client).counts.clone()
    }

    /// With a store that is well, a session is one for all processes.
    async fn last(fleet: &Arc<Fleet>, client: &Arc<Mutex<Client>>, dice: &mut Dice) {
        let number = lock(client).sessions.len();
        let opened = tokio::spawn(open(Arc::clone(fleet), Arc::clone(client), 0, 1));
        fleet.drain(dice).await;
        opened.await.expect("it ends well");
        assert!(lock(client).sessions[number].is_confirmed, "it is opened: {:?}", lock(client).counts);
        let name = lock(client).sessions[number].name.clone();
        for (process, on) in [(2, true), (0, false)] {
            let change = subscribe(Arc::clone(fleet), Arc::clone(client), (process, number), ("a:1", on));
            let changed = tokio::spawn(change);
            fleet.drain(dice).await;
            changed.await.expect("it ends well");
            for process in 0..PROCESSES {
                let pinged = tokio::spawn(ping(Arc::clone(fleet), Arc::clone(client), process, number));
                fleet.drain(dice).await;
                assert_eq!(pinged.await.expect("it ends"), 200);
            }
            assert_eq!(told(fleet, &name, "a:1"), [on; PROCESSES]);
        }
        let ended = tokio::spawn(end(Arc::clone(fleet), Arc::clone(client), 1, number));
        fleet.drain(dice).await;
        ended.await.expect("it ends well");
        for process in 0..PROCESSES {
            let pinged = tokio::spawn(ping(Arc::clone(fleet), Arc::clone(client), process, number));
            fleet.drain(dice).await;
            assert_eq!(pinged.await.expect("it ends"), 404);
        }
    }

    #[test]
    fn a_session_is_one_for_all_processes_whatever_becomes_of_the_store() {
        let mut all: BTreeMap<(&str, u16), usize> = BTreeMap::new();
        for seed in seeds(200) {
            let played = std::panic::catch_unwind(|| HttpRuntime::simulated().simulate(play(seed)));
            let Ok(counts) = played else { panic!("seed {seed}") };
            for (what, count) in counts {
                *all.entry(what).or_default() += count;
            }
        }
        WALL.set(None);
        let played =
            [("initialize", 200), ("initialize", 503), ("initialized", 202), ("ping", 200), ("ping", 404)];
        let more = [("ping", 503), ("subscribe", 200), ("end", 204), ("end", 404)];
        for what in played.iter().chain(&more) {
            assert!(all.get(what).is_some_and(|count| *count > 5), "the schedules play everything: {all:?}");
        }
    }
}
