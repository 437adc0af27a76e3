//! Programs in process groups of their own: the end of a group is the end of all that its program started, also where this process ends
//! at once.

use rustix::process::{Pid, Signal, kill_process_group};
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

/// The groups that are there.
static ALL: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// The group of a program. Its owner ends it before it reaps the program: until then no other one has its number.
#[derive(Debug)]
pub struct Group(Pid);

impl Group {
    /// Starts a program in a group of its own.
    pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Option<Group>)> {
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).map(Group);
        all().extend(group.as_ref().map(Group::pid));
        Ok((child, group))
    }

    pub fn pid(&self) -> Pid {
        self.0
    }

    pub fn signal(&self, signal: Signal) {
        // A group that has ended needs no signal.
        let _is_there = kill_process_group(self.0, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        all().retain(|pid| *pid != self.0);
    }
}

fn all() -> std::sync::MutexGuard<'static, Vec<Pid>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once: a person does not want to wait any more. What it started ends, too.
pub fn exit(code: u8) -> ! {
    for pid in all().iter() {
        // It may have ended.
        let _is_there = kill_process_group(*pid, Signal::KILL);
    }
    std::process::exit(code.into())
}
