//! Clients of a server over a transport of the application.

use super::giving::guard_taking;
use super::handles::{self, mcp_server_t};
use super::status::mcp_status_t;
use super::transport::{mcp_transport_functions_t, take};
use std::ffi::{c_char, c_void};

/// Serves one client over a transport that the application implements. Call it once for each client.
/// `open` is called before the function returns; what the client sends comes in through
/// mcp_transport_deliver(), and mcp_transport_closed() tells that the client is gone.
///
/// functions: the functions of the transport; copied.
/// user: passed to each function; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
///   library), MCP_ERROR_TRANSPORT (`open` failed), MCP_ERROR_BACKPRESSURE (too many sessions),
///   MCP_ERROR_CLOSED, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result,
///   at the latest when the server is freed. Of a table that is too small or of another version no
///   other function is called.
///
/// Threads: any thread. The thread that delivers a message also processes it; answers are sent by
///   the thread that gives them. A server that only has such clients ends when it is closed.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_attach(
    server: *mut mcp_server_t,
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        (),
        error_json,
        || take(functions, user, "server_attach"),
        |functions| handles::server(server)?.attach(Box::new(functions)),
    )
}
