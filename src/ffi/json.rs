//! JSON for programs without a JSON library.

use super::client::give;
use super::guard::guard_status;
use super::pointer::{needed_text, null, write};
use super::status::{MCP_EMPTY, MCP_OK, mcp_status_t};
use crate::engine::{Error, Status};
use crate::json;
use std::ffi::c_char;

/// The most that JSON given to these functions may nest.
const DEPTH: usize = 1000;

/// The value at `pointer` in checked JSON text.
fn find<'a>(json: *const c_char, pointer: *const c_char) -> Result<Option<&'a str>, Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, "json", message);
    let text: &'a str = needed_text(json, "json")?;
    let pointer: &'a str = needed_text(pointer, "pointer")?;
    let value = json::scan_value(text.as_bytes(), DEPTH).map_err(|error| invalid(error.to_string()))?;
    json::pointer(value.span.str(text), pointer).map_err(|error| invalid(error.to_string()))
}

/// The value at a JSON pointer (RFC 6901, such as "/tools/0/name"): a string decoded, anything else as JSON text.
///
/// json: JSON text.
/// pointer: "" is the whole text; "~0" stands for "~" and "~1" for "/" in a name.
/// value: receives the value, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
/// length: receives its length without the NUL (a decoded string may hold NUL characters); may be NULL.
///
/// Any thread. Checks the whole text each time. Returns MCP_OK, MCP_EMPTY when nothing is there, MCP_INVALID_ARGUMENT for
/// bad JSON, a bad pointer or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_get(
    json: *const c_char,
    pointer: *const c_char,
    value: *mut *mut c_char,
    length: *mut usize,
) -> mcp_status_t {
    guard_status(|| {
        let get = || {
            if value.is_null() {
                return Err(null("value"));
            }
            let Some(found) = find(json, pointer)? else { return Ok(MCP_EMPTY) };
            let decoded = json::string(found);
            let text = decoded.as_deref().unwrap_or(found);
            give(text, value, "json_get")?;
            write(length, text.len());
            Ok(MCP_OK)
        };
        get().unwrap_or_else(|error: Error| error.status as i32)
    })
}

/// How many members an object has, or how many elements an array, at a JSON pointer.
///
/// json, pointer: as for mcp_json_get().
/// count: receives the number. Written only when MCP_OK is returned.
///
/// Any thread. Returns MCP_OK, MCP_EMPTY when nothing is there, MCP_INVALID_ARGUMENT also for a value that is neither an
/// object nor an array.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_count(
    json: *const c_char,
    pointer: *const c_char,
    count: *mut usize,
) -> mcp_status_t {
    guard_status(|| {
        let counted = || {
            if count.is_null() {
                return Err(null("count"));
            }
            let Some(found) = find(json, pointer)? else { return Ok(MCP_EMPTY) };
            let number = json::count(found).ok_or_else(|| {
                Error::new(
                    Status::InvalidArgument,
                    "json_count",
                    "the value is neither an object nor an array",
                )
            })?;
            write(count, number);
            Ok(MCP_OK)
        };
        counted().unwrap_or_else(|error: Error| error.status as i32)
    })
}

/// Text as a JSON string, with its quotes: for building parameters.
///
/// text: any UTF-8.
/// quoted: receives the JSON string, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
///
/// Any thread. Returns MCP_OK or MCP_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_quote(text: *const c_char, quoted: *mut *mut c_char) -> mcp_status_t {
    guard_status(|| {
        let quote = || {
            if quoted.is_null() {
                return Err(null("quoted"));
            }
            give(&json::quote(needed_text(text, "text")?), quoted, "json_quote")
        };
        match quote() {
            Ok(()) => MCP_OK,
            Err(error) => error.status as i32,
        }
    })
}
