//! The standard handles of a process of Windows. A program of C has descriptors beside them, in its C library: those of the C library
//! that this library was linked to are made to lead elsewhere, too.

#![allow(unsafe_code)]

use crate::transport::pipes::{Handle, Written, carried_from, carried_to};
use crate::transport::plain_text;
use crate::transport::socket::{duplicate, end_output};
use crate::transport::standard_streams::taken::{StreamsRefused, TAKEN, Taken, taken_already};
use crate::transport::stream_end::{Access, StreamEnd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::fs::File;
use std::os::windows::io::IntoRawHandle as _;
use std::sync::atomic::Ordering;
use std::time::Duration;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    GetStdHandle, STD_ERROR_HANDLE, STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
};

/// How long what was answered last may take to be written when the streams are given back.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Keeps the standard streams for one connection. Dropping it restores them.
#[derive(Debug)]
pub struct StandardStreams {
    /// Empty until the streams were taken.
    output: Option<(OwnedFd, Written)>,
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
    pub fn take(protect: bool) -> Result<Taken<StandardStreams>, StreamsRefused> {
        if TAKEN.get().swap(true, Ordering::AcqRel) {
            return Err(taken_already());
        }
        // From here on dropping it puts things right.
        let mut streams = StandardStreams { output: None, replaced: Vec::new() };
        let input = copy(STD_INPUT_HANDLE, "standard input")?;
        let output = copy(STD_OUTPUT_HANDLE, "standard output")?;
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
        Ok(Taken { input, output, streams })
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
