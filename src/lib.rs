//! libmcp: the Model Context Protocol client that every language can link.
//!
//! A module imports only from layers below its own, and `cargo xtask test` checks that.
//!
//! | layer | module | is | must not know |
//! |---|---|---|---|
//! | 1 | [`json`] | JSON as text: scanned and spliced, never a tree | MCP |
//! | 2 | `schema`, `uri_template` | JSON Schema; RFC 6570 | MCP |
//! | 2 | [`protocol`] | what MCP says, as data and pure functions | I/O, time |
//! | 3 | [`engine`] | one connection's state machine, sans-I/O | sockets, threads, the clock |
//! | 3 | [`auth`] | authorization of HTTP connections, sans-I/O | sockets, threads, the clock, the engine |
//! | 4 | [`transport`] | bytes in and out | calls, capabilities |
//! | 5 | `runtime` | what drives an engine: threads, links, the queue, messages | features, configuration |
//! | 6 | [`client`] | what an application uses | C |
//! | 7 | [`ffi`] | the C ABI | – |
//!
//! `docs/architecture.md` has the rest.

#![deny(unsafe_code)]

#[cfg(feature = "auth")]
pub mod auth;
pub mod client;
pub mod engine;
pub mod ffi;
pub mod json;
pub mod protocol;
mod runtime;
#[cfg(feature = "schema")]
mod schema;
pub mod transport;
mod uri_template;
