//! The program `mcp` as scripts use it: the output of every command beside golden files.
//!
//! A golden file in `golden` holds command lines, each with what comes of it; what follows in one file may build on what came before, which
//! is why it is a shell that runs them, in which `mcp` is the program. `{server}` is the example server, `{scripted}` the misbehaving one,
//! `{program}` the program, `{home}` a home with configured servers; the current folder is below that and has a `.mcp.json`. Behind `# timed`
//! the output has times, of which only the unit is compared. `MCP_GOLDEN_WRITE=1` writes what comes of the lines; a new case is a file with
//! its lines.
//!
//! ```sh
//! cargo xtask prefix && . target/prefix/env
//! cargo test -p mcp-cli --test golden NAME
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

/// What the machine has configured, and the program does not look at here.
const NOT_OF_THE_MACHINE: [&str; 13] = [
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
    "CLICOLOR",
    "CLICOLOR_FORCE",
];

/// A golden file whose program hangs would hold up all.
const LIMIT: &str = "60";

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Files may use what those before them have made.
    arguments.test_threads = Some(1);
    match Scene::new().and_then(|scene| scene.trials()) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("the golden files cannot be compared: {why}");
            ExitCode::FAILURE
        }
    }
}

/// What the command lines meet.
#[derive(Clone)]
struct Scene {
    program: PathBuf,
    /// The folder of the program as `mcp`, before the machine's.
    path: OsString,
    server: String,
    scripted: String,
    home: PathBuf,
}

impl Scene {
    fn new() -> Result<Self, String> {
        let server = |name: &str| {
            let hint = "`cargo xtask prefix && . target/prefix/env` builds the servers and sets it";
            std::env::var(name).map_err(|_| format!("{name} is not set: {hint}"))
        };
        let program = std::env::var_os("MCP_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_mcp").into());
        let program = PathBuf::from(program);
        let folder = program.parent().ok_or("the program is in no folder")?;
        let machine = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&machine));
        let scene = Self {
            path: std::env::join_paths(folders).map_err(|error| format!("PATH: {error}"))?,
            program,
            server: server("MCP_EXAMPLE_SERVER")?,
            scripted: server("MCP_SCRIPTED_SERVER")?,
            home: Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-golden/home"),
        };
        scene.furnish().map_err(|error| format!("{}: {error}", scene.home.display()))?;
        Ok(scene)
    }

    /// A home and a project with servers of several programs, without what an earlier run imported and approved.
    fn furnish(&self) -> std::io::Result<()> {
        if self.home.exists() {
            std::fs::remove_dir_all(&self.home)?;
        }
        let mut folders = vec![PathBuf::from("home")];
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(kept.join(&folder))? {
                let from = entry?.path();
                let place = folder.join(from.file_name().unwrap_or_default());
                if from.is_dir() {
                    folders.push(place);
                    continue;
                }
                let to = self.home.with_file_name(&place);
                std::fs::create_dir_all(to.parent().unwrap_or(&to))?;
                std::fs::write(to, std::fs::read_to_string(from)?.replace("{server}", &self.server))?;
            }
        }
        let snapshot = self.shell(&self.words("mcp snapshot {server} --into {home}/same.json")).output()?;
        if snapshot.status.success() { Ok(()) } else { Err(std::io::Error::other(format!("{snapshot:?}"))) }
    }

    fn trials(&self) -> Result<Vec<Trial>, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<PathBuf> = files.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
        files.sort();
        if files.len() < 100 {
            return Err("the golden files of the program are not there".to_owned());
        }
        let trial = |file: PathBuf| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let scene = self.clone();
            Trial::test(name, move || scene.compare(&file))
        };
        Ok(files.into_iter().map(trial).collect())
    }

    fn words(&self, line: &str) -> String {
        line.replace("{server}", &self.server)
            .replace("{scripted}", &self.scripted)
            .replace("{home}", &self.home.display().to_string())
            .replace("{program}", &self.program.display().to_string())
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("timeout");
        command.args([LIMIT, "sh", "-c", line]).stdin(std::process::Stdio::null());
        for name in NOT_OF_THE_MACHINE {
            command.env_remove(name);
        }
        command.env_remove("LD_LIBRARY_PATH").env_remove("DYLD_FALLBACK_LIBRARY_PATH");
        command.env("XDG_RUNTIME_DIR", self.home.join("run")).env("HOME", &self.home);
        command.env("PATH", &self.path).env("TERM", "xterm").current_dir(self.home.join("project"));
        command
    }

    /// Runs the command lines of a golden file and looks whether they write what it says.
    fn compare(&self, file: &Path) -> Result<(), Failed> {
        let wanted = std::fs::read_to_string(file)?;
        let mut seen = String::new();
        let mut is_first = true;
        for line in wanted.lines() {
            if let Some(line) = line.strip_prefix("$ ").filter(|_| is_first) {
                seen.push_str(&self.comes_of(line)?);
            }
            is_first = line.starts_with("--- exit code ");
        }
        if std::env::var_os("MCP_GOLDEN_WRITE").is_some() {
            std::fs::write(file, &seen)?;
        }
        let kept = snapbox::Data::read_from(file, None).raw();
        let compared = snapbox::Assert::new().try_eq(Some(&file.display()), seen.into(), kept);
        compared.map_err(|differs| format!("{differs}\nMCP_GOLDEN_WRITE=1 writes the file again").into())
    }

    /// A command line with what it writes, as a golden file has it.
    fn comes_of(&self, line: &str) -> Result<String, Failed> {
        let output = self.shell(&self.words(line)).output()?;
        let code = output.status.code().ok_or_else(|| format!("{line} ended with {}", output.status))?;
        if code == 124 {
            return Err(format!("{line} did not end within {LIMIT} s").into());
        }
        let neutral = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes)
                .replace(&self.server, "{server}")
                .replace(&self.home.display().to_string(), "{home}")
                .replace('\u{1b}', "<ESC>");
            // Process ids and times differ from run to run.
            let text = without_numbers(&text, &["pid ", "\"elapsed_ms\":"], char::is_ascii_digit);
            if line.ends_with("# timed") { without_times(&text) } else { text }
        };
        let (stdout, stderr) = (neutral(&output.stdout), neutral(&output.stderr));
        if stdout.contains("s3cret") || stderr.contains("s3cret") {
            return Err(format!("it shows a secret:\n{stdout}\n{stderr}").into());
        }
        Ok(format!("$ {line}\n{stdout}--- standard error\n{stderr}--- exit code {code}\n"))
    }
}

/// The text with N for each number behind one of these words; `is_part` says what a number is made of.
fn without_numbers(text: &str, words: &[&str], is_part: fn(&char) -> bool) -> String {
    words.iter().fold(text.to_owned(), |text, word| {
        let mut parts = text.split(word);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| is_part(&c));
            out.extend([*word, if rest.len() < part.len() { "N" } else { "" }, rest]);
        }
        out
    })
}

/// The text with N for each time: a number before `ms`, or behind a key that says so.
fn without_times(text: &str) -> String {
    let is_part = |c: &char| c.is_ascii_digit() || *c == '.';
    let keys = ["\"ms\":", "\"milliseconds\": ", "\"milliseconds\":", "ms: "];
    let text = without_numbers(text, &keys, is_part);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(" ms") {
            let before = rest[..at].trim_end_matches(|c: char| is_part(&c));
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
