//! Clippy finds nothing, in any crate and any target.

use super::Stage;
use crate::process;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut cargo = stage.checkout.cargo();
    cargo
        .args(["clippy", "--quiet", "--workspace", "--all-targets", "--target-dir"])
        .arg(&stage.checkout.target);
    cargo.args(["--", "-D", "warnings"]);
    let status = process::stream(&mut cargo, |_| {})?;
    let result = if status.success() { Ok(()) } else { Err("see the warnings above".to_owned()) };
    stage.tally.check("cargo clippy --workspace --all-targets -- -D warnings", result);
    Ok(())
}
