//! Connecting to a Unix socket.

use crate::transport::plain_text;
use crate::transport::poller::wait_for_wake;
use crate::transport::socket::{ConnectError, SocketAddress};
use crate::transport::system::io::{NO_ROOM_IN_SYSTEM, NOT_PERMITTED, abstract_address, stream_socket};
use crate::transport::system::poller::Wake;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix};
use std::time::{Duration, Instant};

/// How long to wait before a server whose queue of connections is full is tried again.
const FULL_WAIT: Duration = Duration::from_millis(10);

/// Connects if that needs no wait.
pub(crate) fn connect_at_once(address: &SocketAddress) -> Result<Option<OwnedFd>, ConnectError> {
    match connect_unix(address) {
        Ok(socket) => Ok(Some(socket)),
        Err(Errno::AGAIN) => Ok(None),
        Err(errno) => Err(unix_refused(address, errno)),
    }
}

/// Connects, waiting until `until` at the longest, or until `stop` is set.
pub(crate) fn connect(
    address: &SocketAddress,
    limit: Duration,
    until: Instant,
    stop: &Wake,
) -> Result<OwnedFd, ConnectError> {
    loop {
        match connect_unix(address) {
            Ok(socket) => return Ok(socket),
            Err(Errno::AGAIN) => {}
            Err(errno) => return Err(unix_refused(address, errno)),
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ConnectError {
                message: format!(
                    "cannot connect to '{address}': the server's queue of connections stayed full for {} ms \
                     (timeouts.connect_ms); it accepts none",
                    limit.as_millis()
                ),
                errno: Some(Errno::AGAIN.raw_os_error()),
                timed_out: true,
            });
        }
        // Readable when it is to stop; there is nothing that says when there is room.
        if wait_for_wake(stop, left.min(FULL_WAIT)) {
            return Err(unix_refused(address, Errno::CANCELED));
        }
    }
}

fn connect_unix(address: &SocketAddress) -> Result<OwnedFd, Errno> {
    let to = match address {
        SocketAddress::Unix(path) => SocketAddrUnix::new(path.as_str())?,
        SocketAddress::Abstract(name) => abstract_address(name)?,
        SocketAddress::Tcp { .. } => return Err(Errno::INVAL),
    };
    let socket = stream_socket(AddressFamily::UNIX)?;
    rustix::net::connect(&socket, &to)?;
    Ok(socket)
}

fn unix_refused(address: &SocketAddress, errno: Errno) -> ConnectError {
    let why = match errno {
        Errno::NOENT => "there is no such socket; start the server, or correct 'socket'".to_owned(),
        Errno::CONNREFUSED => "nothing listens there; start the server, or correct 'socket'".to_owned(),
        Errno::ACCESS | NOT_PERMITTED => {
            "permission denied; this user may not write to the socket or enter its folder".to_owned()
        }
        Errno::PROTOTYPE => "it is not a stream socket; the server must listen on one".to_owned(),
        Errno::MFILE | NO_ROOM_IN_SYSTEM => "no file descriptors are left".to_owned(),
        other => plain_text(&other.into()),
    };
    ConnectError {
        message: format!("cannot connect to '{address}': {why}"),
        errno: Some(errno.raw_os_error()),
        timed_out: false,
    }
}
