//! The few lines that keep signals where they belong: `SIGPIPE` off the thread that writes, all of the host's off our threads.
//!
//! The host's dispositions are never touched, only the mask of the calling thread, and only for the length of one call.

#![allow(unsafe_code)]

use rustix::fd::{AsFd, OwnedFd};
use rustix::io::{Errno, ReadWriteFlags};
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// `RWF_NOSIGNAL` (Linux 6.18): a write that fails with `EPIPE` and raises no signal.
const NO_SIGNAL: u32 = 0x100;
/// The offset that stands for the file's own position; pipes have no other.
const NO_OFFSET: u64 = u64::MAX;

static KERNEL_LACKS_NO_SIGNAL: AtomicBool = AtomicBool::new(false);

/// Writes without ever raising `SIGPIPE` in the host.
///
/// # Errors
/// What the system said.
pub fn write_quietly(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    if !KERNEL_LACKS_NO_SIGNAL.load(Ordering::Relaxed) {
        let flags = ReadWriteFlags::from_bits_retain(NO_SIGNAL);
        match rustix::io::pwritev2(fd.as_fd(), slices, NO_OFFSET, flags) {
            outcome @ (Ok(_) | Err(Errno::AGAIN | Errno::INTR | Errno::PIPE)) => return outcome,
            // Unknown to the kernel, or forbidden by a sandbox: then it is forbidden always.
            Err(_) => {
                let outcome = write_masked(fd, slices);
                if outcome.is_ok() {
                    KERNEL_LACKS_NO_SIGNAL.store(true, Ordering::Relaxed);
                }
                return outcome;
            }
        }
    }
    write_masked(fd, slices)
}

/// Writes with `SIGPIPE` blocked on this thread; one that the write raised is taken before the mask is restored.
fn write_masked(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
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

/// Signals that a fault of a thread itself raises on that thread. Blocked, the kernel ends the process instead of asking the
/// host's handler: a write barrier of its runtime, its crash reporter (`abort` of musl raises `SIGABRT` once before it
/// unblocks it), its sandbox (`SIGSYS` of a seccomp filter).
const FAULTS: [i32; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS, libc::SIGABRT];

/// Runs `start` with every signal blocked but those of [`FAULTS`], which stay as they are. A thread that it starts begins with
/// that mask, so that no signal meant for the host is ever handled on a thread of ours, and a fault in a callback of the
/// host's is.
pub fn with_all_blocked<R>(start: impl FnOnce() -> R) -> R {
    let before = change_mask(libc::SIG_BLOCK, &all_but_faults());
    let outcome = start();
    change_mask(libc::SIG_SETMASK, &before);
    outcome
}

/// Blocks every signal on this thread, for good, but those of [`FAULTS`].
pub fn block_all() {
    change_mask(libc::SIG_BLOCK, &all_but_faults());
}

/// Blocks every signal on this thread; gives what [`restore`] takes.
pub(super) fn block_every_one() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigfillset` initialises the set it is given.
    let every_one = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    };
    change_mask(libc::SIG_SETMASK, &every_one)
}

/// Gives this thread the mask it had.
pub(super) fn restore(before: &libc::sigset_t) {
    change_mask(libc::SIG_SETMASK, before);
}

fn all_but_faults() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigfillset` initialises the set, `sigdelset` takes valid signal numbers out of it.
    unsafe {
        libc::sigfillset(set.as_mut_ptr());
        for signal in FAULTS {
            libc::sigdelset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

fn one_signal(signal: i32) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set, `sigaddset` adds a valid signal number to it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        set.assume_init()
    }
}

fn change_mask(how: i32, set: &libc::sigset_t) -> libc::sigset_t {
    let mut before = one_signal(libc::SIGPIPE);
    // SAFETY: both sets are live and initialised; the call changes only this thread's mask.
    unsafe { libc::pthread_sigmask(how, set, &raw mut before) };
    before
}

fn is_pending(signal: i32) -> bool {
    let mut pending = one_signal(signal);
    // SAFETY: the set is live and initialised; `sigismember` only reads it.
    unsafe { libc::sigpending(&raw mut pending) == 0 && libc::sigismember(&raw const pending, signal) == 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_report_a_reader_that_is_gone_and_raise_nothing() {
        // The test process must not ignore SIGPIPE for this to show anything; Rust's test harness does, so ask for the
        // default in a child thread's mask-independent way: the disposition is process-wide, hence only the error is
        // asserted here and the C test `c04` shows the signal's absence.
        for write in [write_quietly, write_masked] {
            let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
            assert_eq!(write(&writer, &[IoSlice::new(b"ab"), IoSlice::new(b"c")]), Ok(3));
            drop(reader);
            assert_eq!(write(&writer, &[IoSlice::new(b"x")]), Err(Errno::PIPE));
        }
    }

    #[test]
    fn the_callers_mask_is_as_it_was() {
        let before = change_mask(libc::SIG_BLOCK, &one_signal(libc::SIGUSR1));
        with_all_blocked(|| ());
        // SAFETY: the set is initialised.
        let has = |set: &libc::sigset_t, signal| unsafe { libc::sigismember(set, signal) } == 1;
        let now = change_mask(libc::SIG_SETMASK, &before);
        assert!(has(&now, libc::SIGUSR1) && !has(&now, libc::SIGUSR2));
    }
}
