//! Drafts, both sides of ours against each other over a socket and over HTTP, and an invented client that speaks HTTP by hand.

use crate::client::Client;
use crate::engine::Status;
use crate::engine::server::{Kind, Outcome};
use crate::json;
use crate::runtime::message::{Handler, Message};
use crate::server::{Entry, Server};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);
const ALL: &str = r#"["digest","errors","etag","language","required_capabilities"]"#;
const DIGEST: &str = "io.modelcontextprotocol/digest";
const EXPECTED: &str = "io.modelcontextprotocol/expectedDigest";
const ACCEPT: &str = "io.modelcontextprotocol/acceptLanguage";
const CONTENT: &str = "io.modelcontextprotocol/contentLanguage";

struct Site {
    server: Server,
    url: String,
    socket: String,
    runs: Arc<AtomicUsize>,
}

/// The tool that the tests call; `says` is its description and `input` the type of its arguments.
fn tool(says: &str, input: &str) -> String {
    let schema = json!({ "type": "object", "properties": { "a": { "type": input } } });
    json!({ "name": "t", "description": says, "inputSchema": schema }).to_string()
}

impl Site {
    fn new(draft: &str) -> Site {
        let languages = if draft.contains("language") { r#","languages":["en","fr"]"# } else { "" };
        let config = format!(r#"{{"name":"s","workers":1,"draft":{draft}{languages}}}"#);
        let server = Server::new(&config, None).expect("a server");
        let serve = |what: &str, endpoint: &str| {
            let bound: Value = serde_json::from_str(&server.serve(endpoint).expect("served")).expect("JSON");
            bound[what].as_str().expect("where").to_owned()
        };
        let url = serve("url", r#"{"url":"http://127.0.0.1:0/mcp"}"#);
        let socket = serve("socket", r#"{"socket":"tcp:127.0.0.1:0"}"#);
        let site = Site { server, url, socket, runs: Arc::default() };
        site.put(&tool("one", "number"));
        let needs = json!({ "name": "needs", "inputSchema": { "type": "object" },
                            "_meta": { "io.modelcontextprotocol/requiredCapabilities": { "sampling": {} } } });
        site.server
            .add(Entry::Tool, &needs.to_string(), Handler::function(Arc::new(|_| {})))
            .expect("a tool");
        site.server.add_fixed(r#"{"name":"r","uri":"x://r"}"#, Some("text"), &[]).expect("a resource");
        let fails = |message: Message| {
            let (request, by) = message.request().expect("a request");
            let limited = json::member(message.json(), "arguments").is_some_and(|it| it.contains("limited"));
            let (code, data) = match limited {
                true => (-32023, Some(r#"{"retryAfterMs":1500}"#)),
                false => (7, None),
            };
            drop(by.respond(request, Outcome::Error { code, message: "no", data }));
        };
        let fails_by = r#"{"name":"fails","inputSchema":{"type":"object"}}"#;
        site.server.add(Entry::Tool, fails_by, Handler::function(Arc::new(fails))).expect("a tool");
        site
    }

    /// Adds the tool, in place of the one of its name.
    fn put(&self, definition: &str) {
        self.server.remove(Kind::Tool, "t");
        let runs = Arc::clone(&self.runs);
        let run = move |message: Message| {
            runs.fetch_add(1, Ordering::Relaxed);
            let (request, by) = message.request().expect("a request");
            drop(by.respond(request, Outcome::Text("done")));
        };
        self.server.add(Entry::Tool, definition, Handler::function(Arc::new(run))).expect("a tool");
    }

    /// Clients of ours over each transport.
    fn clients(&self, more: &str) -> [Client; 2] {
        [format!(r#""url":"{}""#, self.url), format!(r#""socket":"{}""#, self.socket)].map(|place| {
            let config = format!(r#"{{{place},"protocol":"modern"{more}}}"#);
            Client::new(&config, None).expect("a client")
        })
    }

    /// Posts by hand: the status, the head in small letters and the body.
    #[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
    fn post(
        &self,
        method: &str,
        params: Value,
        metadata: Value,
        headers: &[(&str, &str)],
    ) -> (u16, String, String) {
        let mut params = params;
        let mut all = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                              "io.modelcontextprotocol/clientCapabilities": {} });
        all.as_object_mut().expect("one").extend(metadata.as_object().expect("one").clone());
        params["_meta"] = all;
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string();
        let authority = self.url.trim_start_matches("http://").trim_end_matches("/mcp");
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\nContent-Length: {}\r\n",
            body.len()
        );
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            let _ = write!(head, "Mcp-Name: {name}\r\n");
        }
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(authority).expect("connected");
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
        (status, head.to_ascii_lowercase(), body.to_owned())
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn of(reply: &Message) -> Value {
    serde_json::from_str(reply.json()).expect("JSON")
}

const CALL: &str = r#"{"name":"t","arguments":{"a":1}}"#;

#[test]
fn a_call_by_an_old_definition_lists_again_and_runs_once_or_not_at_all() {
    for draft in [ALL, "[]"] {
        let site = Site::new(draft);
        for client in site.clients(&format!(r#","draft":{draft}"#)) {
            site.put(&tool("one", "number"));
            let listed = of(&client.call("tools/list", None, None));
            let is_on = draft == ALL;
            assert_eq!(listed["tools"].to_string().contains(DIGEST), is_on, "{listed}");
            let names = listed["tools"].as_array().expect("a list").len();
            assert_eq!(
                names,
                if is_on { 2 } else { 3 },
                "the client cannot do what one of them needs: {listed}"
            );
            let before = site.runs.load(Ordering::Relaxed);
            let done = client.call("tools/call", Some(CALL), None);
            assert_eq!((done.status(), of(&done)["_meta"].get(DIGEST).is_some()), (Status::Ok, is_on));
            // Its arguments mean the same: the client finds that out and calls again.
            site.put(&tool("two", "number"));
            assert_eq!(client.call("tools/call", Some(CALL), None).status(), Status::Ok);
            assert_eq!(site.runs.load(Ordering::Relaxed), before + 2);
            // They do not.
            site.put(&tool("two", "integer"));
            let refused = client.call("tools/call", Some(CALL), None);
            assert_eq!(
                refused.status(),
                if is_on { Status::Server } else { Status::Ok },
                "{}",
                refused.json()
            );
            assert_eq!(site.runs.load(Ordering::Relaxed), before + if is_on { 2 } else { 3 });
            assert_eq!(of(&refused).to_string().contains("-32005"), is_on, "{}", refused.json());
            client.call("tools/list", None, None);
            assert_eq!(client.call("tools/call", Some(CALL), None).status(), Status::Ok);
        }
    }
}

#[test]
fn a_list_that_has_not_changed_is_not_sent_again() {
    let site = Site::new(ALL);
    let (status, head, body) = site.post("tools/list", json!({}), json!({}), &[]);
    let tag = header(&head, "etag").expect("a tag").to_owned();
    assert!(status == 200 && tag.starts_with("\"sha256-") && !body.is_empty(), "{head}");
    for (known, status) in [(&*tag, 304), ("\"other\"", 200), (&*format!("\"a\", W/{tag}"), 304), ("*", 304)]
    {
        let (is, head, body) = site.post("tools/list", json!({}), json!({}), &[("If-None-Match", known)]);
        assert_eq!((is, body.is_empty()), (status, status == 304), "{known}");
        assert_eq!(header(&head, "etag"), Some(&*tag));
    }
    site.put(&tool("three", "number"));
    let (status, head, _) = site.post("tools/list", json!({}), json!({}), &[("If-None-Match", &tag)]);
    assert!(status == 200 && header(&head, "etag") != Some(&*tag));
    // So for a resource, and for nothing that is called.
    let (_, head, _) = site.post("resources/read", json!({ "uri": "x://r" }), json!({}), &[]);
    let tag = header(&head, "etag").expect("a tag").to_owned();
    let again = site.post("resources/read", json!({ "uri": "x://r" }), json!({}), &[("If-None-Match", &tag)]);
    assert_eq!((again.0, &*again.2), (304, ""));
    let (status, head, _) = site.post(
        "tools/call",
        json!({ "name": "t", "arguments": {} }),
        json!({}),
        &[("If-None-Match", "*")],
    );
    assert_eq!((status, header(&head, "etag")), (200, None));
    // A client of ours gets what it had, under the id of its new request.
    let [client, _] = site.clients(&format!(r#","draft":{ALL}"#));
    let one = client.call("tools/list", None, None);
    let answers = |site: &Site| -> Value { serde_json::from_str(&site.server.info()).expect("JSON") };
    let not_modified = |site: &Site| answers(site)["http"]["answers"]["other"].as_u64().unwrap_or_default();
    let before = not_modified(&site);
    let two = client.call("tools/list", None, None);
    assert_eq!((of(&one), not_modified(&site)), (of(&two), before + 1), "{}", answers(&site));
    site.put(&tool("four", "number"));
    let three = client.call("tools/list", None, None);
    assert!(three.json().contains("four") && not_modified(&site) == before + 1);
}

#[test]
fn without_the_key_http_says_nothing_and_takes_nothing() {
    let site = Site::new("[]");
    let headers = [("If-None-Match", "*"), ("Accept-Language", "fr"), ("Mcp-Expected-Digest", "x")];
    let metadata = json!({ ACCEPT: "de", EXPECTED: "y" });
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/read", json!({ "uri": "x://r" })),
        ("tools/call", json!({ "name": "t", "arguments": {} })),
        ("server/discover", json!({})),
    ] {
        let (status, head, body) = site.post(method, params, metadata.clone(), &headers);
        assert_eq!(status, 200, "{method}: {body}");
        for name in ["etag", "vary", "content-language", "mcp-digest"] {
            assert_eq!(header(&head, name), None, "{method}: {head}");
        }
        for name in [DIGEST, CONTENT, "primitiveDigests", "contentDigest"] {
            assert!(!body.contains(name), "{method}: {body}");
        }
    }
    let (status, ..) = site.post("tools/call", json!({ "name": "fails", "arguments": {} }), json!({}), &[]);
    assert_eq!(status, 200, "what a handler says of its own");
}

#[test]
fn headers_repeat_what_the_body_says() {
    let site = Site::new(ALL);
    let listed = site.post("tools/list", json!({}), json!({}), &[]).2;
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    let known =
        listed["result"]["tools"].as_array().expect("a list").iter().find(|it| it["name"] == "t").cloned();
    let known = known.expect("the tool")["_meta"][DIGEST].as_str().expect("a digest").to_owned();
    let call = || json!({ "name": "t", "arguments": {} });
    for (metadata, headers, status, code) in [
        (json!({ EXPECTED: known }), vec![("Mcp-Expected-Digest", &*known)], 200, None),
        (json!({ EXPECTED: known }), vec![], 200, None),
        (json!({ EXPECTED: known }), vec![("Mcp-Expected-Digest", "sha256:0")], 400, Some(-32020)),
        (json!({}), vec![("Mcp-Expected-Digest", &*known)], 400, Some(-32020)),
        (json!({ EXPECTED: "sha256:0" }), vec![("Mcp-Expected-Digest", "sha256:0")], 400, Some(-32005)),
        (json!({ ACCEPT: "fr" }), vec![("Accept-Language", "fr")], 200, None),
        (json!({ ACCEPT: "fr" }), vec![("Accept-Language", "FR")], 400, Some(-32020)),
        (json!({ ACCEPT: "fr" }), vec![], 200, None),
        (json!({}), vec![("Accept-Language", "fr")], 200, None),
    ] {
        let (is, head, body) = site.post("tools/call", call(), metadata.clone(), &headers);
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!((is, body["error"]["code"].as_i64()), (status, code), "{metadata} {headers:?}: {body}");
        if status == 200 {
            let language = if metadata[ACCEPT] == "fr" { "fr" } else { "en" };
            assert_eq!(header(&head, "mcp-digest"), Some(&*known));
            assert_eq!(
                (header(&head, "content-language"), header(&head, "vary")),
                (Some(language), Some("accept-language"))
            );
            assert_eq!(body["result"]["_meta"][CONTENT], language);
        }
    }
    // A client of ours sends both, once each, whatever else its configuration has.
    let more = format!(
        r#","draft":{ALL},"accept_language":"fr;q=0.9, en;q=0.5","headers":{{"Accept-Language":"xx"}}"#
    );
    let config = format!(r#"{{"url":"{}","protocol":"modern"{more}}}"#, site.url);
    let client = Client::new(&config, None).expect("a client");
    client.call("tools/list", None, None);
    let done = client.call("tools/call", Some(CALL), None);
    assert_eq!((done.status(), &of(&done)["_meta"][CONTENT]), (Status::Ok, &json!("fr")), "{}", done.json());
    let options = json!({ "meta": { ACCEPT: "en" } }).to_string();
    let done = client.call("tools/call", Some(CALL), Some(&options));
    assert_eq!((done.status(), &of(&done)["_meta"][CONTENT]), (Status::Ok, &json!("en")), "{}", done.json());
}

#[test]
fn each_error_has_the_status_of_its_row_and_says_when_to_come_back() {
    let site = Site::new(ALL);
    let fails = |what: &str| json!({ "name": "fails", "arguments": { what: 1 } });
    for (method, params, code, status, after) in [
        ("tools/call", fails("x"), 7, 400, None),
        ("tools/call", fails("limited"), -32023, 429, Some("2")),
        ("tools/call", json!({ "name": "none" }), -32602, 400, None),
        ("tools/call", json!({ "name": "needs" }), -32021, 400, None),
        ("none/such", json!({}), -32601, 404, None),
    ] {
        let (is, head, body) = site.post(method, params, json!({}), &[]);
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!((is, &body["error"]["code"]), (status, &json!(code)), "{body}");
        assert_eq!(header(&head, "retry-after"), after, "{head}");
    }
    for client in site.clients(&format!(r#","draft":{ALL}"#)) {
        let limited = client.call("tools/call", Some(&fails("limited").to_string()), None);
        let error = of(&limited);
        let said = |key: &str| error.pointer(&format!("/details/{key}")).or(error.get(key)).cloned();
        assert_eq!(said("condition"), Some(json!("RateLimited")), "{error}");
        assert_eq!(
            (said("retryable"), said("retry_after_ms")),
            (Some(json!(true)), Some(json!(1500))),
            "{error}"
        );
    }
}

/// What a server that is written by hand answers to a list of tools, one request after the other, and how many requests it got.
fn invented(answers: &'static [&'static str]) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("its address"));
    let serves = std::thread::spawn(move || {
        let (mut heads, mut answers) = (Vec::new(), answers.iter());
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("set");
            let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
            let (head, body) = loop {
                match stream.read(&mut part) {
                    Ok(0) | Err(_) => return heads,
                    Ok(count) => bytes.extend_from_slice(&part[..count]),
                }
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let head = head.to_ascii_lowercase();
                let length = header(&head, "content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
                if body.len() >= length {
                    break (head, body.to_owned());
                }
            };
            let id = json::member(&body, "id").unwrap_or("null");
            let answer = if body.contains("server/discover") {
                r#"200 OK\r\n\r\n{"jsonrpc":"2.0","id":$ID,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0,"cacheScope":"private"}}"#
                    .replace("\\r\\n", "\r\n")
            } else if body.contains("subscriptions/listen") {
                "404 Not Found\r\n\r\n".to_owned()
            } else {
                heads.push(head);
                answers.next().copied().unwrap_or("500 Internal Server Error\r\n\r\n").to_owned()
            };
            let (head, text) = answer.split_once("\r\n\r\n").expect("a head");
            let text = text.replace("$ID", id);
            let answer = format!(
                "HTTP/1.1 {head}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{text}",
                text.len()
            );
            drop(stream.write_all(answer.as_bytes()));
        }
        heads
    });
    (url, serves)
}

const LISTED: &str = "200 OK\r\nETag: \"v1\"\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}],\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\"}}";
const SPOKEN: &str = "200 OK\r\nContent-Language: de\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[],\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/contentLanguage\":\"fr\"}}}";

#[test]
fn a_server_that_breaks_the_text_ends_one_call_with_words() {
    // It says that nothing has changed to a client that knows nothing; of something else, once and again; of the same with a weak tag, as
    // behind a proxy that compresses.
    for (answers, draft, ends, tags) in [
        (&["304 Not Modified\r\n\r\n"][..], "etag", &["protocol"][..], &[None][..]),
        (
            &[LISTED, "304 Not Modified\r\nETag: \"v9\"\r\n\r\n", LISTED, "304 Not Modified\r\n\r\n"],
            "etag",
            &["ok", "ok", "ok"],
            &[None, Some("\"v1\""), None, Some("\"v1\"")],
        ),
        (
            &[LISTED, "304 Not Modified\r\nETag: \"v9\"\r\n\r\n", "304 Not Modified\r\nETag: \"v9\"\r\n\r\n"],
            "etag",
            &["ok", "protocol"],
            &[None, Some("\"v1\""), None],
        ),
        (
            &[LISTED, "304 Not Modified\r\nETag: W/\"v1\"\r\n\r\n"],
            "etag",
            &["ok", "ok"],
            &[None, Some("\"v1\"")],
        ),
        (&[LISTED, "304 Not Modified\r\n\r\n"], "digest", &["ok", "protocol"], &[None, None]),
        (&[SPOKEN], "language", &["protocol"], &[None]),
        (&[SPOKEN], "etag", &["ok"], &[None]),
    ] {
        let (url, serves) = invented(answers);
        let more = format!(r#""protocol":"modern","change_notifications":false,"draft":["{draft}"]"#);
        let client = Client::new(&format!(r#"{{"url":"{url}",{more}}}"#), None).expect("a client");
        for (at, end) in ends.iter().enumerate() {
            let reply = client.call("tools/list", None, None);
            let is = match reply.status() {
                Status::Ok => "ok",
                Status::Protocol => "protocol",
                other => panic!("{other:?}: {}", reply.json()),
            };
            assert_eq!(is, *end, "{draft} {at}: {}", reply.json());
        }
        drop(client);
        drop(
            TcpStream::connect(url.trim_start_matches("http://").trim_end_matches("/mcp"))
                .expect("connected"),
        );
        let heads = serves.join().expect("it served");
        let sent: Vec<_> = heads.iter().map(|head| header(head, "if-none-match")).collect();
        assert_eq!(sent, tags, "{draft}");
    }
}
