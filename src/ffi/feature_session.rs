//! Completion, the log level, the roots, and whether the server answers.

use super::client::guard_error;
use super::features::{Start, guard_request, guard_start};
use super::handles::{self, mcp_client_t};
use super::messages::mcp_message_t;
use super::pointer::{needed_text, text};
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Asks for values of an argument that begin as typed: {"completion":{"values":[...],"total","hasMore"}}.
///
/// ref_json: what has the argument: {"type":"ref/prompt","name":"..."} or {"type":"ref/resource","uri":"..."} with a template.
/// argument: the argument's name.
/// value: what was typed so far; may be empty.
/// settled_json: arguments that are settled already, a JSON object whose values are strings; NULL for none.
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no completion.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_complete(
    client: *mut mcp_client_t,
    ref_json: *const c_char,
    argument: *const c_char,
    value: *const c_char,
    settled_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::Complete {
            reference: needed_text(ref_json, "ref_json")?,
            argument: needed_text(argument, "argument")?,
            value: needed_text(value, "value")?,
            settled: text(settled_json, "settled_json")?,
        })
    })
}

/// mcp_complete() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_complete_start(
    client: *mut mcp_client_t,
    ref_json: *const c_char,
    argument: *const c_char,
    value: *const c_char,
    settled_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::Complete {
            reference: needed_text(ref_json, "ref_json")?,
            argument: needed_text(argument, "argument")?,
            value: needed_text(value, "value")?,
            settled: text(settled_json, "settled_json")?,
        })
    })
}

/// Sets the least level of the server's log messages (MCP_TOPIC_LOG): a request up to 2025-11-25, a member of each further
/// request's metadata in 2026-07-28, where a server is silent until then. It outlives a reconnection.
///
/// level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
/// options_json, reply: as for mcp_call(). The result is {}.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server logs nothing.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_set_log_level(
    client: *mut mcp_client_t,
    level: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SetLogLevel { level: needed_text(level, "level")? })
    })
}

/// mcp_set_log_level() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_set_log_level_start(
    client: *mut mcp_client_t,
    level: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::SetLogLevel { level: needed_text(level, "level")? })
    })
}

/// Asks whether the server answers: "ping" up to 2025-11-25, "server/discover" in 2026-07-28.
///
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_ping(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::Ping))
}

/// mcp_ping() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_ping_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::Ping))
}

/// Sets the roots that servers are told when they ask, and tells those that can be told (up to 2025-11-25) that they
/// changed.
///
/// roots_json: a JSON array of file:// URIs, or of objects with such a "uri".
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK; MCP_UNSUPPORTED when the client has not declared roots (give "roots" in its
/// config); MCP_INVALID_ARGUMENT; MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_set_roots(
    client: *mut mcp_client_t,
    roots_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.set_roots(needed_text(roots_json, "roots_json")?))
}

/// Drops every result that the client keeps ("cache" in its config); what is under way is not kept either.
///
/// Any thread; never waits. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_cache_clear(client: *mut mcp_client_t) -> mcp_status_t {
    guard_error(std::ptr::null_mut(), || {
        handles::client(client)?.clear_cache();
        Ok(())
    })
}
