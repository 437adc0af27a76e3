//! Moves bytes between a socket and a handle that others opened: a pipe, a console or a file. Reading and writing it blocks, and
//! others may share it, so that nothing of it can be changed. A thread for each direction does that.

#![allow(unsafe_code)]

use super::handle::{Handle, last_error};
use crate::transport::process::thread;
use crate::transport::socket::system::streams;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, Shutdown, recv, send, shutdown};
use std::ptr;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use windows_sys::Win32::Foundation::ERROR_NO_SYSTEM_RESOURCES;
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};

/// How much is moved at once.
const BYTES: usize = 64 * 1024;
/// The stack of a thread, which does nothing else.
const STACK: usize = 128 * 1024;

/// Knows when everything was written.
#[derive(Debug)]
pub struct Written(Receiver<()>);

impl Written {
    /// Waits until everything was written that was sent before the end of the socket, or the time is over. Gives whether it was.
    pub fn wait(&self, limit: Duration) -> bool {
        // The thread sends nothing: the channel ends with it.
        matches!(self.0.recv_timeout(limit), Err(std::sync::mpsc::RecvTimeoutError::Disconnected))
    }
}

fn started(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Errno> {
    let started = thread::start(name, STACK, work);
    started.map(drop).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOBUFS))
}

/// A socket from which comes what is read from a handle that others opened.
///
/// The thread ends when the handle does, or with the next bytes after the socket was closed; these are lost.
///
/// # Errors
/// What the system said.
pub fn carried_from(handle: Handle) -> Result<OwnedFd, Errno> {
    let (socket, carried) = streams()?;
    rustix::io::ioctl_fionbio(&carried, false)?;
    started("libmcp-stdin", move || {
        let mut buffer = vec![0; BYTES];
        while let Some(count) = read(&handle, &mut buffer) {
            if !send_all(&carried, buffer.get(..count).unwrap_or_default()) {
                break;
            }
        }
        // Fails where the other side is gone.
        let _gone = shutdown(&carried, Shutdown::Write);
    })?;
    Ok(socket)
}

/// A socket that leads to a handle that others opened, and what knows when everything was written.
///
/// # Errors
/// What the system said.
pub fn carried_to(handle: Handle) -> Result<(OwnedFd, Written), Errno> {
    let (socket, carried) = streams()?;
    rustix::io::ioctl_fionbio(&carried, false)?;
    let (ends, end) = channel();
    started("libmcp-stdout", move || {
        let _ends = ends;
        let mut buffer = vec![0; BYTES];
        while let Ok((_, count)) = recv(&carried, &mut buffer[..], RecvFlags::empty()) {
            if count == 0 || !write_all(&handle, buffer.get(..count).unwrap_or_default()) {
                break;
            }
        }
    })?;
    Ok((socket, Written(end)))
}

/// The bytes that were read; none at the end.
fn read(handle: &Handle, buffer: &mut [u8]) -> Option<usize> {
    let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
    loop {
        let mut count = 0;
        // SAFETY: the buffer lives until the call returns, which is when it was read: the handle is used without overlapped operations.
        let done =
            unsafe { ReadFile(handle.raw(), buffer.as_mut_ptr(), length, &raw mut count, ptr::null_mut()) };
        if done == 0 || (count == 0 && !is_pipe(handle)) {
            return None;
        }
        if count > 0 {
            return usize::try_from(count).ok();
        }
        // Something of no bytes was written to the pipe, which is not its end.
    }
}

fn is_pipe(handle: &Handle) -> bool {
    use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_PIPE, GetFileType};
    // SAFETY: the handle is open.
    unsafe { GetFileType(handle.raw()) == FILE_TYPE_PIPE }
}

fn write_all(handle: &Handle, mut rest: &[u8]) -> bool {
    // A console takes no more at once.
    const PIECE: usize = 16 * 1024;
    let mut piece = PIECE;
    while !rest.is_empty() {
        let part = rest.get(..piece).unwrap_or(rest);
        let mut count = 0;
        let length = u32::try_from(part.len()).unwrap_or(0);
        // SAFETY: as in `read`.
        let done = unsafe { WriteFile(handle.raw(), part.as_ptr(), length, &raw mut count, ptr::null_mut()) };
        if done == 0 {
            if last_error().raw_os_error() != ERROR_NO_SYSTEM_RESOURCES.cast_signed() || piece == 1 {
                return false;
            }
            piece /= 2;
            continue;
        }
        rest = rest.get(usize::try_from(count).unwrap_or(0)..).unwrap_or_default();
    }
    true
}

fn send_all(socket: &OwnedFd, mut rest: &[u8]) -> bool {
    while !rest.is_empty() {
        match send(socket, rest, SendFlags::empty()) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(_) => return false,
        }
    }
    true
}
