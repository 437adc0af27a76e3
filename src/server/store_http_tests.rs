//! What the processes of a server over HTTP share in a real store: proofs of possession. `redis-server` is started, killed and emptied here.

use super::store_tests::{KEY, PATIENCE, Redis};
use super::{Entry, Handler, Outcome, Server};
use crate::auth::server::Algorithm;
use crate::runtime::message::Message;
use crate::runtime::server::http::RequestParts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcp_core::testing::signer::Signer;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const URL: &str = "https://m.example/mcp";

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

/// A process of a server.
struct Process(Server);

impl Process {
    fn new(redis: &Redis, more: &Value) -> Process {
        let mut config = json!({ "name": "s", "workers": 2, "request_state": { "keys": [KEY] },
            "store": { "url": redis.url(), "space": "tests", "timeout_ms": 500 } });
        config.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let server = Server::new(&config.to_string(), None).expect("a server");
        let tell = |message: Message| {
            let (request, by) = message.request().expect("a request");
            drop(by.respond(request, Outcome::Text("told")));
        };
        let tool = r#"{"name":"tell","inputSchema":{"type":"object"}}"#;
        server.add(Entry::Tool, tool, Handler::function(Arc::new(tell))).expect("a tool");
        server.serve(&json!({ "url": URL, "listen": false }).to_string()).expect("served");
        Process(server)
    }

    fn ask(&self, method: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut all =
            vec![("host", "m.example"), ("content-type", "application/json"), ("accept", "application/json")];
        all.extend_from_slice(headers);
        let all: Vec<_> = all.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        let parts = RequestParts { method: method.as_bytes(), target: b"/mcp", headers: &all };
        let exchange = self.0.http(&parts, body.to_string().as_bytes(), None).expect("taken");
        let end = Some(Instant::now() + PATIENCE);
        let head = exchange.head(end).unwrap_or_else(|_| panic!("no answer"));
        let text = |value: &std::ffi::CString| value.to_string_lossy().into_owned();
        let headers = head.headers.iter().map(|(name, value)| (text(name), text(value))).collect();
        let mut bytes = Vec::new();
        while let Ok(Some(more)) = exchange.read(64 << 10, end) {
            bytes.extend_from_slice(&more);
        }
        exchange.free();
        Answer { status: head.status, headers, text: String::from_utf8(bytes).expect("text") }
    }
}

fn digest(of: &str) -> String {
    URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, of.as_bytes()))
}

/// A client whose token is bound to its key.
struct Client {
    key: Signer,
    token: String,
    made: AtomicU64,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs()
}

impl Client {
    fn new(issuer: &Signer) -> Client {
        let key = Signer::new(Algorithm::EdDsa);
        let x = key.jwk()["x"].as_str().expect("a key").to_owned();
        let thumbprint = digest(&format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#));
        let claims = json!({ "iss": "https://as.example", "aud": URL, "sub": "ann", "exp": now() + 3600,
            "cnf": { "jkt": thumbprint } });
        Client { key, token: issuer.sign(&json!({}), &claims), made: AtomicU64::new(0) }
    }

    fn proof(&self, nonce: Option<&str>) -> String {
        let number = self.made.fetch_add(1, Ordering::SeqCst);
        let mut claims = json!({ "jti": number.to_string(), "htm": "POST", "htu": URL, "iat": now(),
            "ath": digest(&self.token) });
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        self.key.sign(&json!({ "typ": "dpop+jwt", "jwk": self.key.jwk() }), &claims)
    }

    fn send(&self, to: &Process, proof: &str) -> Answer {
        let authorization = format!("DPoP {}", self.token);
        let headers = [
            ("authorization", authorization.as_str()),
            ("dpop", proof),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "tell"),
        ];
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "tell", "arguments": {},
            "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {} } } });
        let answer = to.ask("POST", &headers, &body);
        assert_eq!(answer.status == 503, answer.header("retry-after").is_some(), "{}", answer.text);
        answer
    }

    /// The nonce of a process, as soon as its store is there.
    fn nonce(&self, of: &Process) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.send(of, &self.proof(None));
            if let Some(nonce) = answer.header("dpop-nonce") {
                assert_eq!(answer.status, 401);
                let challenge = answer.header("www-authenticate").expect("a challenge");
                assert!(challenge.contains("error=\"use_dpop_nonce\""), "{challenge}");
                return nonce.to_owned();
            }
            assert_eq!(answer.status, 503, "{}", answer.text);
            assert!(Instant::now() < end, "the store never comes");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_proof_is_good_once_for_all_processes_and_not_while_the_store_is_away() {
    let mut redis = Redis::start(&[]);
    let issuer = Signer::new(Algorithm::EdDsa);
    let auth = json!({ "auth": { "resource": URL, "authorization_servers": ["https://as.example"],
        "jwks": { "keys": [issuer.jwk()] }, "dpop": "required" } });
    let [first, second] = [(); 2].map(|()| Process::new(&redis, &auth));
    let client = Client::new(&issuer);
    let nonce = client.nonce(&first);
    client.nonce(&second);
    // A nonce of one process is good in all, and a proof with it once.
    let proof = client.proof(Some(&nonce));
    let says = |to: &Process, proof: &str| {
        let answer = client.send(to, proof);
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        let error = challenge.split('"').nth(1).unwrap_or_default().to_owned();
        (answer.status, error)
    };
    assert_eq!(says(&second, &proof), (200, String::new()));
    for process in [&first, &second] {
        assert_eq!(says(process, &proof), (401, "invalid_dpop_proof".to_owned()));
    }
    assert_eq!(says(&first, &client.proof(Some("made up"))).1, "use_dpop_nonce");
    // At once at both.
    for _ in 0..10 {
        let proof = client.proof(Some(&nonce));
        let good = std::thread::scope(|scope| {
            let all = [&first, &second, &first].map(|to| scope.spawn(|| client.send(to, &proof).status));
            all.into_iter().filter_map(|one| one.join().ok()).filter(|status| *status == 200).count()
        });
        assert_eq!(good, 1);
    }
    let unused = client.proof(Some(&nonce));
    redis.kill();
    let end = Instant::now() + PATIENCE;
    for process in [&first, &second, &first] {
        let (status, error) = says(process, &unused);
        assert_eq!((status, error.as_str()), (503, ""), "never 401 because the store is away");
    }
    redis.restart();
    // It has forgotten what was used: nothing that was made before is good, and what is made now is.
    let newer = client.nonce(&first);
    client.nonce(&second);
    for old in [&proof, &unused] {
        for process in [&first, &second] {
            assert_eq!(says(process, old), (401, "use_dpop_nonce".to_owned()));
        }
    }
    assert_eq!(says(&second, &client.proof(Some(&newer))).0, 200);
    assert!(Instant::now() < end);
}
