//! A connection over a Unix socket, where there are such sockets.
//!
//! The files:
//!
//! * `unix`: tokio's
//! * `windows`: none

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::{LocalStream, connect};
#[cfg(windows)]
pub(super) use windows::{LocalStream, connect};
