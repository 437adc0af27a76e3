//! iOS and the systems like it: the kernel lets no app start a process, so that a server is reached by HTTP, by a socket, or in the same
//! process.

use crate::transport::system::process::{LaunchStep, NotLaunched, PreparedCommand};
use rustix::fd::OwnedFd;
use rustix::process::Pid;
use std::convert::Infallible;

/// What a started process reports. No process is started, so that no value of it exists.
#[derive(Debug)]
pub(crate) struct StartReport(Infallible);

impl StartReport {
    /// There is nothing to read.
    pub(crate) fn read(&self) -> Option<(LaunchStep, i32)> {
        match self.0 {}
    }
}

/// Starts nothing.
///
/// # Errors
/// Always.
pub(crate) fn launch(
    _prepared: &PreparedCommand,
    _streams: [&OwnedFd; 3],
) -> Result<(Pid, StartReport), NotLaunched> {
    Err((Some(LaunchStep::System), libc::EPERM))
}

/// There are no children here that could inherit a descriptor.
pub fn keep_from_children() {}
