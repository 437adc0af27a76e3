//! The login of a client at one MCP server. One login runs at a time; calls that need a token meanwhile wait for it.
//!
//! [`Authorizer`] in this file has the settings, the timers and the end of a login, and the name of a login in the store.
//!
//! The files:
//!
//! * `login_run`: `LoginRun`: what a login in progress has found and what it waits for; `Effect`, `Verdict`, `Prompt`: what goes in
//!   and comes out
//! * `access`: what each request to the MCP server carries, and what its refusal leads to
//! * `assertion`: a signed client assertion (RFC 7523)
//! * `challenge`: `Challenges`: the challenges of a refusal (`WWW-Authenticate`)
//! * `discovery`: finds the authorization server
//! * `metadata`: `ResourceMetadata`, `ServerMetadata`: the two documents of discovery; `Issuer`: which authorization server a credential
//!   belongs to
//! * `registration`: what to do at the authorization server: refresh, use credentials, or get a client id
//! * `credentials`: `ClientRegistration`: our client id at an authorization server, and how we authenticate there
//! * `consent`: the user's part: the URL for the browser and the checks of what comes back; the code for another device (RFC 8628)
//! * `token_request`: requests tokens, and limits the time of each step of a login
//! * `dpop`: `ProofKey`: proofs of possession (RFC 9449)
//! * `login`: `Login`, `Tokens`: the result of a login, and the text that a store keeps
//! * `store`: `TokenStore`: what every store of logins promises, and `MemoryStore`. Files are `src/transport/token_store`
//! * `persistence`: reads and writes the store; under its lock, whether our refresh token is used or the tokens of another process
//!   are taken
//! * `logout`: forgets a login and revokes its tokens (RFC 7009)
//! * `settings`: `Settings`: what an application configures about the login

mod access;
pub(super) mod assertion;
mod challenge;
mod consent;
mod credentials;
mod discovery;
pub(super) mod dpop;
mod login;
mod login_run;
mod logout;
mod metadata;
mod persistence;
mod registration;
mod settings;
mod store;
#[cfg(test)]
pub(crate) mod tests;
mod token_request;

pub use challenge::Challenges;
pub use login_run::{
    Access, Ask, Effect, Given, Header, Listen, Prompt, Refusal, StoreCommand, Timestamp, Verdict, Wanted,
};
pub use settings::{
    AuthMethod, ClientKey, Dpop, Enterprise, Flow, GrantKind, Identity, KeyOf, Redirect, Settings, Source,
    SubjectType,
};
pub use store::{Locked, MemoryStore, StoreFault, TokenStore};

use super::failure::{Cause, Failure, LoginStep};
use super::http::{Answer, Fault};
use super::jose;
use super::token::Secret;
use super::url_policy::{self, Policy};
use crate::protocol::address::Address;
use dpop::Nonces;
use login::{Login, LoginRecord};
use login_run::{Challenge, LoginPhase, LoginReason, LoginRun};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// How long a refusal that would only repeat itself is remembered, instead of asking again for every call.
const HOLD: Duration = Duration::from_secs(30);

/// How long a renewal that failed is not tried again while the token is still good.
const RENEW_AGAIN: Duration = Duration::from_secs(10);

/// The logins of one client at one MCP server.
#[derive(Debug)]
pub struct Authorizer {
    settings: Settings,
    server: Address,
    policy: Policy,
    /// What the store keeps for this server.
    record: LoginRecord,
    /// The login whose token is sent.
    login: Option<Login>,
    /// Counts the tokens, so that an answer to an older one is known as such.
    generation: u64,
    /// Whether the token was not sent yet: then it is, whatever is said of its life.
    fresh: bool,
    /// Tokens that were got since one was last taken by the MCP server.
    unproven: u32,
    /// How many refreshes in a row have ended with the status 500.
    broken_refreshes: u32,
    /// The token of a login that cannot be renewed any more, and may be kept all the same.
    spent: Option<Secret>,
    /// Why the last login that could be renewed cannot be any more.
    ended: Option<String>,
    /// Whether the newest of them is what a person logged in for.
    of_person: bool,
    /// How often each operation has asked for more scopes.
    step_ups: HashMap<String, u32>,
    nonces: Nonces,
    phase: LoginPhase,
    run: Option<LoginRun>,
    /// Whether the login is to be forgotten as soon as it was read.
    forget_then: bool,
    /// Whether the store's lock is ours.
    locked: bool,
    /// What failed for good, and until when that is believed.
    held: Option<(Failure, Instant)>,
    /// Until when the store may take to be read, while it is.
    load_by: Option<Instant>,
    /// When the store was read last.
    looked: Option<Instant>,
    /// What is begun if the store has nothing newer.
    then: Option<(LoginReason, Challenge)>,
    /// How often a login was forgotten.
    logouts: u64,
    /// When a renewal that failed may be tried again while the token is still good.
    renew_again: Option<Instant>,
    next_request: u64,
    effects: VecDeque<Effect>,
}

impl Authorizer {
    /// For the MCP server at `server`.
    pub fn new(settings: Settings, server: &Address) -> Authorizer {
        let policy = Policy::new(server, settings.url_permissions);
        let mut authorizer = Authorizer {
            settings,
            server: server.clone(),
            policy,
            record: LoginRecord::default(),
            login: None,
            generation: 0,
            fresh: false,
            unproven: 0,
            broken_refreshes: 0,
            spent: None,
            ended: None,
            of_person: false,
            step_ups: HashMap::new(),
            nonces: Nonces::default(),
            phase: LoginPhase::New,
            run: None,
            forget_then: false,
            locked: false,
            held: None,
            load_by: None,
            looked: None,
            then: None,
            logouts: 0,
            renew_again: None,
            next_request: 0,
            effects: VecDeque::new(),
        };
        if let GrantKind::Bearer { token: Source::Text(token) } = &authorizer.settings.grant {
            let token = token.clone();
            authorizer.phase = LoginPhase::Idle;
            authorizer.login = Some(authorizer.given_login(token, None, 0));
            authorizer.generation = 1;
        } else if matches!(authorizer.settings.grant, GrantKind::Bearer { .. }) {
            authorizer.phase = LoginPhase::Idle;
        }
        authorizer
    }

    /// The next thing to do, in order.
    pub fn effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// The name under which the store keeps this server's logins: readable, usable as a file's name, and another for each
    /// URL and each identity.
    pub fn store_key(&self) -> String {
        let identity = &self.settings.identity;
        let own = identity.client_id.as_ref().or(identity.metadata_url.as_ref()).map_or("", String::as_str);
        let way = match self.settings.grant {
            GrantKind::Interactive { .. } => "interactive",
            GrantKind::ClientCredentials => "client",
            GrantKind::Enterprise(_) => "enterprise",
            GrantKind::Workload { .. } => "workload",
            GrantKind::Bearer { .. } => "bearer",
        };
        let digest = jose::sha256(&format!("{}\n{way}\n{own}", self.server));
        let host: String =
            self.server.origin().host.chars().map(|c| if c == ':' { '_' } else { c }).collect();
        format!("{}-{}", host.trim_matches(['[', ']']), digest.get(..22).unwrap_or_default())
    }

    /// A name of the login whose token is sent, from which nothing can be learned. A refresh keeps it, as far as is known.
    pub fn login_name(&self) -> Option<String> {
        // No login before a logout and none after it are not the same: what was asked before may have gone out with one.
        let none = || (self.logouts > 0).then(|| self.logouts.to_string());
        let Some(login) = self.login.as_ref() else { return none() };
        let Some(tokens) = login.tokens.as_ref() else { return none() };
        let of = if login.grant.is_empty() { &tokens.access } else { &login.grant };
        Some(jose::sha256(of.expose()))
    }

    /// When [`tick`](Authorizer::tick) is to be called.
    pub fn deadline(&self) -> Option<Instant> {
        let load_by = self.load_by.filter(|_| matches!(self.phase, LoginPhase::Loading));
        let poll = self.next_poll();
        load_by.or_else(|| self.run.as_ref().map(|run| poll.map_or(run.deadline, |at| at.min(run.deadline))))
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Timestamp) {
        if matches!(self.phase, LoginPhase::Loading) {
            if self.load_by.is_some_and(|by| by <= now.at) {
                let late = format!("it did not answer within {} s", self.store_time().as_secs());
                self.stored(false, Err(StoreFault::Failed(late)), now);
            }
            return;
        }
        if self.run.as_ref().is_none_or(|run| now.at < run.deadline) {
            if self.next_poll().is_some_and(|at| at <= now.at) {
                let result = self.poll(now);
                self.settle(result, now);
            }
            return;
        }
        let device = self.asks_for_device().then(|| self.life_of_code()).flatten();
        let (step, what) = match &self.phase {
            _ if device.is_some() => (LoginStep::Authorization, "the person did not enter the code"),
            LoginPhase::Prompting { .. } => (LoginStep::Authorization, "the person did not finish the login"),
            LoginPhase::Asking(_) => {
                (LoginStep::Application, "the application did not give what it was asked for")
            }
            LoginPhase::Listening => {
                (LoginStep::Authorization, "there was no word about where to listen for the answer")
            }
            LoginPhase::Locking(_)
            | LoginPhase::Saving(_)
            | LoginPhase::Noting(_)
            | LoginPhase::Forgetting => (LoginStep::Store, "the token store did not answer"),
            _ => (LoginStep::ServerMetadata, "the servers took too long"),
        };
        let limit = match &self.phase {
            _ if device.is_some() => device.unwrap_or_default(),
            LoginPhase::Prompting { .. } | LoginPhase::Asking(_) => self.settings.patience,
            LoginPhase::Locking(_)
            | LoginPhase::Saving(_)
            | LoginPhase::Noting(_)
            | LoginPhase::Forgetting => self.store_time(),
            _ => self.settings.limit,
        };
        let message = format!("{what} within {} s", limit.as_secs());
        self.fail(Failure::new(step, "time", message).because(Cause::TimedOut), now);
        self.forget_if_asked(now);
    }

    /// A request was answered, or not. An answer that is no longer waited for is dropped.
    pub fn answered(&mut self, id: u64, answer: Result<Answer, Fault>, now: Timestamp) {
        match std::mem::replace(&mut self.phase, LoginPhase::Idle) {
            LoginPhase::Fetching(fetch) if fetch.id == id => {
                let result = self.fetched(fetch, answer, now);
                self.settle(result, now);
            }
            LoginPhase::Posting(post) if post.id == id => {
                let result = self.posted(post, answer, now);
                self.settle(result, now);
            }
            other => self.phase = other,
        }
        self.forget_if_asked(now);
    }

    fn settle(&mut self, result: Result<(), Failure>, now: Timestamp) {
        if let Err(failure) = result {
            self.fail(failure, now);
        }
    }

    /// Ends the login without a token.
    fn fail(&mut self, failure: Failure, now: Timestamp) {
        self.unlock();
        if matches!(self.phase, LoginPhase::Prompting { .. } | LoginPhase::Asking(_) | LoginPhase::Listening)
        {
            self.effects.push_back(Effect::Withdraw);
        }
        if self.run.as_ref().is_some_and(|run| run.why == LoginReason::Logout) {
            return self.leave_goes_on(failure, now);
        }
        if failure.is_lasting() {
            self.held = Some((failure.clone(), now.at + HOLD));
        }
        if self.run.take().is_some_and(|run| run.why == LoginReason::Renewal) {
            self.renew_again = Some(now.at + RENEW_AGAIN);
        }
        self.phase = LoginPhase::Idle;
        self.effects.push_back(Effect::Failed(failure));
    }

    /// Ends the login with a token.
    fn succeed(&mut self, login: Login) {
        self.login = Some(login);
        self.generation += 1;
        self.fresh = true;
        self.unproven += 1;
        (self.held, self.ended) = (None, None);
        self.end();
    }

    /// Ends the login; the calls that wait look again.
    fn end(&mut self) {
        self.unlock();
        self.phase = LoginPhase::Idle;
        self.run = None;
        self.effects.push_back(Effect::Ready);
    }

    /// What is told where the application gives a token itself.
    fn resource_name(&self) -> String {
        url_policy::canonical(&self.server)
    }
}
