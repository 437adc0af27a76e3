//! The plainest possible client: it writes lines, and a thread reads lines, so that no read waits for ever.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    next_id: u64,
}

pub fn server(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-scripted-server"));
    command.args(["--life", "60"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::null());
    command
}

impl Client {
    /// Starts the server; no handshake yet.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = server(arguments).spawn().expect("the server starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, next_id: 1 }
    }

    /// A client whose legacy handshake is done.
    pub fn connect(arguments: &[&str]) -> Self {
        let mut client = Self::start(arguments);
        let answer = client.ask("initialize", &hello());
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub fn send(&mut self, message: &Value) {
        // A dead server is what some tests are about.
        let _ = self.stdin.as_mut().expect("still open").write_all(format!("{message}\n").as_bytes());
    }

    pub fn request(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The next line without its end; `None` when stdout has ended.
    pub fn raw_line(&self) -> Option<Vec<u8>> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line.strip_suffix(b"\n").unwrap_or(&line).to_vec()),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing came in time"),
        }
    }

    pub fn line(&self) -> Value {
        let line = self.raw_line().expect("stdout is open");
        serde_json::from_slice(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        let answer = self.line();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and expects its right answer next.
    pub fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].take()
    }

    pub fn text(&mut self, tool: &str, arguments: &Value) -> String {
        text(&self.result(tool, arguments))
    }

    pub fn is_silent_for(&self, time: Duration) -> bool {
        self.lines.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub fn pid(&self) -> i32 {
        self.child.id().try_into().expect("pids are small")
    }

    pub fn running(&mut self) -> bool {
        self.child.try_wait().expect("our child").is_none()
    }

    pub fn status(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("our child") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server did not end in time")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn hello() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "self test", "version": "1" },
    })
}

pub fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}")).to_owned()
}
