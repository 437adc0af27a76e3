//! Two processes of one server behind `haproxy`, with the configuration of `packaging/balancing`: `tests/balancer/balancer.c`
//! restarts and kills them under load. A few thousand calls; with `--deep` as many as the project promises.

use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::compiler;
use crate::machine::{CC, HAPROXY};
use crate::process;

const CALLS: u64 = 2_000;
const DEEP_CALLS: u64 = 1_000_000;
const LIMIT: Duration = Duration::from_secs(180);
const DEEP_LIMIT: Duration = Duration::from_secs(3600);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "two processes behind HAProxy, restarted and killed under load";
    let (Some(haproxy), Some(_)) = (stage.tally.need(&HAPROXY, what), stage.tally.need(&CC, what)) else {
        return Ok(());
    };
    let root = &stage.checkout.root;
    let (calls, limit) = if stage.options.deep { (DEEP_CALLS, DEEP_LIMIT) } else { (CALLS, LIMIT) };
    let source = root.join("tests/balancer/balancer.c");
    let program = compiler::program(stage.checkout, &stage.built()?, &source, "balancer")?;
    let mut command = Command::new(&program);
    command.arg(haproxy).arg(root.join("packaging/balancing/haproxy.cfg")).arg(calls.to_string());
    let finished = process::run(&mut command, limit, &program.with_extension("run"))?;
    for line in finished.stdout.lines() {
        println!("  {line}");
    }
    let result = finished.done();
    stage.tally.check(what, result);
    Ok(())
}
