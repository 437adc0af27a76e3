//! What drives a server: its sessions over byte streams, the threads that serve, and the background thread.
//!
//! The thread in `run` or `poll` drives: it waits for input, gives frames to the engine, writes what comes out, and runs
//! handlers. While it is in a handler the background thread of the server takes over after the grace time, so that a handler that
//! does not return stops neither `ping` nor lists nor other sessions. A handler never runs on the background thread.

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
