//! The background thread of the process, and the servers that it starts, watches and ends.
//!
//! The files:
//!
//! * `thread`: the thread: keeps time, drives while no thread waits, drains standard errors
//! * `runtime`: `Runtime`: what clients and the thread share: commands, the next wake, connections in their grace time
//! * `connections`: `Connections`: all of them, by when they have something to do; `Earliest`
//! * `servers`: `Servers`: the server processes, by number
//! * `process`: `ServerProcess`: one of them, ended in bounded steps
//! * `sockets`: `Sockets`: the servers behind sockets

pub(crate) mod connections;
mod process;
pub(crate) mod runtime;
mod servers;
mod sockets;
pub(crate) mod thread;
