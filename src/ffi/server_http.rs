//! Requests that an HTTP server of the program has taken, and their answers.

use super::convert::{duration, guard_out};
use super::guard::{guard, guard_status, null};
use super::handles::{self, mcp_exchange_t, mcp_server_t};
use super::panics::of_program;
use super::pointer::{Outs, UserData, bytes, clear, pairs, terminated, text, write, write_bytes};
use super::status::{
    MCP_EMPTY, MCP_ERROR_BACKPRESSURE, MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_NO_MEMORY,
    MCP_OK, mcp_status_t,
};
use crate::engine::Error;
use crate::server::http::{HostedExchange, MOST_HEADERS, Notice, Put, RequestParts, Stop};
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;
use std::time::Instant;

/// Serves a request that an HTTP server of the program has taken. Before the first one, call
/// mcp_server_serve() with {"url":"http://HOST/PATH","listen":false}: the URL by which clients reach
/// the program. The library checks the path, Host, Origin and all other headers, keeps the sessions,
/// and makes the answer, as for its own listener; the program moves bytes. Which program, thread or
/// connection brings a request does not matter.
///
/// The function gives the request to the server and never waits. Read the answer with
/// mcp_exchange_head(), mcp_exchange_header() and mcp_exchange_read(), then call
/// mcp_exchange_free(). A request that is not served has an answer like every other: its status is
/// 400 or above, and its body says why.
///
/// method: such as "POST".
/// target: the target of the request line, such as "/mcp", or a URL.
/// headers: names and values in turn, ended by NULL; NULL for none. Give every header as it came,
///   one that came twice twice. With HTTP/2, ":authority" goes in as "Host".
/// body: the whole body; NULL for none. It is copied.
/// length: the bytes of the body.
/// ready: called with `user` when a function below that returned MCP_EMPTY should be called again,
///   once after each MCP_EMPTY. It should only wake the thread that reads. NULL for a program that
///   waits in the functions below. It is called with no lock held, on a thread of the library, on a
///   thread that waits in a call over HTTP, or on the one in mcp_server_close(); never before this
///   function has returned.
/// user: passed to `ready` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `ready`: by mcp_exchange_free(),
///   after a call of `ready` that runs meanwhile, or by this function when it fails. May be NULL.
/// out: receives the exchange. Free it with mcp_exchange_free(), also when its client has gone.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_CLOSED (the server is closed: answer 503); MCP_ERROR_INVALID_ARGUMENT
///   (also when no URL is served with "listen":false); MCP_ERROR_FORKED.
///
/// Threads: any thread, also several at the same time. Handlers run where they always do: in
///   mcp_server_run(), mcp_server_poll(), mcp_queue_poll() or on "workers". Without "workers" a
///   program with one thread calls mcp_server_poll() with timeout 0 in its loop (mcp_server_fd()).
///
/// Example:
///
///     const char *headers[] = {"Host", "127.0.0.1", "Content-Type", "application/json", NULL};
///     mcp_exchange_t *exchange;
///     char part[4096];
///     size_t length;
///     int32_t status;
///     mcp_server_http(server, "POST", "/mcp", headers, body, strlen(body), NULL, NULL, NULL,
///                     &exchange, NULL);
///     mcp_exchange_head(exchange, -1, &status, NULL);
///     while (mcp_exchange_read(exchange, -1, part, sizeof part, &length) == MCP_OK && length > 0) {
///         fwrite(part, 1, length, stdout);
///     }
///     mcp_exchange_free(exchange);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_http(
    server: *mut mcp_server_t,
    method: *const c_char,
    target: *const c_char,
    headers: *const *const c_char,
    body: *const c_char,
    length: usize,
    ready: Option<unsafe extern "C" fn(user: *mut c_void)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    out: *mut *mut mcp_exchange_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_noticed(out, error_json, (ready, user, destroy), |notice| {
        if out.is_null() {
            return Err(null("out"));
        }
        let server = handles::server(server)?;
        if body.is_null() && length > 0 {
            return Err(null("body"));
        }
        let parts = RequestParts {
            method: terminated(method).ok_or_else(|| null("method"))?,
            target: terminated(target).ok_or_else(|| null("target"))?,
            headers: &pairs(headers, MOST_HEADERS, "headers")?,
        };
        let exchange = server.http(&parts, bytes(body, length).unwrap_or_default(), notice)?;
        write(out, handles::add_exchange(exchange));
        Ok(())
    })
}

/// Judges the head of a request that an HTTP server of the program has taken, before the program
/// reads its body: method, path, Host, Origin, token, Content-Type, Content-Length, and all else
/// that mcp_server_http() checks. A program that reads bodies itself calls this instead of
/// mcp_server_http(), so that a client that may not ask this server costs it no memory.
///
/// The function never waits. Then call mcp_exchange_permit(): it says whether the body is wanted.
/// While it gives a number of bytes, read at most so many from the client and pass them to
/// mcp_exchange_write(). When it gives 0, read no more of the body and take the answer as that of
/// mcp_server_http(). A client whose body was not read to its end may not use its connection again:
/// close it behind the answer.
///
/// Bodies and answers count against "limits.shared_bytes" until they are read or the exchange is
/// freed. Where others need that room, a body is refused with 503, or an answer is cut off.
///
/// method, target, headers: as for mcp_server_http(). "Content-Length" says how long the body is.
/// peer: the address that the request comes from, such as "192.0.2.7" or "192.0.2.7:443". What
///   clients share is shared out by address, and where tokens are checked by principal: where there
///   are as many requests as "limits.connections" allows, the address with most of those whose body
///   is not whole loses one.
///   NULL if the program does not know it. Such requests, and those with another text here, count as
///   requests of one address.
/// ready: called with `user` as for mcp_server_http(), and also once when the body is not wanted any
///   more after mcp_exchange_permit() has given a number. Then stop reading from the client, and
///   call mcp_exchange_permit() again.
/// user, destroy, out, error_json: as for mcp_server_http().
///
/// Returns what mcp_server_http() returns.
///
/// Threads: any thread, also several at the same time.
///
/// Example:
///
///     const char *headers[] = {"Host", "127.0.0.1", "Content-Type", "application/json", NULL};
///     mcp_exchange_t *exchange;
///     char part[65536];
///     size_t most, got;
///     mcp_server_http_begin(server, "POST", "/mcp", headers, NULL, NULL, NULL, NULL, &exchange,
///                           NULL);
///     while (mcp_exchange_permit(exchange, -1, &most) == MCP_OK && most > 0) {
///         got = fread(part, 1, most < sizeof part ? most : sizeof part, stdin);
///         mcp_exchange_write(exchange, part, got, got == 0);
///     }
///     mcp_exchange_free(exchange);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_http_begin(
    server: *mut mcp_server_t,
    method: *const c_char,
    target: *const c_char,
    headers: *const *const c_char,
    peer: *const c_char,
    ready: Option<unsafe extern "C" fn(user: *mut c_void)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    out: *mut *mut mcp_exchange_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_noticed(out, error_json, (ready, user, destroy), |notice| {
        if out.is_null() {
            return Err(null("out"));
        }
        let server = handles::server(server)?;
        let parts = RequestParts {
            method: terminated(method).ok_or_else(|| null("method"))?,
            target: terminated(target).ok_or_else(|| null("target"))?,
            headers: &pairs(headers, MOST_HEADERS, "headers")?,
        };
        let exchange = server.http_begin(&parts, text(peer, "peer")?.unwrap_or_default(), notice)?;
        write(out, handles::add_exchange(exchange));
        Ok(())
    })
}

/// How many bytes of the body the program may read from its client now; see
/// mcp_server_http_begin(). Ask again after each mcp_exchange_write().
///
/// timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
/// bytes: receives the number; 0 when no more of the body is wanted, because it is whole or the
///   request is refused: the answer follows.
///
/// Returns MCP_OK; MCP_EMPTY (that is not known yet, or there is no room at this moment: `ready` is
///   called when this function should be called again); MCP_ERROR_BACKPRESSURE (the program asked
///   for nothing for "timeouts.write_ms", and the request is lost: cut the connection);
///   MCP_ERROR_CLOSED (another thread frees the exchange); MCP_ERROR_INVALID_ARGUMENT;
///   MCP_ERROR_FORKED.
///
/// Threads: any thread, one at a time, also in `ready`.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_permit(
    exchange: *mut mcp_exchange_t,
    timeout_ms: i32,
    bytes: *mut usize,
) -> mcp_status_t {
    guard_exchange(exchange, timeout_ms, bytes, |exchange, until| {
        if bytes.is_null() {
            return Err(MCP_ERROR_INVALID_ARGUMENT);
        }
        write(bytes, exchange.permit(until).map_err(stopped)?);
        Ok(())
    })
}

/// Gives a part of the body that mcp_exchange_permit() has asked for. Never waits.
///
/// part: the bytes; NULL for none. They are copied. A program whose server reads larger parts than
///   was permitted gives what it has.
/// length: how many there are.
/// is_last: true with the last part, which may be empty. A body that breaks off has none: free the
///   exchange then.
///
/// Returns MCP_OK, also when the body is not wanted any more, and then the part is dropped;
///   MCP_ERROR_BACKPRESSURE (mcp_exchange_permit() has not asked for it: nothing was taken);
///   MCP_ERROR_NO_MEMORY (nothing was taken: free the exchange and cut the connection);
///   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread, one at a time. This thread does work of the server for the exchange.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_write(
    exchange: *mut mcp_exchange_t,
    part: *const c_char,
    length: usize,
    is_last: bool,
) -> mcp_status_t {
    guard_exchange(exchange, 0, (), |exchange, _| {
        if part.is_null() && length > 0 {
            return Err(MCP_ERROR_INVALID_ARGUMENT);
        }
        match exchange.write(bytes(part, length).unwrap_or_default(), is_last) {
            Put::Taken => Ok(()),
            Put::Unasked => Err(MCP_ERROR_BACKPRESSURE),
            Put::NoMemory => Err(MCP_ERROR_NO_MEMORY),
        }
    })
}

/// What the library calls. Without `ready` it only keeps `user` for as long.
fn noticed(
    ready: Option<unsafe extern "C" fn(user: *mut c_void)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
) -> Option<Notice> {
    if ready.is_none() && destroy.is_none() {
        return None;
    }
    let user = UserData::new(user, destroy);
    Some(Arc::new(move || {
        let user = user.get();
        if let Some(ready) = ready {
            // SAFETY: the contract says that `ready` may be called with `user` until `destroy` is.
            of_program(|| unsafe { ready(user) });
        }
    }))
}

/// Does something with an exchange until a time.
fn guard_exchange(
    exchange: *const mcp_exchange_t,
    timeout_ms: i32,
    outs: impl Outs,
    body: impl FnOnce(&HostedExchange, Option<Instant>) -> Result<(), mcp_status_t>,
) -> mcp_status_t {
    guard_status(|| {
        clear(outs);
        let exchange = match handles::exchange(exchange) {
            Ok(exchange) => exchange,
            Err(error) => return error.status as i32,
        };
        match body(&exchange, duration(timeout_ms).map(|timeout| Instant::now() + timeout)) {
            Ok(()) => MCP_OK,
            Err(status) => status,
        }
    })
}

/// What C is told when there is nothing to read.
fn stopped(stop: Stop) -> mcp_status_t {
    match stop {
        Stop::Empty => MCP_EMPTY,
        Stop::Cut => MCP_ERROR_BACKPRESSURE,
        Stop::Freed => MCP_ERROR_CLOSED,
    }
}

/// The function that wakes, the pointer for it, and what releases that.
type Ready = (
    Option<unsafe extern "C" fn(user: *mut c_void)>,
    *mut c_void,
    Option<unsafe extern "C" fn(user: *mut c_void)>,
);

/// Runs the body of an export that takes such a function. `destroy` is called whatever comes, once: a body that fails drops it.
fn guard_noticed(
    out: *mut *mut mcp_exchange_t,
    error_json: *mut *mut c_char,
    (ready, user, destroy): Ready,
    body: impl Fn(Option<Notice>) -> Result<(), Error>,
) -> mcp_status_t {
    let notice = guard(None, || noticed(ready, user, destroy));
    guard_out(out, error_json, || body(notice.clone()))
}

/// The head of the answer. Send it as soon as it is there: an event stream may stay quiet for long.
///
/// timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
/// status: receives the status of HTTP, such as 200; may be NULL.
/// length: receives the number of bytes of the body; -1 for an event stream, which has no length.
///   May be NULL.
///
/// Returns MCP_OK; MCP_EMPTY (there is none yet: `ready` is called when there is);
///   MCP_ERROR_BACKPRESSURE (the program read nothing for "timeouts.write_ms", and the answer is
///   lost: cut the connection); MCP_ERROR_CLOSED (another thread frees the exchange);
///   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread, one at a time. This thread does work of the server for the exchange.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_head(
    exchange: *mut mcp_exchange_t,
    timeout_ms: i32,
    status: *mut i32,
    length: *mut i64,
) -> mcp_status_t {
    guard_exchange(exchange, timeout_ms, (status, length), |exchange, until| {
        let head = exchange.head(until).map_err(stopped)?;
        write(status, i32::from(head.status));
        write(length, head.length.and_then(|length| i64::try_from(length).ok()).unwrap_or(-1));
        Ok(())
    })
}

/// A header of the answer, such as "content-type" or "mcp-session-id". Send all of them. The library
/// gives no "content-length", "transfer-encoding", "connection" and "date": these are the affair of
/// the program's server.
///
/// index: 0 for the first header.
/// value: receives the value. May be NULL.
///
/// Returns the name, in lower case; NULL behind the last header, before mcp_exchange_head() has
///   returned MCP_OK, or for an invalid handle. Name and value are valid until mcp_exchange_free().
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_header(
    exchange: *mut mcp_exchange_t,
    index: usize,
    value: *mut *const c_char,
) -> *const c_char {
    guard(ptr::null(), || {
        clear(value);
        let Ok(exchange) = handles::exchange(exchange) else { return ptr::null() };
        let Some((name, text)) = exchange.known_head().and_then(|head| head.headers.get(index)) else {
            return ptr::null();
        };
        write(value, text.as_ptr());
        name.as_ptr()
    })
}

/// The next bytes of the answer's body. Read only what can be sent: what is not read stays in the
/// library, which cuts the answer off at "limits.outgoing_bytes" of an event stream, or when the
/// program has read nothing for "timeouts.write_ms". Send what was read at once; the library sends a
/// comment each "timeouts.keep_alive_ms" on a stream that is quiet.
///
/// timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
/// into: receives the bytes.
/// size: the room there; not 0.
/// length: receives how many came; 0 at the end of the body.
///
/// Returns MCP_OK; MCP_EMPTY (there is nothing yet: `ready` is called when there is);
///   MCP_ERROR_BACKPRESSURE (the program read too slowly, and the rest is lost: cut the connection,
///   so that the client sees it and comes back); MCP_ERROR_CLOSED (another thread frees the
///   exchange); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED. After mcp_server_close() what was
///   answered can still be read.
///
/// Threads: any thread, one at a time, also in `ready`. This thread does work of the server for the
///   exchange.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_read(
    exchange: *mut mcp_exchange_t,
    timeout_ms: i32,
    into: *mut c_char,
    size: usize,
    length: *mut usize,
) -> mcp_status_t {
    guard_exchange(exchange, timeout_ms, length, |exchange, until| {
        if into.is_null() || size == 0 || length.is_null() {
            return Err(MCP_ERROR_INVALID_ARGUMENT);
        }
        if let Some(bytes) = exchange.read(size, until).map_err(stopped)? {
            write_bytes(into, &bytes);
            write(length, bytes.len());
        }
        Ok(())
    })
}

/// Frees an exchange: its answer was sent, or its client has gone. In revision 2026-07-28 a request
/// without its whole answer is thereby cancelled (topic MCP_TOPIC_CANCELLED). In earlier revisions
/// it goes on, and its client may come back for the rest with Last-Event-ID.
///
/// exchange: the exchange; may be NULL. A thread that waits in a function above returns with
///   MCP_ERROR_CLOSED. The server may have been freed.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle, such as one that was freed.
///   In a child of fork() it frees nothing and returns MCP_ERROR_FORKED.
///
/// Threads: any thread, also in `ready`. `ready` is not called any more, except that a call that has
///   begun goes on.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_exchange_free(exchange: *mut mcp_exchange_t) -> mcp_status_t {
    guard_status(|| {
        if exchange.is_null() {
            return MCP_OK;
        }
        match handles::remove_exchange(exchange) {
            Ok(exchange) => {
                exchange.free();
                MCP_OK
            }
            Err(error) => error.status as i32,
        }
    })
}
