//! What a configuration says of authorization.

use crate::auth::Scopes;
use crate::auth::server::{DpopUse, FixedToken, Introspection, KeySet, KeyTimes, TokenRules};
use crate::protocol::address::Address;
use crate::transport::http::settings::HttpSettings;
use std::sync::Arc;
use std::time::Duration;

/// What finds out whether a token is good.
#[derive(Clone, Debug)]
pub(crate) enum TokenSource {
    /// These keys.
    Keys(Arc<KeySet>),
    /// Keys at a URL.
    KeysUrl(KeysUrl),
    /// The authorization server.
    Introspection(Introspection, Arc<HttpSettings>),
    /// The application.
    Application,
    /// The configuration.
    Fixed(Arc<Vec<FixedToken>>),
}

/// Keys at a URL.
#[derive(Clone, Debug)]
pub(crate) struct KeysUrl {
    pub(crate) url: Address,
    pub(crate) http: Arc<HttpSettings>,
    pub(crate) times: KeyTimes,
    /// Keys that are taken of a set.
    pub(crate) most: usize,
    /// Bytes of the set.
    pub(crate) bytes: usize,
}

/// What a configuration says of authorization.
#[derive(Clone, Debug)]
pub(crate) struct AuthSettings {
    /// The public URL; `None` for the one that is served.
    pub(crate) resource: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) authorization_servers: Vec<String>,
    /// What every request needs.
    pub(crate) scopes: Scopes,
    /// What tokens must be. Without an audience it is the resource.
    pub(crate) rules: TokenRules,
    pub(crate) source: TokenSource,
    pub(crate) dpop: DpopUse,
    /// How many seconds a proof may be old.
    pub(crate) proof_seconds: u64,
    /// Proofs that are remembered.
    pub(crate) proofs: usize,
    /// How long an answer may take.
    pub(crate) timeout: Duration,
    /// Questions to others at one time.
    pub(crate) questions: usize,
    /// Verdicts that are kept.
    pub(crate) remembered: usize,
    /// How long.
    pub(crate) remember: Duration,
}
