//! Masks of signals.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

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

/// The set with this signal alone.
pub(in crate::transport) fn one_signal(signal: i32) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set, `sigaddset` adds a valid signal number to it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        set.assume_init()
    }
}

/// Changes the mask of this thread; gives the one it had.
pub(in crate::transport) fn change_mask(how: i32, set: &libc::sigset_t) -> libc::sigset_t {
    let mut before = one_signal(libc::SIGPIPE);
    // SAFETY: both sets are live and initialised; the call changes only this thread's mask.
    unsafe { libc::pthread_sigmask(how, set, &raw mut before) };
    before
}

#[cfg(test)]
mod tests {
    use super::*;

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
