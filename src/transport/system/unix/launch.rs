//! A command as the kernel takes it, and what may fail when it is started.

use std::ffi::CString;

/// A command as the kernel takes it.
#[derive(Debug)]
pub(crate) struct PreparedCommand {
    /// The files to try, in order.
    pub(crate) programs: Vec<CString>,
    pub(crate) args: Vec<CString>,
    pub(crate) environment: Vec<CString>,
    pub(crate) cwd: Option<CString>,
}

/// Which step of becoming the server failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaunchStep {
    /// Entering the directory.
    Directory = 1,
    /// Wiring up the pipes.
    Pipes = 2,
    /// Becoming the program.
    Program = 3,
    /// Making a process at all, on a system where no program may.
    #[cfg_attr(not(test), allow(dead_code, reason = "only some systems refuse that"))]
    System = 4,
}

/// Why no process could be made: the step that failed, where one did, and the system's error number.
pub(crate) type NotLaunched = (Option<LaunchStep>, i32);
