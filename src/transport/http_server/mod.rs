//! HTTP requests to a server, without I/O: which are served, what their headers must say, and how what is sent back is written
//! (`basic/transports/streamable-http` of 2026-07-28, `basic/transports` of 2025-11-25).
//!
//! `guard` looks at `Host` and `Origin`, `media` at `Accept` and `Content-Type`, `routing_headers` compares the headers of the
//! modern era with the body, `event_stream` writes events and `event_store` keeps them for clients that come back. `refusal` is
//! what becomes of a request that is not served, and `tls` sets the certificate up. Connections and sessions are kept elsewhere.

pub(crate) mod event_store;
pub(crate) mod event_stream;
pub(crate) mod guard;
pub(crate) mod media;
pub(crate) mod refusal;
pub(crate) mod routing_headers;
pub(crate) mod tls;
