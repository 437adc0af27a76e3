//! What differs between systems when sockets are made and used.
//!
//! The files:
//!
//! * `linux`: Linux and Android
//! * `apple`: macOS and the systems made from it

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;

#[cfg(target_vendor = "apple")]
pub(in crate::transport) use apple::*;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in crate::transport) use linux::*;
