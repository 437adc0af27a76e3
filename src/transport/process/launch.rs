//! From a prepared command to a running program, without ever waiting for it.
//!
//! The usual way (a close-on-exec pipe that tells whether `exec` worked) makes the parent wait for the child, and a host that
//! forks at the wrong moment keeps that pipe open for as long as its own child lives. Here the child writes what went wrong
//! into a page that both share, and ends; the parent reads it when it learns of the end. Nothing blocks, nothing is
//! allocated between fork and exec, and no handler of the host's runs in the child.

#![allow(unsafe_code)]

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::process::Pid;
use std::ffi::{CString, c_char};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// A command as the kernel takes it.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The files to try, in order.
    pub(super) programs: Vec<CString>,
    pub(super) args: Vec<CString>,
    pub(super) environment: Vec<CString>,
    pub(super) cwd: Option<CString>,
}

/// Which step of becoming the server failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Entering the directory.
    Directory = 1,
    /// Wiring up the pipes.
    Pipes = 2,
    /// Becoming the program.
    Program = 3,
}

/// What the child says when it could not become the server. Shared memory, never resident unless it is used.
#[derive(Debug)]
pub(super) struct Confession {
    page: NonNull<AtomicU32>,
}

// SAFETY: the page is only ever read and written through the atomic on it.
unsafe impl Send for Confession {}

const PAGE: usize = 4096;
/// The step stands above the error number.
const STEP_SHIFT: u32 = 16;

impl Confession {
    fn new() -> Result<Confession, i32> {
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches no memory of anybody's.
        let page = unsafe {
            libc::mmap(
                ptr::null_mut(),
                PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if page == libc::MAP_FAILED {
            return Err(last_error());
        }
        NonNull::new(page.cast::<AtomicU32>()).map(|page| Confession { page }).ok_or(libc::ENOMEM)
    }

    fn cell(&self) -> &AtomicU32 {
        // SAFETY: the page is mapped, zeroed and aligned for as long as `self` lives.
        unsafe { self.page.as_ref() }
    }

    /// The step that failed and the system's error number, if the child never became the server.
    pub(super) fn read(&self) -> Option<(Step, i32)> {
        let said = self.cell().load(Ordering::Acquire);
        let step = match said >> STEP_SHIFT {
            0 => return None,
            1 => Step::Directory,
            2 => Step::Pipes,
            _ => Step::Program,
        };
        Some((step, i32::try_from(said & 0xffff).unwrap_or(libc::EIO)))
    }

    pub(super) fn write(&self, step: Step, errno: i32) {
        let said = (step as u32) << STEP_SHIFT | u32::try_from(errno).unwrap_or(0) & 0xffff;
        self.cell().store(said, Ordering::Release);
    }
}

impl Drop for Confession {
    fn drop(&mut self) {
        // SAFETY: the page was mapped by `new` and nobody else unmaps it.
        unsafe { libc::munmap(self.page.as_ptr().cast(), PAGE) };
    }
}

pub(super) fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// Starts the program with these descriptors as its standard streams.
///
/// # Errors
/// The system's error number when no process can be made.
pub(super) fn launch(prepared: &Prepared, streams: [&OwnedFd; 3]) -> Result<(Pid, Confession), i32> {
    let confession = Confession::new()?;
    let args = pointers(&prepared.args);
    let environment = pointers(&prepared.environment);
    let streams = streams.map(AsRawFd::as_raw_fd);
    let parent = rustix::process::getpid().as_raw_pid();
    // No handler of the host may run in the child, not even for a fault. The child unblocks them when it has none any more.
    let mask = super::signals::block_every_one();
    let forked = fork_without_handlers();
    let error = last_error();
    if forked != 0 {
        super::signals::restore(&mask);
    }
    if forked < 0 {
        return Err(error);
    }
    match Pid::from_raw(forked) {
        Some(pid) => {
            // The child does it too; whoever is first, the group is there before anybody signals it. It fails only when the
            // child has become its program already.
            let _done_by_the_child = rustix::process::setpgid(Some(pid), Some(pid));
            Ok((pid, confession))
        }
        None => {
            // SAFETY: this is the child of the fork just made, and the vectors outlive the call, which never returns.
            unsafe {
                super::child::become_server(prepared, &args, &environment, streams, parent, &confession)
            }
        }
    }
}

/// Forks without running what the host registered with `pthread_atfork`: such handlers take the host's locks, which a thread
/// that waits for us may hold. The child uses plain system calls only and needs none of what they would set right.
#[cfg(all(target_os = "linux", not(mcp_thread_sanitizer)))]
fn fork_without_handlers() -> i32 {
    const NONE: libc::c_long = 0;
    // SAFETY: without flags but the signal this is `fork`: a copy of the process with a copy of this thread's stack. What the
    // child may do is told at `become_server`.
    let pid =
        unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(libc::SIGCHLD), NONE, NONE, NONE, NONE) };
    i32::try_from(pid).unwrap_or(-1)
}

/// Compiled for `ThreadSanitizer`, the child's every function takes locks of its runtime, which only `fork` sets right.
#[cfg(not(all(target_os = "linux", not(mcp_thread_sanitizer))))]
fn fork_without_handlers() -> i32 {
    // SAFETY: `fork` has no preconditions; what the child may do is told at `become_server`.
    unsafe { libc::fork() }
}
