//! Where the system has its certificate authorities.
//!
//! The files:
//!
//! * `files`: in files
//! * `keychain`: macOS and Windows: in a store without a path

#[cfg(not(any(target_vendor = "apple", windows)))]
mod files;
#[cfg(any(target_vendor = "apple", windows))]
mod keychain;

#[cfg(not(any(target_vendor = "apple", windows)))]
pub(super) use files::{paths, stored};
#[cfg(any(target_vendor = "apple", windows))]
pub(super) use keychain::{paths, stored};
