//! Servers over HTTP: libmcp's and those of others.
//!
//! `mcp-bench --serve-http [--part PART]... [--peers] [--quick]`. The parts:
//!
//! - `calls`: as many as a server can take, made by an independent program. In each round every server has its turn, with
//!   one connection and with 64, in both eras, on the same processor as its load. What counts is the ratio to libmcp's
//!   calls in the same round, and the processor time of the server for a call.
//! - `paced`: how long calls take at 70 % of that load.
//! - `sessions`: the memory of 10,000 sessions that wait, and how often they wake the server.
//! - `streams`: 1,000 streams that are told of one change.

mod idle;
mod load;
mod paced;
mod running;
mod streams;
mod work;

pub use work::work;

use crate::contender::Workshop;
use crate::{os, peer};
use running::{Running, Server};
use std::path::PathBuf;

const CONNECTIONS: [u32; 2] = [1, 64];
/// The server that must answer; one of others is left out where it does not.
pub const OWN: &str = "libmcp";
/// What any server takes on this machine.
const FLOOR: &str = "floor";

/// What can be measured, in this order.
pub const PARTS: [&str; 4] = ["calls", "paced", "sessions", "streams"];

/// What the rounds of one server, era and number of connections gave.
struct Row {
    server: &'static str,
    era: &'static str,
    connections: u32,
    calls_per_second: Vec<f64>,
    cpu_us: Vec<f64>,
    p99_us: Vec<f64>,
}

/// Measures these parts; all of them where none is named.
pub fn bench(workshop: &Workshop, parts: &[&str], peers: bool, quick: bool) -> Result<bool, String> {
    let servers = servers(workshop, peers)?;
    for (name, value) in os::machine() {
        println!("{name}: {value}");
    }
    let wants = |part| parts.is_empty() || parts.contains(&part);
    if wants("calls") {
        let floor = workshop.compile("floor-http-server", false)?;
        // The parts that follow are about sessions, which it has none of.
        calls(workshop, &servers, &server(FLOOR, vec![floor], false, false), quick)?;
    }
    if wants("paced") {
        paced::bench(&servers, quick)?;
    }
    if wants("sessions") {
        idle::bench(&servers, quick)?;
    }
    if wants("streams") {
        streams::bench(&servers[0])?;
    }
    Ok(true)
}

fn calls(workshop: &Workshop, servers: &[Server], floor: &Server, quick: bool) -> Result<(), String> {
    let (rounds, seconds) = if quick { (3, 1) } else { (5, 3) };
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..rounds {
        for server in servers.iter().chain([floor]) {
            let running = Running::start(server)?;
            for era in ["legacy", "modern"] {
                for connections in CONNECTIONS {
                    let seen = match load::load(workshop, &running, era, connections, seconds) {
                        Ok(seen) => seen,
                        Err(why) if server.name != OWN => {
                            eprintln!("mcp-bench: {} {era} {connections}: {why}", server.name);
                            continue;
                        }
                        Err(why) => return Err(format!("{OWN} {era} {connections}: {why}")),
                    };
                    let is_it = |row: &&mut Row| {
                        row.server == server.name && row.era == era && row.connections == connections
                    };
                    if let Some(row) = rows.iter_mut().find(is_it) {
                        row.add(seen);
                    } else {
                        let none = || Vec::new();
                        let (calls_per_second, cpu_us, p99_us) = (none(), none(), none());
                        let server = server.name;
                        let mut row = Row { server, era, connections, calls_per_second, cpu_us, p99_us };
                        row.add(seen);
                        rows.push(row);
                    }
                }
            }
            running.end();
        }
    }
    rows.sort_by_key(|row| (row.era, row.connections));
    println!("\nera     connections  server       calls/s   of libmcp   server's CPU a call   p99");
    for row in &rows {
        let base = rows.iter().find(|other| {
            other.server == OWN && other.era == row.era && other.connections == row.connections
        });
        let ratios: Vec<f64> = base.map_or_else(Vec::new, |base| {
            row.calls_per_second.iter().zip(&base.calls_per_second).map(|(own, base)| own / base).collect()
        });
        println!(
            "{:<7} {:>11}  {:<11} {:>8.0} {:>11.3} {:>18.1} us {:>8.0} us",
            row.era,
            row.connections,
            row.server,
            median(&row.calls_per_second),
            median(&ratios),
            median(&row.cpu_us),
            median(&row.p99_us)
        );
    }
    Ok(())
}

impl Row {
    fn add(&mut self, (calls_per_second, cpu_us, p99_us): (f64, f64, f64)) {
        self.calls_per_second.push(calls_per_second);
        self.cpu_us.push(cpu_us);
        self.p99_us.push(p99_us);
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn server(name: &'static str, command: Vec<PathBuf>, takes_port: bool, has_sessions: bool) -> Server {
    Server { name, command, takes_port, has_sessions }
}

/// Those that can be built here, libmcp's first, which must be.
fn servers(workshop: &Workshop, peers: bool) -> Result<Vec<Server>, String> {
    let own = workshop.compile("libmcp-http-server", true)?;
    let mut servers = vec![server(OWN, vec![own], false, true)];
    if !peers {
        return Ok(servers);
    }
    let mut add = |name, command: Result<Vec<PathBuf>, String>, takes_port, has_sessions| match command {
        Ok(command) => servers.push(server(name, command, takes_port, has_sessions)),
        Err(why) => eprintln!("mcp-bench: without {name}: {why}"),
    };
    add("rmcp", peer::rust_server(workshop).map(|program| vec![program]), false, true);
    add("go-sdk", peer::go_server(workshop).map(|program| vec![program]), false, true);
    add("typescript", peer::typescript_server(workshop), false, false);
    add("python", peer::python_server(workshop), true, true);
    Ok(servers)
}
