//! Moves bytes between a pipe of ours and a socket, with overlapped operations whose ends the system's pool of threads reports: no thread
//! of ours waits. At any time one operation is under way, so that the thread that reports its end has the carrier for itself.

#![allow(unsafe_code)]
// A carrier belongs to its operation under way: it becomes a pointer there, and a box again at its end.
#![allow(clippy::disallowed_methods)]

use super::handle::{Handle, last_error};
use crate::transport::socket::system::handle as socket_handle;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use std::ffi::c_void;
use std::ptr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_SUCCESS, GetLastError, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{
    CancelThreadpoolIo, CloseThreadpoolIo, CreateThreadpoolIo, PTP_CALLBACK_INSTANCE, PTP_IO,
    StartThreadpoolIo,
};

/// How much is moved at once.
const BYTES: u32 = 64 * 1024;

/// Where bytes come from or go.
#[derive(Debug)]
pub(super) enum End {
    /// A pipe, for overlapped operations.
    Pipe(Handle),
    /// A socket.
    Socket(OwnedFd),
}

impl End {
    fn raw(&self) -> HANDLE {
        match self {
            End::Pipe(handle) => handle.raw(),
            End::Socket(socket) => socket_handle(socket),
        }
    }
}

/// Knows when all was carried.
#[derive(Debug)]
pub struct Carried(Receiver<()>);

impl Carried {
    /// Waits until both ends are closed, or the time is over.
    pub fn wait(&self, limit: Duration) {
        // The carrier sends nothing: the channel ends with it.
        let _ended_or_not = self.0.recv_timeout(limit);
    }
}

/// What is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Reading,
    Writing,
}

/// Moves what comes from one end to the other one, until one of them ends; then both are closed.
pub(super) struct Carrier {
    source: End,
    sink: End,
    reads: PTP_IO,
    writes: PTP_IO,
    overlapped: OVERLAPPED,
    buffer: Box<[u8]>,
    step: Step,
    /// Ends with the carrier.
    _carried: Sender<()>,
    /// What of the buffer is to be written still.
    filled: u32,
    written: u32,
}

impl Carrier {
    /// Begins. Gives what knows of its end.
    ///
    /// # Errors
    /// What the system said.
    pub(super) fn start(source: End, sink: End) -> Result<Carried, Errno> {
        let (carried, end) = channel();
        let carrier = Box::into_raw(Box::new(Carrier {
            source,
            sink,
            reads: 0,
            writes: 0,
            overlapped: OVERLAPPED::default(),
            buffer: vec![0; BYTES as usize].into_boxed_slice(),
            step: Step::Reading,
            _carried: carried,
            filled: 0,
            written: 0,
        }));
        // SAFETY: it came from a box just now. The pool keeps the pointer; it is used only by the reports of operations, and none is under
        // way when the box is dropped.
        unsafe {
            (*carrier).reads =
                CreateThreadpoolIo((*carrier).source.raw(), Some(report), carrier.cast(), ptr::null());
            (*carrier).writes = if (*carrier).reads == 0 {
                0
            } else {
                CreateThreadpoolIo((*carrier).sink.raw(), Some(report), carrier.cast(), ptr::null())
            };
            if (*carrier).writes == 0 {
                let errno = last_error();
                Carrier::end(carrier);
                return Err(errno);
            }
            Carrier::read(carrier);
        }
        Ok(Carried(end))
    }

    /// Reads; the report goes on.
    ///
    /// # Safety
    /// Nothing is under way for the carrier. After the call it may be gone.
    unsafe fn read(carrier: *mut Carrier) {
        // SAFETY: nothing is under way, so the carrier is this thread's. The buffer and the structure live until the report.
        unsafe {
            (*carrier).step = Step::Reading;
            (*carrier).overlapped = OVERLAPPED::default();
            let (io, source) = ((*carrier).reads, (*carrier).source.raw());
            StartThreadpoolIo(io);
            let buffer = (*carrier).buffer.as_mut_ptr();
            let done = ReadFile(source, buffer, BYTES, ptr::null_mut(), &raw mut (*carrier).overlapped);
            Carrier::begun(carrier, io, done);
        }
    }

    /// Writes what is left of the buffer; the report goes on.
    ///
    /// # Safety
    /// As for [`Carrier::read`].
    unsafe fn write(carrier: *mut Carrier) {
        // SAFETY: as in `read`; `written` is below `filled`, and that is within the buffer.
        unsafe {
            (*carrier).step = Step::Writing;
            (*carrier).overlapped = OVERLAPPED::default();
            let (io, sink) = ((*carrier).writes, (*carrier).sink.raw());
            StartThreadpoolIo(io);
            let rest = (*carrier).buffer.as_ptr().add((*carrier).written as usize);
            let length = (*carrier).filled - (*carrier).written;
            let done = WriteFile(sink, rest, length, ptr::null_mut(), &raw mut (*carrier).overlapped);
            Carrier::begun(carrier, io, done);
        }
    }

    /// An operation was begun: where that failed there is no report, and the carrier ends.
    ///
    /// # Safety
    /// `done` is the outcome of the call just now.
    unsafe fn begun(carrier: *mut Carrier, io: PTP_IO, done: i32) {
        // SAFETY: only where nothing was begun is the carrier still this thread's.
        unsafe {
            if done == 0 && GetLastError() != ERROR_IO_PENDING {
                CancelThreadpoolIo(io);
                Carrier::end(carrier);
            }
        }
    }

    /// Closes both ends. What was written arrives before the end does.
    ///
    /// # Safety
    /// Nothing is under way.
    unsafe fn end(carrier: *mut Carrier) {
        // SAFETY: it came from a box, and nothing else has the pointer any more: a report that is running now is this one.
        let carrier = unsafe { Box::from_raw(carrier) };
        for io in [carrier.reads, carrier.writes] {
            if io != 0 {
                // SAFETY: it was made for this carrier, and no operation is under way.
                unsafe { CloseThreadpoolIo(io) };
            }
        }
        for end in [&carrier.source, &carrier.sink] {
            if let End::Socket(socket) = end {
                // Fails where the other side is gone.
                let _gone = shutdown(socket, Shutdown::Both);
            }
        }
    }
}

/// An operation has ended.
unsafe extern "system" fn report(
    _instance: PTP_CALLBACK_INSTANCE,
    context: *mut c_void,
    _overlapped: *mut c_void,
    result: u32,
    bytes: usize,
    _io: PTP_IO,
) {
    let carrier: *mut Carrier = context.cast();
    // SAFETY: the carrier lives until an operation ends it, and this was the only one that was under way.
    unsafe {
        let bytes = u32::try_from(bytes).unwrap_or(0);
        match (*carrier).step {
            _ if result != ERROR_SUCCESS => Carrier::end(carrier),
            // The end of a socket. Of a pipe it is an error; without one, something of no bytes was written to it.
            Step::Reading if bytes == 0 => match (*carrier).source {
                End::Socket(_) => Carrier::end(carrier),
                End::Pipe(_) => Carrier::read(carrier),
            },
            Step::Reading => {
                (*carrier).filled = bytes;
                (*carrier).written = 0;
                Carrier::write(carrier);
            }
            Step::Writing => {
                (*carrier).written += bytes;
                if (*carrier).written < (*carrier).filled {
                    Carrier::write(carrier);
                } else {
                    Carrier::read(carrier);
                }
            }
        }
    }
}
