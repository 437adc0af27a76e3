//! The calling thread: where its stack ends, and where its `errno` is. No other file of this layer asks for the system.

/// The lowest address of the calling thread's stack; `None` where the system does not say.
#[cfg(all(target_os = "linux", any(feature = "http", test)))]
pub(super) fn stack_end() -> Option<usize> {
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

/// The lowest address of the calling thread's stack.
#[cfg(all(target_vendor = "apple", any(feature = "http", test)))]
pub(super) fn stack_end() -> Option<usize> {
    // SAFETY: both calls only read what is known of the calling thread.
    let (highest, size) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread).addr(), libc::pthread_get_stacksize_np(thread))
    };
    highest.checked_sub(size).filter(|_| size > 0)
}

/// These systems do not say where a stack ends.
#[cfg(all(not(any(target_os = "linux", target_vendor = "apple")), any(feature = "http", test)))]
pub(super) fn stack_end() -> Option<usize> {
    None
}

/// Where the `errno` of the calling thread is.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn errno_location() -> *mut libc::c_int {
    #[cfg(target_os = "linux")]
    // SAFETY: the function has no precondition, and may be called in a signal handler.
    let location = unsafe { libc::__errno_location() };
    #[cfg(target_vendor = "apple")]
    // SAFETY: as above.
    let location = unsafe { libc::__error() };
    location
}

/// The thread's `errno`. Async-signal-safe.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn errno() -> libc::c_int {
    // SAFETY: the calling thread has an `errno`.
    unsafe { *errno_location() }
}

/// Sets it. Async-signal-safe.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn set_errno(errno: libc::c_int) {
    // SAFETY: the calling thread has an `errno`.
    unsafe { *errno_location() = errno };
}

/// Elsewhere no signal handler interrupts a thread, or the system calls are made without `errno`.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn errno() -> i32 {
    0
}

/// See `errno`.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn set_errno(_errno: i32) {}

#[cfg(test)]
mod tests {
    #[test]
    fn a_thread_stands_on_its_stack() {
        let on = |bytes: usize| {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(|| {
                let here = 0u8;
                super::stack_end().map(|end| std::ptr::from_ref(&here).addr() - end)
            });
            thread.expect("a thread").join().expect("no panic")
        };
        let Some(small) = on(256 * 1024) else {
            assert_eq!(on(4 * 1024 * 1024), None, "the system never tells");
            return;
        };
        // musl gives a thread a little more than it asks for.
        assert!((64 * 1024..=272 * 1024).contains(&small), "{small}");
        assert!(on(4 * 1024 * 1024) > Some(3 * 1024 * 1024));
    }
}
