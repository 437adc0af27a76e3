//! Sockets on Windows: non-blocking, and not inherited by programs that the host starts.

#![allow(unsafe_code)]
#![allow(dead_code, reason = "not every build has every user of these")]

use rustix::fd::{AsFd, AsRawFd as _, FromRawFd as _, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, acceptfrom, bind, connect, getpeername, getsockname,
    listen, sockopt, wsa_startup,
};
use std::io::IoSlice;
use std::net::{Ipv4Addr, SocketAddr};
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;
use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};
use windows_sys::Win32::Networking::WinSock::{
    INVALID_SOCKET, SO_EXCLUSIVEADDRUSE, SOCK_STREAM, SOCKET, SOL_SOCKET, WSA_FLAG_NO_HANDLE_INHERIT,
    WSA_FLAG_OVERLAPPED, WSABUF, WSAGetLastError, WSASend, WSASocketW, setsockopt,
};

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(in crate::transport) const ACKNOWLEDGES: bool = false;
/// As on Linux, so that a configuration is right or wrong everywhere; there are no Unix sockets here.
pub(in crate::transport) const PATH_BYTES: usize = 107;
/// There is no `SIGPIPE`.
pub(in crate::transport) const QUIET: SendFlags = SendFlags::empty();
/// The sockets themselves do not wait.
pub(in crate::transport) const SEND_AT_ONCE: SendFlags = SendFlags::empty();
/// The sockets themselves do not wait.
pub(in crate::transport) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::empty();

/// Why an address of a Unix socket leads nowhere, with the fix.
pub(in crate::transport) const NO_UNIX_SOCKETS: &str =
    "libmcp has no Unix sockets on Windows; use an address such as \"tcp:127.0.0.1:4000\"";

/// How often a pair of sockets is made again after another program connected to its port in between.
const STRANGERS: usize = 16;

fn last() -> Errno {
    // SAFETY: the call has no preconditions.
    Errno::from_raw_os_error(unsafe { WSAGetLastError() })
}

/// Windows wants to be told of the first use of sockets; the count that it keeps is never taken back.
fn started() -> Result<(), Errno> {
    static STARTED: OnceLock<Result<(), Errno>> = OnceLock::new();
    *STARTED.get_or_init(|| wsa_startup().map(|_| ()))
}

fn made_ready(socket: OwnedFd) -> Result<OwnedFd, Errno> {
    // SAFETY: the socket is open; its handle is an ordinary one.
    unsafe { SetHandleInformation(handle(&socket), HANDLE_FLAG_INHERIT, 0) };
    rustix::io::ioctl_fionbio(&socket, true)?;
    Ok(socket)
}

/// A socket as what files are read and written with.
pub(in crate::transport) fn handle(socket: &OwnedFd) -> HANDLE {
    ptr::with_exposed_provenance_mut(number(socket))
}

fn number(socket: impl AsFd) -> SOCKET {
    // As large as a pointer.
    SOCKET::try_from(socket.as_fd().as_raw_fd()).unwrap_or(INVALID_SOCKET)
}

/// A socket for a stream: not inherited, non-blocking.
pub(in crate::transport) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    started()?;
    // SAFETY: the call takes numbers, and a pointer that may be null.
    let socket = unsafe {
        WSASocketW(
            i32::from(family.as_raw()),
            SOCK_STREAM,
            0,
            ptr::null(),
            0,
            WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT,
        )
    };
    if socket == INVALID_SOCKET {
        return Err(last());
    }
    // SAFETY: it was made just now, and belongs to nothing else.
    made_ready(unsafe { OwnedFd::from_raw_fd(socket as _) })
}

/// A connection that waits on a listening socket, made ready as by [`stream_socket`].
pub(in crate::transport) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    let (socket, from) = acceptfrom(listening)?;
    Ok((made_ready(socket)?, from))
}

/// Two sockets that are connected, made ready as by [`stream_socket`]. Over the loopback interface: there is nothing of its own for it.
/// Closing them leaves no port in use (`TIME_WAIT`); what was written and not yet read is lost then.
pub(in crate::transport) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let pair = streams()?;
    for end in [&pair.0, &pair.1] {
        sockopt::set_socket_linger(end, Some(Duration::ZERO))?;
    }
    Ok(pair)
}

/// As [`connected_pair`], but what was written arrives after the end that wrote it was closed.
pub(in crate::transport) fn streams() -> Result<(OwnedFd, OwnedFd), Errno> {
    let listening = stream_socket(AddressFamily::INET)?;
    bind(&listening, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    listen(&listening, 1)?;
    let at = SocketAddr::try_from(getsockname(&listening)?)?;
    let one = stream_socket(AddressFamily::INET)?;
    // It waits for the connection, which the kernel makes at once.
    rustix::io::ioctl_fionbio(&one, false)?;
    rustix::io::ioctl_fionbio(&listening, false)?;
    connect(&one, &at)?;
    let own = SocketAddr::try_from(getsockname(&one)?)?;
    for _ in 0..STRANGERS {
        let (other, _) = accept(&listening)?;
        // Any program of this machine may have connected to the port.
        if getpeername(&other)?.and_then(|peer| SocketAddr::try_from(peer).ok()) == Some(own) {
            let one = made_ready(one)?;
            for end in [&one, &other] {
                sockopt::set_tcp_nodelay(end, true)?;
            }
            return Ok((one, other));
        }
    }
    Err(Errno::CONNABORTED)
}

/// There is no such option here: keep-alive packets find out when the peer is gone.
pub(in crate::transport) fn limit_unacknowledged(_socket: impl AsFd, _milliseconds: u32) {}

/// There is no such option here.
pub(in crate::transport) fn acknowledge_at_once(_socket: impl AsFd) -> bool {
    false
}

/// One more handle of a socket.
///
/// # Errors
/// When there is no room for it.
pub(in crate::transport) fn duplicate(socket: &OwnedFd) -> Result<OwnedFd, Errno> {
    let copy = socket.try_clone().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOBUFS))?;
    made_ready(copy)
}

/// Sends several pieces in one call.
///
/// # Errors
/// What the system said.
pub(in crate::transport) fn send_slices(
    socket: impl AsFd,
    slices: &[IoSlice<'_>],
    _flags: SendFlags,
) -> Result<usize, Errno> {
    let count = u32::try_from(slices.len()).map_err(|_| Errno::INVAL)?;
    let mut sent = 0;
    // SAFETY: `IoSlice` has the layout of `WSABUF` on Windows (it is documented so); the call only reads what they lead to, and writes
    // the count before it returns, as there is no overlapped structure.
    let outcome = unsafe {
        WSASend(
            number(socket),
            slices.as_ptr().cast::<WSABUF>(),
            count,
            &raw mut sent,
            0,
            ptr::null_mut(),
            None,
        )
    };
    if outcome == 0 { Ok(sent as usize) } else { Err(last()) }
}

/// A port is free as soon as its server has ended. The option of that name on other systems would let two servers share a port; this
/// one keeps others off.
pub(in crate::transport) fn take_port_over(socket: &OwnedFd) -> Result<(), Errno> {
    let yes = 1_i32.to_ne_bytes();
    // SAFETY: the socket is open, and the value lives until the end of the call.
    let outcome = unsafe {
        setsockopt(number(socket), SOL_SOCKET, SO_EXCLUSIVEADDRUSE, yes.as_ptr(), yes.len() as i32)
    };
    if outcome == 0 { Ok(()) } else { Err(last()) }
}

/// There is no bound on handles that clients could reach.
pub(in crate::transport) fn leaves_too_few(_socket: &OwnedFd) -> bool {
    false
}
