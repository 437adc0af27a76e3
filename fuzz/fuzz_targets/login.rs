//! Logins: what servers answer, in whatever order. The bytes become events for an `Authorizer`, and the answers to what it asks
//! for, documents of discovery among them. Whatever comes, it asks only places that it may ask, a bounded number of times,
//! and what it puts into headers can stand there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::auth::{
    Access, Answer, Authorizer, Challenges, Effect, Fault, Given, GrantKind, Redirect, Refusal, Request,
    Secret, Settings, StoreCommand, StoreFault, Timestamp, UrlPermissions, is_loopback,
};
use mcp::protocol::address::Address;
use mcp_fuzz::{Input, text};
use std::time::{Duration, Instant};

const MCP: &str = "https://mcp.example/mcp";
const ANSWERS: [&str; 8] = [
    r#"{"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"],"scopes_supported":["a"]}"#,
    r#"{"issuer":"https://as.example","authorization_endpoint":"https://as.example/authorize","token_endpoint":"https://as.example/token","registration_endpoint":"https://as.example/register","code_challenge_methods_supported":["S256"],"dpop_signing_alg_values_supported":["ES256"]}"#,
    r#"{"client_id":"me","client_secret":"s","client_secret_expires_at":0,"token_endpoint_auth_method":"client_secret_basic"}"#,
    r#"{"access_token":"t","token_type":"Bearer","expires_in":60,"refresh_token":"r","scope":"a"}"#,
    r#"{"access_token":"t","token_type":"DPoP","expires_in":60}"#,
    r#"{"error":"invalid_client"}"#,
    r#"{"error":"use_dpop_nonce"}"#,
    "<html>",
];
const CHALLENGES: [&str; 5] = [
    "Bearer resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\"",
    "Bearer error=\"insufficient_scope\", scope=\"a b\"",
    "DPoP error=\"use_dpop_nonce\"",
    "Bearer error=\"invalid_token\"",
    "Basic realm=\"x\"",
];

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let mut world = World::new(&mut input);
    for _ in 0..200 {
        if input.is_empty() {
            break;
        }
        world.event(&mut input);
        world.effects();
    }
});

struct World {
    auth: Authorizer,
    server: Address,
    now: Timestamp,
    free: bool,
    asked: Option<Request>,
    /// Requests since the last login began.
    requests: u32,
    /// How much of the store is waited for.
    store: Option<bool>,
    saving: bool,
    /// The server may be in a private network: it answered from one, or the store says so.
    inside: bool,
    locked: bool,
    state: Option<String>,
    generation: u64,
}

impl World {
    fn new(input: &mut Input<'_>) -> World {
        let choice = input.byte();
        let redirect =
            Redirect { uri: Some("http://localhost:3000/callback".to_owned()), listen: choice & 1 == 1 };
        let free = choice & 2 != 0;
        let mut settings = Settings {
            grant: if choice & 12 == 12 {
                GrantKind::ClientCredentials
            } else {
                GrantKind::Interactive { redirect }
            },
            url_permissions: UrlPermissions { private: free, http: free },
            ..Settings::default()
        };
        if choice & 12 == 12 {
            settings.identity.client_id = Some("me".to_owned());
            settings.identity.client_secret = Some(Secret::new("secret"));
            settings.identity.issuer = (choice & 16 == 0).then(|| "https://as.example".to_owned());
        }
        let server = Address::parse(MCP).expect("an address");
        let now = Timestamp { at: Instant::now(), unix: 1_800_000_000 };
        World {
            auth: Authorizer::new(settings, &server),
            server,
            now,
            free,
            asked: None,
            requests: 0,
            store: None,
            saving: false,
            inside: false,
            locked: false,
            state: None,
            generation: 0,
        }
    }

    fn event(&mut self, input: &mut Input<'_>) {
        match input.byte() % 16 {
            0 | 1 => {
                if let Access::With { headers, generation } = self.auth.access("POST", &self.server, self.now)
                {
                    self.generation = generation;
                    for (name, value) in headers {
                        assert!(
                            !name.is_empty()
                                && value.expose().bytes().all(|byte| (b' '..=b'~').contains(&byte))
                        );
                    }
                }
            }
            2 | 3 => {
                let own = text(input.until(0));
                let challenge = CHALLENGES.get(input.below(8)).copied().unwrap_or(&own);
                let peer = input.pick(&[None, Some([8, 8, 8, 8].into()), Some([10, 0, 0, 1].into())]);
                self.inside |= peer == Some([10, 0, 0, 1].into());
                let refusal = Refusal {
                    status: input.pick(&[401, 403]),
                    challenges: Challenges::parse([challenge]),
                    nonce: input.bool().then_some("nonce"),
                    generation: self.generation,
                    operation: "tools/call echo",
                    refusals: 1 + u32::from(input.byte() % 8),
                    peer,
                };
                self.auth.refused(&refusal, self.now);
            }
            4 => self.auth.accepted(self.generation, "tools/call echo", input.bool().then_some("other")),
            5..=10 => self.answer(input),
            11 => {
                let content = match input.below(4) {
                    0 => Err(StoreFault::Failed("no disk".into())),
                    1 => Ok(Some(Secret::new(text(input.until(0))))),
                    _ => Ok(None),
                };
                let there = content.is_ok();
                self.inside |= content
                    .iter()
                    .flatten()
                    .any(|text| ["inside", "\\u"].iter().any(|mark| text.expose().contains(mark)));
                if let Some(lock) = self.store.take() {
                    // Who no longer waits for the lock does not take it.
                    self.locked = self.auth.stored(lock, content, self.now) && lock && there;
                }
            }
            12 => {
                self.auth.listening(if input.bool() { Ok(4711) } else { Err("taken".to_owned()) }, self.now)
            }
            13 => {
                let state = match &self.state {
                    Some(state) if input.bool() => state.clone(),
                    _ => "other".to_owned(),
                };
                let rest = text(input.until(0));
                let callback = format!("http://localhost:3000/callback?state={state}&{rest}");
                drop(self.auth.complete(&callback, self.now).map_err(|failure| failure.to_string()));
            }
            14 => {
                let seconds = input.number();
                self.now.at += Duration::from_secs(seconds);
                self.now.unix += seconds;
                self.auth.tick(self.now);
                assert!(self.auth.deadline().is_none_or(|at| at > self.now.at), "what is due is done");
            }
            _ => match input.below(4) {
                0 => self.auth.give_up("enough", self.now),
                1 if self.saving => {
                    self.saving = false;
                    let result = if input.bool() { Ok(()) } else { Err(StoreFault::Failed("full".into())) };
                    self.auth.saved(result, self.now);
                }
                1 => {}
                2 => self.auth.forget(self.now),
                _ => {
                    let given = Given { text: Secret::new(text(input.until(0))), lasts: None };
                    self.auth.given(&given, self.now);
                }
            },
        }
    }

    fn answer(&mut self, input: &mut Input<'_>) {
        let choice = input.below(12);
        let answer = match ANSWERS.get(choice) {
            Some(body) => Ok(Answer {
                status: if body.contains("error") { 400 } else { 200 },
                headers: Vec::new(),
                body: body.as_bytes().to_vec(),
            }),
            None if choice == 8 => Err(Fault::TimedOut),
            None => {
                let headers = if input.bool() {
                    vec![("DPoP-Nonce".to_owned(), text(input.until(b'\n')).into_owned())]
                } else {
                    Vec::new()
                };
                let status = input.pick(&[200, 201, 302, 400, 401, 404, 429, 500]);
                Ok(Answer { status, headers, body: input.until(0).to_vec() })
            }
        };
        if let Some(request) = self.asked.take() {
            self.auth.answered(request.id, answer, self.now);
        }
    }

    fn effects(&mut self) {
        for _ in 0..100 {
            let Some(effect) = self.auth.effect() else { return };
            match effect {
                Effect::Http(request) => {
                    self.requests += 1;
                    assert!(self.requests <= 40, "a login asks a bounded number of times");
                    self.may_ask(&request);
                    self.asked = Some(request);
                }
                Effect::Store(StoreCommand::Load) => self.store = Some(false),
                Effect::Store(StoreCommand::Lock) => {
                    assert!(!self.locked, "the lock is taken once");
                    self.store = Some(true);
                }
                Effect::Store(StoreCommand::Save(_)) => {
                    assert!(
                        std::mem::take(&mut self.locked),
                        "only who has the lock writes, which releases it"
                    );
                    self.saving = true;
                }
                Effect::Store(StoreCommand::Unlock) => {
                    assert!(std::mem::take(&mut self.locked), "only who has the lock releases it");
                }
                Effect::Prompt(prompt) => {
                    let url = Address::parse(prompt.url.expose()).expect("what a browser opens is a URL");
                    assert!(url.origin().tls || is_loopback(&url.origin().host) || self.free);
                    let state =
                        prompt.url.expose().split("state=").nth(1).and_then(|rest| rest.split('&').next());
                    self.state = state.map(str::to_owned);
                }
                Effect::Ready | Effect::Failed(_) | Effect::Forgotten(_) => {
                    self.requests = 0;
                    self.asked = None;
                    self.store = None;
                }
                Effect::Warning(failure) => drop(failure.to_string()),
                Effect::Listen(_) | Effect::Ask(_) | Effect::Withdraw => {}
            }
        }
        panic!("it never ends");
    }

    fn may_ask(&self, request: &Request) {
        let origin = request.url.origin();
        assert!(origin.tls || self.free, "{request:?}");
        let may_be_private = self.free || self.inside || origin.host == "mcp.example";
        assert!(request.refuse_private || may_be_private, "{request:?}");
        for (name, value) in &request.headers {
            assert!(
                !name.is_empty() && value.expose().bytes().all(|byte| (b' '..=b'~').contains(&byte)),
                "{name}"
            );
        }
    }
}
