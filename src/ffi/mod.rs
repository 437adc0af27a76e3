//! The C ABI: convert the arguments, call the client, convert the result. This layer has no logic.
//!
//! Every export runs inside [`guard::guard`], which turns a panic into `MCP_ERROR_INTERNAL` and
//! refuses use after `fork`. Raw pointers become Rust values and back only in [`pointer`]. The doc
//! comments are the text of the header: write them for a C programmer.
//!
//! The files:
//!
//! * `guard`: the guard around every export
//! * `panics`: turns a panic into a return value and prints nothing
//! * `pointer`: the only place where pointers become values and back
//! * `handles`: `Handles`: the table of handles of clients, servers, queues and transports
//! * `slots`: `Slots`: the table of handles of messages
//! * `objects`: `Document`, `Build` and `Content`: what the handles of messages, documents and builders name
//! * `held`: finds the object that a value is part of, and frees objects
//! * `wake_table`: `WakeTable`: queues and clients by handle, for a signal handler
//! * `thread`: what differs between systems of the calling thread
//! * `status`: the numbers of the ABI: statuses, kinds, topics, states, levels
//! * `errors`: errors that every export may give
//! * `process`: version, names, the logger, strings
//! * `client`: clients: making, connecting, state, closing, freeing
//! * `client_attach`: clients over a transport of the host, and of a server in this process
//! * `config_open`: clients of all servers of a file
//! * `calls`: raw calls and notifications
//! * `responding`: answers to a request of the other side, of clients and servers
//! * `memory`: `Reserve`: the allocator of the library for C
//! * `giving`: how errors, text and times go from and to C
//! * `features`: what the exports of features share
//! * `feature_lists`: lists
//! * `feature_requests`: one tool, resource or prompt
//! * `feature_session`: completion, log level, roots, ping, cache
//! * `feature_skills`: skills
//! * `feature_tasks`: tasks by their names
//! * `elicitation`: answers to elicitation
//! * `auth`: answers to AUTH messages
//! * `queue`: queues
//! * `waiting`: waiting for messages
//! * `messages`: reading messages
//! * `transport`: transports of the host
//! * `server`: servers: making, serving, running, log, closing, freeing
//! * `server_attach`: clients of a server over a transport of the host
//! * `server_http`: requests that an HTTP server of the program has taken
//! * `server_skills`: folders of skills of a server
//! * `server_calls`: what a server sends by itself
//! * `server_offers`: what a server offers, and how the function of the program that runs for a request is called
//! * `request`: what else a handler of a server says of a request: text, progress, log, questions
//! * `json`: JSON for programs without a library
//! * `value`: reading JSON in place
//! * `document`: JSON text to be read through values
//! * `reading`: what the exports that read values share
//! * `decoded`: text that is decoded for C
//! * `builder`: writing JSON call by call
//! * `template`: URI templates

#![allow(unsafe_code)]
// The names are C's, and "Safety" sections would repeat what the contract on the header's first page says once.
#![allow(non_camel_case_types, clippy::missing_safety_doc, clippy::doc_markdown)]

#[cfg(feature = "client")]
mod auth;
mod builder;
#[cfg(feature = "client")]
mod calls;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod client_attach;
#[cfg(feature = "client")]
mod config_open;
mod decoded;
mod document;
#[cfg(feature = "client")]
mod elicitation;
mod errors;
#[cfg(feature = "client")]
mod feature_lists;
#[cfg(feature = "client")]
mod feature_requests;
#[cfg(feature = "client")]
mod feature_session;
#[cfg(feature = "client")]
mod feature_skills;
#[cfg(feature = "client")]
mod feature_tasks;
#[cfg(feature = "client")]
mod features;
mod giving;
mod guard;
mod handles;
mod held;
mod json;
mod memory;
mod messages;
mod objects;
mod panics;
mod pointer;
mod process;
mod queue;
mod reading;
#[cfg(feature = "server")]
mod request;
mod responding;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod server_attach;
#[cfg(feature = "server")]
mod server_calls;
#[cfg(all(feature = "server", feature = "http"))]
mod server_http;
#[cfg(feature = "server")]
mod server_offers;
#[cfg(feature = "server")]
mod server_skills;
mod slots;
mod status;
mod template;
mod thread;
mod transport;
mod value;
#[cfg(feature = "client")]
mod waiting;
mod wake_table;

#[cfg(feature = "client")]
pub use auth::*;
pub use builder::*;
#[cfg(feature = "client")]
pub use calls::*;
#[cfg(feature = "client")]
pub use client::*;
#[cfg(feature = "client")]
pub use client_attach::*;
#[cfg(feature = "client")]
pub use config_open::*;
pub use document::*;
#[cfg(feature = "client")]
pub use elicitation::*;
#[cfg(feature = "client")]
pub use feature_lists::*;
#[cfg(feature = "client")]
pub use feature_requests::*;
#[cfg(feature = "client")]
pub use feature_session::*;
#[cfg(feature = "client")]
pub use feature_skills::*;
#[cfg(feature = "client")]
pub use feature_tasks::*;
#[cfg(all(feature = "server", feature = "http"))]
pub use handles::mcp_exchange_t;
#[cfg(feature = "server")]
pub use handles::mcp_server_t;
pub use handles::{mcp_client_t, mcp_message_t, mcp_queue_t, mcp_transport_t};
pub use json::*;
pub use memory::Reserve;
pub use messages::*;
pub use panics::report_panics;
pub use process::*;
pub use queue::*;
pub use reading::mcp_value_t;
#[cfg(feature = "server")]
pub use request::*;
pub use responding::*;
#[cfg(feature = "server")]
pub use server::*;
#[cfg(feature = "server")]
pub use server_attach::*;
#[cfg(feature = "server")]
pub use server_calls::*;
#[cfg(all(feature = "server", feature = "http"))]
pub use server_http::*;
#[cfg(feature = "server")]
pub use server_offers::*;
#[cfg(feature = "server")]
pub use server_skills::*;
pub use status::*;
pub use template::*;
pub use transport::*;
pub use value::*;
#[cfg(feature = "client")]
pub use waiting::*;
