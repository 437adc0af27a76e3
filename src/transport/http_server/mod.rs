//! HTTP requests to a server, without I/O but for `connection`: which are served, what their headers must say, and how what is sent back is
//! written (`basic/transports/streamable-http` of 2026-07-28, `basic/transports` of 2025-11-25).
//!
//! * `guard`: `Host` and `Origin`
//! * `heads`: lines of HTTP/1.1 that two readers could take for two things
//! * `routing_headers`: headers that repeat what is in the body; kinds of content
//! * `connection`: TLS, and writes that raise no `SIGPIPE`
//! * `event_stream`: how events are written; `EventStore`: which are kept for a client that comes back
//! * `refusal`: what becomes of a request that is not served
//!
//! Connections and sessions are kept elsewhere.

pub(crate) mod connection;
pub(crate) mod event_stream;
pub(crate) mod guard;
pub(crate) mod heads;
pub(crate) mod refusal;
pub(crate) mod routing_headers;
