//! Names of threads on macOS and the systems made from it.

#![allow(unsafe_code)]

use std::ffi::CStr;

/// Names the calling thread.
pub(super) fn set_name(name: &CStr) {
    // SAFETY: the name ends with a NUL.
    unsafe { libc::pthread_setname_np(name.as_ptr()) };
}
