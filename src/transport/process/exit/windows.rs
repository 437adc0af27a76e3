//! What a status says of a program that crashed: then it is a number that the system gave.

use std::fmt;
use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_ACCESS_VIOLATION, STATUS_CONTROL_C_EXIT, STATUS_DLL_NOT_FOUND,
    STATUS_ENTRYPOINT_NOT_FOUND, STATUS_ILLEGAL_INSTRUCTION, STATUS_STACK_BUFFER_OVERRUN,
    STATUS_STACK_OVERFLOW,
};

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
pub(super) fn write_status(f: &mut fmt::Formatter<'_>, code: i32) -> fmt::Result {
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
pub(super) fn name(_signal: i32) -> Option<&'static str> {
    None
}
