//! What one login has found out so far, and what it waits for.

use super::super::client::Client;
use super::super::dpop::ProofKey;
use super::super::failure::{Failure, LoginStep};
use super::super::form::Form;
use super::super::issuer::Issuer;
use super::super::login::{Login, Past};
use super::super::metadata::{Resource, Server};
use super::super::scope::Scopes;
use super::super::secret::Secret;
use super::types::Wanted;
use crate::protocol::address::Address;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Why there is to be a new token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// The server wants one, and there is none.
    First,
    /// The server refused the one there is.
    Refused,
    /// The one there is ends soon, or has.
    Renewal,
    /// It is not enough for one operation.
    StepUp,
    /// None at all: the login is to be forgotten.
    Logout,
}

/// What the MCP server said when it refused.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub metadata: Option<String>,
    pub scopes: Option<Scopes>,
    pub dpop: bool,
}

/// A token that is to be revoked.
#[derive(Debug)]
pub(super) struct Due {
    pub issuer: Issuer,
    pub inside: bool,
    pub past: Past,
}

/// One login.
#[derive(Debug)]
pub(super) struct Run {
    pub why: Why,
    pub said: Said,
    pub deadline: Instant,
    pub requests: u32,
    /// What the MCP server publishes; none for one of 2025-03-26.
    pub resource: Option<Resource>,
    /// Nothing is published: the MCP server is its own authorization server, as in 2025-03-26.
    pub legacy: bool,
    /// The name of the authorization server that is tried.
    pub issuer: String,
    /// The one that it must be, where there are tokens of it already.
    pub known: Option<Issuer>,
    /// The authorization servers that are still to be tried.
    pub issuers: VecDeque<String>,
    /// Why the first of them could not be used.
    pub first_failure: Option<Failure>,
    pub server: Option<Server>,
    pub client: Option<Client>,
    pub redirect_uri: Option<String>,
    pub verifier: Option<Secret>,
    /// Where a device gets its codes, if this is the login of one.
    pub device_endpoint: Option<Address>,
    /// What it got there.
    pub device: Option<Device>,
    /// Whether the server gave no codes.
    pub refuses_device: bool,
    pub scopes: Scopes,
    pub key: Option<ProofKey>,
    /// Whether a refresh was tried already.
    pub refreshed: bool,
    /// How often a client was registered.
    pub registrations: u32,
    /// In how many other places the client's secret was sent.
    pub proved_otherwise: u32,
    /// How often a nonce was asked for.
    pub nonces: u32,
    /// What is still to be revoked, the next one first.
    pub due: VecDeque<Due>,
    /// Why the first of what was not revoked was not.
    pub unrevoked: Option<Failure>,
}

/// What the authorization server gave a device.
#[derive(Debug)]
pub(super) struct Device {
    pub code: Secret,
    pub interval: Duration,
    /// When the token endpoint is asked next.
    pub next: Instant,
    /// When the code, or the person's time, is over.
    pub until: Instant,
    pub life: Duration,
}

/// What is waited for.
#[derive(Debug)]
pub(super) enum Phase {
    /// The store was not read yet.
    New,
    Loading,
    Idle,
    Fetching(Fetch),
    Posting(Post),
    Listening,
    Prompting {
        state: Secret,
    },
    /// Until the token endpoint is asked once more whether the person has said yes.
    Polling,
    Asking(Wanted),
    Locking(Then),
    Saving(Box<Login>),
    Noting(Noted),
    /// What is kept is written without tokens.
    Forgetting,
}

/// What the lock is for.
#[derive(Debug)]
pub(super) enum Then {
    Refresh,
    Save(Box<Login>),
    Forget,
    Note(Noted),
}

/// What is written down of a registration.
#[derive(Debug)]
pub(super) enum Noted {
    /// A login begins with it.
    Begins,
    /// The server does not know it any more, which is why the login failed.
    Forgotten(Failure),
}

/// A document that is asked for.
#[derive(Debug)]
pub(super) struct Fetch {
    pub id: u64,
    pub url: Address,
    pub step: LoginStep,
    /// Where it may be otherwise.
    pub rest: VecDeque<String>,
    /// All places that were tried.
    pub tried: Vec<String>,
    pub redirects: u32,
    /// What went wrong at one of the places, other than that there is nothing.
    pub trouble: Option<Failure>,
}

/// A form that was sent.
pub(super) struct Post {
    pub id: u64,
    pub url: Address,
    pub purpose: Purpose,
    /// What was sent, without the client's proof, which is never the same.
    pub form: Form,
    /// What was sent in confidence.
    pub secrets: Form,
    /// Whether the application signs something of it.
    pub signs: bool,
}

impl std::fmt::Debug for Post {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Post({} for {:?}, …)", self.id, self.purpose)
    }
}

/// What a form is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Register { least: bool },
    Code,
    DeviceCodes,
    DeviceToken,
    Refresh,
    ClientCredentials,
    Exchange,
    Assertion,
    Revoke,
}

impl Purpose {
    pub(super) fn step(self) -> LoginStep {
        match self {
            Purpose::Register { .. } => LoginStep::Registration,
            Purpose::Refresh => LoginStep::Refresh,
            Purpose::Exchange => LoginStep::Exchange,
            Purpose::Revoke => LoginStep::Revocation,
            Purpose::DeviceCodes => LoginStep::Authorization,
            Purpose::Code | Purpose::DeviceToken | Purpose::ClientCredentials | Purpose::Assertion => {
                LoginStep::Token
            }
        }
    }
}

impl Run {
    pub(super) fn new(why: Why, said: Said, deadline: Instant) -> Run {
        Run {
            why,
            said,
            deadline,
            requests: 0,
            resource: None,
            legacy: false,
            issuer: String::new(),
            known: None,
            issuers: VecDeque::new(),
            first_failure: None,
            server: None,
            client: None,
            redirect_uri: None,
            verifier: None,
            device_endpoint: None,
            device: None,
            refuses_device: false,
            scopes: Scopes::default(),
            key: None,
            refreshed: false,
            registrations: 0,
            proved_otherwise: 0,
            nonces: 0,
            due: VecDeque::new(),
            unrevoked: None,
        }
    }
}

/// A fault of our own.
pub(super) fn internal(what: &str) -> Failure {
    Failure::new(LoginStep::Settings, "state", format!("{what}; this is a fault of the library"))
        .because(super::super::failure::Cause::Internal)
}
