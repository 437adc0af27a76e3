//! The program of `mcp run` as a process: its start, and its end by itself or by this process.

use crate::failure::Failure;
use crate::listen::STOP;
use mcp::client::Queue;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What the program has to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);
/// Shells give the end by a signal as the exit code 128 and the number of the signal.
const BY_SIGNAL: i32 = 128;

/// How the program ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code.
    Itself(u8),
    /// Because this process ended it.
    Killed,
}

/// The program, which runs or has ended.
#[derive(Debug)]
pub struct Running {
    child: Child,
    /// Hears of its end.
    ended: Receiver<()>,
}

impl Running {
    /// Starts it. Its end ends the relay, too.
    pub fn start(mut command: Command, name: &str, queue: &Arc<Queue>) -> Result<Running, Failure> {
        let mut child = command
            .spawn()
            .map_err(|error| Failure::machine(format!("cannot start the program {name}: {error}")))?;
        let (sender, ended) = channel();
        let pid = Pid::from_child(&child);
        let queue = Arc::clone(queue);
        let watch = move || {
            // It is reaped later: until then no other process has its number.
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), how), Err(rustix::io::Errno::INTR)) {}
            // The thread that relays may have ended for another reason.
            let _is_heard = sender.send(());
            STOP.store(true, Ordering::Relaxed);
            queue.wake();
        };
        if let Err(error) = std::thread::Builder::new().name("mcp-run-exit".to_owned()).spawn(watch) {
            // It may have ended.
            let _is_killed = child.kill();
            let _status = child.wait();
            return Err(Failure::machine(format!("no thread is left to watch the program {name}: {error}")));
        }
        Ok(Running { child, ended })
    }

    /// Says how it ended; if it has not, ends it.
    pub fn end(mut self) -> Result<End, Failure> {
        let is_killed = self.ended.try_recv().is_err();
        if is_killed {
            // It may end by itself in this moment.
            let _is_there = kill_process(Pid::from_child(&self.child), Signal::TERM);
            if self.ended.recv_timeout(GRACE).is_err() {
                let _is_there = kill_process(Pid::from_child(&self.child), Signal::KILL);
            }
        }
        let status = self
            .child
            .wait()
            .map_err(|error| Failure::machine(format!("cannot learn how the program ended: {error}")))?;
        if is_killed {
            return Ok(End::Killed);
        }
        let code = status.code().unwrap_or_else(|| BY_SIGNAL + status.signal().unwrap_or_default());
        Ok(End::Itself(u8::try_from(code).unwrap_or(crate::failure::OTHER)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp::client::{Overflow, QueueLimits};
    use std::io::Read as _;

    fn start(script: &str) -> Running {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        start_command(command)
    }

    fn start_command(command: Command) -> Running {
        let queue = Queue::new(QueueLimits { messages: 10, bytes: 1000, overflow: Overflow::DropOldest });
        Running::start(command, "sh", &queue).expect("started")
    }

    /// Its end, when it has come by itself.
    fn ended(script: &str) -> End {
        let mut running = start(script);
        let (sender, ended) = channel();
        running.ended.recv().expect("it ends");
        sender.send(()).expect("heard");
        running.ended = ended;
        running.end().expect("ended")
    }

    #[test]
    fn the_exit_code_is_that_of_the_program() {
        assert_eq!(ended("exit 0"), End::Itself(0));
        assert_eq!(ended("exit 7"), End::Itself(7));
        assert_eq!(ended("kill -TERM $$"), End::Itself(143));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        // A shell that starts another process would leave it, with the output of this test.
        assert_eq!(start("exec sleep 1000").end().expect("ended"), End::Killed);
        // One that ignores SIGTERM, and says so before it is ended.
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' TERM; echo ready; exec sleep 1000"])
            .stdout(std::process::Stdio::piped());
        let mut running = start_command(command);
        let mut said = [0; 5];
        running.child.stdout.take().expect("a pipe").read_exact(&mut said).expect("it says so");
        assert_eq!(running.end().expect("ended"), End::Killed);
    }
}
