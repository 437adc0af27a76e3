//! The program `mcp`, as people and scripts use it: the output of every command beside golden files, exit codes, closed
//! pipes, Ctrl-C, no terminal, its size and its memory.
//!
//! `MCP_GOLDEN_WRITE=1` writes the golden files.
//!
//! The files:
//!
//! * `cases`: the command lines
//! * `terminal`: a person at a pseudo terminal
//! * `others`: servers that others made
//! * `tasks`: long work, detached and waited for

mod cases;
mod others;
mod tasks;
mod terminal;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use self::cases::{CASES, Case};
use super::Stage;
use crate::checkout::{folder_at, read, write};
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
    let golden = stage.checkout.root.join("cli/tests/golden");
    succeeded(scene.run("snapshot-into", &["snapshot", "{server}", "--into", "{home}/same.json"])?)?;
    for case in CASES {
        stage.tally.check(&format!("the output of {}", case.name), compared(&scene, case, &golden));
    }
    stage.tally.check("every golden file has its case", no_others(stage, &golden));
    stage.tally.check("a ping shows its time", pings(&scene));
    stage.tally.check("every command has a manual page with an example", manuals(&scene));
    stage.tally.check("four shells have completion", completions(&scene));
    stage.tally.check("a bench counts, and draws", bench(&scene));
    stage.tally.check("a call becomes a task that is waited for", tasks::run(&scene));
    stage.tally.check("a secret in a message is not shown by trace", trace(&scene));
    stage.tally.check("a pipe that is closed early ends it quietly", pipe(&scene));
    stage.tally.check("saved files are what the server sent", saved(&scene));
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

/// Runs a case and looks whether it writes what its golden file says.
fn compared(scene: &Scene, case: &Case, golden: &Path) -> Result<(), String> {
    let input = scene.folder.join("input");
    write(&input, case.input)?;
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" < \"$0\""]).arg(&input).arg(&scene.program);
    scene.isolate(&mut command);
    command.args(case.words.iter().map(|word| scene.word(word)));
    command.envs(case.variables.iter().copied());
    let finished = process::run(&mut command, LIMIT, &scene.folder.join(case.name))?;
    let code = finished.status.and_then(|status| status.code());
    let code = code.ok_or_else(|| format!("it did not end by itself: {}", finished.story()))?;
    let neutral = |text: &str| {
        text.replace(&scene.built.example_server.display().to_string(), "{server}")
            .replace(&scene.home.display().to_string(), "{home}")
            .replace('\u{1b}', "<ESC>")
    };
    let neutral = |text: &str| without_numbers(&neutral(text), &["pid ", "\"elapsed_ms\":"]);
    let neutral = |text: &str| if case.is_timed { without_times(&neutral(text)) } else { neutral(text) };
    let seen = format!(
        "$ mcp {}\n{}--- standard error\n{}--- exit code {code}\n",
        case.words.join(" "),
        neutral(&finished.stdout),
        neutral(&finished.stderr)
    );
    if seen.contains("s3cret") {
        return Err(format!("it shows a secret:\n{seen}"));
    }
    let path = golden.join(format!("{}.txt", case.name));
    if std::env::var_os("MCP_GOLDEN_WRITE").is_some() {
        return write(&path, &seen);
    }
    let wanted = read(&path)?;
    if wanted == seen {
        return Ok(());
    }
    let differs = wanted.lines().zip(seen.lines()).find(|(wanted, seen)| wanted != seen);
    let differs =
        differs.map_or_else(String::new, |(wanted, seen)| format!("wanted: {wanted}\nseen:   {seen}\n"));
    Err(format!("{differs}all of it:\n{seen}"))
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

fn no_others(stage: &Stage, golden: &Path) -> Result<(), String> {
    let files = stage.checkout.files("cli/tests/golden", "txt");
    if files.len() == CASES.len() {
        return Ok(());
    }
    Err(format!("{} has {} files for {} cases", golden.display(), files.len(), CASES.len()))
}

fn succeeded(finished: process::Finished) -> Result<process::Finished, String> {
    finished.well()
}

fn pings(scene: &Scene) -> Result<(), String> {
    let finished = succeeded(scene.run("ping", &["ping", "-c", "3", "{server}"])?)?;
    let is_time = |line: &str| line.split_once(": ").is_some_and(|(_, time)| time.ends_with(" ms"));
    if finished.stdout.lines().count() != 3 || !finished.stdout.lines().all(is_time) {
        return Err(finished.stdout);
    }
    let finished = succeeded(scene.run("ping-json", &["ping", "-c", "2", "{server}", "-o", "json"])?)?;
    let numbers = finished.stdout.split(['[', ']']).nth(1).unwrap_or_default().split(',');
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    let is_right = finished.stdout.contains("\"milliseconds\": [") && numbers.clone().all(is_number);
    if is_right && numbers.count() == 2 { Ok(()) } else { Err(finished.stdout) }
}

fn manuals(scene: &Scene) -> Result<(), String> {
    let folder = scene.folder.join("man");
    // There may be none of an earlier run.
    let _ = std::fs::remove_dir_all(&folder);
    succeeded(scene.run("manual", &["manual", "--into", &folder.display().to_string()])?)?;
    let help = succeeded(scene.run("manual-help", &["-h"])?)?;
    let commands = help.stdout.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        // A longer description goes on in further lines, which begin farther to the right.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    if commands.len() < 10 {
        return Err(format!("the help shows {} commands", commands.len()));
    }
    for command in commands.into_iter().chain(["tasks-wait", "config-import", "auth-status"]) {
        let page = read(&folder.join(format!("mcp-{command}.1")))?;
        if !page.starts_with(".ie") || !page.contains("Example") {
            return Err(format!("the page of {command} has no example:\n{page}"));
        }
    }
    Ok(())
}

fn completions(scene: &Scene) -> Result<(), String> {
    for (shell, says) in [
        ("bash", "-F _clap_complete_mcp mcp"),
        ("zsh", "#compdef mcp"),
        ("fish", "--command mcp"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let finished = succeeded(scene.run("completion", &["completion", shell])?)?;
        if !finished.stdout.contains(says) || !finished.stdout.contains("COMPLETE") {
            return Err(format!("{shell}: {}", finished.story()));
        }
        let named = succeeded(scene.run("completion", &["completion", shell, "--name", "libmcp"])?)?;
        if !named.stdout.contains("libmcp") {
            return Err(format!("{shell}: {}", named.story()));
        }
    }
    // The names of tools are known from an earlier command.
    succeeded(scene.run("completion-list", &["tools", "local"])?)?;
    for (line, offered) in [
        (&["mcp", "c"][..], &["call", "complete", "completion", "config"][..]),
        (&["mcp", "call", ""], &["local", "remote"]),
        (&["mcp", "call", "local", "e"], &["echo", "env"]),
        (&["mcp", "-o", "json", "call", "local", "add", ""], &["a=", "b="]),
        (&["mcp", "tasks", ""], &["list", "get", "wait", "cancel"]),
        (&["mcp", "tools", "--prot"], &["--protocol"]),
    ] {
        let mut command = scene.command();
        command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", (line.len() - 1).to_string());
        command.env("_CLAP_IFS", "\n").arg("--").args(line);
        let finished = succeeded(process::run(&mut command, LIMIT, &scene.folder.join("completion-words"))?)?;
        let words: Vec<&str> = finished.stdout.lines().collect();
        if let Some(missing) = offered.iter().find(|word| !words.contains(word)) {
            return Err(format!("{line:?} does not offer {missing}: {}", finished.story()));
        }
    }
    Ok(())
}

fn bench(scene: &Scene) -> Result<(), String> {
    let svg = scene.folder.join("bench.svg");
    let svg = svg.display().to_string();
    let words = ["bench", "{server}", "add", "a=1", "b=2", "-n", "200", "-p", "4", "--svg", &svg];
    let finished = succeeded(scene.run("bench", &words)?)?;
    for fact in ["calls/s (200 calls in", "p99.9", " ms #"] {
        if !finished.stdout.contains(fact) {
            return Err(format!("'{fact}' is missing: {}", finished.story()));
        }
    }
    let drawn = read(&PathBuf::from(svg))?;
    if !drawn.starts_with("<svg ") || drawn.matches("<rect ").count() < 2 {
        return Err(drawn);
    }
    let words = ["bench", "{server}", "fail", "-n", "5", "--warm-up", "0", "-o", "json"];
    let finished = scene.run("bench-fails", &words)?;
    let code = finished.status.and_then(|status| status.code());
    if code == Some(5) && finished.stdout.contains("\"tool_errors\": 5") {
        return Ok(());
    }
    Err(finished.story())
}

fn trace(scene: &Scene) -> Result<(), String> {
    let given = format!("text:={}", "\"Bearer s3cret0123456789abcdef\"");
    let finished =
        succeeded(scene.run("trace-secret", &["trace", "{server}", "echo", &given, "-o", "json"])?)?;
    if finished.stdout.contains("Bearer ****") && !finished.stdout.contains("s3cret") {
        return Ok(());
    }
    Err(finished.story())
}

/// `head` reads a line of a megabyte's beginning and goes.
fn pipe(scene: &Scene) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.args(["-c", "{ \"$@\"; echo \"code $?\" >&2; } | head -c 10", "sh"]).arg(&scene.program);
    scene.isolate(&mut command);
    command.args(["call", "big", "bytes:=4000000", "--"]).arg(&scene.built.example_server);
    let finished = process::run(&mut command, LIMIT, &scene.folder.join("pipe"))?;
    if finished.stdout == "xxxxxxxxxx" && finished.stderr == "code 0\n" {
        return Ok(());
    }
    Err(finished.story())
}

fn saved(scene: &Scene) -> Result<(), String> {
    let folder = scene.folder.join("saved");
    let _ = std::fs::remove_dir_all(&folder);
    succeeded(
        scene.run("saved", &["read", "{server}", "demo://logo", "--save", &folder.display().to_string()])?,
    )?;
    let bytes =
        std::fs::read(folder.join("logo.png")).map_err(|error| format!("cannot read logo.png: {error}"))?;
    if bytes.starts_with(b"\x89PNG") { Ok(()) } else { Err("logo.png is no PNG".to_owned()) }
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
    succeeded(process::run(Command::new(strip).arg(&copy), LIMIT, &scene.folder.join("strip"))?)?;
    let bytes = std::fs::metadata(&copy).map_err(|error| error.to_string())?.len();
    println!("  program: {bytes} bytes");
    if bytes <= MOST_BYTES { Ok(()) } else { Err(format!("{} bytes too many", bytes - MOST_BYTES)) }
}
