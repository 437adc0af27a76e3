//! Unix and TCP sockets: where a server listens, the way there, and listening.
//!
//! The files:
//!
//! * `address`: `SocketAddress`: where a server listens
//! * `reach`: the way there: connecting within a time limit (client)
//! * `listen`: `Listener` (server)
//! * `options`: what is set on every TCP connection
//! * `system`: what differs between systems

mod address;
#[cfg(feature = "server")]
pub mod listen;
mod options;
mod reach;
pub(in crate::transport) mod system;

pub use address::SocketAddress;
/// One more descriptor of a socket.
///
/// # Errors
/// When no descriptor is left.
pub fn duplicate(socket: &rustix::fd::OwnedFd) -> Result<rustix::fd::OwnedFd, rustix::io::Errno> {
    system::duplicate(socket)
}

pub use reach::{Unreached, at_once, end_both, end_output, reach};
