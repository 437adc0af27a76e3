//! The background thread of the process, and the servers that it starts, watches and ends.

pub(crate) mod process;
pub(crate) mod runtime;
pub(crate) mod servers;
pub(crate) mod sockets;
