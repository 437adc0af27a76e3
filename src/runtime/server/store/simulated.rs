//! A store that a simulation has, and the processes that share it: virtual time, one thread, everything from a seed. It is slow, loses
//! requests and replies, is away, is emptied, set back to an old copy and doubled, and its clock jumps.

use super::{Adapter, Call, Port, StoreUse, Watch};
use crate::engine::seal::{KEY, KeyRing};
use crate::engine::server::{Expected, Operation, Server, Settings, StoreStatus};
use crate::runtime::clock::simulated::{WALL, Wall};
use crate::runtime::server::http::simulated::SimulatedServer;
use crate::runtime::{clock, lock, simulation};
use mcp_core::testing::dice::Dice;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) const START: u64 = 1_800_000_000;
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);

/// One primary: values, their versions, and until when they stay by its clock.
#[derive(Clone, Default)]
struct Primary {
    generation: u64,
    values: BTreeMap<Box<str>, (Vec<u8>, u64, u64)>,
}

#[derive(Default)]
struct Inside {
    primaries: Vec<Primary>,
    old: Primary,
    generations: u64,
    versions: u64,
    asked: Vec<(usize, Arc<Call>)>,
    watches: Vec<(usize, Arc<Watch>)>,
    told: Vec<(Arc<Watch>, Option<Vec<u8>>)>,
    /// Which primary a process reaches, and which generation it knows of.
    reached: Vec<(usize, u64)>,
    is_away: bool,
    skew_ms: i64,
}

#[derive(Clone, Default)]
pub(super) struct SimulatedStore(Arc<Mutex<Inside>>);

/// The way of one process to it.
struct Way(SimulatedStore, usize);

impl Adapter for Way {
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let mut inside = lock(&self.0.0);
        if inside.is_away {
            return Err(StoreStatus::Unavailable);
        }
        inside.asked.push((self.1, Arc::clone(call)));
        Ok(())
    }

    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus> {
        let mut inside = lock(&self.0.0);
        inside.watches.push((self.1, Arc::clone(watch)));
        inside.told.push((Arc::clone(watch), None));
        Ok(())
    }

    fn unwatch(&self, watch: &Arc<Watch>) {
        lock(&self.0.0).watches.retain(|(_, other)| !Arc::ptr_eq(other, watch));
    }

    // What is late may be done all the same.
    fn ended(&self, _call: &Arc<Call>, _is_late: bool) {}
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

    /// Does an operation of a process: what it says, what is there, and its version.
    fn apply(&mut self, process: usize, operation: &Operation) -> (StoreStatus, Option<Vec<u8>>, u64) {
        let now = self.unix_ms();
        let (at, known) = self.reached[process];
        let primary = &mut self.primaries[at];
        if primary.generation != known {
            return (StoreStatus::Unavailable, None, 0);
        }
        primary.values.retain(|_, (_, _, until)| *until > now);
        match operation {
            Operation::Get { key } => match primary.values.get(key) {
                Some((value, version, _)) => (StoreStatus::Done, Some(value.clone()), *version),
                None => (StoreStatus::Empty, None, 0),
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
                    return (StoreStatus::Conflict, value, version);
                }
                self.versions += 1;
                let until = now + u64::try_from(life.as_millis()).expect("a life");
                match value {
                    Some(value) => {
                        primary.values.insert(key.clone(), (value.clone(), self.versions, until));
                    }
                    None => drop(primary.values.remove(key)),
                }
                (StoreStatus::Done, None, self.versions)
            }
            Operation::Publish { channel, data } => {
                let heard = self
                    .watches
                    .iter()
                    .filter(|(to, watch)| watch.whole_name() == &**channel && self.reached[*to].0 == at);
                self.told.extend(heard.map(|(_, watch)| (Arc::clone(watch), Some(data.clone()))));
                (StoreStatus::Done, None, 0)
            }
            other => panic!("no adapter is asked for this: {other:?}"),
        }
    }
}

impl SimulatedStore {
    /// How many operations wait.
    pub(super) fn asked(&self) -> usize {
        lock(&self.0).asked.len()
    }

    /// How many messages are on their way.
    pub(super) fn told(&self) -> usize {
        lock(&self.0).told.len()
    }

    /// One operation arrives, or does not.
    pub(super) fn serve(&self, at: usize, fate: Fate) {
        let mut inside = lock(&self.0);
        let (process, call) = inside.asked.remove(at);
        let (status, value, version) = match fate {
            Fate::Lost => (StoreStatus::PerhapsDone, None, 0),
            _ => inside.apply(process, call.operation()),
        };
        let unix_ms = inside.unix_ms();
        drop(inside);
        if fate == Fate::Unheard {
            call.done(StoreStatus::PerhapsDone, 0, 0);
            return;
        }
        if let Some(value) = value {
            call.found(&value, version);
        }
        call.done(status, version, unix_ms);
    }

    /// One message arrives, or does not.
    pub(super) fn deliver(&self, at: usize, is_lost: bool) {
        let (watch, data) = lock(&self.0).told.remove(at);
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
}

fn ring() -> KeyRing {
    let random = ring::rand::SystemRandom::new();
    let fill = move |bytes: &mut [u8]| ring::rand::SecureRandom::fill(&random, bytes).is_ok();
    KeyRing::new(vec![[7; KEY]], Box::new(fill)).expect("a ring")
}

impl Fleet {
    /// In the runtime of a simulation, whose clock begins at `START`.
    pub(super) fn new(count: usize, dice: &mut Dice) -> Fleet {
        WALL.set(Some(Wall { start: clock::now(), unix: START }));
        let mut fleet = Fleet { store: SimulatedStore::default(), processes: Vec::new() };
        lock(&fleet.store.0).primaries.push(Primary::default());
        for process in 0..count {
            lock(&fleet.store.0).reached.push((0, 0));
            let made = fleet.start(process, dice);
            fleet.processes.push(made);
        }
        fleet.renew(0, dice, false);
        for process in 0..count {
            fleet.hears(process);
        }
        fleet
    }

    fn start(&self, process: usize, dice: &mut Dice) -> (SimulatedServer, Arc<Port>) {
        let engine = Server::new(Settings::new("simulated", "1"), ring());
        let settings = simulation::http_settings(dice, false, false);
        let endpoint = settings.endpoint(&crate::protocol::Revision::ALL);
        let server = SimulatedServer::new(engine, settings.streams, endpoint);
        let port = Port::new(Box::new(Way(self.store.clone(), process)));
        let uses = StoreUse { space: "s".to_owned(), timeout: TIMEOUT, lease: TIMEOUT, is_good: true };
        server.serving().set_store(Arc::clone(&port), &uses, ring()).expect("it has none");
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
        let (generation, old) = (inside.generations, inside.old.values.clone());
        let changed = &mut inside.primaries[primary];
        changed.generation = generation;
        match (is_old, dice.chance(50)) {
            (true, _) => changed.values = old,
            (false, true) => changed.values.clear(),
            (false, false) => {}
        }
    }

    fn goes_away(&self, is_away: bool) {
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
                let hour = 3_600_000;
                lock(&self.store.0).skew_ms = *dice.pick(&[-hour, 0, 0, hour]);
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

/// How many seeds are played: one takes longer than one of the engines.
pub(super) fn seeds(most: u64) -> u64 {
    let asked: Option<u64> = std::env::var("MCP_SIM_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    asked.map_or(most, |seeds| seeds.min(most).max(seeds / 20))
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
        let end = |fleet: &Fleet| fleet.store.asked() + fleet.store.told() > 0;
        while end(&fleet) {
            fleet.step(&mut dice, false).await;
        }
        // A nonce of now, and a proof that has it.
        for accepted in [false, true] {
            let number = make(&client, 0);
            send(&fleet, &client, 0, number, 0);
            settle().await;
            while end(&fleet) {
                fleet.step(&mut dice, false).await;
            }
            let client = lock(&client);
            assert!(client.proofs[number].1 == 1 || !accepted, "{:?}", client.counts);
        }
        assert!(lock(&client).proofs.iter().all(|(_, accepted)| *accepted <= 1));
        lock(&client).counts.clone()
    }

    #[test]
    fn no_proof_is_good_twice_whatever_becomes_of_the_store() {
        let mut all: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 1..=seeds(200) {
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
