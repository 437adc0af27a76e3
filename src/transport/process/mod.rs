//! A server as a child process: started without a shell, in a process group of its own, with an environment that is
//! written down; ended by a ladder of bounded steps; reaped by us and nobody else.

mod child;
mod descriptors;
pub mod environment;
mod exit;
mod failure_page;
mod launch;
pub mod per_process;
#[cfg(any(windows, test))]
mod shims;
pub mod signals;
mod spawn;

pub use exit::Exit;
pub use spawn::{Command, Process, SpawnError};
