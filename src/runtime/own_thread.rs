//! Threads of the library, and numbers by which threads are told apart.
//!
//! `std::thread::current()` allocates an object for a thread that Rust did not start, such as the program's main thread, and
//! frees it when that thread ends. A main thread that returns from `main` never ends in that sense, so leak checkers report the
//! object as possibly lost. A number needs no memory of its own.

use crate::transport::process::thread::{self, STACK, Thread};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// Zero until the thread is asked for its number.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// The number of the calling thread: never zero, and never that of another thread, not even of one that has ended.
pub(crate) fn this_thread() -> u64 {
    let known = NUMBER.get();
    if known != 0 {
        return known;
    }
    let fresh = next();
    NUMBER.set(fresh);
    fresh
}

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A thread of the library, which was started with the host's signals blocked.
#[derive(Debug)]
pub(crate) struct OwnThread {
    number: u64,
    thread: Thread,
}

impl OwnThread {
    /// # Errors
    /// That the system makes no thread.
    pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<OwnThread> {
        let number = next();
        let numbered = move || {
            NUMBER.set(number);
            work();
        };
        let thread = thread::start(name, STACK, numbered)?;
        Ok(OwnThread { number, thread })
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for its end, which may be a panic. The thread itself may ask for this too: it is then left alone.
    pub(crate) fn join(self) {
        if !self.is_this() {
            self.thread.join();
        }
    }

    /// Whether it is the calling thread.
    pub(crate) fn is_this(&self) -> bool {
        self.number == this_thread()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_keeps_its_number_and_shares_it_with_no_other() {
        let mine = this_thread();
        assert_ne!(mine, 0);
        assert_eq!(mine, this_thread());
        let other = std::thread::spawn(this_thread).join().expect("no panic");
        assert_ne!(mine, other);
    }

    #[test]
    fn a_thread_of_the_library_knows_itself_and_does_not_wait_for_itself() {
        let (give, take) = channel::<OwnThread>();
        let (say, hear) = channel();
        let thread = OwnThread::spawn("libmcp-test", move || {
            let me = take.recv().expect("it is sent");
            say.send(me.is_this()).expect("it is awaited");
            me.join();
            say.send(true).expect("it is awaited");
        });
        let thread = thread.expect("a thread can be had");
        assert!(!thread.is_this());
        give.send(thread).expect("it is awaited");
        assert!(hear.recv().expect("it comes"));
        assert!(hear.recv().expect("it comes"));
    }
}
