//! What every export does with its outcome: errors, text and times go from and to C in one way.

use super::errors::of_export;
use super::guard::{guard_named, of_closure};
use super::memory;
use super::objects::no_memory;
use super::pointer::{Outs, clear, give_text, write};
use super::status::{MCP_ERROR_INTERNAL, MCP_OK, mcp_status_t};
use crate::engine::{Error, Status};
use std::cell::Cell;
use std::ffi::c_char;
use std::time::Duration;

/// Hands an error to C: its status, and its JSON where it is wanted.
pub(super) fn fail(error: &Error, error_json: *mut *mut c_char) -> mcp_status_t {
    if !error_json.is_null()
        && let Some(text) = give_text(&error.to_json())
    {
        write(error_json, text);
    }
    error.status as i32
}

/// Runs an export's body; its error goes to C as a status and, where it is wanted, as JSON. Without an error object
/// `error_json` becomes NULL, so that it may be freed in any case.
pub(super) fn guard_error(
    error_json: *mut *mut c_char,
    body: impl Fn() -> Result<(), Error>,
) -> mcp_status_t {
    status_of(of_closure(&body), error_json, &body)
}

/// The same for an export with more out-parameters, which are cleared before anything can fail.
pub(super) fn guard_out(
    outs: impl Outs,
    error_json: *mut *mut c_char,
    body: impl Fn() -> Result<(), Error>,
) -> mcp_status_t {
    clear(outs);
    status_of(of_closure(&body), error_json, &body)
}

/// The same for an export that takes something of C's into its ownership, whatever comes: a body that fails drops it.
pub(super) fn guard_taking<T>(
    outs: impl Outs,
    error_json: *mut *mut c_char,
    take: impl FnOnce() -> Result<T, Error>,
    body: impl Fn(T) -> Result<(), Error>,
) -> mcp_status_t {
    clear(outs);
    let taken = Cell::new(guard_named(of_closure(&body), None, || Some(take())));
    status_of(of_closure(&body), error_json, &|| match taken.take() {
        Some(taken) => body(taken?),
        None => Err(Error::new(Status::Internal, "call", "what was given could not be taken")),
    })
}

/// One function for all bodies: a copy for each would weigh half a KiB.
pub(super) fn status_of(
    export: &'static str,
    error_json: *mut *mut c_char,
    body: &dyn Fn() -> Result<(), Error>,
) -> mcp_status_t {
    guard_named(export, MCP_ERROR_INTERNAL, || {
        write(error_json, std::ptr::null_mut());
        if memory::is_short() {
            return fail(&no_memory("call"), error_json);
        }
        match body() {
            Ok(()) => MCP_OK,
            Err(error) => fail(&of_export(error), error_json),
        }
    })
}

/// Converts a time from C; a negative one means no limit.
pub(super) fn duration(timeout_ms: i32) -> Option<Duration> {
    u64::try_from(timeout_ms).ok().map(Duration::from_millis)
}

/// Gives text to C.
pub(super) fn give(text: &str, out: *mut *mut c_char, operation: &str) -> Result<(), Error> {
    write(out, give_text(text).ok_or_else(|| no_memory(operation))?);
    Ok(())
}
