//! The guard around every export: it turns a panic into a return value.

use super::panics;
use super::status::{MCP_ERROR_INTERNAL, mcp_status_t};
use super::thread;

/// Runs an export's body; a panic gives `default`.
pub(super) fn guard<R>(default: R, body: impl FnOnce() -> R) -> R {
    panics::caught("", body).unwrap_or(default)
}

/// The same for an export whose errors are told: they name it.
pub(super) fn guard_named<R>(export: &'static str, default: R, body: impl FnOnce() -> R) -> R {
    panics::caught(export, body).unwrap_or(default)
}

/// The export that a closure stands in, as [`guard_named`] takes it: Rust's name of the closure, such as
/// `mcp::ffi::calls::mcp_call::{{closure}}`.
pub(super) fn of_closure<F>(_: &F) -> &'static str {
    std::any::type_name::<F>()
}

/// The name of the export that this thread runs, such as `mcp_call`. `None` where its errors are not told.
pub(super) fn export() -> Option<&'static str> {
    let path = panics::export();
    let name = &path[path.find("::mcp_")? + 2..];
    name.split(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).next()
}

/// Runs an export's body that gives a status.
pub(super) fn guard_status(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard(MCP_ERROR_INTERNAL, body)
}

/// The same where a reply carries the error.
#[cfg(feature = "client")]
pub(super) fn guard_reply(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard_named(of_closure(&body), MCP_ERROR_INTERNAL, body)
}

/// Runs the body of an export that a signal handler may call: `errno` stays as it was, and nothing is used that is not
/// async-signal-safe, as long as the body does not panic.
pub(super) fn guard_in_handler(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    let _errno = KeptErrno::now();
    panics::caught_in_handler(body).unwrap_or(MCP_ERROR_INTERNAL)
}

/// Puts back the calling thread's `errno` at its end.
struct KeptErrno(i32);

impl KeptErrno {
    fn now() -> KeptErrno {
        KeptErrno(thread::errno())
    }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        thread::set_errno(self.0);
    }
}

/// Has small stacks noticed from now on.
pub(super) fn know_stacks() {
    #[cfg(feature = "http")]
    crate::transport::stack::know_stacks(thread::stack_end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_default_and_the_next_call_works() {
        assert_eq!(guard_status(|| panic!("inside")), MCP_ERROR_INTERNAL);
        assert_eq!(guard_status(|| 0), 0);
    }
}
