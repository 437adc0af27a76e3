//! The file of a Unix socket: only its owner may connect; one that a server left behind is replaced, that of a server that
//! still listens is not; and it is removed at the end, unless it belongs to another server by then.
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
pub(super) use unix::{SocketFile, listen_on, listen_on_abstract};
#[cfg(windows)]
pub(super) use windows::{SocketFile, listen_on, listen_on_abstract};
