//! No signal interrupts a thread on Windows.

/// Runs `start`.
pub fn with_all_blocked<R>(start: impl FnOnce() -> R) -> R {
    start()
}

/// There is nothing to block.
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only the threads of HTTP begin so"))]
pub fn block_all() {}
