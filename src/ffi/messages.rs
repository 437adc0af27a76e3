//! Messages: looked into in place, freed.

use super::guard::{guard, guard_status};
use super::handles::{client_handle, mcp_client_t};
use super::pointer::{message, take_message, write};
use super::status::{MCP_INVALID_ARGUMENT, MCP_OK, mcp_kind_t, mcp_status_t, mcp_topic_t};
use std::ffi::c_char;
use std::ptr;

/// Something that arrived: a reply, a notification, a request of the server, progress, a change of state, and so on.
/// Immutable. What the functions below lend out of it lives until mcp_message_free(). It owns its memory: it may be read
/// after its client is freed. The pointer is a number that is looked up: what is no live message is refused.
#[derive(Debug)]
pub struct mcp_message_t {
    _private: [u8; 0],
}

/// What the message is: MCP_KIND_*; a negative status if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_kind(message: *const mcp_message_t) -> mcp_kind_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.kind() as i32,
        Err(error) => error.status as i32,
    })
}

/// The outcome that a reply carries; MCP_OK for messages of other kinds; MCP_INVALID_ARGUMENT if it is no message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_status(message: *const mcp_message_t) -> mcp_status_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.status() as i32,
        Err(_) => MCP_INVALID_ARGUMENT,
    })
}

/// The client that the message belongs to, borrowed; NULL for MCP_KIND_LOST and for the refusal of a call on a handle that is
/// none. It may have been freed in the meantime, which
/// every function finds out. The pointer is the one that mcp_client_new() gave, so it can be compared.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_client(message: *const mcp_message_t) -> *mut mcp_client_t {
    guard(ptr::null_mut(), || {
        self::message(message).map_or(ptr::null_mut(), |message| client_handle(message.client()))
    })
}

/// The call that a reply, progress or the state of a task belongs to; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_call_id(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::call))
}

/// The tag that the application gave the call that a reply, progress or the state of a task belongs to; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_tag(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::tag))
}

/// The method of a notification, request or progress, or the operation that failed; NULL where there is none. Borrowed.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_method(message: *const mcp_message_t) -> *const c_char {
    guard(ptr::null(), || {
        let method = self::message(message).ok().and_then(crate::client::Message::method_with_nul);
        method.map_or(ptr::null(), |method| method.as_ptr().cast())
    })
}

/// What a notification, request or progress is about: MCP_TOPIC_*, to switch on. MCP_TOPIC_NONE for messages of other kinds,
/// MCP_TOPIC_UNKNOWN for a method that this library does not know; a negative status if it is no message.
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

/// The message's JSON: the result of a reply that succeeded, the error object of one that failed, the parameters of a
/// notification, request or progress ("{}" if it had none), or an object that the kind defines: MCP_KIND_STATE
/// {"state","previous","reason","next_attempt_in_ms"}, MCP_KIND_LOG {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH
/// {"kind",...} (docs/authorization.md).
///
/// length: receives the length without the NUL; may be NULL.
///
/// Borrowed, NUL-terminated UTF-8, as a rule in the buffer it was received in. NULL if it is no message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_json(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || match self::message(message) {
        Ok(message) => lend(message.json_with_nul(), length),
        Err(_) => ptr::null(),
    })
}

/// The text of a tool's result, a resource or a prompt: all its text blocks, decoded, joined by line feeds.
///
/// length: receives the length without the NUL (the text itself may hold NUL characters); may be NULL.
///
/// Half of a surrogate pair ("\ud800" alone), which JSON allows and UTF-8 does not, comes as U+FFFD; mcp_message_json() has it
/// as the server wrote it.
///
/// Borrowed, NUL-terminated UTF-8. NULL if there is no text, or the message is no reply that succeeded.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_text(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || match self::message(message).ok().and_then(crate::client::Message::text_with_nul) {
        Some(text) => lend(text, length),
        None => ptr::null(),
    })
}

/// Frees a message. A request that was not answered is refused by the library.
///
/// message: NULL is fine.
///
/// Returns MCP_OK, or MCP_INVALID_ARGUMENT for what is no live message: one that was freed, or anything else. For a message
/// of the parent, in a child of fork(), it frees nothing and returns MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_free(message: *mut mcp_message_t) -> mcp_status_t {
    guard_status(|| match take_message(message) {
        Ok(()) => MCP_OK,
        Err(error) => error.status as i32,
    })
}

/// Lends text with its NUL to C.
fn lend(text_with_nul: &[u8], length: *mut usize) -> *const c_char {
    write(length, text_with_nul.len().saturating_sub(1));
    text_with_nul.as_ptr().cast()
}
