//! Every command, in every format, at a pseudo terminal, beside a server that writes escape sequences and hidden characters
//! wherever it may write a text. None of them reaches the terminal.

#![cfg(target_os = "linux")]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// What the server writes into each of its texts: a title for the window, a cleared screen, a colour, a device control string, C1,
/// DEL, marks of direction, characters without a width, separators, tags.
const ODD: &str = "\u{1b}]0;OWNED\u{7}\u{1b}[2J\u{1b}[35mFAKE\u{1b}P\u{8}\u{9b}31m\u{7f}\u{61c}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\
                   \u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{ad}\u{e0041}";
/// How long a command may take, on a machine that is busy.
const LIMIT: Duration = Duration::from_secs(120);

/// The program under test: as packages have it where the step `cli` says so, which takes a fifth of the time of the one that cargo has built.
fn program() -> OsString {
    std::env::var_os("MCP_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_mcp").into())
}

fn odd(text: &str) -> String {
    format!("{text}{ODD}")
}

/// The state of the server: whether its question was answered.
type Answered = Arc<(Mutex<u32>, Condvar)>;

/// A server over HTTP with all features of 2025-11-25. `/mcp` answers, `/broken` refuses everything, `/login` wants a login.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let (answered, own) = (Answered::default(), base.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (answered, base) = (Arc::clone(&answered), own.clone());
            std::thread::spawn(move || serve(stream, &base, &answered));
        }
    });
    base
}

fn serve(mut stream: TcpStream, base: &str, answered: &Answered) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        let mut words = first.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let (mut length, mut is_known) = (0, false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let (name, value) = line.trim().split_once(':').unwrap_or(("", ""));
            match name.to_ascii_lowercase().as_str() {
                "" => break,
                "content-length" => length = value.trim().parse().ok()?,
                "mcp-session-id" => is_known = true,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let answer = |stream: &mut TcpStream, status: &str, kind: &str, more: &str, body: &str| {
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{more}\r\n",
                body.len()
            );
            stream.write_all((head + body).as_bytes()).ok()
        };
        let stream = &mut stream;
        match (method.as_str(), path.as_str()) {
            ("POST", "/broken") => answer(stream, "500 \u{9b}31mOWNED", "text/plain", "", &odd("body "))?,
            ("POST", "/login") => {
                let more = format!(
                    "WWW-Authenticate: Bearer error=\"invalid_token\", error_description=\"\u{9b}31m\u{202e}\", \
                     resource_metadata=\"{base}/.well-known/oauth-protected-resource\"\r\n"
                );
                answer(stream, "401 Unauthorized", "text/plain", &more, &odd("body "))?;
            }
            ("GET", "/mcp") => {
                // Notifications for those who watch, for as long as they do.
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
                stream.write_all(head.as_bytes()).ok()?;
                loop {
                    for (method, params) in [
                        (
                            "notifications/message",
                            json!({"level": "error", "logger": odd("l"), "data": odd("said ")}),
                        ),
                        ("notifications/resources/updated", json!({"uri": odd("x://a")})),
                        ("notifications/tools/list_changed", json!({"_meta": {odd("k"): odd("v")}})),
                    ] {
                        let event = json!({"jsonrpc": "2.0", "method": method, "params": params});
                        stream.write_all(format!("data: {event}\n\n").as_bytes()).ok()?;
                    }
                    std::thread::park_timeout(Duration::from_millis(100));
                }
            }
            ("GET", path) if path.contains("oauth-protected-resource") => {
                let text =
                    json!({"resource": format!("{base}/login"), "authorization_servers": [base]}).to_string();
                answer(stream, "200 OK", "application/json", "", &text)?;
            }
            ("GET", path) if path.contains("oauth-authorization-server") => {
                let text = json!({"issuer": base, "authorization_endpoint": format!("{base}/authorize;$(id)`id`"),
                    "token_endpoint": format!("{base}/token"), "registration_endpoint": format!("{base}/register"),
                    "code_challenge_methods_supported": ["S256"], "response_types_supported": ["code"]});
                answer(stream, "200 OK", "application/json", "", &text.to_string())?;
            }
            ("POST", "/register") => {
                let text =
                    json!({"error": odd("invalid"), "error_description": odd("description ")}).to_string();
                answer(stream, "400 Bad Request", "application/json", "", &text)?;
            }
            ("POST", _) if message["method"].is_null() => {
                *answered.0.lock().expect("unharmed") += 1;
                answered.1.notify_all();
                answer(stream, "202 Accepted", "text/plain", "", "")?;
            }
            ("POST", _) if message["id"].is_null() => answer(stream, "202 Accepted", "text/plain", "", "")?,
            ("POST", _) => {
                let session = if is_known { "" } else { "Mcp-Session-Id: s\r\n" };
                let mut events = Vec::new();
                let result = result(&message, &mut events);
                let response = match result {
                    Some(result) => json!({"jsonrpc": "2.0", "id": message["id"], "result": result}),
                    None => json!({"jsonrpc": "2.0", "id": message["id"],
                        "error": {"code": -32602, "message": odd("refused "), "data": {odd("k"): odd("v")}}}),
                };
                if events.is_empty() {
                    answer(stream, "200 OK", "application/json", session, &response.to_string())?;
                    continue;
                }
                let before = *answered.0.lock().expect("unharmed");
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{session}Connection: close\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).ok()?;
                for event in &events {
                    stream.write_all(format!("data: {event}\n\n").as_bytes()).ok()?;
                }
                if events.iter().any(|event| event["method"] == "elicitation/create") {
                    let wait = answered.0.lock().expect("unharmed");
                    drop(
                        answered
                            .1
                            .wait_timeout_while(wait, LIMIT, |count| *count == before)
                            .expect("unharmed"),
                    );
                }
                stream.write_all(format!("data: {response}\n\n").as_bytes()).ok()?;
                return None;
            }
            _ => answer(stream, "404 Not Found", "text/plain", "", &odd("nothing "))?,
        }
    }
}

/// The result of a request, and what is sent before it; an error if it is refused.
fn result(message: &Value, events: &mut Vec<Value>) -> Option<Value> {
    let object = json!({"type": "object"});
    let text = json!({"type": "text", "text": odd("text ")});
    let task = json!({"taskId": odd("t"), "status": "working", "statusMessage": odd("m"), "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": odd("now"), "ttl": null});
    let params = &message["params"];
    Some(match message["method"].as_str()? {
        "initialize" => json!({"protocolVersion": "2025-11-25",
            "capabilities": {"tools": {"listChanged": true}, "resources": {"subscribe": true, odd("x"): true}, "prompts": {}, "logging": {},
                "completions": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}, "experimental": {odd("e"): {}}},
            "serverInfo": {"name": odd("hostile"), "version": odd("1"), "title": odd("title")}, "instructions": odd("read\nthis ")}),
        "ping" | "logging/setLevel" | "resources/subscribe" => json!({}),
        "tools/list" => json!({"tools": [
            {"name": "plain", "title": odd("t"), "description": odd("says\nit "), "annotations": {"readOnlyHint": true, odd("hint"): odd("v")},
                "inputSchema": {"type": "object", "properties": {odd("p"): {"enum": [odd("e"), 1], "description": odd("d")},
                    "q": {"$ref": odd("#/$defs/x")}, "r": {"const": odd("c")}}, "required": [odd("p")]},
                "outputSchema": {"type": "object", "properties": {odd("o"): {"type": odd("string")}}}},
            {"name": odd("near"), "inputSchema": object}, {"name": "ask", "inputSchema": object}, {"name": "fail", "inputSchema": object},
            {"name": "late", "inputSchema": object, "execution": {"taskSupport": "optional"}},
            {"name": "unfit", "inputSchema": object, "outputSchema": {"type": "object", "properties": {odd("o"): {"type": "integer"}},
                "required": [odd("o")]}}]}),
        "resources/list" => {
            json!({"resources": [{"uri": odd("x://a"), "name": odd("r"), "description": odd("d"), "mimeType": odd("text/")}]})
        }
        "resources/templates/list" => {
            json!({"resourceTemplates": [{"uriTemplate": odd("x://{a}"), "name": odd("r"), "description": odd("d")}]})
        }
        "prompts/list" => json!({"prompts": [{"name": "pp", "description": odd("d"),
            "arguments": [{"name": odd("who"), "description": odd("d"), "required": true}]}, {"name": odd("near")}]}),
        "prompts/get" if params["name"] == "pp" => {
            json!({"description": odd("d"), "messages": [{"role": odd("user"), "content": text}]})
        }
        "completion/complete" => json!({"completion": {"values": [odd("v")], "hasMore": true, "total": 7}}),
        "resources/read" => {
            json!({"contents": [{"uri": "x://a", "mimeType": odd("text/plain"), "text": odd("text\n")},
            {"uri": odd("x://a/-rf"), "mimeType": odd("image/x"), "blob": "AAAA"}, {"uri": odd("x://"), "blob": odd("*")}]})
        }
        "tasks/get" | "tasks/cancel" => {
            json!({"taskId": params["taskId"], "status": "completed", "statusMessage": odd("m"),
            "createdAt": odd("then"), "lastUpdatedAt": odd("now"), "ttl": null})
        }
        "tasks/list" => json!({"tasks": [task]}),
        "tasks/result" => json!({"content": [text], "isError": true}),
        "tools/call" => match params["name"].as_str()? {
            "late" if !params["task"].is_null() => json!({"task": task}),
            "unfit" => json!({"content": [text], "structuredContent": {odd("o"): odd("x"), odd("p"): 1}}),
            "fail" => json!({"isError": true, "content": [text]}),
            "ask" => {
                let field = json!({"type": "string", "title": odd("field"), "description": odd("d"), "default": odd("x"), "minLength": 90});
                events.push(json!({"jsonrpc": "2.0", "id": odd("q"), "method": "elicitation/create", "params": {"mode": "form",
                    "message": odd("question "), "requestedSchema": {"type": "object", "properties": {odd("f"): field,
                        "g": {"type": "string", "enum": [odd("a")], "enumNames": [odd("A")]}}, "required": [odd("f")]}}}));
                json!({"content": [text]})
            }
            "plain" => {
                let token = &params["_meta"]["progressToken"];
                events.push(json!({"jsonrpc": "2.0", "method": "notifications/progress",
                    "params": {"progressToken": token, "progress": 1, "total": 2, "message": odd("half ")}}));
                events.push(json!({"jsonrpc": "2.0", "method": "notifications/message",
                    "params": {"level": "error", "data": {odd("k"): odd("said ")}}}));
                json!({"structuredContent": {odd("o"): odd("x")}, "content": [text,
                    {"type": "image", "mimeType": odd("image/png"), "data": "AAAA"}, {"type": "resource_link", "uri": odd("x://l"), "name": odd("n")},
                    {"type": odd("odd"), "x": odd("y")}, {"type": "resource", "resource": {"uri": odd("x://e"), "text": odd("e")}}]})
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// What the program writes at a terminal. Of each pair the second is typed when the first was seen, at once if that is nothing.
fn seen(home: &Path, locale: &str, words: &[&str], typed: &[(&str, &str)]) -> Vec<u8> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).expect("a pseudo terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("its other end");
    let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("a name");
    let end = || Stdio::from(File::options().read(true).write(true).open(&name).expect("its other end"));
    let mut child = Command::new(program());
    child.args(words).current_dir(home).env_clear().stdin(end()).stdout(end()).stderr(end());
    for (name, value) in
        [("PATH", "/usr/bin:/bin"), ("TERM", "xterm"), ("LC_ALL", locale), ("COLUMNS", "150")]
    {
        child.env(name, value);
    }
    child.env("HOME", home).env("XDG_RUNTIME_DIR", home.join("run"));
    let mut running = child.spawn().expect("started");
    drop(child);
    let mut master = File::from(master);
    let mut reading = master.try_clone().expect("a descriptor");
    let (sender, parts): (_, Receiver<Vec<u8>>) = channel();
    std::thread::spawn(move || {
        let mut block = vec![0; 65536];
        // Once no process has the other end, there is an error.
        while let Ok(count @ 1..) = reading.read(&mut block) {
            if sender.send(block[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    let (mut out, mut typed, until) = (Vec::new(), typed.iter(), Instant::now() + LIMIT);
    let (mut next, mut from) = (typed.next(), 0);
    loop {
        while let Some((wanted, line)) = next {
            let found =
                out[from..].windows(wanted.len().max(1)).position(|part| part.starts_with(wanted.as_bytes()));
            let Some(at) = found.or(wanted.is_empty().then_some(0)) else { break };
            from += at + wanted.len();
            master.write_all(line.as_bytes()).expect("typed");
            next = typed.next();
        }
        match parts.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(part) => out.extend(part),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                running.kill().expect("ended");
                panic!("mcp {words:?} is not over: {}", String::from_utf8_lossy(&out));
            }
        }
    }
    running.wait().expect("over");
    assert!(next.is_none(), "mcp {words:?} did not write {next:?}: {}", String::from_utf8_lossy(&out));
    out
}

/// What of the server's is in an output as it is. The program itself colours, draws bars and edits lines.
fn escaped(out: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(out).map_err(|error| format!("a byte is not text: {error}"))?;
    for wrong in ["\u{1b}]", "\u{1b}[2J", "\u{1b}[35m", "\u{1b}P", "\u{8}"] {
        if text.contains(wrong) {
            return Err(format!("{wrong:?}"));
        }
    }
    let is_of_the_program = |c: char| matches!(c, '\u{1b}' | '\u{7}' | '\r' | '\n' | '\t');
    let hidden = text.chars().find(|&c| mcp::client::visible::is_hidden(c) && !is_of_the_program(c));
    hidden.map_or(Ok(()), |c| Err(format!("U+{:04X}", u32::from(c))))
}

#[test]
fn no_character_of_a_hostile_server_changes_the_terminal() {
    let base = server();
    let (url, broken, login) =
        (&*format!("{base}/mcp"), &*format!("{base}/broken"), &*format!("{base}/login"));
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let write = |name: &str, text: &str| {
        let path = home.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let entry = json!({"command": odd("x"), "args": [odd("a")], "env": {odd("V"): "x"}});
    let theirs = &*odd("theirs");
    write(".cursor/mcp.json", &json!({"mcpServers": {odd("name"): entry}}).to_string());
    write(".mcp.json", &json!({"mcpServers": {theirs: entry}}).to_string());
    write(".codex/config.toml", "[mcp_servers.\"x\u{9b}31m\u{202e}");
    let old = json!({"name": "plain", "sha256": "", "definition": {"name": "plain", "description": odd("before ")}});
    write(
        "old.json",
        &json!({"snapshot": 1, "server": {"name": odd("o")}, "instructions": {"sha256": "", "text": odd("i")}, "tools": [old],
            "resources": [], "resourceTemplates": [], "prompts": []})
        .to_string(),
    );
    write("serve.yaml", &format!("name: {:?}\ntools: []\n", "x\u{202e}\u{200b}"));
    let task = &*odd("t");
    let uri = &*odd("x://a");
    let stray = "sh -c 'printf \"\\033]0;OWNED\\007\\233\\302\\233\\342\\200\\256\\n\" >&2; printf \"\\033[2Jstray\\342\\200\\256\\n\"; exit 3'";
    let answers = &*json!({odd("f"): 1}).to_string();
    let words: &[&[&str]] = &[
        &["list", url],
        &["tools", url],
        &["tools", url, "plain"],
        &["tools", url, "nearx"],
        &["tools", url, "--search", "says"],
        &["resources", url],
        &["prompts", url],
        &["prompts", url, "pp"],
        &["prompts", url, "nearx"],
        &["call", url, "plain", "--json", "{}", "-v"],
        &["call", url, "plain", "--no-check", "-v"],
        &["call", url, "plain", "q=1"],
        &["call", url, "fail"],
        &["call", url, "unfit"],
        &["call", url, "none"],
        &["call", url, "none", "--json", "{}"],
        &["call", url, "ask", "--answers", answers],
        &["call", url, "late", "--detach"],
        &["read", url, uri, "--save", "saved"],
        &["read", url, "x://a"],
        &["get", url, "pp"],
        &["get", url, "none"],
        &["complete", url, "pp", "who=x"],
        &["complete", url, "nearx", "who=x"],
        &["watch", url, "--count", "3"],
        &["subscribe", url, uri, "--count", "1"],
        &["log", url, "--count", "1"],
        &["tasks", "list", url],
        &["tasks", "get", url, task],
        &["tasks", "wait", url, task],
        &["tasks", "cancel", url, task],
        &["info", url],
        &["ping", url],
        &["servers", "--files"],
        &["config", "list"],
        &["config", "import", "--into", "imported.json"],
        &["snapshot", url],
        &["snapshot", url, "--into", "new.json"],
        &["diff", "old.json", url],
        &["trace", url, "plain"],
        &["trace", url, "--full"],
        &["doctor", url],
        &["bench", url, "plain", "-n", "2", "--warm-up", "0"],
        &["generate", "python", "--index", url],
        &["generate", "go", "--into", "generated", url],
        &["serve", "--check", "serve.yaml"],
        &["session", "start", "s", url],
        &["tools", "@s"],
        &["session", "list"],
        &["session", "stop", "s"],
        &["list", broken, "-v"],
        &["list", login],
        &["login", login],
        &["auth", "status", login],
        &["logout", login],
        &["list", stray, "-vv"],
        &["session", "start", "t", stray],
        &["bridge", stray],
        &["call", uri, "x"],
        &["none", uri],
    ];
    let mut wrong = Vec::new();
    let mut check = |locale: &str, words: &[&str], typed: &[(&str, &str)]| {
        let out = seen(home, locale, words, typed);
        let is_ascii = locale.contains("UTF") || out.is_ascii();
        if let Err(what) = escaped(&out).and(if is_ascii { Ok(()) } else { Err("beyond ASCII".to_owned()) }) {
            wrong.push(format!("mcp {words:?}: {what} in {}", String::from_utf8_lossy(&out).escape_debug()));
        }
        String::from_utf8_lossy(&out).into_owned()
    };
    for format in ["text", "json", "yaml", "names"] {
        for words in words {
            check("C.UTF-8", &[words, &["-o", format][..]].concat(), &[]);
        }
    }
    // What an entry of a project runs is shown before it is approved.
    check("C.UTF-8", &["list", theirs], &[("[y/N]", "n\r")]);
    let shown = check("C.UTF-8", &["config", "trust", theirs], &[("[y/N]", "y\r")]);
    assert!(shown.contains("theirs"), "{shown}");
    check("C.UTF-8", &["config", "trust", "--revoke", theirs], &[]);
    // Who types a message to what talks to programs sees its answer.
    let message = |id: u32, method: &str, params: Value| {
        format!("{}\r", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let initialize = message(
        1,
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
    );
    let list = message(2, "tools/list", json!({}));
    let shown = check(
        "C.UTF-8",
        &["bridge", url],
        &[("", &initialize), ("serverInfo", &list), ("inputSchema", "\u{4}")],
    );
    assert!(shown.contains("\\u202e"), "{shown}");
    // A form that is answered wrongly and then declined, and a line editor that completes.
    let asked =
        check("C.UTF-8", &["call", url, "ask"], &[("field", "short\r"), ("g", "1\r"), ("field", "!\r")]);
    assert!(asked.contains("question") && asked.contains("text"), "{asked}");
    let lines = [
        ("mcp> ", "tools near\t"),
        ("near", "\u{15}list\r"),
        ("pp(", "plain --no-check\r"),
        ("text", "exit\r"),
    ];
    check("C.UTF-8", &["shell", url], &lines);
    // To a terminal of another character set a byte of UTF-8 may be a control character.
    for format in ["text", "json", "yaml", "names"] {
        check("C", &["list", url, "-o", format], &[]);
        check("C", &["call", url, "none", "-o", format], &[]);
    }
    assert!(wrong.is_empty(), "{} outputs:\n{}", wrong.len(), wrong.join("\n"));
    for name in ["new.json", "imported.json"] {
        assert!(home.join(name).is_file(), "{name}");
    }
    let kept = std::fs::read(home.join("new.json")).expect("there");
    escaped(&kept).expect("a snapshot that can be shown");
    for entry in std::fs::read_dir(home.join("saved")).expect("a folder") {
        let name = entry.expect("a file").file_name().into_string().expect("a text");
        assert!(
            !name.starts_with(['-', '.']) && name.is_ascii() && escaped(name.as_bytes()).is_ok(),
            "{name:?}"
        );
    }
}
