//! The simulator: an engine alone, under virtual time, through random schedules of commands, transport events, frames of
//! every kind and ticks. A `model` says beforehand what may happen and looks at everything that does; `schedule` picks the
//! steps, `draw` the settings, `server` the frames (`task_server` those about tasks), and `dice` makes all of it follow from one
//! seed.
//!
//! `MCP_SIM_SEEDS=n` plays that many seeds instead of 10,000; `MCP_SIM_SEED=s` plays one and prints every step of it.

mod commands;
mod draw;
mod model;
mod observe;
mod rounds;
mod schedule;
mod server;
mod task_requests;
mod task_server;
mod tasks;
mod turns;

use crate::engine::dice;
use schedule::World;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

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
