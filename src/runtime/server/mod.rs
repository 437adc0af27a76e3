//! What drives a server: its sessions over byte streams, the threads that serve, and the background thread.
//!
//! The thread in `run` or `poll` drives: it waits for input, gives frames to the engine, writes what comes out, and runs
//! handlers. While it is in a handler the background thread of the server takes over after the grace time, so that a handler that
//! does not return stops neither `ping` nor lists nor other sessions. A handler never runs on the background thread.
//!
//! The files:
//!
//! * `serving`: `Serving`: the server as its threads share it; one lock (`inside`) for the engine and the sessions
//! * `role`: `Role`: which thread drives, and the background thread after the grace time of `src/runtime/threads.rs`
//! * `turn`: one turn of the driver: waits, reads, gives frames to the engine, accepts connections, does what is due
//! * `engine_side`: does what the engine wants (`pump`): frames to sessions, messages to the queue, log records; writes the
//!   outboxes
//! * `served`: a request of a client as a message: answers, progress and questions of the application reach the engine here
//! * `decisions`: `Decisions`: tokens that the application decides about
//! * `token_questions`: asks the application about a token
//! * `waiting`: `Waits`: threads in `run`, `poll` and `close`
//! * `background`: the background thread and the workers that run handlers
//! * `batch`: `Batch`: answers of several handlers, written together
//! * `session`: `Session`: the outbox of one session, and what carries it
//! * `byte_stream`: `ByteStream`: its descriptors
//! * `ends`: `Ends`, `Token`, `Written`: the two descriptors of a session, the tokens of the poller, what became of a write
//! * `adding`: adds byte streams and listening sockets
//! * `draining`: the time before a server closes
//! * `info`: what there is to know about a server, as JSON and as text for Prometheus
//! * `attaching`: adds clients over a transport of the application
//! * `attached`: `Attached`: that transport
//! * `in_process`: `ToServer`, `ToClient`: a client and a server of one process, each the transport of the other
//! * `guests`: `Guests`: sessions of clients that came by themselves
//! * `http`: clients over HTTP
//! * `http_front`: `HttpFront`: what speaks HTTP with the clients of a listener, as the server sees it
//! * `http_side`: what the server does for clients over HTTP: sessions opened and left, messages that come
//! * `shared_wait`: `SharedWait`: one wait for the server's descriptors and for its connections over HTTP
//! * `processes`: `Processes`: who has a share over Unix sockets
//! * `sent_away`: `SentAway`: clients without a connection, of whom one record a second tells
//! * `budget`: `Budget`: the bytes that are held for all clients together, and which of them give way
//! * `limits`: `StreamLimits`: the bounds of sessions and threads

mod adding;
mod attached;
mod attaching;
mod background;
mod batch;
#[cfg_attr(not(feature = "http"), allow(dead_code, unused_imports, reason = "what only HTTP counts"))]
mod budget;
mod byte_stream;
#[cfg(feature = "auth")]
mod decisions;
mod draining;
mod ends;
mod engine_side;
mod guests;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "http")]
mod http_front;
#[cfg(feature = "http")]
mod http_side;
#[cfg(feature = "client")]
mod in_process;
mod info;
mod limits;
mod processes;
mod role;
#[cfg(feature = "http")]
mod sent_away;
mod served;
mod serving;
mod session;
#[cfg(feature = "http")]
mod shared_wait;
#[cfg(all(test, unix))]
mod tests;
#[cfg(feature = "auth")]
mod token_questions;
mod turn;
mod waiting;

pub(crate) use ends::Ends;
pub(crate) use engine_side::{LEVEL, SUBSCRIPTIONS};
#[cfg(feature = "http")]
pub(crate) use http_front::HttpFront;
#[cfg(feature = "client")]
pub(crate) use in_process::ToServer;
pub(crate) use limits::StreamLimits;
pub(crate) use serving::{Serving, ServingParts};
