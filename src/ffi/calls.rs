//! Calls and notifications of clients.

use super::convert::{duration, guard_error, guard_out};
use super::guard::{guard_reply, guard_status, invalid, of_export, reply_of_export};
use super::handles::{self, client_handle, mcp_client_t, mcp_message_t};
use super::pointer::{clear, give_message, message_of, needed_text, text, write};
use super::status::{MCP_EMPTY, MCP_ERROR_FORKED, MCP_OK, mcp_status_t};
use crate::client::{Client, Message};
use crate::engine::{Error, Status};
use std::ffi::c_char;
use std::sync::Arc;

/// A request and the client that it came to.
pub(super) fn asked<'a>(request: *const mcp_message_t) -> Result<(Arc<Client>, &'a Message), Error> {
    let request = message_of(request, "request")?;
    if request.client() == 0 {
        return Err(invalid("request", "is no request of a server"));
    }
    match handles::client(client_handle(request.client())) {
        Ok(client) => Ok((client, request)),
        // The program gave the request and not a client.
        Err(error) if error.status == Status::InvalidArgument => Err(invalid(
            "request",
            "has no live client: its client was freed, or it is a request to a server of this program",
        )),
        Err(error) => Err(error),
    }
}

/// Calls a method of the server and waits for the outcome. It starts the connection if necessary.
///
/// A method of the protocol that a program uses of a server means the same on every revision: it is
/// sent as the revision has it, a list has all of its pages, a result that is kept is not asked for
/// again ("cache" of the configuration), and results are checked. Nothing is sent for what the
/// server did not declare (MCP_ERROR_UNSUPPORTED; tools are asked for in any case). These are
/// "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
/// "resources/subscribe", "resources/unsubscribe", "resources/directory/read", "prompts/list",
/// "prompts/get", "completion/complete", "logging/setLevel", "ping", "tasks/list", "tasks/get",
/// "tasks/result", "tasks/cancel", "skills/list" and "skills/get". Every other method, and each one
/// with the option "raw", is sent as it is written, and its result is what the server wrote.
///
/// method: the method, such as "tools/call".
/// params_json: the parameters, a JSON object; NULL for none. "cursor" in the parameters of a list
///   asks for that page alone.
/// options_json: a JSON object; NULL for none. Its keys: "timeout_ms", "max_total_ms",
///   "reset_on_progress", "progress" (deliver MCP_KIND_PROGRESS messages), "meta" (members for
///   _meta of the request), "traceparent", "tracestate", "baggage", "retry" ("never" or "safe"),
///   "when_unavailable" ("fail" or "wait"), "log_level" (2026-07-28), "raw" (true: as it is
///   written), "one_page" and "cursor" (lists), "cache" ("use", "refresh" or "bypass"), "task" and
///   "task_ttl_ms" ("tools/call").
/// reply: receives a message of kind MCP_KIND_REPLY whose JSON is the result or, on failure, the
///   error object; may be NULL. Always written; NULL where no message could be created
///   (MCP_ERROR_FORKED, MCP_ERROR_INTERNAL). Free it with mcp_message_free().
///
/// Returns MCP_OK or the status of the error: MCP_ERROR_TIMEOUT, MCP_ERROR_CANCELLED,
///   MCP_ERROR_UNAVAILABLE, MCP_ERROR_TRANSPORT, MCP_ERROR_PROTOCOL, MCP_ERROR_SERVER,
///   MCP_ERROR_AUTH, MCP_ERROR_UNSUPPORTED, MCP_ERROR_BACKPRESSURE, MCP_ERROR_TOO_LARGE,
///   MCP_ERROR_NO_MEMORY, MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED,
///   MCP_ERROR_INTERNAL. A tool that failed is MCP_OK with "isError":true in the result.
///
/// Threads: any thread, also several at the same time on one client. The calling thread reads the
///   connection while it waits. Requests of the server (sampling, elicitation) and messages of a
///   login (MCP_KIND_AUTH) arrive on the queue meanwhile: let another thread poll and answer them,
///   or use mcp_call_start(). Only the timeout or mcp_client_close() ends a blocking call early.
///
/// Example:
///
///     mcp_message_t *reply = NULL;
///     const char *params = "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}";
///     if (mcp_call(client, "tools/call", params, NULL, &reply) == MCP_OK) {
///         const char *text = mcp_message_text(reply, NULL);
///         puts(text != NULL ? text : mcp_message_json(reply, NULL));
///     }
///     mcp_message_free(reply);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_call(
    client: *mut mcp_client_t,
    method: *const c_char,
    params_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_reply(|| {
        clear(reply);
        let message = match handles::client(client) {
            Err(error) if error.status == Status::Forked => return MCP_ERROR_FORKED,
            Err(error) => Message::failure(0, &of_export(error)),
            Ok(client) => {
                let texts = || -> Result<_, Error> {
                    let method = needed_text(method, "method")?;
                    Ok((method, text(params_json, "params_json")?, text(options_json, "options_json")?))
                };
                match texts() {
                    Ok((method, params, options)) => reply_of_export(client.call(method, params, options)),
                    Err(error) => Message::failure(client.number(), &of_export(error)),
                }
            }
        };
        let status = message.status() as i32;
        if !reply.is_null() {
            write(reply, give_message(message).unwrap_or(std::ptr::null_mut()));
        }
        status
    })
}

/// Starts a call and returns at once. The outcome arrives on the queue as a message of kind
/// MCP_KIND_REPLY.
///
/// method, params_json, options_json: as for mcp_call().
/// tag: a number of the application that comes back with the reply and with progress messages, for
///   example a pointer cast to uint64_t.
/// call_id: receives the number of the call for mcp_call_cancel(); may be NULL. Written only on
///   success.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, and then exactly one reply follows; or MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_UNAVAILABLE, MCP_ERROR_BACKPRESSURE (too many pending calls, or replies are not
///   polled), MCP_ERROR_CLOSED, MCP_ERROR_FORKED, and then no reply follows.
///
/// Threads: any thread; never waits. The request is written at once. While more than two calls are
///   pending, the library may delay it, to write several requests together when mcp_client_poll()
///   would wait, or after some milliseconds at the latest. With a descriptor (mcp_client_fd(),
///   mcp_queue_fd()) it delays them only where more than two calls of the client are started between
///   two polls that find nothing, or were started between the two before; the descriptor is readable
///   then, and the next poll that finds nothing writes them. Without a descriptor it does not delay
///   requests of clients on a shared queue.
///
/// For every other function ..._start the parameters tag, call_id and error_json, the statuses and
/// the thread rule are those of mcp_call_start(); the remaining parameters are those of the
/// function that it starts.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_call_start(
    client: *mut mcp_client_t,
    method: *const c_char,
    params_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(call_id, error_json, || {
        let client = handles::client(client)?;
        let method = needed_text(method, "method")?;
        let params = text(params_json, "params_json")?;
        let options = text(options_json, "options_json")?;
        write(call_id, client.start(method, params, options, tag)?);
        Ok(())
    })
}

/// Waits for the reply of one started call and takes it from the queue, so that a program runs
/// several calls at once without a loop: start them all, then wait for each.
///
/// call_id: the number from mcp_call_start() or another function ..._start of the client.
/// timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits until the call ends,
///   which its own timeout bounds. The call continues when the wait ends.
/// reply: receives the reply; may be NULL. Written as by mcp_call(); NULL with MCP_EMPTY. Free it
///   with mcp_message_free().
///
/// Returns MCP_EMPTY when there is no reply within the time; otherwise the status of the reply, as
///   mcp_call() does. MCP_ERROR_INVALID_ARGUMENT also when no such call is under way and its reply
///   is not on the queue: another thread has taken it.
///
/// Threads: any thread, also several at the same time. The calling thread reads the connection
///   while it waits. Other messages stay on the queue; mcp_queue_wake() and mcp_client_interrupt()
///   do not end the wait, mcp_call_cancel() and mcp_client_close() do.
///
/// Example:
///
///     uint64_t calls[6];
///     mcp_message_t *reply = NULL;
///     for (int i = 0; i < 6; i++)
///         if (mcp_call_start(client, "tools/list", NULL, NULL, 0, &calls[i], NULL) != MCP_OK)
///             calls[i] = 0;
///     for (int i = 0; i < 6; i++) {
///         if (calls[i] != 0 && mcp_call_wait(client, calls[i], -1, &reply) == MCP_OK)
///             puts(mcp_message_json(reply, NULL));
///         mcp_message_free(reply);
///         reply = NULL;
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_call_wait(
    client: *mut mcp_client_t,
    call_id: u64,
    timeout_ms: i32,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_reply(|| {
        clear(reply);
        let message = match handles::client(client) {
            Err(error) if error.status == Status::Forked => return MCP_ERROR_FORKED,
            Err(error) => Message::failure(0, &of_export(error)),
            Ok(client) => match client.wait_for_started(call_id, duration(timeout_ms)) {
                Ok(None) => return MCP_EMPTY,
                Ok(Some(message)) => message,
                Err(error) => {
                    let error = invalid("call_id", format!("is {call_id}: {}", error.message));
                    Message::failure(client.number(), &error)
                }
            },
        };
        let status = message.status() as i32;
        if !reply.is_null() {
            write(reply, give_message(message).unwrap_or(std::ptr::null_mut()));
        }
        status
    })
}

/// Cancels a call. Its outcome is MCP_ERROR_CANCELLED unless it already has one, and the server is
/// notified. Calling it again has no effect.
///
/// call_id: the number from mcp_call_start().
/// reason: text for the log of the server; may be NULL.
///
/// Returns MCP_OK, MCP_EMPTY when no such call is pending, MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_call_cancel(
    client: *mut mcp_client_t,
    call_id: u64,
    reason: *const c_char,
) -> mcp_status_t {
    guard_status(|| {
        let cancel = || {
            let client = handles::client(client)?;
            let reason = text(reason, "reason")?.unwrap_or_default();
            Ok::<bool, Error>(client.cancel(call_id, reason))
        };
        match cancel() {
            Ok(true) => MCP_OK,
            Ok(false) => MCP_EMPTY,
            Err(error) => error.status as i32,
        }
    })
}

/// Sends a notification. The connection must be ready.
///
/// method: such as "notifications/roots/list_changed". The library sends "notifications/cancelled"
///   and "notifications/initialized" itself and refuses them here.
/// params_json: the parameters, a JSON object; NULL for none.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_UNAVAILABLE, MCP_ERROR_BACKPRESSURE (the server does not read),
///   MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_notify(
    client: *mut mcp_client_t,
    method: *const c_char,
    params_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let client = handles::client(client)?;
        let method = needed_text(method, "method")?;
        client.notify(method, text(params_json, "params_json")?)
    })
}
