//! A server over HTTP: both eras at one URL (`basic/transports/streamable-http`).
//!
//! `endpoint` decides what a request is and gives its message to the engine; `session` has the streams on which the engine's
//! messages go back; `exchange` makes the answer of one request of them, as JSON or as events, and `body` writes it;
//! `connection` speaks HTTP with those that connected; `limits` has the bounds. What a request must look like is in `transport/http_server`.
//!
//! In the modern era each request is a session of its own for the engine: nothing of it outlives the answer, and a client that goes
//! away has withdrawn it.

mod body;
mod connection;
mod endpoint;
mod exchange;
mod limits;
mod session;

pub(crate) use connection::Connections;
pub(crate) use endpoint::{Endpoint, EndpointSettings};
pub(crate) use limits::HttpLimits;
pub(super) use session::HttpSession;
