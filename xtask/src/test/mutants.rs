//! The code is changed in some 380 places, one at a time, and the unit tests of Rust alone must fail: cargo-mutants, on the files that
//! `.cargo/mutants.toml` names.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::Stage;
use crate::checkout::read;
use crate::{peers, process};

const LIMIT: Duration = Duration::from_secs(24 * 3600);
/// Every 21st of some 7,900 changes.
const SAMPLE: &str = "0/21";
/// How many schedules each simulator plays: with 10,000 the tests take minutes, some 380 times.
const SEEDS: &str = "100";
/// How many of a hundred have to be found.
const LEAST: u64 = 95;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let output = stage.checkout.scratch("mutants")?;
    let mut command = Command::new(peers::cargo_mutants(stage.checkout)?);
    command.args(["mutants", "--package", "mcp-core", "--package", "mcp", "--no-shuffle"]);
    command.args(["--shard", SAMPLE, "--sharding", "round-robin", "--output"]).arg(&output);
    command.env("MCP_SIM_SEEDS", SEEDS);
    // It tells what is missed by its exit status, too.
    let finished =
        process::run(command.current_dir(&stage.checkout.root), LIMIT, &output.join("cargo-mutants"))?;
    let outcomes = read(&output.join("mutants.out/outcomes.json")).map_err(|_| finished.story())?;
    let outcomes: Value = serde_json::from_str(&outcomes).map_err(|error| format!("outcomes: {error}"))?;
    let count =
        |name: &str| outcomes[name].as_u64().ok_or_else(|| format!("no {name}: {}", finished.story()));
    // What does not compile, or takes for ever, is not there to be missed.
    let (found, missed) = (count("caught")? + count("timeout")?, count("missed")?);
    let result = match found + missed {
        0 => Err(finished.story()),
        all if found * 100 >= all * LEAST => Ok(()),
        _ => Err(read(&output.join("mutants.out/missed.txt"))?),
    };
    stage.tally.check(&format!("{found} changes of the code are found, {missed} missed"), result);
    Ok(())
}
