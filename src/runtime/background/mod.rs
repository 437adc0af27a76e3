//! The background thread of the process, and the servers that it starts, watches and ends.
//!
//! The files:
//!
//! * `thread`: the thread: keeps time, drives while no thread waits, drains standard errors
//! * `runtime`: `Runtime`: what clients and the thread share: commands, the next wake, connections in their grace time
//! * `servers`: `Servers`: the server processes, by number
//! * `process`: `ServerProcess`: one of them, ended in bounded steps
//! * `sockets`: `Sockets`: the servers behind sockets

mod process;
pub(crate) mod runtime;
mod servers;
mod sockets;
pub(crate) mod thread;
