//! Every system call of a C host fails once, in each way that `tests/torture/calls.h` names, while it connects, calls, serves and
//! closes; and every large allocation is refused once. With `--deep` each occurrence of a call; else a few of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::Checkout;
use crate::compiler;
use crate::machine::CC;
use crate::process;
use crate::release::Built;

const SCENARIOS: [&str; 6] =
    ["process", "standard-streams", "in-process", "tcp-socket", "http-modern", "http-legacy"];
/// Parts of a scenario, so that processors share it evenly.
const SHARDS: usize = 2;
const LIMIT: Duration = Duration::from_secs(600);
const DEEP_LIMIT: Duration = Duration::from_secs(4 * 3600);
/// The exit status of a program that the system does not permit what it needs.
const SKIPPED: i32 = 77;

/// The programs, compiled.
struct Programs {
    torture: PathBuf,
    host: PathBuf,
    allocations: PathBuf,
}

/// What is said of the scenario `planted`, in which two calls of the host are not looked after.
const PLANTED: [(&str, &str); 2] = [
    ("a read that is not made again", "host:read:1:EINTR: a check failed"),
    ("a descriptor that is left", "host:dup:1:EMFILE: a check failed"),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "system calls that fail";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "they are made to fail by ptrace and seccomp, which Linux has");
        return Ok(());
    }
    if stage.tally.need(&CC, what).is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let source = |name: &str| checkout.root.join("tests/torture").join(name);
    let compiled = |name: &str| compiler::program(checkout, &built, &source(name), "torture");
    let torture = Programs {
        torture: compiled("torture.c")?,
        host: compiled("host.c")?,
        allocations: compiled("allocations.c")?,
    };
    let log = checkout.scratch("torture")?;
    let mut allocations = Command::new(&torture.allocations);
    allocations.args([&built.example_server, &built.scripted_server, &built.scripted_http]);
    let result = said(&mut allocations, LIMIT, &log.join("allocations"));
    record(stage, "large allocations", result);
    let parts: Vec<(&str, usize)> =
        SCENARIOS.iter().flat_map(|scenario| (0..SHARDS).map(move |shard| (*scenario, shard))).collect();
    let deep = stage.options.deep;
    // The plants wait for what does not come, so that the others run beside them.
    let with_planted: Vec<Option<(&str, usize)>> =
        std::iter::once(None).chain(parts.into_iter().map(Some)).collect();
    process::side_by_side(
        &with_planted,
        |part| match part {
            None => planted(checkout, &built, &torture),
            Some(part) => tortured(checkout, &built, &torture, *part, deep),
        },
        |part, result| match part {
            None => record(stage, "planted faults are found", result),
            Some((scenario, shard)) => {
                record(stage, &format!("{scenario}, part {} of {SHARDS}", shard + 1), result);
            }
        },
    );
    Ok(())
}

/// Two calls of the host that are not looked after have to be told.
fn planted(checkout: &Checkout, built: &Built, torture: &Programs) -> Result<Outcome, String> {
    let mut command = Command::new(&torture.torture);
    command.arg(&torture.host).arg(&built.example_server).arg("planted");
    let found = process::run(&mut command, LIMIT, &checkout.scratch("torture")?.join("planted"))?;
    if found.code() == Some(SKIPPED) {
        return Ok(Outcome::Skipped(last_line(&found.stdout).to_owned()));
    }
    match PLANTED.iter().find(|(_, told)| !found.stdout.contains(told)) {
        None => Ok(Outcome::Passed(PLANTED.map(|(fault, _)| fault).join(", "))),
        Some((fault, _)) => Err(format!("{fault} was not found: {}", found.story())),
    }
}

enum Outcome {
    Passed(String),
    /// The system does not permit it.
    Skipped(String),
}

fn record(stage: &mut Stage, name: &str, result: Result<Outcome, String>) {
    match result {
        Ok(Outcome::Skipped(why)) => stage.tally.lack(name, &why),
        Ok(Outcome::Passed(said)) => stage.tally.pass(&format!("{name}: {said}")),
        Err(why) => stage.tally.fail(name, &why),
    }
}

fn tortured(
    checkout: &Checkout,
    built: &Built,
    programs: &Programs,
    (scenario, shard): (&str, usize),
    deep: bool,
) -> Result<Outcome, String> {
    let mut command = Command::new(&programs.torture);
    command.arg(&programs.host).arg(&built.example_server).arg(scenario);
    command.args(["--shard", &shard.to_string(), &SHARDS.to_string()]);
    if deep {
        command.arg("--deep");
    }
    let log = checkout.scratch("torture")?.join(format!("{scenario}-{shard}"));
    said(&mut command, if deep { DEEP_LIMIT } else { LIMIT }, &log)
}

/// Runs a program whose last line is what it did.
fn said(command: &mut Command, limit: Duration, log: &Path) -> Result<Outcome, String> {
    let finished = process::run(command, limit, log)?;
    let last = last_line(&finished.stdout);
    match finished.code() {
        Some(0) if !last.is_empty() => Ok(Outcome::Passed(last.to_owned())),
        Some(SKIPPED) => Ok(Outcome::Skipped(last.to_owned())),
        _ => Err(finished.story()),
    }
}

fn last_line(output: &str) -> &str {
    output.trim().lines().last().unwrap_or_default().trim_start_matches("skip: ")
}
