//! The tests of `src/runtime/model`: the library compiled for the model checker `loom`, which runs every order of threads within
//! a number of preemptions, three in CI and four with `--deep`.

use std::process::Command;

use super::Stage;
use super::rust::result_line;
use crate::checkout::Checkout;
use crate::process;

const PREEMPTIONS: &str = "3";
const DEEP_PREEMPTIONS: &str = "4";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut cargo = command(stage.checkout);
    // The checker's runs count, and a failure tells each of its steps.
    cargo.args(["runtime::model", "--", "--nocapture", "--test-threads=1"]);
    cargo.env("LOOM_MAX_PREEMPTIONS", if stage.options.deep { DEEP_PREEMPTIONS } else { PREEMPTIONS });
    let mut found = [0; 3];
    let mut orders = 0_u64;
    let status = process::stream(&mut cargo, |line| {
        if let Some(counts) = result_line(line) {
            found = counts;
        }
        orders +=
            line.strip_suffix(" orders").and_then(|told| told.rsplit(' ').next()?.parse().ok()).unwrap_or(0);
    })?;
    let [passed, failed, _] = found;
    stage.tally.passed += passed;
    stage.tally.failed += failed;
    println!("  {orders} orders of threads");
    match (status.success(), failed, passed) {
        (false, 0, _) => Err("the tests could not be built or run; see above".to_owned()),
        (true, _, 0) => Err("no test ran".to_owned()),
        _ => Ok(()),
    }
}

/// What the step builds, before it.
pub fn build(checkout: &Checkout) -> Result<(), String> {
    match command(checkout).arg("--no-run").status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo test for the model checker failed: {status}")),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

fn command(checkout: &Checkout) -> Command {
    let mut cargo = checkout.cargo();
    cargo.args(["test", "--package", "mcp", "--lib", "--no-default-features", "--features", "client"]);
    cargo.arg("--target-dir").arg(checkout.target.join("loom"));
    cargo.env("RUSTFLAGS", "--cfg mcp_loom");
    cargo
}
