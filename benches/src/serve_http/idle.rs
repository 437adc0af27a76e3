//! Sessions that wait: their memory, and how often they wake the server.

use super::running::{Running, Server};
use crate::os;
use std::time::Duration;

const SESSIONS: u32 = 10_000;

/// Each server that keeps sessions opens 10,000 of them.
pub fn bench(servers: &[Server], quick: bool) -> Result<(), String> {
    let watched = Duration::from_secs(if quick { 3 } else { 10 });
    println!("\nserver       memory, no session   with {SESSIONS} sessions   for each   wake-ups a second");
    for server in servers.iter().filter(|server| server.has_sessions) {
        let running = Running::start(server)?;
        running.open_session()?;
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
            "{:<11} {before:>15} KiB {after:>18} KiB {:>8.2} KiB {woken:>15.1}",
            server.name,
            (after as f64 - before as f64) / f64::from(SESSIONS)
        );
        running.end();
    }
    Ok(())
}
