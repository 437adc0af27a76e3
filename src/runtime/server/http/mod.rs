//! A server over HTTP: both eras at one URL (`basic/transports/streamable-http`).
//!
//! * `endpoint`: one URL: who may ask, the streams that GET opens, and the sessions of the legacy era
//! * `messages`: messages that come by POST: their era, their headers, the stream of their answer
//! * `session`: the streams of one session, and what is kept for a client that comes back
//! * `reader`: the end of a stream that a client reads
//! * `exchange`: the answer to one request, as JSON or as events
//! * `authorization`: `Authorization`: checks tokens
//! * `unauthorized`: the same for builds without
//! * `admitting`: whether the sender of a message may send it
//! * `caller`: `Caller`: who a request comes from
//! * `body`: the body of an answer, as it is written
//! * `progress`: `Progress`: whether a connection gets anywhere: what its client must take, and since when nothing is asked
//! * `responses`: answers that need no engine
//! * `connection`: `Connections`: takes connections up to `limits.connections`; TLS and HTTP on each
//! * `limits`: `HttpLimits`: the bounds; their defaults are in `src/server/config.rs`
//!
//! What a request must look like is in `transport/http_server`.
//!
//! In the modern era each request is a session of its own for the engine: nothing of it outlives the answer, and a client that goes
//! away has withdrawn it.

mod admitting;
#[cfg(feature = "auth")]
pub(crate) mod authorization;
mod body;
mod caller;
mod connection;
mod endpoint;
mod exchange;
mod limits;
mod messages;
mod progress;
mod reader;
mod responses;
mod session;
#[cfg(not(feature = "auth"))]
mod unauthorized;

#[cfg(feature = "auth")]
pub(crate) use authorization::Authorization;
pub(super) use caller::Caller;
pub(crate) use connection::Connections;
pub(crate) use endpoint::{Endpoint, EndpointSettings};
pub(crate) use limits::HttpLimits;
pub(super) use session::{HttpSession, UNRELATED};
#[cfg(not(feature = "auth"))]
pub(crate) use unauthorized::Authorization;
