//! The simulator: an engine alone, under virtual time, through random schedules of commands, transport events, frames of
//! every kind and ticks. A `model` says beforehand what may happen and looks at everything that does; `schedule` picks the
//! steps, `server` the frames, and `dice` makes all of it follow from one seed. This file draws settings and commands.
//!
//! The files:
//!
//! * `model`: what the simulator knows: pending calls, exchanges, rounds of input, turns of stateful tools
//! * `observe`: what the model makes of each effect
//! * `schedule`: a world for one engine: random settings, random steps
//! * `server`: the server's frames, those about tasks too
//! * `tasks`: what is known of calls that become tasks, and what the engine may ask about them
//!
//! `MCP_SIM_SEEDS=n` plays that many seeds instead of 10,000; `MCP_SIM_SEED=s` plays one and prints every step of it.

mod model;
mod observe;
mod schedule;
mod server;
mod tasks;

use crate::engine::client::tests::simulator::model::{Cause, Expected, Model};
use crate::engine::client::tests::simulator::schedule::World;
use crate::engine::telemetry::Telemetry;
use crate::engine::{
    CallOptions, Feature, Reconnect, Retry, Settings, State, Status, TaskSettings, Timeouts, ToolModes,
};
use crate::protocol::task::EXTENSION;
use crate::protocol::{Era, Revision};
use crate::testing::dice::{self, Dice};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SEEDS: u64 = 10_000;

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not '{text}'")))
}

/// Plays a seed and gives what went wrong, if anything did.
fn fault(seed: u64, world: &mut World) -> Option<String> {
    let played = catch_unwind(AssertUnwindSafe(|| world.play()));
    let panic = played.err()?;
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Some(format!("seed {seed}: {}", text.unwrap_or_default()))
}

/// Plays one seed with every step written down.
fn replay(seed: u64) -> (Option<String>, String) {
    let mut world = World::new(seed, true);
    let fault = fault(seed, &mut world);
    (fault, world.trace())
}

#[test]
fn every_schedule_keeps_every_rule() {
    if let Some(seed) = from_environment("MCP_SIM_SEED") {
        let (fault, trace) = replay(seed);
        println!("{trace}");
        assert!(fault.is_none(), "{}", fault.unwrap_or_default());
        return;
    }
    let seeds = from_environment("MCP_SIM_SEEDS").unwrap_or(SEEDS);
    println!("seeds 0 to {seeds}");
    let next = AtomicU64::new(0);
    let first_fault = AtomicU64::new(u64::MAX);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.min(first_fault.load(Ordering::Relaxed)) {
                        return;
                    }
                    if fault(seed, &mut World::new(seed, false)).is_some() {
                        first_fault.fetch_min(seed, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let seed = first_fault.into_inner();
    if seed != u64::MAX {
        let (fault, trace) = replay(seed);
        let fault = fault.unwrap_or_else(|| "it did not happen again".to_owned());
        panic!("{fault}\n\n{trace}\nplay it again with MCP_SIM_SEED={seed}");
    }
}

#[test]
fn seeds_that_stand_side_by_side_share_no_numbers() {
    let rolls = |seed| {
        let mut dice = dice::Dice::new(seed);
        (0..1000).map(|_| dice.roll(u64::MAX)).collect::<Vec<_>>()
    };
    let seen: std::collections::HashSet<u64> = (0..100).flat_map(rolls).collect();
    assert_eq!(seen.len(), 100 * 1000);
}

#[test]
fn a_seed_plays_the_same_way_every_time() {
    for seed in 0..50 {
        let (first, second) = (replay(seed), replay(seed));
        assert_eq!(first, second, "seed {seed}");
    }
}

#[test]
fn the_schedules_reach_every_state_and_every_outcome() {
    let mut reached = std::collections::BTreeSet::new();
    for seed in 0..500 {
        let mut world = World::new(seed, false);
        world.play();
        reached.extend(world.reached());
    }
    let expected = [
        "idle",
        "starting",
        "initializing",
        "ready",
        "backoff",
        "closing",
        "closed",
        "result",
        "timeout",
        "cancelled",
        "transport",
        "protocol",
        "server",
        "too_large",
        "unsupported",
        "progress",
        "notification",
        "request",
        "restored",
        "tools listed",
        "session",
        "in line",
        "backpressure",
        "sent again",
        "late answer",
        "unknown answer",
        "probed",
        "initialized",
        "started again",
        "core task",
        "extension task",
        "task state",
        "task input",
        "task ended by us",
        "orphan",
        "stateful task",
        "another round",
        "watched task",
    ];
    let missed: Vec<_> = expected.into_iter().filter(|what| !reached.contains(what)).collect();
    assert!(missed.is_empty(), "no schedule led to {missed:?}");
}

impl World {
    pub fn notify(&mut self) {
        let refusal = match self.model.state {
            State::Ready => None,
            State::Closing | State::Closed => Some(Status::Closed),
            _ => Some(Status::Unavailable),
        };
        if refusal.is_none() {
            self.model.step.expected.push(Expected::Notify);
        }
        self.note(|| "notify".to_owned());
        self.tell(Cause::Command, |engine, now| {
            let outcome = engine.notify(now, "notifications/roots/list_changed", None);
            assert_eq!(outcome.err().map(|error| error.status), refusal);
        });
    }

    pub fn connect(&mut self) {
        self.tickets += 1;
        let ticket = self.tickets;
        let limit = self.dice.chance(60).then(|| self.dice.millis(0, 2000));
        self.note(|| format!("connect within {limit:?}"));
        let is_answered = matches!(self.model.state, State::Ready | State::Closing | State::Closed);
        self.model.connects.insert(ticket, limit.filter(|_| !is_answered).map(|limit| self.now + limit));
        self.tell(Cause::Command, |engine, now| engine.connect(now, limit, ticket));
        assert_eq!(self.model.connects.contains_key(&ticket), !is_answered);
    }

    /// Now and then the application watches a task that was begun before, instead of the call that it was about to make.
    pub fn or_watches(
        &mut self,
        name: &'static str,
        params: String,
        options: &mut CallOptions,
    ) -> (&'static str, String) {
        if !self.keen || self.dice.chance(88) {
            return (name, params);
        }
        options.feature = Feature::Plain;
        (options.task, options.task_ttl) = (None, None);
        options.timeout = options.timeout.map(|timeout| timeout.max(Duration::from_millis(1)));
        self.serial += 1;
        ("tasks/result", format!(r#"{{"taskId":"w-{}","t":{}}}"#, self.serial, self.tickets))
    }
}

impl Model {
    /// How a call is refused that is made now.
    pub fn refusal(&self, name: &str, options: &CallOptions) -> Option<Status> {
        let settings = &self.settings;
        let waits = options.wait_when_unavailable.unwrap_or(settings.wait_when_unavailable);
        let wants_task = options.task == Some(true);
        let watches = name == "tasks/result";
        match self.state {
            State::Closing | State::Closed => Some(Status::Closed),
            State::Backoff if !waits => Some(Status::Unavailable),
            _ if self.calls.len() >= settings.in_flight => Some(Status::Backpressure),
            _ if (wants_task || watches) && settings.tasks.is_none() => Some(Status::Unsupported),
            State::Ready if wants_task && !self.tasks.offered => Some(Status::Unsupported),
            State::Ready if watches && !self.tasks.declared => Some(Status::Unsupported),
            _ => None,
        }
    }
}

pub fn options(dice: &mut Dice) -> CallOptions {
    CallOptions {
        timeout: dice.chance(60).then(|| dice.millis(0, 1500)),
        max_total: dice.chance(20).then(|| dice.millis(0, 3000)),
        reset_on_progress: dice.chance(30).then(|| dice.chance(80)),
        progress: dice.chance(40),
        meta: if dice.chance(10) { r#""own":true"#.to_owned() } else { String::new() },
        retry: dice.chance(30).then(|| if dice.chance(70) { Retry::Safe } else { Retry::Never }),
        wait_when_unavailable: dice.chance(30).then(|| dice.chance(70)),
        feature: Feature::Raw,
        ..CallOptions::default()
    }
}

/// How the call of a tool is to be a task, or that the library may see to that.
pub fn as_task(dice: &mut Dice, options: &mut CallOptions) {
    options.feature = Feature::Plain;
    options.task = dice.chance(40).then(|| dice.chance(75));
    options.task_ttl = dice.chance(30).then(|| dice.millis(0, 60_000));
    // Each request about the task has that time; without any the same moment would never end.
    options.timeout = options.timeout.map(|timeout| timeout.max(Duration::from_millis(1 + dice.roll(500))));
}

/// Settings with which connections come back and calls live long enough to become tasks.
pub fn patient(dice: &mut Dice, settings: &mut Settings) {
    settings.timeouts.call = dice.millis(500, 3000);
    settings.timeouts.probe = dice.millis(500, 1500);
    settings.timeouts.initialize = dice.millis(500, 1500);
    settings.timeouts.methods.clear();
    settings.in_flight += 3;
    settings.server_requests += 1;
    if dice.chance(70) {
        settings.allowed = vec![*dice.pick(&[Revision::LATEST_LEGACY, Revision::LATEST_MODERN])];
    }
    if let Some(reconnect) = &mut settings.reconnect {
        reconnect.max_attempts = None;
    }
}

/// Names and methods of what a server wants to know.
pub fn inputs(dice: &mut Dice) -> Vec<(u64, &'static str)> {
    const METHODS: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];
    let mut inputs: Vec<(u64, &'static str)> = Vec::new();
    for _ in 0..dice.roll(3) {
        let name = dice.index(4);
        if inputs.iter().all(|(known, _)| *known != name as u64) {
            inputs.push((name as u64, METHODS[name % METHODS.len()]));
        }
    }
    inputs
}

/// The same as JSON.
pub fn written(inputs: &[(u64, &'static str)]) -> String {
    let inputs: Vec<String> = inputs
        .iter()
        .map(|(name, method)| format!(r#""{name}":{{"method":"{method}","params":{{}}}}"#))
        .collect();
    format!("{{{}}}", inputs.join(","))
}

/// A list of tools: "s" is stateful where it is there, nothing else ever is; "f" has to be
/// called as a task, "u" may be, and "s" now and then.
pub fn tools(dice: &mut Dice, further_pages: bool) -> String {
    let tools = *dice.pick(&[
        r#"{"name":"s","mode":"stateful"},{"name":"f","execution":{"taskSupport":"required"}}"#,
        r#"{"name":"s","_meta":{"mode":"stateful"},"execution":{"taskSupport":"optional"}}"#,
        r#"{"name":"s","mode":"stateful"},{"name":"f","mode":"stateless","execution":{"taskSupport":"required"}},{"name":"u","execution":{"taskSupport":"optional"}}"#,
        r#"{"name":"u","execution":{"taskSupport":"optional"}},{"name":"f","execution":{"taskSupport":"required"}},{"name":"s"}"#,
    ]);
    let next = if further_pages && dice.chance(25) { r#","nextCursor":"more""# } else { "" };
    format!(r#""tools":[{tools}]{next}"#)
}

pub fn settings(dice: &mut Dice) -> Settings {
    let of_era = |era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    let allowed = match dice.roll(20) {
        0..10 => Revision::ALL.to_vec(),
        10..14 => of_era(Era::Legacy),
        14..17 => of_era(Era::Modern),
        17..19 => vec![*dice.pick(&Revision::ALL)],
        _ => Vec::new(),
    };
    let mut timeouts = Timeouts {
        call: dice.millis(50, 2000),
        initialize: dice.millis(0, 1500),
        probe: dice.millis(0, 1500),
        max_total: dice.millis(100, 5000),
        reset_on_progress: dice.chance(30),
        ..Timeouts::default()
    };
    for name in ["resources/read", "server/discover", "initialize"] {
        if dice.chance(20) {
            timeouts.methods.insert(name.to_owned(), dice.millis(10, 800));
        }
    }
    let reconnect = dice.chance(80).then(|| {
        let initial = dice.millis(0, 400);
        Reconnect {
            initial,
            max: initial + dice.millis(0, 1500),
            jitter: *dice.pick(&[0.0, 0.2, 1.0]),
            max_attempts: dice.chance(30).then(|| u32::try_from(dice.roll(5)).expect("a small number")),
            stable: dice.millis(10, 2000),
        }
    });
    let mut capabilities = serde_json::Map::new();
    for name in ["sampling", "elicitation", "roots"] {
        if dice.chance(60) {
            capabilities.insert(name.to_owned(), json!({}));
        }
    }
    let tasks = dice.chance(50).then(|| {
        capabilities.insert("extensions".to_owned(), json!({EXTENSION: {}}));
        let least = dice.millis(1, 50);
        TaskSettings {
            poll: dice.millis(1, 300),
            poll_min: least,
            poll_max: least + dice.millis(0, 1000),
            ttl: dice.chance(30).then(|| dice.millis(0, 60_000)),
            life: dice.millis(100, 6000),
            limit: dice.index(4) + 1,
        }
    });
    Settings {
        capabilities,
        tasks,
        roots: dice.chance(40).then(|| r#"{"roots":[]}"#.to_owned()),
        allowed,
        timeouts,
        reconnect,
        wait_when_unavailable: dice.chance(30),
        retry: if dice.chance(40) { Retry::Safe } else { Retry::Never },
        max_retries: u32::try_from(dice.roll(4)).expect("a small number"),
        in_flight: dice.index(12) + 1,
        server_requests: dice.index(5),
        seed: dice.roll(u64::MAX),
        telemetry: Some(Telemetry { rate: 1.0, measures: false, seed: 1 }),
        tool_modes: dice.chance(35).then(|| ToolModes { waiting: dice.index(3), secret: [7, dice.roll(9)] }),
        ..Settings::default()
    }
}
