//! A server that runs, and single requests to it.

use super::h2;
use crate::os;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

pub const TEXT: &str = "call 00 of the benchmark, with enough words to be sixty-four now";
/// The headers of every request.
pub const GENERAL: [&str; 2] =
    ["Content-Type: application/json", "Accept: application/json, text/event-stream"];
/// For a server to begin to listen.
const START: Duration = Duration::from_secs(30);
/// For one answer of a server that another program counts.
pub const ANSWER: Duration = Duration::from_secs(30);

/// A server and the command that starts it.
pub struct Server {
    pub name: &'static str,
    pub command: Vec<PathBuf>,
    /// It wants a port as its last argument.
    pub takes_port: bool,
    /// It keeps sessions in the legacy era.
    pub has_sessions: bool,
}

/// A server that runs on the last processor.
pub struct Running {
    pub child: Child,
    /// Open as long as the server is to run.
    input: ChildStdin,
    pub url: String,
}

impl Running {
    pub fn start(server: &Server) -> Result<Self, String> {
        let mut command = Command::new(&server.command[0]);
        command.args(&server.command[1..]);
        if server.takes_port {
            command.arg(free_port()?);
        }
        let spawned =
            on_one_processor(None, || command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn())?;
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

    pub fn authority(&self) -> &str {
        self.url.split("://").last().unwrap_or_default().trim_end_matches("/mcp")
    }

    pub fn memory_kib(&self) -> u64 {
        os::memory_kib(self.child.id()).map_or(0, |(now, _)| now)
    }

    /// The head and body of an answer, on a connection of its own.
    pub fn post(&self, body: &str, headers: &[&str]) -> Result<String, String> {
        if self.url.starts_with("https://") {
            return h2::post(&self.url, body, headers);
        }
        let headers = ["Connection: close"].iter().chain(&GENERAL).chain(headers);
        let headers: Vec<String> = headers.map(|header| (*header).to_owned()).collect();
        let asked = || -> std::io::Result<String> {
            let mut connection = TcpStream::connect(self.authority())?;
            // In one piece: the floor does not wait for more before it answers and closes.
            connection.write_all(request(self, body, &headers).as_bytes())?;
            let mut answer = String::new();
            connection.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let answer = asked().map_err(|error| format!("{}: {error}", self.url))?;
        if answer.starts_with("HTTP/1.1 2") { Ok(answer) } else { Err(format!("{}: {answer}", self.url)) }
    }

    /// Opens a session of the legacy era; gives its name, if the server names sessions.
    pub fn open_session(&self) -> Result<Option<String>, String> {
        let answer = self.post(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\
             \"capabilities\":{},\"clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"}}}",
            &[],
        )?;
        let name = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
        });
        if let Some(name) = &name {
            let session = format!("Mcp-Session-Id: {name}");
            self.post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                &[&session, "Mcp-Protocol-Version: 2025-11-25"],
            )?;
        }
        Ok(name)
    }

    /// Lets the server end, and waits for it.
    pub fn close(self) -> Result<(), String> {
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

    pub fn end(mut self) {
        // Each run has a server of its own, and this one may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body and the headers of a call of the tool `echo`, in a session of its own where the server keeps sessions.
pub fn call(running: &Running, era: &str) -> Result<(String, Vec<String>), String> {
    let params = format!("\"name\":\"echo\",\"arguments\":{{\"text\":\"{TEXT}\"}}");
    call_of(running, era, "tools/call", Some("echo"), &params)
}

/// The same of any request; `name` is what `Mcp-Name` repeats of the parameters.
pub fn call_of(
    running: &Running,
    era: &str,
    method: &str,
    name: Option<&str>,
    params: &str,
) -> Result<(String, Vec<String>), String> {
    let is_modern = era == "modern";
    let meta = if is_modern {
        ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
         \"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"},\
         \"io.modelcontextprotocol/clientCapabilities\":{}}"
    } else {
        ""
    };
    let body =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"{method}\",\"params\":{{{params}{meta}}}}}");
    let mut headers = GENERAL.map(str::to_owned).to_vec();
    if is_modern {
        headers.push("Mcp-Protocol-Version: 2026-07-28".to_owned());
        headers.push(format!("Mcp-Method: {method}"));
        headers.extend(name.map(|name| format!("Mcp-Name: {name}")));
    } else {
        headers.push("Mcp-Protocol-Version: 2025-11-25".to_owned());
        headers.extend(running.open_session()?.map(|name| format!("Mcp-Session-Id: {name}")));
    }
    Ok((body, headers))
}

/// A whole request, as it goes over a connection.
pub fn request(running: &Running, body: &str, headers: &[String]) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\n{}\r\nContent-Length: {}\r\n\r\n{body}",
        running.authority(),
        headers.join("\r\n"),
        body.len()
    )
}

/// Runs this on one processor, and what it starts there, too: on this one, or on the last.
pub fn on_one_processor<T>(processor: Option<usize>, start: impl FnOnce() -> T) -> Result<T, String> {
    let all = os::processors();
    let one = processor.or(all.last().copied());
    if !one.is_some_and(|one| os::bind(&[one])) {
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

/// Makes so many calls, one after another on one connection.
pub fn calls(running: &Running, request: &str, number: u64) -> Result<(), String> {
    let called = || -> std::io::Result<bool> {
        let mut connection = BufReader::new(TcpStream::connect(running.authority())?);
        connection.get_ref().set_nodelay(true)?;
        connection.get_ref().set_read_timeout(Some(ANSWER))?;
        for _ in 0..number {
            connection.get_mut().write_all(request.as_bytes())?;
            if !answered(&mut connection)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match called() {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{}: a wrong answer", running.url)),
        Err(error) => Err(format!("{}: {error}", running.url)),
    }
}

/// Reads one answer of JSON; whether it is the right one.
pub fn answered(connection: &mut BufReader<TcpStream>) -> std::io::Result<bool> {
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
