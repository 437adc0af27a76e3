//! Running other programs: with a time limit and their output kept, or with their output passed on line by line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::checkout::read;

/// How many lines may wait to be shown.
const LINES_AHEAD: usize = 1000;
/// How long a tool or a download may take that has no other limit, also where it waits for a processor.
pub const LIMIT: Duration = Duration::from_secs(900);
/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_secs(1);
/// How long a process that a program leaves behind may keep its output open.
pub const LEFT_BEHIND: Duration = Duration::from_secs(20);
/// Linux tells a process's times in hundredths of a second, whatever its timer is.
const TICK: Duration = Duration::from_millis(10);

/// How a program that was run to its end went.
pub struct Finished {
    /// What was run, and how long it had.
    what: String,
    limit: Duration,
    /// `None` when it was still running at the time limit and was killed.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Itself, or why it failed.
    pub fn well(self) -> Result<Self, String> {
        if self.succeeded() { Ok(self) } else { Err(self.story()) }
    }

    /// Nothing, or why it failed.
    pub fn done(&self) -> Result<(), String> {
        if self.succeeded() { Ok(()) } else { Err(self.story()) }
    }

    /// What it printed, or why it failed.
    pub fn text(self) -> Result<String, String> {
        self.well().map(|it| it.stdout)
    }

    /// Nothing, or why it failed, or which of these texts it did not print.
    pub fn says(&self, texts: &[&str]) -> Result<(), String> {
        self.done()?;
        match texts.iter().find(|text| !self.stdout.contains(**text)) {
            Some(text) => Err(format!("it does not say {text:?}: {}", self.story())),
            None => Ok(()),
        }
    }

    /// What to show when it failed: how it ended and the end of what it printed.
    pub fn story(&self) -> String {
        let end = match self.status {
            Some(status) => status.to_string(),
            None => format!("{} was killed at its time limit of {} s", self.what, self.limit.as_secs()),
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
    let words = command.get_args().map(|word| word.to_string_lossy());
    let what = [name.as_str().into()].into_iter().chain(words).collect::<Vec<_>>().join(" ");
    Ok(Finished { what, limit, status, stdout: lossy(&out)?, stderr: lossy(&err)? })
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

/// The lines that a child prints, as they come.
pub struct Output {
    pub child: Child,
    lines: Receiver<String>,
    /// How long a process that the child leaves behind may keep the output open.
    left_behind: Duration,
    looked: Instant,
    ended: Option<Instant>,
}

/// What comes next of an output.
pub enum Next {
    Line(String),
    End,
    /// The child has ended so, and another process has its output.
    LeftBehind(ExitStatus),
}

impl Output {
    /// Reads the pipe ahead, by so many lines; then the child waits.
    pub fn of(
        child: Child,
        pipe: impl std::io::Read + Send + 'static,
        ahead: usize,
        left_behind: Duration,
    ) -> Self {
        Self { child, lines: lines(pipe, ahead), left_behind, looked: Instant::now(), ended: None }
    }

    /// After a time without reading: what the child printed in it is read though the child has ended long ago.
    pub fn resume(&mut self) {
        (self.looked, self.ended) = (Instant::now(), None);
    }

    pub fn next(&mut self) -> std::io::Result<Next> {
        loop {
            // A process that was left behind may also go on printing.
            if self.looked.elapsed() >= LOOK {
                self.looked = Instant::now();
                if let Some(status) = self.child.try_wait()?
                    && self.ended.get_or_insert(self.looked).elapsed() > self.left_behind
                {
                    return Ok(Next::LeftBehind(status));
                }
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Ok(Next::Line(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Next::End),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The lines of a pipe, by a thread that ends with it: a process that was left behind may hold it for long.
fn lines(pipe: impl std::io::Read + Send + 'static, ahead: usize) -> Receiver<String> {
    let (sender, lines) = sync_channel(ahead);
    std::thread::spawn(move || {
        for text in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&text).into_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

/// Runs a program whose output a person should see as it comes; `line` looks at each line of its stdout.
pub fn stream(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = isolate(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    let stdout = child.stdout.take().ok_or_else(|| format!("{name} has no stdout"))?;
    let mut output = Output::of(child, stdout, LINES_AHEAD, LEFT_BEHIND);
    let failed = |error| format!("cannot wait for {name}: {error}");
    loop {
        match output.next().map_err(failed)? {
            Next::Line(text) => {
                println!("{text}");
                line(&text);
            }
            Next::End => return output.child.wait().map_err(failed),
            Next::LeftBehind(status) => {
                return Err(format!(
                    "{name} ended ({status}), and a process that it left behind still has its output; `ps` shows which: end it, and \
                     have the test that started it wait for it"
                ));
            }
        }
    }
}

/// The times that Linux has for a process: its own in user and kernel mode, and those of the children that it has waited for. They come
/// twelfth to fifteenth after the name in parentheses of `/proc/PID/stat`.
pub fn processor_times(stat: &str) -> Option<[Duration; 4]> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split(' ').skip(11).map(|ticks| Some(TICK * ticks.parse::<u32>().ok()?));
    Some([times.next()??, times.next()??, times.next()??, times.next()??])
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
    fn lines_come_whole_whatever_is_in_them() {
        use std::io::Write as _;

        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(b"a\n\xff\n\nlast").expect("written");
        drop(writer);
        let read: Vec<String> = lines(reader, 10).iter().collect();
        assert_eq!(read, ["a", "\u{fffd}", "", "last"]);
    }

    #[test]
    fn what_was_killed_at_its_time_limit_is_named() {
        let log = std::env::temp_dir().join(format!("mcp-xtask-killed-{}", std::process::id()));
        let killed = run(Command::new("sleep").arg("1000"), Duration::ZERO, &log).map(|it| it.story());
        for kind in ["out", "err"] {
            std::fs::remove_file(log.with_extension(kind)).expect("the log");
        }
        assert_eq!(killed, Ok("sleep 1000 was killed at its time limit of 0 s".to_owned()));
    }

    #[test]
    fn what_a_child_printed_is_read_long_after_its_end() -> std::io::Result<()> {
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", "echo a; echo b"]).stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().expect("a pipe");
        let mut output = Output::of(child, stdout, 10, Duration::ZERO);
        output.child.wait()?;
        output.looked -= 2 * LOOK;
        assert!(matches!(output.next()?, Next::LeftBehind(_)), "its time is over");
        output.resume();
        for line in ["a", "b"] {
            assert!(matches!(output.next()?, Next::Line(text) if text == line));
        }
        assert!(matches!(output.next()?, Next::End));
        Ok(())
    }

    #[test]
    fn the_four_times_are_found_behind_any_name() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 100 2000 0 0 150 20 3000 400 20 0 1 0 5 6 7";
        let times = [1500, 200, 30_000, 4000].map(Duration::from_millis);
        assert_eq!(processor_times(stat), Some(times));
        assert_eq!(processor_times("7 (short) S 1 7"), None);
    }

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
