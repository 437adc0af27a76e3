//! Whether the calling thread has stack enough for the work of others: a thread that waits over HTTP drives everything, and what
//! a server sends decides how much stack that takes. The layer above knows where stacks end; without it they count as large.

use super::process::per_process::PerProcess;
use std::cell::Cell;
use std::sync::OnceLock;

/// What a thread must have left to drive. TLS and unpacking take less than half of it.
const ENOUGH: usize = 192 * 1024;

/// Gives the lowest address of the calling thread's stack.
pub type Probe = fn() -> Option<usize>;

static PROBE: PerProcess<OnceLock<Probe>> = PerProcess::new(OnceLock::new);

thread_local! {
    static END: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Has small stacks noticed from now on.
pub fn know_stacks(probe: Probe) {
    PROBE.get().get_or_init(|| probe);
}

/// Whether the calling thread should leave the work to another.
pub fn is_small() -> bool {
    let Some(probe) = PROBE.get().get() else { return false };
    // Asked once for each thread: for the first one the system has to look it up.
    let end = END.try_with(|known| {
        let end = known.get().unwrap_or_else(|| probe().unwrap_or(0));
        known.set(Some(end));
        end
    });
    let here = 0u8;
    // While a thread ends it has no such memory any more, and little to do.
    end.is_ok_and(|end| std::ptr::from_ref(&here).addr().saturating_sub(end) < ENOUGH)
}
