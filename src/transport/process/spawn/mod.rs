//! One server process: what to start, and what became of it.
//!
//! The files:
//!
//! * `command`: `Command`, `Spawned`, `SpawnError`: what to start, and what came of it
//! * `unix`: `Process` on Linux, Android and macOS: found in `PATH`, made ready, signalled, reaped
//! * `windows`: `Process` on Windows: found with `PATHEXT`, started in a job
//! * `explained`: on Windows: why it could not be started, in words
//! * `attributes`: on Windows: what a process gets besides its command line

#[cfg(windows)]
mod attributes;
mod command;
#[cfg(windows)]
mod explained;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use command::{Command, SpawnError};
#[cfg(unix)]
pub use unix::Process;
#[cfg(windows)]
pub use windows::{Process, keep_from_children};
