//! Sockets on Windows: non-blocking, and not inherited by programs that the host starts.

#![allow(unsafe_code)]
#![allow(dead_code, reason = "not every build has every user of these")]

use crate::transport::poller::model;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd as _, FromRawFd as _, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, acceptfrom, bind, connect, getpeername, getsockname,
    listen, recv, send, sockopt, wsa_startup,
};
use std::io::IoSlice;
use std::net::{Ipv4Addr, SocketAddr};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_ALREADY_EXISTS, ERROR_FILE_NOT_FOUND, ERROR_NOT_ENOUGH_MEMORY,
    ERROR_TOO_MANY_OPEN_FILES, HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation, WIN32_ERROR,
};
use windows_sys::Win32::Networking::WinSock::{
    INVALID_SOCKET, SO_EXCLUSIVEADDRUSE, SOCK_STREAM, SOCKET, SOL_SOCKET, WSA_FLAG_NO_HANDLE_INHERIT,
    WSA_FLAG_OVERLAPPED, WSABUF, WSAGetLastError, WSASend, WSASocketW, setsockopt,
};

/// Whether the system can be asked to acknowledge at once.
#[cfg(test)]
pub(crate) const ACKNOWLEDGES: bool = false;
/// As on Linux, so that a configuration is right or wrong everywhere; there are no Unix sockets here.
pub(crate) const PATH_BYTES: usize = 107;
/// There is no `SIGPIPE`.
pub(crate) const QUIET: SendFlags = SendFlags::empty();
/// The sockets themselves do not wait.
pub(crate) const SEND_AT_ONCE: SendFlags = SendFlags::empty();
/// The sockets themselves do not wait.
pub(crate) const RECEIVE_AT_ONCE: RecvFlags = RecvFlags::empty();

/// Why an address of a Unix socket leads nowhere, with the fix.
pub(crate) const NO_UNIX_SOCKETS: &str =
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
pub(crate) fn handle(socket: &OwnedFd) -> HANDLE {
    ptr::with_exposed_provenance_mut(raw_socket(socket))
}

fn raw_socket(socket: impl AsFd) -> SOCKET {
    // As large as a pointer.
    SOCKET::try_from(socket.as_fd().as_raw_fd()).unwrap_or(INVALID_SOCKET)
}

/// A socket for a stream: not inherited, non-blocking.
pub(crate) fn stream_socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
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
pub(crate) fn accept(listening: impl AsFd) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    let (socket, from) = acceptfrom(listening)?;
    Ok((made_ready(socket)?, from))
}

/// Two sockets that are connected, made ready as by [`stream_socket`]. Over the loopback interface: there is nothing of its own for it.
/// Closing them leaves no port in use (`TIME_WAIT`); what was written and not yet read is lost then.
pub(crate) fn connected_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let pair = streams()?;
    for end in [&pair.0, &pair.1] {
        sockopt::set_socket_linger(end, Some(Duration::ZERO))?;
    }
    Ok(pair)
}

/// As [`connected_pair`], but what was written arrives after the end that wrote it was closed.
pub(crate) fn streams() -> Result<(OwnedFd, OwnedFd), Errno> {
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
pub(crate) fn limit_unacknowledged(_socket: impl AsFd, _milliseconds: u32) {}

/// There is no such option here.
pub(crate) fn acknowledge_at_once(_socket: impl AsFd) -> bool {
    false
}

/// One more handle of a socket.
///
/// # Errors
/// When there is no room for it.
pub fn duplicate(socket: &OwnedFd) -> Result<OwnedFd, Errno> {
    let copy = socket.try_clone().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOBUFS))?;
    made_ready(copy)
}

/// Sends several pieces in one call.
///
/// # Errors
/// What the system said.
pub(crate) fn send_slices(
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
            raw_socket(socket),
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
pub(crate) fn take_port_over(socket: &OwnedFd) -> Result<(), Errno> {
    let yes = 1_i32.to_ne_bytes();
    // SAFETY: the socket is open, and the value lives until the end of the call.
    let outcome = unsafe {
        setsockopt(raw_socket(socket), SOL_SOCKET, SO_EXCLUSIVEADDRUSE, yes.as_ptr(), yes.len() as i32)
    };
    if outcome == 0 { Ok(()) } else { Err(last()) }
}

/// There is no bound on handles that clients could reach.
pub(crate) fn leaves_too_few(_socket: &OwnedFd) -> bool {
    false
}

/// How long a byte may be on its way: the thread that writes it may be preempted just before.
const UNDER_WAY: Duration = Duration::from_secs(1);

/// Two connected sockets; one thread writes to end another's wait. Level-triggered: it stays readable until cleared.
#[derive(Debug)]
pub struct Wake {
    read: OwnedFd,
    written: OwnedFd,
    /// A byte is there, or on its way.
    is_set: AtomicBool,
}

impl Wake {
    /// A wake, not set.
    ///
    /// # Errors
    /// When no socket can be had.
    pub fn new() -> Result<Wake, Errno> {
        let (read, written) = connected_pair()?;
        Ok(Wake { read, written, is_set: AtomicBool::new(false) })
    }

    /// Makes it readable.
    pub fn set(&self) {
        if !self.is_set.swap(true, Ordering::SeqCst) {
            // It has room for one byte always.
            let _has_room = model::change(|| send(&self.written, b"w", SendFlags::empty()));
        }
    }

    /// Makes it unreadable.
    pub fn clear(&self) {
        if !self.is_set.swap(false, Ordering::SeqCst) {
            return;
        }
        let mut taken = [0_u8; 1];
        if recv(&self.read, &mut taken[..], RecvFlags::empty()) == Err(Errno::AGAIN) {
            let mut arrives = [PollFd::new(&self.read, PollFlags::IN)];
            // Where it takes longer, the descriptor is readable once without a reason.
            let _comes_later = poll(&mut arrives, Some(&crate::transport::system::io::timespec(UNDER_WAY)));
            let _comes_later = recv(&self.read, &mut taken[..], RecvFlags::empty());
        }
    }

    /// The descriptor that is readable when it is set.
    pub fn fd(&self) -> &OwnedFd {
        &self.read
    }

    /// Its number, for the host.
    pub fn number(&self) -> i32 {
        number(&self.read)
    }
}

/// The longest wait that the system takes is a little longer, in milliseconds in 31 bits. Who waits looks at the time and waits again.
const LONGEST: Duration = Duration::from_secs(20 * 24 * 60 * 60);

/// The time limit.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    let duration = duration.min(LONGEST);
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i32::try_from(duration.subsec_nanos()).unwrap_or(0),
    }
}

/// The number of a socket, for the host. Handles have 32 significant bits, so that programs of 32 bits can be given them; sockets
/// get low ones.
pub(crate) fn number(socket: &OwnedFd) -> i32 {
    i32::try_from(socket.as_raw_fd()).unwrap_or(-1)
}

const fn own(number: WIN32_ERROR) -> Errno {
    Errno::from_raw_os_error(number.cast_signed())
}

/// The connection is in progress.
pub(crate) const CONNECTING: Errno = Errno::WOULDBLOCK;
/// It exists already.
pub(crate) const EXISTS: Errno = own(ERROR_ALREADY_EXISTS);
/// The reader is gone.
#[cfg(test)]
pub(crate) const READER_GONE: Errno = Errno::CONNRESET;
/// Out of memory.
pub(crate) const NO_MEMORY: Errno = own(ERROR_NOT_ENOUGH_MEMORY);
/// Not found.
pub(crate) const NOT_FOUND: Errno = own(ERROR_FILE_NOT_FOUND);
/// The system, and not only this process, has no more room for descriptors.
pub(crate) const NO_ROOM_IN_SYSTEM: Errno = own(ERROR_TOO_MANY_OPEN_FILES);
/// Not permitted for this user.
pub(crate) const NOT_PERMITTED: Errno = own(ERROR_ACCESS_DENIED);
