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
//! * `watcher`: ends the servers of a host that was killed, where the kernel does not

#[cfg(any(target_os = "linux", target_os = "android"))]
mod child;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod descriptors;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod failure_page;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod fork;
mod prepared;
#[cfg(target_vendor = "apple")]
mod spawn;
#[cfg(any(target_vendor = "apple", test))]
mod watcher;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub use descriptors::keep_from_children;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use failure_page::FailurePage as StartReport;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use fork::launch;
pub(super) use prepared::{LaunchStep, Prepared};
#[cfg(target_vendor = "apple")]
pub use spawn::keep_from_children;
#[cfg(target_vendor = "apple")]
pub(super) use spawn::{StartReport, launch};
