//! A server as a child process: started without a shell, in a process group of its own, with an environment that is
//! written down; ended by signals, whose times `src/runtime/background/processes.rs` decides; reaped by us only.
//!
//! The files:
//!
//! * `spawn`: `Command`, `Process`: what to start, found in `PATH` and made ready; signals, reaping, and what became of it
//! * `launch`: from a prepared command to a running program
//! * `ended`: a descriptor that is readable when a process has ended
//! * `environment`: what a server sees of the environment
//! * `exit`: `Exit`: how a server ended, in words
//! * `thread`: threads of the library
//! * `signals`: the mask of signals of our threads
//! * `per_process`: `PerProcess`: state that starts again in a child of `fork`
//! * `fork_page`: a page of memory that the kernel zeroes in a child of `fork`
//! * `credentials`: which process is at the other end of a Unix socket
//! * `shims`: batch files on Windows

#[cfg(feature = "server")]
pub mod credentials;
#[cfg(unix)]
mod ended;
pub mod environment;
mod exit;
mod fork_page;
#[cfg(all(test, unix))]
pub mod forked;
#[cfg(unix)]
mod launch;
pub mod per_process;
#[cfg(any(windows, test))]
mod shims;
pub mod signals;
mod spawn;
pub mod thread;

pub use exit::Exit;
#[cfg(unix)]
pub use launch::keep_from_children;
#[cfg(windows)]
pub use spawn::keep_from_children;
pub use spawn::{Command, Process, SpawnError};
