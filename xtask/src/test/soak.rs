//! Forty seconds of `cargo xtask soak`, or twenty with `--deep`, after planted faults were found.

use super::Stage;
use crate::machine::CC;
use crate::soak::{self, Plan};

const SECONDS: u64 = 40;
const DEEP_SECONDS: u64 = 1200;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "50 servers under mixed load with faults";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "it is watched through /proc, which Linux has");
        return Ok(());
    }
    if stage.tally.need(&CC, what).is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let planted = [("leak", 20, "GROWS: resident memory"), ("lost", 3, "open_tickets")];
    for (plant, seconds, says) in planted {
        let mut plan = Plan::new(checkout, seconds)?;
        plan.plant = Some(plant);
        let result = match soak::soak(checkout, &built, &plan) {
            Err(why) if why.contains(says) => Ok(()),
            Err(why) => Err(format!("it was, but not for that: {why}")),
            Ok(report) => Err(format!("it was not: {report}")),
        };
        stage.tally.check(&format!("a planted fault ({plant}) is found"), result);
    }
    let seconds = if stage.options.deep { DEEP_SECONDS } else { SECONDS };
    let result = soak::soak(checkout, &built, &Plan::new(checkout, seconds)?);
    stage.tally.check(
        &format!("{what}, {seconds} s: each call ends once, nothing grows, nothing is left"),
        result.map(|report| print!("{report}")),
    );
    Ok(())
}
