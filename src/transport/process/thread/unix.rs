//! Threads by `pthread_create`.

#![allow(unsafe_code)]
// What a thread begins with belongs to it: it becomes a pointer there, and a box again.
#![allow(clippy::disallowed_methods)]

use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A thread that was started. One that is dropped goes on alone.
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
struct Start {
    work: Work,
    has_ended: Arc<AtomicBool>,
}

impl Thread {
    /// The thread names itself.
    pub(super) fn new(_name: &str, stack: usize, work: Work) -> io::Result<Thread> {
        let has_ended = Arc::new(AtomicBool::new(false));
        let start = Box::new(Start { work, has_ended: Arc::clone(&has_ended) });
        let start = Box::into_raw(start);
        match create(stack, start) {
            Ok(id) => Ok(Thread { id: Some(id), has_ended }),
            Err(error) => {
                // SAFETY: it came from a box just now, and there is no thread that has it.
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

fn create(stack: usize, start: *mut Start) -> io::Result<libc::pthread_t> {
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
    let Start { work, has_ended } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    work();
    has_ended.store(true, Ordering::Release);
    std::ptr::null_mut()
}
