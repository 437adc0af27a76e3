//! Principals over HTTP: a session, its stream and its events are there for the one that they belong to, and what a token lacks is a status.

use super::{Entry, Handler, Outcome, Server};
use crate::auth::server::Algorithm;
use crate::runtime::message::Message;
use crate::runtime::server::http::RequestParts;
use mcp_core::testing::signer::Signer;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const MARK: &str = "for its caller only";

struct Site {
    server: Server,
    signer: Signer,
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    text: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A request with a token.
struct Ask<'a> {
    method: &'a str,
    path: &'a str,
    token: &'a str,
    session: Option<&'a str>,
    /// The event to go on behind.
    last: Option<&'a str>,
    body: Value,
}

fn token(signer: &Signer, more: &Value) -> String {
    let end =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_secs() + 3600;
    let mut claims = json!({ "iss": "https://as.example", "aud": "https://m.example/mcp", "exp": end });
    claims.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    signer.sign(&json!({}), &claims)
}

impl Site {
    fn new(auth: &Value) -> Site {
        let signer = Signer::new(Algorithm::EdDsa);
        let mut keys = json!({
            "resource": "https://m.example/mcp", "authorization_servers": ["https://as.example"],
            "jwks": { "keys": [signer.jwk()] },
        });
        keys.as_object_mut().expect("an object").extend(auth.as_object().cloned().unwrap_or_default());
        let mut site = Site::with(&json!({ "name": "s", "workers": 1, "auth": keys }));
        site.signer = signer;
        site
    }

    /// A server with this configuration.
    fn with(config: &Value) -> Site {
        let server = Server::new(&config.to_string(), None).expect("a server");
        let tell = |message: Message| {
            let (request, by) = message.request().expect("a request");
            drop(by.respond(request, Outcome::Text(MARK)));
        };
        let tool = r#"{"name":"tell","inputSchema":{"type":"object"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(tell))).expect("a tool");
        let endpoint = json!({ "url": "https://m.example/mcp", "listen": false, "sse": "/sse" });
        server.serve(&endpoint.to_string()).expect("served");
        Site { server, signer: Signer::new(Algorithm::EdDsa) }
    }

    fn token(&self, more: &Value) -> String {
        token(&self.signer, more)
    }

    /// The answer. Of a stream that goes on, what is there when `until` is in it.
    fn ask(&self, ask: &Ask<'_>, until: &str) -> Answer {
        let authorization = format!("Bearer {}", ask.token);
        let mut headers = vec![
            ("host", "m.example"),
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            (
                "accept",
                if ask.method == "GET" || ask.session.is_some() {
                    "text/event-stream"
                } else {
                    "application/json"
                },
            ),
        ];
        headers.extend(ask.session.map(|session| ("mcp-session-id", session)));
        headers.extend(ask.last.map(|last| ("last-event-id", last)));
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts =
            RequestParts { method: ask.method.as_bytes(), target: ask.path.as_bytes(), headers: &headers };
        let body = if ask.body.is_null() { String::new() } else { ask.body.to_string() };
        let exchange = self.server.http(&parts, body.as_bytes(), None).expect("taken");
        let end = Some(Instant::now() + PATIENCE);
        let head = exchange.head(end).unwrap_or_else(|_| panic!("no answer"));
        let text = |value: &std::ffi::CString| value.to_string_lossy().into_owned();
        let headers = head.headers.iter().map(|(name, value)| (text(name), text(value))).collect();
        let mut answer = Answer { status: head.status, headers, text: String::new() };
        while until.is_empty() || !answer.text.contains(until) {
            match exchange.read(64 << 10, end) {
                Ok(Some(bytes)) => answer.text.push_str(&String::from_utf8_lossy(&bytes)),
                _ => break,
            }
        }
        exchange.free();
        answer
    }

    fn post(&self, token: &str, session: Option<&str>, body: Value) -> Answer {
        self.ask(&Ask { method: "POST", path: "/mcp", token, session, last: None, body }, "")
    }

    /// The answer to the first request of a session of the legacy era.
    fn ask_to_open(&self, token: &str) -> Answer {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
        self.post(token, None, json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
    }

    /// A session of the legacy era.
    fn open(&self, token: &str) -> String {
        let opened = self.ask_to_open(token);
        let session = opened.header("mcp-session-id").unwrap_or_else(|| panic!("{}", opened.text)).to_owned();
        let confirmed = self.post(
            token,
            Some(&session),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        );
        assert_eq!(confirmed.status, 202);
        session
    }
}

/// The SHA-256 of `secret-of-ann` and of `secret-of-bob`.
const ANN: &str = "70b418541da77d413246ec0d700eebb8b23852493cfaa4ab4f39009cd68360f0";
const BOB: &str = "f6dbcfeb957b327b63c0705f1348f75715f09f5020903b696c43e66a53d0f189";

#[test]
fn a_token_of_the_configuration_speaks_for_its_principal_with_its_scopes() {
    let auth = json!({ "resource": "https://m.example/mcp", "tools": { "tell": ["write"] }, "implied_scopes": { "all-of-it": ["write"] },
        "tokens": [{ "sha256": ANN, "principal": "ann", "scopes": ["all-of-it"] },
            { "sha256": BOB.to_ascii_uppercase(), "principal": "bob" }] });
    let site = Site::with(&json!({ "name": "s", "workers": 1, "auth": auth }));
    let session = site.open("secret-of-ann");
    assert!(site.post("secret-of-ann", Some(&session), call(2)).text.contains(MARK));
    assert_eq!(site.post("secret-of-bob", Some(&session), call(3)).status, 404);
    let own = site.open("secret-of-bob");
    assert_eq!(site.post("secret-of-bob", Some(&own), call(4)).status, 403);
    for wrong in ["x", "secret-of-an", ANN] {
        let refused = site.post(wrong, Some(&session), call(5));
        assert_eq!(refused.status, 401, "{wrong}");
        // No authorization server knows more.
        assert!(!refused.header("www-authenticate").expect("a challenge").contains("resource_metadata"));
    }
    let ask = Ask {
        method: "GET",
        path: "/.well-known/oauth-protected-resource/mcp",
        token: "",
        session: None,
        last: None,
        body: Value::Null,
    };
    assert_eq!(site.ask(&ask, "").status, 404);
}

#[test]
fn tokens_of_the_configuration_are_told_without_what_they_are() {
    let refused = |tokens: Value, more: Value| {
        let mut auth = json!({ "tokens": tokens });
        auth.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let config = json!({ "name": "s", "auth": auth }).to_string();
        Server::new(&config, None).expect_err("refused").message
    };
    let none = json!({});
    for (tokens, key) in [
        (json!([{ "sha256": &ANN[1..], "principal": "a" }]), "auth.tokens[0].sha256"),
        (json!([{ "sha256": ANN }]), "auth.tokens[0].principal"),
        (
            json!([{ "sha256": ANN, "principal": "a" }, { "sha256": ANN, "principal": "b" }]),
            "auth.tokens[1].sha256",
        ),
        (json!([{ "sha256": ANN, "principal": "a", "scope": "x" }]), "auth.tokens[0].scope"),
        (json!([{ "sha256": ANN, "principal": "a", "scopes": ["*"] }]), "auth.tokens[0].scopes"),
        (json!({ "ann": ANN }), "auth.tokens"),
    ] {
        let why = refused(tokens, none.clone());
        assert!(why.contains(key) && !why.contains(&ANN[1..9]), "{why}");
    }
    let both = json!({ "application": true });
    assert!(refused(json!([{ "sha256": ANN, "principal": "a" }]), both).contains("exactly one"));
}

#[test]
fn a_file_has_more_tokens_and_what_is_wrong_with_it_is_told() {
    let path = std::env::temp_dir().join(format!("mcp-tokens-{}.json", std::process::id()));
    let write = |text: &str| std::fs::write(&path, text).expect("written");
    let list = |tokens: &[(&str, &str)]| {
        let of = |(digest, name): &(&str, &str)| json!({ "sha256": digest, "principal": name });
        Value::from(tokens.iter().map(of).collect::<Vec<_>>()).to_string()
    };
    let auth = json!({ "tokens": [{ "sha256": BOB, "principal": "bob" }], "tokens_file": path });
    let config = json!({ "name": "s", "workers": 1, "auth": auth });
    let refused = || Server::new(&config.to_string(), None).expect_err("refused").message;
    assert!(refused().contains("auth.tokens_file") && refused().contains("cannot be read"), "{}", refused());
    for (text, why) in [
        ("[", "it is not JSON"),
        ("{}", "list of objects"),
        (&list(&[("12", "ann")]), "auth.tokens_file[0].sha256"),
        (&list(&[(BOB, "bob")]), "another entry has the same token"),
        (&list(&[(ANN, "")]), "auth.tokens_file[0].principal"),
        (&format!("[{}]", " ".repeat(1 << 20)), "more than 1048576 bytes"),
    ] {
        write(text);
        assert!(refused().contains(why) && !refused().contains(&BOB[1..9]), "{why}: {}", refused());
    }
    write(&list(&[(ANN, "ann")]));
    let site = Site::with(&config);
    for (token, status) in [("secret-of-ann", 200), ("secret-of-bob", 200), ("secret-of-eve", 401)] {
        let session = site.ask_to_open(token);
        assert_eq!(session.status, status, "{token}: {}", session.text);
    }
    std::fs::remove_file(&path).expect("removed");
}

fn call(id: u64) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "tell", "arguments": {} } })
}

#[test]
fn a_session_and_its_events_are_there_for_their_principal_only() {
    let site = Site::new(&json!({}));
    let ann = site.token(&json!({ "sub": "ann" }));
    let session = site.open(&ann);
    let told = site.post(&ann, Some(&session), call(2));
    assert!(told.status == 200 && told.text.contains(MARK), "{} {}", told.status, told.text);
    // The event before the answer: behind it is what was meant for the caller.
    let first =
        told.text.lines().find_map(|line| line.strip_prefix("id:")).expect("an event").trim().to_owned();
    for guest in [
        json!({ "sub": "bob" }),
        json!({ "client_id": "ann" }),
        json!({ "sub": "ann", "client_id": "ann" }),
        json!({ "sub": "ann\",\"x" }),
    ] {
        let token = site.token(&guest);
        let own = site.open(&token);
        for (method, last, body) in [
            ("POST", None, call(3)),
            (
                "POST",
                None,
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }),
            ),
            ("POST", None, json!({ "jsonrpc": "2.0", "id": 1, "result": {} })),
            ("GET", None, Value::Null),
            ("GET", Some(first.as_str()), Value::Null),
            ("DELETE", None, Value::Null),
        ] {
            let session = Some(session.as_str());
            let ask = Ask { method, path: "/mcp", token: &token, session, last, body };
            let answer = site.ask(&ask, "");
            assert_eq!(answer.status, 404, "{guest} {method} {last:?}: {}", answer.text);
            assert!(!answer.text.contains(MARK));
        }
        // Nor does the name of the event lead there from a session of its own.
        let session = Some(own.as_str());
        let ask = Ask {
            method: "GET",
            path: "/mcp",
            token: &token,
            session,
            last: Some(&first),
            body: Value::Null,
        };
        assert!(!site.ask(&ask, "").text.contains(MARK));
    }
    // Another token of the same principal has it, with what was kept.
    let again = site.token(&json!({ "sub": "ann", "jti": "2", "scope": "more" }));
    let of = Some(session.as_str());
    let ask = Ask {
        method: "GET",
        path: "/mcp",
        token: &again,
        session: of,
        last: Some(&first),
        body: Value::Null,
    };
    assert!(site.ask(&ask, MARK).text.contains(MARK));
    assert_eq!(site.post(&again, Some(&session), call(4)).status, 200);
}

#[test]
fn a_session_of_http_and_sse_is_there_for_its_principal_only() {
    let site = Site::new(&json!({}));
    let (ann, bob) = (site.token(&json!({ "sub": "ann" })), site.token(&json!({ "sub": "bob" })));
    let authorization = format!("Bearer {ann}");
    let headers = [("host", "m.example"), ("authorization", &authorization), ("accept", "text/event-stream")];
    let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    let parts = RequestParts { method: b"GET", target: b"/sse", headers: &headers };
    let stream = site.server.http(&parts, b"", None).expect("taken");
    let end = Some(Instant::now() + PATIENCE);
    let mut text = String::new();
    let path = loop {
        if let Some(path) = text.lines().find_map(|line| line.strip_prefix("data:")) {
            break path.trim().to_owned();
        }
        let bytes = stream.read(4096, end).unwrap_or_else(|_| panic!("no event: {text}"));
        text.push_str(&String::from_utf8_lossy(&bytes.expect("the stream goes on")));
    };
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let post = |token: &str| {
        let ask = Ask { method: "POST", path: &path, token, session: None, last: None, body: ping.clone() };
        site.ask(&ask, "").status
    };
    assert_eq!((post(&bob), post(&ann)), (404, 202));
    stream.free();
}

#[test]
fn what_a_token_lacks_is_a_status_with_a_challenge_whatever_the_era() {
    let site = Site::new(&json!({ "tools": { "tell": ["write"] }, "methods": { "ping": ["knock"] } }));
    let (less, all) =
        (site.token(&json!({ "sub": "ann" })), site.token(&json!({ "sub": "ann", "scope": "write knock" })));
    let session = site.open(&less);
    let ping = json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" });
    for (body, scope) in [(call(2), "write"), (ping, "knock")] {
        let refused = site.post(&less, Some(&session), body.clone());
        let challenge = refused.header("www-authenticate").unwrap_or_default();
        assert_eq!(refused.status, 403, "{}", refused.text);
        assert!(
            challenge.contains("error=\"insufficient_scope\"")
                && challenge.contains(&format!("scope=\"{scope}\"")),
            "{challenge}"
        );
        assert_eq!(site.post(&all, Some(&session), body).status, 200);
    }
    let mut modern = call(3);
    modern["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let ask = |token: &str| {
        let authorization = format!("Bearer {token}");
        let headers = [
            ("host", "m.example"),
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "tell"),
        ];
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts = RequestParts { method: b"POST", target: b"/mcp", headers: &headers };
        let exchange = site.server.http(&parts, modern.to_string().as_bytes(), None).expect("taken");
        let status =
            exchange.head(Some(Instant::now() + PATIENCE)).unwrap_or_else(|_| panic!("no answer")).status;
        exchange.free();
        status
    };
    assert_eq!((ask(&less), ask(&all)), (403, 200));
}

/// A key that processes share.
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A process of one server with sealed names of sessions; `more` is of its configuration.
fn process(signer: &Signer, more: &Value) -> Site {
    let auth = json!({
        "resource": "https://m.example/mcp", "authorization_servers": ["https://as.example"], "jwks": { "keys": [signer.jwk()] },
    });
    let mut config = json!({
        "name": "s", "workers": 1, "auth": auth, "session_names": "sealed", "request_state": { "keys": [KEY] },
    });
    config.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    Site::with(&config)
}

fn ask_at<'a>(method: &'a str, token: &'a str, session: &'a str, last: Option<&'a str>) -> Ask<'a> {
    Ask { method, path: "/mcp", token, session: Some(session), last, body: Value::Null }
}

#[test]
fn a_session_with_a_sealed_name_goes_on_in_another_process_for_its_principal() {
    let signer = Signer::new(Algorithm::EdDsa);
    let [first, second] = [(); 2].map(|()| process(&signer, &json!({})));
    let (ann, bob) = (token(&signer, &json!({ "sub": "ann" })), token(&signer, &json!({ "sub": "bob" })));
    let session = first.open(&ann);
    assert!(session.contains('.') && session.len() < 800, "{session}");
    assert_eq!(second.post(&bob, Some(&session), call(2)).status, 404, "it is of another principal");
    let told = second.post(&ann, Some(&session), call(2));
    assert!(told.status == 200 && told.text.contains(MARK), "{} {}", told.status, told.text);
    assert_eq!(second.post(&bob, Some(&session), call(3)).status, 404, "also once it is known there");
    let event =
        told.text.lines().find_map(|line| line.strip_prefix("id:")).expect("an event").trim().to_owned();
    // What each process sent is known there only: no other events are taken for it.
    assert_eq!(first.ask(&ask_at("GET", &ann, &session, Some(&event)), "").status, 400);
    // What changed before it came is not known: each list is told of, once, also to a client that was told something elsewhere.
    let listening = second.ask(&ask_at("GET", &ann, &session, Some("0-7")), "tools/list_changed");
    assert_eq!((listening.status, listening.text.matches("tools/list_changed").count()), (200, 1));
    // It goes on with both, until its client ends it.
    assert_eq!(first.post(&ann, Some(&session), call(4)).status, 200);
    assert_eq!(second.ask(&ask_at("DELETE", &ann, &session, None), "").status, 204);
    assert_eq!(second.post(&ann, Some(&session), call(5)).status, 404, "it has ended there");
}

#[test]
fn a_sealed_name_opens_nothing_where_it_is_not_good() {
    let signer = Signer::new(Algorithm::EdDsa);
    let site = process(&signer, &json!({}));
    let ann = token(&signer, &json!({ "sub": "ann" }));
    let session = site.open(&ann);
    let older = json!({ "request_state": { "keys": ["//////////////////////////////////////////8=", KEY] } });
    let cases = [
        (json!({}), true, "after a restart"),
        (older, true, "a new key seals, an older one still opens"),
        (
            json!({ "request_state": { "keys": ["//////////////////////////////////////////8="] } }),
            false,
            "another key",
        ),
        (json!({ "request_state": { "keys": [KEY], "audience": "other" } }), false, "another server"),
        (json!({ "name": "other" }), false, "a server of another name"),
        (json!({ "protocol": ["2025-06-18", "2026-07-28"] }), false, "its revision is not spoken there"),
        (json!({ "session_names": "random" }), false, "names are not sealed there"),
    ];
    for (config, goes_on, why) in cases {
        let other = process(&signer, &config);
        let answer = other.post(&ann, Some(&session), call(2));
        assert_eq!(answer.status == 200, goes_on, "{why}: {} {}", answer.status, answer.text);
        if !goes_on {
            let is_revision = answer.text.contains("2025-06-18");
            assert_eq!(answer.status, if is_revision { 400 } else { 404 }, "{why}: {}", answer.text);
        }
    }
    let other = process(&signer, &json!({}));
    let (name, seal) = session.split_once('.').expect("a seal");
    let mut changed = seal.to_owned();
    changed.replace_range(40..41, if &seal[40..41] == "A" { "B" } else { "A" });
    let other_name = format!("{}.{seal}", name.chars().rev().collect::<String>());
    for wrong in [name.to_owned(), format!("{name}."), format!("{name}.{changed}"), other_name] {
        assert_eq!(other.post(&ann, Some(&wrong), call(2)).status, 404, "{wrong}");
    }
    let missing =
        Server::new(r#"{"name":"s","session_names":"sealed"}"#, None).expect_err("no keys are shared");
    assert!(missing.message.contains("request_state.keys"), "{}", missing.message);
}

#[test]
fn requests_that_come_at_once_take_up_one_session() {
    let signer = Signer::new(Algorithm::EdDsa);
    let [first, second] = [(); 2].map(|()| process(&signer, &json!({ "workers": 2 })));
    let ann = token(&signer, &json!({ "sub": "ann" }));
    let session = first.open(&ann);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (second, ann, session) = (&second, &ann, &session);
            scope.spawn(move || {
                let answer = second.post(ann, Some(session), call(number));
                assert!(
                    answer.status == 200 && answer.text.contains(MARK),
                    "{} {}",
                    answer.status,
                    answer.text
                );
            });
        }
    });
    let info: Value = serde_json::from_str(&second.server.info()).expect("JSON");
    assert_eq!(info["sessions"], 1, "{info}");
}
