//! What goes into a login and what comes out of it.

use super::super::challenge::Challenges;
use super::super::exchange::Request;
use super::super::failure::Failure;
use super::super::secret::Secret;
use std::fmt;
use std::net::IpAddr;
use std::time::{Duration, Instant};

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
