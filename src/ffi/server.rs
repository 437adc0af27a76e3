//! Servers: making, serving, running, clients over a transport of the host, what a server sends by itself, log, closing, freeing.

use super::convert::{duration, give, guard_error, guard_out, guard_taking};
use super::guard::{guard_in_handler, guard_pointer_in_handler, guard_status, invalid, null};
use super::handles::{self, mcp_message_t, mcp_queue_t, mcp_server_t};
use super::pointer::{clear, give_message, needed_text, text, write};
use super::status::{MCP_EMPTY, MCP_ERROR_CLOSED, MCP_ERROR_INTERNAL, MCP_OK, MCP_WOKEN, mcp_status_t};
use super::transport::{mcp_transport_functions_t, take};
use crate::client::Polled;
use crate::engine::{Error, Status};
use crate::json;
use crate::server::{Server, Severity, checked};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Creates a server from a JSON configuration. It serves nothing: add what it offers, then call
/// mcp_server_serve().
///
/// config_json: a JSON object. "name" is necessary; "version", "title", "instructions", "protocol",
///   "page_size", "limits", "timeouts" and more are in docs/reference/server-configuration.md. An
///   unknown key is an error that names it and the nearest known key.
/// queue: receives the messages of the server; NULL gives the server its own queue. A queue may be
///   shared with clients and other servers. Do not free it before the server.
/// out: receives the server. Free it with mcp_server_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, or MCP_ERROR_INTERNAL when the
///   process has no descriptor left.
///
/// Threads: any thread. Handlers run only on threads in mcp_server_run(), mcp_server_poll() and
///   mcp_queue_poll().
///
/// Example:
///
///     mcp_server_t *server;
///     mcp_server_new("{\"name\":\"editor\",\"version\":\"1.0\"}", NULL, &server, NULL);
///     mcp_server_add_tool(server, definition, on_tool, document, NULL, NULL);
///     mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL);
///     mcp_server_run(server, -1);
///     mcp_server_free(server);
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_new(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    out: *mut *mut mcp_server_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        #[cfg(feature = "store")]
        super::store_library::load_stores();
        let shared = if queue.is_null() { None } else { Some(Arc::clone(&handles::queue(queue)?.queue)) };
        let server = Server::new(needed_text(config_json, "config_json")?, shared)?;
        write(out, handles::add_server(server, queue));
        Ok(())
    })
}

/// Begins to serve. May be called several times, for several endpoints at once.
///
/// endpoint_json: {"stdio":true}: the standard streams of this process. Unless "protect" is false,
///   descriptor 1 then leads to descriptor 2 and descriptor 0 to /dev/null, until the server ends,
///   so that nothing that the program prints gets between the messages. Or
///   {"url":"http://HOST:PORT/PATH"}: Streamable HTTP, every revision that has it at one URL. Of
///   "https" with "certificate_file" and "key_file" (PEM). Requests whose Host is not this machine's
///   (beyond loopback: not that of the URL and no address) are refused, unless "hosts" (a list) has
///   it, and requests of pages whose origin "origins" (a list) does not have. Or
///   {"url":"https://HOST/PATH","listen":false}: an HTTP server of the program takes the requests
///   and gives them to mcp_server_http(). Or {"socket":"unix:PATH"} or {"socket":"tcp:HOST:PORT"}:
///   clients connect, each is a session.
///   Addresses that other machines reach need "beyond_loopback":true.
/// bound_json: receives where the server serves, with the port for port 0, as an endpoint is
///   written; may be NULL. Free it with
///   mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (the address is in use, or
///   another server of this process has the standard streams), MCP_ERROR_BACKPRESSURE (too many
///   sessions), MCP_ERROR_CLOSED, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL.
///
/// Threads: any thread. A host name in a TCP address is looked up on this thread, and a folder that
///   another process is about to serve from is waited for, up to one second. Serve sockets first
///   and the standard streams last: the client that started the program may write at once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_serve(
    server: *mut mcp_server_t,
    endpoint_json: *const c_char,
    bound_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(bound_json, error_json, || {
        let bound = handles::server(server)?.serve(needed_text(endpoint_json, "endpoint_json")?)?;
        if bound_json.is_null() { Ok(()) } else { give(&bound, bound_json, "server_serve") }
    })
}

/// Serves on this thread: reads, answers, and runs the handlers that were registered. Several
/// threads may call it, to run several handlers at the same time.
///
/// timeout_ms: the longest time in milliseconds; -1 for no limit, 0 does what is to be done now.
///
/// Returns MCP_ERROR_CLOSED when all that is served has ended: the standard input has ended and its
///   requests are answered, or the server was closed; MCP_EMPTY after `timeout_ms`; MCP_WOKEN after
///   mcp_server_wake(); MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread. While a handler runs, a thread of the library reads and answers what needs
///   no handler.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_run(server: *mut mcp_server_t, timeout_ms: i32) -> mcp_status_t {
    guard_status(|| match handles::server(server) {
        Ok(server) => match server.run(duration(timeout_ms)) {
            Polled::Message(_) => MCP_ERROR_INTERNAL,
            Polled::Empty => MCP_EMPTY,
            Polled::Woken => MCP_WOKEN,
            Polled::Closed => MCP_ERROR_CLOSED,
        },
        Err(error) => error.status as i32,
    })
}

/// The queue of a server: the one that it was created with, or its own. Wait there, wake it, watch
/// its descriptor, or set a function that is called when it fills, with the functions mcp_queue_...
///
/// Returns the queue, borrowed: an own queue is valid until the server is freed, is not freed by
///   mcp_queue_free() and takes no client and no other server. NULL for an invalid handle.
///
/// Threads: any thread; never waits. Async-signal-safe: a program ends on SIGTERM in these lines.
///
/// Example:
///
///     static mcp_server_t *server;
///     static void on_term(int number) {
///         (void)number;
///         mcp_queue_wake(mcp_server_queue(server));
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_queue(server: *mut mcp_server_t) -> *mut mcp_queue_t {
    guard_pointer_in_handler(|| handles::queue_of_server(server))
}

/// Ends one wait of mcp_server_run() or mcp_server_poll() with MCP_WOKEN: the current one or, if no
/// thread waits, the next one. What the wait would have done is done first. Several calls before a
/// wait count as one. On a shared queue it is mcp_queue_wake(). It is how a program ends on SIGTERM:
/// the handler calls this, and the thread that gets MCP_WOKEN calls mcp_server_free().
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a freed server; MCP_ERROR_FORKED.
///
/// Threads: any thread, also while another thread frees the server; never waits. Async-signal-safe,
///   as mcp_queue_wake() is.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_wake(server: *mut mcp_server_t) -> mcp_status_t {
    guard_in_handler(|| handles::wake_server(server))
}

/// The next message of a server: a request without a handler, a request that is no longer wanted
/// (topic MCP_TOPIC_CANCELLED, with the number of mcp_message_call_id()), and so on. Handlers that
/// were registered run meanwhile, on this thread.
///
/// timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
/// out: receives the message. Free it with mcp_message_free(). NULL if there is none.
///
/// Returns MCP_OK, MCP_EMPTY, MCP_WOKEN, MCP_ERROR_CLOSED (all that is served has ended, and every
///   message was taken), MCP_ERROR_INVALID_ARGUMENT (also for a server on a shared queue),
///   MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_poll(
    server: *mut mcp_server_t,
    timeout_ms: i32,
    out: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| {
        clear(out);
        if out.is_null() {
            return Status::InvalidArgument as i32;
        }
        match handles::server(server).and_then(|server| server.poll(duration(timeout_ms))) {
            Ok(Polled::Message(message)) => match give_message(message) {
                Some(message) => {
                    write(out, message);
                    MCP_OK
                }
                None => MCP_ERROR_INTERNAL,
            },
            Ok(Polled::Empty) => MCP_EMPTY,
            Ok(Polled::Woken) => MCP_WOKEN,
            Ok(Polled::Closed) => MCP_ERROR_CLOSED,
            Err(error) => error.status as i32,
        }
    })
}

/// A descriptor that is readable while a message or a handler waits: for the event loop of the
/// application, which then calls mcp_server_poll() with timeout 0. A loop that hears of changes only
/// (EPOLLET) calls it until it returns MCP_EMPTY; when that is because many handlers ran, while more
/// requests wait, the loop hears of these once more. A thread of the library serves meanwhile. On
/// Windows it is a SOCKET.
///
/// Returns the descriptor, which belongs to the library, or a negative status.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_fd(server: *mut mcp_server_t) -> i32 {
    guard_status(|| match handles::server(server).and_then(|server| server.watch()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}

/// Tells the clients that subscribed to a resource that it has changed.
///
/// uri: the URI of the resource.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_resource_updated(
    server: *mut mcp_server_t,
    uri: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        handles::server(server)?.resource_updated(needed_text(uri, "uri")?);
        Ok(())
    })
}

/// The level of a log message that is sent to clients.
pub(super) fn severity(level: &str) -> Result<Severity, Error> {
    Severity::parse(level).ok_or_else(|| {
        let what = format_args!(
            "is '{level}' and must be debug, info, notice, warning, error, critical, alert or emergency"
        );
        invalid("level", what)
    })
}

/// Sends a log message that belongs to no request, to the clients of the legacy era that want
/// messages of that level. In revision 2026-07-28 log messages belong to requests: see
/// mcp_request_log(). The configuration must announce "logging". A session gets
/// "limits.logs_per_second" messages; what is more is left out and counted ("dropped_logs" of
/// mcp_server_info()).
///
/// level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
/// logger: the name of the logger; may be NULL.
/// data_json: any JSON.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_log(
    server: *mut mcp_server_t,
    level: *const c_char,
    logger: *const c_char,
    data_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        let severity = severity(needed_text(level, "level")?)?;
        let data = needed_text(data_json, "data_json")?;
        server.log(severity, text(logger, "logger")?, data).map(|_| ())
    })
}

/// Describes the server as a JSON object: "state", what is open now ("sessions", "requests",
/// "questions", "subscriptions", "tasks"), "listening", "counters" since the server was made,
/// "times" ("waiting" and "handling" of requests, each a histogram), "http" (connections, bytes,
/// answers by status), and "store" (null, or whether it is "ready", operations that are "open", and
/// answers that came "late").
///
/// info_json: receives the object. Free it with mcp_string_free().
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_info(
    server: *mut mcp_server_t,
    info_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(info_json, error_json, || {
        let server = handles::server(server)?;
        if info_json.is_null() {
            return Err(null("info_json"));
        }
        give(&server.info(), info_json, "server_info")
    })
}

/// Closes the server. With "timeouts.notice_ms" and "timeouts.drain_ms" of the configuration it
/// drains first: health endpoints say 503 while everything is served, then no client connects any
/// more and requests under way have time to be finished, by handlers on other threads. A second
/// call ends that. Then no more clients are accepted, requests under way are refused and their
/// handlers told (topic MCP_TOPIC_CANCELLED), and every session ends. The standard streams are
/// given back.
///
/// timeout_ms: how long to wait for clients to take what was sent to them; -1 uses
///   "timeouts.close_ms" of the configuration (default 2000).
///
/// Returns MCP_OK; MCP_ERROR_TIMEOUT when a client did not take everything;
///   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread, any number of times, also in a handler.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_close(server: *mut mcp_server_t, timeout_ms: i32) -> mcp_status_t {
    guard_status(|| match handles::server(server) {
        Ok(server) => server.close(duration(timeout_ms)) as i32,
        Err(error) => error.status as i32,
    })
}

/// Frees a server. If it is open, the function first closes it as mcp_server_close(server, -1) does.
/// Messages that were polled stay valid; answering them has no effect. After the last server and
/// the last client are freed, no thread or descriptor of the library is left.
///
/// server: the server; may be NULL. No other thread may be using it, and no handler of it may run.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle. In a child of fork() it
///   frees nothing and returns MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_free(server: *mut mcp_server_t) -> mcp_status_t {
    guard_status(|| {
        if server.is_null() {
            return MCP_OK;
        }
        match handles::remove_server(server) {
            Ok(server) => {
                // Dropping it closes it, unless a thread that should not be there still holds it.
                if Arc::strong_count(&server) > 1 {
                    let _late = server.close(None);
                }
                MCP_OK
            }
            Err(error) => error.status as i32,
        }
    })
}

/// Serves one client over a transport that the application implements. Call it once for each client.
/// `open` is called before the function returns; what the client sends comes in through
/// mcp_transport_deliver(), and mcp_transport_closed() tells that the client is gone.
///
/// functions: the functions of the transport; copied.
/// user: passed to each function; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
///   library), MCP_ERROR_TRANSPORT (`open` failed), MCP_ERROR_BACKPRESSURE (too many sessions),
///   MCP_ERROR_CLOSED, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result,
///   at the latest when the server is freed. Of a table that is too small or of another version no
///   other function is called.
///
/// Threads: any thread. The thread that delivers a message also processes it; answers are sent by
///   the thread that gives them. A server that only has such clients ends when it is closed.
///
/// Example:
///
///     // One client over a transport of the program.
///     extern const mcp_transport_functions_t over_a_bus;
///     if (mcp_server_attach(server, &over_a_bus, app, &error) == MCP_OK)
///         mcp_server_run(server, -1);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_attach(
    server: *mut mcp_server_t,
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        (),
        error_json,
        || take(functions, user, "server_attach"),
        |functions| handles::server(server)?.attach(Box::new(functions)),
    )
}

/// Sends a notification of an extension to clients of the legacy era. In revision 2026-07-28
/// notifications belong to requests and subscriptions: with session 0 those subscriptions get it
/// whose filter has the member that the configuration of the server names for it
/// ("announce.notifications").
///
/// session: the number of a session, as mcp_request_context() has it; 0 for all sessions and
///   subscriptions.
/// method: the method. Notifications that the library sends itself are refused.
/// params_json: the parameters, a JSON object; NULL for none.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (there is no such session, or
///   its handshake is not finished), MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_notify(
    server: *mut mcp_server_t,
    session: u64,
    method: *const c_char,
    params_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        let params = text(params_json, "params_json")?.unwrap_or("{}");
        server.notify(session, needed_text(method, "method")?, params).map(|_| ())
    })
}

/// Calls a client of the legacy era outside of any request, and returns at once. The outcome
/// arrives on the queue of the server as a message of kind MCP_KIND_REPLY. A handler asks with
/// mcp_request_ask() instead, which works in every revision.
///
/// session: the number of the session, as mcp_request_context() has it.
/// method: "ping", "roots/list", "sampling/createMessage" or "elicitation/create".
/// params_json: the parameters, a JSON object; NULL for none.
/// options_json: a JSON object; NULL for none. Its key: "timeout_ms" (default:
///   "timeouts.question_ms" of the configuration).
/// tag: a number of the application that comes back with the reply.
/// call_id: receives the number of the call, as mcp_message_call_id() returns it; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, and then exactly one reply follows unless the server is freed; or
///   MCP_ERROR_INVALID_ARGUMENT (also for parameters that mcp_request_ask() would refuse),
///   MCP_ERROR_UNAVAILABLE (there is no such session, or its handshake is not finished),
///   MCP_ERROR_UNSUPPORTED (the client cannot answer this, or speaks 2026-07-28),
///   MCP_ERROR_BACKPRESSURE (too many calls wait, or messages are not polled), MCP_ERROR_FORKED, and
///   then no reply follows.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     char *context = NULL, *session = NULL;
///     if (mcp_request_context(request, &context, NULL) == MCP_OK &&
///         mcp_json_get(context, "/session", &session, NULL) == MCP_OK)
///         mcp_server_call_start(server, strtoull(session, NULL, 10), "ping", NULL, NULL, 1, NULL,
///                               NULL);
///     mcp_string_free(session);
///     mcp_string_free(context);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_call_start(
    server: *mut mcp_server_t,
    session: u64,
    method: *const c_char,
    params_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(call_id, error_json, || {
        let server = handles::server(server)?;
        let method = needed_text(method, "method")?;
        let params = text(params_json, "params_json")?.unwrap_or("{}");
        // A mistake of the program is told before what its client cannot do.
        checked(params, "params_json", Some(json::Kind::Object))?;
        let options = text(options_json, "options_json")?;
        write(call_id, server.start_call(session, method, params, options, tag)?);
        Ok(())
    })
}
