//! Programs in process groups of their own: the end of a group is the end of all that its program started, also where this process ends
//! at once.

use crate::session::is_interrupted;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a program that works is looked at, so that Ctrl-C is seen.
const LOOK: Duration = Duration::from_millis(20);
/// What is waited for the rest of its output, when all of its group has ended.
const DRAIN: Duration = Duration::from_secs(10);

/// The groups that are there.
struct Groups {
    pids: Vec<Pid>,
    /// This process ends: no other one comes.
    is_ending: bool,
}

static ALL: Mutex<Groups> = Mutex::new(Groups { pids: Vec::new(), is_ending: false });

/// The group of a program. Its owner ends it before it reaps the program: until then no other one has its number.
#[derive(Debug)]
pub struct Group(Pid);

impl Group {
    /// Starts a program in a group of its own.
    pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Option<Group>)> {
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock: no program is started that the end of this process does not know.
        let mut all = all();
        if all.is_ending {
            return Err(std::io::Error::other("this program ends, and starts no other one"));
        }
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).map(Group);
        all.pids.extend(group.as_ref().map(Group::pid));
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
        all().pids.retain(|pid| *pid != self.0);
    }
}

fn all() -> std::sync::MutexGuard<'static, Groups> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all groups, before the process ends: a thread may be at work with one.
pub fn end() {
    let mut all = all();
    all.is_ending = true;
    for pid in &all.pids {
        // It may have ended.
        let _is_there = kill_process_group(*pid, Signal::KILL);
    }
}

/// Ends the process at once: a person does not want to wait any more. What it started ends, too.
pub fn exit(code: u8) -> ! {
    end();
    std::process::exit(code.into())
}

/// Waits for the end of a program, or looks whether it has ended, and does not reap it: until then no other one has its number, nor that of
/// its group.
pub fn has_ended(child: &Child, waits: bool) -> std::io::Result<bool> {
    let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return Ok(true) };
    let hangs = if waits { WaitIdOptions::empty() } else { WaitIdOptions::NOHANG };
    loop {
        match waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | hangs) {
            Err(Errno::INTR) => {}
            status => return Ok(status?.is_some()),
        }
    }
}

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub time: Duration,
    /// Of its output.
    pub bytes: u64,
}

/// What a program writes, called `name` in an error. It has a group of its own, which ends with it: what it started is not left behind,
/// and keeps no output open.
pub fn output_of(
    command: &mut Command,
    name: &str,
    input: Option<String>,
    bounds: Bounds,
) -> Result<String, String> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let (mut child, group) = Group::spawn(command.stdin(stdin).stdout(Stdio::piped()))
        .map_err(|error| format!("cannot start '{name}': {error}"))?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // A program may end before it has read everything; that is its own affair.
        let _ends_with_the_pipe = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    let output = child.stdout.take();
    let (sender, receiver) = channel();
    let most = bounds.bytes;
    let _ends_with_the_pipe = std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.map(|output| output.take(most + 1).read_to_string(&mut text));
        // The wait for it has an end.
        let _is_awaited = sender.send(read.unwrap_or(Ok(0)).map(|_| text));
    });
    let ended = wait(&child, bounds.time);
    if let Some(group) = &group {
        group.signal(Signal::KILL);
    }
    let status = child.wait().map_err(|error| error.to_string());
    let ended = ended.and(status).and_then(|status| match status.success() {
        true => Ok(()),
        false => Err(status.to_string()),
    });
    let read = receiver.recv_timeout(DRAIN);
    // First: a program whose output is not read further often fails for that.
    if matches!(&read, Ok(Ok(text)) if text.len() as u64 > most) {
        return Err(format!("'{name}' wrote more than {most} bytes"));
    }
    ended.map_err(|why| format!("'{name}': {why}"))?;
    match read {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(_)) => Err(format!("the output of '{name}' is not UTF-8")),
        Err(_) => Err(format!("'{name}' has ended, and a program that it started keeps its output open")),
    }
}

/// Waits for the end of a program, which has a bound; Ctrl-C ends it, too. It is not reaped.
fn wait(child: &Child, limit: Duration) -> Result<(), String> {
    let begin = Instant::now();
    loop {
        if has_ended(child, false).map_err(|error| error.to_string())? {
            return Ok(());
        }
        if is_interrupted() || begin.elapsed() > limit {
            return Err(format!(
                "it was ended: it took more than {} s, or Ctrl-C was pressed",
                limit.as_secs()
            ));
        }
        std::thread::sleep(LOOK);
    }
}
