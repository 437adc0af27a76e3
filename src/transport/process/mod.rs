//! A server as a child process: started without a shell, in a process group of its own, with an environment that is
//! written down; ended by a ladder of bounded steps; reaped by us only.

mod child;
#[cfg(feature = "server")]
#[allow(dead_code, reason = "the runtime of a server follows")]
pub mod credentials;
mod descriptors;
pub mod environment;
mod exit;
mod failure_page;
#[cfg(test)]
pub mod forked;
mod launch;
pub mod per_process;
#[cfg(any(windows, test))]
mod shims;
pub mod signals;
mod spawn;

pub use exit::Exit;
pub use spawn::{Command, Process, SpawnError};
