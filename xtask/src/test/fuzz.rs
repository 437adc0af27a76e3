//! Every fuzz target runs for a while and finds nothing.

use super::Stage;
use crate::checkout::Checkout;
use crate::fuzz::{self, Inputs, Optimization, Targets};
use crate::machine::{GXX, is_ci};

/// How long each target runs, in seconds: with `--deep`, and otherwise.
const DEEP: u64 = 1800;
const SHORT: u64 = 4;

/// What the step has compiled, before it, without `--deep`.
pub fn build_all(checkout: &Checkout) -> Result<Targets, String> {
    fuzz::build(checkout, None, Optimization::Little)
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "the fuzz targets";
    // libFuzzer is C++.
    if stage.tally.need(&GXX, what).is_none() {
        return Ok(());
    }
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        stage.tally.skip(what, "Rust has the sanitizer for them on Linux with the GNU C library");
        return Ok(());
    }
    let (targets, seconds) = match stage.options.deep {
        true => (fuzz::build(stage.checkout, None, Optimization::Full)?, DEEP),
        false => (build_all(stage.checkout)?, SHORT),
    };
    let inputs = if is_ci() && !stage.options.deep { Inputs::Repeatable } else { Inputs::Random };
    targets.run(stage.checkout, seconds, inputs, |name, result| match result {
        Ok(figures) => stage.tally.pass(&format!("{name} for {seconds} s: {}", figures.say())),
        Err(why) => stage.tally.fail(name, &why),
    });
    Ok(())
}
