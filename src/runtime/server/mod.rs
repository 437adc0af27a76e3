//! What drives a server: its sessions over byte streams, the threads that serve, and the background thread.
//!
//! The thread in `run` or `poll` drives: it waits for input, gives frames to the engine, writes what comes out, and runs
//! handlers. While it is in a handler the background thread of the server takes over after the grace time, so that a handler that
//! does not return stops neither `ping` nor lists nor other sessions. A handler never runs on the background thread.
//!
//! * `serving`: `Serving`: the server as its threads share it; one lock (`inside`) for the engine and the sessions
//! * `role`: `Role`: which thread drives, and the background thread after the grace time of `src/runtime/threads.rs`
//! * `poll_once`: one turn of the driver: waits, reads, gives frames to the engine, accepts connections, does what is due
//! * `effects`: does what the engine wants (`pump`): frames to sessions, messages to the queue, log records; writes the
//!   outboxes
//! * `requests`: a request of a client as a message: answers, progress and questions of the application reach the engine here; asks
//!   the application about a token
//! * `token_decisions`: `Decisions`: tokens that the application decides about
//! * `waiting`: threads in `run`, `poll` and `close`, with the time before a server closes; the background thread and the workers
//! * `session`: `ClientSession`: the outbox of one session, and what carries it: descriptors, or a transport of the application
//! * `clients`: adds byte streams, listening sockets, and clients over a transport of the application or of the same process
//!   (`ToServer`)
//! * `info`: what there is to know about a server, as JSON and as text for Prometheus
//! * `guests`: `Guests`: sessions of clients that came by themselves
//! * `http`: clients over HTTP; `HttpFront` in this file is what the server knows of it
//! * `http_clients`: what the server does for clients over HTTP: sessions opened and left, messages that come
//! * `shared_wait`: `SharedWait`: one wait for the server's descriptors and for its connections over HTTP
//! * `processes`: `Processes`: who has a share over Unix sockets
//! * `store`: what the processes of one server share, in a store that others maintain
//! * `budget`: `Budget`: the bytes that are held for all clients together, and which of them give way

#[cfg_attr(not(feature = "http"), allow(dead_code, unused_imports, reason = "what only HTTP counts"))]
mod budget;
mod clients;
mod effects;
mod guests;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "http")]
mod http_clients;
mod info;
mod poll_once;
mod processes;
mod requests;
mod role;
mod serving;
mod session;
#[cfg(feature = "http")]
mod shared_wait;
#[cfg(feature = "store")]
pub(crate) mod store;
#[cfg(all(test, unix))]
mod tests;
#[cfg(feature = "auth")]
mod token_decisions;
mod waiting;

#[cfg(feature = "client")]
pub(crate) use clients::ToServer;
pub(crate) use effects::{LEVEL, SUBSCRIPTIONS};
#[cfg(feature = "http")]
use http_clients::{Admitted, Begun};
pub(crate) use serving::{Serving, ServingParts};
pub(crate) use session::{Ends, StreamLimits};

#[cfg(feature = "http")]
use crate::runtime::http::HttpRuntime;
#[cfg(feature = "http")]
use crate::shares::Holder;
#[cfg(feature = "http")]
use crate::transport::socket::SocketAddress;
#[cfg(feature = "http")]
use rustix::fd::OwnedFd;
#[cfg(feature = "http")]
use std::fmt::Debug;
#[cfg(feature = "http")]
use std::sync::Arc;

/// The connections of one URL.
#[cfg(feature = "http")]
pub(crate) trait HttpFront: Debug + Send + Sync {
    /// Where clients find it, at an address of a listener.
    fn url(&self, address: &SocketAddress) -> String;

    /// What drives it, where a thread that serves may.
    fn runtime(&self) -> Option<Arc<HttpRuntime>>;

    /// A client has connected over TCP. `false` if there are as many as there may be and none gives way: it is sent away.
    fn connected(&self, fd: OwnedFd, from: Holder) -> bool;

    /// How many connections there are.
    fn count(&self) -> usize;

    /// Ends a connection, so that there is a descriptor for one of `newcomer`. `false` if none gives way.
    fn give_way(&self, newcomer: &Holder) -> bool;

    /// No client can connect any more: the sessions end.
    fn end_sessions(&self, why: &str);

    /// Connections end as soon as what was asked on them is answered.
    fn drain(&self);

    /// Whether all of them have ended.
    fn is_drained(&self) -> bool;
}
