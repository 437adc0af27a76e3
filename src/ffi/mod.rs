//! The C ABI: convert the arguments, call the client, convert the result. This layer has no logic.
//!
//! Every export runs inside [`guard::guard`], which turns a panic into `MCP_ERROR_INTERNAL` and
//! refuses use after `fork`. Raw pointers become Rust values and back only in [`pointer`]. The doc
//! comments are the text of the header: write them for a C programmer.
//!
//! The files:
//!
//! * `guard`: the guard around every export; errors that every export may give
//! * `panics`: turns a panic into a return value and prints nothing
//! * `pointer`: the only place where pointers become values and back; text that is decoded for C
//! * `convert`: how errors, text and times go from and to C; the object that a value is part of
//! * `objects`: `Document`, `Build` and `Content`: what the handles of messages, documents and builders name
//! * `handles`: `Handles`: the table of handles of clients, servers, queues and transports; `Slots`: that of messages
//! * `wake_table`: `WakeTable`: queues and clients by handle, for a signal handler
//! * `memory`: `Reserve`: the allocator of the library for C
//! * `thread`: what differs between systems of the calling thread
//! * `status`: the numbers of the ABI: statuses, kinds, topics, states, levels
//! * `process`: version, names, the logger, strings
//! * `telemetry`: spans and metrics of OpenTelemetry
//! * `client`: clients: making, connecting, state, closing, freeing
//! * `config`: configuration files: their servers, and clients of all of them
//! * `calls`: raw calls and notifications
//! * `messages`: waiting for messages, reading them, and responses to requests of the other side
//! * `features`: tools, resources, prompts, completion, log level, roots, ping, cache; answers to elicitation
//! * `extensions`: tasks by their ids, and skills
//! * `auth`: answers to AUTH messages
//! * `queue`: queues
//! * `transport`: transports of the host; clients over them, and of a server in this process
//! * `server`: servers: making, serving, running, what they send by themselves, closing, freeing
//! * `server_http`: requests that an HTTP server of the program has taken
//! * `server_offers`: what a server offers, and how the function of the program that runs for a request is called
//! * `store`: stores that several processes of one server share, and what they say
//! * `store_library`: stores in libraries of their own, loaded by the scheme of a URL
//! * `request`: what else a handler of a server says of a request: text, progress, log, questions
//! * `value`: reading JSON in place, of messages and documents
//! * `builder`: writing JSON call by call
//! * `apps`: MCP Apps, the side of the host: views and their messages
//! * `json`: JSON for programs without a library; URI templates

#![allow(unsafe_code)]
// The names are C's, and "Safety" sections would repeat what the contract on the header's first page says once.
#![allow(non_camel_case_types, clippy::missing_safety_doc, clippy::doc_markdown)]

#[cfg(feature = "client")]
mod apps;
#[cfg(feature = "client")]
mod auth;
mod builder;
#[cfg(feature = "client")]
mod calls;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod config;
mod convert;
#[cfg(all(test, feature = "client", feature = "draft", feature = "http", feature = "server"))]
mod draft_tests;
#[cfg(feature = "client")]
mod extensions;
#[cfg(feature = "client")]
mod features;
mod guard;
mod handles;
mod json;
mod memory;
mod messages;
mod objects;
mod panics;
mod pointer;
mod process;
mod queue;
#[cfg(feature = "server")]
mod request;
#[cfg(feature = "server")]
mod server;
#[cfg(all(feature = "server", feature = "http"))]
mod server_http;
#[cfg(feature = "server")]
mod server_offers;
mod status;
#[cfg(feature = "store")]
mod store;
#[cfg(feature = "store")]
mod store_library;
mod telemetry;
mod thread;
mod transport;
mod value;
mod wake_table;

#[cfg(feature = "client")]
pub use apps::*;
#[cfg(feature = "client")]
pub use auth::*;
pub use builder::*;
#[cfg(feature = "client")]
pub use calls::*;
#[cfg(feature = "client")]
pub use client::*;
#[cfg(feature = "client")]
pub use config::*;
#[cfg(feature = "client")]
pub use extensions::*;
#[cfg(feature = "client")]
pub use features::*;
#[cfg(all(feature = "server", feature = "http"))]
pub use handles::mcp_exchange_t;
#[cfg(feature = "server")]
pub use handles::mcp_server_t;
pub use handles::{mcp_client_t, mcp_message_t, mcp_queue_t, mcp_transport_t};
#[cfg(feature = "store")]
pub use handles::{mcp_store_call_t, mcp_store_t, mcp_store_watch_t};
pub use json::*;
pub use memory::Reserve;
pub use messages::*;
pub use panics::report_panics;
pub use process::*;
pub use queue::*;
#[cfg(feature = "server")]
pub use request::*;
#[cfg(feature = "server")]
pub use server::*;
#[cfg(all(feature = "server", feature = "http"))]
pub use server_http::*;
#[cfg(feature = "server")]
pub use server_offers::*;
pub use status::*;
#[cfg(feature = "store")]
pub use store::*;
#[cfg(feature = "store")]
pub use store_library::load_stores;
pub use telemetry::*;
pub use transport::*;
pub use value::*;
