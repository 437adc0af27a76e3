//! Threads of Windows, and how a program of Windows ended.

#![allow(unsafe_code)]

use std::sync::Once;
use std::thread::{Builder, JoinHandle};
use std::{fmt, io, ptr};
use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_ACCESS_VIOLATION, STATUS_CONTROL_C_EXIT, STATUS_DLL_NOT_FOUND,
    STATUS_ENTRYPOINT_NOT_FOUND, STATUS_ILLEGAL_INSTRUCTION, STATUS_STACK_BUFFER_OVERRUN,
    STATUS_STACK_OVERFLOW,
};
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
};

/// A thread that was started. One that is dropped is detached.
#[derive(Debug)]
pub struct Thread(JoinHandle<()>);

impl Thread {
    pub(crate) fn new(name: &str, stack: usize, work: Box<dyn FnOnce() + Send>) -> io::Result<Thread> {
        Builder::new().name(name.to_owned()).stack_size(stack).spawn(work).map(Thread)
    }

    /// Whether its work is done.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for its end.
    pub fn join(self) {
        let _never_a_panic = self.0.join();
    }
}

/// Runs `start`, which starts a thread. From then on the library stays loaded: a thread of it, or one of the system that reports to
/// it, may run at any time.
pub fn with_all_blocked<R>(start: impl FnOnce() -> R) -> R {
    static STAYS: Once = Once::new();
    STAYS.call_once(|| {
        let mut module = ptr::null_mut();
        let here: unsafe extern "system" fn() = inside;
        // SAFETY: with these flags the second argument is an address inside the library, and not a name. A failure leaves things as
        // they are.
        let _stays = unsafe {
            GetModuleHandleExW(
                GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                here as *const u16,
                &raw mut module,
            )
        };
    });
    start()
}

/// An address inside the library.
unsafe extern "system" fn inside() {}

const MEANINGS: [(NTSTATUS, &str); 7] = [
    (STATUS_ACCESS_VIOLATION, "access violation"),
    (STATUS_CONTROL_C_EXIT, "ended by Ctrl+C or Ctrl+Break"),
    (STATUS_DLL_NOT_FOUND, "a DLL that it needs was not found"),
    (STATUS_ENTRYPOINT_NOT_FOUND, "a DLL that it needs lacks a function"),
    (STATUS_ILLEGAL_INSTRUCTION, "illegal instruction"),
    (STATUS_STACK_BUFFER_OVERRUN, "it ended itself at once (abort)"),
    (STATUS_STACK_OVERFLOW, "stack overflow"),
];

/// Says with which status a process exited.
pub(crate) fn write_exit_status(f: &mut fmt::Formatter<'_>, code: i32) -> fmt::Result {
    if code >= 0 {
        return write!(f, "the server exited with status {code}");
    }
    write!(f, "the server exited with status {:#x}", code.cast_unsigned())?;
    match MEANINGS.iter().find(|(status, _)| *status == code) {
        Some((_, meaning)) => write!(f, " ({meaning})"),
        None => Ok(()),
    }
}

/// There are no signals here that end a process.
pub(crate) fn signal_name(_signal: i32) -> Option<&'static str> {
    None
}
