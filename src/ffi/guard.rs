//! What stands around every export: a panic becomes a value.

use super::status::{MCP_INTERNAL, mcp_status_t};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Not a lock: a child of `fork` would wait for ever for a thread that was about to set the hook.
static QUIET: AtomicBool = AtomicBool::new(false);

/// A panic inside an export is answered by its return value, one on a thread of ours by going on; the default hook would
/// write to the host's stderr.
fn be_quiet_inside() {
    if QUIET.load(Ordering::Relaxed) || QUIET.swap(true, Ordering::Relaxed) {
        return;
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let on_our_thread = std::thread::current().name().is_some_and(|name| name.starts_with("libmcp"));
        if !on_our_thread && !INSIDE.try_with(Cell::get).unwrap_or(true) {
            before(info);
        }
    }));
}

/// Runs an export's body; a panic gives `default`.
pub(super) fn guard<R>(default: R, body: impl FnOnce() -> R) -> R {
    be_quiet_inside();
    let outer = INSIDE.try_with(|inside| inside.replace(true)).unwrap_or(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    // Gone only while the thread ends, when it no longer matters.
    let _thread_ends = INSIDE.try_with(|inside| inside.set(outer));
    outcome.unwrap_or(default)
}

/// Runs an export's body that gives a status.
pub(super) fn guard_status(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard(MCP_INTERNAL, body)
}

/// Has small stacks noticed from now on.
pub(super) fn know_stacks() {
    #[cfg(feature = "http")]
    crate::transport::stack::know_stacks(super::stack::end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_default_and_the_next_call_works() {
        assert_eq!(guard_status(|| panic!("inside")), MCP_INTERNAL);
        assert_eq!(guard_status(|| 0), 0);
    }
}
