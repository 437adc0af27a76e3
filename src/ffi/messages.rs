//! Messages: reading them in place, freeing them.

use super::guard::{guard, guard_status};
use super::handles::{client_handle, mcp_client_t, mcp_message_t};
#[cfg(feature = "server")]
use super::handles::{mcp_server_t, server_handle};
use super::held::guard_free;
use super::objects::Content;
use super::pointer::{clear, message, write};
use super::status::{MCP_ERROR_INVALID_ARGUMENT, mcp_kind_t, mcp_status_t, mcp_topic_t};
use std::ffi::c_char;
use std::ptr;

/// The kind of a message.
///
/// Returns MCP_KIND_*, or a negative status for an invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_kind(message: *const mcp_message_t) -> mcp_kind_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.kind() as i32,
        Err(error) => error.status as i32,
    })
}

/// The outcome in a reply.
///
/// Returns the status; MCP_OK for messages of other kinds; MCP_ERROR_INVALID_ARGUMENT for an
///   invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_status(message: *const mcp_message_t) -> mcp_status_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.status() as i32,
        Err(_) => MCP_ERROR_INVALID_ARGUMENT,
    })
}

/// The client of a message, borrowed.
///
/// Returns the pointer that mcp_client_new() returned, so it can be compared; NULL for
///   MCP_KIND_LOST and for a refused call on an invalid handle. The client may have been freed in
///   the meantime; every function detects that.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_client(message: *const mcp_message_t) -> *mut mcp_client_t {
    guard(ptr::null_mut(), || {
        self::message(message).map_or(ptr::null_mut(), |message| client_handle(message.client_only()))
    })
}

/// The server of a message, borrowed: of a request of a client, and of what else a server tells the
/// program on a queue.
///
/// Returns the pointer that mcp_server_new() returned, so it can be compared; NULL for a message of
///   a client. The server may have been freed in the meantime; every function detects that.
#[cfg(feature = "server")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_server(message: *const mcp_message_t) -> *mut mcp_server_t {
    guard(ptr::null_mut(), || {
        self::message(message).map_or(ptr::null_mut(), |message| server_handle(message.server()))
    })
}

/// The number of the call that a reply, a progress message, a task state or a request of the server
/// belongs to. A request belongs to a call when the server asks inside the answer to that call
/// (2026-07-28, tasks, pages of MCP_TOPIC_ELICITATION); a request that earlier revisions send on
/// their own does not say which call it is for.
///
/// Returns the number; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_call_id(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::call))
}

/// The tag that the application gave to the call that mcp_message_call_id() names.
///
/// Returns the tag; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_tag(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::tag))
}

/// The method of a notification, request or progress message, or the operation that failed.
///
/// Returns a borrowed string; NULL where there is no method.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_method(message: *const mcp_message_t) -> *const c_char {
    guard(ptr::null(), || {
        let method = self::message(message).ok().and_then(crate::client::Message::method_with_nul);
        method.map_or(ptr::null(), |method| method.as_ptr().cast())
    })
}

/// The subject of a notification, request or progress message, for a switch statement.
///
/// Returns MCP_TOPIC_*: MCP_TOPIC_NONE for messages of other kinds, MCP_TOPIC_UNKNOWN for a method
///   that this library does not know; a negative status for an invalid message.
///
/// Example:
///
///     switch (mcp_message_topic(message)) {
///     case MCP_TOPIC_TOOLS_CHANGED: reload_tools(); break;
///     case MCP_TOPIC_RESOURCE_UPDATED: reload(mcp_message_json(message, NULL)); break;
///     default: break;
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_topic(message: *const mcp_message_t) -> mcp_topic_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.topic() as i32,
        Err(error) => error.status as i32,
    })
}

/// The JSON of a message: the result of a successful reply, the error object of a failed one, or
/// the parameters of a notification, request or progress message ("{}" if it has none). Other kinds
/// have their own object: MCP_KIND_STATE {"state","previous","reason","next_attempt_in_ms"},
/// MCP_KIND_STDERR {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH {"kind",...}
/// (docs/guide/authorization.md).
///
/// length: receives the length in bytes without the terminating NUL; may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8, usually in the buffer in which it was received; NULL for
///   an invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_json(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message) {
            Ok(message) => lend(message.json_with_nul(), length),
            Err(_) => ptr::null(),
        }
    })
}

/// The text of the result of a tool, a resource or a prompt: all text blocks, decoded, joined by
/// line feeds. Half of a surrogate pair ("\ud800" alone), which JSON allows and UTF-8 does not,
/// becomes U+FFFD; mcp_message_json() has it as the server wrote it.
///
/// length: receives the length in bytes without the terminating NUL (the text may contain NUL
///   characters); may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8; NULL if there is no text or the message is not a
///   successful reply.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_text(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message).ok().and_then(crate::client::Message::text_with_nul) {
            Some(text) => lend(text, length),
            None => ptr::null(),
        }
    })
}

/// Tells whether a tool failed: the message is a reply with MCP_OK whose result has "isError":true.
/// mcp_message_text() then returns what the tool says about it.
///
/// Returns true or false; false for an invalid message and every other message.
///
/// Example:
///
///     if (mcp_message_is_tool_error(reply)) fputs(mcp_message_text(reply, NULL), stderr);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_is_tool_error(message: *const mcp_message_t) -> bool {
    guard(false, || self::message(message).is_ok_and(crate::client::Message::is_tool_error))
}

/// The text for people of a failed reply: "message" of its error object, decoded.
///
/// length: receives the length in bytes without the terminating NUL (the text may contain NUL
///   characters); may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8; NULL if the message is not a failed reply.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_error(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message).ok().and_then(crate::client::Message::error_with_nul) {
            Some(text) => lend(text, length),
            None => ptr::null(),
        }
    })
}

/// Frees a message. If it is a request without an answer, the library refuses the request.
///
/// message: the message; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid message, such as one that was
///   already freed. In a child of fork(), for a message of the parent, it frees nothing and returns
///   MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_free(message: *mut mcp_message_t) -> mcp_status_t {
    guard_free(message.addr(), "message", |content| matches!(content, Content::Message(_)))
}

/// Lends text with its NUL to C.
fn lend(text_with_nul: &[u8], length: *mut usize) -> *const c_char {
    write(length, text_with_nul.len().saturating_sub(1));
    text_with_nul.as_ptr().cast()
}
