//! The plainest possible client: it writes bytes to a socket and reads until an answer is whole.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

pub const META: &str = "io.modelcontextprotocol/";

pub struct Server {
    child: Child,
    pub port: u16,
    pub control: u16,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-scripted-http"));
        command.args(["--life", "60"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut port = || lines.next().and_then(|line| line.ok()?.parse().ok()).expect("a port");
        let (port, control) = (port(), port());
        Self { child, port, control }
    }

    pub fn connect(&self) -> Connection {
        Connection::to(self.port)
    }

    pub fn stats(&self) -> Value {
        Connection::to(self.control).send("GET", "/stats", &[], "").json()
    }

    pub fn tell(&self, path: &str, body: &str) {
        assert_eq!(Connection::to(self.control).send("POST", path, &[], body).status, 200);
    }

    /// That no client did anything wrong.
    pub fn check_no_violations(&self) {
        assert_eq!(self.stats()["violations"], json!([]));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Connection {
    reader: BufReader<TcpStream>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The data of the events of a stream, as JSON.
    pub fn events(&self) -> Vec<Value> {
        let text = self.text();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| !data.is_empty()).map(|data| serde_json::from_str(data).expect("JSON")).collect()
    }
}

impl Connection {
    pub fn to(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Self { reader: BufReader::new(stream) }
    }

    pub fn write(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "Content-Length: {}\r\n\r\n{body}", body.len());
        self.reader.get_mut().write_all(head.as_bytes()).expect("the server reads");
    }

    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.write(method, path, headers, body);
        self.answer()
    }

    pub fn head(&mut self) -> (u16, String) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert!(self.reader.read_until(b'\n', &mut head).expect("a head") > 0, "half a head: {head:?}");
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head)
    }

    pub fn answer(&mut self) -> Answer {
        let (status, head) = self.head();
        let mut answer = Answer { status, head, body: Vec::new() };
        if answer.header("transfer-encoding").is_some() {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        } else if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().expect("a number")];
            self.reader.read_exact(&mut answer.body).expect("a whole body");
        } else {
            self.reader.read_to_end(&mut answer.body).expect("an end");
        }
        answer
    }

    /// The next chunk; none behind the last.
    pub fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a chunk");
        let digits = line.trim().split(';').next().expect("a size").trim().to_owned();
        let length = usize::from_str_radix(&digits, 16).unwrap_or_else(|_| panic!("a chunk of {line:?}"));
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk).expect("a whole chunk");
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// Whether the server has ended the connection.
    pub fn is_ended(&mut self) -> bool {
        match self.reader.read(&mut [0; 1]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }

    pub fn modern(&mut self, method: &str, params: Value) -> Answer {
        let name = params["name"].as_str().map(str::to_owned);
        let mut headers = vec![
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", "application/json"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        if let Some(name) = &name {
            headers.push(("Mcp-Name", name));
        }
        self.send("POST", "/mcp", &headers, &modern_body(method, params))
    }

    pub fn legacy(&mut self, session: Option<&str>, message: &Value) -> Answer {
        let mut headers =
            vec![("Accept", "application/json, text/event-stream"), ("Content-Type", "application/json")];
        if let Some(session) = session {
            headers.push(("Mcp-Session-Id", session));
            headers.push(("MCP-Protocol-Version", "2025-11-25"));
        }
        self.send("POST", "/mcp", &headers, &message.to_string())
    }

    /// Opens a session.
    pub fn initialize(&mut self) -> String {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let answer = self.legacy(None, &hello);
        assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
        let session = answer.header("mcp-session-id").expect("a session").to_owned();
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.legacy(Some(&session), &initialized).status, 202);
        session
    }

    pub fn call(&mut self, session: &str, tool: &str, arguments: Value) -> Answer {
        self.legacy(Some(session), &call(tool, arguments))
    }
}

pub fn call(tool: &str, arguments: Value) -> Value {
    let mut message =
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": tool } });
    message["params"]["arguments"] = arguments;
    message
}

pub fn modern_body(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        format!("{META}protocolVersion"): "2026-07-28",
        format!("{META}clientCapabilities"): {},
    });
    let mut message = json!({ "jsonrpc": "2.0", "id": 7, "method": method });
    message["params"] = params;
    message.to_string()
}
