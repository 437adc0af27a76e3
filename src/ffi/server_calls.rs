//! What a server sends to its clients by itself (legacy era).

use super::giving::{guard_error, guard_out};
use super::handles::{self, mcp_server_t};
use super::pointer::{needed_text, text, write};
use super::status::mcp_status_t;
use std::ffi::c_char;

/// Sends a notification of an extension to clients of the legacy era. In revision 2026-07-28
/// notifications belong to requests and subscriptions: with session 0 those subscriptions get it
/// whose filter has the member that the configuration of the server names for it
/// ("announce.notifications").
///
/// session: the number of a session, as mcp_request_context() has it; 0 for all sessions and
///   subscriptions.
/// method: the method. Notifications that the library sends itself are refused.
/// params_json: the parameters, a JSON object; NULL for none.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (there is no such session, or
///   its handshake is not finished), MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_notify(
    server: *mut mcp_server_t,
    session: u64,
    method: *const c_char,
    params_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        let params = text(params_json, "params_json")?.unwrap_or("{}");
        server.notify(session, needed_text(method, "method")?, params).map(|_| ())
    })
}

/// Calls a client of the legacy era outside of any request, and returns at once. The outcome
/// arrives on the queue of the server as a message of kind MCP_KIND_REPLY. A handler asks with
/// mcp_request_ask() instead, which works in every revision.
///
/// session: the number of the session, as mcp_request_context() has it.
/// method: "ping", "roots/list", "sampling/createMessage" or "elicitation/create".
/// params_json: the parameters, a JSON object; NULL for none.
/// options_json: a JSON object; NULL for none. Its key: "timeout_ms" (default:
///   "timeouts.question_ms" of the configuration).
/// tag: a number of the application that comes back with the reply.
/// call_id: receives the number of the call, as mcp_message_call_id() returns it; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, and then exactly one reply follows unless the server is freed; or
///   MCP_ERROR_INVALID_ARGUMENT (also for parameters that mcp_request_ask() would refuse),
///   MCP_ERROR_UNAVAILABLE (there is no such session, or its handshake is not finished),
///   MCP_ERROR_UNSUPPORTED (the client cannot answer this, or speaks 2026-07-28),
///   MCP_ERROR_BACKPRESSURE (too many calls wait, or messages are not polled), MCP_ERROR_FORKED, and
///   then no reply follows.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_call_start(
    server: *mut mcp_server_t,
    session: u64,
    method: *const c_char,
    params_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(call_id, error_json, || {
        let server = handles::server(server)?;
        let method = needed_text(method, "method")?;
        let params = text(params_json, "params_json")?.unwrap_or("{}");
        let options = text(options_json, "options_json")?;
        write(call_id, server.start_call(session, method, params, options, tag)?);
        Ok(())
    })
}
