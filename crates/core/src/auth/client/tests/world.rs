//! The driver, the application and the user, as short as possible.

use crate::auth::client::settings::{GrantKind, Redirect, Settings};
use crate::auth::client::store::StoreFault;
use crate::auth::failure::Failure;
use crate::auth::http::{Answer, Fault, Request};
use crate::auth::{
    Access, Ask, Authorizer, Challenges, Effect, Given, Listen, Prompt, Refusal, Secret, StoreCommand,
    Timestamp, Verdict, jose,
};
use crate::protocol::address::Address;
use crate::testing::site::verify_with_own_key;
use crate::testing::site::{MCP, Site, form};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What a store keeps; more than one world may share it.
pub type Kept = Rc<RefCell<Option<Secret>>>;

/// What the person does with a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Person {
    LogsIn,
    Denies,
    Ignores,
}

pub struct World {
    pub auth: Authorizer,
    pub site: Rc<RefCell<Site>>,
    /// Where the MCP server is.
    pub peer: Option<std::net::IpAddr>,
    pub now: Timestamp,
    pub person: Person,
    pub kept: Kept,
    pub store_fails: bool,
    /// What is to be saved is, and nothing is told.
    pub store_hangs: bool,
    /// Whether the lock is never had.
    pub lock_hangs: bool,
    /// Where the library listens when it may choose; none if it cannot.
    pub port: Option<u16>,
    /// The request to listen gets no answer.
    pub listen_hangs: bool,
    pub listened: Vec<Listen>,
    /// What the application gives when it is asked.
    pub gives: Vec<Given>,
    pub asked: Vec<Ask>,
    pub requests: Vec<Request>,
    pub prompts: Vec<Prompt>,
    pub warnings: Vec<Failure>,
    pub failures: Vec<Failure>,
    pub forgotten: Vec<Result<(), Failure>>,
    pub readies: u32,
    pub saves: u32,
    pub withdrawn: u32,
    pub locked: bool,
    /// The headers of every request that the MCP server took.
    pub taken: Vec<Vec<(&'static str, Secret)>>,
    /// Faults instead of answers, by the beginning of the URL.
    pub faults: HashMap<String, Fault>,
    /// The URL whose answers are kept back until [`World::release`].
    pub holds: Option<String>,
    /// How many seconds each request takes.
    pub slow: u64,
    held: Vec<(u64, Result<Answer, Fault>)>,
}

pub fn address(url: &str) -> Address {
    Address::parse(url).expect("an address")
}

/// A person with a browser, and a redirect that the application takes.
pub fn interactive() -> Settings {
    let redirect = Redirect { uri: Some("http://localhost:3000/callback".to_owned()), listen: false };
    Settings { grant: GrantKind::Interactive { redirect }, ..Settings::default() }
}

impl World {
    pub fn new(site: Site, settings: Settings) -> World {
        World::at(MCP, Rc::new(RefCell::new(site)), settings, Kept::default())
    }

    pub fn at(url: &str, site: Rc<RefCell<Site>>, settings: Settings, kept: Kept) -> World {
        World {
            auth: Authorizer::new(settings, &address(url)),
            site,
            peer: "198.51.101.7".parse().ok(),
            now: Timestamp { at: Instant::now(), unix: 1_800_000_000 },
            person: Person::LogsIn,
            kept,
            store_fails: false,
            store_hangs: false,
            lock_hangs: false,
            port: Some(4711),
            listen_hangs: false,
            listened: Vec::new(),
            gives: Vec::new(),
            asked: Vec::new(),
            requests: Vec::new(),
            prompts: Vec::new(),
            warnings: Vec::new(),
            failures: Vec::new(),
            forgotten: Vec::new(),
            readies: 0,
            saves: 0,
            withdrawn: 0,
            locked: false,
            taken: Vec::new(),
            faults: HashMap::new(),
            holds: None,
            slow: 0,
            held: Vec::new(),
        }
    }

    pub fn pass(&mut self, seconds: u64) {
        self.now.at += Duration::from_secs(seconds);
        self.now.unix += seconds;
    }

    /// Waits until the login has ended, and says after how many seconds each request to the token endpoint went out.
    pub fn poll(&mut self) -> Vec<u64> {
        let (begun, ended, mut sent) =
            (self.now.unix, self.failures.len() + self.readies as usize, Vec::new());
        while self.failures.len() + self.readies as usize == ended {
            let before = self.tokens().len();
            let wait = self.auth.deadline().expect("it has an end").saturating_duration_since(self.now.at);
            assert!(!wait.is_zero(), "time passes");
            self.pass(wait.as_secs());
            self.auth.tick(self.now);
            self.pump();
            sent.resize(sent.len() + self.tokens().len() - before, self.now.unix - begun);
        }
        sent
    }

    /// Does what is to be done until nothing is left.
    pub fn pump(&mut self) {
        for _ in 0..200 {
            let Some(effect) = self.auth.effect() else { return };
            self.run(effect);
        }
        panic!("it never ends");
    }

    fn run(&mut self, effect: Effect) {
        match effect {
            Effect::Http(request) => {
                let answer = self.perform(&request);
                self.pass(self.slow);
                self.requests.push(request.clone());
                if self.holds.as_ref() == Some(&request.url.to_string()) {
                    return self.held.push((request.id, answer));
                }
                self.auth.answered(request.id, answer, self.now);
            }
            Effect::Store(command) => self.store(command),
            Effect::Listen(listen) => {
                let port =
                    self.port.map(|port| listen.port.unwrap_or(port)).ok_or("the port is taken".to_owned());
                self.listened.push(listen);
                if !self.listen_hangs {
                    self.auth.listening(port, self.now);
                }
            }
            Effect::Prompt(prompt) => {
                self.prompts.push(prompt.clone());
                if prompt.device.is_some() {
                    // It is entered elsewhere.
                    let entered = self.person == Person::LogsIn;
                    self.site
                        .borrow_mut()
                        .devices
                        .values_mut()
                        .for_each(|(_, is_entered)| *is_entered = entered);
                    return;
                }
                match self.person {
                    Person::LogsIn => {
                        let callback = self.site.borrow_mut().authorize(prompt.url.expose());
                        // What comes of it is in the effects.
                        let _ = self.auth.complete(&callback, self.now);
                    }
                    Person::Denies => {
                        let state = prompt.url.expose().split("state=").nth(1).expect("a state");
                        let state = state.split('&').next().expect("a state");
                        let _ = self.auth.complete(&format!("?error=access_denied&state={state}"), self.now);
                    }
                    Person::Ignores => {}
                }
            }
            Effect::Ask(ask) => {
                self.asked.push(ask);
                if !self.gives.is_empty() {
                    let given = self.gives.remove(0);
                    assert!(self.auth.given(&given, self.now));
                }
            }
            Effect::Withdraw => self.withdrawn += 1,
            Effect::Ready => self.readies += 1,
            Effect::Failed(failure) => self.failures.push(failure),
            Effect::Warning(failure) => self.warnings.push(failure),
            Effect::Forgotten(result) => self.forgotten.push(result),
        }
    }

    /// What was answered and kept back arrives.
    pub fn release(&mut self) {
        self.holds = None;
        for (id, answer) in std::mem::take(&mut self.held) {
            self.auth.answered(id, answer, self.now);
        }
        self.pump();
    }

    fn perform(&mut self, request: &Request) -> Result<Answer, Fault> {
        let url = request.url.to_string();
        if let Some((_, fault)) = self.faults.iter().find(|(start, _)| url.starts_with(start.as_str())) {
            return Err(fault.clone());
        }
        Ok(self.site.borrow_mut().answer(request))
    }

    fn store(&mut self, command: StoreCommand) {
        let content = || {
            if self.store_fails {
                Err(StoreFault::Failed("no disk".into()))
            } else {
                Ok(self.kept.borrow().clone())
            }
        };
        match command {
            StoreCommand::Load if self.store_hangs => {}
            StoreCommand::Load => {
                let content = content();
                assert!(self.auth.stored(false, content, self.now));
            }
            StoreCommand::Lock if self.lock_hangs => {}
            StoreCommand::Lock => {
                assert!(!self.locked, "the lock is taken once");
                let content = content();
                self.locked = content.is_ok();
                assert!(self.auth.stored(true, content, self.now));
            }
            StoreCommand::Save(text) => {
                assert!(self.locked, "nothing is written without the lock");
                self.locked = false;
                self.saves += 1;
                if self.store_hangs {
                    return;
                }
                if self.store_fails {
                    self.auth.saved(Err(StoreFault::Failed("no disk".into())), self.now);
                } else {
                    *self.kept.borrow_mut() = Some(text);
                    self.auth.saved(Ok(()), self.now);
                }
            }
            StoreCommand::Unlock => {
                assert!(self.locked, "the lock is released once");
                self.locked = false;
            }
        }
    }

    /// Makes a request to the MCP server, as the transport does: until it is taken or fails.
    pub fn call(&mut self, operation: &str) -> Result<(), Failure> {
        let mut refusals = 0;
        for _ in 0..100 {
            let (generation, headers) = match self.auth.access("POST", &address(MCP), self.now) {
                Access::Wait => {
                    self.wait()?;
                    continue;
                }
                Access::Failed(failure) => return Err(failure),
                Access::Open => (0, Vec::new()),
                Access::With { generation, headers } => (generation, headers),
            };
            let Some((status, challenge, nonce)) = self.judge(&headers, operation) else {
                let nonce = self.site.borrow().resource_nonce.clone();
                self.auth.accepted(generation, operation, nonce.as_deref());
                self.taken.push(headers);
                self.pump();
                return Ok(());
            };
            refusals += 1;
            let challenges = Challenges::parse([challenge.as_str()]);
            let nonce = nonce.as_deref();
            let peer = self.peer;
            let refusal = Refusal { status, challenges, nonce, peer, generation, operation, refusals };
            match self.auth.refused(&refusal, self.now) {
                Verdict::Again => {}
                Verdict::Wait => self.wait()?,
                Verdict::Fail(failure) => return Err(failure),
                Verdict::NotMine => panic!("it is"),
            }
        }
        panic!("it never ends");
    }

    /// Waits until the login is over.
    fn wait(&mut self) -> Result<(), Failure> {
        let (readies, failures) = (self.readies, self.failures.len());
        self.pump();
        if let Some(failure) = self.failures.get(failures) {
            return Err(failure.clone());
        }
        if self.readies > readies {
            return Ok(());
        }
        Err(Failure::new(crate::auth::LoginStep::Access, "pending", "there is no answer yet"))
    }

    /// The MCP server: none if the request is taken.
    fn judge(
        &mut self,
        headers: &[(&'static str, Secret)],
        operation: &str,
    ) -> Option<(u16, String, Option<String>)> {
        let mut site = self.site.borrow_mut();
        let get = |name: &str| headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.expose());
        let refused = |site: &Site| Some((401, site.challenge.clone(), None));
        let Some((scheme, token)) = get("authorization").and_then(|value| value.split_once(' ')) else {
            return refused(&site);
        };
        let Some(issued) = site.tokens.get(token).cloned() else { return refused(&site) };
        if site.refuses_all || site.revoked.contains(token) || (scheme == "DPoP") != issued.bound {
            return refused(&site);
        }
        if site.takes_dpop {
            assert_eq!(scheme, "DPoP");
            let (_, claims) = verify_with_own_key(get("dpop").expect("a proof"));
            assert_eq!(claims["htu"], MCP);
            assert_eq!(claims["ath"], jose::sha256(token).as_str());
            assert!(site.proofs.insert(claims["jti"].as_str().expect("an id").to_owned()), "a fresh proof");
            let nonce = site.resource_nonce.clone();
            if nonce.is_some() && claims.get("nonce").and_then(|it| it.as_str()) != nonce.as_deref() {
                return Some((401, "DPoP error=\"use_dpop_nonce\"".to_owned(), nonce));
            }
        }
        if let Some(number) = site.moving_scope.filter(|_| operation == "tools/call") {
            site.moving_scope = Some(number + 1);
            return Some((
                403,
                format!("Bearer error=\"insufficient_scope\", scope=\"scope-{number}\""),
                None,
            ));
        }
        let needed =
            site.needs.get(operation).filter(|needed| !issued.scope.split(' ').any(|own| own == *needed))?;
        let scope = if site.hides_scopes { String::new() } else { format!(", scope=\"{needed}\"") };
        Some((403, format!("Bearer error=\"insufficient_scope\"{scope}"), None))
    }

    /// The URLs of the documents that were asked for.
    pub fn documents(&self) -> Vec<String> {
        self.requests.iter().filter(|it| it.body.is_none()).map(|it| it.url.to_string()).collect()
    }

    /// The forms that went to token endpoints.
    pub fn tokens(&self) -> Vec<HashMap<String, String>> {
        self.requests.iter().filter(|it| it.url.target().ends_with("/token")).map(form).collect()
    }

    pub fn registrations(&self) -> Vec<serde_json::Value> {
        let registrations = self.requests.iter().filter(|it| it.url.target() == "/register");
        registrations
            .map(|it| serde_json::from_str(it.body.as_ref().expect("a body").expose()).expect("JSON"))
            .collect()
    }

    /// What a parameter of the last URL for the browser says.
    pub fn prompted(&self, name: &str) -> Option<String> {
        let url = self.prompts.last().expect("a prompt").url.expose();
        let query = crate::auth::http::Query::parse(url.split_once('?').expect("a query").1);
        query.one(name).expect("once").map(|value| value.expose().to_owned())
    }
}
