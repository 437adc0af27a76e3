//! Messages: waiting for them, reading them, and responses to the requests of the other side.

#[cfg(feature = "client")]
use super::calls::asked;
#[cfg(feature = "client")]
use super::convert::duration;
use super::convert::{guard_error, guard_free};
#[cfg(feature = "client")]
use super::guard::guard_in_handler;
use super::guard::{guard, guard_status, invalid};
#[cfg(feature = "client")]
use super::handles;
use super::handles::{client_handle, mcp_client_t, mcp_message_t};
#[cfg(feature = "server")]
use super::handles::{mcp_server_t, server_handle};
use super::objects::Content;
use super::pointer::{clear, message, message_of, needed_text, write};
#[cfg(feature = "client")]
use super::queue::polled;
#[cfg(feature = "server")]
use super::status::MCP_CODE_NOT_FOUND;
#[cfg(feature = "client")]
use super::status::MCP_OK;
use super::status::{MCP_ERROR_INVALID_ARGUMENT, mcp_kind_t, mcp_status_t, mcp_topic_t};
use crate::engine::{Error, RequestAnswer};
use std::ffi::c_char;
use std::ptr;

/// Answers what the server of a client asked.
#[cfg(feature = "client")]
fn from_client(request: *const mcp_message_t, answer: RequestAnswer<'_>) -> Result<(), Error> {
    let (client, request) = asked(request)?;
    if matches!(answer, RequestAnswer::Error { message: "", .. }) {
        return Err(invalid("message", "is empty"));
    }
    client.respond(request, answer)
}

/// No message of this build is a request of a server.
#[cfg(not(feature = "client"))]
fn from_client(request: *const mcp_message_t, _answer: RequestAnswer<'_>) -> Result<(), Error> {
    message_of(request, "request")?;
    Err(invalid("request", "is no request of a client"))
}

/// Answers a request with a result: one that the server of a client of this process sent, or one
/// that a client sent to a server of this process. If a request's message is freed without an
/// answer, the library refuses the request. In revision 2026-07-28 the server asks inside the
/// answer to a call; the application receives the same kind of message, and refusing it ends that
/// call as MCP_ERROR_CANCELLED.
///
/// request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
/// result_json: the result, a JSON object.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a request that was already answered;
///   MCP_ERROR_CANCELLED when the request is no longer wanted: the other side cancelled it, it took
///   too long, or its session has ended; MCP_ERROR_TRANSPORT when its connection has ended;
///   MCP_ERROR_CLOSED; MCP_ERROR_FORKED. A result that is not what the method or the "outputSchema"
///   of the tool promises is MCP_ERROR_INVALID_ARGUMENT too; the client then gets an internal error.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond(
    request: *const mcp_message_t,
    result_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let result = needed_text(result_json, "result_json")?;
        #[cfg(feature = "server")]
        {
            let message = message_of(request, "request")?;
            if let Some(served) = super::request::served(message)? {
                return super::request::respond(message, served, result);
            }
        }
        from_client(request, RequestAnswer::Result(result))
    })
}

/// Answers a request of the server with an error.
///
/// request: as for mcp_request_respond().
/// code: the JSON-RPC error code, such as -1 for "the user refused". To a client of 2026-07-28 a
///   server sends codes outside of -32768 to -32000, and the few that JSON-RPC and MCP define; any
///   other is MCP_ERROR_INVALID_ARGUMENT, and the client gets -32603. MCP_CODE_NOT_FOUND becomes
///   the code that the revision has for what does not exist.
/// text: the error message. NULL is possible with MCP_CODE_NOT_FOUND, for a request of a client: the
///   library then writes the message, and adds the URI of a resource as "data".
/// data_json: JSON of any type; NULL for none.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns the statuses of mcp_request_respond().
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond_error(
    request: *const mcp_message_t,
    code: i32,
    text: *const c_char,
    data_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let carrier = message_of(request, "request")?;
        let data = super::pointer::text(data_json, "data_json")?;
        #[cfg(feature = "server")]
        if let Some(served) = super::request::served(carrier)? {
            if code == MCP_CODE_NOT_FOUND && text.is_null() && data.is_none() {
                return super::request::respond_not_found(carrier, served);
            }
            let message = needed_text(text, "text")?;
            return super::request::respond_error(carrier, served, code, message, data);
        }
        let message = needed_text(text, "text")?;
        #[cfg(not(feature = "server"))]
        let _only_clients_have_requests = carrier;
        from_client(request, RequestAnswer::Error { code: code.into(), message, data })
    })
}

#[cfg(feature = "client")]
fn poll(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
    only_notifications: bool,
) -> mcp_status_t {
    clear(message);
    if message.is_null() {
        return MCP_ERROR_INVALID_ARGUMENT;
    }
    match handles::client(client).and_then(|client| client.poll(duration(timeout_ms), only_notifications)) {
        Ok(outcome) => polled(outcome, message),
        Err(error) => error.status as i32,
    }
}

/// Takes the next message of any kind, and waits for one if necessary.
///
/// timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a limit.
/// message: receives the message when MCP_OK is returned. Free it with mcp_message_free().
///
/// Returns MCP_OK; MCP_EMPTY when no message arrived in time; MCP_WOKEN when mcp_client_wake() ended
///   the wait; MCP_ERROR_CLOSED when the client is
///   closed and its queue is empty; MCP_ERROR_INVALID_ARGUMENT, also for a client on a shared queue
///   (use mcp_queue_poll()); MCP_ERROR_FORKED.
///
/// Threads: any thread, also several at the same time; each message goes to one of them. A signal
///   never ends the wait: its handler runs, and the wait continues. mcp_client_wake() ends it, also
///   in the handler, and so does closing the client.
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_poll(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| poll(client, timeout_ms, message, false))
}

/// Ends one wait on the client's own queue with MCP_WOKEN: the current mcp_client_poll() or
/// mcp_poll_notification() or, if no thread waits, the next one. Messages that the wait would
/// return are taken first. Several calls before a wait count as one. To end mcp_call() and the like,
/// use mcp_client_interrupt().
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a client on a shared queue (use
///   mcp_queue_wake()); MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits. Async-signal-safe.
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_wake(client: *mut mcp_client_t) -> mcp_status_t {
    guard_in_handler(|| {
        handles::interrupt_client(
            client,
            |waits| {
                if waits.end_poll() { MCP_OK } else { MCP_ERROR_INVALID_ARGUMENT }
            },
        )
    })
}

/// Ends the calls for which threads wait in this moment, with MCP_ERROR_CANCELLED: mcp_call(),
/// the functions that are named after a method, and mcp_client_connect(). The server is told that
/// their results are no longer wanted. Calls that were started go on (see mcp_call_cancel()), and
/// so does the connection. If no thread waits, nothing happens: the next call is not affected.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits. Async-signal-safe: for the handler of Ctrl-C.
///
/// Example:
///
///     static mcp_client_t *client;
///     static void on_interrupt(int number) {
///         (void)number;
///         mcp_client_interrupt(client);
///     }
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_interrupt(client: *mut mcp_client_t) -> mcp_status_t {
    guard_in_handler(|| {
        handles::interrupt_client(client, |waits| {
            waits.end_calls();
            MCP_OK
        })
    })
}

/// Takes the next notification of the server, and waits for one if necessary. Messages of other
/// kinds stay on the queue. With mcp_client_fd(): when the descriptor is readable, call this
/// function with timeout 0 until it returns MCP_EMPTY; then the descriptor is readable again when
/// another message of any kind arrives, and not for what was left.
///
/// Parameters, statuses and threads as for mcp_client_poll(), but MCP_ERROR_CLOSED when the client
/// is closed and no notification is left.
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_poll_notification(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| poll(client, timeout_ms, message, true))
}

/// A descriptor that is readable while messages of this client are on its queue, for epoll, kqueue,
/// libuv, GLib and similar loops. It belongs to the library: never read, write or close it. When it
/// is readable, call mcp_client_poll(client, 0, ...) until it returns MCP_EMPTY. After
/// mcp_client_close() it stays readable: take it out of the loop when a poll returns
/// MCP_ERROR_CLOSED. On Windows it is a SOCKET, for WSAPoll(), select() or WSAEventSelect().
///
/// On Linux it is also readable when a server has written to its pipe or socket. The poll reads
/// that in the thread of the loop, so that no other thread has to wake for it; its first result may
/// be MCP_EMPTY, because a message is not complete yet or needs no action of the program. If the
/// loop does not poll within some milliseconds, a thread of the library reads instead. On every
/// system it is also readable while requests wait for the next poll, which writes them together (see
/// mcp_call_start()).
///
/// Returns the descriptor (always the same until the client is freed; for a client on a shared
///   queue that of the queue), or a negative status: MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED,
///   MCP_ERROR_INTERNAL when the process cannot create a descriptor.
///
/// Threads: any thread.
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_fd(client: *mut mcp_client_t) -> i32 {
    guard_status(|| match handles::client(client).and_then(|client| client.queue().fd()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}

/// The kind of a message.
///
/// Returns MCP_KIND_*, or a negative status for an invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_kind(message: *const mcp_message_t) -> mcp_kind_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.kind() as i32,
        Err(error) => error.status as i32,
    })
}

/// The outcome in a reply.
///
/// Returns the status; MCP_OK for messages of other kinds; MCP_ERROR_INVALID_ARGUMENT for an
///   invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_status(message: *const mcp_message_t) -> mcp_status_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.status() as i32,
        Err(_) => MCP_ERROR_INVALID_ARGUMENT,
    })
}

/// The client of a message, borrowed.
///
/// Returns the pointer that mcp_client_new() returned, so it can be compared; NULL for
///   MCP_KIND_LOST and for a refused call on an invalid handle. The client may have been freed in
///   the meantime; every function detects that.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_client(message: *const mcp_message_t) -> *mut mcp_client_t {
    guard(ptr::null_mut(), || {
        self::message(message).map_or(ptr::null_mut(), |message| client_handle(message.client_only()))
    })
}

/// The server of a message, borrowed: of a request of a client, and of what else a server tells the
/// program on a queue.
///
/// Returns the pointer that mcp_server_new() returned, so it can be compared; NULL for a message of
///   a client. The server may have been freed in the meantime; every function detects that.
#[cfg(feature = "server")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_server(message: *const mcp_message_t) -> *mut mcp_server_t {
    guard(ptr::null_mut(), || {
        self::message(message).map_or(ptr::null_mut(), |message| server_handle(message.server()))
    })
}

/// The number of the call that a reply, a progress message, a task state or a request of the server
/// belongs to. A request belongs to a call when the server asks inside the answer to that call
/// (2026-07-28, tasks, pages of MCP_TOPIC_ELICITATION); a request that earlier revisions send on
/// their own does not say which call it is for.
///
/// Returns the number; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_call_id(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::call))
}

/// The tag that the application gave to the call that mcp_message_call_id() names.
///
/// Returns the tag; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_tag(message: *const mcp_message_t) -> u64 {
    guard(0, || self::message(message).map_or(0, crate::client::Message::tag))
}

/// The method of a notification, request or progress message, or the operation that failed.
///
/// Returns a borrowed string; NULL where there is no method.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_method(message: *const mcp_message_t) -> *const c_char {
    guard(ptr::null(), || {
        let method = self::message(message).ok().and_then(crate::client::Message::method_with_nul);
        method.map_or(ptr::null(), |method| method.as_ptr().cast())
    })
}

/// The subject of a notification, request or progress message, for a switch statement.
///
/// Returns MCP_TOPIC_*: MCP_TOPIC_NONE for messages of other kinds, MCP_TOPIC_UNKNOWN for a method
///   that this library does not know; a negative status for an invalid message.
///
/// Example:
///
///     switch (mcp_message_topic(message)) {
///     case MCP_TOPIC_TOOLS_CHANGED: reload_tools(); break;
///     case MCP_TOPIC_RESOURCE_UPDATED: reload(mcp_message_json(message, NULL)); break;
///     default: break;
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_topic(message: *const mcp_message_t) -> mcp_topic_t {
    guard_status(|| match self::message(message) {
        Ok(message) => message.topic() as i32,
        Err(error) => error.status as i32,
    })
}

/// The JSON of a message: the result of a successful reply, the error object of a failed one, or
/// the parameters of a notification, request or progress message ("{}" if it has none). Other kinds
/// have their own object: MCP_KIND_STATE {"state","previous","reason","next_attempt_in_ms"},
/// MCP_KIND_STDERR {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH {"kind",...}
/// (docs/guide/authorization.md).
///
/// length: receives the length in bytes without the terminating NUL; may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8, usually in the buffer in which it was received; NULL for
///   an invalid message.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_json(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message) {
            Ok(message) => lend(message.json_with_nul(), length),
            Err(_) => ptr::null(),
        }
    })
}

/// The text of the result of a tool, a resource or a prompt: all text blocks, decoded, joined by
/// line feeds. Half of a surrogate pair ("\ud800" alone), which JSON allows and UTF-8 does not,
/// becomes U+FFFD; mcp_message_json() has it as the server wrote it.
///
/// length: receives the length in bytes without the terminating NUL (the text may contain NUL
///   characters); may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8; NULL if there is no text or the message is not a
///   successful reply.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_text(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message).ok().and_then(crate::client::Message::text_with_nul) {
            Some(text) => lend(text, length),
            None => ptr::null(),
        }
    })
}

/// Tells whether a tool failed: the message is a reply with MCP_OK whose result has "isError":true.
/// mcp_message_text() then returns what the tool says about it.
///
/// Returns true or false; false for an invalid message and every other message.
///
/// Example:
///
///     if (mcp_message_is_tool_error(reply)) fputs(mcp_message_text(reply, NULL), stderr);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_is_tool_error(message: *const mcp_message_t) -> bool {
    guard(false, || self::message(message).is_ok_and(crate::client::Message::is_tool_error))
}

/// The text for people of a failed reply: "message" of its error object, decoded.
///
/// length: receives the length in bytes without the terminating NUL (the text may contain NUL
///   characters); may be NULL.
///
/// Returns borrowed, NUL-terminated UTF-8; NULL if the message is not a failed reply.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_error(message: *const mcp_message_t, length: *mut usize) -> *const c_char {
    guard(ptr::null(), || {
        clear(length);
        match self::message(message).ok().and_then(crate::client::Message::error_with_nul) {
            Some(text) => lend(text, length),
            None => ptr::null(),
        }
    })
}

/// Frees a message. If it is a request without an answer, the library refuses the request.
///
/// message: the message; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid message, such as one that was
///   already freed. In a child of fork(), for a message of the parent, it frees nothing and returns
///   MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_free(message: *mut mcp_message_t) -> mcp_status_t {
    guard_free(message.addr(), "message", |content| matches!(content, Content::Message(_)))
}

/// Lends text with its NUL to C.
fn lend(text_with_nul: &[u8], length: *mut usize) -> *const c_char {
    write(length, text_with_nul.len().saturating_sub(1));
    text_with_nul.as_ptr().cast()
}
