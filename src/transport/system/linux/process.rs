//! Processes of Linux and Android: the peer of a Unix socket, the end of a process, the name of a thread, and a page that `fork` clears.

#![allow(unsafe_code)]

use crate::transport::process::Credentials;
use crate::transport::system::IS_ANDROID;
use rustix::fd::{AsFd, AsRawFd};
use std::ffi::CStr;
use std::io::Error;
use std::ptr;
use std::sync::atomic::AtomicU64;

/// Asks the kernel. rustix has this call too, but its type cannot hold the process id 0, which the kernel gives for a process
/// of another namespace.
///
/// # Errors
/// What the system said.
pub fn peer_credentials(socket: impl AsFd) -> Result<Credentials, Error> {
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

/// The effective user of this process.
pub fn our_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Sets the name of the calling thread.
pub(crate) fn name_thread(name: &CStr) {
    // A name is for debuggers alone.
    let _named_or_not = rustix::thread::set_name(name);
}

const PAGE_BYTES: usize = 4096;

/// A page that the kernel zeroes in every child of this process; `None` where it cannot.
pub(crate) fn wiped_on_fork() -> Option<*mut AtomicU64> {
    // A child is then told by its number.
    if IS_ANDROID || cfg!(mcp_poll_backend) {
        return None;
    }
    // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no memory of the host.
    let page = unsafe {
        libc::mmap(
            ptr::null_mut(),
            PAGE_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if page == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the range is the mapping just made.
    if unsafe { libc::madvise(page, PAGE_BYTES, libc::MADV_WIPEONFORK) } != 0 {
        // SAFETY: as above; no other thread has seen it yet.
        unsafe { libc::munmap(page, PAGE_BYTES) };
        return None;
    }
    Some(page.cast())
}

/// Gives such a page back that no other thread has seen.
pub(crate) fn unmap(page: *mut AtomicU64) {
    // SAFETY: it comes from `wiped_on_fork`, and nothing else knows of it.
    unsafe { libc::munmap(page.cast(), PAGE_BYTES) };
}
