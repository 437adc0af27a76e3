//! As many calls as a server can take, which an independent program makes (`wrk`).

use super::Seen;
use super::running::{Running, TEXT, call, on_one_processor};
use crate::contender::Workshop;
use crate::os;
use std::process::Command;

/// Loads a server for some seconds; gives calls per second, its processor time for a call and the 99th percentile, in µs.
pub fn load(
    workshop: &Workshop,
    running: &Running,
    era: &str,
    connections: u32,
    seconds: u32,
) -> Result<Seen, String> {
    let (body, headers) = call(running, era)?;
    let one = |seconds: u32| {
        let mut wrk = Command::new("wrk");
        wrk.args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "-s"]);
        wrk.arg(workshop.root.join("benches/contenders/serve.lua"));
        for header in &headers {
            wrk.args(["-H", header]);
        }
        wrk.arg(&running.url).env("BODY", &body).env("TEXT", TEXT);
        let before = os::cpu_ns(running.child.id());
        let output = on_one_processor(None, || wrk.output())?
            .map_err(|error| format!("wrk (Debian: apt-get install wrk): {error}"))?;
        let after = os::cpu_ns(running.child.id());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = said.lines().find(|line| line.starts_with("done ")).ok_or_else(|| said.clone())?;
        let number = |key: &str| {
            let value = line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            value.and_then(|value| value.parse::<f64>().ok()).ok_or_else(|| line.to_owned())
        };
        if number("wrong")? + number("lost")? > 0.0 {
            return Err(line.to_owned());
        }
        let calls = number("calls")?.max(1.0);
        let cpu_ns = before.zip(after).map_or(f64::NAN, |(before, after)| (after - before) as f64);
        Ok((calls * 1e6 / number("us")?, cpu_ns / 1e3 / calls, number("p99")?))
    };
    one(1)?;
    one(seconds)
}
