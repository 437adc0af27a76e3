//! Where threads sleep until a number changes, and from where a signal handler may wake them.
//!
//! The files:
//!
//! * `futex`: `Parking` on Linux
//! * `places`: `Parking` by a wake for each thread that sleeps, where there is no futex, or the build asks for it

#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
mod futex;
#[cfg(any(not(target_os = "linux"), mcp_poll_backend, test))]
mod places;

#[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
pub use futex::Parking;
#[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
pub use places::Parking;
