//! The few operating system calls that std does not have. All `unsafe` of this program is here.

#[cfg(unix)]
pub use unix::{close_stdout, die_of, ids, ignore_term, in_new_session};

#[cfg(unix)]
mod unix {
    use std::os::fd::AsRawFd;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    /// Dies of a signal, as a crash does.
    pub fn die_of(signal: i32) -> ! {
        // SAFETY: both calls take plain numbers; a signal number that does not exist is refused by the kernel.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
        // Only a signal whose default is to go on comes here.
        crate::wait_for_ever()
    }

    pub fn ignore_term() {
        // SAFETY: SIG_IGN installs no handler, so no code of ours ever runs in signal context.
        unsafe {
            libc::signal(libc::SIGTERM, libc::SIG_IGN);
        }
    }

    /// Lets a process start in a session, and so in a process group, of its own.
    pub fn in_new_session(command: &mut Command) {
        // SAFETY: the closure runs between fork and exec, where only async-signal-safe calls are allowed; setsid is one.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
    }

    /// Own pid, parent, process group, session.
    pub fn ids() -> [i64; 4] {
        // SAFETY: these calls only read numbers of the calling process.
        unsafe { [libc::getpid(), libc::getppid(), libc::getpgid(0), libc::getsid(0)].map(i64::from) }
    }

    /// Closes the pipe behind descriptor 1. `/dev/null` takes its place, so that no file opened later becomes stdout.
    pub fn close_stdout() {
        let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") else { return };
        // SAFETY: both descriptors are open, and nothing in this program owns descriptor 1 as a value.
        unsafe {
            libc::dup2(null.as_raw_fd(), 1);
        }
    }
}

#[cfg(not(unix))]
pub use elsewhere::{close_stdout, die_of, ids, ignore_term, in_new_session};

#[cfg(not(unix))]
mod elsewhere {
    pub fn die_of(_signal: i32) -> ! {
        refuse()
    }

    pub fn ignore_term() {
        refuse()
    }

    pub fn in_new_session(_command: &mut std::process::Command) {
        refuse()
    }

    pub fn ids() -> [i64; 4] {
        refuse()
    }

    pub fn close_stdout() {
        refuse()
    }

    fn refuse() -> ! {
        crate::say("mcp-scripted-server: this behaviour exists on Unix only");
        std::process::exit(crate::USAGE_ERROR)
    }
}
