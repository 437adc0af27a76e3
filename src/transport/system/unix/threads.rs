//! Threads by `pthread_create`, masks of signals, and the names of signals.

#![allow(unsafe_code)]
// What a thread begins with belongs to it: it becomes a pointer there, and a box again.
#![allow(clippy::disallowed_methods)]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

/// A thread that was started. One that is dropped is detached.
#[derive(Debug)]
pub struct Thread {
    /// Until it is joined.
    id: Option<libc::pthread_t>,
    has_ended: Arc<AtomicBool>,
}

// SAFETY: the number of a thread, which musl has as a pointer, may be used by every thread.
unsafe impl Send for Thread {}
// SAFETY: as above.
unsafe impl Sync for Thread {}

/// What a thread runs.
type Work = Box<dyn FnOnce() + Send>;

/// What a thread begins with.
struct ThreadStart {
    work: Work,
    has_ended: Arc<AtomicBool>,
}

impl Thread {
    /// The thread names itself.
    pub(crate) fn new(_name: &str, stack: usize, work: Work) -> io::Result<Thread> {
        let has_ended = Arc::new(AtomicBool::new(false));
        let start = Box::new(ThreadStart { work, has_ended: Arc::clone(&has_ended) });
        let start = Box::into_raw(start);
        match create(stack, start) {
            Ok(id) => Ok(Thread { id: Some(id), has_ended }),
            Err(error) => {
                // SAFETY: it came from a box just now, and no thread has it.
                drop(unsafe { Box::from_raw(start) });
                Err(error)
            }
        }
    }

    /// Whether its work is done.
    pub fn is_finished(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// Waits for its end.
    pub fn join(mut self) {
        if let Some(id) = self.id.take() {
            // SAFETY: the thread was neither joined nor detached: both take its number.
            unsafe { libc::pthread_join(id, std::ptr::null_mut()) };
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            // SAFETY: as in `join`.
            unsafe { libc::pthread_detach(id) };
        }
    }
}

fn create(stack: usize, start: *mut ThreadStart) -> io::Result<libc::pthread_t> {
    let said = |number| if number == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(number)) };
    let mut attributes = MaybeUninit::uninit();
    let mut id = MaybeUninit::uninit();
    // SAFETY: the attributes are initialised before they are used, and given up once. `run` takes `start`, which is live, and the
    // new thread alone has it where one was made, which is when `id` was written.
    unsafe {
        said(libc::pthread_attr_init(attributes.as_mut_ptr()))?;
        let made = said(libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack)).and_then(|()| {
            said(libc::pthread_create(id.as_mut_ptr(), attributes.as_ptr(), run, start.cast()))
        });
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        made.map(|()| id.assume_init())
    }
}

extern "C" fn run(start: *mut c_void) -> *mut c_void {
    // SAFETY: it came from a box, see `create`, and is this thread's. Freed here and not at the end: the C library gives the
    // thread its part of the heap at once, and not when memory may be short.
    let ThreadStart { work, has_ended } = *unsafe { Box::from_raw(start.cast::<ThreadStart>()) };
    work();
    has_ended.store(true, Ordering::Release);
    std::ptr::null_mut()
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

/// The set with these signals.
pub(crate) fn signals(which: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set, `sigaddset` adds valid signal numbers to it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in which {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        set.assume_init()
    }
}

/// Changes the mask of this thread; gives the one it had.
pub(crate) fn change_mask(how: i32, set: &libc::sigset_t) -> libc::sigset_t {
    let mut before = signals(&[libc::SIGPIPE]);
    // SAFETY: both sets are live and initialised; the call changes only this thread's mask.
    unsafe { libc::pthread_sigmask(how, set, &raw mut before) };
    before
}

/// Says with which status a process exited.
pub(crate) fn write_exit_status(f: &mut fmt::Formatter<'_>, code: i32) -> fmt::Result {
    write!(f, "the server exited with status {code}")
}

/// The name of a signal.
pub(crate) fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGTERM => "SIGTERM",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callers_mask_is_as_it_was() {
        let before = change_mask(libc::SIG_BLOCK, &signals(&[libc::SIGUSR1]));
        with_all_blocked(|| ());
        // SAFETY: the set is initialised.
        let has = |set: &libc::sigset_t, signal| unsafe { libc::sigismember(set, signal) } == 1;
        let now = change_mask(libc::SIG_SETMASK, &before);
        assert!(has(&now, libc::SIGUSR1) && !has(&now, libc::SIGUSR2));
    }
}
