//! How errors, text and times go from and to C; the object that a value is part of.

use super::guard::{forked_error, guard_named, guard_status, of_closure, of_export};
use super::memory;
use super::objects::{Build, Content, no_memory};
use super::pointer::{Decoded, Held, Outs, clear, dead, give_text, held, take, write};
use super::status::{MCP_ERROR_INTERNAL, MCP_OK, mcp_status_t};
use crate::engine::{Error, Status};
use std::cell::Cell;
use std::ffi::c_char;
use std::sync::PoisonError;
use std::time::Duration;

/// Hands an error to C: its status, and its JSON where it is wanted.
pub(super) fn fail(error: &Error, error_json: *mut *mut c_char) -> mcp_status_t {
    // A positive status is no failure, and has no error object.
    if !error_json.is_null()
        && (error.status as i32) < 0
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

/// The text that values are part of.
pub(super) struct Owner<'a> {
    pub(super) text: &'a [u8],
    pub(super) decoded: &'a Decoded,
}

impl<'a> Owner<'a> {
    /// The text of a message or document, if that is live.
    #[inline(never)]
    pub(super) fn of(handle: usize) -> Option<Owner<'a>> {
        let held = held(handle)?;
        let text = match &held.content {
            Content::Message(message) => {
                let text = message.json_with_nul();
                text.strip_suffix(b"\0").unwrap_or(text)
            }
            Content::Document(document) => &document.text,
            Content::Builder(_) => return None,
            #[cfg(feature = "client")]
            Content::App(_) => return None,
        };
        Some(Owner { text, decoded: &held.decoded })
    }
}

/// Runs with a builder that this process made.
pub(super) fn with_builder(
    handle: usize,
    run: &mut dyn FnMut(&mut Build) -> Result<(), Error>,
) -> Result<(), Error> {
    match held(handle) {
        // Its lock may be held by a thread of the parent.
        Some(held) if matches!(held.content, Content::Builder(_)) && !held.is_ours() => Err(forked_error()),
        Some(Held { content: Content::Builder(build), .. }) => {
            run(&mut build.lock().unwrap_or_else(PoisonError::into_inner))
        }
        _ => Err(dead("builder", handle)),
    }
}

/// The body of every export that frees something of a kind.
#[inline(never)]
pub(super) fn guard_free(handle: usize, name: &str, is_kind: fn(&Content) -> bool) -> mcp_status_t {
    guard_status(|| match take(handle, name, is_kind) {
        Ok(()) => MCP_OK,
        Err(error) => error.status as i32,
    })
}
