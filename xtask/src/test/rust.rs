//! `cargo test` of every crate. Its results are added up from the lines in which each test binary closes. `--seeds` says
//! how many schedules the simulator of the engine plays.

use std::process::Command;

use super::Stage;
use crate::process;

/// The test that plays thousands of schedules of both engines with a simulated network. It meets no system: the steps that run unit
/// tests for another one leave it out.
pub const SCHEDULES: &str = "runtime::simulation::every_call_ends_once";

/// How many schedules each simulator plays, and how many where only the core of the tests runs.
const SEEDS: u64 = 10_000;
const FEW_SEEDS: u64 = 500;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut cargo = stage.checkout.cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast", "--target-dir"]).arg(&stage.checkout.target);
    let seeds = stage.options.seeds.unwrap_or(if stage.options.all { SEEDS } else { FEW_SEEDS });
    cargo.env("MCP_SIM_SEEDS", seeds.to_string());
    counted(stage, &mut cargo)
}

/// Runs tests by cargo, and counts them.
pub fn counted(stage: &mut Stage, cargo: &mut Command) -> Result<(), String> {
    let mut found = [0; 3];
    let status = process::stream(cargo, |line| {
        if let Some(counts) = result_line(line) {
            for (sum, count) in found.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    })?;
    let [passed, failed, ignored] = found;
    stage.tally.passed += passed;
    stage.tally.failed += failed;
    stage.tally.skipped += ignored;
    match (status.success(), failed, passed) {
        (false, 0, _) => Err("cargo test could not build or run everything; see above".to_owned()),
        (true, _, 0) => Err("cargo test ran no test".to_owned()),
        _ => Ok(()),
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
