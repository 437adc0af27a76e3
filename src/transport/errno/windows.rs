//! Numbers of Windows' own errors, which stand beside those of sockets.

use rustix::io::Errno;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_ALREADY_EXISTS, ERROR_FILE_NOT_FOUND, ERROR_NOT_ENOUGH_MEMORY,
    ERROR_TOO_MANY_OPEN_FILES, WIN32_ERROR,
};

const fn own(number: WIN32_ERROR) -> Errno {
    Errno::from_raw_os_error(number.cast_signed())
}

/// A connection is being made.
pub(in crate::transport) const CONNECTING: Errno = Errno::WOULDBLOCK;
/// It is there already.
pub(in crate::transport) const EXISTS: Errno = own(ERROR_ALREADY_EXISTS);
/// The other side reads no more.
#[cfg(test)]
pub(in crate::transport) const NOBODY_READS: Errno = Errno::CONNRESET;
/// There is no memory.
pub(in crate::transport) const NO_MEMORY: Errno = own(ERROR_NOT_ENOUGH_MEMORY);
/// There is no such thing.
pub(in crate::transport) const NOT_FOUND: Errno = own(ERROR_FILE_NOT_FOUND);
/// The system, and not only this process, has no more room for descriptors.
pub(in crate::transport) const NO_ROOM_IN_SYSTEM: Errno = own(ERROR_TOO_MANY_OPEN_FILES);
/// This user may not do it.
pub(in crate::transport) const NOT_PERMITTED: Errno = own(ERROR_ACCESS_DENIED);
