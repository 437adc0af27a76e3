//! The standard handles of a process of Windows. A program of C has descriptors beside them, in its C library: those of the C library
//! that this library was linked to are made to lead elsewhere, too.

#![allow(unsafe_code)]

use crate::transport::plain_text;
use crate::transport::process::thread;
use crate::transport::socket::{duplicate, end_output};
use crate::transport::standard_streams::{StreamsRefused, TAKEN, TakenStreams, taken_already};
use crate::transport::stream::{Access, StreamEnd};
use crate::transport::system::io::{Handle, last_error, streams};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, Shutdown, recv, send, shutdown};
use std::fs::File;
use std::io::IsTerminal as _;
use std::os::windows::io::IntoRawHandle as _;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use windows_sys::Win32::Foundation::{ERROR_NO_SYSTEM_RESOURCES, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::Console::{
    GetStdHandle, STD_ERROR_HANDLE, STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
};

/// How long what was answered last may take to be written when the streams are given back.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Keeps the standard streams for one connection. Dropping it restores them.
#[derive(Debug)]
pub struct StandardStreams {
    /// Empty until the streams were taken.
    output: Option<(OwnedFd, OutputWritten)>,
    replaced: Vec<Replaced>,
}

/// A standard stream that leads elsewhere for now.
#[derive(Debug)]
struct Replaced {
    which: STD_HANDLE,
    /// Its number in the C library.
    number: i32,
    original: Handle,
}

impl StandardStreams {
    /// Takes the standard streams of this process. With `protect`, standard output then leads to where standard error leads, and
    /// standard input to nowhere.
    ///
    /// # Errors
    /// When a connection has them already, when one of them is closed, and when the system refuses it.
    pub fn take(protect: bool) -> Result<TakenStreams<StandardStreams>, StreamsRefused> {
        if TAKEN.get().swap(true, Ordering::AcqRel) {
            return Err(taken_already());
        }
        // From here on dropping it puts things right.
        let mut streams = StandardStreams { output: None, replaced: Vec::new() };
        let input = copy(STD_INPUT_HANDLE, "standard input")?;
        let output = copy(STD_OUTPUT_HANDLE, "standard output")?;
        let is_terminal = std::io::stdout().is_terminal();
        let take = || {
            let kept = protect.then(|| Ok((copied(&input)?, copied(&output)?))).transpose()?;
            let input = carried_from(input)?;
            let (output, written) = carried_to(output)?;
            streams.output = Some((duplicate(&output)?, written));
            if let Some((input, output)) = kept {
                streams.replaced.push(Replaced::new(STD_INPUT_HANDLE, 0, input, "NUL")?);
                streams.replaced.push(Replaced::new(STD_OUTPUT_HANDLE, 1, output, "NUL")?);
            }
            let end = |fd| StreamEnd { fd, access: Access::Direct, is_always_ready: false, is_pipe: false };
            Ok((end(input), end(output)))
        };
        let (input, output) = take().map_err(|errno: Errno| StreamsRefused {
            message: format!(
                "cannot serve on the standard streams: they could not be replaced ({})",
                plain_text(&errno.into())
            ),
            errno: Some(errno.raw_os_error()),
        })?;
        Ok(TakenStreams { input, output, is_terminal, streams })
    }
}

/// A copy of a standard handle.
fn copy(which: STD_HANDLE, name: &str) -> Result<Handle, StreamsRefused> {
    // SAFETY: the call takes a number; what it gives is not ours to close.
    let handle: HANDLE = unsafe { GetStdHandle(which) };
    // A program with a window has none.
    let copied = if handle.is_null() { Err(Errno::BADF) } else { Handle::copy_of(handle) };
    copied.map_err(|errno| StreamsRefused {
        message: format!(
            "cannot serve on the standard streams: {name} is closed; let the client start this program with pipes to it as \
             standard input and output"
        ),
        errno: Some(errno.raw_os_error()),
    })
}

fn copied(handle: &Handle) -> Result<Handle, Errno> {
    Handle::copy_of(handle.raw())
}

impl Replaced {
    /// Has a stream lead to where standard error leads if it is written, and else to `nowhere`.
    fn new(which: STD_HANDLE, number: i32, original: Handle, nowhere: &str) -> Result<Replaced, Errno> {
        let errors = if which == STD_OUTPUT_HANDLE {
            // SAFETY: as in `copy`.
            Handle::copy_of(unsafe { GetStdHandle(STD_ERROR_HANDLE) }).ok()
        } else {
            None
        };
        let elsewhere = match errors {
            Some(errors) => errors,
            None => {
                let file = if number == 0 { File::open(nowhere) } else { File::create(nowhere) };
                let file = file.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::BADF))?;
                Handle::new(file.into_raw_handle())?
            }
        };
        put(which, number, elsewhere);
        Ok(Replaced { which, number, original })
    }
}

/// Has a standard stream lead there, for Windows and for the C library.
fn put(which: STD_HANDLE, number: i32, handle: Handle) {
    const BINARY: i32 = 0x8000;
    // The handle belongs to the C library from here on.
    let handle = std::mem::ManuallyDrop::new(handle);
    // SAFETY: the handle is open and stays so. `dup2` gives the number a copy of its own; the one that it had is closed, of which the
    // caller has a copy. The new number is closed after that, with the handle, unless it could not be had.
    unsafe {
        SetStdHandle(which, handle.raw());
        let new = libc::open_osfhandle(handle.raw().expose_provenance().cast_signed(), BINARY);
        if new >= 0 {
            libc::dup2(new, number);
            // The copy that `dup2` made is the standard handle now, where the C library does that, and else the first one stays open.
            SetStdHandle(
                which,
                std::ptr::with_exposed_provenance_mut(libc::get_osfhandle(number).cast_unsigned()),
            );
            libc::close(new);
        }
    }
}

impl Drop for StandardStreams {
    fn drop(&mut self) {
        if let Some((output, written)) = self.output.take() {
            // Nothing is answered any more; what was answered is still on its way.
            end_output(&output);
            let _not_in_time = written.wait(LAST_WORDS);
        }
        for Replaced { which, number, original } in self.replaced.drain(..) {
            put(which, number, original);
        }
        TAKEN.get().store(false, Ordering::Release);
    }
}

/// How much is moved at once.
const BYTES: usize = 64 * 1024;
/// The stack of a thread, which does nothing else.
const STACK: usize = 128 * 1024;

/// Knows when everything was written.
#[derive(Debug)]
pub struct OutputWritten(Receiver<()>);

impl OutputWritten {
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
pub fn carried_to(handle: Handle) -> Result<(OwnedFd, OutputWritten), Errno> {
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
    Ok((socket, OutputWritten(end)))
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
