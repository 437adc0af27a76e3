//! Configuration files of this and other programs: their servers, one of them, and clients of all.

use super::client::shared;
use super::convert::{give, guard_error, guard_out};
use super::guard::{guard_status, null};
use super::handles::{self, mcp_client_t, mcp_queue_t};
use super::panics::of_program;
use super::pointer::{UserData, needed_text, text};
use super::status::{MCP_EMPTY, MCP_OK, mcp_status_t};
use crate::client::{Client, list_servers, load_config, open_config};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::sync::Arc;

/// A function of the application that gets the clients of mcp_config_open(), one call for each
/// server.
///
/// user: the pointer that was given with the function.
/// name: the name of the server in the file; valid during the call.
/// client: the client, which now belongs to the application: free it with mcp_client_free(). NULL
///   when there is none.
/// status: MCP_OK with a client; otherwise why there is none, as mcp_config_load() or
///   mcp_client_new() returns it.
/// error_json: the error object; valid during the call. NULL with a client.
pub type mcp_config_opened_t = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        name: *const c_char,
        client: *mut mcp_client_t,
        status: mcp_status_t,
        error_json: *const c_char,
    ),
>;

/// Lists the servers of an "mcpServers" file in the order of the file, to load each with
/// mcp_config_load() or to show them.
///
/// path: the file, at most 4 MiB.
/// servers_json: receives a JSON array of objects with "name" and "disabled" (true or false). Free
///   it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT. The entries are not checked; mcp_config_load()
///   checks the one that it loads.
///
/// Threads: any thread; reads the file.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_config_servers(
    path: *const c_char,
    servers_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(servers_json, error_json, || {
        if servers_json.is_null() {
            return Err(null("servers_json"));
        }
        let path = needed_text(path, "path")?;
        give(&list_servers(Path::new(path))?, servers_json, "config_servers")
    })
}

/// Reads one server of an "mcpServers" file as configuration for mcp_client_new().
///
/// The function expands "${VAR}" and "${VAR:-default}" in strings from the environment. It omits
/// keys that only editors know ("autoApprove", ...). It checks the entry as mcp_client_new() does;
/// an error names the file, the server and the key.
///
/// path: the file, at most 4 MiB.
/// server_name: the name of the server; NULL selects the only one.
/// config_json: receives the configuration. Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL. "details" has "path" and, where
///   known, "server" and "key".
///
/// Returns MCP_OK; MCP_ERROR_UNAVAILABLE for a server that the file disables ("disabled": true or
///   "enabled": false); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_UNSUPPORTED for a server whose
///   transport this build lacks.
///
/// Threads: any thread; reads the file.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_config_load(
    path: *const c_char,
    server_name: *const c_char,
    config_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(config_json, error_json, || {
        if config_json.is_null() {
            return Err(null("config_json"));
        }
        let path = needed_text(path, "path")?;
        let name = text(server_name, "server_name")?;
        give(&load_config(Path::new(path), name)?, config_json, "config_load")
    })
}

/// Creates a client for each server of an "mcpServers" file that the file does not disable, in the
/// order of the file. The file is read once. No server is started: that does mcp_client_connect() or
/// the first call.
///
/// The file may be that of another program: comments and commas too many are passed over, and keys
/// that only the other program reads are left out. mcp_config_load() takes such a key for a mistake.
///
/// A server whose entry is wrong is not a failure of this function: opened() gets its error, and the
/// others are opened. Only a file that cannot be read as a whole is.
///
/// path: the file, at most 4 MiB; see mcp_config_load() for what is replaced and omitted.
/// queue: as for mcp_client_new(); usually one for all, so that the program waits in one place.
/// options_json: {"defaults":{...}}: keys of the configuration for every server whose entry does not
///   have them, such as "client" or "timeouts"; NULL for none.
/// opened: gets each client or error, on this thread, before the function returns. It may call every
///   function of the library.
/// user: passed to opened(); may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_EMPTY when the file enables no server; MCP_ERROR_INVALID_ARGUMENT;
///   MCP_ERROR_FORKED. Without MCP_OK opened() was not called.
///
/// Threads: any thread; reads the file. Do not change the environment on another thread during this
///   call.
///
/// Example:
///
///     static void opened(void *app, const char *name, mcp_client_t *client, mcp_status_t status,
///                        const char *error) {
///         if (status == MCP_OK) app_add(app, name, client);
///         else fprintf(stderr, "%s: %s\n", name, error);
///     }
///     mcp_config_open("mcp.json", queue, NULL, opened, app, &error);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_config_open(
    path: *const c_char,
    queue: *mut mcp_queue_t,
    options_json: *const c_char,
    opened: mcp_config_opened_t,
    user: *mut c_void,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_status(|| {
        let user = UserData::new(user, None);
        let is_empty = Cell::new(false);
        let status = guard_error(error_json, || {
            let Some(opened) = opened else { return Err(null("opened")) };
            let shared_queue = shared(queue)?;
            let path = needed_text(path, "path")?;
            let servers = open_config(Path::new(path), text(options_json, "options_json")?)?;
            is_empty.set(servers.is_empty());
            for (name, config) in servers {
                let made =
                    config.and_then(|config| Client::new(&config, shared_queue.as_ref().map(Arc::clone)));
                let name = terminated(&name);
                match made {
                    Ok(client) => {
                        let client = handles::add_client(client, queue);
                        // SAFETY: the contract says that the function may be called with `user`; it owns the client.
                        of_program(|| unsafe {
                            opened(user.get(), name.as_ptr(), client, MCP_OK, std::ptr::null());
                        });
                    }
                    Err(error) => {
                        let (status, error) = (error.status as i32, terminated(&error.to_json()));
                        // SAFETY: as above; the text lives until the call has returned.
                        of_program(|| unsafe {
                            opened(user.get(), name.as_ptr(), std::ptr::null_mut(), status, error.as_ptr());
                        });
                    }
                }
            }
            Ok(())
        });
        if status == MCP_OK && is_empty.get() { MCP_EMPTY } else { status }
    })
}

/// The text for C. A NUL in the name of a server, which no C text can have, is shown as what it is not.
fn terminated(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}
