//! Pipes on Windows. A pipe has no readiness there that a thread could wait for together with sockets. So each pipe of a server has a
//! carrier, which moves bytes between the pipe and a socket with overlapped operations; the rest of the library knows the socket alone.

#![allow(unsafe_code)]
// A carrier belongs to its operation under way: it becomes a pointer there, and a box again at its end.
#![allow(clippy::disallowed_methods)]

use crate::transport::system::io::{handle as socket_handle, send_slices, streams};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{SendFlags, Shutdown, shutdown};
use std::ffi::{OsStr, c_void};
use std::io::IoSlice;
use std::os::windows::ffi::OsStrExt as _;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use windows_sys::Win32::Foundation::{
    CloseHandle, DUPLICATE_SAME_ACCESS, DuplicateHandle, ERROR_IO_PENDING, ERROR_SUCCESS, GENERIC_READ,
    GENERIC_WRITE, GetLastError, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, FILE_READ_ATTRIBUTES,
    FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND, ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
};
use windows_sys::Win32::System::Threading::{
    CancelThreadpoolIo, CloseThreadpoolIo, CreateThreadpoolIo, GetCurrentProcess, PTP_CALLBACK_INSTANCE,
    PTP_IO, StartThreadpoolIo,
};

/// A pipe to a process that is going to be started: a socket for this process, an inheritable handle for the
/// other one, and what knows when all was carried.
///
/// # Errors
/// What the system said.
pub fn pair(flow: PipeFlow) -> Result<(OwnedFd, Handle, Carried), Errno> {
    let (ours, theirs) = named_pipe(flow)?;
    let (socket, carried) = streams()?;
    let end = match flow {
        PipeFlow::In => PipeCarrier::start(CarrierEnd::Pipe(ours), CarrierEnd::Socket(carried))?,
        PipeFlow::Out => PipeCarrier::start(CarrierEnd::Socket(carried), CarrierEnd::Pipe(ours))?,
    };
    Ok((socket, theirs, end))
}

/// There is no `SIGPIPE`.
pub fn keep_quiet(_output: &OwnedFd) {}

/// Writes to the socket of a pipe.
///
/// # Errors
/// What the system said.
pub fn write_quietly(fd: &OwnedFd, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
    send_slices(fd, slices, SendFlags::empty())
}

/// Pipes are made as large as they get.
pub fn enlarge(_fd: &OwnedFd, _bytes: usize) {}

/// The socket does not tell what was not read.
pub fn unread(_output: &OwnedFd) -> Option<u64> {
    None
}

/// How much is moved at once.
const BYTES: u32 = 64 * 1024;

/// Where bytes come from or go.
#[derive(Debug)]
pub(crate) enum CarrierEnd {
    /// A pipe, for overlapped operations.
    Pipe(Handle),
    /// A socket.
    Socket(OwnedFd),
}

impl CarrierEnd {
    fn raw(&self) -> HANDLE {
        match self {
            CarrierEnd::Pipe(handle) => handle.raw(),
            CarrierEnd::Socket(socket) => socket_handle(socket),
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
enum CarrierStep {
    Reading,
    Writing,
}

/// Moves what comes from one end to the other one, until one of them ends; then both are closed.
pub(crate) struct PipeCarrier {
    source: CarrierEnd,
    sink: CarrierEnd,
    reads: PTP_IO,
    writes: PTP_IO,
    overlapped: OVERLAPPED,
    buffer: Box<[u8]>,
    step: CarrierStep,
    /// Ends with the carrier.
    _carried: Sender<()>,
    /// What of the buffer is to be written still.
    filled: u32,
    written: u32,
}

impl PipeCarrier {
    /// Begins. Gives what knows of its end.
    ///
    /// # Errors
    /// What the system said.
    pub(crate) fn start(source: CarrierEnd, sink: CarrierEnd) -> Result<Carried, Errno> {
        let (carried, end) = channel();
        let carrier = Box::into_raw(Box::new(PipeCarrier {
            source,
            sink,
            reads: 0,
            writes: 0,
            overlapped: OVERLAPPED::default(),
            buffer: vec![0; BYTES as usize].into_boxed_slice(),
            step: CarrierStep::Reading,
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
                PipeCarrier::end(carrier);
                return Err(errno);
            }
            PipeCarrier::read(carrier);
        }
        Ok(Carried(end))
    }

    /// Reads; the report continues.
    ///
    /// # Safety
    /// Nothing is under way for the carrier. After the call it may be gone.
    unsafe fn read(carrier: *mut PipeCarrier) {
        // SAFETY: nothing is under way, so the carrier is this thread's. The buffer and the structure live until the report.
        unsafe {
            (*carrier).step = CarrierStep::Reading;
            (*carrier).overlapped = OVERLAPPED::default();
            let (io, source) = ((*carrier).reads, (*carrier).source.raw());
            StartThreadpoolIo(io);
            let buffer = (*carrier).buffer.as_mut_ptr();
            let done = ReadFile(source, buffer, BYTES, ptr::null_mut(), &raw mut (*carrier).overlapped);
            PipeCarrier::begun(carrier, io, done);
        }
    }

    /// Writes what is left of the buffer; the report continues.
    ///
    /// # Safety
    /// As for [`PipeCarrier::read`].
    unsafe fn write(carrier: *mut PipeCarrier) {
        // SAFETY: as in `read`; `written` is below `filled`, and that is within the buffer.
        unsafe {
            (*carrier).step = CarrierStep::Writing;
            (*carrier).overlapped = OVERLAPPED::default();
            let (io, sink) = ((*carrier).writes, (*carrier).sink.raw());
            StartThreadpoolIo(io);
            let rest = (*carrier).buffer.as_ptr().add((*carrier).written as usize);
            let length = (*carrier).filled - (*carrier).written;
            let done = WriteFile(sink, rest, length, ptr::null_mut(), &raw mut (*carrier).overlapped);
            PipeCarrier::begun(carrier, io, done);
        }
    }

    /// An operation was begun: where that failed there is no report, and the carrier ends.
    ///
    /// # Safety
    /// `done` is the outcome of the call just now.
    unsafe fn begun(carrier: *mut PipeCarrier, io: PTP_IO, done: i32) {
        // SAFETY: only where nothing was begun is the carrier still this thread's.
        unsafe {
            if done == 0 && GetLastError() != ERROR_IO_PENDING {
                CancelThreadpoolIo(io);
                PipeCarrier::end(carrier);
            }
        }
    }

    /// Closes both ends. What was written arrives before the end does.
    ///
    /// # Safety
    /// Nothing is under way.
    unsafe fn end(carrier: *mut PipeCarrier) {
        // SAFETY: it came from a box, and nothing else has the pointer any more: a report that is running now is this one.
        let carrier = unsafe { Box::from_raw(carrier) };
        for io in [carrier.reads, carrier.writes] {
            if io != 0 {
                // SAFETY: it was made for this carrier, and no operation is under way.
                unsafe { CloseThreadpoolIo(io) };
            }
        }
        for end in [&carrier.source, &carrier.sink] {
            if let CarrierEnd::Socket(socket) = end {
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
    let carrier: *mut PipeCarrier = context.cast();
    // SAFETY: the carrier lives until an operation ends it, and this was the only one that was under way.
    unsafe {
        let bytes = u32::try_from(bytes).unwrap_or(0);
        match (*carrier).step {
            _ if result != ERROR_SUCCESS => PipeCarrier::end(carrier),
            // The end of a socket. Of a pipe it is an error; without one, something of no bytes was written to it.
            CarrierStep::Reading if bytes == 0 => match (*carrier).source {
                CarrierEnd::Socket(_) => PipeCarrier::end(carrier),
                CarrierEnd::Pipe(_) => PipeCarrier::read(carrier),
            },
            CarrierStep::Reading => {
                (*carrier).filled = bytes;
                (*carrier).written = 0;
                PipeCarrier::write(carrier);
            }
            CarrierStep::Writing => {
                (*carrier).written += bytes;
                if (*carrier).written < (*carrier).filled {
                    PipeCarrier::write(carrier);
                } else {
                    PipeCarrier::read(carrier);
                }
            }
        }
    }
}

/// What a pipe holds.
const PIPE_BYTES: u32 = 64 * 1024;
/// How often another name is tried where one is in use.
const NAMES: usize = 64;

/// The directions of a pipe, seen from this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PipeFlow {
    /// The other process writes, and this one reads.
    In,
    /// This process writes, and the other one reads.
    Out,
}

/// The system's error of the last call.
pub fn last_error() -> Errno {
    // SAFETY: the call has no preconditions.
    Errno::from_raw_os_error(unsafe { GetLastError() }.cast_signed())
}

/// An open handle, which is closed when it is dropped.
#[derive(Debug)]
pub struct Handle(HANDLE);

// SAFETY: a handle is a number of the process; any thread may use it.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// Owns what a call of the system gave: null and `INVALID_HANDLE_VALUE` stand for its failure.
    ///
    /// # Errors
    /// What the system said of the failure.
    pub fn new(handle: HANDLE) -> Result<Handle, Errno> {
        if handle.is_null() || handle == INVALID_HANDLE_VALUE {
            Err(last_error())
        } else {
            Ok(Handle(handle))
        }
    }

    /// The handle as the system takes it.
    pub fn raw(&self) -> HANDLE {
        self.0
    }

    /// A copy of a handle that is not ours, not inheritable.
    ///
    /// # Errors
    /// What the system said.
    pub fn copy_of(handle: HANDLE) -> Result<Handle, Errno> {
        let mut copy = ptr::null_mut();
        // SAFETY: the pseudo handle of this process needs no closing; the result is written before the call returns. A number that is no
        // handle makes it fail.
        let done = unsafe {
            let own = GetCurrentProcess();
            DuplicateHandle(own, handle, own, &raw mut copy, 0, 0, DUPLICATE_SAME_ACCESS)
        };
        if done == 0 { Err(last_error()) } else { Handle::new(copy) }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: it is open, and nothing else closes it.
        unsafe { CloseHandle(self.0) };
    }
}

/// Text, a path or a variable as the system takes it, with a NUL at its end.
pub fn wide(text: impl AsRef<OsStr>) -> Vec<u16> {
    text.as_ref().encode_wide().chain([0]).collect()
}

/// A pipe: our end for overlapped operations, and the other one for a program that knows nothing of such, inheritable.
pub(crate) fn named_pipe(flow: PipeFlow) -> Result<(Handle, Handle), Errno> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (open, access) = match flow {
        // A program of Node.js asks for the right to change the mode of what it reads.
        PipeFlow::Out => (PIPE_ACCESS_OUTBOUND, GENERIC_READ | FILE_WRITE_ATTRIBUTES),
        PipeFlow::In => (PIPE_ACCESS_INBOUND, GENERIC_WRITE | FILE_READ_ATTRIBUTES),
    };
    let mut last = Errno::INVAL;
    for _ in 0..NAMES {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = wide(&format!(r"\\.\pipe\libmcp-{}-{number}", std::process::id()));
        // SAFETY: the name is a string of UTF-16 with its NUL; the security attributes may be null. Others may read such a pipe. It has one
        // place only: where another program took it before us, opening it below fails, and nothing was written.
        let ours = Handle::new(unsafe {
            CreateNamedPipeW(
                name.as_ptr(),
                open | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                1,
                PIPE_BYTES,
                PIPE_BYTES,
                0,
                ptr::null(),
            )
        });
        // Another program may have made a pipe of that name.
        let ours = match ours {
            Ok(ours) => ours,
            Err(errno) => {
                last = errno;
                continue;
            }
        };
        let inheritable = SECURITY_ATTRIBUTES {
            nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
            lpSecurityDescriptor: ptr::null_mut(),
            bInheritHandle: 1,
        };
        // SAFETY: as above; the attributes live until the end of the call.
        let theirs = Handle::new(unsafe {
            CreateFileW(name.as_ptr(), access, 0, &raw const inheritable, OPEN_EXISTING, 0, ptr::null_mut())
        })?;
        return Ok((ours, theirs));
    }
    Err(last)
}
