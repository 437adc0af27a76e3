//! A login in progress: what it has found and what it waits for; and the types that go into a login and come out.

use super::challenge::Challenges;
use super::credentials::ClientRegistration;
use super::dpop::ProofKey;
use super::login::{ExpiredLogin, Login};
use super::metadata::{Issuer, ResourceMetadata, ServerMetadata};
use crate::auth::failure::{Failure, LoginStep};
use crate::auth::http::{Form, Request};
use crate::auth::token::{Scopes, Secret};
use crate::protocol::address::Address;
use std::collections::VecDeque;
use std::fmt;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Why a login runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoginReason {
    /// The server requires a token, and there is none.
    First,
    /// The server refused the token.
    Refused,
    /// The token ends soon, or has ended.
    Renewal,
    /// One operation needs more scopes.
    StepUp,
    /// The login is to be forgotten, and its tokens revoked.
    Logout,
}

/// What the challenge of the MCP server (`WWW-Authenticate`) said.
#[derive(Clone, Debug, Default)]
pub(super) struct Challenge {
    pub metadata: Option<String>,
    pub scopes: Option<Scopes>,
    pub dpop: bool,
}

/// A token that is to be revoked.
#[derive(Debug)]
pub(super) struct PendingRevocation {
    pub issuer: Issuer,
    pub inside: bool,
    pub past: ExpiredLogin,
}

/// One login.
#[derive(Debug)]
pub(super) struct LoginRun {
    pub why: LoginReason,
    pub said: Challenge,
    pub deadline: Instant,
    pub requests: u32,
    /// What the MCP server publishes; none for one of 2025-03-26.
    pub resource: Option<ResourceMetadata>,
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
    pub server: Option<ServerMetadata>,
    pub client: Option<ClientRegistration>,
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
    pub due: VecDeque<PendingRevocation>,
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

/// What the login waits for.
#[derive(Debug)]
pub(super) enum LoginPhase {
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
    Locking(NextStep),
    Saving(Box<Login>),
    Noting(RegistrationNote),
    /// What is kept is written without tokens.
    Forgetting,
}

/// What happens once the lock of the store is held.
#[derive(Debug)]
pub(super) enum NextStep {
    Refresh,
    Save(Box<Login>),
    Forget,
    Note(RegistrationNote),
}

/// What the store is told about a registration.
#[derive(Debug)]
pub(super) enum RegistrationNote {
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
    /// All places that were tried, with what they answered other than that there is nothing.
    pub tried: Vec<String>,
    pub redirects: u32,
    /// What went wrong at one of the places, other than that there is nothing.
    pub trouble: Option<Failure>,
}

/// A form that was sent.
pub(super) struct Post {
    pub id: u64,
    pub url: Address,
    pub purpose: FormPurpose,
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
pub(super) enum FormPurpose {
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

impl FormPurpose {
    pub(super) fn step(self) -> LoginStep {
        match self {
            FormPurpose::Register { .. } => LoginStep::Registration,
            FormPurpose::Refresh => LoginStep::Refresh,
            FormPurpose::Exchange => LoginStep::Exchange,
            FormPurpose::Revoke => LoginStep::Revocation,
            FormPurpose::DeviceCodes => LoginStep::Authorization,
            FormPurpose::Code
            | FormPurpose::DeviceToken
            | FormPurpose::ClientCredentials
            | FormPurpose::Assertion => LoginStep::Token,
        }
    }
}

impl LoginRun {
    pub(super) fn new(why: LoginReason, said: Challenge, deadline: Instant) -> LoginRun {
        LoginRun {
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
        .because(crate::auth::failure::Cause::Internal)
}

/// The time: for waits, and for what is written into tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timestamp {
    /// By a clock that never goes back.
    pub at: Instant,
    /// Seconds since 1970.
    pub unix: u64,
}

/// One header for a request to the MCP server.
pub type Header = (&'static str, Secret);

/// What a request to the MCP server is to carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nothing: no token is known yet, and the server may not want one.
    Open,
    /// These headers. The number goes into [`Refusal::generation`] if the server refuses.
    With {
        /// Which token it is.
        generation: u64,
        /// `authorization`, and `dpop` where the token is bound to a key. They are for this one request.
        headers: Vec<Header>,
    },
    /// It has to wait until the next [`Effect::Ready`] or [`Effect::Failed`], and ask again.
    Wait,
    /// There is no token to be had.
    Failed(Failure),
}

/// How the MCP server refused a request.
#[derive(Clone, Debug)]
pub struct Refusal<'a> {
    /// 401 or 403.
    pub status: u16,
    /// What `WWW-Authenticate` says.
    pub challenges: Challenges,
    /// The value of `DPoP-Nonce`.
    pub nonce: Option<&'a str>,
    /// The address that the refusal came from, if that is known to be the server's.
    pub peer: Option<IpAddr>,
    /// Which token was sent; 0 for none.
    pub generation: u64,
    /// What the request was for, such as `tools/call echo`: scopes are asked for by operation.
    pub operation: &'a str,
    /// How often this one request has been refused, this time included.
    pub refusals: u32,
}

/// What to do about a refusal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Ask for access and send it again.
    Again,
    /// Wait until the next [`Effect::Ready`] or [`Effect::Failed`], then the same.
    Wait,
    /// The request ends with this.
    Fail(Failure),
    /// This refusal has nothing to do with authorization.
    NotMine,
}

/// Something to do.
#[derive(Debug)]
pub enum Effect {
    /// Perform a request, and tell with [`answered`](super::Authorizer::answered).
    Http(Request),
    /// Talk to the store.
    Store(StoreCommand),
    /// Listen for the browser, and tell with [`listening`](super::Authorizer::listening).
    Listen(Listen),
    /// Have a person log in, and tell with [`complete`](super::Authorizer::complete) or
    /// [`give_up`](super::Authorizer::give_up).
    Prompt(Prompt),
    /// Ask for a credential, and tell with [`given`](super::Authorizer::given) or
    /// [`give_up`](super::Authorizer::give_up).
    Ask(Ask),
    /// What was asked or listened for is no longer wanted.
    Withdraw,
    /// The login is over; all that wait may ask again.
    Ready,
    /// The login failed; all that wait end with this.
    Failed(Failure),
    /// The login was forgotten; or something of it was not, which went wrong first.
    Forgotten(Result<(), Failure>),
    /// Something went wrong that does not end the login, such as a token that cannot be stored.
    Warning(Failure),
}

/// What the store is to do; the key is [`store_key`](super::Authorizer::store_key).
#[derive(Debug)]
pub enum StoreCommand {
    /// Read, and tell with [`stored`](super::Authorizer::stored).
    Load,
    /// Lock, read, and tell with [`stored`](super::Authorizer::stored).
    Lock,
    /// Replace, unlock, and tell with [`saved`](super::Authorizer::saved).
    Save(Secret),
    /// The lock is released. Nothing is told.
    Unlock,
}

/// Where to listen for the browser: one request, this path, on loopback only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listen {
    /// `127.0.0.1`, `[::1]` or `localhost`.
    pub host: String,
    /// The port that must be taken.
    pub port: Option<u16>,
    /// The port to try first where none must be: the one that the client is registered with.
    pub preferred: Option<u16>,
    /// The path.
    pub path: String,
}

/// What a person does on another device (RFC 8628).
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceCode {
    /// What the person enters.
    pub user_code: Secret,
    /// Where. [`Prompt::url`] may have the code in it already.
    pub verification_uri: String,
}

/// What a person is to do. The URL is for the browser only: not for logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What to open. It is `https`, or `http` on this machine, and must not go through a shell.
    pub url: Secret,
    /// The code of a device; then the browser comes back to no place, and no answer is waited for.
    pub device: Option<DeviceCode>,
    /// Where the browser will go afterwards.
    pub redirect_uri: String,
    /// Whether the library listens there.
    pub listens: bool,
    /// The authorization server's name.
    pub issuer: String,
    /// What is asked for.
    pub scopes: String,
    /// When the login is given up.
    pub deadline: Instant,
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prompt({} for '{}', …)", self.issuer, self.scopes)
    }
}

/// A credential that the application, or a file, has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// Which.
    pub wanted: Wanted,
    /// The file to read it from; none for the application.
    pub file: Option<String>,
    /// For whom it must be.
    pub audience: String,
    /// Whether the one before was refused.
    pub refused: bool,
}

/// Which credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A token for the MCP server.
    Token,
    /// A signed statement about the workload, for the authorization server.
    WorkloadAssertion,
    /// What shows at the identity provider who the person is.
    Subject,
}

/// A credential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The text.
    pub text: Secret,
    /// How long it lasts, if that is known.
    pub lasts: Option<Duration>,
}
