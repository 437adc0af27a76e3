//! A person at a pseudo terminal, which util-linux' `script` makes: progress, forms, Ctrl-C once and twice, the shell, colours,
//! narrow terminals, terminals without UTF-8.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{LIMIT, Scene, Stage};
use crate::machine::SCRIPT;

const INTERRUPT: &str = "\u{3}";
const END: &str = "\u{4}";

pub fn run(stage: &mut Stage, scene: &Scene) {
    let what = "a person at a terminal";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "another system's `script` has other options");
        return;
    }
    if stage.tally.need(&SCRIPT, what).is_none() {
        return;
    }
    let tally = &mut stage.tally;
    tally.check("terminal: a bar shows the progress of a call", bar(scene));
    tally.check("terminal: a form is asked, corrected, and answered", form(scene));
    tally.check("terminal: a form is declined", declined(scene));
    tally.check("terminal: a server of a project is approved, once", approved(scene));
    tally.check("terminal: Ctrl-C cancels, and says so", interrupted(scene));
    tally.check("terminal: a second Ctrl-C ends at once", interrupted_twice(scene));
    tally.check("terminal: Ctrl-C ends a watch, without a failure", watched(scene));
    tally.check("terminal: the shell completes, remembers and saves", shell(scene));
    tally.check("terminal: colours, and NO_COLOR", colours(scene));
    tally.check("terminal: tables are as narrow as the terminal", narrow(scene));
    tally.check("terminal: without UTF-8 everything is ASCII", ascii(scene));
    tally.check("terminal: a result to a terminal that goes away ends it", gone(scene));
}

/// The program at a terminal.
struct Terminal {
    child: Child,
    seen: Arc<(Mutex<String>, Condvar)>,
    /// How much of the output earlier waits have used.
    used: usize,
}

impl Terminal {
    fn open(scene: &Scene, columns: u32, variables: &[(&str, &str)], words: &[&str]) -> Result<Self, String> {
        let quoted: Vec<String> =
            words.iter().map(|word| format!("'{}'", scene.word(word).replace('\'', "'\\''"))).collect();
        let line =
            format!("stty cols {columns} rows 24; exec '{}' {}", scene.program.display(), quoted.join(" "));
        let mut command = Command::new(SCRIPT.find()?);
        scene.isolate(&mut command);
        command
            .args(["-q", "-e", "-f", "-c", &line, "/dev/null"])
            .env("SHELL", "/bin/sh")
            .env_remove("LD_LIBRARY_PATH");
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("cannot start script: {error}"))?;
        let mut stdout = child.stdout.take().ok_or("it has no standard output")?;
        let seen: Arc<(Mutex<String>, Condvar)> = Arc::default();
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = stdout.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                shared.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
                shared.1.notify_all();
            }
        });
        Ok(Self { child, seen, used: 0 })
    }

    /// Waits until the output, from the last thing that was waited for on, contains a text.
    fn until(&mut self, text: &str) -> Result<&mut Self, String> {
        let deadline = Instant::now() + LIMIT;
        let mut seen = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(at) = seen.get(self.used..).and_then(|rest| rest.find(text)) {
                self.used += at + text.len();
                drop(seen);
                return Ok(self);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("'{text}' did not come:\n{}", seen.escape_debug()));
            }
            let waited = self.seen.1.wait_timeout(seen, left);
            seen = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn types(&mut self, text: &str) -> Result<&mut Self, String> {
        let stdin = self.child.stdin.as_mut().ok_or("it has no standard input")?;
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .map_err(|error| format!("cannot type '{text}': {error}"))?;
        Ok(self)
    }

    /// Waits for its end; gives the exit code and all output.
    fn end(mut self) -> Result<(i32, String), String> {
        let deadline = Instant::now() + LIMIT;
        // A standard input that is closed would be a Ctrl-D: it stays open until the program has ended.
        loop {
            let status = self.child.try_wait().map_err(|error| error.to_string())?;
            if let Some(status) = status {
                drop(self.child.stdin.take());
                // The reader has what there was when the terminal was closed.
                std::thread::sleep(Duration::from_millis(20));
                let text = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
                return Ok((status.code().unwrap_or(-1), text));
            }
            if Instant::now() >= deadline {
                return Err(format!(
                    "it does not end:\n{}",
                    self.seen.0.lock().unwrap_or_else(PoisonError::into_inner).escape_debug()
                ));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn ends_with(self, code: i32) -> Result<String, String> {
        let (seen, text) = self.end()?;
        if seen == code {
            Ok(text)
        } else {
            Err(format!("exit code {seen}, not {code}:\n{}", text.escape_debug()))
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // What has ended needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn has(text: &str, fact: &str) -> Result<(), String> {
    if text.contains(fact) { Ok(()) } else { Err(format!("'{fact}' is missing:\n{}", text.escape_debug())) }
}

fn bar(scene: &Scene) -> Result<(), String> {
    let mut terminal = Terminal::open(scene, 80, &[], &["call", "{server}", "slow", "ms=1500", "steps=5"])?;
    terminal.until("=> ")?.until(" % ")?;
    let text = terminal.ends_with(0)?;
    has(&text, "1500 ms")
}

fn form(scene: &Scene) -> Result<(), String> {
    let mut terminal = Terminal::open(scene, 80, &[], &["call", "{server}", "ask", "question=Who?"])?;
    terminal.until("The server asks:")?.until("Who?")?.until("Answer")?.types("me myself\n")?;
    let text = terminal.ends_with(0)?;
    has(&text, "me myself")
}

fn declined(scene: &Scene) -> Result<(), String> {
    let mut terminal = Terminal::open(scene, 80, &[], &["call", "{server}", "ask", "question=Who?"])?;
    terminal.until("The server asks:")?.until("Answer")?.types("!\n")?;
    has(&terminal.ends_with(0)?, "declin")
}

/// The person sees all of the entry, harmless, and is asked until the answer is yes; then it is used without a question.
fn approved(scene: &Scene) -> Result<(), String> {
    let words = ["info", "-o", "names", "asked"];
    for (answer, code) in [("\n", 7), ("n\n", 7), ("y\n", 0)] {
        let mut terminal = Terminal::open(scene, 80, &[], &words)?;
        terminal.until("have not approved")?.until("[y/N] ")?;
        let seen = terminal.seen.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        has(&seen, "\\u001b[2J")?;
        if seen.contains('\u{1b}') {
            return Err(format!(
                "an escape sequence of the file reached the terminal:\n{}",
                seen.escape_debug()
            ));
        }
        terminal.types(answer)?;
        terminal.ends_with(code)?;
    }
    let text = Terminal::open(scene, 80, &[], &words)?.ends_with(0)?;
    if text.contains("[y/N]") { Err(format!("it asks again:\n{}", text.escape_debug())) } else { Ok(()) }
}

fn interrupted(scene: &Scene) -> Result<(), String> {
    let mut terminal =
        Terminal::open(scene, 80, &[], &["-v", "call", "{server}", "slow", "ms=120000", "steps=1000"])?;
    terminal.until(" % ")?.types(INTERRUPT)?;
    has(&terminal.ends_with(130)?, "interrupted")
}

/// A server that does not read holds the first Ctrl-C up; the second one needs nothing of it.
fn interrupted_twice(scene: &Scene) -> Result<(), String> {
    let mut terminal =
        Terminal::open(scene, 80, &[], &["-v", "call", "{scripted} ignore-eof,ignore-term", "hang"])?;
    terminal.until("[state] ready")?.types(INTERRUPT)?.types(INTERRUPT)?;
    terminal.ends_with(130).map(|_| ())
}

fn watched(scene: &Scene) -> Result<(), String> {
    let mut terminal = Terminal::open(scene, 80, &[], &["watch", "{server}"])?;
    // A Ctrl-C before this line would end the program as interrupted.
    terminal.until("watching ")?.types(INTERRUPT)?;
    terminal.ends_with(0).map(|_| ())
}

fn shell(scene: &Scene) -> Result<(), String> {
    let saved = scene.folder.join("shell-saved");
    // There may be none of an earlier run.
    let _ = std::fs::remove_dir_all(&saved);
    let mut terminal = Terminal::open(scene, 80, &[], &["shell", "{server}"])?;
    terminal.until("mcp> ")?.types("ad\t")?.until("add")?.types(" a=1 b=4\n")?.until("5\r\n")?;
    terminal.until("mcp> ")?.types("nonsense\n")?.until("neither a command")?;
    terminal.until("mcp> ")?.types(&format!("save {}\n", saved.display()))?;
    terminal
        .until("mcp> ")?
        .types("read demo://lo\t")?
        .until("demo://logo")?
        .types("\n")?
        .until("saved as")?;
    terminal.until("mcp> ")?.types(INTERRUPT)?.until("mcp> ")?.types(END)?;
    terminal.ends_with(0)?;
    let bytes = std::fs::read(saved.join("logo.png")).map_err(|error| format!("logo.png: {error}"))?;
    if !bytes.starts_with(b"\x89PNG") {
        return Err("logo.png is not a PNG".to_owned());
    }
    // Arrow up is the last line of the shell before.
    let mut terminal = Terminal::open(scene, 80, &[], &["shell", "{server}"])?;
    terminal.until("mcp> ")?.types("\u{1b}[A")?.until("read demo://logo")?.types("\n")?.until("image/png")?;
    terminal.until("mcp> ")?.types("exit\n")?;
    terminal.ends_with(0).map(|_| ())
}

fn colours(scene: &Scene) -> Result<(), String> {
    let words = ["tools", "{server}"];
    let styled = Terminal::open(scene, 80, &[], &words)?.ends_with(0)?;
    has(&styled, "\u{1b}[1mTOOL")?;
    let plain = Terminal::open(scene, 80, &[("NO_COLOR", "1")], &words)?.ends_with(0)?;
    if plain.contains("\u{1b}[1m") { Err(plain) } else { has(&plain, "TOOL") }
}

fn narrow(scene: &Scene) -> Result<(), String> {
    for columns in [80, 40] {
        let no_color = [("NO_COLOR", "1")];
        for words in
            [&["list", "{server}"][..], &["trace", "{server}"], &["bench", "{server}", "pid", "-n", "20"]]
        {
            let text = Terminal::open(scene, columns, &no_color, words)?.ends_with(0)?;
            // What a spinner draws over itself is not a line.
            let lines = text.split(['\n', '\r']).filter(|line| !line.contains('\u{1b}'));
            let longest = lines.map(|line| line.chars().count()).max().unwrap_or_default();
            if longest > columns as usize {
                return Err(format!("{words:?}: a line of {longest} in {columns} columns:\n{text}"));
            }
        }
    }
    Ok(())
}

fn ascii(scene: &Scene) -> Result<(), String> {
    let variables = [("LC_ALL", "C"), ("NO_COLOR", "1")];
    let words = ["tools", "{server}"];
    let text = Terminal::open(scene, 120, &variables, &words)?.ends_with(0)?;
    has(&text, "add(a: number, b: number) -> {sum: number}")?;
    let text =
        Terminal::open(scene, 120, &variables, &["call", "{server}", "echo", "text=\u{fc}"])?.ends_with(0)?;
    has(&text, "\\u{fc}")?;
    let text = Terminal::open(scene, 120, &[("LC_ALL", "C.UTF-8")], &words)?.ends_with(0)?;
    has(&text, "\u{2192} {sum: number}")
}

/// The terminal is closed while a call runs.
fn gone(scene: &Scene) -> Result<(), String> {
    let mut terminal =
        Terminal::open(scene, 80, &[], &["call", "{server}", "slow", "ms=120000", "steps=1000"])?;
    terminal.until(" % ")?;
    let children = format!("/proc/{0}/task/{0}/children", terminal.child.id());
    let pid = std::fs::read_to_string(&children).map_err(|error| format!("{children}: {error}"))?;
    let pid = pid.split_whitespace().next().ok_or("script has no child")?.to_owned();
    terminal.child.kill().map_err(|error| error.to_string())?;
    let deadline = Instant::now() + LIMIT;
    // The system tells the program by SIGHUP; a zombie of a parent that is gone is soon nothing.
    while std::fs::metadata(format!("/proc/{pid}")).is_ok() {
        if Instant::now() >= deadline {
            return Err(format!("the program {pid} goes on"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}
