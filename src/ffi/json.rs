//! JSON for programs without a JSON library.

use super::client::give;
use super::guard::guard_status;
use super::pointer::{give_text, needed_text, null, take_text, write};
use super::status::{
    MCP_EMPTY, MCP_JSON_ABSENT, MCP_JSON_ARRAY, MCP_JSON_BOOLEAN, MCP_JSON_NULL, MCP_JSON_NUMBER,
    MCP_JSON_OBJECT, MCP_JSON_STRING, MCP_OK, mcp_json_type_t, mcp_status_t,
};
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
/// A null that is there comes as the text "null"; mcp_json_type() tells it from a string with these letters. Half of a
/// surrogate pair in a string ("\ud800" alone) comes as U+FFFD.
///
/// Any thread. Checks the whole text each time, so that a loop over all elements of a long list takes quadratic time: give such
/// a list to a JSON library. Returns MCP_OK, MCP_EMPTY when nothing is there, MCP_INVALID_ARGUMENT for bad JSON, a bad pointer or
/// NULL.
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

/// What the value at a JSON pointer is: MCP_JSON_*. Tells null from the text "null", and "not there" from both.
///
/// json, pointer: as for mcp_json_get().
///
/// Any thread. Returns MCP_JSON_ABSENT (0) when nothing is there, one of the other MCP_JSON_* otherwise; negative, as a
/// status, for bad JSON, a bad pointer or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_type(json: *const c_char, pointer: *const c_char) -> mcp_json_type_t {
    guard_status(|| match find(json, pointer) {
        Ok(found) => found.and_then(json::kind).map_or(MCP_JSON_ABSENT, number_of),
        Err(error) => error.status as i32,
    })
}

fn number_of(kind: json::Kind) -> mcp_json_type_t {
    match kind {
        json::Kind::Null => MCP_JSON_NULL,
        json::Kind::True | json::Kind::False => MCP_JSON_BOOLEAN,
        json::Kind::Number => MCP_JSON_NUMBER,
        json::Kind::String => MCP_JSON_STRING,
        json::Kind::Array => MCP_JSON_ARRAY,
        json::Kind::Object => MCP_JSON_OBJECT,
    }
}

/// A member of an object by its place: for walking over objects whose names are not known. Members come in the order of
/// the text.
///
/// json, pointer: as for mcp_json_get(); the value there must be an object.
/// index: from 0; mcp_json_count() says how many there are.
/// key: receives the name, decoded, to be freed with mcp_string_free(); may be NULL.
/// key_length: receives its length without the NUL (a name may hold NUL characters); may be NULL.
/// value: receives the value as mcp_json_get() gives it, to be freed with mcp_string_free(); may be NULL.
/// value_length: receives its length without the NUL; may be NULL.
///
/// Any thread. Checks the whole text each time. Returns MCP_OK, MCP_EMPTY when nothing is there or the object has no more
/// members, MCP_INVALID_ARGUMENT also for a value that is no object.
///
///     for (size_t i = 0; mcp_json_key(json, "", i, &key, NULL, &value, NULL) == MCP_OK; i++) {
///         printf("%s = %s\n", key, value);
///         mcp_string_free(key);
///         mcp_string_free(value);
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_key(
    json: *const c_char,
    pointer: *const c_char,
    index: usize,
    key: *mut *mut c_char,
    key_length: *mut usize,
    value: *mut *mut c_char,
    value_length: *mut usize,
) -> mcp_status_t {
    guard_status(|| {
        let member = || {
            let Some(found) = find(json, pointer)? else { return Ok(MCP_EMPTY) };
            if json::kind(found) != Some(json::Kind::Object) {
                return Err(Error::new(Status::InvalidArgument, "json_key", "the value is no object"));
            }
            let Some((name, written)) = json::members(found).nth(index) else { return Ok(MCP_EMPTY) };
            let name = json::string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
            let decoded = json::string(written);
            let text = decoded.as_deref().unwrap_or(written);
            give_both(&name, key, text, value)?;
            write(key_length, name.len());
            write(value_length, text.len());
            Ok(MCP_OK)
        };
        member().unwrap_or_else(|error: Error| error.status as i32)
    })
}

/// Gives two texts, each where it is wanted, or neither.
fn give_both(first: &str, key: *mut *mut c_char, second: &str, value: *mut *mut c_char) -> Result<(), Error> {
    let no_memory = || Error::new(Status::Internal, "json_key", "no memory is left");
    let first = if key.is_null() { None } else { Some(give_text(first).ok_or_else(no_memory)?) };
    if !value.is_null() {
        let Some(second) = give_text(second) else {
            take_text(first.unwrap_or(std::ptr::null_mut()));
            return Err(no_memory());
        };
        write(value, second);
    }
    if let Some(first) = first {
        write(key, first);
    }
    Ok(())
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
