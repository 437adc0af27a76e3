//! What to start, and what came of it.

use rustix::fd::OwnedFd;
use std::ffi::OsString;
use std::path::PathBuf;

/// What to start.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program: a path, or a name to find in `PATH`.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; the host's working directory if not given.
    pub cwd: Option<PathBuf>,
    /// Its whole environment. Taken when the client was made, on the thread that made it: a host may change its environment
    /// at any other time, and reading it then would be a race that crashes.
    pub environment: Vec<(OsString, OsString)>,
}

/// Why a process could not be started, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpawnError {
    /// What went wrong, in a sentence.
    pub message: String,
    /// The system's error number.
    pub errno: Option<i32>,
}

/// A started process with our ends of its pipes, which are close-on-exec and non-blocking.
#[derive(Debug)]
pub struct Spawned<Process> {
    /// The process.
    pub process: Process,
    /// Goes to its standard input.
    pub stdin: OwnedFd,
    /// Comes from its standard output.
    pub stdout: OwnedFd,
    /// Comes from its standard error.
    pub stderr: OwnedFd,
}
