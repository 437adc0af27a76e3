//! What stands around every export: a panic becomes a value.

use super::panics;
use super::status::{MCP_INTERNAL, mcp_status_t};

/// Runs an export's body; a panic gives `default`.
pub(super) fn guard<R>(default: R, body: impl FnOnce() -> R) -> R {
    panics::caught(body).unwrap_or(default)
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
