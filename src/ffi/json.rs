//! JSON for programs without a library, and URI templates.

use super::convert::{give, guard_out};
use super::guard::{guard, guard_status, invalid, null};
use super::objects::no_memory;
use super::pointer::{clear, needed_text, terminated, write, write_bytes};
use super::status::{
    MCP_EMPTY, MCP_JSON_ARRAY, MCP_JSON_BOOLEAN, MCP_JSON_NULL, MCP_JSON_NUMBER, MCP_JSON_OBJECT,
    MCP_JSON_STRING, MCP_OK, mcp_json_type_t, mcp_status_t,
};
use crate::client::features::expand_template;
use crate::engine::Error;
use crate::json;
use std::ffi::c_char;

/// The most that JSON given to these functions may nest.
const DEPTH: usize = 1000;

/// The value at `pointer` in checked JSON text.
fn find<'a>(json: *const c_char, pointer: *const c_char) -> Result<Option<&'a str>, Error> {
    let text: &'a str = needed_text(json, "json")?;
    let pointer: &'a str = needed_text(pointer, "pointer")?;
    let value = json::scan_value(text.as_bytes(), DEPTH).map_err(|error| {
        invalid("json", format_args!("cannot be read: {error}")).with("offset", error.offset)
    })?;
    json::pointer(value.span.str(text), pointer)
        .map_err(|error| invalid("pointer", format_args!("cannot be used: {error}")))
}

/// Gets the value at a JSON pointer (RFC 6901, such as "/tools/0/name"): a string decoded, any
/// other value as JSON text.
///
/// json: JSON text.
/// pointer: "" selects the whole text. In a name, "~0" stands for "~" and "~1" for "/".
/// value: receives the value when MCP_OK is returned. Free it with mcp_string_free().
/// length: receives the length in bytes without the terminating NUL (a decoded string may contain
///   NUL characters); may be NULL.
///
/// Returns MCP_OK, MCP_EMPTY when there is no value, MCP_ERROR_INVALID_ARGUMENT for invalid JSON,
///   an invalid pointer or NULL. A JSON null is returned as the text "null". Half of a surrogate
///   pair in a string ("\ud800" alone) becomes U+FFFD.
///
/// Threads: any thread. Each call scans the whole text. mcp_document_new() reads it once: it says
///   what is wrong with a text, and its values have types, sizes and members.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_get(
    json: *const c_char,
    pointer: *const c_char,
    value: *mut *mut c_char,
    length: *mut usize,
) -> mcp_status_t {
    guard_status(|| {
        clear((value, length));
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

/// The text for people of an error object: its "message", decoded. It needs no free function.
///
/// error_json: the error object; NULL gives an empty text, and what is no error object itself.
/// buffer: receives the text, as much of it as there is room for, and a NUL. May be NULL.
/// size: the room there, in bytes.
///
/// Returns `buffer`; an empty static string if it is NULL or `size` is 0. Never NULL.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     char text[512];
///     if (mcp_client_connect(client, -1, &error) != MCP_OK) {
///         fprintf(stderr, "%s\n", mcp_error_text(error, text, sizeof text));
///     }
///     mcp_string_free(error);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_error_text(
    error_json: *const c_char,
    buffer: *mut c_char,
    size: usize,
) -> *const c_char {
    guard(c"".as_ptr(), || {
        let Some(room) = size.checked_sub(1).filter(|_| !buffer.is_null()) else { return c"".as_ptr() };
        write_bytes(buffer, b"\0");
        let json = terminated(error_json).unwrap_or_default();
        let text = String::from_utf8_lossy(json);
        let message = || {
            json::scan_value(text.as_bytes(), DEPTH).ok()?;
            json::string(json::pointer(&text, "/message").ok()??)
        };
        let decoded = message();
        let whole = decoded.as_deref().unwrap_or(&text);
        // No half of a character, and C sees no more than what is before a NUL.
        let whole = whole.split('\0').next().unwrap_or_default();
        let end = (0..=room.min(whole.len())).rev().find(|end| whole.is_char_boundary(*end)).unwrap_or(0);
        let text = &whole[..end];
        write_bytes(buffer, text.as_bytes());
        write_bytes(buffer.wrapping_add(text.len()), b"\0");
        buffer.cast_const()
    })
}

pub(super) fn number_of(kind: json::Kind) -> mcp_json_type_t {
    match kind {
        json::Kind::Null => MCP_JSON_NULL,
        json::Kind::True | json::Kind::False => MCP_JSON_BOOLEAN,
        json::Kind::Number => MCP_JSON_NUMBER,
        json::Kind::String => MCP_JSON_STRING,
        json::Kind::Array => MCP_JSON_ARRAY,
        json::Kind::Object => MCP_JSON_OBJECT,
    }
}

/// Converts a text to a JSON string with its quotes, to build parameters.
///
/// text: any UTF-8.
/// quoted: receives the JSON string. Free it with mcp_string_free().
///
/// Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_quote(text: *const c_char, quoted: *mut *mut c_char) -> mcp_status_t {
    guard_status(|| {
        clear(quoted);
        let quote = || {
            if quoted.is_null() {
                return Err(null("quoted"));
            }
            let text = needed_text(text, "text")?;
            let mut out = String::new();
            out.try_reserve_exact(json::quoted_length(text)).map_err(|_| no_memory("json_quote"))?;
            json::quote_into(text, &mut out);
            give(&out, quoted, "json_quote")
        };
        match quote() {
            Ok(()) => MCP_OK,
            Err(error) => error.status as i32,
        }
    })
}

/// Expands a URI template (RFC 6570, all levels), such as "uriTemplate" of a resource template.
///
/// uri_template: the template.
/// variables_json: a JSON object of strings, numbers and booleans, or lists and objects of these. A
///   variable that is missing or null expands to nothing.
/// uri: receives the URI. Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
///
/// Threads: any thread. No client is necessary.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_uri_template_expand(
    uri_template: *const c_char,
    variables_json: *const c_char,
    uri: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(uri, error_json, || {
        if uri.is_null() {
            return Err(null("uri"));
        }
        let variables = needed_text(variables_json, "variables_json")?;
        give(&expand_template(needed_text(uri_template, "uri_template")?, variables)?, uri, "template_expand")
    })
}
