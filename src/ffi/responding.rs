//! Answers to requests of the other side: what a server asked a client of this process, or a client a server of it.

#[cfg(feature = "client")]
use super::calls::asked;
use super::errors::invalid;
use super::giving::guard_error;
use super::handles::mcp_message_t;
use super::pointer::{message_of, needed_text};
use super::status::mcp_status_t;
use crate::engine::{Error, RequestAnswer};
use std::ffi::c_char;

/// Answers what the server of a client asked.
#[cfg(feature = "client")]
fn from_client(request: *const mcp_message_t, answer: RequestAnswer<'_>) -> Result<(), Error> {
    let (client, request) = asked(request)?;
    if matches!(answer, RequestAnswer::Error { message: "", .. }) {
        return Err(invalid("message", "is empty"));
    }
    client.respond(request, answer)
}

/// No message of this build is a request of a server.
#[cfg(not(feature = "client"))]
fn from_client(request: *const mcp_message_t, _answer: RequestAnswer<'_>) -> Result<(), Error> {
    message_of(request, "request")?;
    Err(invalid("request", "is no request of a client"))
}

/// Answers a request with a result: one that the server of a client of this process sent, or one
/// that a client sent to a server of this process. If a request's message is freed without an
/// answer, the library refuses the request. In revision 2026-07-28 the server asks inside the
/// answer to a call; the application receives the same kind of message, and refusing it ends that
/// call as MCP_ERROR_CANCELLED.
///
/// request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
/// result_json: the result, a JSON object.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a request that was already answered;
///   MCP_ERROR_CANCELLED when the request is no longer wanted: the other side cancelled it, it took
///   too long, or its session has ended; MCP_ERROR_TRANSPORT when its connection has ended;
///   MCP_ERROR_CLOSED; MCP_ERROR_FORKED. A result that is not what the method or the "outputSchema"
///   of the tool promises is MCP_ERROR_INVALID_ARGUMENT too; the client then gets an internal error.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond(
    request: *const mcp_message_t,
    result_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let result = needed_text(result_json, "result_json")?;
        #[cfg(feature = "server")]
        if let Some(served) = super::request::served(message_of(request, "request")?)? {
            return super::request::respond(served, result);
        }
        from_client(request, RequestAnswer::Result(result))
    })
}

/// Answers a request of the server with an error.
///
/// request: as for mcp_request_respond().
/// code: the JSON-RPC error code, such as -1 for "the user refused". To a client of 2026-07-28 a
///   server sends codes outside of -32768 to -32000, and the few that JSON-RPC and MCP define; any
///   other is MCP_ERROR_INVALID_ARGUMENT, and the client gets -32603.
/// text: the error message.
/// data_json: JSON of any type; NULL for none.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns the statuses of mcp_request_respond().
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond_error(
    request: *const mcp_message_t,
    code: i32,
    text: *const c_char,
    data_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let served = message_of(request, "request")?;
        let message = needed_text(text, "text")?;
        let data = super::pointer::text(data_json, "data_json")?;
        #[cfg(feature = "server")]
        if let Some(served) = super::request::served(served)? {
            return super::request::respond_error(served, code, message, data);
        }
        #[cfg(not(feature = "server"))]
        let _only_clients_have_requests = served;
        from_client(request, RequestAnswer::Error { code: code.into(), message, data })
    })
}
