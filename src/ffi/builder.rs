//! Writing JSON call by call.

use super::convert::{guard_free, guard_out, with_builder};
use super::guard::{guard, null};
use super::objects::{Build, Content};
use super::pointer::{bytes, give, terminated, write};
use super::status::mcp_status_t;
use super::value::mcp_value_t;
use crate::json::{Kind, Misuse, Part};
use std::ffi::c_char;
use std::ptr;
use std::sync::Mutex;

/// A builder: JSON text that a program writes call by call, into one buffer that grows.
///
/// The functions that write return nothing. The first mistake (a value without a key in an object,
/// an end without a beginning, a second value, invalid UTF-8, NULL, NaN, a value that does not
/// exist, nesting deeper than 1,000 levels, more than 1 GiB, no memory) is kept, and everything
/// after it is ignored. mcp_builder_finish() returns it: one check at the end is enough. It names
/// the function and the number of the call since the text was begun.
///
/// The pointer is a number that the library looks up. The functions that write do nothing for a
/// pointer that is invalid or freed; mcp_builder_finish() returns MCP_ERROR_INVALID_ARGUMENT for it.
/// Several threads may use one builder, but then their calls come in any order.
#[derive(Debug)]
pub struct mcp_builder_t {
    _private: [u8; 0],
}

/// Creates a builder.
///
/// Returns the builder; NULL if the system refuses the memory, and then mcp_builder_finish()
///   returns MCP_ERROR_INVALID_ARGUMENT. Free it with mcp_builder_free().
///
/// Threads: any thread.
///
/// Example:
///
///     mcp_builder_t *builder = mcp_builder_new();
///     mcp_builder_begin_object(builder);
///     mcp_builder_key(builder, "path");
///     mcp_builder_string(builder, path);
///     mcp_builder_key(builder, "limit");
///     mcp_builder_int64(builder, 10);
///     mcp_builder_end(builder);
///     const char *arguments;
///     mcp_status_t status = mcp_builder_finish(builder, &arguments, NULL, &error);
///     if (status == MCP_OK) {
///         status = mcp_client_call_tool(client, "list_files", arguments, NULL, &reply);
///     }
///     mcp_builder_free(builder);
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_new() -> *mut mcp_builder_t {
    guard(ptr::null_mut(), || give(Content::Builder(Mutex::new(Build::new()))).unwrap_or(ptr::null_mut()))
}

/// What an export was given to add to a text.
enum Given {
    Part(Part<'static>),
    /// A text: its parameter, the text, its length if no NUL ends it, what it turneds.
    Text(&'static str, *const c_char, Option<usize>, fn(&'static [u8]) -> Part<'static>),
    Value(mcp_value_t),
}

impl Given {
    /// The part, which lives as long as what was given: until the export returns.
    fn part(self) -> Result<Part<'static>, Misuse> {
        match self {
            Given::Part(part) => Ok(part),
            Given::Value(value) => value.written().ok_or(Misuse::Absent).map(Part::Json),
            Given::Text(name, text, _, _) if text.is_null() => Err(Misuse::Null(name)),
            Given::Text(_, text, None, turned) => Ok(turned(terminated(text).unwrap_or_default())),
            Given::Text(_, _, Some(0), turned) => Ok(turned(b"")),
            Given::Text(_, text, Some(length), turned) => bytes(text, length).map(turned).ok_or(Misuse::Size),
        }
    }
}

/// The body of every export that adds to the text of a builder: a copy in each would be large.
#[inline(never)]
fn guard_add(builder: *mut mcp_builder_t, function: &'static str, given: Given) {
    guard((), || {
        let mut given = Some(given);
        // The error of a builder that does not exist is for mcp_builder_finish().
        let _reported_later = with_builder(builder.addr(), &mut |build| {
            if let Some(given) = given.take() {
                build.add(function, given.part());
            }
            Ok(())
        });
    });
}

/// Begins an object. Its members follow, each with mcp_builder_key() and one value.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_begin_object(builder: *mut mcp_builder_t) {
    guard_add(builder, "mcp_builder_begin_object", Given::Part(Part::Begin(Kind::Object)));
}

/// Begins an array. Its elements follow.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_begin_array(builder: *mut mcp_builder_t) {
    guard_add(builder, "mcp_builder_begin_array", Given::Part(Part::Begin(Kind::Array)));
}

/// Ends the object or array that was begun last.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_end(builder: *mut mcp_builder_t) {
    guard_add(builder, "mcp_builder_end", Given::Part(Part::End));
}

/// Writes the name of the next member. The builder does not check whether the object already has
/// that name: most readers then take the last member.
///
/// key: the name as text; the builder escapes it.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_key(builder: *mut mcp_builder_t, key: *const c_char) {
    guard_add(builder, "mcp_builder_key", Given::Text("key", key, None, Part::Name));
}

/// Writes a string.
///
/// text: UTF-8; the builder escapes it.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_string(builder: *mut mcp_builder_t, text: *const c_char) {
    guard_add(builder, "mcp_builder_string", Given::Text("text", text, None, Part::String));
}

/// Writes the name of the next member, as mcp_builder_key(), from a text that may contain NUL
/// characters or is not followed by one.
///
/// text: UTF-8; the builder escapes it. It may be any pointer but NULL if `length` is 0.
/// length: its length in bytes.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_key_view(builder: *mut mcp_builder_t, text: *const c_char, length: usize) {
    guard_add(builder, "mcp_builder_key_view", Given::Text("text", text, Some(length), Part::Name));
}

/// Writes a string, as mcp_builder_string(), from a text that may contain NUL characters or is not
/// followed by one, such as that of mcp_value_view().
///
/// text: UTF-8; the builder escapes it. It may be any pointer but NULL if `length` is 0.
/// length: its length in bytes.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_string_view(builder: *mut mcp_builder_t, text: *const c_char, length: usize) {
    guard_add(builder, "mcp_builder_string_view", Given::Text("text", text, Some(length), Part::String));
}

/// Writes an integer.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_int64(builder: *mut mcp_builder_t, number: i64) {
    guard_add(builder, "mcp_builder_int64", Given::Part(Part::Integer(number)));
}

/// Writes a number, as the shortest text that reads back as the same double; an integer without a
/// fraction. NaN and infinity are mistakes, because JSON has no text for them.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_double(builder: *mut mcp_builder_t, number: f64) {
    guard_add(builder, "mcp_builder_double", Given::Part(Part::Double(number)));
}

/// Writes true or false.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_bool(builder: *mut mcp_builder_t, value: bool) {
    guard_add(builder, "mcp_builder_bool", Given::Part(Part::Literal(if value { "true" } else { "false" })));
}

/// Writes null.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_null(builder: *mut mcp_builder_t) {
    guard_add(builder, "mcp_builder_null", Given::Part(Part::Literal("null")));
}

/// Writes a value that already is JSON text.
///
/// json: the text; the builder checks that it is exactly one value.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_json(builder: *mut mcp_builder_t, json: *const c_char) {
    guard_add(builder, "mcp_builder_json", Given::Text("json", json, None, Part::Json));
}

/// Writes a value of a message or document, as it is written there.
///
/// value: the value. One that does not exist is a mistake.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_value(builder: *mut mcp_builder_t, value: mcp_value_t) {
    guard_add(builder, "mcp_builder_value", Given::Value(value));
}

/// Finishes the text and lends it.
///
/// json: receives the text, NUL-terminated UTF-8, valid until mcp_builder_free(). Copy it to keep it
///   longer; a builder makes one text.
/// length: receives the length in bytes without the terminating NUL; may be NULL.
/// error_json: receives the error object on failure; may be NULL. "details" has the "function" of
///   the first mistake and the number of its "call", from 1.
///
/// Returns MCP_OK, also when it is called again; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_TOO_LARGE
///   or MCP_ERROR_NO_MEMORY for the first mistake; MCP_ERROR_INVALID_ARGUMENT also if there is no
///   value, an object or an array is not ended, or for an invalid builder; MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_finish(
    builder: *mut mcp_builder_t,
    json: *mut *const c_char,
    length: *mut usize,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out((json, length), error_json, || {
        if json.is_null() {
            return Err(null("json"));
        }
        with_builder(builder.addr(), &mut |build| {
            let text = build.finish()?;
            write(json, text.as_ptr().cast());
            write(length, text.len() - 1);
            Ok(())
        })
    })
}

/// Frees a builder, with the text that mcp_builder_finish() lent.
///
/// builder: the builder; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid builder, such as one that was
///   already freed. In a child of fork(), for a builder of the parent, it frees nothing and
///   returns MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_builder_free(builder: *mut mcp_builder_t) -> mcp_status_t {
    guard_free(builder.addr(), "builder", |content| matches!(content, Content::Builder(_)))
}
