//! Authorization of HTTP connections: how a client comes to a token that an MCP server takes (2026-07-28
//! `basic/authorization` and its extensions).
//!
//! A state machine without I/O. [`Authorizer`] is told what servers answered, what the application did and what time it
//! is; what is to be done comes out of [`Authorizer::effect`]. It performs no request, opens no browser, listens on no
//! port and touches no file, so that tests can play every server. It must not know the engine, sockets, threads or the
//! clock. (Random numbers are the one thing it gets by itself.)
//!
//! The rooms: `challenge` reads what a refusal says, `metadata` the documents of discovery, `place` decides which URLs may
//! be asked at all; `issuer` says which authorization server a
//! credential belongs to, `client` is who we are, `login` what a login leaves behind, `jose`, `assertion` and
//! `dpop` sign; `exchange` is one
//! HTTP exchange as data, `store` keeps logins; `flow` puts the steps together. `docs/authorization.md` tells the rest.

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
mod settings;
mod store;
mod url_policy;

#[cfg(test)]
mod tests;

pub use challenge::Challenges;
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
    AuthMethod, ClientKey, Dpop, Enterprise, GrantKind, Identity, KeyOf, Redirect, Settings, Source,
    SubjectType,
};
pub use store::{Locked, MemoryStore, StoreFault, TokenStore};
pub use url_policy::{UrlPermissions, is_loopback, is_private};
