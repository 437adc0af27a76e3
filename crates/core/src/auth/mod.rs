//! Authorization of HTTP connections (2026-07-28 `basic/authorization` and its extensions), without I/O: the login of a client, and
//! the check of the tokens that a server is sent.
//!
//! Both are state machines. Responses, decisions of the application and the time go in; requests and prompts come out. Neither
//! performs a request, opens a browser, listens on a port or touches a file, so that tests can play every server. This layer must
//! not know the engine, sockets, threads or the clock. (Random numbers are the one thing that it gets by itself.)
//!
//! `docs/guide/authorization.md` has the rest.
//!
//! The files:
//!
//! * `client`: `Authorizer`: how a client gets a token that an MCP server accepts
//! * `server`: which requests to our server have a valid token, and the challenge that the others get
//! * `http`: `Request`, `Answer`: one HTTP exchange as data; forms and queries
//! * `url_policy`: `Policy`: which URLs may be requested; the well-known URLs of the documents of discovery
//! * `failure`: `Failure`: the step, the check that failed, both values
//! * `jose`: `SigningKey`: JSON Web Signatures of our own, client assertions (RFC 7523); random texts, hashes
//! * `token`: `Secret`: text that is never shown and is wiped; `Scopes`

pub(crate) mod client;
mod failure;
pub(crate) mod http;
pub(crate) mod jose;
#[cfg(feature = "server")]
pub mod server;
mod token;
mod url_policy;

pub use client::{
    Access, Ask, AuthMethod, Authorizer, Challenges, ClientKey, Dpop, Effect, Enterprise, Flow, Given,
    GrantKind, Header, Identity, KeyOf, Listen, Locked, MemoryStore, Prompt, Redirect, Refusal, Settings,
    Source, StoreCommand, StoreFault, SubjectType, Timestamp, TokenStore, Verdict, Wanted,
};
pub use failure::{Cause, Failure, LoginStep};
pub use http::{Answer, Fault, Method, Request};
pub use jose::{Algorithm, SigningKey, is_signature, public_key};
pub use token::{Scopes, Secret};
pub use url_policy::{UrlPermissions, is_loopback, is_private};
