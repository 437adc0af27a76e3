//! The formatting of every crate is what rustfmt makes.

use super::Stage;
use crate::process;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut cargo = stage.checkout.cargo();
    cargo.args(["fmt", "--all", "--", "--check"]);
    let status = process::stream(&mut cargo, |_| {})?;
    let result = if status.success() { Ok(()) } else { Err("run `cargo fmt --all`".to_owned()) };
    stage.tally.check("cargo fmt --all --check", result);
    // A workspace of its own.
    let mut cargo = stage.checkout.cargo();
    cargo.args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--", "--check"]);
    let status = process::stream(&mut cargo, |_| {})?;
    let result = if status.success() { Ok(()) } else { Err("run `cargo fmt` in the folder fuzz".to_owned()) };
    stage.tally.check("cargo fmt --check in fuzz", result);
    Ok(())
}
