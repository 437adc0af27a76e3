//! A descriptor that is readable when a process has ended.
//!
//! The files:
//!
//! * `pidfd`: Linux and Android
//! * `kqueue`: macOS and the systems made from it

#[cfg(target_vendor = "apple")]
mod kqueue;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod pidfd;

#[cfg(target_vendor = "apple")]
pub(super) use kqueue::of_end;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use pidfd::of_end;
