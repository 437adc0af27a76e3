//! Clients: made, connected, looked at, closed, freed.

use super::guard::guard_status;
use super::handles::{self, mcp_client_t, mcp_queue_t};
use super::pointer::{give_text, needed_text, null, text, write};
use super::status::{MCP_OK, mcp_state_t, mcp_status_t};
use crate::client::{Client, Queue, load_config};
use crate::engine::Error;
use std::ffi::c_char;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Hands an error to C: its status, and its JSON where it is wanted.
pub(super) fn fail(error: &Error, error_json: *mut *mut c_char) -> mcp_status_t {
    if !error_json.is_null()
        && let Some(text) = give_text(&error.to_json())
    {
        write(error_json, text);
    }
    error.status as i32
}

/// Runs an export's body; its error goes to C as a status and, where it is wanted, as JSON. Without an error object
/// `error_json` becomes NULL, so that it may be freed in any case.
pub(super) fn guard_error(
    error_json: *mut *mut c_char,
    body: impl Fn() -> Result<(), Error>,
) -> mcp_status_t {
    status_of(error_json, &body)
}

/// One function for all bodies: a copy for each would weigh half a KiB.
fn status_of(error_json: *mut *mut c_char, body: &dyn Fn() -> Result<(), Error>) -> mcp_status_t {
    guard_status(|| {
        write(error_json, std::ptr::null_mut());
        match body() {
            Ok(()) => MCP_OK,
            Err(error) => fail(&error, error_json),
        }
    })
}

/// A time as C gives it: negative is none.
pub(super) fn duration(timeout_ms: i32) -> Option<Duration> {
    u64::try_from(timeout_ms).ok().map(Duration::from_millis)
}

fn no_memory(operation: &str) -> Error {
    Error::new(crate::engine::Status::Internal, operation, "no memory is left")
}

/// Gives text to C.
pub(super) fn give(text: &str, out: *mut *mut c_char, operation: &str) -> Result<(), Error> {
    write(out, give_text(text).ok_or_else(|| no_memory(operation))?);
    Ok(())
}

fn new_client(
    config_json: *const c_char,
    shared: Option<Arc<Queue>>,
    out: *mut *mut mcp_client_t,
) -> Result<(), Error> {
    if out.is_null() {
        return Err(null("out"));
    }
    let config = needed_text(config_json, "config_json")?;
    let client = Client::new(config, shared)?;
    write(out, handles::add_client(client));
    Ok(())
}

/// Makes a client from JSON configuration. Starts nothing yet: mcp_client_connect() or the first call does.
///
/// config_json: a JSON object: an entry of the well-known "mcpServers" format ("command", "args", "env", "cwd") plus the
///   keys listed in docs/configuration.md, such as "url" for a server over HTTP and "socket" for one that listens. An unknown
///   key is an error that names it and the nearest known one. Copied. So is the environment that the server will see, during
///   this call: do not change yours on another thread meanwhile.
/// out: receives the client, to be freed with mcp_client_free(). Written only on success.
/// error_json: receives the error object on failure, to be freed with mcp_string_free(); may be NULL.
///
/// Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED, MCP_FORKED, or MCP_INTERNAL when the process has no
/// thread or descriptor left.
///
///     mcp_client_t *client;
///     mcp_client_new("{\"command\":\"npx\",\"args\":[\"-y\",\"some-server\"]}", &client, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new(
    config_json: *const c_char,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || new_client(config_json, None, out))
}

/// Makes a client whose messages go to a queue that other clients may share, so that a program with many servers waits in
/// one place. Otherwise as mcp_client_new().
///
/// queue: where messages go; must not be freed before the client.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_on(
    queue: *mut mcp_queue_t,
    config_json: *const c_char,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || new_client(config_json, Some(Arc::clone(&handles::queue(queue)?.queue)), out))
}

/// Reads one server of an "mcpServers" file as configuration for mcp_client_new(). "${VAR}" and "${VAR:-default}" in
/// strings are expanded from the environment; keys that only editors know ("autoApprove", ...) are left out. The entry is
/// checked as mcp_client_new() checks it; what is wrong is told with file, server and key.
///
/// path: the file, at most 4 MiB.
/// server_name: which server; NULL takes the only one.
/// config_json: receives the configuration, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
/// error_json: receives the error object on failure; may be NULL. "details" has "path" and, where they are known, "server"
///   and "key".
///
/// Any thread; reads the file. Returns MCP_OK; MCP_UNAVAILABLE for a server that the file says is disabled ("disabled": true,
/// "enabled": false); MCP_INVALID_ARGUMENT; MCP_UNSUPPORTED for a server that this build has no transport for.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_config_load(
    path: *const c_char,
    server_name: *const c_char,
    config_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        if config_json.is_null() {
            return Err(null("config_json"));
        }
        let path = needed_text(path, "path")?;
        let name = text(server_name, "server_name")?;
        give(&load_config(Path::new(path), name)?, config_json, "config_load")
    })
}

/// Starts the connection if need be and waits until it is ready. Optional: the first call starts it too.
///
/// timeout_ms: the longest wait in milliseconds; -1 waits until the attempt has succeeded or failed. 0 starts the connection
///   and returns MCP_TIMEOUT unless it is ready already: mcp_client_connect_start() tells what became of it.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread. Returns MCP_OK, MCP_TIMEOUT, MCP_TRANSPORT (the server could not be started, or ended), MCP_UNSUPPORTED (no
/// revision in common), MCP_PROTOCOL, MCP_SERVER, MCP_AUTH (a login is needed and there is none, or it failed), MCP_CLOSED,
/// MCP_INVALID_ARGUMENT, MCP_FORKED. After a failure the client goes on trying in the background, as "reconnect" in the configuration says; after one that would repeat itself, such as
/// MCP_UNSUPPORTED, it is closed.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_connect(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.connect(duration(timeout_ms)))
}

/// mcp_client_connect() as a started call: the outcome arrives on the queue as a message of kind MCP_KIND_REPLY, for event loops
/// that must not wait. Its result is {}; on failure it carries the error object.
///
/// timeout_ms: after how many milliseconds the outcome is MCP_TIMEOUT if there is no other; -1 waits until the attempt has
///   succeeded or failed. Whatever the outcome, the client goes on as after mcp_client_connect().
/// tag: comes back with the reply.
/// call_id: receives a number for mcp_call_cancel(), which ends the wait as MCP_CANCELLED and not the attempt; may be NULL.
///   Written only on success.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK, and then exactly one reply follows, also when the connection was ready already; or
/// MCP_BACKPRESSURE (too many wait for the connection, or replies are not polled), MCP_CLOSED, MCP_INVALID_ARGUMENT,
/// MCP_FORKED, and then none does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_connect_start(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        write(call_id, handles::client(client)?.connect_start(duration(timeout_ms), tag)?);
        Ok(())
    })
}

/// The state of the connection: MCP_STATE_*, or a negative status for a handle that is none. Any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_state(client: *mut mcp_client_t) -> mcp_state_t {
    guard_status(|| match handles::client(client) {
        Ok(client) => client.state() as i32,
        Err(error) => error.status as i32,
    })
}

/// What there is to know about the connection, as a JSON object: "state", "revision", "era", "server" (name and version),
/// "capabilities", "instructions", "transport", "pid", "pending_calls", "failure", "counters" and more.
///
/// info_json: receives it, to be freed with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK, MCP_INVALID_ARGUMENT or MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_info(
    client: *mut mcp_client_t,
    info_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let client = handles::client(client)?;
        if info_json.is_null() {
            return Err(null("info_json"));
        }
        give(&client.info(), info_json, "client_info")
    })
}

/// Closes the connection: calls under way end as MCP_CLOSED, the server's input is closed, and a server that does not end
/// by itself is asked to (SIGTERM) and then killed (SIGKILL), with everything it started in its process group.
///
/// timeout_ms: how long that may take before the kill, which takes effect at once and is waited for half a second at the
///   most; -1 takes "timeouts.close_ms" of the configuration (2000).
///
/// Any thread, any state, any number of times; concurrent closes all return. Messages that wait can still be polled.
/// Returns MCP_OK when the server is gone, MCP_TIMEOUT when even the kill has not ended it yet, MCP_INVALID_ARGUMENT,
/// MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_close(client: *mut mcp_client_t, timeout_ms: i32) -> mcp_status_t {
    guard_status(|| match handles::client(client) {
        Ok(client) => client.close(duration(timeout_ms)) as i32,
        Err(error) => error.status as i32,
    })
}

/// Frees a client, closing it if need be as mcp_client_close(client, -1) does. Messages of its that still wait on a shared queue are dropped; messages that were polled stay valid. After the last client is freed no
/// thread, descriptor or process of the library is left.
///
/// client: NULL is fine. No other thread may be using it.
///
/// Returns MCP_OK, or MCP_INVALID_ARGUMENT for a handle that is none. In a child of fork() it frees nothing and returns
/// MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_free(client: *mut mcp_client_t) -> mcp_status_t {
    guard_status(|| {
        if client.is_null() {
            return MCP_OK;
        }
        match handles::remove_client(client) {
            Ok(client) => {
                // Dropping it closes it, unless a thread that should not be there still holds it.
                if let Err(held) = Arc::try_unwrap(client) {
                    let _killed_if_late = held.close(None);
                }
                MCP_OK
            }
            Err(error) => error.status as i32,
        }
    })
}
