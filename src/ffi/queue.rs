//! Queues that several clients share.

use super::convert::{duration, guard_out};
use super::guard::{guard_in_handler, guard_status, null};
use super::handles::{self, AnyQueue, mcp_message_t, mcp_queue_t};
use super::panics::of_program;
use super::pointer::{UserData, clear, give_message, text, write};
use super::status::{
    MCP_EMPTY, MCP_ERROR_CLOSED, MCP_ERROR_INTERNAL, MCP_ERROR_INVALID_ARGUMENT, MCP_OK, MCP_WOKEN,
    mcp_status_t,
};
use crate::client::{Polled, Queue, Ready, poll_queue, queue_limits, set_ready};
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_QUEUE: AtomicU64 = AtomicU64::new(1);

/// Hands what a poll gave to C.
pub(super) fn polled(polled: Polled, message: *mut *mut mcp_message_t) -> mcp_status_t {
    match polled {
        Polled::Message(next) => match give_message(next) {
            Some(next) => {
                write(message, next);
                MCP_OK
            }
            None => MCP_ERROR_INTERNAL,
        },
        Polled::Empty => MCP_EMPTY,
        Polled::Woken => MCP_WOKEN,
        Polled::Closed => MCP_ERROR_CLOSED,
    }
}

/// Creates a queue that several clients can share; see mcp_client_new().
///
/// When the queue is full, the library drops messages that need no answer (notifications, progress,
/// states, log lines), and a message MCP_KIND_LOST has their number. With the overflow rule "block"
/// the library instead reads nothing from the servers until there is room. Replies and requests are
/// never dropped.
///
/// config_json: a JSON object with "queue_messages" (the most messages on the queue, default
///   10000), "queue_bytes" (default 64 MiB) and "overflow" ("drop_oldest", "drop_newest" or
///   "block"); NULL for the defaults.
/// out: receives the queue. Free it with mcp_queue_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_new(
    config_json: *const c_char,
    out: *mut *mut mcp_queue_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        let limits = queue_limits(text(config_json, "config_json")?)?;
        let number = NEXT_QUEUE.fetch_add(1, Ordering::Relaxed);
        write(out, handles::add_queue(number, Queue::new(limits)));
        Ok(())
    })
}

/// Takes the next message of any client on the queue, and waits for one if necessary.
/// mcp_message_client() returns the client of a message.
///
/// timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a limit.
/// message: receives the message when MCP_OK is returned. Free it with mcp_message_free().
///
/// Returns MCP_OK, MCP_EMPTY, MCP_WOKEN, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED. Only the own
///   queue of a client or a server (mcp_client_queue(), mcp_server_queue()) returns
///   MCP_ERROR_CLOSED, once its owner is closed and it is empty. On a queue of mcp_queue_new()
///   clients and servers come and go: one that ends sends a message MCP_KIND_STATE with "closed".
///
/// Threads: any thread, also several at the same time; each message goes to one of them.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_poll(
    queue: *mut mcp_queue_t,
    timeout_ms: i32,
    message: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_status(|| {
        clear(message);
        if message.is_null() {
            return MCP_ERROR_INVALID_ARGUMENT;
        }
        let timeout = duration(timeout_ms);
        let outcome = handles::any_queue(queue).and_then(|queue| match queue {
            AnyQueue::Made(queue) => Ok(poll_queue(&queue.queue, timeout)),
            #[cfg(feature = "client")]
            AnyQueue::OfClient(client) => client.poll(timeout, false),
            #[cfg(feature = "server")]
            AnyQueue::OfServer(server) => server.poll(timeout),
        });
        match outcome {
            Ok(outcome) => polled(outcome, message),
            Err(error) => error.status as i32,
        }
    })
}

/// Ends one wait on the queue with MCP_WOKEN: the current wait or, if no thread waits, the next
/// one. Messages on the queue are taken first. Several calls before a wait count as one.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a freed queue; MCP_ERROR_FORKED.
///
/// Threads: any thread, also while another thread frees the queue; never waits. The function is
///   async-signal-safe: a signal handler may call it whatever the interrupted thread is doing, also
///   inside the library. It takes no lock, allocates nothing and does not change errno. So are
///   mcp_client_queue(), mcp_server_queue(), mcp_client_wake(), mcp_client_interrupt() and
///   mcp_server_wake(), and no other. Install the handler with sigaction(): signal() of some C
///   libraries removes it when it runs.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_wake(queue: *mut mcp_queue_t) -> mcp_status_t {
    guard_in_handler(|| handles::wake_queue(queue))
}

/// A descriptor that is readable while messages are on the queue. See mcp_client_fd().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_fd(queue: *mut mcp_queue_t) -> i32 {
    guard_status(|| {
        let found = handles::any_queue(queue).and_then(|queue| match queue {
            AnyQueue::Made(queue) => queue.queue.fd(),
            #[cfg(feature = "client")]
            AnyQueue::OfClient(client) => client.queue().fd(),
            #[cfg(feature = "server")]
            AnyQueue::OfServer(server) => server.watch(),
        });
        found.unwrap_or_else(|error| error.status as i32)
    })
}

/// Sets the function that the library calls each time the empty queue receives a message, for event
/// loops without descriptors. The function should only wake the loop and must not block. It is not
/// called again before the queue was empty: poll until MCP_EMPTY. A poll that returns MCP_EMPTY
/// after many handlers of a server ran, while more requests wait, has it called once more.
///
/// ready: called with `user` on one thread of the library, with no lock held. If messages are
///   already on the queue, it is called once at once, on the calling thread. NULL removes the
///   function.
/// user: passed to `ready` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `ready`, also when the function
///   fails; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_queue_on_ready(
    queue: *mut mcp_queue_t,
    ready: Option<unsafe extern "C" fn(user: *mut c_void)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
) -> mcp_status_t {
    guard_status(|| {
        // Made in any case: `destroy` is called at once where there is nothing to call, or no queue.
        let user = UserData::new(user, destroy);
        let queue = match handles::any_queue(queue) {
            Ok(queue) => queue,
            Err(error) => return error.status as i32,
        };
        let callback = ready.map(|ready| {
            Arc::new(move || {
                // SAFETY: the contract says that `ready` may be called with `user` until `destroy` is.
                of_program(|| unsafe { ready(user.get()) });
            }) as Ready
        });
        match queue {
            AnyQueue::Made(queue) => set_ready(&queue.queue, callback),
            #[cfg(feature = "client")]
            AnyQueue::OfClient(client) => set_ready(&client.queue(), callback),
            #[cfg(feature = "server")]
            AnyQueue::OfServer(server) => server.set_ready(callback),
        }
        MCP_OK
    })
}

/// Frees a queue. Free its clients and servers first: a queue that still has some is not freed. The
/// own queue of a client or a server is freed with its owner, and not by this function.
///
/// queue: the queue; may be NULL. No other thread may be using it, except in mcp_queue_wake().
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle, for a queue that still has
///   clients or servers, and for the own queue of one. In a child of fork() it frees nothing and
///   returns MCP_ERROR_FORKED.
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
