//! From a prepared command to a running program.
//!
//! The files:
//!
//! * `prepared`: `Prepared`, `LaunchStep`: what is started, and what may fail
//! * `fork`: Linux and Android: blocks signals, forks
//! * `child`: what the child does between fork and exec: resets signals, plain system calls
//! * `failure_page`: `FailurePage`: where a child says why it did not become the server
//! * `descriptors`: keeps the host's descriptors out of a server
//! * `spawn`: macOS: `posix_spawn`
//! * `refused`: iOS and the systems like it, where no program starts another one
//! * `watcher`: ends the servers of a host that was killed, where the kernel does not

#[cfg(any(target_os = "linux", target_os = "android"))]
mod child;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod descriptors;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod failure_page;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod fork;
#[cfg_attr(
    all(target_vendor = "apple", not(target_os = "macos")),
    allow(dead_code, reason = "nothing is started there")
)]
mod prepared;
#[cfg(all(target_vendor = "apple", not(target_os = "macos")))]
mod refused;
#[cfg(target_os = "macos")]
mod spawn;
#[cfg(any(target_os = "macos", test))]
mod watcher;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub use descriptors::keep_from_children;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use failure_page::FailurePage as StartReport;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use fork::launch;
pub(super) use prepared::{LaunchStep, Prepared};
#[cfg(all(target_vendor = "apple", not(target_os = "macos")))]
pub use refused::keep_from_children;
#[cfg(all(target_vendor = "apple", not(target_os = "macos")))]
pub(super) use refused::{StartReport, launch};
#[cfg(target_os = "macos")]
pub use spawn::keep_from_children;
#[cfg(target_os = "macos")]
pub(super) use spawn::{StartReport, launch};

/// Whether a system call that is new may be tried: the filter of older versions of Android kills an app that makes one.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NEW_CALLS_MAY_BE_TRIED: bool = cfg!(target_os = "linux");
