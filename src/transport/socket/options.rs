//! What is set on every TCP connection, whichever side began it, and how many may wait.

use super::system::limit_unacknowledged;
use rustix::fd::OwnedFd;
use rustix::net::sockopt;
use std::time::Duration;

/// Connections that wait to be accepted; the system may allow fewer.
#[cfg(feature = "server")]
pub(in crate::transport::socket) const BACKLOG: i32 = 1024;
/// A silent peer is asked after this time whether it is still there,
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// then as often as this,
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// and counts as gone when it left so many without an answer.
const KEEP_ALIVE_COUNT: u32 = 6;
/// How long what was sent may stay unacknowledged before the peer counts as gone.
const UNACKNOWLEDGED_MS: u32 = 120_000;

/// Sends small messages at once, and finds out when the peer is gone.
pub(super) fn set_for_messages(socket: &OwnedFd) {
    // Each is only for the better.
    let _unsupported = sockopt::set_tcp_nodelay(socket, true);
    let _unsupported = sockopt::set_socket_keepalive(socket, true);
    let _unsupported = sockopt::set_tcp_keepidle(socket, KEEP_ALIVE);
    let _unsupported = sockopt::set_tcp_keepintvl(socket, KEEP_ALIVE_INTERVAL);
    let _unsupported = sockopt::set_tcp_keepcnt(socket, KEEP_ALIVE_COUNT);
    limit_unacknowledged(socket, UNACKNOWLEDGED_MS);
}
