//! Waiting for messages.

use super::giving::duration;
use super::guard::{guard_in_handler, guard_status};
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::clear;
use super::queue::polled;
use super::status::{MCP_ERROR_INVALID_ARGUMENT, MCP_OK, mcp_status_t};

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
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_fd(client: *mut mcp_client_t) -> i32 {
    guard_status(|| match handles::client(client).and_then(|client| client.queue().fd()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}
