//! A descriptor that is readable when a process has ended.
//!
//! The files:
//!
//! * `pidfd`: Linux
//! * `none`: Android, where an app that asks for one is killed by the filter of older versions
//! * `kqueue`: macOS and the systems made from it

#[cfg(target_vendor = "apple")]
mod kqueue;
#[cfg(target_os = "android")]
mod none;
#[cfg(target_os = "linux")]
mod pidfd;

#[cfg(target_vendor = "apple")]
pub(super) use kqueue::of_end;
#[cfg(target_os = "android")]
pub(super) use none::of_end;
#[cfg(target_os = "linux")]
pub(super) use pidfd::of_end;
