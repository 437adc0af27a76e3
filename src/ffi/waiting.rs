//! Waiting for messages.

use super::client::duration;
use super::guard::guard_status;
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::{give_message, write};
use super::status::{
    MCP_CLOSED, MCP_EMPTY, MCP_INTERNAL, MCP_INVALID_ARGUMENT, MCP_OK, MCP_WOKEN, mcp_status_t,
};
use crate::client::Polled;

/// Hands what a poll gave to C.
pub(super) fn polled(polled: Polled, message: *mut *mut mcp_message_t) -> mcp_status_t {
    match polled {
        Polled::Message(next) => match give_message(next) {
            Some(next) => {
                write(message, next);
                MCP_OK
            }
            None => MCP_INTERNAL,
        },
        Polled::Empty => MCP_EMPTY,
        Polled::Woken => MCP_WOKEN,
        Polled::Closed => MCP_CLOSED,
    }
}

fn poll(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
    only_notifications: bool,
) -> mcp_status_t {
    if message.is_null() {
        return MCP_INVALID_ARGUMENT;
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
/// Returns MCP_OK; MCP_EMPTY when no message arrived in time; MCP_CLOSED when the client is closed
///   and its queue is empty; MCP_INVALID_ARGUMENT, also for a client on a shared queue (use
///   mcp_queue_poll()); MCP_FORKED.
///
/// Threads: any thread, also several at the same time; each message goes to one of them. A signal
///   never ends the wait: its handler runs, and the wait continues. To end a wait from a signal
///   handler, create the client on a queue (mcp_client_new_on()), wait with mcp_queue_poll() and
///   call mcp_queue_wake() in the handler. A client's own queue cannot be woken; its wait ends when
///   another thread closes the client.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_poll(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| poll(client, timeout_ms, message, false))
}

/// Takes the next notification of the server, and waits for one if necessary. Messages of other
/// kinds stay on the queue, so do not use it with mcp_client_fd(), which stays readable for them.
///
/// Parameters, statuses and threads as for mcp_poll(), but MCP_CLOSED when the client is closed and
/// no notification is left.
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
/// is readable, call mcp_poll(client, 0, ...) until it returns MCP_EMPTY.
///
/// Returns the descriptor (always the same until the client is freed; for a client on a shared
///   queue that of the queue), or a negative status: MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL
///   when the process cannot create a descriptor.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_fd(client: *mut mcp_client_t) -> i32 {
    guard_status(|| match handles::client(client).and_then(|client| client.queue().fd()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}
