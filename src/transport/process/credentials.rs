//! Which process is at the other end of a Unix socket.

#![allow(unsafe_code)]

use rustix::fd::{AsFd, AsRawFd};
use std::io::Error;

/// The process that connected, as the kernel saw it at that moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// Its user.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Its id; `None` for a process of another namespace, which has no id here.
    pub process: Option<u32>,
}

/// Asks the kernel. rustix has this call too, but its type cannot hold the process id 0, which the kernel gives for a process
/// of another namespace.
///
/// # Errors
/// What the system said.
#[cfg(any(target_os = "linux", target_os = "android"))]
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

/// Asks the kernel, which says nothing of the process here.
///
/// # Errors
/// What the system said.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn of_peer(socket: impl AsFd) -> Result<Credentials, Error> {
    let (mut user, mut group) = (0, 0);
    // SAFETY: both numbers are live.
    if unsafe { libc::getpeereid(socket.as_fd().as_raw_fd(), &raw mut user, &raw mut group) } != 0 {
        return Err(Error::last_os_error());
    }
    Ok(Credentials { user, group, process: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn the_peer_of_a_pair_is_this_process_and_a_pipe_has_none() {
        let (ours, _theirs) = UnixStream::pair().expect("a pair");
        let peer = of_peer(&ours).expect("credentials");
        assert_eq!(peer.user, rustix::process::getuid().as_raw());
        assert_eq!(peer.group, rustix::process::getgid().as_raw());
        if cfg!(target_os = "linux") {
            assert_eq!(peer.process, Some(std::process::id()));
        }
        let (reader, _writer) = rustix::pipe::pipe().expect("a pipe");
        assert_eq!(of_peer(&reader).map_err(|error| error.raw_os_error()), Err(Some(libc::ENOTSOCK)));
    }
}
