//! Starting a program on macOS with `posix_spawn`: the kernel closes what the host has open (`POSIX_SPAWN_CLOEXEC_DEFAULT`), runs no
//! handler of the host, and says at once whether the program could be started.

#![allow(unsafe_code)]

use crate::transport::system::process::{LaunchStep, NotLaunched, PreparedCommand};
use crate::transport::system::unix::watcher::Watcher;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Access, FileType};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};
use std::ffi::{CString, c_char, c_int};
use std::mem::MaybeUninit;
use std::ptr;

/// What is known of the start: all of it, already.
#[derive(Debug)]
pub(crate) struct StartReport {
    _watcher: Watcher,
}

impl StartReport {
    /// The program did start.
    pub(crate) fn read(&self) -> Option<(LaunchStep, i32)> {
        None
    }
}

/// Starts the program with these descriptors as its standard streams, in a process group of its own.
///
/// # Errors
/// What could not be done.
pub(crate) fn launch(
    prepared: &PreparedCommand,
    streams: [&OwnedFd; 3],
) -> Result<(Pid, StartReport), NotLaunched> {
    if let Some(cwd) = &prepared.cwd {
        enter(cwd).map_err(|errno| (Some(LaunchStep::Directory), errno.raw_os_error()))?;
    }
    let pid = start(prepared, streams)?;
    match Watcher::of_group(pid, start) {
        Ok(watcher) => Ok((pid, StartReport { _watcher: watcher })),
        Err(why) => {
            // Nothing would end it if this process were killed. It has done nothing yet that could hold up its end.
            let _ended_already = rustix::process::kill_process_group(pid, Signal::KILL);
            let _reaped_by_the_host = rustix::process::waitpid(Some(pid), WaitOptions::empty());
            Err(why)
        }
    }
}

/// Marks every descriptor of this process above the standard streams close-on-exec, for a program that is about to start another
/// one that must not have them.
pub fn keep_from_children() {
    const FIRST: c_int = 3;
    let names = std::fs::read_dir("/dev/fd").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let numbers: Vec<c_int> = names.filter_map(|name| name.to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number >= FIRST) {
        // SAFETY: the call takes numbers only; for one that is not open any more it fails.
        unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Whether a folder can be entered: `posix_spawn` does not say which of its steps failed.
fn enter(cwd: &CString) -> Result<(), Errno> {
    if FileType::from_raw_mode(rustix::fs::stat(cwd.as_c_str())?.st_mode) != FileType::Directory {
        return Err(Errno::NOTDIR);
    }
    rustix::fs::access(cwd.as_c_str(), Access::EXEC_OK)
}

/// Becomes the first of the programs that can be started.
fn start(prepared: &PreparedCommand, streams: [&OwnedFd; 3]) -> Result<Pid, NotLaunched> {
    let made = |errno: c_int| (None, errno);
    let wired = |errno: c_int| (Some(LaunchStep::Pipes), errno);
    let actions = SpawnActions::new(prepared, streams).map_err(wired)?;
    let attributes = SpawnAttributes::new().map_err(made)?;
    let args = pointers(&prepared.args);
    let environment = pointers(&prepared.environment);
    let mut worst = libc::ENOENT;
    for program in &prepared.programs {
        let mut pid = 0;
        // SAFETY: all strings and both objects live until the end of the call, and the lists of strings end with NULL.
        let outcome = unsafe {
            libc::posix_spawn(
                &raw mut pid,
                program.as_ptr(),
                &raw const actions.0,
                &raw const attributes.0,
                args.as_ptr(),
                environment.as_ptr(),
            )
        };
        match outcome {
            0 => return Pid::from_raw(pid).ok_or((None, libc::ECHILD)),
            libc::ENOENT | libc::ENOTDIR | libc::ELOOP | libc::ENAMETOOLONG => {}
            // Found, but not to be run: worth telling, unless a later folder has one that is.
            libc::EACCES => worst = libc::EACCES,
            // No process can be made: no matter of the program.
            libc::EAGAIN | libc::ENOMEM => return Err((None, outcome)),
            other => {
                worst = other;
                break;
            }
        }
    }
    Err((Some(LaunchStep::Program), worst))
}

fn pointers(strings: &[CString]) -> Vec<*mut c_char> {
    strings.iter().map(|string| string.as_ptr().cast_mut()).chain([ptr::null_mut()]).collect()
}

fn done(outcome: c_int) -> Result<(), c_int> {
    if outcome == 0 { Ok(()) } else { Err(outcome) }
}

/// What the kernel does in the new process before the program runs.
struct SpawnActions(libc::posix_spawn_file_actions_t);

impl SpawnActions {
    fn new(prepared: &PreparedCommand, streams: [&OwnedFd; 3]) -> Result<SpawnActions, c_int> {
        let mut actions = MaybeUninit::uninit();
        // SAFETY: the call initialises what it is given.
        done(unsafe { libc::posix_spawn_file_actions_init(actions.as_mut_ptr()) })?;
        // SAFETY: as it did. From here on it is destroyed when it is dropped.
        let mut actions = SpawnActions(unsafe { actions.assume_init() });
        for (target, stream) in (0..).zip(streams) {
            // All of them are above 2, so none overwrites another.
            // SAFETY: the object is live; the numbers are looked at when the process is made, and the caller keeps them open.
            done(unsafe {
                libc::posix_spawn_file_actions_adddup2(&raw mut actions.0, stream.as_raw_fd(), target)
            })?;
        }
        if let Some(cwd) = &prepared.cwd {
            // SAFETY: the object is live, and the path is copied.
            done(unsafe { libc::posix_spawn_file_actions_addchdir_np(&raw mut actions.0, cwd.as_ptr()) })?;
        }
        Ok(actions)
    }
}

impl Drop for SpawnActions {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and is not used any more.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

/// What is different from this process: signals, the process group, and that nothing is inherited that no action names.
struct SpawnAttributes(libc::posix_spawnattr_t);

impl SpawnAttributes {
    fn new() -> Result<SpawnAttributes, c_int> {
        const FLAGS: c_int = libc::POSIX_SPAWN_CLOEXEC_DEFAULT
            | libc::POSIX_SPAWN_SETPGROUP
            | libc::POSIX_SPAWN_SETSIGDEF
            | libc::POSIX_SPAWN_SETSIGMASK;
        let flags = libc::c_short::try_from(FLAGS).map_err(|_| libc::EINVAL)?;
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: the call initialises what it is given.
        done(unsafe { libc::posix_spawnattr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: as it did. From here on it is destroyed when it is dropped.
        let mut attributes = SpawnAttributes(unsafe { attributes.assume_init() });
        let (mut every, mut none) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the object is live; the sets are initialised before they are read, and copied.
        unsafe {
            libc::sigfillset(every.as_mut_ptr());
            libc::sigemptyset(none.as_mut_ptr());
            done(libc::posix_spawnattr_setsigdefault(&raw mut attributes.0, every.as_ptr()))?;
            done(libc::posix_spawnattr_setsigmask(&raw mut attributes.0, none.as_ptr()))?;
            done(libc::posix_spawnattr_setpgroup(&raw mut attributes.0, 0))?;
            done(libc::posix_spawnattr_setflags(&raw mut attributes.0, flags))?;
        }
        Ok(attributes)
    }
}

impl Drop for SpawnAttributes {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and is not used any more.
        unsafe { libc::posix_spawnattr_destroy(&raw mut self.0) };
    }
}
