//! Queues that several clients share.

use super::client::{duration, guard_error};
use super::guard::{guard_in_handler, guard_status};
use super::handles::{self, mcp_queue_t};
use super::messages::mcp_message_t;
use super::panics::of_program;
use super::pointer::{UserData, null, text, write};
use super::status::{MCP_INVALID_ARGUMENT, MCP_OK, mcp_status_t};
use super::waiting::polled;
use crate::client::{Queue, Ready, poll_queue, queue_limits, set_ready};
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_QUEUE: AtomicU64 = AtomicU64::new(1);

/// Makes a queue that clients can share (mcp_client_new_on()).
///
/// config_json: "queue_messages" (how many may wait, 10000), "queue_bytes" (64 MiB) and "overflow" ("drop_oldest",
///   "drop_newest" or "block"); NULL for the defaults. When the queue is full, news (notifications, progress, states, log
///   lines) is dropped and an MCP_KIND_LOST message says how many, or with "block" nothing is read from the servers until
///   there is room; replies and requests are never dropped.
/// out: receives the queue, to be freed with mcp_queue_free(). Written only on success.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_new(
    config_json: *const c_char,
    out: *mut *mut mcp_queue_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        let limits = queue_limits(text(config_json, "config_json")?)?;
        let number = NEXT_QUEUE.fetch_add(1, Ordering::Relaxed);
        write(out, handles::add_queue(number, Queue::new(limits)));
        Ok(())
    })
}

/// Takes the next message of any client on the queue, waiting for one if need be. mcp_message_client() says whose it is.
///
/// timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a bound.
/// message: receives the message, to be freed with mcp_message_free(). Written only when MCP_OK is returned.
///
/// Any thread, also several at once: each message goes to one of them. Returns MCP_OK, MCP_EMPTY, MCP_WOKEN,
/// MCP_INVALID_ARGUMENT, MCP_FORKED; never MCP_CLOSED, since clients may come and go: a client's end is its
/// MCP_KIND_STATE message "closed".
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_poll(
    queue: *mut mcp_queue_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| {
        if message.is_null() {
            return MCP_INVALID_ARGUMENT;
        }
        match handles::queue(queue) {
            Ok(queue) => polled(poll_queue(&queue.queue, duration(timeout_ms)), message),
            Err(error) => error.status as i32,
        }
    })
}

/// Ends one wait on the queue with MCP_WOKEN: the one in progress or, if there is none, the next. Messages that wait are
/// taken first. Several wakes before a wait are one.
///
/// Async-signal-safe: a signal handler may call it, whatever the interrupted thread is doing, also in the library. It
/// takes no lock, allocates nothing and leaves errno as it was. It is the only function of the library that a handler may
/// call.
///
/// Any thread, also while another thread frees the queue; never waits. Returns MCP_OK; MCP_INVALID_ARGUMENT, also for a queue
/// that was freed; MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_wake(queue: *mut mcp_queue_t) -> mcp_status_t {
    guard_in_handler(|| handles::wake_queue(queue))
}

/// A descriptor that is readable while messages wait on the queue. As mcp_client_fd().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_fd(queue: *mut mcp_queue_t) -> i32 {
    guard_status(|| match handles::queue(queue).and_then(|queue| queue.queue.fd()) {
        Ok(fd) => fd,
        Err(error) => error.status as i32,
    })
}

/// Sets what is called each time the queue turns from empty to non-empty, for event loops without descriptors. It should
/// only wake the loop, and must not block.
///
/// ready: called with `user` on one thread of the library's, with no lock held; once at once, on the calling thread, if
///   messages wait already. NULL takes it away.
/// user: passed to `ready` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `ready`; may be NULL.
///
/// Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED; `destroy` is not called unless MCP_OK is returned.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_on_ready(
    queue: *mut mcp_queue_t,
    ready: Option<unsafe extern "C" fn(user: *mut c_void)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
) -> mcp_status_t {
    guard_status(|| match handles::queue(queue) {
        Ok(queue) => {
            // Made in any case: with nothing to call, `destroy` is called at once.
            let user = UserData::new(user, destroy);
            let callback = ready.map(|ready| {
                Arc::new(move || {
                    // SAFETY: the contract says that `ready` may be called with `user` until `destroy` is.
                    of_program(|| unsafe { ready(user.get()) });
                }) as Ready
            });
            set_ready(&queue.queue, callback);
            MCP_OK
        }
        Err(error) => error.status as i32,
    })
}

/// Frees a queue. Free its clients first: a queue that clients still deliver to is not freed.
///
/// queue: NULL is fine. No other thread may be using it, except in mcp_queue_wake().
///
/// Returns MCP_OK, or MCP_INVALID_ARGUMENT for a handle that is none and for a queue that still has clients. In a child of fork() it frees nothing and returns
/// MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_free(queue: *mut mcp_queue_t) -> mcp_status_t {
    guard_status(|| {
        if queue.is_null() {
            return MCP_OK;
        }
        match handles::remove_unused_queue(queue) {
            Ok(()) => MCP_OK,
            Err(error) => error.status as i32,
        }
    })
}
