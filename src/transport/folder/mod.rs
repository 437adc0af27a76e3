//! Files below a folder, and no others: names come from clients.
//!
//! Each part of a name is opened from the descriptor of the folder before it, and no symbolic link is followed, so that a name
//! leads nowhere else, also while files are renamed. What is no regular file is not opened.
//!
//! The files:
//!
//! * `entry`: `Listed`, `Found`, `Unread`: what is found; which names may be used
//! * `unix`: `Folder` on Linux, Android and macOS
//! * `windows`: `Folder` on Windows

mod entry;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use entry::{Found, Listed, Unread};
#[cfg(unix)]
pub(crate) use unix::Folder;
#[cfg(windows)]
pub(crate) use windows::Folder;
