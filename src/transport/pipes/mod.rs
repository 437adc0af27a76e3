//! What differs between systems when pipes, terminals and files are written and told apart.
//!
//! The files:
//!
//! * `linux`: Linux and Android
//! * `apple`: macOS and the systems made from it
//! * `masked`: writing with `SIGPIPE` blocked, where a write cannot be told to raise none

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod masked;

#[cfg(target_vendor = "apple")]
pub use apple::{enlarge, identity, keep_quiet, pair, unread, write_quietly};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::{enlarge, identity, keep_quiet, pair, unread, write_quietly};

/// What a descriptor leads to: device, number, and the device that it is, if it is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(u64, u64, u64);
