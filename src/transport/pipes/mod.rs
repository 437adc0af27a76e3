//! What differs between systems when pipes, terminals and files are written and told apart.
//!
//! The files:
//!
//! * `linux`: Linux and Android
//! * `no_signal`: on Linux: writes that raise no signal
//! * `apple`: macOS and the systems made from it
//! * `windows`: Windows: each pipe has a socket here, and bytes are carried between the two
//! * `handle`: on Windows: `Handle`, and pipes as handles
//! * `carrier`: on Windows: `Carrier`: carries bytes of our own pipes, by overlapped operations
//! * `thread_carrier`: on Windows: carries bytes of handles that others opened, by a thread each
//! * `masked`: writing with `SIGPIPE` blocked, where a write cannot be told to raise none

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(windows)]
mod carrier;
#[cfg(windows)]
mod handle;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod masked;
#[cfg(target_os = "linux")]
mod no_signal;
#[cfg(all(windows, feature = "server"))]
mod thread_carrier;
#[cfg(windows)]
mod windows;

#[cfg(target_vendor = "apple")]
pub use apple::{enlarge, identity, keep_quiet, pair, unread, write_quietly};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::{enlarge, identity, keep_quiet, pair, unread};
// An app of Android that makes a system call which the filter does not know is killed, and `pwritev2` with this flag is new.
#[cfg(target_os = "android")]
pub use masked::write_masked as write_quietly;
#[cfg(target_os = "linux")]
pub use no_signal::write_quietly;

#[cfg(windows)]
pub use carrier::Carried;
#[cfg(windows)]
pub use handle::{Flow, Handle, last_error, wide};
#[cfg(all(windows, feature = "server"))]
pub use thread_carrier::{Written, carried_from, carried_to};
#[cfg(windows)]
pub use windows::{enlarge, keep_quiet, pair, unread, write_quietly};

/// What a descriptor leads to: device, number, and the device that it is, if it is one.
#[cfg(unix)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(u64, u64, u64);
