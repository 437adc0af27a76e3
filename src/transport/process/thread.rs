//! Threads of the library.
//!
//! Rust's own threads have a handle that Rust allocates past the allocator of the program, and ends the process where the system
//! refuses these bytes. Here it is refused as an error, or comes from the library's reserve.

use crate::transport::process::per_process::PerProcess;
use crate::transport::system::process::name_thread;
pub use crate::transport::system::threads::Thread;
use crate::transport::system::threads::with_all_blocked;
use std::any::Any;
use std::cell::Cell;
use std::ffi::CStr;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// The stack of a thread, as Rust gives it. It counts against `RLIMIT_AS`.
pub const STACK: usize = 2 * 1024 * 1024;

/// As many bytes of a name as Linux keeps, with the NUL.
const NAME: usize = 16;

thread_local! {
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// Threads of the library in this process.
static COUNTS: PerProcess<Counts> = PerProcess::new(Counts::default);

/// Each thread counts itself, so that those which have begun and not ended are never more than the system has.
#[derive(Default)]
struct Counts {
    begun: AtomicU64,
    ended: AtomicU64,
}

/// How many threads of the library have begun in this process, and how many of them have ended.
#[allow(dead_code, reason = "some systems need no count")]
pub(crate) fn begun_and_ended() -> (u64, u64) {
    let counts = COUNTS.get();
    (counts.begun.load(Ordering::SeqCst), counts.ended.load(Ordering::SeqCst))
}

/// Whether the library started the calling thread.
pub fn is_ours() -> bool {
    IS_OURS.get()
}

/// Starts a thread with the host's signals blocked. A panic in `work` ends the thread and nothing else. Systems show at most 15
/// bytes of its name.
///
/// # Errors
/// That the system makes no thread.
pub fn start(name: &str, stack: usize, work: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
    let mut kept = [0; NAME];
    for (to, from) in kept.iter_mut().zip(name.bytes().take(NAME - 1)) {
        *to = from;
    }
    // Here and not on the thread, where memory may be refused.
    let counts = COUNTS.get();
    let work = Box::new(move || {
        counts.begun.fetch_add(1, Ordering::SeqCst);
        if let Ok(name) = CStr::from_bytes_until_nul(&kept) {
            name_thread(name);
        }
        IS_OURS.set(true);
        // No panic may leave the function that the system calls; what it carries may panic when it is dropped.
        let dropped = |payload: Box<dyn Any + Send>| catch_unwind(AssertUnwindSafe(move || drop(payload)));
        let _ended_either_way = catch_unwind(AssertUnwindSafe(work)).map_err(dropped);
        counts.ended.fetch_add(1, Ordering::SeqCst);
    });
    with_all_blocked(|| Thread::new(name, stack, work))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_ends_and_is_joined_whether_it_panics_or_not() {
        struct PanicsWhenDropped;
        impl Drop for PanicsWhenDropped {
            fn drop(&mut self) {
                panic!("and again");
            }
        }
        let works: [fn(); 3] = [
            || (),
            || panic!("once"),
            || {
                std::panic::panic_any(PanicsWhenDropped);
            },
        ];
        for work in works {
            let (gate, wait) = channel::<()>();
            let thread = start("libmcp-test", STACK, move || {
                let _opened = wait.recv();
                assert!(is_ours());
                work();
            });
            let thread = thread.expect("a thread can be had");
            assert!(!thread.is_finished() && !is_ours());
            drop(gate);
            thread.join();
        }
    }

    #[test]
    fn a_thread_that_is_left_alone_goes_on() {
        let (say, hear) = channel();
        let (gate, wait) = channel::<()>();
        let thread = start("libmcp-of-a-very-long-name", 128 * 1024, move || {
            let _opened = wait.recv();
            say.send(7).expect("it is awaited");
        });
        drop(thread.expect("a thread can be had"));
        drop(gate);
        assert_eq!(hear.recv(), Ok(7));
    }

    #[test]
    fn a_thread_that_cannot_be_made_gives_back_what_it_was_for() {
        let (say, hear) = channel::<()>();
        // No system has so many addresses.
        let refused = start("libmcp-test", usize::MAX / 2 / 4096 * 4096, move || drop(say));
        assert!(refused.is_err());
        assert!(hear.recv().is_err());
    }
}
