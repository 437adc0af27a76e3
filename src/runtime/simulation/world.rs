//! The world of a schedule: both engines, the time, the steps that the seed draws, and the stream that carries frames and breaks.

use super::applications::{ExpectedNotice, RequestKey, Running};
use super::calls::{CallRecord, Catalog, TaskRecords};
use super::http::HttpPair;
use super::logins::Person;
use super::network::PlantedFault;
use super::{client_settings, server_settings};
use crate::engine::seal::KeyRing;
use crate::engine::server::{Kind, Now, Server, SessionId, Stream};
use crate::engine::{Engine, Error, Settings, State, Status, Wire, server};
use crate::protocol::{Era, Revision};
use crate::runtime::clock::simulated::{WALL, Wall};
use crate::runtime::http::HttpRuntime;
use crate::runtime::message::Handler;
use crate::runtime::server::http::simulated::SimulatedServer;
use crate::runtime::{clock, lock};
use mcp_core::testing::dice::Dice;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

const STEPS: usize = 90;

pub struct Simulation {
    pub dice: Dice,
    pub start: Instant,
    pub now: Instant,
    pub step: u64,
    pub serial: u64,
    pub tickets: u64,
    pub settings: Settings,
    pub client_modern: bool,
    client: Arc<Mutex<Engine<u64>>>,
    server_settings: server::Settings,
    host: Host,
    /// The engines of HTTP, where it is HTTP.
    pub line: Option<HttpPair>,
    /// The wall clock of the server.
    pub wall: Wall,
    pub connections: BTreeMap<u64, SimulatedStream>,
    /// What is on its way, by the time of its arrival.
    pub queue: BTreeMap<(Instant, u64), (u64, Delivery)>,
    pub calls: BTreeMap<u64, CallRecord>,
    /// Which call each exchange of a connection belongs to.
    pub exchanges: BTreeMap<(u64, u64), u64>,
    pub connects: BTreeSet<u64>,
    pub questions: Vec<(u64, String, Value)>,
    pub running: Vec<Running>,
    /// How often the server was started again. Its requests are numbered from the beginning each time.
    pub restarts: u64,
    /// What the handler of each request asked, and the state it kept. A call that was sent again has two requests.
    pub asked: BTreeMap<RequestKey, Vec<(String, &'static str)>>,
    pub states: BTreeMap<RequestKey, String>,
    /// Which request of a call asked last: in the modern era the next round is a request of its own.
    pub asking: BTreeMap<u64, RequestKey>,
    /// The calls that handlers answered.
    pub answers: BTreeSet<u64>,
    pub requested: BTreeSet<(u64, u64)>,
    pub replied: BTreeSet<(SessionId, u64)>,
    pub subscribing: BTreeMap<(SessionId, u64), (String, bool)>,
    pub subscriptions: BTreeSet<(SessionId, String)>,
    pub confirmed: BTreeSet<SessionId>,
    pub subscribed: BTreeSet<String>,
    pub tasks: TaskRecords,
    pub person: Person,
    pub plant: Option<PlantedFault>,
    pub expected: Vec<ExpectedNotice>,
    pub catalog: Catalog,
    pub cuts: u64,
    pub attempts_failed: u64,
    pub is_closed: bool,
    /// The client closed by itself: it has no revision in common with the server, or gave up.
    pub is_hopeless: bool,
    /// No faults happen for now.
    pub calm: bool,
    pub reached: BTreeSet<&'static str>,
    trace: Option<Vec<String>>,
}

/// The server's side.
enum Host {
    /// It is being started again.
    Down,
    Bare(Box<Server<Handler>>),
    Http(Box<SimulatedServer>),
}

/// The server of a process, which is the `restarts`-th: what it draws no other one draws.
fn new_server(settings: &server::Settings, restarts: u64) -> Server<Handler> {
    let mut next = restarts << 32;
    let random = move |bytes: &mut [u8]| {
        next += 1;
        for (byte, value) in bytes.iter_mut().zip(next.to_le_bytes().into_iter().cycle()) {
            *byte = value;
        }
        true
    };
    Server::new(settings.clone(), KeyRing::new(vec![[7; 32]], Box::new(random)).expect("a key was given"))
}

impl Simulation {
    pub fn new(seed: u64, traces: bool, plant: Option<PlantedFault>) -> Simulation {
        let mut dice = Dice::new(seed);
        let settings = client_settings(&mut dice, seed);
        let server_settings = server_settings(&mut dice);
        let client = Arc::new(Mutex::new(Engine::new(settings.clone())));
        let runtime = (settings.wire == Wire::Http).then(HttpRuntime::simulated);
        let entered = runtime.clone();
        let _entered = entered.as_ref().map(|runtime| runtime.enter());
        let now = clock::now();
        let wall = Wall { start: now, unix: 1_800_000_000 };
        WALL.set(Some(wall));
        let is_sse = settings.allowed.contains(&Revision::V2024_11_05);
        let line = runtime.map(|runtime| HttpPair::new(&mut dice, runtime, &client, is_sse, plant, traces));
        let mut world = Simulation {
            start: now,
            now,
            step: 0,
            serial: 0,
            tickets: 0,
            client_modern: settings.allowed.iter().any(|revision| revision.era() == Era::Modern),
            client,
            settings,
            host: Host::Down,
            server_settings,
            line,
            wall,
            connections: BTreeMap::new(),
            queue: BTreeMap::new(),
            calls: BTreeMap::new(),
            exchanges: BTreeMap::new(),
            connects: BTreeSet::new(),
            questions: Vec::new(),
            running: Vec::new(),
            restarts: 0,
            asked: BTreeMap::new(),
            states: BTreeMap::new(),
            asking: BTreeMap::new(),
            answers: BTreeSet::new(),
            requested: BTreeSet::new(),
            replied: BTreeSet::new(),
            subscribing: BTreeMap::new(),
            subscriptions: BTreeSet::new(),
            confirmed: BTreeSet::new(),
            subscribed: BTreeSet::new(),
            tasks: TaskRecords::default(),
            person: Person::default(),
            plant,
            expected: Vec::new(),
            catalog: Catalog::default(),
            cuts: 0,
            attempts_failed: 0,
            is_closed: false,
            is_hopeless: false,
            calm: false,
            reached: BTreeSet::new(),
            trace: traces.then(Vec::new),
            dice,
        };
        world.start_host();
        for (kind, names) in [
            (Kind::Tool, &["first", "safe", "third", "task", "long"][..]),
            (Kind::Resource, &["one", "two"][..]),
            (Kind::Template, &["first"][..]),
            (Kind::Prompt, &["first"][..]),
        ] {
            for name in names {
                world.offer(kind, name, false);
            }
        }
        world
    }

    pub fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>6} ms  {}", (self.now - self.start).as_millis(), what()));
        }
    }

    pub fn trace(&self) -> String {
        self.trace.as_ref().map(|lines| lines.join("\n")).unwrap_or_default()
    }

    pub fn reach(&mut self, what: &'static str) {
        self.reached.insert(what);
    }

    pub fn server_now(&self) -> Now {
        Now { at: self.now, unix: self.wall.at(self.now) }
    }

    /// The client's engine.
    pub fn client(&self) -> MutexGuard<'_, Engine<u64>> {
        lock(&self.client)
    }

    /// Lets the server's engine take something in.
    pub fn server<R>(&mut self, work: impl FnOnce(&mut Server<Handler>, Now) -> R) -> R {
        let now = self.server_now();
        match &mut self.host {
            Host::Bare(server) => work(server, now),
            Host::Http(server) => server.with(work),
            Host::Down => panic!("the server is down"),
        }
    }

    pub fn http_server(&self) -> Option<&SimulatedServer> {
        if let Host::Http(server) = &self.host { Some(server) } else { None }
    }

    pub fn end_host(&mut self) {
        self.host = Host::Down;
    }

    pub fn start_host(&mut self) {
        let engine = new_server(&self.server_settings, self.restarts);
        self.host = match &self.line {
            Some(line) => Host::Http(Box::new(line.start(engine, &self.server_settings.revisions))),
            None => Host::Bare(Box::new(engine)),
        };
    }

    /// When something is due at one of the two engines.
    pub fn due(&self) -> Option<Instant> {
        let server = match &self.host {
            Host::Bare(server) => server.deadline(),
            Host::Http(server) => server.due(),
            Host::Down => None,
        };
        [self.client().next_deadline(), server, self.person.due()].into_iter().flatten().min()
    }

    /// Does everything that both engines want done.
    pub fn pump(&mut self) {
        loop {
            let effect = self.client().effect();
            if let Some(effect) = effect {
                self.client_effect(effect);
                continue;
            }
            let effect = if let Host::Bare(server) = &mut self.host { server.effect() } else { None };
            if let Some(effect) = effect {
                self.server_effect(effect);
            } else if !self.told_over_http() {
                return;
            }
        }
    }

    /// Time passes until the next thing is due, but not past `until`. Says whether anything was.
    fn go_on(&mut self, until: Instant) -> bool {
        if self.line.is_some() {
            return self.go_on_over_http(until);
        }
        let arrival = self.queue.first_key_value().map(|((at, _), _)| *at);
        let timer = self.due();
        match (arrival, timer) {
            (Some(arrival), timer) if arrival <= until && timer.is_none_or(|timer| arrival <= timer) => {
                self.deliver();
            }
            (_, Some(timer)) if timer <= until => {
                self.now = self.now.max(timer);
                self.tick();
                assert!(self.due().is_none_or(|due| due > self.now), "what is due stays due");
            }
            _ => return false,
        }
        true
    }

    pub fn tick(&mut self) {
        self.person_acts();
        self.client().tick(self.now);
        self.pump();
        match &self.host {
            Host::Http(server) if server.due().is_some_and(|due| due <= self.now) => server.tick(),
            Host::Http(_) => {}
            _ => self.server(crate::engine::server::Server::tick),
        }
        self.pump();
        for (ticket, call) in self.calls.iter().filter(|(_, call)| !call.is_over) {
            let latest = call.made + call.total;
            assert!(self.now <= latest, "the call {ticket} outlives its time");
        }
    }

    /// The server's process ends and is started again, with the same entries.
    fn restart(&mut self) {
        self.reach("restart");
        self.note(|| "the server is started again".to_owned());
        if self.line.is_some() {
            self.restart_over_http();
        } else {
            self.cut(true);
            let generations: Vec<u64> = self.connections.keys().copied().collect();
            for generation in generations {
                self.end_session(generation);
            }
            // Tasks of the extension outlive their sessions, and end with the process.
            for at in 0..self.running.len() {
                let request = self.running[at].request;
                assert!(self.server(|server, _| server.is_task(request)), "{:?} is left", self.running[at]);
            }
            let left = self.running.len();
            assert_eq!(self.server(|server, _| server.open_counts()), [0, left, 0, 0]);
            self.running.clear();
            self.restarts += 1;
            self.start_host();
        }
        // Numbers of sessions and requests begin again.
        self.replied.clear();
        self.subscribing.clear();
        for kind in [Kind::Tool, Kind::Resource, Kind::Template, Kind::Prompt] {
            for name in self.catalog.present(kind) {
                self.offer(kind, &name, true);
            }
        }
    }

    fn act(&mut self) {
        match self.dice.roll(100) {
            0..=24 => self.call(),
            25..=46 => self.work(false),
            47..=52 => self.answer_question(),
            53..=57 => self.cancel(),
            58..=69 => self.change(),
            70..=72 => self.connect(),
            73 => self.cut_off(),
            74 if self.dice.chance(40) => self.restart(),
            75 => self.jump(),
            80..=82 if self.line.is_some() => self.change_logins(),
            76..=78 if self.dice.chance(20) => self.forget_session(),
            79 if self.dice.chance(10) => self.close(),
            _ => {
                let time = self.dice.millis(0, 600);
                self.pass(time);
            }
        }
    }

    fn cut_off(&mut self) {
        match &self.line {
            Some(line) => line.network.cut(),
            None => self.cut(false),
        }
    }

    pub fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while self.go_on(until) {}
        if self.line.is_none() {
            self.now = self.now.max(until);
        }
        self.tick();
    }

    fn close(&mut self) {
        self.note(|| "close".to_owned());
        self.reach("client closed");
        self.is_closed = true;
        self.client().close(self.now);
        self.pump();
        assert_eq!(self.client().pending(), 0, "close ends every call");
    }

    pub fn play(&mut self) {
        let runtime = self.line.as_ref().map(|line| Arc::clone(&line.runtime));
        let _entered = runtime.as_ref().map(|runtime| runtime.enter());
        if runtime.is_some() {
            self.reach("http");
        }
        for _ in 0..2 {
            self.be_calm(false);
            for _ in 0..STEPS / 2 {
                self.step += 1;
                if self.dice.chance(45) {
                    self.go_on(self.now + Duration::from_secs(if self.line.is_some() { 1 } else { 10 }));
                } else {
                    self.act();
                }
            }
            self.settle();
        }
        self.end();
    }

    fn be_calm(&mut self, calm: bool) {
        self.calm = calm;
        self.over_http(|line| line.network.be_calm(calm));
    }

    /// Everything on its way arrives, and what both sides know of each other agrees.
    fn settle(&mut self) {
        self.be_calm(true);
        let (ended, generation) = (self.calls_of_ended_tasks(), self.client().generation());
        // Over HTTP streams are opened again after waits that grow. Else what is on its way takes 400 ms at the most; a server
        // that was asked of a task before, and has not answered in time, is asked again 200 ms after that.
        let http = self.line.is_some();
        self.pass(if http { Duration::from_secs(40) } else { Duration::from_millis(650) });
        while !self.queue.is_empty() {
            self.pass(Duration::from_millis(50));
        }
        self.check_expected();
        self.check_ended_tasks(&ended, generation);
        if self.client().state() != State::Ready {
            return;
        }
        for running in self.running.clone() {
            // A client that does not know the name of a task cannot end it, and over HTTP what ends it may be lost.
            if let Some(is_known) = self.knows_task(running.request) {
                let call = &self.calls[&running.ticket];
                let is_wanted = !call.is_over || call.is_raw || !is_known || http;
                assert!(
                    is_wanted,
                    "no call wants the task of {} any more, and the server works for it",
                    running.ticket
                );
                continue;
            }
            let call = &self.calls[&running.ticket];
            // Over HTTP a cancellation may be lost, and in the legacy era an answer that broke off takes nothing back.
            assert!(
                !call.is_over || http && !running.is_modern,
                "no one waits for the call {} any more, and the server works for it",
                running.ticket
            );
        }
    }

    /// Everything ends, and nothing is left.
    fn end(&mut self) {
        for round in 0.. {
            assert!(round < 10_000, "it never ends: {:?}", self.running);
            if self.calls.values().all(|call| call.is_over) && self.running.is_empty() {
                break;
            }
            self.step += 1;
            self.answer_question();
            self.work(true);
            let time = self.dice.millis(1, 30);
            self.pass(time);
        }
        self.settle();
        self.close();
        match &self.line {
            Some(_) => self.end_over_http(),
            None => while self.go_on(self.now + Duration::from_secs(3600)) {},
        }
        assert_eq!(self.client().state(), State::Closed);
        let client = self.client();
        assert_eq!((client.pending(), client.waiting_bytes(), client.unanswered()), (0, 0, 0));
        drop(client);
        assert!(self.connects.is_empty(), "some still wait for the connection");
        assert_eq!(self.client().next_deadline(), None, "the client waits for nothing");
        for generation in self.connections.keys().copied().collect::<Vec<_>>() {
            self.end_session(generation);
        }
        assert_eq!(self.server(|server, _| server.open_counts()), [0; 4], "the server keeps something");
        if self.line.is_none() {
            while self.go_on(self.now + Duration::from_secs(3600)) {}
        }
        assert_eq!(self.server(|server, _| server.task_count()), 0, "the server keeps a task");
        assert_eq!(self.due(), None, "the server waits for nothing");
        assert!(self.calls.values().all(|call| call.is_over));
    }
}

impl Simulation {
    /// What is due next is done.
    pub fn deliver(&mut self) {
        let Some(((at, _), (generation, what))) = self.queue.pop_first() else { return };
        self.now = self.now.max(at);
        self.note(|| match &what {
            Delivery::ToServer { frame } => format!("> {}", String::from_utf8_lossy(frame)),
            Delivery::ToClient { frame } => format!("< {}", String::from_utf8_lossy(frame)),
            other => format!("{generation} {other:?}"),
        });
        let lost = |what: &str| Error::new(Status::Transport, "connection", what);
        let now = self.now;
        match what {
            Delivery::Opened => self.client().opened(now, generation),
            Delivery::OpenFailed => {
                self.attempts_failed += 1;
                self.client().lost(now, generation, lost("it cannot be opened"));
            }
            Delivery::ToServer { frame } => self.arrive_at_server(generation, &frame),
            Delivery::ToClient { frame } => self.arrive_at_client(generation, frame),
            Delivery::ClientLost => self.client().lost(now, generation, lost("the connection was cut")),
            Delivery::ServerLost => self.end_session(generation),
            Delivery::Shut => self.client().shut(generation),
        }
        self.pump();
    }

    /// The session of a connection ends at the server.
    pub fn end_session(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        if let Some(session) = connection.session.take() {
            self.subscriptions.retain(|(of, _)| *of != session);
            self.confirmed.remove(&session);
            self.server(|server, _| server.close(session));
            self.pump();
        }
    }

    fn arrive_at_server(&mut self, generation: u64, frame: &[u8]) {
        let Some(connection) = self.connections.get(&generation) else { return };
        let session = match connection.session {
            Some(session) => session,
            None if connection.had_session => return,
            None => self.server(|server, _| server.open(false)).expect("fewer sessions than there may be"),
        };
        let connection = self.connections.get_mut(&generation).expect("looked at before");
        (connection.session, connection.had_session) = (Some(session), true);
        if let Ok(value) = serde_json::from_slice::<Value>(frame) {
            self.server_reads(generation, session, &value);
        }
        self.server(|server, now| server.frame(now, Stream { session, number: 0 }, frame));
    }

    fn arrive_at_client(&mut self, generation: u64, frame: Vec<u8>) {
        let value = serde_json::from_slice::<Value>(&frame).ok();
        if self.plant == Some(PlantedFault::TaskSilent)
            && value.as_ref().is_some_and(|value| self.is_about_task(generation, value))
        {
            return;
        }
        if let Some(value) = &value {
            let id = value["id"].as_u64();
            let is_awaited = id.is_some_and(|id| self.client().is_under_way(generation, id));
            self.task_frame_comes(generation, value, is_awaited);
        }
        let awaited = value.as_ref().and_then(|value| self.answer_arrives(generation, value));
        self.client().frame_on(self.now, generation, None, frame);
        self.pump();
        if let (Some(ticket), Some(value)) = (awaited, value) {
            self.answer_was_taken(ticket, &value);
        }
    }
}

/// Something on its way.
#[derive(Clone, Debug)]
pub enum Delivery {
    Opened,
    OpenFailed,
    ToServer { frame: Vec<u8> },
    ToClient { frame: Vec<u8> },
    ClientLost,
    ServerLost,
    Shut,
}

/// One connection.
#[derive(Default, Debug)]
pub struct SimulatedStream {
    pub session: Option<SessionId>,
    pub had_session: bool,
    /// Neither side has ended it.
    pub is_open: bool,
    /// When the last delivery of each direction is made.
    last: BTreeMap<bool, Instant>,
}

impl Simulation {
    /// Puts something on its way, after what went the same way before.
    fn put(&mut self, generation: u64, to_server: bool, what: Delivery) {
        let slow = self.dice.chance(10);
        let delay = self.dice.millis(
            0,
            if self.calm {
                2
            } else if slow {
                400
            } else {
                8
            },
        );
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        let last = connection.last.entry(to_server).or_insert(self.now);
        *last = (*last).max(self.now + delay);
        let at = *last;
        self.serial += 1;
        self.queue.insert((at, self.serial), (generation, what));
    }

    /// The client opens a connection.
    pub fn open(&mut self, generation: u64) {
        self.connections.insert(generation, SimulatedStream { is_open: true, ..SimulatedStream::default() });
        let fails = !self.calm && self.dice.chance(8);
        self.put(generation, true, if fails { Delivery::OpenFailed } else { Delivery::Opened });
    }

    /// The client sends a frame.
    pub fn client_sends(&mut self, frame: Vec<u8>) {
        let generation = self.client().generation();
        if self.plant == Some(PlantedFault::TaskEndLost)
            && memchr::memmem::find(&frame, b"tasks/cancel").is_some()
        {
            return;
        }
        // If it was cut, the client does not know yet.
        if self.connections.get(&generation).is_some_and(|connection| connection.is_open) {
            self.put(generation, true, Delivery::ToServer { frame });
        }
    }

    /// The server sends a frame.
    pub fn server_sends(&mut self, to: Stream, frame: &[u8]) {
        let found = self.connections.iter().find(|(_, connection)| connection.session == Some(to.session));
        let (generation, connection) = found.unwrap_or_else(|| panic!("a frame for {to:?}, which has ended"));
        let generation = *generation;
        if !connection.is_open {
            return;
        }
        let twice = !self.calm && self.dice.chance(2);
        for _ in 0..=u8::from(twice) {
            self.put(generation, false, Delivery::ToClient { frame: frame.to_vec() });
        }
        if twice {
            self.reach("doubled frame");
        }
    }

    /// The client ends a connection. The server reads what was written before.
    pub fn shut(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        connection.is_open = false;
        let mut due = self.now;
        for (at, (of, what)) in &self.queue {
            if *of == generation && matches!(what, Delivery::ToServer { .. }) {
                due = due.max(at.0);
            }
        }
        for what in [Delivery::ServerLost, Delivery::Shut] {
            self.serial += 1;
            self.queue.insert((due, self.serial), (generation, what));
        }
    }

    /// The newest connection is cut: of what is on its way in each direction a part still arrives, at most one frame of it cut.
    pub fn cut(&mut self, at_once: bool) {
        let generation = self.client().generation();
        let is_open = self.connections.get(&generation).is_some_and(|connection| connection.is_open);
        let is_opened = !self
            .queue
            .values()
            .any(|(of, what)| *of == generation && matches!(what, Delivery::Opened | Delivery::OpenFailed));
        if !is_open || !is_opened {
            return;
        }
        self.reach("cut");
        self.note(|| format!("cut {generation}"));
        self.cuts += 1;
        for to_server in [true, false] {
            let keys: Vec<_> = self
                .queue
                .iter()
                .filter(|(_, (of, what))| {
                    *of == generation
                        && match what {
                            Delivery::ToServer { .. } => to_server,
                            Delivery::ToClient { .. } => !to_server,
                            _ => false,
                        }
                })
                .map(|(key, _)| *key)
                .collect();
            let kept = if at_once { 0 } else { self.dice.index(keys.len() + 1) };
            let torn = self.dice.chance(50);
            for (index, key) in keys.iter().enumerate().skip(kept) {
                let Some((_, what)) = self.queue.get_mut(key) else { continue };
                match what {
                    // What is left of a line at the end of input is read like a line.
                    Delivery::ToServer { frame } | Delivery::ToClient { frame } if index == kept && torn => {
                        frame.truncate(frame.len() / 2);
                        self.reached.insert("cut frame");
                    }
                    _ => drop(self.queue.remove(key)),
                }
            }
        }
        let due = |world: &Simulation, to_server: bool| {
            let of = world.queue.iter().filter(|(_, (of, what))| {
                *of == generation && matches!(what, Delivery::ToServer { .. }) == to_server
            });
            of.map(|(key, _)| key.0).max().unwrap_or(world.now)
        };
        let (server, client) = (due(self, true), due(self, false));
        self.connections.get_mut(&generation).expect("looked at before").is_open = false;
        for (at, what) in [(server, Delivery::ServerLost), (client, Delivery::ClientLost)] {
            self.serial += 1;
            self.queue.insert((at, self.serial), (generation, what));
        }
    }
}
