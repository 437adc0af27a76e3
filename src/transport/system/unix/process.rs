//! A server as a process of Linux, Android or macOS.

use crate::transport::process::{Command, Exit, SpawnError, Spawned};
use crate::transport::system::io::{above_standard_streams, pair};
use crate::transport::system::process::{LaunchStep, PreparedCommand, StartReport, exit_descriptor, launch};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use std::ffi::CString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::{Duration, Instant};

/// A server process and everything in its process group.
#[derive(Debug)]
pub struct Process {
    pid: Pid,
    /// Readable when the process has ended; `None` where the kernel has no such thing.
    end: Option<OwnedFd>,
    report: StartReport,
    exit: Option<Exit>,
}

/// How long the last resort waits for a killed process.
const LAST_WAIT: Duration = Duration::from_millis(500);
/// How often it looks.
const LAST_LOOK: Duration = Duration::from_millis(2);

impl Command {
    /// Starts the process. Whether its program could be found and run is known only when it ends: see
    /// [`Process::start_failure`].
    ///
    /// # Errors
    /// What could not be had: descriptors, processes.
    pub fn spawn(&self) -> Result<Spawned<Process>, SpawnError> {
        let failed = |errno: Errno| self.explain(None, errno.raw_os_error());
        let (stdin, to_stdin) = pipe_above_the_streams().map_err(failed)?;
        let (from_stdout, stdout) = pipe_above_the_streams().map_err(failed)?;
        let (from_stderr, stderr) = pipe_above_the_streams().map_err(failed)?;
        for ours in [&to_stdin, &from_stdout, &from_stderr] {
            // Each end has a file description of its own, so the server's ends stay blocking.
            rustix::io::ioctl_fionbio(ours, true).map_err(failed)?;
        }
        let (pid, report) = launch(&self.prepare()?, [&stdin, &stdout, &stderr])
            .map_err(|(step, errno)| self.explain(step, errno))?;
        let process = Process { pid, end: exit_descriptor(pid), report, exit: None };
        Ok(Spawned { process, stdin: to_stdin, stdout: from_stdout, stderr: from_stderr })
    }

    fn prepare(&self) -> Result<PreparedCommand, SpawnError> {
        let string = |bytes: Vec<u8>| {
            CString::new(bytes).map_err(|_| SpawnError {
                message: format!("cannot start '{}': a string for it contains a NUL character", self.program),
                errno: None,
            })
        };
        let mut args = vec![string(self.program.clone().into_bytes())?];
        for arg in &self.args {
            args.push(string(arg.clone().into_bytes())?);
        }
        let mut environment = Vec::with_capacity(self.environment.len());
        for (name, value) in &self.environment {
            environment.push(string([name.as_bytes(), b"=", value.as_bytes()].concat())?);
        }
        let mut programs = Vec::new();
        for program in self.candidates() {
            programs.push(string(program)?);
        }
        let cwd = match &self.cwd {
            Some(cwd) => Some(string(cwd.clone().into_os_string().into_vec())?),
            None => None,
        };
        Ok(PreparedCommand { programs, args, environment, cwd })
    }

    /// The files that the program's name may mean: itself if it is a path, else one in each folder of the server's `PATH`.
    fn candidates(&self) -> Vec<Vec<u8>> {
        const FALLBACK: &[u8] = b"/usr/local/bin:/usr/bin:/bin";
        if self.program.contains('/') {
            return vec![self.program.clone().into_bytes()];
        }
        let path =
            self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_bytes());
        path.unwrap_or(FALLBACK)
            .split(|byte| *byte == b':')
            .map(|folder| if folder.is_empty() { b"." } else { folder })
            .map(|folder| [folder, b"/", self.program.as_bytes()].concat())
            .collect()
    }

    fn explain(&self, step: Option<LaunchStep>, errno: i32) -> SpawnError {
        let program = &self.program;
        let error = std::io::Error::from_raw_os_error(errno);
        let message = match (step, errno) {
            (Some(LaunchStep::System), _) => format!(
                "cannot start '{program}': this system lets no app start a program; reach the server by 'url' or 'socket', or have it in \
                 this process"
            ),
            (Some(LaunchStep::Directory), libc::ENOENT) => {
                format!("cannot start '{program}': the directory '{}' (cwd) does not exist", self.shown_cwd())
            }
            (Some(LaunchStep::Directory), _) => {
                format!(
                    "cannot start '{program}': the directory '{}' (cwd) cannot be entered: {error}",
                    self.shown_cwd()
                )
            }
            (_, libc::ENOENT) if program.starts_with("~/") => {
                format!("cannot start '{program}': '~' is not expanded; write the whole path")
            }
            (_, libc::ENOENT) if program.contains('/') => {
                format!(
                    "cannot start '{program}': there is no such file, or the interpreter it names is missing"
                )
            }
            (_, libc::ENOENT) if program.contains(' ') && !program.contains('/') => format!(
                "cannot start '{program}': there is no program of this name; give the program alone as 'command' and the \
                 words behind it as 'args'"
            ),
            (_, libc::ENOENT) => format!(
                "cannot start '{program}': it is in no directory of PATH; install it, give its full path as 'command', or \
                 set PATH in 'env'"
            ),
            (_, libc::EACCES) => {
                format!("cannot start '{program}': permission denied; is it executable (chmod +x)?")
            }
            (_, libc::EMFILE | libc::ENFILE) => {
                format!("cannot start '{program}': no file descriptors are left ({error})")
            }
            (None, libc::EAGAIN | libc::ENOMEM) => {
                format!("cannot start '{program}': no process can be made now ({error})")
            }
            (_, libc::E2BIG) => {
                format!("cannot start '{program}': its arguments and environment are too long ({error})")
            }
            (_, libc::ENOEXEC) => {
                format!("cannot start '{program}': it is not a program (a script needs a #! line)")
            }
            _ => format!("cannot start '{program}': {error}"),
        };
        SpawnError { message, errno: Some(errno) }
    }

    fn shown_cwd(&self) -> String {
        self.cwd.as_ref().map(|cwd| cwd.display().to_string()).unwrap_or_default()
    }
}

/// A close-on-exec pipe none of whose ends is 0, 1 or 2, which a host may have closed: the server gets its streams there.
fn pipe_above_the_streams() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (reader, writer) = pair()?;
    Ok((above_standard_streams(reader)?, above_standard_streams(writer)?))
}

impl Process {
    /// The process id.
    pub fn pid(&self) -> u32 {
        u32::try_from(self.pid.as_raw_pid()).unwrap_or(0)
    }

    /// Readable when the process has ended.
    pub fn end(&self) -> Option<&OwnedFd> {
        self.end.as_ref()
    }

    /// Why the process never became `command`'s program, if so. Known once it has ended.
    pub fn start_failure(&self, command: &Command) -> Option<SpawnError> {
        let (step, errno) = self.report.read()?;
        Some(command.explain(Some(step), errno))
    }

    /// Asks everything in the group to end.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends everything in the group.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if self.exit.is_none() {
            // Not yet reaped, so the number still names our group. It fails only when no process is left in it.
            let _group_is_empty = rustix::process::kill_process_group(self.pid, signal);
            // The server itself may have gone to another group.
            let _ended_already = rustix::process::kill_process(self.pid, signal);
        }
    }

    /// How the process ended, once it has. What is left of its group is killed before the number is given back.
    pub fn try_reap(&mut self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit;
        }
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let exit = match rustix::process::waitid(WaitId::Pid(self.pid), look) {
            Ok(None) | Err(Errno::INTR) => return None,
            Ok(Some(_)) => {
                self.kill();
                match retry_on_intr(|| rustix::process::waitpid(Some(self.pid), WaitOptions::NOHANG)) {
                    Ok(Some((_, status))) => {
                        Exit { code: status.exit_status(), signal: status.terminating_signal() }
                    }
                    Ok(None) | Err(_) => Exit::default(),
                }
            }
            // The host ignores SIGCHLD or reaped it itself. While members of the group live its number is theirs; once the
            // group is empty the number is free again, so only a group that still is there may be signalled.
            Err(_) => {
                self.kill_what_is_left();
                Exit::default()
            }
        };
        self.exit = Some(exit);
        self.exit
    }

    /// Kills the group of a leader that another part of the host reaped, unless its number names another process by now: then it
    /// would be the leader of a group, alive, with that number as its process id.
    fn kill_what_is_left(&self) {
        if rustix::process::test_kill_process(self.pid) == Err(Errno::SRCH) {
            self.kill();
        }
    }
}

impl Drop for Process {
    /// The last resort: a process that was not ended by the ladder is killed, and reaped here. One that not even the kill
    /// ends (held by a debugger, or inside the kernel) is given up rather than waited for.
    fn drop(&mut self) {
        let until = Instant::now() + LAST_WAIT;
        self.kill();
        while self.try_reap().is_none() && Instant::now() < until {
            std::thread::sleep(LAST_LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_program_may_be_started_the_error_names_the_other_ways() {
        let command = Command { program: "server".to_owned(), ..Command::default() };
        let told = command.explain(Some(LaunchStep::System), libc::EPERM);
        for word in ["'server'", "'url'", "'socket'", "this process"] {
            assert!(told.message.contains(word), "{}", told.message);
        }
        assert_eq!(told.errno, Some(libc::EPERM));
    }
}
