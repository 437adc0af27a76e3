//! Names of threads on Linux and Android.

use std::ffi::CStr;

/// Names the calling thread.
pub(super) fn set_name(name: &CStr) {
    // A name is for debuggers alone.
    let _named_or_not = rustix::thread::set_name(name);
}
