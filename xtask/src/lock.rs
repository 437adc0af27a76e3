//! The lock of a file, between processes: runs at the same time, and what is made ahead of the steps.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How long another process may have it. Downloads are tried three times.
const LOCKED_SECONDS: u32 = 3600;

/// The lock, held by a child (the standard library has none in the oldest Rust that compiles this).
pub struct Lock(Child);

impl Lock {
    /// Waits until no other process has it, for a time. `does` says in an error what the other one does.
    pub fn take(path: &Path, does: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| {
            format!("cannot lock {} with flock, which util-linux has: {error}", path.display())
        };
        let mut flock = Command::new("flock");
        // It ends with its input, so that the lock is free when this process ends, however it ends.
        flock
            .args(["-w", &LOCKED_SECONDS.to_string()])
            .arg(path)
            .args(["sh", "-c", "echo locked; exec cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = flock.spawn().map_err(failed)?;
        let mut said = String::new();
        let output = child.stdout.take().map(BufReader::new);
        output.map(|mut output| output.read_line(&mut said)).transpose().map_err(failed)?;
        let lock = Self(child);
        if said == "locked\n" {
            return Ok(lock);
        }
        Err(format!(
            "{} could not be locked within {LOCKED_SECONDS} s: another run {does}, or hangs in it; end that run",
            path.display()
        ))
    }

    /// The same where the program `flock` is: without it nothing is made at the same time.
    pub fn if_there_is_one(path: &Path, does: &str) -> Result<Option<Self>, String> {
        if is_there() { Self::take(path, does).map(Some) } else { Ok(None) }
    }
}

/// Whether the program is there that locks a file.
pub fn is_there() -> bool {
    Command::new("flock").arg("--version").output().is_ok()
}

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ended = self.0.wait();
    }
}
