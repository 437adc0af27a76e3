//! The calling thread on macOS.

/// The lowest address of the calling thread's stack.
#[cfg(any(feature = "http", test))]
pub(in crate::ffi) fn stack_end() -> Option<usize> {
    // SAFETY: both calls only read what is known of the calling thread.
    let (highest, size) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread).addr(), libc::pthread_get_stacksize_np(thread))
    };
    highest.checked_sub(size).filter(|_| size > 0)
}

/// The thread's `errno`. Async-signal-safe.
pub(in crate::ffi) fn errno() -> libc::c_int {
    // SAFETY: the calling thread has an `errno`, and the function that says where may be called in a handler.
    unsafe { *libc::__error() }
}

/// Sets it. Async-signal-safe.
pub(in crate::ffi) fn set_errno(errno: libc::c_int) {
    // SAFETY: as above.
    unsafe { *libc::__error() = errno };
}
