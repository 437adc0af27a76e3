//! `cargo test` of every crate. Its results are added up from the lines in which each test binary closes. `--seeds` says
//! how many schedules the simulator of the engine plays.

use std::collections::BTreeSet;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::Stage;
use crate::checkout::Checkout;
use crate::process;

/// The test that plays thousands of schedules of both engines with a simulated network. It meets no system: the steps that run unit
/// tests for another one leave it out.
pub const SCHEDULES: &str = "runtime::simulation::every_call_ends_once";

/// How many schedules each simulator plays, and how many where only the core of the tests runs.
const SEEDS: u64 = 10_000;
const FEW_SEEDS: u64 = 500;

/// The step `store` has these: they start `redis-server` and `haproxy`. The program `mcp` brings the feature that they need into the workspace.
const OF_STORE: &str = "-- --skip server::store_";

/// How long the tests may take that are programs of their own.
const LIMIT: Duration = Duration::from_secs(3600);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let checkout = stage.checkout;
    let seeds = stage.options.seeds.unwrap_or(if stage.options.all { SEEDS } else { FEW_SEEDS });
    let cargo = |words: &[String]| {
        let mut cargo = checkout.cargo();
        // With the whole workspace each time, nothing is compiled again with other features. The crate libmcp has no test, and what it asks
        // of others another one asks, too.
        cargo.args(["test", "--workspace", "--no-fail-fast", "--target-dir"]).arg(&checkout.target);
        cargo.args(words).env("MCP_SIM_SEEDS", seeds.to_string());
        cargo
    };
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    if !stage.options.all {
        return counted(stage, &mut cargo(&words(OF_STORE)));
    }
    let (programs, log) = (programs(checkout)?, checkout.scratch("rust")?.join("programs"));
    let compiled = process::stream(&mut cargo(&words("--no-run")), |_| ())?;
    if !compiled.success() {
        return Err("cargo test could not build everything; see above".to_owned());
    }
    thread::scope(|scope| {
        let beside = scope.spawn(|| process::run(&mut cargo(&programs), LIMIT, &log));
        let modules =
            counted(stage, &mut cargo(&words(&format!("--exclude libmcp --lib --bins {OF_STORE}"))));
        let finished = beside.join().map_err(|_| "the thread of the programs panicked".to_owned())??;
        print!("{}", finished.stdout);
        let before = stage.tally.failed;
        finished.stdout.lines().for_each(|line| count(stage, line));
        modules?;
        if finished.succeeded() || stage.tally.failed > before { Ok(()) } else { Err(finished.story()) }
    })?;
    // The examples in the comments of the package mcp are C, for the header.
    counted_if_any(stage, &mut cargo(&words("--doc --exclude mcp"))).map(drop)
}

/// The words for cargo that choose the tests that are programs of their own, which mostly wait for servers: they run beside the tests of modules.
fn programs(checkout: &Checkout) -> Result<Vec<String>, String> {
    let packages = checkout.metadata(&["--no-deps"])?;
    let targets = packages.iter().filter_map(|package| package["targets"].as_array()).flatten();
    // Others are asked for by name (`test = false`).
    let tests = targets.filter(|it| it["kind"][0] == "test" && it["test"] == true);
    let names: BTreeSet<&str> = tests.filter_map(|it| it["name"].as_str()).collect();
    Ok(names.into_iter().flat_map(|name| ["--test".to_owned(), name.to_owned()]).collect())
}

/// Runs tests by cargo, and counts them.
pub fn counted(stage: &mut Stage, cargo: &mut Command) -> Result<(), String> {
    match counted_if_any(stage, cargo)? {
        0 => Err("cargo test ran no test".to_owned()),
        _ => Ok(()),
    }
}

/// The same where there may be none; gives how many have run.
fn counted_if_any(stage: &mut Stage, cargo: &mut Command) -> Result<usize, String> {
    let before = (stage.tally.passed, stage.tally.failed);
    let status = process::stream(cargo, |line| count(stage, line))?;
    let (passed, failed) = (stage.tally.passed - before.0, stage.tally.failed - before.1);
    if status.success() || failed > 0 {
        return Ok(passed + failed);
    }
    Err("cargo test could not build or run everything; see above".to_owned())
}

/// Adds what a line says in which a test binary closes.
fn count(stage: &mut Stage, line: &str) {
    if let Some([passed, failed, ignored]) = result_line(line) {
        stage.tally.passed += passed;
        stage.tally.failed += failed;
        stage.tally.skipped += ignored;
    }
}

/// Passed, failed and ignored in `test result: ok. 5 passed; 0 failed; 1 ignored; …`.
pub(super) fn result_line(line: &str) -> Option<[usize; 3]> {
    let counts = line.trim().strip_prefix("test result: ")?.split_once(". ")?.1;
    let count = |what: &str| {
        counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim_end().parse::<usize>().ok())
    };
    Some([count("passed")?, count("failed")?, count("ignored")?])
}

#[cfg(test)]
mod tests {
    use super::result_line;

    #[test]
    fn the_closing_line_of_a_test_binary_is_read() {
        let line =
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        assert_eq!(result_line(line), Some([12, 0, 1]));
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.0s";
        assert_eq!(result_line(line), Some([3, 2, 0]));
    }
}
