//! Two clients of one bridge: what one changes without end holds up no call of the other. Clients are told apart by their addresses, of
//! which other systems have one alone.
#![cfg(target_os = "linux")]

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// One end of a connection with a message a line.
struct Wire {
    stream: TcpStream,
    lines: Lines<BufReader<TcpStream>>,
}

impl Wire {
    fn of(stream: TcpStream) -> Wire {
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        let lines = BufReader::new(stream.try_clone().expect("a second end")).lines();
        Wire { stream, lines }
    }

    fn send(&mut self, message: &Value) {
        self.stream.write_all(format!("{message}\n").as_bytes()).expect("sent");
    }

    /// The next message with an id.
    fn next(&mut self) -> Value {
        loop {
            let line = self.lines.next().expect("a message").expect("in time");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message.get("id").is_some() {
                return message;
            }
        }
    }

    fn answer(&mut self, request: &Value, result: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    fn request(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}));
    }

    fn call(&mut self, method: &str, params: &Value) {
        self.request(method, params);
        let answer = self.next();
        assert!(answer.get("result").is_some(), "{method}: {answer}");
    }

    /// A client that has a session, from an address of this machine.
    fn client(port: u16, last: u8) -> Wire {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        bind(&socket, &SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, last), 0)).expect("an address");
        connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).expect("connected");
        let mut wire = Wire::of(TcpStream::from(socket));
        wire.call(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
        );
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        wire
    }
}

/// The bridge, which ends with the test.
struct Bridge(Child);

impl Drop for Bridge {
    fn drop(&mut self) {
        // It may have ended.
        let _killed = self.0.kill();
        let _status = self.0.wait();
    }
}

#[test]
fn a_client_that_changes_without_end_holds_up_no_call_of_another() {
    let behind = TcpListener::bind("127.0.0.1:0").expect("an address");
    let target = format!("tcp:{}", behind.local_addr().expect("bound"));
    let child = Command::new(env!("CARGO_BIN_EXE_mcp"))
        .args(["bridge", &target, "--protocol", "2025-06-18", "--listen", "tcp:127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bridge");
    let mut bridge = Bridge(child);
    let mut server = Wire::of(behind.accept().expect("the bridge connects").0);
    // Until the bridge has all that it asks for at the start.
    let mut lines = BufReader::new(bridge.0.stdout.take().expect("piped")).lines();
    for request in ["initialize", "tools/list", "resources/list", "resources/templates/list"] {
        let asked = server.next();
        assert_eq!(asked["method"], request);
        let result = match request {
            "initialize" => {
                json!({"protocolVersion": "2025-06-18", "serverInfo": {"name": "s", "version": "1"},
                "capabilities": {"resources": {"subscribe": true}}})
            }
            _ => {
                json!({"tools": [], "resources": [], "resourceTemplates": [{"uriTemplate": "r:{name}", "name": "r"}]})
            }
        };
        server.answer(&asked, &result);
    }
    let port = lines.next().expect("where it listens").expect("a line");
    let port = port.rsplit(':').next().and_then(|port| port.trim().parse().ok()).expect("a port");
    let (mut greedy, mut innocent) = (Wire::client(port, 2), Wire::client(port, 3));
    let subscribe = |client: &mut Wire, uri: &str| client.call("resources/subscribe", &json!({ "uri": uri }));
    // More than the server is asked for at one time, and then one of the other client, with a call behind it.
    for number in 0..28 {
        subscribe(&mut greedy, &format!("r:x{number}"));
    }
    subscribe(&mut innocent, "r:y");
    innocent.request("resources/read", &json!({"uri": "r:y"}));
    let mut asked: VecDeque<Value> = VecDeque::new();
    for more in 0..80 {
        // One more for each that is answered: there is always one that could not be asked for yet.
        subscribe(&mut greedy, &format!("r:x{}", 100 + more));
        let next = server.next();
        if next["method"] == "resources/read" {
            server.answer(&next, &json!({"contents": [{"uri": "r:y", "text": "there"}]}));
            assert_eq!(innocent.next()["result"]["contents"][0]["text"], "there");
            return;
        }
        assert_eq!(next["method"], "resources/subscribe");
        asked.push_back(next);
        if asked.len() == 8
            && let Some(oldest) = asked.pop_front()
        {
            server.answer(&oldest, &json!({}));
        }
    }
    panic!("the call did not come through");
}
