//! Reading JSON in place: a value is four numbers, and every function looks up the text that they are in.

use super::guard::guard;
use super::handles::mcp_message_t;
use super::reading::{
    Read, Walk, guard_is, guard_number_of, guard_status_of, guard_text_of, guard_type_of, guard_walk,
    mcp_value_t,
};
use super::status::{mcp_json_type_t, mcp_status_t};
use crate::json::Node;
use std::ffi::c_char;

/// The JSON of a message as a value: what mcp_message_json() returns as text (the result of a
/// successful reply, the error object of a failed one, the parameters of a notification, request or
/// progress message, the object of another kind).
///
/// Returns the value, valid until mcp_message_free(); a value of type MCP_JSON_ABSENT for an
///   invalid message.
///
/// Threads: any thread.
///
/// Example:
///
///     mcp_value_t tools = mcp_value_get(mcp_message_value(reply), "tools");
///     for (mcp_value_t tool = mcp_value_first(tools); mcp_value_type(tool) != MCP_JSON_ABSENT;
///          tool = mcp_value_next(tool)) {
///         puts(mcp_value_string(mcp_value_get(tool, "name"), NULL));
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_value(message: *const mcp_message_t) -> mcp_value_t {
    guard(mcp_value_t::ABSENT, || {
        let owner = message.addr();
        match super::pointer::message(message) {
            Ok(message) => {
                let json = message.json_with_nul();
                mcp_value_t::new(owner, Node::root(json.strip_suffix(b"\0").unwrap_or(json)))
            }
            Err(_) => mcp_value_t::ABSENT,
        }
    })
}

/// The type of a value.
///
/// Returns MCP_JSON_*; MCP_JSON_ABSENT (0) for a value that does not exist, or whose message or
///   document was freed.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_type(value: mcp_value_t) -> mcp_json_type_t {
    guard_type_of(value)
}

/// The member of an object that has this name.
///
/// name: the name as text, not escaped. A name that contains a NUL can be found only by iteration.
///
/// Returns the member; the last one if the object has several of this name, as most JSON libraries
///   do; a value of type MCP_JSON_ABSENT if there is none, `value` is no object, or `name` is NULL
///   or invalid UTF-8.
///
/// Threads: any thread. The function reads the object once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_get(value: mcp_value_t, name: *const c_char) -> mcp_value_t {
    guard_walk(value, Walk::Get(name))
}

/// The element of an array at an index.
///
/// index: from 0.
///
/// Returns the element; a value of type MCP_JSON_ABSENT if there is none or `value` is no array.
///
/// Threads: any thread. The function reads the array up to the element: to visit all elements use
///   mcp_value_first() and mcp_value_next(), which read it once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_at(value: mcp_value_t, index: usize) -> mcp_value_t {
    guard_walk(value, Walk::At(index))
}

/// The first element of an array or the first member of an object, in the order of the text.
///
/// Returns the value; a value of type MCP_JSON_ABSENT if `value` is empty, or is neither an array
///   nor an object.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_first(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::First)
}

/// The element or member after `value` in the same array or object. A loop over all of them reads
/// the text once. In an object, members with the same name are all visited.
///
/// value: from any function here. The whole JSON of a message or document has no next value.
///
/// Returns the value; a value of type MCP_JSON_ABSENT after the last one.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_next(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::Next)
}

/// The name of a member of an object, as a value of type MCP_JSON_STRING: mcp_value_string()
/// decodes it, mcp_value_is() compares it.
///
/// value: a member from mcp_value_get(), mcp_value_first() or mcp_value_next().
///
/// Returns the name; a value of type MCP_JSON_ABSENT if `value` is no member of an object.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_key(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::Key)
}

/// Counts the elements of an array or the members of an object.
///
/// Returns the number; 0 for every other value.
///
/// Threads: any thread. The function reads the array or object once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_size(value: mcp_value_t) -> usize {
    guard_number_of(value, &Read::Size)
}

/// Reads an integer. A number counts as an integer if it is one, however it is written: 3, 3.0, 3e0
/// and -0 are integers. The conversion is exact.
///
/// out: receives the number when MCP_OK is returned; otherwise it keeps what it has, such as a
///   default.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for an integer
///   that int64_t cannot hold; MCP_ERROR_INVALID_ARGUMENT for a number with a fraction, for a
///   value of another type, and for NULL.
///
/// Threads: any thread.
///
/// Example:
///
///     int64_t limit = 100;
///     mcp_value_int64(mcp_value_get(parameters, "limit"), &limit);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_int64(value: mcp_value_t, out: *mut i64) -> mcp_status_t {
    guard_status_of(value, &Read::Int64(out))
}

/// Reads a number as the nearest double, independently of the locale. The sign of -0 is kept, and a
/// number that is too small becomes 0.
///
/// out: receives the number when MCP_OK is returned; otherwise it keeps what it has.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for a number
///   that a double cannot hold, such as 1e400; MCP_ERROR_INVALID_ARGUMENT for a value of another
///   type, and for NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_double(value: mcp_value_t, out: *mut f64) -> mcp_status_t {
    guard_status_of(value, &Read::Double(out))
}

/// Reads true or false.
///
/// out: receives the value when MCP_OK is returned; otherwise it keeps what it has.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_INVALID_ARGUMENT for a
///   value of another type, and for NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_bool(value: mcp_value_t, out: *mut bool) -> mcp_status_t {
    guard_status_of(value, &Read::Bool(out))
}

/// The text of a string, decoded and followed by a NUL. The message or document keeps it: there is
/// nothing to free, and reading the same string again returns the same pointer. Half of a surrogate
/// pair ("\ud800" alone), which JSON allows and UTF-8 does not, becomes U+FFFD.
///
/// length: receives the length in bytes without the terminating NUL; may be NULL. The text itself
///   contains a NUL where the string has "\u0000": with NULL here you see it only up to that.
///
/// Returns borrowed, NUL-terminated UTF-8, valid as long as the message or document; NULL if the
///   value is no string, or the system refuses the memory.
///
/// Threads: any thread. The first call for a string copies it: mcp_value_view() does not.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_string(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::String(length))
}

/// The text of a string without a copy: in the message or document where it has no escapes,
/// otherwise as mcp_value_string() returns it.
///
/// length: receives the length in bytes; needed, because no NUL follows the text.
///
/// Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
///   NULL if the value is no string, `length` is NULL, or the system refuses the memory.
///
/// Threads: any thread.
///
/// Example:
///
///     size_t length;
///     const char *name = mcp_value_view(mcp_value_get(tool, "name"), &length);
///     if (name != NULL) printf("%.*s\n", (int)length, name);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_view(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::View(length))
}

/// Compares a string with a text, without a copy.
///
/// other: the text, not escaped. A string that contains a NUL is equal to no text.
///
/// Returns true if the value is a string that spells `other`; false for another string, another
///   type, NULL and invalid UTF-8.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_is(value: mcp_value_t, other: *const c_char) -> bool {
    guard_is(value, &Read::Is(other))
}

/// The JSON text of a value as it is written in the message or document, without a copy: numbers
/// with all their digits, strings with quotes and escapes. mcp_builder_value() copies it into
/// another text.
///
/// length: receives the length in bytes; needed, because no NUL follows the text.
///
/// Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
///   NULL for a value that does not exist, and if `length` is NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_json(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::Json(length))
}
