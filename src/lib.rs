//! libmcp: clients and servers of the Model Context Protocol that every language can link.
//!
//! A module imports only from layers below its own, and `cargo xtask test` checks that.
//!
//! | layer | module | is | must not know |
//! |---|---|---|---|
//! | 0–1 | the package `mcp-base` | JSON as text, sorted maps | MCP |
//! | 2–3 | the package `mcp-core` | the protocol without input and output | sockets, threads, the clock |
//! | 4 | `config` | configuration objects, defined key by key | which keys there are |
//! | 4 | `transport` | bytes in and out | calls, capabilities |
//! | 5 | `runtime` | what drives an engine: threads, links, the queue, messages | features, configuration |
//! | 6 | `client` | what an application uses of a client | C |
//! | 6 | `server` | what an application uses of a server | C, the client |
//! | 7 | `ffi` | the C ABI | – |
//!
//! `docs/design/architecture.md` has the rest.

#![deny(unsafe_code)]
// The process of the host is not ours to end.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro
    )
)]

#[cfg(not(any(feature = "client", feature = "server")))]
compile_error!("libmcp has two sides: enable the feature `client`, the feature `server`, or both");

pub mod client;
pub mod ffi;

mod config;
mod runtime;
#[cfg(feature = "server")]
pub mod server;
// The rest is private, so that the compiler names what nothing uses; fuzz targets reach all of it. What only HTTP or a login
// uses of the transports is there without these too.
#[cfg(feature = "client")]
pub use mcp_core::apps;
#[cfg(all(feature = "auth", not(fuzzing)))]
use mcp_core::auth;
#[cfg(all(feature = "auth", fuzzing))]
pub use mcp_core::auth;
#[cfg(feature = "schema")]
use mcp_core::schema;
#[cfg(all(feature = "server", not(fuzzing)))]
use mcp_core::shares;
#[cfg(feature = "skills")]
use mcp_core::skill;
#[cfg(fuzzing)]
pub use mcp_core::{engine, json, protocol, shares, sorted, uri_template};
#[cfg(not(fuzzing))]
use mcp_core::{engine, json, protocol, sorted, uri_template};
#[cfg(not(fuzzing))]
#[cfg_attr(not(feature = "auth"), allow(dead_code, unused_imports))]
mod transport;
#[cfg(fuzzing)]
pub mod transport;
