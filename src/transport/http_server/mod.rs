//! HTTP requests to a server, without I/O: which are served, what their headers must say, and how what is sent back is written
//! (`basic/transports/streamable-http` of 2026-07-28, `basic/transports` of 2025-11-25).
//!
//! * `guard`: `Host` and `Origin`
//! * `heads`: lines of HTTP/1.1 that two readers could take for two things
//! * `media`: `Accept` and `Content-Type`
//! * `routing_headers`: the headers of the modern era that repeat the body
//! * `event_stream`: how events are written
//! * `event_store`: events that are kept for clients that come back
//! * `refusal`: what becomes of a request that is not served
//! * `quiet`: writing without `SIGPIPE`
//! * `tls`: the certificate
//!
//! Connections and sessions are kept elsewhere.

pub(crate) mod event_store;
pub(crate) mod event_stream;
pub(crate) mod guard;
pub(crate) mod heads;
pub(crate) mod media;
pub(crate) mod quiet;
pub(crate) mod refusal;
pub(crate) mod routing_headers;
pub(crate) mod tls;
