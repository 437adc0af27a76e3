//! Running other programs: with a time limit and their output kept, or with their output passed on line by line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::checkout::read;

/// How many lines may wait to be shown.
const LINES_AHEAD: usize = 1000;
/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_secs(1);
/// How long a process that a program leaves behind may keep its output open.
const LEFT_BEHIND: Duration = Duration::from_secs(20);

/// How a program that was run to its end went.
pub struct Finished {
    /// `None` when it was still running at the time limit and was killed.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// What to show when it failed: how it ended and the end of what it printed.
    pub fn story(&self) -> String {
        let end = match self.status {
            Some(status) => status.to_string(),
            None => "killed at its time limit".to_owned(),
        };
        let mut story = end;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.trim().is_empty() {
                story = format!("{story}\n{name}:\n{}", tail(text, 40));
            }
        }
        story
    }
}

/// Runs a program to its end or to the time limit. Its output goes through files named `log`.out and `log`.err: a pipe
/// would make us wait for everything it ever started.
pub fn run(command: &mut Command, limit: Duration, log: &Path) -> Result<Finished, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (out, err) = (log.with_extension("out"), log.with_extension("err"));
    let create =
        |path: &Path| File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()));
    isolate(command).stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let mut child = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
    let status = ended(&mut child, limit).map_err(|error| format!("cannot wait for {name}: {error}"))?;
    Ok(Finished { status, stdout: lossy(&out)?, stderr: lossy(&err)? })
}

/// Waits for the end of a child; kills it at the time limit, with all that it has started, and then gives `None`.
fn ended(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if Instant::now() >= deadline => {
                kill_with_children(child);
                let _ = child.wait();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Kills a process that has not been waited for, and what it has started: a compiler would go on for minutes beside what follows.
pub fn kill_with_children(child: &mut Child) {
    let started = started_by(child.id());
    // It may end by itself in this very moment; then there is nothing to kill.
    let _ = child.kill();
    if !started.is_empty() {
        let _ = Command::new("kill").arg("-KILL").args(&started).stderr(Stdio::null()).status();
    }
}

/// The processes that a process has started, and those that these have started, where the system tells them (`/proc`).
fn started_by(process: u32) -> Vec<String> {
    let mut all = Vec::new();
    let mut left = vec![process.to_string()];
    while let Some(parent) = left.pop() {
        let threads = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            left.extend(children.split_whitespace().map(str::to_owned));
        }
        all.push(parent);
    }
    all.split_off(1)
}

/// A server that runs until its standard input ends, and says in its first line where it serves. Killed when dropped.
pub struct Served {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: PathBuf,
}

impl Served {
    /// Starts it; its stderr goes through the file `log`.err.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let stderr = log.with_extension("err");
        let file =
            File::create(&stderr).map_err(|error| format!("cannot write {}: {error}", stderr.display()))?;
        isolate(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
        let mut child = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
        let stdout = child.stdout.take().ok_or_else(|| format!("{name} has no stdout"))?;
        Ok(Self { child, stdout: BufReader::new(stdout), stderr })
    }

    /// Its first line; it is an error if it ends without one.
    pub fn first_line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.stdout.read_line(&mut line).map_err(|error| format!("cannot read from a server: {error}"))?;
        if line.is_empty() {
            return Err(format!("the server said nothing: {}", lossy(&self.stderr)?));
        }
        Ok(line.trim().to_owned())
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself, or was killed.
    pub fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Ends its input and waits until it has ended.
    pub fn end(mut self, limit: Duration) -> Result<Finished, String> {
        drop(self.child.stdin.take());
        let status = ended(&mut self.child, limit).map_err(|error| format!("cannot wait: {error}"))?;
        Ok(Finished { status, stdout: String::new(), stderr: lossy(&self.stderr)? })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // After `end` there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does a job for each item, as many at a time as the machine has processors; `done` hears of each as it ends.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], job: impl Fn(&T) -> R + Sync, done: impl FnMut(&T, R)) {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    some_at_once(processors, items, job, done);
}

/// The same with a number of our choice.
pub fn some_at_once<T: Sync, R: Send>(
    workers: usize,
    items: &[T],
    job: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R),
) {
    let workers = workers.min(items.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, job) = (sender.clone(), &next, &job);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    if sender.send((item, job(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (item, result) in receiver {
            done(item, result);
        }
    });
}

/// Runs a program whose output a person should see as it comes; `line` looks at each line of its stdout.
pub fn stream(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = isolate(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    let (sender, lines) = sync_channel(LINES_AHEAD);
    if let Some(stdout) = child.stdout.take() {
        // It ends with the output, which a process that was left behind may hold for long.
        std::thread::spawn(move || {
            for text in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
    }
    let failed = |error| format!("cannot wait for {name}: {error}");
    let (mut looked, mut ended) = (Instant::now(), None);
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(text) => {
                let text = String::from_utf8_lossy(&text);
                println!("{text}");
                line(&text);
            }
            Err(RecvTimeoutError::Disconnected) => return child.wait().map_err(failed),
            Err(RecvTimeoutError::Timeout) => {}
        }
        // A process that was left behind may also go on printing.
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            if let Some(status) = child.try_wait().map_err(failed)? {
                let since = *ended.get_or_insert(looked);
                if since.elapsed() > LEFT_BEHIND {
                    return Err(format!(
                        "{name} ended ({status}), and a process that it left behind still has its output; `ps` shows which: end it, and \
                         have the test that started it wait for it"
                    ));
                }
            }
        }
    }
}

/// Runs a download, up to three times: networks fail for a moment.
pub fn download(make: impl Fn() -> Command, limit: Duration, log: &Path) -> Result<(), String> {
    let mut story = String::new();
    for attempt in 1..=3 {
        let finished = run(&mut make(), limit, log)?;
        if finished.succeeded() {
            return Ok(());
        }
        story = finished.story();
        if attempt < 3 {
            std::thread::sleep(Duration::from_secs(3 * attempt));
        }
    }
    Err(format!("{} failed three times: {story}", make().get_program().to_string_lossy()))
}

/// `cargo run` puts its folders on the library path, where a debug build of the library would be found first.
pub fn isolate(command: &mut Command) -> &mut Command {
    command.env_remove("LD_LIBRARY_PATH").env_remove("DYLD_FALLBACK_LIBRARY_PATH")
}

/// Lets a file be run as a program.
#[cfg(unix)]
pub fn make_executable(file: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("cannot make {} a program: {error}", file.display()))
}

#[cfg(not(unix))]
pub fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

fn lossy(path: &Path) -> Result<String, String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(_) => read(path),
    }
}

/// The last lines of a text.
fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_has_started_ends_with_it_at_the_time_limit() -> Result<(), String> {
        let log = std::env::temp_dir().join(format!("xtask-process-{}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "sh -c 'echo $$; sleep 1000; true' & wait"]);
        let finished = run(&mut command, Duration::from_secs(1), &log)?;
        assert!(finished.status.is_none(), "it was to be killed");
        let started = finished.stdout.trim();
        let deadline = Instant::now() + Duration::from_secs(20);
        // It may have to be waited for by the first process of the system.
        while read(Path::new(&format!("/proc/{started}/stat"))).is_ok_and(|it| !it.contains(") Z ")) {
            assert!(Instant::now() < deadline, "the process {started} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
        for end in ["out", "err"] {
            std::fs::remove_file(log.with_extension(end)).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
