//! Servers over HTTP: libmcp's and those of others.
//!
//! `mcp-bench --serve-http [--part PART]... [--peers] [--quick]`. The parts:
//!
//! - `calls`: as many as a server can take, made by an independent program. In each round every server has its turn, with
//!   one connection and with 64, in both eras, on the same processor as its load. What counts is the ratio to libmcp's
//!   calls in the same round, and the processor time of the server for a call.
//! - `paced`: how long calls take at 70 % of that load.
//! - `h2`: as many as a server can take over TLS, as 64 streams of one connection of HTTP/2 and on 64 connections of HTTP/1.1.
//! - `sessions`: the memory of 10,000 sessions that wait, and how often they wake the server.
//! - `streams`: 1,000 streams that are told of one change.

mod h2;
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

const CONNECTIONS: [(&str, u32); 2] = [("1 connection", 1), ("64 connections", 64)];
/// The server that must answer; one of others is left out where it does not.
pub const OWN: &str = "libmcp";
/// What any server takes on this machine.
const FLOOR: &str = "floor";

/// What can be measured, in this order.
pub const PARTS: [&str; 5] = ["calls", "paced", "h2", "sessions", "streams"];

/// Calls per second, the server's processor time for a call and the 99th percentile, in µs.
type Seen = (f64, f64, f64);

/// What the rounds of one server, era and load gave.
struct Row {
    server: &'static str,
    era: &'static str,
    load: &'static str,
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
        let floor = server(FLOOR, vec![floor], false, false);
        let all: Vec<&Server> = servers.iter().chain([&floor]).collect();
        rounds(&all, &CONNECTIONS, quick, |running, era, connections, seconds| {
            load::load(workshop, running, era, connections, seconds)
        })?;
    }
    if wants("paced") {
        paced::bench(&servers, quick)?;
    }
    if wants("h2") {
        over_h2(workshop, &servers, peers, quick)?;
    }
    if wants("sessions") {
        idle::bench(&servers, quick)?;
    }
    if wants("streams") {
        streams::bench(&servers[0])?;
    }
    Ok(true)
}

/// In each round every server has its turn, with each load, in both eras; and the table of it.
fn rounds<L: Copy>(
    servers: &[&Server],
    loads: &[(&'static str, L)],
    quick: bool,
    load: impl Fn(&Running, &str, L, u32) -> Result<Seen, String>,
) -> Result<(), String> {
    let (count, seconds) = if quick { (3, 1) } else { (5, 3) };
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..count {
        for server in servers {
            let running = Running::start(server)?;
            for era in ["legacy", "modern"] {
                for (name, what) in loads {
                    let seen = match load(&running, era, *what, seconds) {
                        Ok(seen) => seen,
                        Err(why) if server.name != OWN => {
                            eprintln!("mcp-bench: {} {era} {name}: {why}", server.name);
                            continue;
                        }
                        Err(why) => return Err(format!("{OWN} {era} {name}: {why}")),
                    };
                    let is_it =
                        |row: &&mut Row| row.server == server.name && row.era == era && row.load == *name;
                    if let Some(row) = rows.iter_mut().find(is_it) {
                        row.add(seen);
                    } else {
                        let none = || Vec::new();
                        let (calls_per_second, cpu_us, p99_us) = (none(), none(), none());
                        let (server, load) = (server.name, *name);
                        let mut row = Row { server, era, load, calls_per_second, cpu_us, p99_us };
                        row.add(seen);
                        rows.push(row);
                    }
                }
            }
            running.end();
        }
    }
    rows.sort_by_key(|row| (row.era, loads.iter().position(|(name, _)| *name == row.load)));
    println!(
        "\nera     load                      server       calls/s   of libmcp   of its first load   server's CPU a call   p99"
    );
    for row in &rows {
        let ratio = |server, load| {
            let base = rows
                .iter()
                .find(|other| other.server == server && other.era == row.era && other.load == load);
            let ratios: Vec<f64> = base.map_or_else(Vec::new, |base| {
                row.calls_per_second
                    .iter()
                    .zip(&base.calls_per_second)
                    .map(|(own, base)| own / base)
                    .collect()
            });
            median(&ratios)
        };
        println!(
            "{:<7} {:<25} {:<11} {:>8.0} {:>11.3} {:>19.3} {:>18.1} us {:>8.0} us",
            row.era,
            row.load,
            row.server,
            median(&row.calls_per_second),
            ratio(OWN, row.load),
            ratio(row.server, loads[0].0),
            median(&row.cpu_us),
            median(&row.p99_us)
        );
    }
    Ok(())
}

/// Over TLS, as streams of HTTP/2; without it where the programs for that are missing.
fn over_h2(workshop: &Workshop, servers: &[Server], peers: bool, quick: bool) -> Result<(), String> {
    if let Err(why) = h2::is_there() {
        eprintln!("mcp-bench: without h2: {why}");
        return Ok(());
    }
    h2::say_left_out(peers);
    let speaks = |server: &&Server| !h2::LEFT_OUT.iter().any(|(name, _)| *name == server.name);
    let over_tls = |server: &Server| {
        let command = server.command.iter().cloned().chain(h2::options(workshop)).collect();
        Server { command, ..*server }
    };
    let servers: Vec<Server> = servers.iter().filter(speaks).map(over_tls).collect();
    let servers: Vec<&Server> = servers.iter().collect();
    rounds(&servers, &h2::LOADS, quick, |running, era, how, seconds| {
        h2::load(workshop, running, era, how, seconds)
    })
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
