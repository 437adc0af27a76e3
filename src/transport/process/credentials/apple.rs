//! Asks macOS which process is at the other end of a Unix socket.

#![allow(unsafe_code)]

use super::peer::Credentials;
use rustix::fd::{AsFd, AsRawFd};
use std::io::Error;

/// Whether the kernel says which process it is.
#[cfg(test)]
pub(super) const TELLS_PROCESS: bool = true;

/// Asks the kernel.
///
/// # Errors
/// What the system said.
pub fn of_peer(socket: impl AsFd) -> Result<Credentials, Error> {
    let socket = socket.as_fd().as_raw_fd();
    let (mut user, mut group) = (0, 0);
    // SAFETY: both numbers are live.
    if unsafe { libc::getpeereid(socket, &raw mut user, &raw mut group) } != 0 {
        return Err(Error::last_os_error());
    }
    let mut pid: libc::pid_t = 0;
    let mut length = libc::socklen_t::try_from(size_of::<libc::pid_t>()).map_err(Error::other)?;
    // SAFETY: the number is live, and as long as `length` says.
    let outcome = unsafe {
        libc::getsockopt(socket, libc::SOL_LOCAL, libc::LOCAL_PEERPID, (&raw mut pid).cast(), &raw mut length)
    };
    let process = if outcome == 0 { u32::try_from(pid).ok().filter(|pid| *pid != 0) } else { None };
    Ok(Credentials { user, group, process })
}

/// The user that this process is.
pub fn our_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
