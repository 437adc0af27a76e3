//! Where the system has its certificate authorities.
//!
//! The files:
//!
//! * `files`: in files
//! * `keychain`: macOS: in a store without a path

#[cfg(not(target_vendor = "apple"))]
mod files;
#[cfg(target_vendor = "apple")]
mod keychain;

#[cfg(not(target_vendor = "apple"))]
pub(super) use files::{paths, stored};
#[cfg(target_vendor = "apple")]
pub(super) use keychain::{paths, stored};
