//! Functions for the whole process: version, names, the logger, strings.

use super::guard::{guard, guard_status};
use super::panics::of_program;
use super::pointer::{UserData, take_text};
use super::status::{
    MCP_ABI_VERSION, MCP_ERROR_INVALID_ARGUMENT, MCP_FEATURE_AUTH, MCP_FEATURE_CLIENT, MCP_FEATURE_HTTP,
    MCP_FEATURE_SCHEMA, MCP_FEATURE_SERVER, MCP_FEATURE_SKILLS, MCP_LOG_NONE, MCP_LOG_TRACE, MCP_OK,
};
use super::status::{kind_name, mcp_kind_t, mcp_status_t, mcp_topic_t, status_name, topic_name};
use crate::client::{Logger, set_logger};
use crate::engine::Level;
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// The version of the loaded library, such as "0.1.0".
///
/// Returns a static string; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_version() -> *const c_char {
    guard(ptr::null(), || VERSION.as_ptr().cast())
}

/// The ABI version of the loaded library. A program that was compiled with another MCP_ABI_VERSION
/// must not continue; see MCP_ABI_MATCHES().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_abi_version() -> u32 {
    guard(0, || MCP_ABI_VERSION)
}

/// The optional parts that the loaded library was built with.
///
/// Returns MCP_FEATURE_* joined by `|`; later versions may add bits.
///
/// Example:
///
///     if (!(mcp_features() & MCP_FEATURE_HTTP)) puts("this build reaches no server over HTTP");
#[unsafe(no_mangle)]
pub extern "C" fn mcp_features() -> u32 {
    guard(0, || {
        [
            (cfg!(feature = "http"), MCP_FEATURE_HTTP),
            (cfg!(feature = "auth"), MCP_FEATURE_AUTH),
            (cfg!(feature = "schema"), MCP_FEATURE_SCHEMA),
            (cfg!(feature = "skills"), MCP_FEATURE_SKILLS),
            (cfg!(feature = "server"), MCP_FEATURE_SERVER),
            (cfg!(feature = "client"), MCP_FEATURE_CLIENT),
        ]
        .into_iter()
        .filter(|(built, _)| *built)
        .fold(0, |all, (_, bit)| all | bit)
    })
}

/// The name of a status, such as "timeout".
///
/// Returns a static string, "unknown" for an unknown number; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_status_name(status: mcp_status_t) -> *const c_char {
    guard(ptr::null(), || status_name(status).as_ptr())
}

/// The name of a message kind, such as "notification".
///
/// Returns a static string, "unknown" for an unknown number; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_kind_name(kind: mcp_kind_t) -> *const c_char {
    guard(ptr::null(), || kind_name(kind).as_ptr())
}

/// The name of a topic, such as "tools_changed".
///
/// Returns a static string, "unknown" for an unknown number; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_topic_name(topic: mcp_topic_t) -> *const c_char {
    guard(ptr::null(), || topic_name(topic).as_ptr())
}

/// Frees a string that a function of this library returned.
///
/// text: the string; may be NULL. The library cannot detect that a string is freed twice.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_string_free(text: *mut c_char) {
    guard((), || take_text(text));
}

/// Sets the function that receives the log records of all clients. It replaces the previous one.
///
/// log: called with `user`, the level (MCP_LOG_*) and the record, a JSON object with "event" (a
///   stable name such as "connection.transition"), "level", "client" (the client's name) and the
///   values of the event. The text is valid until `log` returns. NULL removes the logger.
/// level: the library creates records up to this level; MCP_LOG_NONE creates none.
/// user: passed to `log` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `log`, on any thread, also when
///   the function fails; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an unknown level; then the logger stays.
///
/// Threads: any thread. `log` runs on one thread of the library, one record after another, with no
///   lock held, and may call every function of this library. It is called only while a client
///   exists, and not in a child of fork(), which sets its own logger. If `log` is too slow, the
///   library drops records and reports their number in a record "log.dropped".
#[unsafe(no_mangle)]
pub extern "C" fn mcp_log_set_logger(
    log: Option<unsafe extern "C" fn(user: *mut c_void, level: i32, record_json: *const c_char)>,
    level: i32,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
) -> mcp_status_t {
    guard_status(|| {
        // Made in any case: `destroy` is called at once where there is nothing to call, or no such level.
        let user = UserData::new(user, destroy);
        if !(MCP_LOG_NONE..=MCP_LOG_TRACE).contains(&level) {
            return MCP_ERROR_INVALID_ARGUMENT;
        }
        let loudest = [Level::Error, Level::Warn, Level::Info, Level::Debug, Level::Trace]
            .into_iter()
            .find(|known| i32::from(*known as u8) == level);
        match (log, loudest) {
            (Some(log), Some(level)) => {
                let logger: Logger = Arc::new(move |level, record| {
                    let Ok(record) = CString::new(record) else { return };
                    // SAFETY: the contract says that `log` may be called with `user` until `destroy` is.
                    of_program(|| unsafe { log(user.get(), i32::from(level as u8), record.as_ptr()) });
                });
                set_logger(Some((level, logger)));
            }
            _ => set_logger(None),
        }
        MCP_OK
    })
}
