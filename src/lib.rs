//! libmcp: the Model Context Protocol client that every language can link.
//!
//! The house has six floors; a module imports only from floors below it, and `cargo xtask test` checks that.
//!
//! | floor | module | is | must not know |
//! |---|---|---|---|
//! | 1 | [`json`] | JSON as text: scanned and spliced, never a tree | MCP |
//! | 2 | [`protocol`] | what MCP says, as data and pure functions | I/O, time |
//! | 3 | [`engine`] | one connection's state machine, sans-I/O | sockets, threads, the clock |
//! | 3 | [`auth`] | authorization of HTTP connections, sans-I/O | sockets, threads, the clock, the engine |
//! | 4 | [`transport`] | bytes in and out | calls, capabilities |
//! | 5 | [`client`] | what an application uses | C |
//! | 6 | [`ffi`] | the C ABI | – |
//!
//! `docs/architecture.md` tells the rest.

#![deny(unsafe_code)]

#[cfg(feature = "auth")]
pub mod auth;
pub mod client;
pub mod engine;
pub mod ffi;
pub mod json;
pub mod protocol;
pub mod transport;
