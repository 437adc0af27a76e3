//! From a prepared command to a running program, without ever waiting for it.
//!
//! The usual way (a close-on-exec pipe that tells whether `exec` worked) makes the parent wait for the child, and a host that
//! forks at the wrong moment keeps that pipe open for as long as its own child lives. Here the child writes what went wrong
//! into a page that both share, and ends; the parent reads it when it learns of the end. Nothing blocks, nothing is
//! allocated between fork and exec, and no handler of the host's runs in the child. A child that shares the parent's memory until it
//! executes (`CLONE_VFORK`) would start sooner and copy no page tables, but the thread that serves all clients would wait for it: for
//! ever, where a file system does not answer.

#![allow(unsafe_code)]

use super::child::become_server;
use super::failure_page::{FailurePage, last_error};
use super::prepared::{NotLaunched, Prepared};
use crate::transport::process::signals::change_mask;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::process::Pid;
use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// Starts the program with these descriptors as its standard streams.
///
/// # Errors
/// The system's error number when no process can be made.
pub(in crate::transport::process) fn launch(
    prepared: &Prepared,
    streams: [&OwnedFd; 3],
) -> Result<(Pid, FailurePage), NotLaunched> {
    let page = FailurePage::new().map_err(|errno| (None, errno))?;
    let args = pointers(&prepared.args);
    let environment = pointers(&prepared.environment);
    let streams = streams.map(AsRawFd::as_raw_fd);
    let parent = rustix::process::getpid().as_raw_pid();
    // No handler of the host may run in the child, not even for a fault. The child unblocks them when it has none any more.
    let mask = block_every_one();
    let forked = fork_without_handlers();
    let error = last_error();
    if forked != 0 {
        change_mask(libc::SIG_SETMASK, &mask);
    }
    if forked < 0 {
        return Err((None, error));
    }
    match Pid::from_raw(forked) {
        Some(pid) => {
            // The child does it too; in either order, the group is there before a signal is sent to it. It fails only when the
            // child has become its program already.
            let _done_by_the_child = rustix::process::setpgid(Some(pid), Some(pid));
            Ok((pid, page))
        }
        None => {
            // SAFETY: this is the child of the fork just made, and the vectors outlive the call, which never returns.
            unsafe { become_server(prepared, &args, &environment, streams, parent, &page) }
        }
    }
}

/// Blocks every signal on this thread; gives the mask it had.
fn block_every_one() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigfillset` initialises the set it is given.
    let every_one = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    };
    change_mask(libc::SIG_SETMASK, &every_one)
}

/// Forks without running what the host registered with `pthread_atfork`: such handlers take the host's locks, which a thread
/// that waits for us may hold. The child uses plain system calls only and needs none of what they would set right.
#[cfg(not(mcp_thread_sanitizer))]
fn fork_without_handlers() -> i32 {
    const NONE: libc::c_long = 0;
    // SAFETY: without flags but the signal this is `fork`: a copy of the process with a copy of this thread's stack. What the
    // child may do is told at `become_server`.
    let pid =
        unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(libc::SIGCHLD), NONE, NONE, NONE, NONE) };
    i32::try_from(pid).unwrap_or(-1)
}

/// Compiled for `ThreadSanitizer`, the child's every function takes locks of its runtime, which only `fork` sets right.
#[cfg(mcp_thread_sanitizer)]
fn fork_without_handlers() -> i32 {
    // SAFETY: `fork` has no preconditions; what the child may do is told at `become_server`.
    unsafe { libc::fork() }
}
