//! A server over HTTP: both eras at one URL (`basic/transports/streamable-http`).
//!
//! * `endpoint`: one URL: who may ask, the streams that GET opens, the sessions of the legacy era, the answers of documents
//! * `messages`: messages that come by POST: their bodies, their era, their headers and scopes, the stream of their answer
//! * `sessions`: the streams of one session, what is sent on them, and what is kept for a client that comes back
//! * `shared_sessions`: sessions that are kept in a store, so that each process goes on with them
//! * `event_log`: `Logs`: what a process writes of the events of a session into a store; `SharedEvents`: what waits for that
//! * `followed`: streams of other processes that clients read here
//! * `response_stream`: the two ends of one stream, and what of it waits for its client; `HeldWakes`: tasks that are
//!   woken together
//! * `response`: the answer to one request, as JSON or as events; answers that need no engine; `ServerBody`: the body,
//!   a text or events, as it is written
//! * `authorization`: `Authorization`: checks tokens
//! * `fixed_tokens`: `FixedTokens`: tokens of the configuration and of a file
//! * `simulated`: a server that a simulation drives; compiled for tests only
//! * `sse`: HTTP+SSE of 2024-11-05, at a path of its own
//! * `documents`: `Documents`: what is at other paths: health, counters (`HttpMeters`), the server card
//! * `hosted`: the URL of an HTTP server of the program: requests as values, answers that the program reads
//! * `request_body`: `RequestBody`: the body of a request, from a connection or from the program
//! * `connection`: `HttpConnections`: takes connections; TLS and HTTP on each; what a connection of HTTP/1.1 receives
//! * `seats`: `Seats`: who has the connections, up to `limits.connections`, and which gives way; `ConnectionProgress`: whether one gets anywhere
//! * `draft`: headers, entity tags and statuses of drafts that are on
//! * `limits`: `HttpLimits`: the bounds; `ListenPlaces`: subscriptions of a connection; their defaults are in `src/server/config.rs`
//!
//! What a request must look like is in `transport/http_server`.
//!
//! In the modern era each request is a session of its own for the engine: nothing of it outlives the answer, and a client that goes
//! away has withdrawn it.

#[cfg(feature = "auth")]
pub(crate) mod authorization;
mod connection;
mod documents;
#[cfg(feature = "draft")]
mod draft;
mod endpoint;
#[cfg(feature = "store")]
mod event_log;
#[cfg(feature = "auth")]
pub(crate) mod fixed_tokens;
#[cfg(feature = "store")]
mod followed;
mod hosted;
mod limits;
mod messages;
mod request_body;
mod response;
mod response_stream;
mod seats;
mod sessions;
#[cfg(feature = "store")]
mod shared_sessions;
#[cfg(test)]
pub(crate) mod simulated;
mod sse;

#[cfg(feature = "auth")]
pub(crate) use authorization::Authorization;
pub(crate) use connection::HttpConnections;
pub(super) use documents::HttpMeters;
pub(crate) use documents::{Card, Documents};
#[cfg(not(feature = "auth"))]
pub(crate) use endpoint::unauthorized::Authorization;
pub(super) use endpoint::unknown_session;
pub(crate) use endpoint::{EndpointSettings, HttpEndpoint};
#[cfg(feature = "store")]
pub(crate) use event_log::Underway;
#[cfg(feature = "store")]
pub(super) use event_log::{EVENTS, SharedEvents};
pub(crate) use hosted::{Hosted, HostedExchange, MOST_HEADERS, Notice, Put, RequestParts, Stop};
pub(crate) use limits::HttpLimits;
pub(super) use response_stream::HeldWakes;
#[cfg(all(test, unix))]
pub(super) use sessions::RequestStream;
pub(super) use sessions::{HttpSession, HttpStreams, SessionKind, UNRELATED};
#[cfg(feature = "store")]
pub(super) use sessions::{KnownSession, SessionChange};

use super::budget::Account;
use crate::engine::server::Principal;
use crate::engine::telemetry::TraceContext;
use crate::protocol::envelope::Incoming;
use crate::shares::Holder;
use limits::ListenPlaces;
use seats::ConnectionGivesWay;
use std::sync::Arc;
use std::time::Instant;

/// Who a request comes from. Without authorization nothing is known.
#[derive(Clone, Default, Debug)]
pub(super) struct Caller {
    pub(super) principal: Option<Arc<Principal>>,
    /// When its token ends.
    until: Option<Instant>,
    /// Where its connection comes from.
    from: Holder,
    /// What counts the bytes that are held for the request.
    account: Account,
    /// What its head takes of memory.
    head_bytes: usize,
    /// The context of tracing in its headers, where requests are recorded.
    pub(super) link: Option<TraceContext>,
}

/// Where a request comes from.
#[derive(Clone, Default)]
pub(super) struct RequestSource {
    from: Holder,
    /// The subscriptions of its connection.
    listens: Option<ListenPlaces>,
    /// What gives way where others need the room that it takes.
    way: Option<ConnectionGivesWay>,
}

impl Caller {
    /// What sessions are bound to.
    fn id(&self) -> Option<&str> {
        self.principal.as_ref().map(|principal| &*principal.id)
    }

    /// Whose is what the request takes of what clients share.
    pub(super) fn holder(&self) -> Holder {
        self.id().map_or_else(|| self.from.clone(), |id| Holder::Principal(id.into()))
    }
}

/// A message as it came, and what its scan found, if it was scanned: the engine does not look again.
#[derive(Debug)]
pub(super) struct Arrived {
    pub(super) frame: Vec<u8>,
    pub(super) scanned: Option<Incoming>,
}
