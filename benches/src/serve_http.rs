//! Servers over HTTP: libmcp's and those of others under the same load, which an independent program makes (`wrk`).
//!
//! `mcp-bench --serve-http [--peers] [--quick]`. In each round every server has its turn, with one connection and with 64, in both
//! eras, on the same processor as its load. What counts is the ratio to libmcp's calls in the same round, and the
//! processor time of the server for a call. `sessions` is the memory of 10,000 sessions that wait.

use crate::contender::{Workshop, run};
use crate::{os, peer};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

const CONNECTIONS: [u32; 2] = [1, 64];
const SESSIONS: u32 = 10_000;
const TEXT: &str = "call 00 of the benchmark, with enough words to be sixty-four now";
/// For a server to begin to listen.
const START: Duration = Duration::from_secs(30);
/// For one answer of a server that another program counts.
const ANSWER: Duration = Duration::from_secs(30);

/// A server and the command that starts it.
struct Server {
    name: &'static str,
    command: Vec<PathBuf>,
    /// It wants a port as its last argument.
    takes_port: bool,
    /// It keeps sessions in the legacy era.
    has_sessions: bool,
}

/// What the rounds of one server, era and number of connections gave.
struct Row {
    server: &'static str,
    era: &'static str,
    connections: u32,
    calls_per_second: Vec<f64>,
    cpu_us: Vec<f64>,
    p99_us: Vec<f64>,
}

pub fn bench(workshop: &Workshop, peers: bool, quick: bool) -> Result<bool, String> {
    let (rounds, seconds) = if quick { (3, 1) } else { (5, 3) };
    let servers = servers(workshop, peers)?;
    for (name, value) in os::machine() {
        println!("{name}: {value}");
    }
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..rounds {
        for server in &servers {
            let running = Running::start(server)?;
            for era in ["legacy", "modern"] {
                for connections in CONNECTIONS {
                    let seen = load(workshop, &running, era, connections, seconds)
                        .map_err(|why| format!("{} {era} {connections}: {why}", server.name))?;
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
            other.server == "libmcp" && other.era == row.era && other.connections == row.connections
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
    println!("\nserver       memory, no session   with {SESSIONS} sessions   for each");
    for server in servers.iter().filter(|server| server.has_sessions) {
        let running = Running::start(server)?;
        running.open_session()?;
        let before = running.memory_kib();
        for _ in 0..SESSIONS {
            running.open_session()?;
        }
        let after = running.memory_kib();
        println!(
            "{:<11} {before:>15} KiB {after:>18} KiB {:>8.2} KiB",
            server.name,
            (after as f64 - before as f64) / f64::from(SESSIONS)
        );
        running.end();
    }
    Ok(true)
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

/// Those that can be built here; libmcp's must be.
fn servers(workshop: &Workshop, peers: bool) -> Result<Vec<Server>, String> {
    let server = |name, command, takes_port, has_sessions| Server { name, command, takes_port, has_sessions };
    let own = workshop.compile("libmcp-http-server", true)?;
    let mut servers = vec![server("libmcp", vec![own], false, true)];
    if !peers {
        return Ok(servers);
    }
    let source = |name: &str| workshop.root.join("benches/contenders").join(name);
    let mut add = |name, command: Result<Vec<PathBuf>, String>, takes_port, has_sessions| match command {
        Ok(command) => servers.push(server(name, command, takes_port, has_sessions)),
        Err(why) => eprintln!("mcp-bench: without {name}: {why}"),
    };
    add("rmcp", peer::rust_server(workshop).map(|program| vec![program]), false, true);
    add("go-sdk", peer::go_server(workshop).map(|program| vec![program]), false, true);
    add("typescript", peer::typescript_server(workshop), false, false);
    let python = |(interpreter, _)| vec![interpreter, source("python/server.py")];
    add("python", peer::python(workshop).map(python), true, true);
    Ok(servers)
}

/// A server that runs on the last processor.
struct Running {
    child: Child,
    /// Open as long as the server is to run.
    input: ChildStdin,
    url: String,
}

impl Running {
    fn start(server: &Server) -> Result<Self, String> {
        let mut command = Command::new(&server.command[0]);
        command.args(&server.command[1..]);
        if server.takes_port {
            command.arg(free_port()?);
        }
        let spawned = on_one_processor(|| command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn())?;
        let mut child = spawned.map_err(|error| format!("{}: {error}", server.name))?;
        let input = child.stdin.take().ok_or("no input")?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("no output")?;
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        let running = Self { child, input, url: line.trim().to_owned() };
        let deadline = Instant::now() + START;
        while TcpStream::connect(running.authority()).is_err() {
            if Instant::now() > deadline {
                return Err(format!("{} does not listen at {}", server.name, running.url));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(running)
    }

    fn authority(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches("/mcp")
    }

    fn memory_kib(&self) -> u64 {
        os::memory_kib(self.child.id()).map_or(0, |(now, _)| now)
    }

    /// The head and body of an answer, on a connection of its own.
    fn post(&self, body: &str, headers: &str) -> Result<String, String> {
        let asked = || -> std::io::Result<String> {
            let mut connection = TcpStream::connect(self.authority())?;
            write!(
                connection,
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
                self.authority(),
                body.len()
            )?;
            let mut answer = String::new();
            connection.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let answer = asked().map_err(|error| format!("{}: {error}", self.url))?;
        if answer.starts_with("HTTP/1.1 2") { Ok(answer) } else { Err(format!("{}: {answer}", self.url)) }
    }

    /// Opens a session of the legacy era; gives its name, if the server names sessions.
    fn open_session(&self) -> Result<Option<String>, String> {
        let answer = self.post(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\
             \"capabilities\":{},\"clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"}}}",
            "",
        )?;
        let name = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
        });
        if let Some(name) = &name {
            let headers = format!("Mcp-Session-Id: {name}\r\nMcp-Protocol-Version: 2025-11-25\r\n");
            self.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", &headers)?;
        }
        Ok(name)
    }

    /// Lets the server end, and waits for it.
    fn close(self) -> Result<(), String> {
        let Running { mut child, input, url } = self;
        drop(input);
        let deadline = Instant::now() + START;
        loop {
            match child.try_wait().map_err(|error| format!("{url}: {error}"))? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(format!("{url}: ended with {status}")),
                None if Instant::now() > deadline => {
                    // It may end in this moment.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("{url}: did not end in time"));
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn end(mut self) {
        // Each run has a server of its own, and this one may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body and the headers of a call.
fn call(running: &Running, era: &str) -> Result<(String, Vec<String>), String> {
    let is_modern = era == "modern";
    let meta = if is_modern {
        ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
         \"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"},\
         \"io.modelcontextprotocol/clientCapabilities\":{}}"
    } else {
        ""
    };
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\
         \"arguments\":{{\"text\":\"{TEXT}\"}}{meta}}}}}"
    );
    let mut headers = vec![
        "Content-Type: application/json".to_owned(),
        "Accept: application/json, text/event-stream".to_owned(),
    ];
    if is_modern {
        headers.extend(
            ["Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: echo"]
                .map(str::to_owned),
        );
    } else {
        headers.push("Mcp-Protocol-Version: 2025-11-25".to_owned());
        headers.extend(running.open_session()?.map(|name| format!("Mcp-Session-Id: {name}")));
    }
    Ok((body, headers))
}

/// Runs libmcp's server, led by another program, for so many calls, one after another on one connection, and ends it.
pub fn work(workshop: &Workshop, led_by: &[OsString], era: &str, calls: u64) -> Result<(), String> {
    let mut command: Vec<PathBuf> = led_by.iter().map(PathBuf::from).collect();
    command.push(workshop.compile("libmcp-http-server", true)?);
    let running = Running::start(&Server { name: "libmcp", command, takes_port: false, has_sessions: true })?;
    let (body, headers) = call(&running, era)?;
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\n{}\r\nContent-Length: {}\r\n\r\n{body}",
        running.authority(),
        headers.join("\r\n"),
        body.len()
    );
    let called = || -> std::io::Result<bool> {
        let mut connection = BufReader::new(TcpStream::connect(running.authority())?);
        connection.get_ref().set_nodelay(true)?;
        connection.get_ref().set_read_timeout(Some(ANSWER))?;
        for _ in 0..calls {
            connection.get_mut().write_all(request.as_bytes())?;
            if !answered(&mut connection)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match called() {
        Ok(true) => running.close(),
        Ok(false) => Err(format!("{}: a wrong answer", running.url)),
        Err(error) => Err(format!("{}: {error}", running.url)),
    }
}

/// Reads one answer of JSON; whether it is the right one.
fn answered(connection: &mut BufReader<TcpStream>) -> std::io::Result<bool> {
    let (mut length, mut is_well) = (0, false);
    loop {
        let mut line = String::new();
        if connection.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        is_well |= line == "HTTP/1.1 200 OK";
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0).min(1 << 20);
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body)?;
    Ok(is_well && String::from_utf8_lossy(&body).contains(TEXT))
}

/// Loads a server for some seconds; gives calls per second, its processor time for a call and the 99th percentile, in µs.
fn load(
    workshop: &Workshop,
    running: &Running,
    era: &str,
    connections: u32,
    seconds: u32,
) -> Result<(f64, f64, f64), String> {
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
        let output = on_one_processor(|| wrk.output())?
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

fn on_one_processor<T>(start: impl FnOnce() -> T) -> Result<T, String> {
    let all = os::processors();
    if !os::bind(&all[all.len().saturating_sub(1)..]) {
        return Err("cannot bind to one processor here".to_owned());
    }
    let started = start();
    os::bind(&all);
    Ok(started)
}

fn free_port() -> Result<String, String> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port().to_string()).map_err(|error| error.to_string())
}

/// `mcp-bench --many-tools`: 20,000 tools, listed and read with `mcp_value_*` by `examples/c/many_tools.c`.
pub fn many_tools(workshop: &Workshop) -> Result<bool, String> {
    let program = workshop.compile_from(&workshop.root.join("examples/c/many_tools.c"), "many_tools")?;
    let server = workshop.built.join("mcp-scripted-server");
    run(Command::new(&server).arg("--help"))
        .map_err(|why| format!("{why}; run cargo xtask servers first"))?;
    for _ in 0..10 {
        let mut command = Command::new(&program);
        command.arg(&server).arg("many-tools=20000").stdout(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        print!("{}", String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}
