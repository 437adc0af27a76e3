//! Windows, where the library has no Unix sockets: an address of one is refused.

use super::super::refused::{Cause, RefusedFor};
use crate::transport::socket::system::NO_UNIX_SOCKETS;
use rustix::fd::OwnedFd;
use rustix::io::Errno;

/// A file of a kind that cannot be made here.
#[derive(Debug)]
pub(in crate::transport::socket) enum SocketFile {}

impl SocketFile {
    /// Never called: no such file was made.
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
