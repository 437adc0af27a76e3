//! There are no Unix sockets on Windows.

use super::Credentials;
use rustix::fd::AsFd;
use std::io::{Error, ErrorKind};

/// Nothing is known of a process at the other end of a socket.
///
/// # Errors
/// Always.
pub fn of_peer(_socket: impl AsFd) -> Result<Credentials, Error> {
    Err(ErrorKind::Unsupported.into())
}

/// Users have no numbers here, and no client is known by one.
pub fn our_user() -> u32 {
    0
}
