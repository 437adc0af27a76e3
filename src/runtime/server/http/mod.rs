//! A server over HTTP: both eras at one URL (`basic/transports/streamable-http`).
//!
//! * `endpoint`: one URL: who may ask, the streams that GET opens, and the sessions of the legacy era
//! * `messages`: messages that come by POST: their era, their headers, the stream of their answer
//! * `session`: the streams of one session, and what is kept for a client that comes back
//! * `sending`: what is sent on those streams, and what is kept of it, within the bytes that all clients share
//! * `channel`: the two ends of one stream, and what of it waits for its client
//! * `wakes`: `HeldWakes`: tasks that are woken together
//! * `reader`: the end of a stream that a client reads
//! * `receiving`: bodies of requests as they come
//! * `modern`: what a request of the modern era must have
//! * `exchange`: the answer to one request, as JSON or as events
//! * `authorization`: `Authorization`: checks tokens
//! * `unauthorized`: the same for builds without
//! * `admitting`: whether the sender of a message may send it
//! * `caller`: `Caller`: who a request comes from
//! * `arrived`: `Arrived`: a message on its way to the engine
//! * `body`: the body of an answer, as it is written
//! * `request_bytes`: `RequestBytes`: what a connection of HTTP/1.1 receives
//! * `progress`: `Progress`: whether a connection gets anywhere: what its client must take, and since when nothing is asked
//! * `simulated`: a server that a simulation drives; compiled for tests only
//! * `sse`: HTTP+SSE of 2024-11-05, at a path of its own
//! * `listen_places`: `ListenPlaces`: how many subscriptions one connection may have
//! * `documents`: `Documents`: what is at other paths: health, counters, the server card
//! * `document_answers`: their answers; counts every answer that goes out
//! * `meters`: `HttpMeters`: what is counted of connections and answers
//! * `responses`: answers that need no engine
//! * `hosted`: the URL of an HTTP server of the program: requests as values, answers that the program reads
//! * `request_body`: `RequestBody`: the body of a request, from a connection or from the program
//! * `connection`: `HttpConnections`: takes connections; TLS and HTTP on each
//! * `seats`: `Seats`: who has the connections, up to `limits.connections`, and which gives way
//! * `limits`: `HttpLimits`: the bounds; their defaults are in `src/server/config.rs`
//!
//! What a request must look like is in `transport/http_server`.
//!
//! In the modern era each request is a session of its own for the engine: nothing of it outlives the answer, and a client that goes
//! away has withdrawn it.

mod admitting;
mod arrived;
#[cfg(feature = "auth")]
pub(crate) mod authorization;
mod body;
mod caller;
mod channel;
mod connection;
mod document_answers;
mod documents;
mod endpoint;
mod exchange;
mod hosted;
mod limits;
mod listen_places;
mod messages;
mod meters;
mod modern;
mod progress;
mod reader;
mod receiving;
mod request_body;
mod request_bytes;
mod responses;
mod seats;
mod sending;
mod session;
#[cfg(test)]
pub(crate) mod simulated;
mod sse;
#[cfg(not(feature = "auth"))]
mod unauthorized;
mod wakes;

pub(super) use arrived::Arrived;
#[cfg(feature = "auth")]
pub(crate) use authorization::Authorization;
pub(super) use caller::Caller;
pub(crate) use connection::HttpConnections;
pub(crate) use documents::{Card, Documents};
pub(crate) use endpoint::{EndpointSettings, HttpEndpoint};
pub(crate) use hosted::{Hosted, HostedExchange, MOST_HEADERS, Notice, Put, RequestParts, Stop};
pub(crate) use limits::HttpLimits;
pub(super) use meters::HttpMeters;
pub(super) use session::{HttpSession, SessionKind, UNRELATED};
#[cfg(not(feature = "auth"))]
pub(crate) use unauthorized::Authorization;
pub(super) use wakes::HeldWakes;
