//! The way to a server of this machine over a Unix socket.
//!
//! The files:
//!
//! * `unix`: where there are such sockets
//! * `windows`: where there are none

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::{at_once, reach};
#[cfg(windows)]
pub(super) use windows::{at_once, reach};
