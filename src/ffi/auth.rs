//! Authorization: the answers of an application to messages of kind AUTH.

use super::convert::{duration, guard_error};
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::{message, needed_text, text};
use super::status::mcp_status_t;
use std::ffi::c_char;

/// Passes on the URL to which the browser was redirected after a message of kind MCP_KIND_AUTH with
/// "kind":"authorize" asked the application to open a URL. Necessary only when that message has
/// "listens":false; otherwise the library receives the redirect itself.
/// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
///
/// callback_url: the whole URL, or the part after '?', exactly as the browser received it, also
///   when it reports an error.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_AUTH (the URL does not belong to the current login, or a check failed:
///   see the error), MCP_ERROR_UNSUPPORTED (no "auth" in the configuration),
///   MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits. The calls that wait for the login continue by themselves.
///
/// Example:
///
///     mcp_client_complete_login(client, "http://127.0.0.1:8976/callback?code=x&state=y", NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_complete_login(
    client: *mut mcp_client_t,
    callback_url: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.complete_login(needed_text(callback_url, "callback_url")?)
    })
}

/// Supplies the credential that a message of kind MCP_KIND_AUTH asked for: with "kind":"token" a
/// token for the server, with "assertion" a signed statement about the workload, with "subject" a
/// token that identifies the person to the identity provider.
///
/// credential: visible ASCII, at most 16 KiB; white space around it is ignored. It is never logged.
/// lasts_ms: how long the credential is valid, in milliseconds; negative if unknown.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_AUTH (no message asked for a credential), MCP_ERROR_UNSUPPORTED (no
///   "auth" in the configuration), MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     // After a message MCP_KIND_AUTH that asks for one; valid for five minutes.
///     mcp_client_supply_credential(client, getenv("MCP_TOKEN"), 300000, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_supply_credential(
    client: *mut mcp_client_t,
    credential: *const c_char,
    lasts_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.give_credential(needed_text(credential, "credential")?, duration(lasts_ms))
    })
}

/// Aborts the current login, because the person closed the window or the application has no
/// credential. Calls that wait for the login end with MCP_ERROR_AUTH.
///
/// reason: the reason for the error message; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, also when no login is in progress; MCP_ERROR_UNSUPPORTED (no "auth" in the
///   configuration), MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_abort_login(
    client: *mut mcp_client_t,
    reason: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.give_up_login(text(reason, "reason")?.unwrap_or("the application gave up"))
    })
}

/// Answers a message of kind MCP_KIND_AUTH that needs an individual answer:
///
/// - "kind":"load": the text that the application stores under "key". With "lock":true no other
///   process may change it until the answer to the next "save" or until a message "unlock" for this
///   key, which needs no answer.
/// - "kind":"save": store "text" under "key" in place of the current text, completely or not at
///   all.
/// - "kind":"sign": the signature of "input" in Base64url without padding: 64 bytes (r and s) for
///   "algorithm":"ES256", as many bytes as the key has for "RS256". With "purpose":"assertion" the
///   answer may instead be a whole signed token about "client_id" for "audience".
///
/// "load" and "save" need "auth":{"store":"application"} in the configuration. "sign" needs
/// "auth":{"dpop_key":...} ("purpose":"proof") or "auth":{"signer":"application"}
/// ("purpose":"assertion"). A message of these kinds that is freed without an answer counts as a
/// failure.
///
/// message: the message. The caller still owns it and frees it with mcp_message_free().
/// answer: the stored text or the signature; NULL if nothing is stored, and after a save. It is
///   never logged.
/// failure: why there is no answer, for the error message; NULL on success.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_AUTH (the library no longer waits for this answer),
///   MCP_ERROR_UNSUPPORTED (no "auth" in the configuration), MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     mcp_client_answer_auth(client, message, stored_text_or_NULL, NULL, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_answer_auth(
    client: *mut mcp_client_t,
    message: *const mcp_message_t,
    answer: *const c_char,
    failure: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (answer, failure) = (text(answer, "answer")?, text(failure, "failure")?);
        handles::client(client)?.answer_auth(self::message(message)?, failure.map_or(Ok(answer), Err))
    })
}

/// Logs out: deletes the stored logins for this server in every store and asks each authorization
/// server that can do so to revoke its tokens (RFC 7009). It aborts a login in progress; if a token
/// is being issued, it waits for that token and revokes it. The next request that needs a login
/// starts a new one. All cached results of the client ("cache" in the configuration) are dropped.
///
/// timeout_ms: the longest wait in milliseconds; negative waits until the end, which comes at the
///   latest after twice "auth":{"limit_ms":...} of the configuration. With the store of the
///   application each of its answers has "patience_ms" in addition. After the timeout the logout
///   continues in the background.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_AUTH (the login could not be deleted everywhere: the error says where
///   it remains); MCP_ERROR_TIMEOUT; MCP_ERROR_CLOSED (the client was closed before the end);
///   MCP_ERROR_UNSUPPORTED (no "auth" in the configuration); MCP_ERROR_INVALID_ARGUMENT;
///   MCP_ERROR_FORKED.
///
/// Threads: any thread. If the application is the store, another thread must poll and answer the
///   messages meanwhile.
///
/// Example:
///
///     mcp_client_logout(client, -1, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_logout(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.forget_login(duration(timeout_ms)))
}
