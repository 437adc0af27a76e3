//! The calling thread on Linux.

/// The lowest address of the calling thread's stack; none where the system does not tell.
#[cfg(any(feature = "http", test))]
pub(in crate::ffi) fn stack_end() -> Option<usize> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are written by the first call, read by the second only if it succeeded, and then destroyed.
    let found = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        found
    };
    (found == 0 && size > 0).then(|| lowest.addr())
}

/// The thread's `errno`. Async-signal-safe.
pub(in crate::ffi) fn errno() -> libc::c_int {
    // SAFETY: the calling thread has an `errno`, and the function that says where may be called in a handler.
    unsafe { *libc::__errno_location() }
}

/// Sets it. Async-signal-safe.
pub(in crate::ffi) fn set_errno(errno: libc::c_int) {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}
