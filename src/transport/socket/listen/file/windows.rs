//! Windows, where the library has no Unix sockets: an address of one is refused.

use super::super::refused::{Cause, RefusedFor};
use crate::transport::socket::system::NO_UNIX_SOCKETS;
use rustix::fd::OwnedFd;
use rustix::io::Errno;

/// There is none.
#[derive(Debug)]
pub(in crate::transport::socket) enum SocketFile {}

impl SocketFile {
    /// There is none.
    pub(in crate::transport::socket) fn remove(&self) {
        match *self {}
    }
}

fn refused() -> Cause {
    Cause { reason: RefusedFor::System, why: NO_UNIX_SOCKETS.to_owned(), errno: Some(Errno::AFNOSUPPORT) }
}

/// Refused.
pub(in crate::transport::socket) fn listen_on(_path: &str) -> Result<(OwnedFd, SocketFile), Cause> {
    Err(refused())
}

/// Refused.
pub(in crate::transport::socket) fn listen_on_abstract(_name: &str) -> Result<OwnedFd, Cause> {
    Err(refused())
}
