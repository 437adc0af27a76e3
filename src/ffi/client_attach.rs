//! Clients of servers that no descriptor leads to: over a transport of the application, or in the same process.

use super::client::shared;
use super::errors::null;
#[cfg(feature = "server")]
use super::giving::guard_out;
use super::giving::guard_taking;
#[cfg(feature = "server")]
use super::handles::mcp_server_t;
use super::handles::{self, mcp_client_t, mcp_queue_t};
use super::pointer::{needed_text, write};
use super::status::mcp_status_t;
use super::transport::{mcp_transport_functions_t, take};
use crate::client::Client;
use std::ffi::{c_char, c_void};

/// Creates a client over a transport that the application implements: a pipe to another machine, a
/// message bus, another part of the same program. It opens nothing: mcp_client_connect() or the
/// first call opens the connection, and the client opens the next one itself after a loss
/// ("reconnect").
///
/// config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
///   enough.
/// queue: as for mcp_client_new().
/// functions: the functions of the transport; copied.
/// user: passed to each function; may be NULL.
/// out: receives the client. Free it with mcp_client_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
///   library), MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result. Of a
///   table that is too small or of another version no other function is called.
///
/// Threads: any thread. A thread that waits for this client sleeps; the thread that delivers a
///   message also processes it.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_with_transport(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        out,
        error_json,
        || take(functions, user, "client_new"),
        |functions| {
            if out.is_null() {
                return Err(null("out"));
            }
            let shared = shared(queue)?;
            let config = needed_text(config_json, "config_json")?;
            let client = Client::with_transport(config, shared, Box::new(functions))?;
            write(out, handles::add_client(client));
            Ok(())
        },
    )
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
#[cfg(feature = "server")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_in_process(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    server: *mut mcp_server_t,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
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
