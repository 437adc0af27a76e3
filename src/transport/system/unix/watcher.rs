//! Ends a server whose host was killed, where the kernel does not (Linux does, by `PR_SET_PDEATHSIG`): a shell waits for the end of a
//! pipe that only this process holds, and then asks the server's process group to end. It costs a process for each server.
//!
//! A child that the host made by forking, and that runs no other program, holds the pipe too: then the server ends with that child.

use crate::transport::system::io::{above_standard_streams, pair};
use crate::transport::system::process::{NotLaunched, PreparedCommand};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::ffi::CString;
use std::time::{Duration, Instant};

/// How long the end of a killed watcher is waited for.
const LAST_WAIT: Duration = Duration::from_millis(500);
/// How often it is looked at.
const LAST_LOOK: Duration = Duration::from_millis(2);

/// What the shell does; its first word is the number of the group. What it says goes nowhere.
const SCRIPT: &str = "read -r end; kill -TERM \"-$0\"";

/// The shell that waits for the end of this process.
#[derive(Debug)]
pub(crate) struct Watcher {
    pid: Pid,
    /// The only end that can be written: closed when this process ends, however it does. None only once it was closed.
    held: Option<OwnedFd>,
}

impl Watcher {
    /// Begins to watch. `start` makes a process with these streams.
    ///
    /// # Errors
    /// When no descriptor or process is left.
    pub(crate) fn of_group(
        group: Pid,
        start: impl FnOnce(&PreparedCommand, [&OwnedFd; 3]) -> Result<Pid, NotLaunched>,
    ) -> Result<Watcher, NotLaunched> {
        let failed = |errno: Errno| (None, errno.raw_os_error());
        let (read, held) = pair().map_err(failed)?;
        let null =
            rustix::fs::open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()).map_err(failed)?;
        // None of them may be 0, 1 or 2, which a host may have closed: the watcher gets its streams there.
        let (read, null) =
            (above_standard_streams(read).map_err(failed)?, above_standard_streams(null).map_err(failed)?);
        let words = ["/bin/sh", "-c", SCRIPT, &group.as_raw_pid().to_string()].map(CString::new);
        let words: Result<Vec<CString>, _> = words.into_iter().collect();
        let args = words.map_err(|_| failed(Errno::INVAL))?;
        let prepared = PreparedCommand {
            programs: args.iter().take(1).cloned().collect(),
            args,
            environment: Vec::new(),
            cwd: None,
        };
        let pid = start(&prepared, [&read, &null, &null])?;
        Ok(Watcher { pid, held: Some(held) })
    }
}

impl Drop for Watcher {
    /// The server is over: so is its watcher.
    fn drop(&mut self) {
        let until = Instant::now() + LAST_WAIT;
        // Fails only where the host has reaped it.
        let _reaped_by_the_host = kill_process(self.pid, Signal::KILL);
        while matches!(waitpid(Some(self.pid), WaitOptions::NOHANG), Ok(None) | Err(Errno::INTR))
            && Instant::now() < until
        {
            std::thread::sleep(LAST_LOOK);
        }
        // Not before: it would take that for the end of this process.
        drop(self.held.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal};
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command, Stdio};

    fn server() -> (Child, Pid) {
        let mut command = Command::new("/bin/sleep");
        let child = command.arg("60").process_group(0).stdin(Stdio::null()).spawn().expect("a process");
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number")).expect("not 0");
        (child, pid)
    }

    fn watched(group: Pid) -> Watcher {
        let start = |prepared: &_, streams: [&_; 3]| {
            crate::transport::system::process::launch(prepared, streams).map(|(pid, _)| pid)
        };
        Watcher::of_group(group, start).expect("a watcher")
    }

    #[test]
    fn a_server_is_asked_to_end_when_the_pipe_to_its_watcher_is_closed() {
        let (mut server, group) = server();
        let mut watcher = watched(group);
        // As the system does when the host is killed.
        drop(watcher.held.take());
        let status = server.wait().expect("its end");
        assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    }

    #[test]
    fn a_watcher_that_is_dropped_leaves_the_server_alone_and_no_process_behind() {
        let (mut server, group) = server();
        let watcher = watched(group);
        let pid = watcher.pid;
        drop(watcher);
        assert_eq!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH));
        assert_eq!(server.try_wait().expect("asked"), None);
        server.kill().expect("killed");
        server.wait().expect("its end");
    }
}
