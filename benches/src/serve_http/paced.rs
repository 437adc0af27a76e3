//! How long calls take at 70 % of what a server can take: 64 connections call at random moments (a Poisson process), from
//! another processor than the server's. The time of a call runs from the moment at which it was due, so that a call that
//! waits for the one before it counts as slow.

use super::OWN;
use super::running::{ANSWER, Running, Server, answered, call, on_one_processor, request};
use crate::os;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const CONNECTIONS: u32 = 64;
/// The share of the load that a server can take.
const SHARE: f64 = 0.7;

/// Each server in both eras.
pub fn bench(servers: &[Server], quick: bool) -> Result<(), String> {
    let seconds = if quick { 2.0 } else { 10.0 };
    let all = os::processors();
    if all.len() < 2 {
        println!("\nat {SHARE} of the load: not measured, for load and server need a processor each");
        return Ok(());
    }
    println!("\nera     server       most calls/s   calls/s       p50       p99   p99 / p50");
    for era in ["legacy", "modern"] {
        for server in servers {
            let running = Running::start(server)?;
            // All of them call as often as they can, from the processor that paces them later.
            let measured = run(&running, era, None, seconds / 2.0).and_then(|most| {
                let most = most.len() as f64 / (seconds / 2.0);
                Ok((most, run(&running, era, Some(most * SHARE), seconds)?))
            });
            let (most, mut times) = match measured {
                Ok(measured) => measured,
                Err(why) if server.name != OWN => {
                    eprintln!("mcp-bench: {} {era}: {why}", server.name);
                    running.end();
                    continue;
                }
                Err(why) => return Err(format!("{OWN} {era}: {why}")),
            };
            times.sort_unstable();
            let at = |share: f64| {
                times
                    .get((times.len() as f64 * share) as usize)
                    .map_or(f64::NAN, |time| time.as_secs_f64() * 1e6)
            };
            let (p50, p99) = (at(0.5), at(0.99));
            println!(
                "{era:<7} {:<11} {most:>13.0} {:>9.0} {p50:>6.0} us {p99:>6.0} us {:>11.1}",
                server.name,
                times.len() as f64 / seconds,
                p99 / p50
            );
            running.end();
        }
    }
    Ok(())
}

/// The times of all calls, `rate` of them a second, or as many as there can be.
fn run(running: &Running, era: &str, rate: Option<f64>, seconds: f64) -> Result<Vec<Duration>, String> {
    let mut requests = Vec::new();
    for _ in 0..CONNECTIONS {
        // Each connection has a session of its own, where there are sessions, so that no two requests have one id.
        let (body, headers) = call(running, era)?;
        requests.push(request(running, &body, &headers));
    }
    let authority = running.authority();
    let begin = Instant::now() + Duration::from_millis(50);
    let end = begin + Duration::from_secs_f64(seconds);
    let one = |number: u64, request: String| -> std::io::Result<Vec<Duration>> {
        os::wake_on_time();
        let mut connection = BufReader::new(TcpStream::connect(authority)?);
        connection.get_ref().set_nodelay(true)?;
        connection.get_ref().set_read_timeout(Some(ANSWER))?;
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut times = Vec::new();
        let mut due = begin;
        loop {
            match rate {
                Some(rate) => due += random.pause(rate / f64::from(CONNECTIONS)),
                None => due = Instant::now().max(begin),
            }
            if due >= end {
                return Ok(times);
            }
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            connection.get_mut().write_all(request.as_bytes())?;
            if !answered(&mut connection)? {
                return Err(std::io::Error::other("a wrong answer"));
            }
            times.push(due.elapsed());
        }
    };
    let threads = || {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (1..)
                .zip(requests)
                .map(|(number, request)| scope.spawn(move || one(number, request)))
                .collect();
            let mut times = Vec::new();
            for thread in threads {
                let seen = thread.join().map_err(|_| "a thread of the load panicked".to_owned())?;
                times.extend(seen.map_err(|error| error.to_string())?);
            }
            Ok(times)
        })
    };
    on_one_processor(os::processors().first().copied(), threads)?
}

/// Random numbers of which a run has the same each time (xorshift).
struct Random(u64);

impl Random {
    /// The time to the next event of a Poisson process with so many events a second.
    fn pause(&mut self, rate: f64) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let share = ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        Duration::from_secs_f64(-share.ln() / rate)
    }
}
