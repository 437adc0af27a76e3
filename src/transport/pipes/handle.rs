//! A handle of Windows, and pipes as handles.

#![allow(unsafe_code)]

use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::windows::ffi::OsStrExt as _;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use windows_sys::Win32::Foundation::{
    CloseHandle, DUPLICATE_SAME_ACCESS, DuplicateHandle, GENERIC_READ, GENERIC_WRITE, GetLastError, HANDLE,
    INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, FILE_READ_ATTRIBUTES,
    FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND,
};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// What a pipe holds.
const PIPE_BYTES: u32 = 64 * 1024;
/// How often another name is tried where one is in use.
const NAMES: usize = 64;

/// The directions of a pipe, seen from this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
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
pub(super) fn named_pipe(flow: Flow) -> Result<(Handle, Handle), Errno> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (open, access) = match flow {
        // A program of Node.js asks for the right to change the mode of what it reads.
        Flow::Out => (PIPE_ACCESS_OUTBOUND, GENERIC_READ | FILE_WRITE_ATTRIBUTES),
        Flow::In => (PIPE_ACCESS_INBOUND, GENERIC_WRITE | FILE_READ_ATTRIBUTES),
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
