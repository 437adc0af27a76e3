//! Threads of Rust.

use std::ffi::CStr;
use std::io;
use std::thread::{Builder, JoinHandle};

/// Rust's threads have their names from the beginning.
pub(super) fn set_name(_name: &CStr) {}

/// A thread that was started. One that is dropped goes on alone.
#[derive(Debug)]
pub struct Thread(JoinHandle<()>);

impl Thread {
    pub(super) fn new(name: &str, stack: usize, work: Box<dyn FnOnce() + Send>) -> io::Result<Thread> {
        Builder::new().name(name.to_owned()).stack_size(stack).spawn(work).map(Thread)
    }

    /// Whether its work is done.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for its end.
    pub fn join(self) {
        let _never_a_panic = self.0.join();
    }
}
