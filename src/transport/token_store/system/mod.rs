//! Files that only their owner may read, and locks, as the system has them.
//!
//! The files:
//!
//! * `unix`: modes and `flock`
//! * `windows`: access lists and `LockFileEx`
//! * `access`: on Windows: whom a list lets in

#[cfg(windows)]
mod access;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::*;
#[cfg(windows)]
pub(super) use windows::*;
