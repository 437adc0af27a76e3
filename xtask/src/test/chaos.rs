//! Processes with clients and processes with servers, of which both are killed at random moments: `tests/chaos/chaos.c`. A few ten
//! thousand calls; with `--deep` a million and two thousand kills.

use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::compiler;
use crate::machine::CC;
use crate::process;

/// Over each transport.
const CALLS: u64 = 20_000;
const KILLS: u64 = 60;
const DEEP_CALLS: u64 = 500_000;
const DEEP_KILLS: u64 = 1000;

const LIMIT: Duration = Duration::from_secs(1200);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "clients and servers are killed under load";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "it finds its processes through /proc, which Linux has");
        return Ok(());
    }
    if stage.tally.need(&CC, what).is_none() {
        return Ok(());
    }
    let (calls, kills) = if stage.options.deep { (DEEP_CALLS, DEEP_KILLS) } else { (CALLS, KILLS) };
    let source = stage.checkout.root.join("tests/chaos/chaos.c");
    let program = compiler::program(stage.checkout, &stage.built()?, &source, "chaos")?;
    for transport in ["stdio", "http"] {
        let mut command = Command::new(&program);
        command.args([transport, &calls.to_string(), &kills.to_string()]);
        let finished = process::run(&mut command, LIMIT, &program.with_extension(transport))?;
        for line in finished.stdout.lines() {
            println!("  {line}");
        }
        let result = finished.done();
        stage
            .tally
            .check(&format!("{what}, {transport}: each call ends once, and none is executed twice"), result);
    }
    Ok(())
}
