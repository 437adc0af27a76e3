//! Transports of the host, and clients over them or of a server in this process.

#[cfg(feature = "client")]
use super::client::shared;
#[cfg(all(feature = "client", feature = "server"))]
use super::convert::guard_out;
#[cfg(feature = "client")]
use super::convert::guard_taking;
use super::guard::{guard_status, invalid, null};
#[cfg(all(feature = "client", feature = "server"))]
use super::handles::mcp_server_t;
use super::handles::{self, mcp_transport_t};
#[cfg(feature = "client")]
use super::handles::{mcp_client_t, mcp_queue_t};
use super::panics::of_program;
use super::pointer::{UserData, bytes, size_and_version, text, whole};
#[cfg(feature = "client")]
use super::pointer::{needed_text, write};
use super::status::{
    MCP_ERROR_BACKPRESSURE, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_NO_MEMORY, MCP_ERROR_TOO_LARGE, MCP_OK,
    mcp_status_t, status_name,
};
#[cfg(feature = "client")]
use crate::client::Client;
use crate::engine::{Error, Status};
use crate::transport::custom::{Channel, Refused, Transport, Undelivered};
use std::ffi::{c_char, c_void};

/// The version of mcp_transport_functions_t in this header.
pub const MCP_TRANSPORT_VERSION: u32 = 1;

/// The functions of a transport that the application implements.
///
/// The library calls them one at a time, in order, on a thread that uses the client (or the server,
/// with mcp_server_attach()) or on a thread of the library. It holds no lock meanwhile. The
/// functions must return soon: until they return this client is blocked, and on the library's
/// thread every other client too. They may call mcp_transport_deliver() and every function that
/// never waits. They must not wait for this client, must not free it or its server, and must not
/// unwind.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct mcp_transport_functions_t {
    /// sizeof(mcp_transport_functions_t). The library refuses a smaller struct. Of a larger one it
    /// uses the members that it knows.
    pub size: u32,
    /// MCP_TRANSPORT_VERSION.
    pub version: u32,
    /// Opens a connection. `transport` identifies it until it has ended. There is one connection at
    /// a time.
    ///
    /// The function must not wait for the other side: accept what is sent meanwhile. A client drops
    /// what is delivered before `open` has returned, because it sent no request yet; a server
    /// processes it and sends its answer afterwards.
    ///
    /// Returns MCP_OK, or another status if the attempt failed; `close` is then not called.
    pub open:
        Option<unsafe extern "C" fn(user: *mut c_void, transport: *mut mcp_transport_t) -> mcp_status_t>,
    /// Sends one message.
    ///
    /// frame: JSON without line breaks, followed by a NUL; valid until the function returns.
    /// length: the length of the message in bytes, without the NUL.
    ///
    /// The function must not wait for room: buffer what cannot be sent at once and return MCP_OK.
    ///
    /// Returns MCP_OK. Any other status ends the connection.
    pub send: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            transport: *mut mcp_transport_t,
            frame: *const c_char,
            length: usize,
        ) -> mcp_status_t,
    >,
    /// Tells that the connection has ended. The library sends nothing more, and `transport` is no
    /// longer a valid handle. Called exactly once for each connection that was opened, also after
    /// mcp_transport_closed().
    pub close: Option<unsafe extern "C" fn(user: *mut c_void, transport: *mut mcp_transport_t)>,
    /// Releases `user`. May be NULL. Called exactly once, after every other function has returned:
    /// by mcp_client_free(), or by mcp_client_new_with_transport() when that fails; on a server
    /// after `close`, or by mcp_server_attach() when that fails. If a function does not return
    /// within the time limit of the close, `destroy` is called as soon as it has returned.
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

/// The functions of a transport.
///
/// # Errors
/// `INVALID_ARGUMENT` when they are too small, `UNSUPPORTED` when they are of another version.
fn copied(
    pointer: *const mcp_transport_functions_t,
    operation: &str,
) -> Result<mcp_transport_functions_t, Error> {
    let (size, version) = size_and_version(pointer);
    if version != MCP_TRANSPORT_VERSION {
        let what = format!(
            "has a struct that is not of this version: its version is {version}, and this library knows {MCP_TRANSPORT_VERSION}; set it to \
             MCP_TRANSPORT_VERSION"
        );
        if version > MCP_TRANSPORT_VERSION {
            return Err(Error::new(Status::Unsupported, operation, format!("functions {what}")));
        }
        return Err(invalid("functions", what));
    }
    let least = size_of::<mcp_transport_functions_t>();
    if usize::try_from(size).is_ok_and(|size| size < least) {
        let what = format_args!(
            "has a struct that is too small: its size is {size}, and version {version} has {least} bytes; set it to sizeof"
        );
        return Err(invalid("functions", what));
    }
    Ok(whole(pointer))
}

/// Takes the functions. `destroy` is called whatever comes: every version has it in its place.
pub(super) fn take(
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    operation: &str,
) -> Result<impl Transport + 'static, Error> {
    if functions.is_null() {
        return Err(null("functions"));
    }
    let user = UserData::new(user, whole(functions).destroy);
    let functions = copied(functions, operation)?;
    match (functions.open, functions.send, functions.close) {
        (Some(open), Some(send), Some(close)) => Ok(Functions { open, send, close, user }),
        _ => Err(invalid("functions", "has NULL for open, send or close, which must not be NULL")),
    }
}

/// Delivers one message from the other side. The library processes it on this thread and never
/// waits. It gives outcomes to the threads that wait for them and calls `send` with the next
/// messages. If this function is called inside `send`, the library calls `send` afterwards.
///
/// transport: the handle that `open` received; invalid once `close` or mcp_transport_closed() was
///   called.
/// frame: the JSON text of the message without framing; copied. It needs no terminating NUL. Text
///   that is not a message is counted and skipped, as on every transport.
/// length: the length of the frame in bytes.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT (invalid handle, or an empty frame or NULL);
///   MCP_ERROR_TOO_LARGE (the frame exceeds "limits.frame_bytes"; the call that it answers ends
///   with the same status); MCP_ERROR_NO_MEMORY (likewise); MCP_ERROR_FORKED;
///   MCP_ERROR_BACKPRESSURE when the frame is a notification, the queue is full and
///   "limits.overflow" is "block": after the application has polled, deliver this frame again, and
///   after it the frames that follow it.
///
/// Threads: any thread, also several at the same time, also inside `send`.
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
        let Some(frame) = bytes(frame, length) else { return MCP_ERROR_INVALID_ARGUMENT };
        match channel.deliver(frame) {
            Ok(()) => MCP_OK,
            Err(Undelivered::Closed | Undelivered::Empty) => MCP_ERROR_INVALID_ARGUMENT,
            Err(Undelivered::TooLarge { .. }) => MCP_ERROR_TOO_LARGE,
            Err(Undelivered::NoMemory) => MCP_ERROR_NO_MEMORY,
            Err(Undelivered::Full) => MCP_ERROR_BACKPRESSURE,
        }
    })
}

/// Tells the library that a connection has ended. Pending calls of a client end as
/// MCP_ERROR_TRANSPORT with the reason, and it opens the next connection as "reconnect" says. A
/// server ends the session. The library calls `close` for this connection, possibly before this
/// function returns.
///
/// transport: the handle that `open` received; invalid afterwards.
/// reason: the reason for the error message; NULL if unknown.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT for an invalid handle, MCP_ERROR_FORKED.
///
/// Threads: any thread, also inside `open` and `send`.
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

/// Creates a client over a transport that the application implements: a pipe to another machine, a
/// message bus, another part of the same program. It opens nothing: mcp_client_connect() or the
/// first call opens the connection, and the client opens the next one itself after a loss
/// ("reconnect").
///
/// config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
///   enough.
/// queue: as for mcp_client_new().
/// functions: the functions of the transport; copied.
/// user: passed to each function; may be NULL.
/// out: receives the client. Free it with mcp_client_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
///   library), MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result. Of a
///   table that is too small or of another version no other function is called.
///
/// Threads: any thread. A thread that waits for this client sleeps; the thread that delivers a
///   message also processes it.
#[cfg(feature = "client")]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_with_transport(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    functions: *const mcp_transport_functions_t,
    user: *mut c_void,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        out,
        error_json,
        || take(functions, user, "client_new"),
        |functions| {
            if out.is_null() {
                return Err(null("out"));
            }
            let shared = shared(queue)?;
            let config = needed_text(config_json, "config_json")?;
            let client = Client::with_transport(config, shared, Box::new(functions))?;
            write(out, handles::add_client(client, queue));
            Ok(())
        },
    )
}

/// Creates a client of a server in the same process. Messages go from one to the other without a
/// socket, a pipe or another thread: the thread that sends a message also processes it on the other
/// side. Everything else is as with any other server.
///
/// Handlers run where they always do, so another thread must be in mcp_server_run(), or poll, while
/// this one waits in a call; a program with one thread starts its calls and polls a queue that both
/// share.
///
/// config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
///   enough. "limits.overflow" must not be "block".
/// queue: as for mcp_client_new().
/// server: the server. Client and server may be freed in either order.
/// out: receives the client. Free it with mcp_client_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL.
///
/// Threads: any thread.
#[cfg(all(feature = "client", feature = "server"))]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_new_in_process(
    config_json: *const c_char,
    queue: *mut mcp_queue_t,
    server: *mut mcp_server_t,
    out: *mut *mut mcp_client_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
        if out.is_null() {
            return Err(null("out"));
        }
        let shared = shared(queue)?;
        let config = needed_text(config_json, "config_json")?;
        let client = Client::in_process(config, shared, handles::server(server)?.transport_to())?;
        write(out, handles::add_client(client, queue));
        Ok(())
    })
}
