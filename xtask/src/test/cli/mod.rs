//! The program `mcp`, as people and scripts use it: the output of every command beside golden files, exit codes, closed
//! pipes, Ctrl-C, no terminal, its size and its memory.
//!
//! A golden file in `cli/tests/golden` holds command lines, each with what comes of it; what follows in one file may build on what
//! came before. A shell runs them, in which `mcp` is the program. `{server}` is the example server, `{scripted}` the misbehaving
//! one, `{home}` a home with configured servers; the current folder is below that and has a `.mcp.json`. Behind `# timed` the output
//! has times, of which only the unit is compared. `MCP_GOLDEN_WRITE=1` writes what comes of the lines; a new case is a file with
//! its lines.
//!
//! The files:
//!
//! * `terminal`: a person at a pseudo terminal
//! * `others`: servers that others made
//! * `tasks`: long work, detached and waited for

mod others;
mod tasks;
mod terminal;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Stage;
use crate::checkout::{folder_at, read, stem, write};
use crate::machine::STRIP;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);
/// The stripped program.
const MOST_BYTES: u64 = 12 * 1024 * 1024;
/// What the program has in memory at most, connected to a native server.
const MOST_KIBIBYTES: u64 = 10 * 1024;

/// What the tests need.
struct Scene {
    program: PathBuf,
    built: Built,
    folder: PathBuf,
    home: PathBuf,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let built = stage.built()?;
    let program = stage.program()?;
    let folder = stage.checkout.scratch("cli")?;
    let home = home(&folder, &built)?;
    let scene = Scene { program, built, folder, home };
    scene.run("snapshot-into", &["snapshot", "{server}", "--into", "{home}/same.json"])?.well()?;
    let golden = stage.checkout.files("cli/tests/golden", "txt");
    if golden.len() < 100 {
        return Err("the golden files of the program are not there".to_owned());
    }
    for file in &golden {
        stage.tally.check(&format!("the output of {}", stem(file)), compared(&scene, file));
    }
    stage.tally.check("a call becomes a task that is waited for", tasks::run(&scene));
    stage.tally.check("Ctrl-C cancels the call and the exit code says so", interrupted(&scene));
    terminal::run(stage, &scene);
    if stage.release.is_quick() {
        return Ok(());
    }
    stage.tally.check("it needs at most 10 MiB of memory", memory(&scene));
    others::run(stage, &scene)?;
    if let Some(strip) = stage.tally.need(&STRIP, "the stripped program is at most 12 MiB") {
        stage.tally.check("the stripped program is at most 12 MiB", size(&scene, &strip));
    }
    Ok(())
}

/// A home and a project with servers of several programs.
fn home(folder: &Path, built: &Built) -> Result<PathBuf, String> {
    let home = folder.join("home");
    let server = built.example_server.display();
    let files = [
        ("changed.json", CHANGED.to_owned()),
        (
            "tools.yaml",
            "name: words\ntools:\n  - name: say\n    command: [printf, '%s', '{text}']\n    inputSchema: {type: object, \
             properties: {text: {type: string}}, required: [text]}\n"
                .to_owned(),
        ),
        (
            "project/.mcp.json",
            format!(
                "{{\"mcpServers\":{{\"theirs\":{{\"command\":\"{server}\"}},\"asked\":{{\"command\":\"sh\",\"args\":[\"-c\",\"exec {server}\",\"\\u001b[2J\"]}},\
                 \"needs\":{{\"command\":\"x\",\"args\":[\"${{MCP_CLI_UNSET}}\"]}},\"both\":{{\"command\":\"x\"}}}}}}"
            ),
        ),
        (
            ".cursor/mcp.json",
            format!(
                "{{\"mcpServers\":{{\"local\":{{\"command\":\"{server}\",\"env\":{{\"SECRET\":\"s3cret\"}}}},\"both\":{{\"command\":\"y\"}},\
                 \"off\":{{\"command\":\"x\",\"disabled\":true}}}}}}"
            ),
        ),
        (
            ".codex/config.toml",
            "[mcp_servers.remote]\nurl = \"https://u:s3cret@x.example/mcp?key=s3cret\"\n\
             http_headers = { Authorization = \"s3cret\" }\n"
                .to_owned(),
        ),
    ];
    // What an earlier run imported and approved; there may be nothing.
    let _ = std::fs::remove_file(home.join("imported.json"));
    let _ = std::fs::remove_dir_all(home.join(".config/libmcp/approved"));
    for (file, text) in files {
        let path = home.join(file);
        let parent = path.parent().unwrap_or(&home);
        folder_at(parent)?;
        write(&path, &text)?;
    }
    Ok(home)
}

/// What the example server offered when it was another one: `echo` was described with other words, `add` was not there, and
/// `gone` was.
const CHANGED: &str = r#"{"snapshot":1,"server":{"name":"mcp-example-server","title":"libmcp example server","version":"0.0.9"},
"instructions":{"sha256":"","text":null},
"tools":[{"name":"echo","sha256":"","definition":{"name":"echo","description":"Says\u200b it","inputSchema":{"type":"object"}}},
{"name":"gone","sha256":"","definition":{"name":"gone"}}],"resources":[],"resourceTemplates":[],"prompts":[]}"#;

impl Scene {
    /// The program, without what the machine has configured.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.isolate(&mut command);
        command
    }

    fn isolate(&self, command: &mut Command) {
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "COMPLETE",
            "LC_ALL",
            "LC_CTYPE",
            "LANG",
            "CODEX_HOME",
            "CLAUDE_CONFIG_DIR",
            "COLUMNS",
            "NO_COLOR",
        ] {
            command.env_remove(name);
        }
        for name in ["CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.env("XDG_RUNTIME_DIR", self.home.join("run"));
        command.env("HOME", &self.home).env("TERM", "xterm").current_dir(self.home.join("project"));
    }

    fn word(&self, word: &str) -> String {
        word.replace("{server}", &self.built.example_server.display().to_string())
            .replace("{scripted}", &self.built.scripted_server.display().to_string())
            .replace("{home}", &self.home.display().to_string())
            .replace("{program}", &self.program.display().to_string())
    }

    fn run(&self, name: &str, words: &[&str]) -> Result<process::Finished, String> {
        let words = words.iter().map(|word| self.word(word));
        process::run(self.command().args(words), LIMIT, &self.folder.join(name))
    }
}

/// Runs the command lines of a golden file and looks whether they write what it says.
fn compared(scene: &Scene, file: &Path) -> Result<(), String> {
    let wanted = read(file)?;
    let mut seen = String::new();
    let mut is_first = true;
    for line in wanted.lines() {
        if let Some(line) = line.strip_prefix("$ ").filter(|_| is_first) {
            seen.push_str(&comes_of(scene, line, &stem(file))?);
        }
        is_first = line.starts_with("--- exit code ");
    }
    if std::env::var_os("MCP_GOLDEN_WRITE").is_some() {
        return write(file, &seen);
    }
    if wanted == seen {
        return Ok(());
    }
    let differs = wanted.lines().zip(seen.lines()).find(|(wanted, seen)| wanted != seen);
    let differs =
        differs.map_or_else(String::new, |(wanted, seen)| format!("wanted: {wanted}\nseen:   {seen}\n"));
    Err(format!("{differs}all of it:\n{seen}"))
}

/// A command line with what it writes, as a golden file has it.
fn comes_of(scene: &Scene, line: &str, log: &str) -> Result<String, String> {
    let mut command = Command::new("sh");
    scene.isolate(&mut command);
    let mut path = scene.program.parent().unwrap_or(&scene.home).as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.args(["-c", &scene.word(line)]).env("PATH", path);
    let finished = process::run(&mut command, LIMIT, &scene.folder.join(log))?;
    let code = finished.code();
    let code = code.ok_or_else(|| format!("it did not end by itself: {}", finished.story()))?;
    let neutral = |text: &str| {
        let text = text
            .replace(&scene.built.example_server.display().to_string(), "{server}")
            .replace(&scene.home.display().to_string(), "{home}")
            .replace('\u{1b}', "<ESC>");
        let text = without_numbers(&text, &["pid ", "\"elapsed_ms\":"]);
        if line.ends_with("# timed") { without_times(&text) } else { text }
    };
    let (stdout, stderr) = (neutral(&finished.stdout), neutral(&finished.stderr));
    if stdout.contains("s3cret") || stderr.contains("s3cret") {
        return Err(format!("it shows a secret:\n{stdout}\n{stderr}"));
    }
    Ok(format!("$ {line}\n{stdout}--- standard error\n{stderr}--- exit code {code}\n"))
}

/// The text with N for each number behind one of these words: process ids and times differ from run to run.
fn without_numbers(text: &str, words: &[&str]) -> String {
    let mut text = text.to_owned();
    for word in words {
        let mut parts = text.split(word);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = if rest.len() < part.len() { "N" } else { "" };
            out.extend([*word, number, rest]);
        }
        text = out;
    }
    text
}

/// The text with N for each time: a number before `ms`, or behind a key that says so.
fn without_times(text: &str) -> String {
    let text = without_decimals(text, &["\"ms\":", "\"milliseconds\": ", "\"milliseconds\":", "ms: "]);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(" ms") {
            let before = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_time = before.len() < at;
            // A column of times is as wide as its numbers.
            out.push_str(if is_time { before.trim_end_matches(' ') } else { before });
            out.push_str(if is_time { " N ms" } else { " ms" });
            rest = &rest[at + 3..];
        }
        out.push_str(rest);
    }
    out
}

/// The same for numbers with a fraction behind these words.
fn without_decimals(text: &str, words: &[&str]) -> String {
    let mut text = text.to_owned();
    for word in words {
        let mut parts = text.split(word);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            out.extend([*word, if rest.len() < part.len() { "N" } else { "" }, rest]);
        }
        text = out;
    }
    text
}

/// Starts the program and waits until a line of its standard error contains `sign`.
fn until(scene: &Scene, words: &[&str], sign: &str) -> Result<Child, String> {
    let words = words.iter().map(|word| scene.word(word));
    let mut command = scene.command();
    command.args(words).env_remove("LD_LIBRARY_PATH");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot start the program: {error}"))?;
    let stderr = child.stderr.take().ok_or("it has no standard error")?;
    let (found, waits) = std::sync::mpsc::channel();
    let sign = sign.to_owned();
    // Reads on to the end, so that the program never writes into a closed pipe.
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if line.contains(&sign) {
                let _ = found.send(());
            }
        }
    });
    if waits.recv_timeout(LIMIT).is_ok() {
        return Ok(child);
    }
    let _ = child.kill();
    let _ = child.wait();
    Err("the line did not come".to_owned())
}

fn interrupted(scene: &Scene) -> Result<(), String> {
    let mut child = until(scene, &["-v", "call", "{server}", "slow", "ms=120000"], "[state] ready")?;
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    if !sent.is_ok_and(|status| status.success()) {
        let _ = child.kill();
        let _ = child.wait();
        return Err("cannot send SIGINT".to_owned());
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.code() == Some(130) { Ok(()) } else { Err(format!("it ended with {status}")) }
}

fn memory(scene: &Scene) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut child = until(scene, &["shell", "{server}"], "Type help")?;
    let status = read(&PathBuf::from(format!("/proc/{}/status", child.id())));
    drop(child.stdin.take());
    let ended = child.wait().map_err(|error| error.to_string())?;
    let status = status?;
    let most = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    let most = most.ok_or("the system does not say how much memory it had")?;
    println!("  memory: {most} KiB");
    if !ended.success() {
        return Err(format!("it ended with {ended}"));
    }
    if most <= MOST_KIBIBYTES { Ok(()) } else { Err(format!("{most} KiB, and {MOST_KIBIBYTES} are allowed")) }
}

fn size(scene: &Scene, strip: &Path) -> Result<(), String> {
    let copy = scene.folder.join("mcp-stripped");
    std::fs::copy(&scene.program, &copy).map_err(|error| format!("cannot copy the program: {error}"))?;
    process::run(Command::new(strip).arg(&copy), LIMIT, &scene.folder.join("strip"))?.well()?;
    let bytes = std::fs::metadata(&copy).map_err(|error| error.to_string())?.len();
    println!("  program: {bytes} bytes");
    if bytes <= MOST_BYTES { Ok(()) } else { Err(format!("{} bytes too many", bytes - MOST_BYTES)) }
}
