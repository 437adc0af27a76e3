//! Starting, watching, signalling and reaping one server process.

#![allow(unsafe_code)]

use super::environment::{Inherit, merged};
use super::exit::Exit;
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use std::io::{Error, ErrorKind};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Stdio};

/// What to start.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program: a path, or a name to find in `PATH`.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables over the inherited ones.
    pub env: Vec<(String, String)>,
    /// Where it runs; the host's working directory if not given.
    pub cwd: Option<PathBuf>,
    /// What it sees of the host's environment.
    pub inherit: Inherit,
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
pub struct Spawned {
    /// The process.
    pub process: Process,
    /// Goes to its standard input.
    pub stdin: OwnedFd,
    /// Comes from its standard output.
    pub stdout: OwnedFd,
    /// Comes from its standard error.
    pub stderr: OwnedFd,
}

/// A server process and everything in its process group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    /// Readable when the process has ended; `None` where the kernel has no such thing.
    pidfd: Option<OwnedFd>,
    exit: Option<Exit>,
}

impl Command {
    /// Starts the process.
    ///
    /// # Errors
    /// What could not be had: the program, the directory, descriptors, processes.
    pub fn spawn(&self) -> Result<Spawned, SpawnError> {
        let mut command = std::process::Command::new(&self.program);
        command
            .args(&self.args)
            .env_clear()
            .envs(merged(self.inherit, &self.env, std::env::vars_os()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C in the host's terminal does not reach it, and the whole tree can be ended.
            .process_group(0);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        prepare(&mut command);
        let mut child = command.spawn().map_err(|error| self.explain(&error))?;
        let pid = Pid::from_child(&child);
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(SpawnError { message: "the process has no pipes".to_owned(), errno: None });
        };
        let process = Process {
            pidfd: rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok(),
            pid,
            child,
            exit: None,
        };
        let spawned = Spawned { process, stdin: stdin.into(), stdout: stdout.into(), stderr: stderr.into() };
        for fd in [&spawned.stdin, &spawned.stdout, &spawned.stderr] {
            // Each end has a file description of its own, so the server's ends stay blocking.
            if let Err(errno) = rustix::io::ioctl_fionbio(fd, true) {
                return Err(SpawnError {
                    message: format!("cannot make a pipe to '{}' non-blocking: {errno}", self.program),
                    errno: Some(errno.raw_os_error()),
                });
            }
        }
        Ok(spawned)
    }

    fn explain(&self, error: &Error) -> SpawnError {
        let program = &self.program;
        let message = match (error.kind(), error.raw_os_error()) {
            (ErrorKind::NotFound, _) if self.cwd.as_ref().is_some_and(|cwd| !cwd.is_dir()) => {
                let cwd = self.cwd.as_ref().map(|cwd| cwd.display().to_string()).unwrap_or_default();
                format!("cannot start '{program}': the directory '{cwd}' (cwd) does not exist")
            }
            (ErrorKind::NotFound, _) if program.contains('/') => {
                format!(
                    "cannot start '{program}': there is no such file, or the interpreter it names is missing"
                )
            }
            (ErrorKind::NotFound, _) => format!(
                "cannot start '{program}': it is in no directory of PATH; install it, give its full path as 'command', or \
                 set PATH in 'env'"
            ),
            (ErrorKind::PermissionDenied, _) => {
                format!("cannot start '{program}': permission denied; is it executable (chmod +x)?")
            }
            (_, Some(libc::EMFILE | libc::ENFILE)) => {
                format!("cannot start '{program}': no file descriptors are left ({error})")
            }
            (_, Some(libc::EAGAIN)) => {
                format!("cannot start '{program}': no process can be made now ({error})")
            }
            (_, Some(libc::E2BIG)) => {
                format!("cannot start '{program}': its arguments and environment are too long ({error})")
            }
            (_, Some(libc::ENOEXEC)) => {
                format!("cannot start '{program}': it is no program (a script needs a #! line)")
            }
            _ => format!("cannot start '{program}': {error}"),
        };
        SpawnError { message, errno: error.raw_os_error() }
    }
}

/// What happens in the child before it becomes the server.
///
/// It is started by a thread that blocks every signal, and the server must not inherit that. On Linux the kernel is asked to
/// end the server when the thread that started it ends without having closed it, which is when the host dies: a server that
/// ignores the end of its input would otherwise live on.
fn prepare(command: &mut std::process::Command) {
    // SAFETY: between fork and exec only `sigemptyset`, `pthread_sigmask` and `prctl` run, which are async-signal-safe and
    // touch only the child's own stack.
    unsafe {
        command.pre_exec(|| {
            let mut none = std::mem::MaybeUninit::uninit();
            libc::sigemptyset(none.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
            #[cfg(target_os = "linux")]
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
}

impl Process {
    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Readable when the process has ended.
    pub fn pidfd(&self) -> Option<&OwnedFd> {
        self.pidfd.as_ref()
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
            // Not yet reaped, so the number still names our group. It fails only when nobody is left in it.
            let _nobody_left = rustix::process::kill_process_group(self.pid, signal);
        }
    }

    /// How the process ended, once it has. What is left of its group is killed before the number is given back.
    pub fn try_reap(&mut self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(self.pid), options) {
            Ok(None) | Err(rustix::io::Errno::INTR) => return None,
            // Either it ended, or the host ignores SIGCHLD or reaped it itself: then it is gone as well.
            Ok(Some(_)) | Err(_) => {}
        }
        self.kill();
        let exit = match self.child.try_wait() {
            Ok(Some(status)) => Exit { code: status.code(), signal: status.signal() },
            Ok(None) | Err(_) => Exit::default(),
        };
        self.exit = Some(exit);
        self.exit
    }
}

impl Drop for Process {
    /// The last resort: a process that was not ended by the ladder is killed, and reaped here.
    fn drop(&mut self) {
        if self.try_reap().is_none() {
            self.kill();
            // After SIGKILL this wait ends at once, unless the process hangs inside the kernel.
            let _already_gone = self.child.wait();
        }
    }
}
