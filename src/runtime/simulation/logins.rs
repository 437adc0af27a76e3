//! Logins: an MCP server that wants tokens, two authorization servers, and the person and the store of the client's application.
//! What they are sent is looked at: a secret goes to the server that it is for, and is used as often as it may be.

use super::network::{FaultyNetwork, PlantedFault};
use super::world::Simulation;
use crate::auth::{Answer, Fault, GrantKind, Method, Redirect, Request, Secret, Settings};
use crate::engine::LoginWait;
use crate::runtime::http::authenticator::{AuthConfig, Store};
use crate::runtime::lock;
use crate::runtime::message::Kind;
use crate::runtime::queue::{Look, Take};
use crate::transport::http::fetch::simulated::{Fetches, Fetching};
use hyper::header::{AUTHORIZATION, HeaderMap};
use mcp_core::testing::dice::Dice;
use mcp_core::testing::site::{MCP, PRM, Server, Site, form};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const OTHER: &str = "https://other.example";

/// The servers, and what they gave out.
pub struct Logins {
    pub site: Site,
    /// Which authorization server each secret is of.
    made_by: BTreeMap<String, String>,
    /// Codes that were shown to a token endpoint, and refresh tokens that were replaced.
    redeemed: BTreeMap<String, u32>,
    /// When each access token ends.
    until: BTreeMap<String, Instant>,
}

impl Logins {
    pub fn new(dice: &mut Dice) -> Logins {
        let mut site = Site::new();
        let other = Server::new(OTHER);
        site.documents.insert(format!("{OTHER}/.well-known/oauth-authorization-server"), other.document());
        site.servers.push(other);
        for server in &mut site.servers {
            server.expires_in = dice.chance(70).then(|| dice.between(1, 30));
            server.rotates = dice.chance(70);
        }
        Logins { site, made_by: BTreeMap::new(), redeemed: BTreeMap::new(), until: BTreeMap::new() }
    }

    /// What the MCP server says of a request that it does not take.
    pub fn refusal(
        &self,
        headers: &HeaderMap,
        operation: &str,
        now: Instant,
    ) -> Result<Option<(u16, String)>, String> {
        let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(token) = given.and_then(|value| value.strip_prefix("Bearer ")) else {
            return Ok(Some((401, self.site.challenge.clone())));
        };
        let Some(issued) = self.site.tokens.get(token) else {
            return Err(format!("'{token}' leaves for {MCP}, and was made for no server"));
        };
        if issued.resource.as_deref() != Some(MCP) {
            return Err(format!("'{token}' leaves for {MCP}, and was made for {:?}", issued.resource));
        }
        let is_over = self.until.get(token).is_some_and(|until| *until <= now);
        if is_over || self.site.revoked.contains(token) {
            return Ok(Some((401, self.site.challenge.clone())));
        }
        let needed = self.site.needs.get(operation);
        let lacks = needed.filter(|needed| !issued.scope.split(' ').any(|own| own == **needed));
        Ok(lacks.map(|scope| {
            (
                403,
                format!(
                    "Bearer error=\"insufficient_scope\", scope=\"{scope}\", resource_metadata=\"{PRM}\""
                ),
            )
        }))
    }

    /// An authorization server, or one with a document, answers.
    fn answer(&mut self, request: &Request, is_doubled: bool, now: Instant) -> Result<Answer, String> {
        let url = request.url.to_string();
        let text = request.body.as_ref().map(Secret::expose).unwrap_or_default();
        let shown = request.headers.iter().map(|(_, value)| value.expose()).chain([text]);
        let shown: Vec<&str> = shown.collect();
        if let Some(token) = self.site.tokens.keys().find(|token| {
            shown.iter().any(|text| text.split(['&', '=', ' ']).any(|word| word == token.as_str()))
        }) {
            return Err(format!("'{token}' leaves for {url}, and was made for {MCP}"));
        }
        let form = if request.method == Method::Post && url.ends_with("/token") {
            form(request)
        } else {
            std::collections::HashMap::new()
        };
        for secret in ["code", "refresh_token"].iter().filter_map(|name| form.get(*name)) {
            let Some(issuer) = self.made_by.get(secret) else {
                return Err(format!("'{secret}' was given out by no one"));
            };
            if !url.starts_with(&format!("{issuer}/")) {
                return Err(format!("'{secret}' leaves for {url}, and is of {issuer}"));
            }
        }
        if let Some(code) = form.get("code").filter(|_| !is_doubled) {
            let times = self.redeemed.entry(code.clone()).or_default();
            *times += 1;
            if *times > 1 {
                return Err(format!("'{code}' is redeemed twice"));
            }
        }
        let answered = catch_unwind(AssertUnwindSafe(|| self.site.answer(request)));
        let answer = answered.map_err(|_| format!("what was sent to {url} breaks a rule"))?;
        let issuer = self.site.servers.iter().find(|server| url.starts_with(&format!("{}/", server.base)));
        if let (Some(issuer), Ok(Value::Object(body))) = (issuer, serde_json::from_slice(&answer.body)) {
            if let Some(refresh) = body.get("refresh_token").and_then(Value::as_str) {
                self.made_by.insert(refresh.to_owned(), issuer.issuer.clone());
            }
            if let (Some(token), Some(lasts)) = (
                body.get("access_token").and_then(Value::as_str),
                body.get("expires_in").and_then(Value::as_u64),
            ) {
                self.until.insert(token.to_owned(), now + Duration::from_secs(lasts));
            }
        }
        Ok(answer)
    }

    /// A person opens a URL and agrees. Gives where the browser is sent back to.
    fn agrees(&mut self, url: &str) -> String {
        let callback = self.site.authorize(url);
        let code = callback.split("code=").nth(1).and_then(|rest| rest.split('&').next());
        let issuer = self.site.servers.iter().find(|server| url.starts_with(&format!("{}/", server.base)));
        if let (Some(code), Some(issuer)) = (code, issuer) {
            self.made_by.insert(code.to_owned(), issuer.issuer.clone());
        }
        callback
    }

    /// Something changes at the servers.
    fn change(&mut self, dice: &mut Dice) -> &'static str {
        let site = &mut self.site;
        match dice.roll(6) {
            0 => {
                let all: Vec<String> = site.tokens.keys().cloned().collect();
                site.revoked.extend(all);
                "tokens revoked"
            }
            1 | 2 => {
                let number = dice.roll(3);
                site.needs.insert("tools/call".to_owned(), format!("scope-{number}"));
                "more scopes"
            }
            3 => {
                site.servers.iter_mut().for_each(|server| server.refreshes.clear());
                "refresh tokens revoked"
            }
            _ => {
                let named = site.documents[PRM]["authorization_servers"][0] == OTHER;
                let next = if named { mcp_core::testing::site::AS } else { OTHER };
                site.change(PRM, &json!({ "authorization_servers": [next] }));
                let all: Vec<String> = site.tokens.keys().cloned().collect();
                site.revoked.extend(all);
                "another authorization server"
            }
        }
    }
}

/// How the client logs in.
pub fn config(dice: &mut Dice) -> AuthConfig {
    let redirect = Redirect { uri: Some("http://localhost:3000/callback".to_owned()), listen: false };
    let settings = Settings {
        grant: GrantKind::Interactive { redirect },
        limit: dice.millis(2000, 8000),
        patience: dice.millis(2000, 8000),
        asks_for_store: true,
        ..Settings::default()
    };
    AuthConfig { settings, store: Store::Application }
}

/// What the application of the client has to do with logins.
#[derive(Default, Debug)]
pub struct Person {
    /// URLs to open, and when.
    prompts: BTreeMap<(Instant, u64), String>,
    kept: Option<String>,
}

impl Person {
    pub fn due(&self) -> Option<Instant> {
        self.prompts.first_key_value().map(|((at, _), _)| *at)
    }
}

impl Simulation {
    /// The application takes what it is asked.
    pub fn take_login_messages(&mut self) {
        loop {
            let Some(line) = &self.line else { return };
            let Some(authenticator) = line.http.authenticator().cloned() else { return };
            let Look::Message(message) = line.queue().take(Take::All) else { return };
            if message.kind() != Kind::Auth {
                continue;
            }
            let asked: Value = serde_json::from_str(message.json()).expect("JSON");
            match asked["kind"].as_str().unwrap_or_default() {
                "authorize" => {
                    self.serial += 1;
                    self.reach("login");
                    let delay = self.dice.millis(0, if self.calm { 50 } else { 1500 });
                    let url = asked["url"].as_str().expect("a URL").to_owned();
                    self.note(|| "a person is asked to log in".to_owned());
                    self.person.prompts.insert((self.now + delay, self.serial), url);
                }
                "load" => {
                    let key = message.auth_key().expect("it is answered");
                    authenticator.answer(key, Ok(self.person.kept.as_deref()));
                }
                "save" => {
                    let key = message.auth_key().expect("it is answered");
                    self.person.kept = asked["text"].as_str().map(str::to_owned);
                    authenticator.answer(key, Ok(None));
                }
                _ => {}
            }
        }
    }

    /// The person does what they are asked, or does not.
    pub fn person_acts(&mut self) {
        while self.person.due().is_some_and(|due| due <= self.now) {
            let (_, url) = self.person.prompts.pop_first().expect("just looked at");
            let Some(line) = &self.line else { return };
            let Some(authenticator) = line.http.authenticator().cloned() else { return };
            let fate = if self.calm { 9 } else { self.dice.roll(10) };
            match fate {
                0 => authenticator.give_up("the person has left"),
                1 => {}
                2 => {
                    let state = url.split("state=").nth(1).and_then(|rest| rest.split('&').next());
                    let callback = format!("?error=access_denied&state={}", state.unwrap_or_default());
                    let _over = authenticator.complete(&callback);
                }
                _ => {
                    let Some(callback) = line.network.with_logins(|logins| logins.agrees(&url)) else {
                        return;
                    };
                    let first = authenticator.complete(&callback);
                    let again = authenticator.complete(&callback);
                    assert!(again.is_err(), "a login ended twice, after {first:?}");
                }
            }
            self.hear();
        }
    }

    /// The servers want something else of tokens from now on.
    pub fn change_logins(&mut self) {
        let (Some(line), dice) = (&self.line, &mut self.dice) else { return };
        if let Some(what) = line.network.with_logins(|logins| logins.change(dice)) {
            self.note(|| what.to_owned());
            self.reach(what);
        }
    }

    /// A request waits for a login.
    pub fn login_waits(&mut self, wait: LoginWait) {
        self.reach(match wait {
            LoginWait::Person => "person awaited",
            LoginWait::Servers => "authorization server awaited",
            LoginWait::Over => "login over",
        });
    }

    /// Whether the server wants tokens.
    pub fn logs_in(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.http.authenticator().is_some())
    }

    /// No login is under way any more.
    pub fn check_logins_over(&self) {
        let authenticator = self.line.as_ref().and_then(|line| line.http.authenticator());
        let is_over = authenticator.is_none_or(|authenticator| !authenticator.is_logging_in());
        assert!(is_over, "a login never ends");
    }
}

impl Fetches for FaultyNetwork {
    fn fetch(&self, request: Request) -> Fetching {
        let this = self.this();
        Box::pin(async move {
            let gone = || Fault::Unreachable("the network is gone".to_owned());
            this.ok_or_else(gone)?.carry_login(request).await
        })
    }
}

impl FaultyNetwork {
    /// Does something with the servers of logins, where tokens are wanted.
    pub fn with_logins<R>(&self, work: impl FnOnce(&mut Logins) -> R) -> Option<R> {
        lock(&self.logins).as_mut().map(work)
    }

    /// Takes a request of a login there and its answer back.
    async fn carry_login(self: std::sync::Arc<Self>, mut request: Request) -> Result<Answer, Fault> {
        let counted = self.counted();
        let (up, down) = (self.delay(), self.delay());
        let fate = self.roll_unless_calm(25);
        let lost = |what: &str| Err(Fault::Unreachable(what.to_owned()));
        tokio::time::sleep(up).await;
        if let Some(0 | 1) = fate {
            self.login_fault("login lost on its way there");
            return lost("lost on its way there");
        }
        if self.has(PlantedFault::RefreshElsewhere)
            && request.body.as_ref().is_some_and(|body| body.expose().contains("refresh_token="))
        {
            let elsewhere = format!("{OTHER}/token");
            let is_there = request.url.to_string() == elsewhere;
            let url = if is_there { "https://as.example/token".to_owned() } else { elsewhere };
            request.url = crate::protocol::address::Address::parse(&url).expect("a URL");
        }
        let now = crate::runtime::clock::now();
        let answered = self.with_logins(|logins| {
            if fate == Some(4) {
                let _thrown_away = logins.answer(&request, true, now);
            } else if self.has(PlantedFault::CodeTwice) {
                logins.answer(&request, false, now)?;
            }
            logins.answer(&request, fate == Some(4), now)
        });
        if fate == Some(4) {
            self.login_fault("login doubled");
        }
        let refreshes = request.body.as_ref().is_some_and(|body| body.expose().contains("refresh_token="));
        if refreshes && matches!(&answered, Some(Ok(answer)) if answer.status == 200) {
            self.reached("refreshed");
        }
        let answer = match answered {
            Some(Ok(answer)) => answer,
            Some(Err(broken)) => {
                self.broken(broken);
                return lost("a rule is broken");
            }
            None => return lost("no such server"),
        };
        tokio::time::sleep(down).await;
        drop(counted);
        match fate {
            Some(2 | 3) => {
                self.login_fault("login lost on its way back");
                lost("lost on its way back")
            }
            Some(5) => {
                self.login_fault("authorization server out of order");
                Ok(Answer { status: 503, ..Answer::default() })
            }
            _ => Ok(answer),
        }
    }
}
