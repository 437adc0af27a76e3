//! Listening on a Unix or TCP socket, and accepting connections: a bounded number in a turn, never blocking, and without a
//! busy loop when no descriptors are left.

#[cfg(all(test, unix))]
mod tests;

use crate::transport::plain_text;
use crate::transport::process::Credentials;
use crate::transport::process::per_process::generation;
use crate::transport::socket::{BACKLOG, ListenFailure, SocketAddress, set_for_messages};
pub use crate::transport::socket::{ListenRefused, RefusedFor};
use crate::transport::system::io::{
    NO_MEMORY, NO_ROOM_IN_SYSTEM, accept, leaves_too_few, stream_socket, take_port_over,
};
use crate::transport::system::process::{our_user, peer_credentials};
use crate::transport::system::socket_file::{SocketFile, listen_on, listen_on_abstract};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{AddressFamily, Shutdown, bind, getsockname, listen, shutdown, sockopt};
use std::mem::ManuallyDrop;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

/// The most addresses of one name that are tried.
const ADDRESSES: usize = 16;
/// When to accept again after the process or the system had no descriptors or memory left. The connections wait meanwhile.
const EXHAUSTED_WAIT: Duration = Duration::from_millis(100);

/// A socket on which clients connect. Dropping it ends listening, for copies that the host made by forking as well, and
/// removes the file of a Unix socket if it is still the same. In a child of `fork` dropping it does nothing.
#[derive(Debug)]
pub struct Listener {
    generation: u64,
    /// Only none while it is dropped.
    open: Option<OpenListener>,
    address: SocketAddress,
    /// Clients of other users are sent away.
    only_this_user: bool,
}

#[derive(Debug)]
struct OpenListener {
    fd: OwnedFd,
    file: Option<SocketFile>,
}

/// A client that connected.
#[derive(Debug)]
pub struct AcceptedSocket {
    /// The connection: non-blocking and close-on-exec.
    pub fd: OwnedFd,
    /// Who connected.
    pub peer: RemotePeer,
    /// Few descriptors are left: the caller ends another one to take it.
    pub is_scarce: bool,
}

/// Who connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemotePeer {
    /// A process of this machine, over a Unix socket; `None` where the system does not say which.
    Process(Option<Credentials>),
    /// An address, over TCP; `None` where the client was gone before the system could say.
    Address(Option<SocketAddr>),
}

/// What to do after a turn of accepting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AcceptNext {
    /// No more clients wait: wait until the descriptor is readable.
    Wait,
    /// More may wait: accept again, after others had their turn.
    More,
    /// No descriptors or memory are left. Do not watch the descriptor before this time is over: it stays readable.
    Pause(Duration, Errno),
    /// It cannot accept any more.
    Broken(Errno),
}

impl Listener {
    /// Listens. TCP addresses that other machines reach are refused unless `beyond_loopback` allows them. Looking up the
    /// name of a TCP host may block.
    ///
    /// # Errors
    /// Why that is not possible, and what to do.
    pub fn bind(address: &SocketAddress, beyond_loopback: bool) -> Result<Listener, ListenRefused> {
        match address {
            SocketAddress::Unix(path) => {
                let (fd, file) = listen_on(path).map_err(|refused| refused.told(address))?;
                Ok(Listener::new(fd, Some(file), address.clone()))
            }
            SocketAddress::Abstract(name) => listen_on_abstract(name)
                .map(|fd| Listener::new(fd, None, address.clone()))
                .map_err(|refused| refused.told(address)),
            SocketAddress::Tcp { host, port } => bind_tcp(address, host, *port, beyond_loopback),
        }
    }

    fn new(fd: OwnedFd, file: Option<SocketFile>, address: SocketAddress) -> Listener {
        Listener {
            generation: generation(),
            open: Some(OpenListener { fd, file }),
            address,
            only_this_user: false,
        }
    }

    /// Listens at the other loopback address, too, if this one is at the name `localhost`: a client may look it up as either.
    /// `None` if that is not so, or the system does not let it.
    pub fn beside(&self, asked: &SocketAddress) -> Option<Listener> {
        let is_localhost =
            matches!(asked, SocketAddress::Tcp { host, .. } if host.eq_ignore_ascii_case("localhost"));
        let SocketAddress::Tcp { host, port } = &self.address else { return None };
        let other = match host.parse().ok().filter(|_| is_localhost)? {
            IpAddr::V4(_) => IpAddr::from(Ipv6Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::from(Ipv4Addr::LOCALHOST),
        };
        let (fd, port) = listen_tcp(SocketAddr::new(other, *port)).ok()?;
        Some(Listener::new(fd, None, SocketAddress::Tcp { host: other.to_string(), port }))
    }

    /// Sends clients of other users away, and those whose user the system does not say (Unix sockets).
    pub fn only_this_user(&mut self) {
        self.only_this_user = true;
    }

    /// Where it listens, with the port that the system chose for port 0.
    pub fn address(&self) -> &SocketAddress {
        &self.address
    }

    /// Whether only this machine reaches it.
    #[cfg(feature = "http")]
    pub fn is_loopback(&self) -> bool {
        match (&self.address, &self.open) {
            (SocketAddress::Tcp { .. }, Some(open)) => getsockname(&open.fd)
                .ok()
                .and_then(|bound| SocketAddr::try_from(bound).ok())
                .is_some_and(|bound| bound.ip().is_loopback()),
            _ => true,
        }
    }

    /// The descriptor, to wait until it is readable.
    pub fn fd(&self) -> Option<&OwnedFd> {
        self.open.as_ref().map(|open| &open.fd)
    }

    /// Accepts at most `most` clients and gives each to `take`. Where few descriptors are left, `take` says whether it has made room;
    /// if not, the client is sent away, and the others wait until there are more descriptors.
    pub fn accept(&self, most: usize, mut take: impl FnMut(AcceptedSocket) -> bool) -> AcceptNext {
        let Some(open) = &self.open else { return AcceptNext::Wait };
        for _ in 0..most {
            match accept(&open.fd) {
                Ok((fd, from)) => {
                    let peer = match &self.address {
                        SocketAddress::Tcp { .. } => {
                            set_for_messages(&fd);
                            RemotePeer::Address(from.and_then(|from| SocketAddr::try_from(from).ok()))
                        }
                        _ => RemotePeer::Process(peer_credentials(&fd).ok()),
                    };
                    if self.only_this_user && !is_of_user(&peer, our_user()) {
                        continue;
                    }
                    let is_scarce = leaves_too_few(&fd);
                    if !take(AcceptedSocket { fd, peer, is_scarce }) && is_scarce {
                        return AcceptNext::Pause(EXHAUSTED_WAIT, Errno::MFILE);
                    }
                }
                Err(Errno::AGAIN) => return AcceptNext::Wait,
                Err(errno @ (Errno::MFILE | NO_ROOM_IN_SYSTEM | Errno::NOBUFS | NO_MEMORY)) => {
                    return AcceptNext::Pause(EXHAUSTED_WAIT, errno);
                }
                Err(
                    errno @ (Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::FAULT | Errno::OPNOTSUPP),
                ) => {
                    return AcceptNext::Broken(errno);
                }
                // A client that is gone already, an error of its connection (accept(2) lists them), a signal.
                Err(_) => {}
            }
        }
        AcceptNext::More
    }
}

/// Whether a client is a process of a user.
fn is_of_user(peer: &RemotePeer, user: u32) -> bool {
    matches!(peer, RemotePeer::Process(Some(credentials)) if credentials.user == user)
}

impl Drop for Listener {
    fn drop(&mut self) {
        let Some(open) = self.open.take() else { return };
        if generation() != self.generation {
            // The parent still listens, and this child may have given the numbers to other files.
            let _left_open = ManuallyDrop::new(open);
            return;
        }
        if let Some(file) = &open.file {
            file.remove();
        }
        // Closing would not do: clients could still connect to a copy, and wait for an answer.
        let _no_copy_listens = shutdown(&open.fd, Shutdown::Both);
    }
}

fn bind_tcp(
    address: &SocketAddress,
    host: &str,
    port: u16,
    beyond_loopback: bool,
) -> Result<Listener, ListenRefused> {
    let found = (host, port).to_socket_addrs().map_err(|error| ListenRefused {
        message: format!(
            "cannot listen on '{address}': the name '{host}' could not be looked up ({}); give the address as numbers, \
             such as 127.0.0.1",
            plain_text(&error).trim_start_matches("failed to lookup address information: ")
        ),
        reason: RefusedFor::NoAddress,
        errno: error.raw_os_error(),
    })?;
    let mut last = None;
    for at in found.take(ADDRESSES) {
        if !beyond_loopback && !at.ip().to_canonical().is_loopback() {
            last = Some(ListenFailure {
                reason: RefusedFor::NotLoopback,
                why: format!(
                    "other machines can connect to {}, and that is not allowed; listen on 127.0.0.1, on [::1] or on a Unix \
                     socket, or allow it",
                    at.ip()
                ),
                errno: None,
            });
            continue;
        }
        match listen_tcp(at) {
            Ok((fd, port)) => {
                let local = SocketAddress::Tcp { host: host_of(at), port };
                return Ok(Listener::new(fd, None, local));
            }
            Err(errno) => last = Some(ListenFailure::from(errno)),
        }
    }
    let none = || ListenFailure {
        reason: RefusedFor::NoAddress,
        why: format!("the name '{host}' has no address"),
        errno: None,
    };
    Err(last.unwrap_or_else(none).told(address))
}

fn host_of(at: SocketAddr) -> String {
    match at {
        SocketAddr::V6(at) if at.scope_id() != 0 => format!("{}%{}", at.ip(), at.scope_id()),
        SocketAddr::V6(_) | SocketAddr::V4(_) => at.ip().to_string(),
    }
}

fn listen_tcp(at: SocketAddr) -> Result<(OwnedFd, u16), Errno> {
    let family = if at.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let fd = stream_socket(family)?;
    // Connections of a server that ended before hold the port for minutes otherwise. A server that listens still does.
    take_port_over(&fd)?;
    if at.is_ipv6() {
        // The address is all that it says, whatever the system's default.
        sockopt::set_ipv6_v6only(&fd, true)?;
    }
    bind(&fd, &at)?;
    listen(&fd, BACKLOG)?;
    let local = SocketAddr::try_from(getsockname(&fd)?)?;
    Ok((fd, local.port()))
}
