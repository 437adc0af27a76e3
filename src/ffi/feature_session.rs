//! Completion, the log level, the roots, ping and the cache.

use super::features::{Start, guard_request, guard_start};
use super::giving::guard_error;
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::{needed_text, text};
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Asks for values that complete what was typed for an argument:
/// {"completion":{"values":[...],"total","hasMore"}}.
///
/// ref_json: the prompt or template that has the argument: {"type":"ref/prompt","name":"..."} or
///   {"type":"ref/resource","uri":"..."} with a URI template.
/// argument: the name of the argument.
/// value: the text typed so far; may be empty.
/// settled_json: the arguments that already have a value, a JSON object whose values are strings;
///   NULL for none.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no completion.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_complete(
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

/// mcp_client_complete() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_complete_start(
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

/// Sets the lowest level of the log messages that the server sends (MCP_TOPIC_LOG). Up to
/// 2025-11-25 this is a request. In 2026-07-28, where a server sends no log messages until then, it
/// is a member of the metadata of each later request. The client restores the level after a
/// reconnection. The result is {}.
///
/// level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no logging.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_server_log_level(
    client: *mut mcp_client_t,
    level: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SetLogLevel { level: needed_text(level, "level")? })
    })
}

/// mcp_client_set_server_log_level() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_server_log_level_start(
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

/// Checks that the server answers: "ping" up to 2025-11-25, "server/discover" in 2026-07-28.
///
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call().
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_ping(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::Ping))
}

/// mcp_client_ping() as a started call (see mcp_call_start()); also returns MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_ping_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::Ping))
}

/// Sets the roots that the client returns to servers on request, and notifies the servers that can
/// be notified (up to 2025-11-25).
///
/// roots_json: a JSON array of file:// URIs or of objects with such a "uri".
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_UNSUPPORTED when the client has not declared roots (set "roots" in the
///   configuration); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_roots(
    client: *mut mcp_client_t,
    roots_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.set_roots(needed_text(roots_json, "roots_json")?))
}

/// Drops all cached results of the client ("cache" in the configuration). Results of pending calls
/// are not cached either.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_clear_cache(client: *mut mcp_client_t) -> mcp_status_t {
    guard_error(std::ptr::null_mut(), || {
        handles::client(client)?.clear_cache();
        Ok(())
    })
}
