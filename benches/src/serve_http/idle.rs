//! Sessions that wait: their memory, how often they wake the server, and what a call costs beside them.

use super::running::{Running, Server, call, calls, request};
use crate::os;
use std::time::Duration;

const SESSIONS: u32 = 10_000;
const CALLS: u64 = 5_000;

/// Each server that keeps sessions opens 10,000 of them.
pub fn bench(servers: &[Server], quick: bool) -> Result<(), String> {
    let watched = Duration::from_secs(if quick { 3 } else { 10 });
    println!(
        "\nserver       memory, no session   with {SESSIONS} sessions   for each   wake-ups a second   CPU a call   beside them"
    );
    for server in servers.iter().filter(|server| server.has_sessions) {
        let running = Running::start(server)?;
        let alone = cost(&running)?;
        let before = running.memory_kib();
        for _ in 0..SESSIONS {
            running.open_session()?;
        }
        let after = running.memory_kib();
        let sleeps = || os::sleeps(running.child.id()).map_or(f64::NAN, |sleeps| sleeps as f64);
        // What the last request left to do is not what waiting costs.
        std::thread::sleep(Duration::from_secs(1));
        let slept_before = sleeps();
        std::thread::sleep(watched);
        let woken = (sleeps() - slept_before) / watched.as_secs_f64();
        println!(
            "{:<11} {before:>15} KiB {after:>18} KiB {:>8.2} KiB {woken:>15.1} {alone:>12.1} us {:>10.1} us",
            server.name,
            (after as f64 - before as f64) / f64::from(SESSIONS),
            cost(&running)?
        );
        running.end();
    }
    Ok(())
}

/// The server's processor time for a call in a session of its own, in µs.
fn cost(running: &Running) -> Result<f64, String> {
    let (body, headers) = call(running, "legacy")?;
    let request = request(running, &body, &headers);
    calls(running, &request, CALLS / 5)?;
    let cpu = || os::cpu_ns(running.child.id()).map_or(f64::NAN, |ns| ns as f64 / 1e3);
    let before = cpu();
    calls(running, &request, CALLS)?;
    Ok((cpu() - before) / CALLS as f64)
}
