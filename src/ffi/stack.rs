//! The end of the stack of a thread.

/// The lowest address of the calling thread's stack; none where the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn end() -> Option<usize> {
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

#[cfg(not(target_os = "linux"))]
pub(super) fn end() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_stands_on_its_stack() {
        let on = |bytes: usize| {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(|| {
                let here = 0u8;
                let end = super::end().expect("Linux tells");
                std::ptr::from_ref(&here).addr() - end
            });
            thread.expect("a thread").join().expect("no panic")
        };
        assert!((64 * 1024..=256 * 1024).contains(&on(256 * 1024)));
        assert!(on(4 * 1024 * 1024) > 3 * 1024 * 1024);
    }
}
