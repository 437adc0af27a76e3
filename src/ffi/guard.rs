//! What stands around every export: a panic becomes a value, and use after `fork` is refused.

use super::status::{MCP_FORKED, MCP_INTERNAL, mcp_status_t};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

static QUIET: Once = Once::new();
static OWNER: AtomicU32 = AtomicU32::new(0);

/// A panic inside an export is answered by its return value; the default hook would write to the host's stderr.
fn be_quiet_inside() {
    QUIET.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !INSIDE.try_with(Cell::get).unwrap_or(true) {
                before(info);
            }
        }));
    });
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

/// Remembers the process that makes handles.
pub(super) fn own_process() {
    // A second process would need a fork, which `forked` refuses before this is reached again.
    let _remembered_already =
        OWNER.compare_exchange(0, std::process::id(), Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether this is a child of the process that made the handles. Its locks and threads are not ours to use.
pub(super) fn forked() -> bool {
    let owner = OWNER.load(Ordering::Relaxed);
    owner != 0 && owner != std::process::id()
}

/// The status of a call in such a child.
pub(super) const FORKED: mcp_status_t = MCP_FORKED;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_default_and_the_next_call_works() {
        assert_eq!(guard_status(|| panic!("inside")), MCP_INTERNAL);
        assert_eq!(guard_status(|| 0), 0);
    }
}
