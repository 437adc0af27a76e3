//! What differs between systems when sockets are made and used.
//!
//! The files:
//!
//! * `linux`: Linux and Android
//! * `apple`: macOS and the systems made from it
//! * `unix`: what these two have in common
//! * `windows`: Windows

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_vendor = "apple")]
pub(in crate::transport) use apple::*;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in crate::transport) use linux::*;
#[cfg(unix)]
pub(in crate::transport) use unix::*;
#[cfg(windows)]
pub(in crate::transport) use windows::*;
