//! Clients of a server that no descriptor leads to: over a transport of the application, or in the same process.

use super::client::{guard_error, shared};
use super::errors::null;
use super::handles::{self, mcp_client_t, mcp_queue_t, mcp_server_t};
use super::pointer::{needed_text, write};
use super::status::mcp_status_t;
use super::transport::{mcp_transport_functions_t, take};
use crate::client::Client;
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
///   unless `functions` itself is NULL, too small or of another version: at the latest when the
///   server is freed.
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
    guard_error(error_json, || {
        let functions = take(functions, user, "server_attach")?;
        handles::server(server)?.attach(Box::new(functions))
    })
}

/// Creates a client of a server in the same process. Messages go from one to the other without a
/// socket, a pipe or another thread: the thread that sends a message also processes it on the other
/// side. Everything else is as with any other server.
///
/// Handlers run where they always do, so another thread must be in mcp_server_run(), or poll, while
/// this one waits in a call; a program with one thread starts its calls and polls a queue that both
/// share.
///
/// config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
///   enough. "limits.overflow" must not be "block".
/// queue: as for mcp_client_new().
/// server: the server. Client and server may be freed in either order.
/// out: receives the client. Free it with mcp_client_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_in_process(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    server: *mut mcp_server_t,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        let shared = shared(queue)?;
        let config = needed_text(config_json, "config_json")?;
        let client = Client::in_process(config, shared, handles::server(server)?.transport_to())?;
        write(out, handles::add_client(client));
        Ok(())
    })
}
