//! Processes of macOS and the systems made from it: the peer of a Unix socket, the end of a process, the name of a thread.

#![allow(unsafe_code)]

use crate::transport::process::Credentials;
use rustix::event::Timespec;
use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent_timespec, kqueue};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::io::FdFlags;
use rustix::process::Pid;
use std::ffi::CStr;
use std::io::Error;
use std::mem::MaybeUninit;

/// The process at the other end, as the kernel saw it.
///
/// # Errors
/// What the system said.
pub fn peer_credentials(socket: impl AsFd) -> Result<Credentials, Error> {
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

/// The effective user of this process.
pub fn our_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Readable when the process has ended: the event is never taken out. None where no descriptor is left, and for a process that has
/// ended already, which the kernel does not watch any more: then its end is found by looking.
pub(crate) fn exit_descriptor(process: Pid) -> Option<OwnedFd> {
    let queue = kqueue().ok()?;
    rustix::io::fcntl_setfd(&queue, FdFlags::CLOEXEC).ok()?;
    let exit = EventFilter::Proc { pid: process, flags: ProcessEvents::EXIT };
    let change = Event::new(exit, EventFlags::ADD, std::ptr::null_mut());
    let mut none: [MaybeUninit<Event>; 0] = [];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the change names a process and no descriptor.
    unsafe { kevent_timespec(&queue, &[change], &mut none[..], Some(&now)) }.ok()?;
    Some(queue)
}

/// Sets the name of the calling thread.
pub(crate) fn name_thread(name: &CStr) {
    // SAFETY: the name ends with a NUL.
    unsafe { libc::pthread_setname_np(name.as_ptr()) };
}
