//! Waiting for messages.

use super::client::duration;
use super::guard::guard_status;
use super::handles::{self, mcp_client_t};
use super::messages::mcp_message_t;
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

/// Takes the next message of any kind, waiting for one if need be.
///
/// timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a bound.
/// message: receives the message, to be freed with mcp_message_free(). Written only when MCP_OK is returned.
///
/// Signals of the host never end mcp_poll: their handlers run, and the wait goes on. A program that wants to end its wait for a
/// signal has the client on a queue (mcp_client_new_on()), waits with mcp_queue_poll() and calls mcp_queue_wake() from the
/// handler. A client's own queue cannot be woken; its wait ends when another thread closes the client.
///
/// Any thread, also several at once: each message goes to one of them. Returns MCP_OK; MCP_EMPTY when there was none in
/// time; MCP_CLOSED when the client is closed and everything was taken; MCP_INVALID_ARGUMENT, also for a client on a shared
/// queue (poll that); MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_poll(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| poll(client, timeout_ms, message, false))
}

/// Takes the next notification of the server, waiting for one if need be. Messages of other kinds stay queued.
///
/// Parameters and returns as for mcp_poll(), but MCP_CLOSED when the client is closed and no notification is left.
/// Not for use with mcp_client_fd(), which stays readable for the messages that are left.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_poll_notification(
    client: *mut mcp_client_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| poll(client, timeout_ms, message, true))
}

/// A descriptor that is readable while messages of this client wait: for epoll, kqueue, libuv, GLib and the like. It
/// belongs to the library: never read, write or close it. When it is readable, take messages with mcp_poll(client, 0, ...)
/// until that gives MCP_EMPTY.
///
/// Any thread. Returns the descriptor (the same each time, until the client is freed), or a negative status:
/// MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL when no descriptor is left. A client on a shared queue gives the queue's.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_fd(client: *mut mcp_client_t) -> i32 {
    guard_status(|| match handles::client(client).and_then(|client| client.queue().fd()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}
