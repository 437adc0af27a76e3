//! Authorization of HTTP connections: how a client comes to a token that an MCP server takes (2026-07-28
//! `basic/authorization` and its extensions).
//!
//! A state machine without I/O. [`Authorizer`] is told what servers answered, what the application did and what time it
//! is; what is to be done comes out of [`Authorizer::effect`]. It performs no request, opens no browser, listens on no
//! port and touches no file, so that tests can play every server. It must not know the engine, sockets, threads or the
//! clock. (Random numbers are the one thing it gets by itself.)
//!
//! `docs/guide/authorization.md` tells the rest.
//!
//! The files:
//!
//! * `challenge`: `Challenges`: what a refusal (`WWW-Authenticate`) says
//! * `metadata`: `Resource`, `Server`: the two documents of discovery; whether a resource is this server
//! * `url_policy`: which URLs may be asked at all (`Policy`), and the well-known URLs of the documents of discovery
//! * `issuer`: `Issuer`: which authorization server a credential belongs to
//! * `client`: `Client`: who we are to an authorization server, how we prove it, and how one is registered
//! * `scope`: `Scopes`
//! * `settings`: `Settings`: what an application says about how to log in
//! * `login`: `Login`, `Tokens`: what a login leaves behind, and the text that a store keeps
//! * `store`: `TokenStore`, what every store of logins promises, and `MemoryStore`. Files are `src/transport/token_store`
//! * `flow`: `Authorizer`, the state machine: it owns the login under way and puts all of these together; the name of a
//!   login in the store
//! * `exchange`: `Request`, `Answer`: one HTTP exchange of a login as data
//! * `failure`: `Failure`: the step, the check that did not hold, both values
//! * `form`: forms and queries
//! * `jose`: `SigningKey`: signed tokens of our own; random texts, hashes
//! * `assertion`: a signed statement of who we are (RFC 7523)
//! * `dpop`: `ProofKey`: proofs of possession (RFC 9449)
//! * `secret`: `Secret`: text that is never shown and is wiped
//! * `server`: the other side: which requests to a server of ours come with a good token, and what the others are told

mod assertion;
mod challenge;
mod client;
mod dpop;
mod exchange;
mod failure;
mod flow;
mod form;
mod issuer;
mod jose;
mod login;
mod metadata;
mod scope;
mod secret;
#[cfg(feature = "server")]
pub mod server;
mod settings;
mod store;
mod url_policy;

#[cfg(test)]
pub(crate) mod tests;

pub use challenge::Challenges;
#[cfg(any(test, feature = "server"))]
pub use exchange::Method;
pub use exchange::{Answer, Fault, Request};
pub use failure::{Cause, Failure, LoginStep};
pub use flow::{
    Access, Ask, Authorizer, Effect, Given, Header, Listen, Prompt, Refusal, StoreCommand, Timestamp,
    Verdict, Wanted,
};
pub use jose::{Algorithm, SigningKey, is_signature, public_key};
pub use scope::Scopes;
pub use secret::Secret;
pub use settings::{
    AuthMethod, ClientKey, Dpop, Enterprise, Flow, GrantKind, Identity, KeyOf, Redirect, Settings, Source,
    SubjectType,
};
pub use store::{Locked, MemoryStore, StoreFault, TokenStore};
pub use url_policy::{UrlPermissions, is_loopback, is_private};
