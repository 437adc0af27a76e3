//! Numbers of errors that not every system calls by the same name.
//!
//! The files:
//!
//! * `unix`: Linux, Android and macOS
//! * `windows`: Windows

#![allow(dead_code, reason = "not every build has every user of these")]

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(in crate::transport) use unix::*;
#[cfg(windows)]
pub(in crate::transport) use windows::*;
