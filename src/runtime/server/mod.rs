//! What drives a server: its sessions over byte streams, the threads that serve, and the background thread.
//!
//! The thread in `run` or `poll` drives: it waits for input, gives frames to the engine, writes what comes out, and runs
//! handlers. While it is in a handler the background thread of the server takes over after the grace time, so that a handler that
//! does not return stops neither `ping` nor lists nor other sessions. A handler never runs on the background thread.
//!
//! The files:
//!
//! * `serving`: `Serving`: the server as its threads share it; one lock (`inside`) for the engine and the sessions
//! * `role`: `Role`: which thread drives, and the background thread after the grace time of `src/runtime/driver/grace.rs`
//! * `turn`: one turn of the driver: waits, reads, gives frames to the engine
//! * `engine_side`: does what the engine wants: frames to sessions, messages to the queue, log records
//! * `served`: answers, progress and questions of the application about a request
//! * `waiting`: threads in `run`, `poll` and `close`
//! * `background`: the background thread and the workers that run handlers
//! * `batch`: `Batch`: answers of several handlers, written together
//! * `session`: `Session`: the outbox of one session, and what carries it
//! * `byte_stream`: `ByteStream`: its descriptors
//! * `ends`: `Ends`, `Token`: the two descriptors, and the tokens of the poller
//! * `adding`: adds byte streams and listening sockets
//! * `attaching`: adds clients over a transport of the application
//! * `attached`: `Attached`: that transport
//! * `in_process`: a client and a server of one process
//! * `limits`: `StreamLimits`: the bounds of sessions and threads

mod adding;
mod attached;
mod attaching;
mod background;
mod batch;
mod byte_stream;
mod ends;
mod engine_side;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "http")]
mod http_side;
mod in_process;
mod limits;
mod role;
mod served;
mod serving;
mod session;
mod turn;
mod waiting;

pub(crate) use ends::Ends;
pub(crate) use in_process::ToServer;
pub(crate) use limits::StreamLimits;
pub(crate) use serving::{Made, Serving};
