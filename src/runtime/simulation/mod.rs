//! Both sides joined: a client's engine and a server's carry on a conversation over simulated links, under virtual time. All of
//! it follows from one seed: the settings of both, the revisions, the commands of both applications, the delays and the faults
//! between them. Over HTTP both engines of HTTP are between them, as they are used with sockets.
//!
//! * `applications`: the two applications
//! * `calls`: what is known of each call and task, and what the server offered; judges each outcome against what was carried and the
//!   handlers did
//! * `http`: the two engines of HTTP, and the client's engine as its engine of HTTP sees it
//! * `http_stream_faults`: faults of the client's engine of HTTP that the simulation has found, each by itself
//! * `logins`: an MCP server that wants tokens, authorization servers, and a person
//! * `network`: carries requests and answers, and loses, doubles and breaks them
//! * `world`: plays; a stream that carries frames and breaks
//!
//! Random settings of both sides are in this file, with times short enough to run out within a schedule.
//!
//! Two thirds of the schedules are over a stream that delays, is cut (within a frame, too) and doubles what the server sends. The others are
//! over HTTP, where only connections are simulated: a request goes as a head and a body, and its answer comes back in parts. Requests
//! and answers are lost, streams break off, parts have delays of their own, a proxy doubles a POST, for up to 2.5 s nothing comes and
//! neither side knows, the process of the server ends with its sessions, every connection breaks at one moment, the server forgets a
//! session, and the wall clock jumps. In three tenths of these the server wants tokens, and in a fifth it has HTTP+SSE of 2024-11-05 only.
//!
//! What must hold:
//!
//! 1. Every call has one outcome, no later than its time. It is what arrived for it, and of the call itself; an error has a reason in
//!    what happened.
//! 2. An answer that arrives for a call which waits ends it, or there is more to do. Over HTTP no answer is brought twice, and none on
//!    the stream of another request.
//! 3. A call that may do harm runs once at most, unless a proxy doubled it; one that was not sent does not run.
//! 4. A list has what was there all the time from its request to its answer, once, and may have what came or went meanwhile. One whose pages
//!    come from two processes is not checked.
//! 5. A change reaches a client that subscribed, or it counts that changes may have been missed (`Engine::freshness`), once the network
//!    is calm and the client ready.
//! 6. What a handler asked is answered in its next round, and the state that it kept is there.
//! 7. The server works for no call that is over, where the client can say so.
//! 8. At the end neither engine keeps anything: no call, timer, request, exchange, session or task.
//!
//! Of tasks, in both forms: a call that became one, or watches one, ends once, in its time, with what the server said that it came to;
//! each state is told once, before the outcome, and none after a final one; what a task asks is answered in the next round of its
//! handler, and no round runs twice; over streams a server works for no task that no call wants; once all is calm, no call goes on
//! whose task is over or forgotten. Of logins: an access token leaves for the server that it was made for, a code or a refresh token
//! for the token endpoint that gave it out; a code is redeemed once, unless the network doubles that; a call that waits has one outcome
//! within its total, and fails where the login does. Of HTTP+SSE: each message is posted once and answered on the stream of its
//! session; the end of the stream is the end of the session on both sides.
//!
//! Before the first seed each fault of `PlantedFault` is planted, and must be found for what it is.
//!
//! `MCP_SIM_SEEDS=n` plays that many seeds instead of 10,000, from 0 or `MCP_SIM_FIRST` on; `MCP_SIM_SEED=s` plays one and prints every
//! step of it.

use super::server::StreamLimits;
use super::server::http::{Documents, EndpointSettings, HttpLimits};
use crate::engine::{Reconnect, Retry, Settings, TaskSettings, Wire, server};
use crate::protocol::address::Address;
use crate::protocol::task::EXTENSION;
use crate::protocol::{Era, Revision};
use crate::transport::Framing;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use crate::transport::http_server::guard::Guard;
use mcp_core::testing::dice::Dice;
use mcp_core::testing::site::MCP;
use network::PlantedFault;
use serde_json::json;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use world::Simulation;

mod applications;
mod calls;
mod http;
mod http_stream_faults;
mod logins;
mod network;
mod world;

const SEEDS: u64 = 10_000;

/// What the schedules must lead to, so that no property holds only because nothing happened.
const REACHED: [&str; 59] = [
    "answer",
    "error of the server",
    "handler's failure",
    "timeout",
    "cancelled",
    "transport",
    "closed",
    "unavailable",
    "progress",
    "log",
    "update",
    "list changed",
    "pages",
    "question",
    "input round",
    "state",
    "subscribed",
    "cut",
    "cut frame",
    "restart",
    "doubled frame",
    "broken stream",
    "half-open",
    "lost on its way there",
    "lost on its way back",
    "unreachable",
    "doubled",
    "clock jump",
    "connection lost",
    "session forgotten",
    "missed",
    "heard over HTTP",
    "client closed",
    "legacy",
    "modern",
    "http",
    "ran again",
    "withdrawn",
    "overdue",
    "never sent",
    "task",
    "task of the extension",
    "task told",
    "task input",
    "task completed",
    "task expired",
    "task ended by the client",
    "task watched",
    "login",
    "person awaited",
    "authorization server awaited",
    "login failed",
    "refreshed",
    "more scopes",
    "tokens revoked",
    "refresh tokens revoked",
    "another authorization server",
    "login lost on its way back",
    "HTTP+SSE",
];

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not '{text}'")))
}

/// Plays a seed and gives what went wrong, if anything did.
fn fault(seed: u64, world: &mut Simulation) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| world.play())).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Some(format!("seed {seed}: {}", text.unwrap_or_default()))
}

/// What is planted, and how the schedule that finds it says so.
const PLANTED: [(PlantedFault, &str); 11] = [
    (PlantedFault::AnswerDropped, "goes on after"),
    (PlantedFault::EventTwice, "is brought twice"),
    (PlantedFault::ChangeLost, "never heard of"),
    (PlantedFault::StateKept, "keeps"),
    (PlantedFault::SentAgain, "does harm: it runs again"),
    (PlantedFault::GapUncounted, "never heard of"),
    (PlantedFault::TaskEndLost, "the server works for it"),
    (PlantedFault::TaskSilent, "is over, and its call goes on"),
    (PlantedFault::RefreshElsewhere, "leaves for"),
    (PlantedFault::CodeTwice, "is redeemed twice"),
    (PlantedFault::PostTwice, "twice"),
];

/// Plays one seed with every step written down.
fn replay(seed: u64) -> (Option<String>, String) {
    let mut world = Simulation::new(seed, true, None);
    let fault = fault(seed, &mut world);
    (fault, world.trace())
}

/// What is planted must be found before anything else is believed.
fn find_what_is_planted() {
    let find = |(plant, says): (PlantedFault, &str)| {
        let found = (0..SEEDS).find_map(|seed| {
            let mut world = Simulation::new(seed, false, Some(plant));
            (world.line.is_some() == plant.is_over_http()).then_some(())?;
            fault(seed, &mut world)
        });
        let found = found.unwrap_or_else(|| panic!("{plant:?} is not found"));
        assert!(found.contains(says), "{plant:?} is found as: {found}");
    };
    std::thread::scope(|scope| {
        for planted in PLANTED {
            scope.spawn(move || find(planted));
        }
    });
}

#[test]
fn every_call_ends_once_as_the_server_did_under_any_schedule() {
    if let Some(seed) = from_environment("MCP_SIM_SEED") {
        let (fault, trace) = replay(seed);
        println!("{trace}");
        assert!(fault.is_none(), "{}", fault.unwrap_or_default());
        return;
    }
    find_what_is_planted();
    let first = from_environment("MCP_SIM_FIRST").unwrap_or(0);
    let seeds = from_environment("MCP_SIM_SEEDS").unwrap_or(SEEDS);
    let next = AtomicU64::new(first);
    let first_fault = AtomicU64::new(u64::MAX);
    let reached = Mutex::new(BTreeSet::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut seen = BTreeSet::new();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= (first + seeds).min(first_fault.load(Ordering::Relaxed)) {
                        break;
                    }
                    let mut world = Simulation::new(seed, false, None);
                    if fault(seed, &mut world).is_some() {
                        first_fault.fetch_min(seed, Ordering::Relaxed);
                    }
                    seen.append(&mut world.reached);
                }
                reached.lock().expect("no thread panicked with it").append(&mut seen);
            });
        }
    });
    let seed = first_fault.into_inner();
    if seed != u64::MAX {
        let (fault, trace) = replay(seed);
        let fault = fault.unwrap_or_else(|| "it did not happen again".to_owned());
        panic!("{fault}\n\n{trace}\nplay it again with MCP_SIM_SEED={seed}");
    }
    let reached = reached.into_inner().expect("all threads have ended");
    let missed: Vec<_> = REACHED.into_iter().filter(|what| !reached.contains(what)).collect();
    assert!(seeds < SEEDS || missed.is_empty(), "no schedule led to {missed:?}");
}

#[test]
fn a_seed_plays_the_same_way_every_time() {
    for seed in 0..100 {
        assert_eq!(replay(seed), replay(seed), "seed {seed}");
    }
}

/// The revisions of one side: one of them, an era, or all.
fn revisions(dice: &mut Dice) -> Vec<Revision> {
    let of = |era: Era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    match dice.roll(10) {
        0..=3 => Revision::ALL.to_vec(),
        4..=5 => vec![Revision::LATEST_MODERN],
        6 => of(Era::Legacy),
        _ => vec![*dice.pick(&Revision::ALL)],
    }
}

pub fn client_settings(dice: &mut Dice, seed: u64) -> Settings {
    let wire = if dice.chance(35) { Wire::Http } else { Wire::Stream };
    let mut allowed = revisions(dice);
    if wire == Wire::Http {
        // 2024-11-05 has another transport, which the client falls back to by the status of HTTP only: there the server has no
        // other one at its URL.
        allowed.retain(|revision| *revision > Revision::V2024_11_05);
        if dice.chance(20) {
            allowed.insert(0, Revision::V2024_11_05);
        } else if allowed.is_empty() {
            allowed.push(Revision::V2025_03_26);
        }
    }
    let mut settings = Settings {
        allowed,
        wire,
        capabilities: json!({ "sampling": {}, "elicitation": {}, "roots": { "listChanged": true } })
            .as_object()
            .cloned()
            .unwrap_or_default(),
        roots: dice.chance(30).then(|| r#"{"roots":[]}"#.to_owned()),
        reconnect: dice.chance(85).then(|| Reconnect {
            initial: dice.millis(10, 300),
            max: dice.millis(300, 1000),
            max_attempts: dice.chance(20).then_some(3),
            stable: dice.millis(10, 1000),
            ..Reconnect::default()
        }),
        wait_when_unavailable: dice.chance(50),
        retry: if dice.chance(40) { Retry::Safe } else { Retry::Never },
        in_flight: usize::try_from(dice.between(2, 12)).expect("a small number"),
        server_requests: usize::try_from(dice.between(2, 12)).expect("a small number"),
        capability_checks: dice.chance(80),
        sample_rate: 0.0,
        seed,
        ..Settings::default()
    };
    settings.timeouts.call = dice.millis(200, 4000);
    settings.timeouts.max_total = dice.millis(1000, 8000);
    settings.timeouts.probe = dice.millis(20, 500);
    settings.timeouts.initialize = dice.millis(50, 1000);
    settings.timeouts.listen = dice.millis(20, 200);
    if dice.chance(60) {
        settings.tasks = Some(TaskSettings {
            poll: dice.millis(20, 200),
            poll_min: dice.millis(10, 40),
            poll_max: dice.millis(50, 200),
            ttl: dice.chance(30).then(|| dice.millis(200, 6000)),
            life: dice.millis(1000, 8000),
            limit: usize::try_from(dice.between(2, 6)).expect("a small number"),
        });
        settings.capabilities.insert("extensions".to_owned(), json!({ EXTENSION: {} }));
    }
    settings
}

pub fn server_settings(dice: &mut Dice) -> server::Settings {
    let mut settings = server::Settings::new("joined", "1");
    settings.revisions = revisions(dice);
    settings.announced.logging = dice.chance(80);
    settings.announced.tools = true;
    settings.announced.prompts = dice.chance(50);
    settings.page_size = usize::try_from(dice.between(1, 4)).expect("a small number");
    settings.limits.sessions = 4;
    settings.limits.requests_per_session = usize::try_from(dice.between(2, 10)).expect("a small number");
    settings.limits.listens_per_session = usize::try_from(dice.between(1, 4)).expect("a small number");
    settings.limits.input_rounds = 3;
    settings.timeouts.request = dice.chance(80).then(|| dice.millis(100, 6000));
    settings.timeouts.question = dice.millis(100, 3000);
    settings.timeouts.burst = dice.millis(0, 20);
    settings.timeouts.request_state = Duration::from_secs(dice.between(1, 20));
    settings.timeouts.task_ttl = dice.millis(500, 8000);
    settings.limits.tasks = usize::try_from(dice.between(3, 8)).expect("a small number");
    settings.limits.tasks_per_session = usize::try_from(dice.between(2, 6)).expect("a small number");
    settings.limits.task_bytes = usize::try_from(dice.between(60, 2000)).expect("a small number");
    settings
}

/// What the engines of HTTP are made of.
pub struct HttpSimulationSettings {
    pub client: HttpSettings,
    pub streams: StreamLimits,
    server: HttpLimits,
    /// Whether the server has HTTP+SSE of 2024-11-05 at its URL.
    pub is_sse: bool,
}

impl HttpSimulationSettings {
    /// How long a session may be unused.
    pub fn session(&self) -> Duration {
        self.server.session
    }

    pub fn endpoint(&self, revisions: &[Revision]) -> EndpointSettings {
        EndpointSettings {
            seals: false,
            path: if self.is_sse { "/other" } else { "/mcp" }.to_owned(),
            sse: self.is_sse.then(|| "/mcp".to_owned()),
            guard: Guard { is_loopback: true, ..Guard::default() },
            limits: self.server.clone(),
            revisions: revisions.to_vec(),
            depth: 128,
            batch: 100,
            #[cfg(feature = "draft")]
            draft: crate::protocol::draft::Drafts::default(),
            documents: Documents::default(),
            authorization: None,
        }
    }
}

const BYTES: usize = 1 << 20;

pub fn http_client_settings() -> HttpSettings {
    HttpSettings {
        url: Address::parse("http://localhost/mcp").expect("a URL"),
        headers: Vec::new(),
        unix_socket: None,
        proxy: None,
        tls: TlsSettings::default(),
        header_bytes: 65_536,
        message_bytes: BYTES,
        connect: Duration::from_secs(10),
        compression: false,
        cookies: true,
        idle_connections: 4,
        idle_time: Duration::from_secs(60),
        ping: Duration::from_secs(10),
        remember_era: false,
        // So many attempts do not fail one after another.
        resume_attempts: 12,
        draft: crate::protocol::draft::Drafts::default(),
    }
}

pub fn http_settings(dice: &mut Dice, logs_in: bool, is_sse: bool) -> HttpSimulationSettings {
    let streams = StreamLimits {
        framing: Framing::Newline,
        frame_bytes: BYTES,
        discard_bytes: BYTES,
        outgoing_bytes: BYTES,
        shared_bytes: 64 << 20,
        write: Duration::from_secs(30),
        silent: Duration::from_secs(60),
        finish: Duration::from_secs(5),
        close: Duration::from_secs(2),
        notice: Duration::ZERO,
        drain: Duration::ZERO,
        workers: 0,
    };
    let server = HttpLimits {
        connections: 1000,
        head_bytes: 65_536,
        body_bytes: BYTES,
        listens: 4,
        stream_bytes: BYTES,
        events: if dice.chance(75) { dice.index(30) } else { 0 },
        event_bytes: BYTES,
        event_age: dice.millis(500, 60_000),
        head: Duration::from_secs(5),
        body: Duration::from_secs(10),
        body_rate: 16 * 1024,
        body_grace: Duration::from_secs(5),
        write: Duration::from_secs(30),
        retry: dice.millis(10, 2000),
        keep_alive: dice.millis(1000, 40_000),
        session: dice.millis(2000, 60_000),
    };
    let mut client = http_client_settings();
    if logs_in {
        client.url = Address::parse(MCP).expect("a URL");
    }
    HttpSimulationSettings { client, streams, server, is_sse }
}
