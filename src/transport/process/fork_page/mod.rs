//! A page of memory that the kernel zeroes in every child of `fork`.
//!
//! The files:
//!
//! * `wiped`: Linux
//! * `none`: where the system has no such page

#[cfg(not(all(target_os = "linux", not(mcp_poll_backend))))]
mod none;
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
mod wiped;

#[cfg(not(all(target_os = "linux", not(mcp_poll_backend))))]
pub(super) use none::{unmap, wiped_on_fork};
#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
pub(super) use wiped::{unmap, wiped_on_fork};
