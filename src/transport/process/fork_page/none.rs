//! Where no such page can be had: the number of the process tells a child from its parent.

use std::sync::atomic::AtomicU64;

/// There is none.
pub(in crate::transport::process) fn wiped_on_fork() -> Option<*mut AtomicU64> {
    None
}

/// There is none.
pub(in crate::transport::process) fn unmap(_page: *mut AtomicU64) {}
