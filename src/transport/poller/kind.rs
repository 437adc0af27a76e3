//! Which descriptors a poller watches, told by their kind.

use rustix::fd::AsFd;
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use std::io::IsTerminal as _;

/// Whether a poller can watch a descriptor. Files and devices that are no terminals never make a reader or writer wait, and
/// are not watched.
///
/// # Errors
/// When the system does not say what it is.
pub fn is_watchable(fd: impl AsFd) -> Result<bool, Errno> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::RegularFile | FileType::BlockDevice | FileType::Directory => false,
        FileType::CharacterDevice => fd.as_fd().is_terminal(),
        _ => true,
    })
}
