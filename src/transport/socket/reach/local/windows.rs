//! Windows, where the library has no Unix sockets: an address of one is refused.

use crate::transport::poller::Wake;
use crate::transport::socket::SocketAddress;
use crate::transport::socket::reach::unreached::Unreached;
use crate::transport::socket::system::NO_UNIX_SOCKETS;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::time::{Duration, Instant};

fn refused(address: &SocketAddress) -> Unreached {
    Unreached {
        message: format!("cannot connect to '{address}': {NO_UNIX_SOCKETS}"),
        errno: Some(Errno::AFNOSUPPORT.raw_os_error()),
        timed_out: false,
    }
}

/// Refused.
pub(in crate::transport::socket) fn at_once(address: &SocketAddress) -> Result<Option<OwnedFd>, Unreached> {
    Err(refused(address))
}

/// Refused.
pub(in crate::transport::socket) fn reach(
    address: &SocketAddress,
    _limit: Duration,
    _until: Instant,
    _stop: &Wake,
) -> Result<OwnedFd, Unreached> {
    Err(refused(address))
}
