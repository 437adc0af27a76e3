//! The calling thread where the system does not tell of its stack.

/// The system does not tell.
#[cfg(any(feature = "http", test))]
pub(in crate::ffi) fn stack_end() -> Option<usize> {
    None
}

/// The error that a handler of a signal may have interrupted.
pub(in crate::ffi) fn errno() -> i32 {
    0
}

/// There are no handlers of signals here that interrupt a thread, or the system calls are made without `errno`.
pub(in crate::ffi) fn set_errno(_errno: i32) {}
