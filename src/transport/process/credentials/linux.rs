//! Asks Linux which process is at the other end of a Unix socket.

#![allow(unsafe_code)]

use super::peer::Credentials;
use rustix::fd::{AsFd, AsRawFd};
use std::io::Error;

/// Whether the kernel says which process it is.
#[cfg(test)]
pub(super) const TELLS_PROCESS: bool = true;

/// Asks the kernel. rustix has this call too, but its type cannot hold the process id 0, which the kernel gives for a process
/// of another namespace.
///
/// # Errors
/// What the system said.
pub fn of_peer(socket: impl AsFd) -> Result<Credentials, Error> {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = libc::socklen_t::try_from(size_of::<libc::ucred>()).map_err(Error::other)?;
    // SAFETY: the struct is live, plain numbers, and as long as `length` says.
    let outcome = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut length,
        )
    };
    if outcome != 0 {
        return Err(Error::last_os_error());
    }
    let process = u32::try_from(peer.pid).ok().filter(|pid| *pid != 0);
    Ok(Credentials { user: peer.uid, group: peer.gid, process })
}

/// The user that this process is.
pub fn our_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
