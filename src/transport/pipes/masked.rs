//! A write with `SIGPIPE` blocked on the calling thread.
//!
//! The host's disposition is never touched, only the mask of the thread, and only for the length of the call.

#![allow(unsafe_code)]

use crate::transport::process::signals::{change_mask, one_signal};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::io::IoSlice;
use std::ptr;

/// Writes with `SIGPIPE` blocked on this thread; one that the write raised is taken before the mask is restored.
///
/// # Errors
/// What the system said.
pub fn write_masked(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    let pipe_signal = one_signal(libc::SIGPIPE);
    let before = change_mask(libc::SIG_BLOCK, &pipe_signal);
    let pending_before = is_pending(libc::SIGPIPE);
    let outcome = rustix::io::writev(fd.as_fd(), slices);
    if outcome == Err(Errno::PIPE) && !pending_before {
        let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both pointers are to live values of this function; the info pointer may be null.
        while unsafe { libc::sigtimedwait(&raw const pipe_signal, ptr::null_mut(), &raw const now) } == -1
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
    }
    change_mask(libc::SIG_SETMASK, &before);
    outcome
}

fn is_pending(signal: i32) -> bool {
    let mut pending = one_signal(signal);
    // SAFETY: the set is live and initialised; `sigismember` only reads it.
    unsafe { libc::sigpending(&raw mut pending) == 0 && libc::sigismember(&raw const pending, signal) == 1 }
}
