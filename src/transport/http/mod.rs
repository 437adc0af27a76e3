//! HTTP: what it asks of a message, what its answers mean, and the requests themselves.
//!
//! Sessions and streams are kept elsewhere, and so is the choice of what to do about a failure. Pages of the specification
//! are those of 2026-07-28 unless said otherwise.
//!
//! The files:
//!
//! * `client`: `HttpClient`: sends a request to the MCP server and follows redirects; `Received`, the answer; `Redaction`: secrets removed
//!   from what is shown
//! * `request`: the headers of a request
//! * `header`: header values, names that an application may set, headers as hyper has them
//! * `cookies`: `Cookies` of the server
//! * `param`: arguments of tools that are sent as headers
//! * `response`: what an answer means, and `Retry-After`
//! * `redirect`: which redirects are followed
//! * `body`: `Body`: reads the body of an answer, decompressed within bounds
//! * `fetch`: one request to another server (authorization, documents)
//! * `pool`: `Pool`: connections without TLS, driven by the thread that uses them; `Shared`: with TLS or a proxy, in hyper-util
//! * `connect`: `Connector`, `Dialer`: makes connections: names looked up, directly, through a proxy, to a Unix socket
//! * `proxy`: `Proxies`: which requests go through a proxy, and `NO_PROXY`
//! * `error`: texts: why there is no connection, and why a request has no answer
//! * `socket`: `Socket`: as hyper reads and writes it
//! * `tls`: TLS, the certificate authorities of the system, and why TLS failed
//! * `settings`: `HttpSettings`
//! * `simulated`: what stands for the network; compiled for tests only

pub use crate::protocol::address;
pub mod body;
pub mod client;
mod connect;
mod cookies;
pub mod error;
#[cfg(feature = "auth")]
pub mod fetch;
pub mod header;
pub mod param;
mod pool;
pub mod proxy;
pub mod redirect;
pub mod request;
pub mod response;
pub mod settings;
#[cfg(test)]
pub(crate) mod simulated;
mod socket;
pub mod tls;

/// A task of the runtime. All are of one type: for each further one tokio has 4 KB of code.
pub(crate) type Task = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;
