//! A long life in short time: clients of both eras come over HTTP and a socket and go, some without a word, and the server behind
//! ends again and again. Every call has its answer, or the error that says that the server is not there, and the bridge does not
//! grow.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::Background;
use crate::checkout::read;
use crate::process;
use crate::release::Built;
use crate::test::Stage;
use crate::test::interop::http::free_port;

const LIMIT: Duration = Duration::from_secs(60);
/// How often clients come in a short and in a deep run.
const ROUNDS: u32 = 48;
const DEEP_ROUNDS: u32 = 20_000;
/// The server behind ends after so many of them. The bridge waits longer each time before it starts it again.
const CRASH: u32 = 12;
/// What the second half of a run may add to the memory.
const GROWTH_KIBIBYTES: u64 = 2048;

pub fn run(stage: &mut Stage, built: &Built, program: &Path) -> Result<(), String> {
    let what = "clients and servers come and go, and the bridge does not grow";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "it is watched through /proc, which Linux has");
        return Ok(());
    }
    let folder = stage.checkout.scratch("bridge-life")?;
    let rounds = if stage.options.deep { DEEP_ROUNDS } else { ROUNDS };
    let life = Life { program: program.to_owned(), folder, port: free_port()? };
    let result = life.live(built, rounds);
    stage.tally.check(what, result);
    Ok(())
}

struct Life {
    program: PathBuf,
    folder: PathBuf,
    port: String,
}

impl Life {
    fn live(&self, built: &Built, rounds: u32) -> Result<(), String> {
        let url = format!("http://127.0.0.1:{}/mcp", self.port);
        let socket = format!("unix:{}", self.folder.join("socket").display());
        let mut command = Command::new(&self.program);
        command.args(["bridge", "--listen", &socket, "--listen", &url, "--"]).arg(&built.example_server);
        let bridge = Background::listening(&mut command, &self.port, &self.folder.join("bridge.log"))?;
        let pid = bridge.0.id();
        let (mut half, mut crashes) = (0, 0);
        for round in 0..rounds {
            let place = if round % 2 == 0 { &url } else { &socket };
            let era = if round % 4 < 2 { "legacy" } else { "modern" };
            if round % CRASH == CRASH - 1 {
                let finished = self.call(&["call", "--protocol", era, place, "crash"])?;
                if finished.succeeded() {
                    return Err("the call that ends the server succeeded".to_owned());
                }
                crashes += 1;
                self.leave_without_a_word()?;
            } else {
                self.answered(era, place, round)?;
            }
            if round == rounds / 2 {
                half = resident(pid)?;
            }
        }
        let whole = resident(pid)?;
        println!(
            "  bridge: {rounds} clients, {crashes} ends of the server, {half} KiB at half time, {whole} KiB"
        );
        bridge.terminate()?;
        if self.folder.join("socket").exists() {
            return Err("its socket is left".to_owned());
        }
        if whole > half + GROWTH_KIBIBYTES {
            return Err(format!("it grew from {half} to {whole} KiB in the second half"));
        }
        Ok(())
    }

    /// A call succeeds, soon after an end of the server at the latest.
    fn answered(&self, era: &str, place: &str, round: u32) -> Result<(), String> {
        let deadline = Instant::now() + LIMIT;
        let text = format!("text=round {round}");
        loop {
            let finished = self.call(&["call", "--protocol", era, place, "echo", &text])?;
            if finished.succeeded() && finished.stdout.trim() == format!("round {round}") {
                return Ok(());
            }
            let says_why = finished.stderr.contains("the server behind the bridge");
            if !says_why || Instant::now() > deadline {
                return Err(format!("round {round} at {place} ({era}): {}", finished.story()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
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

/// The memory of a process, in KiB.
fn resident(pid: u32) -> Result<u64, String> {
    let status = read(&PathBuf::from(format!("/proc/{pid}/status")))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| "the system does not say how much memory the bridge has".to_owned())
}
