//! Windows, where the library has no Unix sockets: an address of one is refused.

use crate::transport::socket::{ConnectError, SocketAddress};
#[cfg(feature = "server")]
use crate::transport::socket::{ListenFailure, RefusedFor};
use crate::transport::system::io::NO_UNIX_SOCKETS;
use crate::transport::system::poller::Wake;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::time::{Duration, Instant};

fn refused(address: &SocketAddress) -> ConnectError {
    ConnectError {
        message: format!("cannot connect to '{address}': {NO_UNIX_SOCKETS}"),
        errno: Some(Errno::AFNOSUPPORT.raw_os_error()),
        timed_out: false,
    }
}

/// Refused.
pub(crate) fn connect_at_once(address: &SocketAddress) -> Result<Option<OwnedFd>, ConnectError> {
    Err(refused(address))
}

/// Refused.
pub(crate) fn connect(
    address: &SocketAddress,
    _limit: Duration,
    _until: Instant,
    _stop: &Wake,
) -> Result<OwnedFd, ConnectError> {
    Err(refused(address))
}

/// A file of a kind that cannot be made here.
#[cfg(feature = "server")]
#[derive(Debug)]
pub(crate) enum SocketFile {}

#[cfg(feature = "server")]
impl SocketFile {
    /// Never called: no such file was made.
    pub(crate) fn remove(&self) {
        match *self {}
    }
}

#[cfg(feature = "server")]
fn refused_to_listen() -> ListenFailure {
    ListenFailure {
        reason: RefusedFor::System,
        why: NO_UNIX_SOCKETS.to_owned(),
        errno: Some(Errno::AFNOSUPPORT),
    }
}

/// Refused.
#[cfg(feature = "server")]
pub(crate) fn listen_on(_path: &str) -> Result<(OwnedFd, SocketFile), ListenFailure> {
    Err(refused_to_listen())
}

/// Refused.
#[cfg(feature = "server")]
pub(crate) fn listen_on_abstract(_name: &str) -> Result<OwnedFd, ListenFailure> {
    Err(refused_to_listen())
}
