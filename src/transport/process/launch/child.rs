//! What the child does between fork and exec: plain system calls, nothing else.

#![allow(unsafe_code)]

use super::descriptors;
use super::failure_page::{FailurePage, last_error};
use super::prepared::{LaunchStep, Prepared};
use rustix::fd::RawFd;
use std::ffi::{CStr, CString, c_char};

/// What the child does. Never returns.
///
/// # Safety
/// Only in a child of `fork`, where only async-signal-safe functions may run: no allocation, no lock, no panic.
pub(super) unsafe fn become_server(
    prepared: &Prepared,
    args: &[*const c_char],
    environment: &[*const c_char],
    streams: [RawFd; 3],
    parent: i32,
    page: &FailurePage,
) -> ! {
    // SAFETY: every function called is a plain system call; all pointers are to memory prepared before the fork, and the
    // arrays of strings end with NULL.
    unsafe {
        libc::setpgid(0, 0);
        for signal in 1..=64 {
            // What the host ignores would stay ignored; handlers are gone with exec, but may not run before it either.
            call::default_action(signal);
        }
        descriptors::close_at_exec();
        // If the host dies, the thread that started the server is gone: a server that ignores the end of its input would
        // otherwise live on.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        if libc::getppid() != parent {
            libc::_exit(1);
        }
        for (target, stream) in (0..).zip(streams) {
            // All of them are above 2, so none overwrites another.
            while call::duplicate(stream, target) == -1 {
                // What the host had there may have to be written back first, and a signal may come in between.
                if errno() != libc::EINTR {
                    fail(page, LaunchStep::Pipes);
                }
            }
        }
        if let Some(cwd) = &prepared.cwd
            && libc::chdir(cwd.as_ptr()) == -1
        {
            fail(page, LaunchStep::Directory);
        }
        call::unblock_signals();
        exec_first(&prepared.programs, args, environment, page)
    }
}

/// System calls without the C library's own work around them: it takes a lock for some (`sigaction` of `SIGABRT` since glibc
/// 2.41), which another thread of the host may have held at the fork, and tools that watch memory put theirs there.
#[cfg(not(any(target_arch = "mips", target_arch = "mips64")))]
mod call {
    use rustix::fd::RawFd;

    /// The kernel's set of 64 signals, in bytes.
    const SIGNAL_SET: usize = 8;

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn default_action(signal: i32) {
        // All zero is the default action without flags, in whatever order an architecture has the fields.
        let zero = [0_u64; 8];
        let none = std::ptr::null_mut::<u64>();
        // SAFETY: the kernel reads less than the array, and writes nothing.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, zero.as_ptr(), none, SIGNAL_SET) };
    }

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn duplicate(from: RawFd, to: RawFd) -> libc::c_long {
        // SAFETY: the caller owns the descriptor it overwrites.
        unsafe { libc::syscall(libc::SYS_dup3, from, to, 0) }
    }

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn unblock_signals() {
        let zero = [0_u64; 1];
        let none = std::ptr::null_mut::<u64>();
        // SAFETY: the kernel reads one set, and writes nothing.
        unsafe {
            libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, zero.as_ptr(), none, SIGNAL_SET)
        };
    }
}

/// What POSIX calls async-signal-safe: the kernel has more signals on this processor.
#[cfg(any(target_arch = "mips", target_arch = "mips64"))]
mod call {
    use rustix::fd::RawFd;

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn default_action(signal: i32) {
        // SAFETY: no handler is set.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn duplicate(from: RawFd, to: RawFd) -> libc::c_int {
        // SAFETY: the caller owns the descriptor it overwrites.
        unsafe { libc::dup2(from, to) }
    }

    /// # Safety
    /// Only in the child.
    pub(super) unsafe fn unblock_signals() {
        let mut none = std::mem::MaybeUninit::uninit();
        // SAFETY: the set is made empty before it is read.
        unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        }
    }
}

/// Becomes the first of the programs that can be.
///
/// # Safety
/// As for [`become_server`].
unsafe fn exec_first(
    programs: &[CString],
    args: &[*const c_char],
    environment: &[*const c_char],
    page: &FailurePage,
) -> ! {
    let mut worst = libc::ENOENT;
    for program in programs {
        let program: &CStr = program;
        // SAFETY: as for the caller.
        unsafe { libc::execve(program.as_ptr(), args.as_ptr(), environment.as_ptr()) };
        match errno() {
            libc::ENOENT | libc::ENOTDIR | libc::ELOOP | libc::ENAMETOOLONG => {}
            // Found, but not to be run: worth telling, unless a later folder has one that is.
            libc::EACCES => worst = libc::EACCES,
            other => {
                worst = other;
                break;
            }
        }
    }
    page.write(LaunchStep::Program, worst);
    // SAFETY: ends the child at once.
    unsafe { libc::_exit(127) }
}

/// # Safety
/// As for [`become_server`].
unsafe fn fail(page: &FailurePage, step: LaunchStep) -> ! {
    page.write(step, errno());
    // SAFETY: ends the child at once.
    unsafe { libc::_exit(127) }
}

/// The error of the last call. `std::io::Error` allocates nothing for one of the system's.
fn errno() -> i32 {
    last_error()
}
