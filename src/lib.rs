//! libmcp: clients and servers of the Model Context Protocol that every language can link.
//!
//! A module imports only from layers below its own, and `cargo xtask test` checks that.
//!
//! | layer | module | is | must not know |
//! |---|---|---|---|
//! | 1 | `json` | JSON as text: scanned and spliced, never a tree | MCP |
//! | 2 | `schema`, `uri_template` | JSON Schema; RFC 6570 | MCP |
//! | 2 | `shares` | who holds how much of what has a bound, and who gives way | what it is |
//! | 2 | `skill` | the front matter, names and digests of skills | MCP |
//! | 2 | `protocol` | what MCP says, as data and pure functions | I/O, time |
//! | 3 | `engine` | the state machines of a client and of a server, sans-I/O | sockets, threads, the clock |
//! | 3 | `auth` | authorization of HTTP connections, sans-I/O | sockets, threads, the clock, the engine |
//! | 4 | `config` | configuration objects, defined key by key | which keys there are |
//! | 4 | `transport` | bytes in and out | calls, capabilities |
//! | 5 | `runtime` | what drives an engine: threads, links, the queue, messages | features, configuration |
//! | 6 | `client` | what an application uses of a client | C |
//! | 6 | `server` | what an application uses of a server | C, the client |
//! | 7 | `ffi` | the C ABI | – |
//!
//! `docs/design/architecture.md` has the rest.

#![deny(unsafe_code)]

#[cfg(not(any(feature = "client", feature = "server")))]
compile_error!("libmcp has two sides: enable the feature `client`, the feature `server`, or both");

pub mod client;
pub mod ffi;

mod config;
mod runtime;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "server")]
pub mod server;
#[cfg_attr(
    not(all(feature = "http", feature = "server")),
    allow(dead_code, unused_imports, reason = "what only servers and HTTP count")
)]
mod shares;
#[cfg(feature = "skills")]
mod skill;
mod uri_template;

// The rest is private, so that the compiler names what nothing uses; fuzz targets reach all of it. What only HTTP or a login
// uses of it is there without these too.
#[cfg(all(feature = "auth", not(fuzzing)))]
mod auth;
#[cfg(all(feature = "auth", fuzzing))]
pub mod auth;
#[cfg(not(fuzzing))]
#[cfg_attr(not(feature = "auth"), allow(dead_code, unused_imports))]
mod engine;
#[cfg(fuzzing)]
pub mod engine;
#[cfg(not(fuzzing))]
#[cfg_attr(not(feature = "auth"), allow(dead_code, unused_imports))]
mod json;
#[cfg(fuzzing)]
pub mod json;
#[cfg(not(fuzzing))]
#[cfg_attr(not(feature = "auth"), allow(dead_code, unused_imports))]
mod protocol;
#[cfg(fuzzing)]
pub mod protocol;
#[cfg(not(fuzzing))]
#[cfg_attr(not(feature = "auth"), allow(dead_code, unused_imports))]
mod transport;
#[cfg(fuzzing)]
pub mod transport;
