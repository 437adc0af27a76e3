//! Clients: creating, connecting, inspecting, closing, freeing.

use super::convert::{duration, give, guard_error, guard_out};
use super::guard::{guard, guard_pointer_in_handler, guard_status, null};
use super::handles::{self, mcp_client_t, mcp_queue_t};
use super::pointer::{needed_text, write};
use super::status::{MCP_OK, mcp_client_state_t, mcp_status_t, state_name};
use crate::client::{Client, Queue};
use crate::engine::Error;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// The queue that clients share, or none for a client with its own.
pub(super) fn shared(queue: *mut mcp_queue_t) -> Result<Option<Arc<Queue>>, Error> {
    if queue.is_null() {
        return Ok(None);
    }
    Ok(Some(Arc::clone(&handles::queue(queue)?.queue)))
}

/// Creates a client from a JSON configuration. It starts nothing: mcp_client_connect() or the first
/// call starts the connection.
///
/// config_json: a JSON object: an entry of the "mcpServers" format ("command", "args", "env",
///   "cwd") plus the keys of docs/reference/configuration.md, such as "url" for a server over HTTP
///   and "socket" for a server that listens. An unknown key is an error that names it and the
///   nearest known key. The configuration is copied, and so is the environment for the server:
///   do not change the environment on another thread during this call.
/// queue: the queue for the messages of the client, which several clients may share: a program with
///   many servers waits in one place, mcp_queue_poll(). Do not free it before the client. NULL
///   gives the client a queue of its own, for mcp_client_poll().
/// out: receives the client. Free it with mcp_client_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED, MCP_ERROR_FORKED, or
///   MCP_ERROR_INTERNAL when the process cannot create another thread or descriptor.
///
/// Threads: any thread.
///
/// Example:
///
///     mcp_client_t *client;
///     const char *config = "{\"command\":\"npx\",\"args\":[\"-y\",\"some-server\"]}";
///     mcp_client_new(config, NULL, &client, NULL);
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        let shared = shared(queue)?;
        let client = Client::new(needed_text(config_json, "config_json")?, shared)?;
        write(out, handles::add_client(client, queue));
        Ok(())
    })
}

/// The queue of a client: the one that it was created with, or its own. Wait there, wake it, watch
/// its descriptor, or set a function that is called when it fills, with the functions mcp_queue_...
///
/// Returns the queue, borrowed: an own queue is valid until the client is freed, is not freed by
///   mcp_queue_free() and takes no other client. NULL for an invalid handle.
///
/// Threads: any thread; never waits. Async-signal-safe.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_queue(client: *mut mcp_client_t) -> *mut mcp_queue_t {
    guard_pointer_in_handler(|| handles::queue_of_client(client))
}

/// Attaches a pointer of the application to a client, so that a message leads to the application's
/// own object: mcp_client_user(mcp_message_client(message)). Attach it before the first call,
/// because messages may arrive from then on.
///
/// user: the pointer, which the library never reads; may be NULL. Nothing is called when the client
///   is freed.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_user(client: *mut mcp_client_t, user: *mut c_void) -> mcp_status_t {
    guard_status(|| match handles::client(client) {
        Ok(client) => {
            client.set_user(user.cast());
            MCP_OK
        }
        Err(error) => error.status as i32,
    })
}

/// The pointer that mcp_client_set_user() attached.
///
/// client: a client, also one that was freed in the meantime, as mcp_message_client() may return.
///
/// Returns the pointer; NULL if none was attached and for an invalid handle.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_user(client: *mut mcp_client_t) -> *mut c_void {
    guard(std::ptr::null_mut(), || {
        handles::client(client).map_or(std::ptr::null_mut(), |client| client.user().cast())
    })
}

/// Starts the connection if necessary and waits until it is ready. This is optional: the first call
/// also starts the connection.
///
/// timeout_ms: the longest wait in milliseconds. -1 waits until the attempt has succeeded or
///   failed. 0 starts the connection and returns MCP_ERROR_TIMEOUT unless it is already ready;
///   mcp_client_connect_start() reports the outcome later.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_TIMEOUT, MCP_ERROR_TRANSPORT (the server could not be started, or
///   ended), MCP_ERROR_UNSUPPORTED (no common revision), MCP_ERROR_PROTOCOL, MCP_ERROR_SERVER,
///   MCP_ERROR_AUTH (a login is necessary and missing, or it failed), MCP_ERROR_CLOSED,
///   MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED. After a failure the client tries again in the
///   background, as "reconnect" in the configuration says. After a failure that would repeat, such
///   as MCP_ERROR_UNSUPPORTED, the client is closed.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_connect(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.connect(duration(timeout_ms)))
}

/// mcp_client_connect() as a started call, for event loops that must not wait. The outcome arrives
/// on the queue as a message of kind MCP_KIND_REPLY: the result {} or the error object.
///
/// timeout_ms: the outcome is MCP_ERROR_TIMEOUT after this number of milliseconds; -1 waits until
///   the attempt has succeeded or failed. After each outcome the client continues as after
///   mcp_client_connect().
/// tag: a number of the application that comes back with the reply.
/// call_id: receives a number for mcp_call_cancel(), which ends this wait as MCP_ERROR_CANCELLED
///   but not the attempt to connect; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, and then exactly one reply follows, also when the connection was already ready;
///   or MCP_ERROR_BACKPRESSURE (too many callers wait for the connection, or replies are not
///   polled), MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, and then no reply
///   follows.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_connect_start(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(call_id, error_json, || {
        write(call_id, handles::client(client)?.connect_start(duration(timeout_ms), tag)?);
        Ok(())
    })
}

/// The state of the connection.
///
/// Returns MCP_CLIENT_STATE_*, or a negative status for an invalid handle.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_state(client: *mut mcp_client_t) -> mcp_client_state_t {
    guard_status(|| match handles::client(client) {
        Ok(client) => client.state() as i32,
        Err(error) => error.status as i32,
    })
}

/// The name of a state, such as "ready".
///
/// Returns a static string, "unknown" for an unknown number; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_state_name(state: mcp_client_state_t) -> *const c_char {
    guard(std::ptr::null(), || state_name(state).as_ptr())
}

/// Describes the connection as a JSON object: "state", "revision", "era", "server" (name and
/// version), "capabilities", "instructions", "transport", "pid", "pending_calls", "failure",
/// "counters" and more.
///
/// info_json: receives the object. Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_info(
    client: *mut mcp_client_t,
    info_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(info_json, error_json, || {
        let client = handles::client(client)?;
        if info_json.is_null() {
            return Err(null("info_json"));
        }
        give(&client.info(), info_json, "client_info")
    })
}

/// Closes the connection. Pending calls end as MCP_ERROR_CLOSED, and the library closes the
/// server's standard input. If the server does not end, the library sends SIGTERM and then SIGKILL
/// to its process group, which includes every process that the server started there.
///
/// timeout_ms: the time in milliseconds before SIGKILL; -1 uses "timeouts.close_ms" of the
///   configuration (default 2000). After SIGKILL the function waits at most half a second.
///
/// Returns MCP_OK when the server has ended, MCP_ERROR_TIMEOUT when it has not ended even after
///   SIGKILL, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread, in any state, any number of times; concurrent closes all return. Messages
///   that are already on the queue can still be polled.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_close(client: *mut mcp_client_t, timeout_ms: i32) -> mcp_status_t {
    guard_status(|| match handles::client(client) {
        Ok(client) => client.close(duration(timeout_ms)) as i32,
        Err(error) => error.status as i32,
    })
}

/// Frees a client. If the client is open, the function first closes it as mcp_client_close(client,
/// -1) does. Messages of this client on a shared queue are dropped; messages that were polled stay
/// valid. After the last client is freed, no thread, descriptor or process of the library is left.
///
/// client: the client; may be NULL. No other thread may be using it.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle. In a child of fork() it
///   frees nothing and returns MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_free(client: *mut mcp_client_t) -> mcp_status_t {
    guard_status(|| {
        if client.is_null() {
            return MCP_OK;
        }
        match handles::remove_client(client) {
            Ok(client) => {
                // Dropping it closes it, unless a thread that should not be there still holds it.
                if Arc::strong_count(&client) > 1 {
                    let _killed_if_late = client.close(None);
                }
                MCP_OK
            }
            Err(error) => error.status as i32,
        }
    })
}
