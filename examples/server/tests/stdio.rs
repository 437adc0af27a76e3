//! The whole process over real pipes: what the state machine's own tests cannot see.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-example-server"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("still open").write_all(bytes).expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    fn call(&mut self, id: u64, tool: &str, arguments: &Value) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().expect("the server ends").code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_slow_call_holds_up_nobody_and_a_cancelled_one_is_silent() {
    let mut process = Process::start(&[]);
    process.call(1, "slow", &json!({ "ms": 200 }));
    process.call(2, "slow", &json!({ "ms": 1 }));
    process.call(3, "slow", &json!({ "ms": 60_000 }));
    process.call(4, "slow", &json!({ "ms": 100 }));
    process.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 4 },
    }));
    assert_eq!([process.line()["id"].take(), process.line()["id"].take()], [json!(2), json!(1)]);
}

#[test]
fn the_server_ends_with_its_input() {
    let mut process = Process::start(&["--era", "legacy"]);
    process.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
    process.line();
    let asked = Instant::now();
    assert_eq!(process.exit_code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(5));
}

#[test]
fn crash_ends_the_process_with_its_code() {
    let mut process = Process::start(&[]);
    process.call(1, "echo", &json!({ "text": "before" }));
    process.call(2, "crash", &json!({ "code": 7 }));
    assert_eq!(process.line()["id"], 1);
    assert_eq!(process.exit_code(), Some(7));
}

#[test]
fn content_length_frames_go_both_ways() {
    let mut process = Process::start(&["--framing", "content-length"]);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    process.write(format!("Content-Length: {}\r\n\r\n{ping}", ping.len()).as_bytes());
    process.stdin = None;
    let mut all = String::new();
    process.stdout.read_to_string(&mut all).expect("text");
    let body = r#"{"id":1,"jsonrpc":"2.0","result":{}}"#;
    assert_eq!(all, format!("Content-Length: {}\r\n\r\n{body}", body.len()));
}
