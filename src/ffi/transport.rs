//! Transports that the application brings.

use super::client::guard_error;
use super::guard::guard_status;
use super::handles::{self, mcp_client_t, mcp_queue_t, mcp_transport_t};
use super::panics::of_program;
use super::pointer::{UserData, bytes, needed_text, null, text, transport_functions, write};
use super::status::{
    MCP_BACKPRESSURE, MCP_INVALID_ARGUMENT, MCP_NO_MEMORY, MCP_OK, MCP_TOO_LARGE, mcp_status_t, status_name,
};
use crate::client::Client;
use crate::engine::{Error, Status};
use crate::transport::custom::{Channel, Refused, Transport, Undelivered};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// The version of mcp_transport_functions_t that this header has.
pub const MCP_TRANSPORT_VERSION: u32 = 1;

/// What a transport of the application's own can do. The functions are called one at a time, in order, on whichever thread
/// uses the client or on a thread of the library's, with no lock held. They must return soon: they hold up this client, and
/// on the library's thread every other. They may deliver to the transport, and call what does not wait; they must not wait
/// for this client nor free it, and not unwind.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct mcp_transport_functions_t {
    /// sizeof(mcp_transport_functions_t). What a library knows of a larger one it uses; a smaller one is refused.
    pub size: u32,
    /// MCP_TRANSPORT_VERSION.
    pub version: u32,
    /// Opens a connection, which `transport` stands for until it has ended; there is one at a time. It must not wait for the
    /// other side: take what is sent meanwhile. What is delivered before it has returned is dropped, since nothing was asked.
    /// MCP_OK, or another status: the attempt has failed, and `close` is not called.
    pub open:
        Option<unsafe extern "C" fn(user: *mut c_void, transport: *mut mcp_transport_t) -> mcp_status_t>,
    /// Sends one message: JSON without line breaks, `length` bytes and a NUL behind them, lent until it returns. It must not
    /// wait for room: keep what does not go out at once, and return MCP_OK. Another status ends the connection.
    pub send: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            transport: *mut mcp_transport_t,
            frame: *const c_char,
            length: usize,
        ) -> mcp_status_t,
    >,
    /// The connection has ended; nothing more is sent, and `transport` is no handle any more. Called exactly once for each
    /// that was opened, also after mcp_transport_closed().
    pub close: Option<unsafe extern "C" fn(user: *mut c_void, transport: *mut mcp_transport_t)>,
    /// Everything is over: called exactly once, after every other function has returned, by mcp_client_free(), or by
    /// mcp_client_new_with_transport() when it fails. If a function has not returned in the time that a close has, it is
    /// called when it does. May be NULL.
    pub destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
}

/// The application's functions as the client calls them.
struct Functions {
    open: unsafe extern "C" fn(*mut c_void, *mut mcp_transport_t) -> mcp_status_t,
    send: unsafe extern "C" fn(*mut c_void, *mut mcp_transport_t, *const c_char, usize) -> mcp_status_t,
    close: unsafe extern "C" fn(*mut c_void, *mut mcp_transport_t),
    user: UserData,
}

impl Transport for Functions {
    fn open(&self, channel: &Channel) -> Result<(), Refused> {
        let handle = handles::add_transport(channel);
        // SAFETY: the contract says that the functions may be called with `user` until `destroy` is.
        let outcome = accepted(of_program(|| unsafe { (self.open)(self.user.get(), handle) }));
        if outcome.is_err() {
            handles::remove_transport(handle);
        }
        outcome
    }

    fn send(&self, channel: &Channel, mut frame: Vec<u8>) -> Result<(), Refused> {
        let length = frame.len();
        frame.push(0);
        let handle = handles::transport_handle(channel);
        // SAFETY: as above; the frame lives until the function returns.
        accepted(of_program(|| unsafe {
            (self.send)(self.user.get(), handle, frame.as_ptr().cast(), length)
        }))
    }

    fn close(&self, channel: &Channel) {
        let handle = handles::transport_handle(channel);
        handles::remove_transport(handle);
        // SAFETY: as above.
        of_program(|| unsafe { (self.close)(self.user.get(), handle) });
    }
}

fn accepted(status: mcp_status_t) -> Result<(), Refused> {
    if status == MCP_OK {
        return Ok(());
    }
    let name = status_name(status).to_string_lossy();
    Err(Refused { message: format!("its function returned {status} ({name})"), code: Some(status) })
}

/// Takes the functions. From here on `destroy` is called whatever comes.
fn take(functions: *const mcp_transport_functions_t, user: *mut c_void) -> Result<Functions, Error> {
    let functions = transport_functions(functions, MCP_TRANSPORT_VERSION)?;
    let user = UserData::new(user, functions.destroy);
    match (functions.open, functions.send, functions.close) {
        (Some(open), Some(send), Some(close)) => Ok(Functions { open, send, close, user }),
        _ => Err(Error::new(
            Status::InvalidArgument,
            "client_new",
            "functions: open, send and close must not be NULL",
        )),
    }
}

/// Makes a client that speaks over a transport of the application's own: a pipe to somewhere else, a message bus, another
/// part of the same program. Opens nothing yet: mcp_client_connect() or the first call does, and so does the client itself
/// when a connection was lost ("reconnect").
///
/// queue: where messages go, as mcp_client_new_on(); NULL gives the client a queue of its own.
/// config_json: as mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is enough.
/// functions: what the transport can do; copied.
/// user: passed to each of them; may be NULL.
/// out: receives the client, to be freed with mcp_client_free(). Written only on success.
/// error_json: receives the error object on failure, to be freed with mcp_string_free(); may be NULL.
///
/// Any thread. Threads that wait for this client sleep; whoever delivers does what there is to do. Returns MCP_OK,
/// MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED (`version` is newer than the library), MCP_FORKED, MCP_INTERNAL. `destroy` is called
/// whatever is returned, unless `functions` itself is NULL, too small or of another version.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_with_transport(
    queue: *mut mcp_queue_t,
    config_json: *const c_char,
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let functions = take(functions, user)?;
        if out.is_null() {
            return Err(null("out"));
        }
        let shared = if queue.is_null() { None } else { Some(Arc::clone(&handles::queue(queue)?.queue)) };
        let config = needed_text(config_json, "config_json")?;
        let client = Client::with_transport(config, shared, Box::new(functions))?;
        write(out, handles::add_client(client));
        Ok(())
    })
}

/// Delivers one message that has come from the server. What it sets off happens on this thread, without waiting: outcomes
/// reach those who wait for them, and what is to be sent next goes to `send`, unless that is where this is called from;
/// then it goes there afterwards.
///
/// transport: from `open`; dead once `close` is called or mcp_transport_closed() was.
/// frame: the JSON text of the message, without what a framing puts around it; copied. Need not end with a NUL. What is no
///   message is counted and skipped, as on every transport.
/// length: its bytes.
///
/// Any thread, also several at once, also from inside `send`. Returns MCP_OK, MCP_INVALID_ARGUMENT (no live handle; NULL or
/// empty), MCP_TOO_LARGE (over "limits.frame_bytes": the call that it answers ends so, too), MCP_NO_MEMORY (likewise), MCP_FORKED, and
/// MCP_BACKPRESSURE when it is a notification, the queue is full and "limits.overflow" is "block": deliver it again when the
/// application has polled, and what came behind it after that.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_transport_deliver(
    transport: *mut mcp_transport_t,
    frame: *const c_char,
    length: usize,
) -> mcp_status_t {
    guard_status(|| {
        let channel = match handles::transport(transport) {
            Ok(channel) => channel,
            Err(error) => return error.status as i32,
        };
        let Some(frame) = bytes(frame, length) else { return MCP_INVALID_ARGUMENT };
        match channel.deliver(frame) {
            Ok(()) => MCP_OK,
            Err(Undelivered::Closed | Undelivered::Empty) => MCP_INVALID_ARGUMENT,
            Err(Undelivered::TooLarge { .. }) => MCP_TOO_LARGE,
            Err(Undelivered::NoMemory) => MCP_NO_MEMORY,
            Err(Undelivered::Full) => MCP_BACKPRESSURE,
        }
    })
}

/// Says that a connection has ended: calls under way end as MCP_TRANSPORT with the reason, and the client opens the next one
/// as "reconnect" says. `close` is called for this one, perhaps before this returns.
///
/// transport: from `open`; dead afterwards.
/// reason: why, for the error's message; NULL if nobody knows.
///
/// Any thread, also from inside `open` and `send`. Returns MCP_OK, MCP_INVALID_ARGUMENT for what is no live handle,
/// MCP_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_transport_closed(
    transport: *mut mcp_transport_t,
    reason: *const c_char,
) -> mcp_status_t {
    guard_status(|| {
        let ended = handles::transport(transport).and_then(|channel| {
            let reason = text(reason, "reason")?.unwrap_or_default();
            handles::remove_transport(transport);
            channel
                .closed(reason)
                .map_err(|why| Error::new(Status::InvalidArgument, "transport", why.to_string()))
        });
        match ended {
            Ok(()) => MCP_OK,
            Err(error) => error.status as i32,
        }
    })
}
