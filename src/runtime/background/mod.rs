//! The background thread of the process, and the servers that it starts, watches and ends.
//!
//! The files:
//!
//! * `thread`: the thread: keeps time, drives while no thread waits, drains standard errors
//! * `runtime`: `Runtime`: what clients and the thread share: commands, the next wake, connections in their grace time
//! * `connections`: `Connections`: all of them, for the thread alone
//! * `earliest`: `Earliest`: when the first of them has something to do, which any thread may put forward
//! * `servers`: `Servers`: the server processes, by number
//! * `process`: `ServerProcess`: one of them, ended in bounded steps
//! * `sockets`: `Sockets`: the servers behind sockets

mod connections;
pub(crate) mod earliest;
mod process;
pub(crate) mod runtime;
mod servers;
mod sockets;
pub(crate) mod thread;
