//! Where the system has its certificate authorities.
//!
//! The files:
//!
//! * `files`: in files
//! * `android`: Android: in files of its own
//! * `keychain`: macOS and Windows: in a store without a path

#[cfg(target_os = "android")]
mod android;
#[cfg(not(any(target_vendor = "apple", windows, target_os = "android")))]
mod files;
#[cfg(any(target_vendor = "apple", windows))]
mod keychain;

#[cfg(target_os = "android")]
pub(super) use android::{paths, stored};
#[cfg(not(any(target_vendor = "apple", windows, target_os = "android")))]
pub(super) use files::{paths, stored};
#[cfg(any(target_vendor = "apple", windows))]
pub(super) use keychain::{paths, stored};
