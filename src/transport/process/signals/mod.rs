//! The few lines that keep signals where they belong: all of the host's off our threads.
//!
//! The host's dispositions are never touched, only the mask of the calling thread. What keeps `SIGPIPE` off a thread that writes is in
//! `src/transport/pipes`.
//!
//! The files:
//!
//! * `unix`: masks of signals
//! * `windows`: where there are none; the library stays loaded there

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::with_all_blocked;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in crate::transport) use unix::{change_mask, one_signal};
#[cfg(windows)]
pub use windows::with_all_blocked;
