//! A long life in short time: clients of both eras come over HTTP and a socket and go, some without a word, one stays, and the
//! server behind ends again and again. Every call has its answer, or the error that says that the server is not there, and the bridge
//! does not grow. A deep run has as many clients and ends of the server as a day with a client every 4.3 seconds and a server that
//! ends every 52.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Background, spoken};
use crate::checkout::{read, write};
use crate::ports::free_port;
use crate::process;
use crate::release::Built;
use crate::test::Stage;

/// How long what ended may take until it is given back.
const SETTLED: Duration = Duration::from_secs(20);

const LIMIT: Duration = Duration::from_secs(60);
/// How often clients come in a short and in a deep run, and every how many of them is the program `mcp` itself.
const ROUNDS: u32 = 96;
const DEEP_ROUNDS: u32 = 20_000;
const PROGRAM: u32 = 5;
const DEEP_PROGRAM: u32 = 101;
/// The server behind ends after so many of them.
const CRASH: u32 = 12;
/// What the second half of a run may add.
const GROWTH: Size = Size { kibibytes: 2048, descriptors: 4, threads: 1 };

pub fn run(stage: &mut Stage, built: &Built, program: &Path) -> Result<(), String> {
    let what = "clients and servers come and go, and the bridge does not grow";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "it is watched through /proc, which Linux has");
        return Ok(());
    }
    let folder = stage.checkout.scratch("bridge-life")?;
    let deep = stage.options.deep;
    let (rounds, every) = if deep { (DEEP_ROUNDS, DEEP_PROGRAM) } else { (ROUNDS, PROGRAM) };
    let port = free_port()?;
    let life = Life {
        program: program.to_owned(),
        url: format!("http://127.0.0.1:{port}/mcp"),
        socket: folder.join("socket"),
        folder,
        port,
    };
    let result = life.live(built, rounds, every);
    stage.tally.check(what, result);
    Ok(())
}

struct Life {
    program: PathBuf,
    folder: PathBuf,
    port: String,
    url: String,
    socket: PathBuf,
}

/// What came back for a call.
enum Answer {
    Right,
    /// The server is not there, says the bridge.
    Later,
    Wrong(String),
}

impl Life {
    fn live(&self, built: &Built, rounds: u32, every: u32) -> Result<(), String> {
        let server = built.example_server.display();
        let config = self.folder.join("servers.json");
        // The waits before a new start are what a day is long for.
        let waits = "\"reconnect\":{\"initial_ms\":10,\"max_ms\":50,\"stable_ms\":1}";
        write(&config, &format!("{{\"mcpServers\":{{\"ends\":{{\"command\":\"{server}\",{waits}}}}}}}"))?;
        let mut command = Command::new(&self.program);
        command.arg("bridge").arg("--config").arg(&config).arg("ends");
        command.arg("--listen").arg(format!("unix:{}", self.socket.display())).args(["--listen", &self.url]);
        let bridge = Background::listening(&mut command, &self.port, &self.folder.join("bridge.log"))?;
        let pid = bridge.0.id();
        let start = Instant::now();
        let stays = self.session()?;
        let (mut half, mut crashes) = (Size::default(), 0);
        for round in 0..rounds {
            if round % CRASH == CRASH - 1 {
                self.crash()?;
                crashes += 1;
                self.leave_without_a_word()?;
            } else {
                until_answered(round, || match round {
                    round if round % every == 0 => self.by_program(round),
                    round if round % 4 == 1 => self.by_socket(round),
                    round if round % 4 == 2 => self.by_session(&self.session()?, round, true),
                    round if round % 8 == 3 => self.by_session(&stays, round, false),
                    round => self.by_request(round),
                })?;
            }
            if round == rounds / 2 {
                half = Size::of(pid)?;
            }
        }
        let mut whole = Size::of(pid)?;
        // What clients have left is given back when the bridge has seen it, which takes a moment on a busy machine.
        let until = Instant::now() + SETTLED;
        while whole.exceeds(&half, &GROWTH) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(100));
            whole = Size::of(pid)?;
        }
        println!(
            "  bridge: {rounds} clients, {crashes} ends of the server, {} s; half {half}, end {whole}",
            start.elapsed().as_secs()
        );
        bridge.terminate()?;
        if self.socket.exists() {
            return Err("its socket is left".to_owned());
        }
        if whole.exceeds(&half, &GROWTH) {
            return Err(format!("it grew from {half} to {whole} in the second half"));
        }
        Ok(())
    }

    fn by_program(&self, round: u32) -> Result<Answer, String> {
        let socket = format!("unix:{}", self.socket.display());
        let place = if round.is_multiple_of(2) { &self.url } else { &socket };
        let era = if round % 4 < 2 { "legacy" } else { "modern" };
        let finished =
            self.call(&["call", "--protocol", era, place, "echo", &format!("text=round {round}.")])?;
        if finished.succeeded() && finished.stdout.trim() == format!("round {round}.") {
            return Ok(Answer::Right);
        }
        if finished.stderr.contains(NOT_THERE) {
            return Ok(Answer::Later);
        }
        Ok(Answer::Wrong(format!("at {place} ({era}): {}", finished.story())))
    }

    /// A client of 2026-07-28: one request.
    fn by_request(&self, round: u32) -> Result<Answer, String> {
        let headers = format!(
            "{HEADERS}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"
        );
        let meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
                    \"io.modelcontextprotocol/clientInfo\":{\"name\":\"raw\",\"version\":\"1\"},\
                    \"io.modelcontextprotocol/clientCapabilities\":{}}";
        Ok(seen(&spoken(&self.port, "POST", "/mcp", &headers, &echo(round, &format!(",{meta}")))?, round))
    }

    /// Opens a session of the legacy era; gives its headers.
    fn session(&self) -> Result<String, String> {
        let answer = spoken(&self.port, "POST", "/mcp", HEADERS, INITIALIZE)?;
        let id = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
        });
        let id = id.ok_or_else(|| format!("no session was opened: {answer}"))?;
        let headers = format!("{HEADERS}Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
        spoken(&self.port, "POST", "/mcp", &headers, INITIALIZED)?;
        Ok(headers)
    }

    /// A call in a session, which may end with it.
    fn by_session(&self, session: &str, round: u32, ends: bool) -> Result<Answer, String> {
        let answer = seen(&spoken(&self.port, "POST", "/mcp", session, &echo(round, ""))?, round);
        // Some that end do not say so. Their sessions last for a time that is longer than a run.
        if ends && round % 64 != 2 {
            spoken(&self.port, "DELETE", "/mcp", session, "")?;
        }
        Ok(answer)
    }

    /// A client of the legacy era at the socket.
    fn by_socket(&self, round: u32) -> Result<Answer, String> {
        let failed = |error: std::io::Error| format!("the socket: {error}");
        let mut stream = UnixStream::connect(&self.socket).map_err(failed)?;
        stream.set_read_timeout(Some(LIMIT)).map_err(failed)?;
        let all = format!("{INITIALIZE}\n{INITIALIZED}\n{}\n", echo(round, ""));
        stream.write_all(all.as_bytes()).map_err(failed)?;
        for line in BufReader::new(stream).lines() {
            let line = line.map_err(failed)?;
            if line.contains(&format!("\"id\":{round}")) {
                return Ok(seen(&line, round));
            }
        }
        Ok(Answer::Wrong("the socket was closed without an answer".to_owned()))
    }

    /// The server behind ends in the middle of a call.
    fn crash(&self) -> Result<(), String> {
        let finished = self.call(&["call", &self.url, "crash"])?;
        if finished.succeeded() { Err("the call that ends the server succeeded".to_owned()) } else { Ok(()) }
    }

    fn call(&self, words: &[&str]) -> Result<process::Finished, String> {
        let mut command = Command::new(&self.program);
        command.args(words).env("HOME", &self.folder);
        process::run(&mut command, LIMIT, &self.folder.join("call"))
    }

    /// A client that breaks off within a request.
    fn leave_without_a_word(&self) -> Result<(), String> {
        let mut stream =
            TcpStream::connect(format!("127.0.0.1:{}", self.port)).map_err(|error| error.to_string())?;
        let head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"";
        stream.write_all(head.as_bytes()).map_err(|error| error.to_string())
    }
}

/// A call has its answer, soon after an end of the server at the latest.
fn until_answered(round: u32, call: impl Fn() -> Result<Answer, String>) -> Result<(), String> {
    let deadline = Instant::now() + LIMIT;
    loop {
        match call()? {
            Answer::Right => return Ok(()),
            Answer::Later if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(10)),
            Answer::Later => return Err(format!("round {round}: the server does not come back")),
            Answer::Wrong(what) => return Err(format!("round {round}: {what}")),
        }
    }
}

/// What the bridge says of a server that is being started again.
const NOT_THERE: &str = "the server behind the bridge";
const HEADERS: &str = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
const INITIALIZE: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"first\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\
                          \"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}";
const INITIALIZED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

/// A call of the tool `echo`; `more` goes into its parameters.
fn echo(round: u32, more: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{round},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\
         \"arguments\":{{\"text\":\"round {round}.\"}}{more}}}}}"
    )
}

fn seen(answer: &str, round: u32) -> Answer {
    if answer.contains(&format!("\"round {round}.\"")) {
        Answer::Right
    } else if answer.contains(NOT_THERE) {
        Answer::Later
    } else {
        Answer::Wrong(answer.to_owned())
    }
}

/// What a process takes of the machine.
#[derive(Clone, Copy, Default)]
struct Size {
    kibibytes: u64,
    descriptors: u64,
    threads: u64,
}

impl Size {
    fn of(pid: u32) -> Result<Self, String> {
        let status = read(&PathBuf::from(format!("/proc/{pid}/status")))?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
            number.ok_or_else(|| format!("the system does not tell {name} of the bridge"))
        };
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).map_err(|error| error.to_string())?;
        Ok(Self {
            kibibytes: number("VmRSS:")?,
            descriptors: open.count() as u64,
            threads: number("Threads:")?,
        })
    }

    fn exceeds(&self, before: &Self, by: &Self) -> bool {
        self.kibibytes > before.kibibytes + by.kibibytes
            || self.descriptors > before.descriptors + by.descriptors
            || self.threads > before.threads + by.threads
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} KiB, {} descriptors, {} threads", self.kibibytes, self.descriptors, self.threads)
    }
}
