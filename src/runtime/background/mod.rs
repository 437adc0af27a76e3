//! The background thread of the process, and the servers that it starts, watches and ends.

mod process;
pub(crate) mod runtime;
mod servers;
mod sockets;
pub(crate) mod thread;
