//! Authorization: what an application answers to messages of kind AUTH.

use super::client::{duration, guard_error};
use super::handles::{self, mcp_client_t};
use super::messages::mcp_message_t;
use super::pointer::{message, needed_text, text};
use super::status::mcp_status_t;
use std::ffi::c_char;

/// Hands over where the browser came back to, after a message of kind MCP_KIND_AUTH with "kind":"authorize" had the application
/// open a URL. Only needed when that message says "listens":false; else the library gets the answer itself.
///
/// callback_url: the whole URL, or what follows its '?', exactly as the browser was sent there; with its errors too.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits: the calls that wait for the login go on by themselves. Returns MCP_OK, MCP_AUTH (not for the login
/// under way, or a check failed: see the error), MCP_UNSUPPORTED (no "auth" in the config), MCP_INVALID_ARGUMENT, MCP_FORKED.
/// Example: mcp_auth_complete(client, "http://127.0.0.1:8976/callback?code=x&state=y", NULL);
/// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
#[unsafe(no_mangle)]
pub extern "C" fn mcp_auth_complete(
    client: *mut mcp_client_t,
    callback_url: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.complete_login(needed_text(callback_url, "callback_url")?)
    })
}

/// Gives the credential that a message of kind MCP_KIND_AUTH asked for: "kind":"token" wants a token for the server,
/// "assertion" a signed statement about the workload, "subject" what shows at the identity provider who the person is.
///
/// credential: visible ASCII, at most 16 KiB; white space around it does not matter. It is never logged.
/// lasts_ms: how long it is good, in milliseconds; negative if that is not known.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK, MCP_AUTH (nothing was asked for), MCP_UNSUPPORTED (no "auth" in the config),
/// MCP_INVALID_ARGUMENT, MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_auth_give(
    client: *mut mcp_client_t,
    credential: *const c_char,
    lasts_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.give_credential(needed_text(credential, "credential")?, duration(lasts_ms))
    })
}

/// Says that the login under way will not be finished, because the person closed the window or the application has nothing to
/// give. Calls that wait for it end with MCP_AUTH.
///
/// reason: for the error; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK, also when no login is under way; MCP_UNSUPPORTED (no "auth" in the config),
/// MCP_INVALID_ARGUMENT, MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_auth_give_up(
    client: *mut mcp_client_t,
    reason: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::client(client)?.give_up_login(text(reason, "reason")?.unwrap_or("the application gave up"))
    })
}

/// Answers a message of kind MCP_KIND_AUTH that wants something for itself:
///   "kind":"load"   what the application keeps under "key"; with "lock":true nobody else may change it until the answer to the
///                   next "save" or a message "unlock" for this key, which wants no answer
///   "kind":"save"   to keep "text" under "key" in place of what is there, whole or not at all
///   "kind":"sign"   the signature of "input", in Base64url without padding: for "algorithm":"ES256" 64 bytes (r and s), for
///                   "RS256" as many as the key has. With "purpose":"assertion" a whole signed token about "client_id", for
///                   "audience", may be given instead
/// The first two come with "auth":{"store":"application"} in the config, the last with "auth":{"dpop_key":...} ("purpose":
/// "proof") or "auth":{"signer":"application"} ("purpose":"assertion"). A message of these kinds that is freed without an answer
/// counts as a failure.
///
/// message: the message; it stays the caller's, to be freed with mcp_message_free().
/// answer: what is kept, or the signature; NULL if nothing is kept, and after a save. It is never logged.
/// failure: why there is no answer, for the error; NULL if all went well.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns MCP_OK, MCP_AUTH (nobody waits for this answer any more), MCP_UNSUPPORTED (no "auth" in the
/// config), MCP_INVALID_ARGUMENT, MCP_FORKED.
/// Example: mcp_auth_answer(client, message, kept_text_or_NULL, NULL, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_auth_answer(
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

/// Logs out: forgets the logins that are kept for this server, wherever they are kept, and has each authorization server revoke
/// what it gave (RFC 7009) if it can. A login under way is given up; a token that is on its way is waited for and revoked. The
/// next request that needs a login asks for a new one. Every result that the client keeps ("cache" in its config) is dropped.
///
/// timeout_ms: how long to wait for the end, in milliseconds; negative for as long as it takes, which is bounded by twice
///   "auth":{"limit_ms":...} in the config. After that it goes on without the caller.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread. With a store of the application's another one must take the messages meanwhile. Returns MCP_OK; MCP_AUTH (it is
/// not forgotten everywhere: the error says where it still is); MCP_TIMEOUT; MCP_UNSUPPORTED (no "auth" in the config),
/// MCP_INVALID_ARGUMENT, MCP_FORKED.
/// Example: mcp_auth_forget(client, -1, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_auth_forget(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.forget_login(duration(timeout_ms)))
}
