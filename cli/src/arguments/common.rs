//! What every command takes: formats, times, and what is said of the connection.

use clap::{Args, ValueEnum, ValueHint};
use mcp::client::without_passwords;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// How results are written: for people, as JSON or YAML, or only the names of a list; `doctor` and `test` also write
    /// `junit`, and `doctor` writes `sarif`
    #[arg(short, long, global = true, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    pub output: Output,
    /// How long the connection, and then each call, may take; 0 means without a limit. Without it, what the
    /// configuration of the server says, else 60, and 300 for the start by a program that may download first, such as npx, uvx or docker
    #[arg(long = "timeout", global = true, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub given_timeout: Option<Duration>,
    /// How often a server that is not reached is tried again, after 0.5 s, 1 s, 2 s, … A call is never sent twice
    #[arg(long, global = true, value_name = "TIMES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=20))]
    pub retry: u32,
    /// A header for requests to a URL; may be given several times
    ///
    /// Where there are several servers it is SERVER:NAME: VALUE, and goes to the one that is called so.
    #[arg(short = 'H', long = "header", global = true, value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// A variable for a server that is started: NAME=VALUE, or NAME for the value that it has here
    ///
    /// Where there are several servers it is SERVER:NAME=VALUE or SERVER:NAME.
    #[arg(short = 'e', long = "env", global = true, value_name = "NAME[=VALUE]")]
    pub environment: Vec<String>,
    /// The folder in which the server is started
    #[arg(long, global = true, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
    /// Read names of servers from this file only
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// A value that the entry of a configured server asks the person for, as `${input:ID}`; may be given several times
    ///
    /// SERVER:ID=VALUE is for the server that the command line calls so, which is needed where there are several.
    #[arg(long = "input", global = true, value_name = "ID=VALUE")]
    pub inputs: Vec<String>,
    /// The revisions that may be spoken: auto, legacy, modern, or one such as 2025-06-18
    #[arg(long, global = true, value_name = "REVISION", default_value = "auto")]
    pub protocol: String,
    /// A folder that a server may ask for (roots); may be given several times
    #[arg(long = "root", global = true, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub roots: Vec<PathBuf>,
    /// What a server gets that asks for the answer of a model (sampling): a text, `@FILE`, `ask` for a question at the terminal, or
    /// `exec:COMMAND`, which gets the request as JSON and writes the answer
    #[arg(long, global = true, value_name = "TEXT", value_parser = crate::sampling::parse)]
    pub sample: Option<crate::sampling::Sampling>,
    /// What a server is told that this program can do, too: `ui` for pages (MCP Apps), which are not shown
    #[arg(long, global = true, value_name = "WHAT", value_parser = ["ui"])]
    pub can: Vec<String>,
    /// A key of the configuration of the connection, such as `limits.frame_bytes=67108864`:
    /// `docs/reference/configuration.md` lists them. With `serve`, a key of the server:
    /// `docs/reference/server-configuration.md`
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The largest message of the server, such as 64M; 16M without it
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_message: Option<u64>,
    /// Take results of tools that do not fit their outputSchema
    #[arg(long, global = true)]
    pub no_validate: bool,
    /// Show what the server writes to standard error and what the library does; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// A day: the most that `--timeout` may be.
const MOST: Duration = Duration::from_secs(86_400);
/// What a connection and a call may take where the command line does not say.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The same for the start of a server by a program that may download it first.
const TIMEOUT_OF_DOWNLOADS: Duration = Duration::from_secs(300);
/// Such programs: by themselves, or with the first of their words.
const DOWNLOADERS: [(&str, &[&str]); 15] = [
    ("npx", &[]),
    ("uvx", &[]),
    ("pipx", &[]),
    ("bunx", &[]),
    ("dnx", &[]),
    ("docker", &[]),
    ("podman", &[]),
    ("go", &["run"]),
    ("cargo", &["run"]),
    ("uv", &["run", "tool"]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx", "exec"]),
    ("yarn", &["dlx"]),
    ("bun", &["x"]),
    ("deno", &["run"]),
];

impl Common {
    /// What a call may take where no server is configured; zero is without a limit.
    pub fn timeout(&self) -> Duration {
        self.given_timeout.unwrap_or(TIMEOUT)
    }

    /// What a call of the server of this configuration may take; zero is without a limit.
    pub fn call_timeout(&self, config: &Map<String, Value>) -> Duration {
        self.given_timeout.or_else(|| configured(config, "call_ms")).unwrap_or(TIMEOUT)
    }

    /// What a request of this method may take: what the configuration says of the method counts before what it says of all.
    pub fn method_timeout(&self, config: &Map<String, Value>, method: &str) -> Option<Duration> {
        let given = self.given_timeout.is_some();
        let millis =
            config.get("timeouts")?.get("methods")?.get(method)?.as_u64().filter(|millis| *millis > 0)?;
        (!given).then(|| Duration::from_millis(millis).min(MOST))
    }

    /// What the connection to the server of this configuration may take; zero is without a limit.
    pub fn start_timeout(&self, config: &Map<String, Value>) -> Duration {
        let (program, words) = command_line(config);
        let first = words.first().copied().unwrap_or_default();
        let downloads = DOWNLOADERS
            .iter()
            .any(|(name, words)| *name == program && (words.is_empty() || words.contains(&first)));
        let usual = if downloads { TIMEOUT_OF_DOWNLOADS } else { TIMEOUT };
        self.given_timeout.or_else(|| configured(config, "start_ms")).unwrap_or(usual)
    }
}

/// The name of the program that is started for a configuration, without folder and ending, and its words.
fn command_line(config: &Map<String, Value>) -> (&str, Vec<&str>) {
    let command = config.get("command").and_then(Value::as_str).unwrap_or_default();
    let program =
        command.rsplit(['/', '\\']).next().unwrap_or_default().split('.').next().unwrap_or_default();
    let words = config.get("args").and_then(Value::as_array).into_iter().flatten();
    (program, words.filter_map(Value::as_str).collect())
}

/// What a program that starts or reaches others is to start, where that program is the name of a server: `npx` says nothing. It ends at
/// the first option, whose value may be a secret.
pub fn started(config: &Map<String, Value>) -> Option<String> {
    let (program, words) = command_line(config);
    let many = match DOWNLOADERS.iter().find(|(name, _)| *name == program) {
        Some((_, with)) => {
            if with.is_empty() {
                1
            } else {
                2
            }
        }
        None if program == "mcp" => 2,
        None => return None,
    };
    let words = words.iter().filter(|word| !["-y", "--yes"].contains(word));
    let words: Vec<_> = words.take(many).take_while(|word| !word.starts_with('-')).collect();
    let words: Vec<_> = words.into_iter().map(|word| without_passwords(word)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A time that a configuration has, at most what `--timeout` may be. The library refuses one that is not a number.
fn configured(config: &Map<String, Value>, key: &str) -> Option<Duration> {
    let millis = config.get("timeouts")?.get(key)?.as_u64().filter(|millis| *millis > 0)?;
    Some(Duration::from_millis(millis).min(MOST))
}

/// What `--output` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people
    Text,
    /// JSON as the server sent it, indented
    Json,
    /// The same as YAML
    Yaml,
    /// One name a line
    Names,
    /// Findings in the form of SARIF 2.1.0
    Sarif,
    /// Findings as XML, which systems of continuous integration read
    Junit,
}

impl Output {
    /// The format that every command has; reports are the affair of the commands that write them.
    pub fn format(self) -> Format {
        match self {
            Output::Text | Output::Sarif | Output::Junit => Format::Text,
            Output::Json => Format::Json,
            Output::Yaml => Format::Yaml,
            Output::Names => Format::Names,
        }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Yaml,
    Names,
}

impl Format {
    /// Whether a program reads the result.
    pub fn is_data(self) -> bool {
        matches!(self, Format::Json | Format::Yaml)
    }
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let invalid = || format!("'{text}' is not a number of seconds, such as 2.5");
    let seconds: f64 = text.parse().map_err(|_| invalid())?;
    if !(0.0..=MOST.as_secs_f64()).contains(&seconds) {
        return Err(format!("'{text}' is not between 0 and {} seconds", MOST.as_secs()));
    }
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| invalid())?;
    // 0 is no limit, and a fraction of the unit would be taken for it.
    if seconds > 0.0 && time < Duration::from_millis(1) {
        return Err(format!("'{text}' is less than a millisecond, the shortest time: write 0.001"));
    }
    Ok(time)
}

/// A number of bytes, with K, M or G behind it for 1024, 1024² and 1024³.
fn size(text: &str) -> Result<u64, String> {
    let invalid = || format!("'{text}' is not a number of bytes, such as 1000000 or 64M");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 0,
        "k" | "kib" => 1,
        "m" | "mib" => 2,
        "g" | "gib" => 3,
        _ => return Err(invalid()),
    };
    let number: u64 = digits.parse().map_err(|_| invalid())?;
    number.checked_mul(1024_u64.pow(power)).ok_or_else(invalid)
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;
    use clap::Parser as _;
    use serde_json::json;

    #[test]
    fn c18_a_time_that_the_library_would_take_for_none_is_refused_in_words_of_the_option() {
        for text in ["0", "0.001", "2.5"] {
            assert!(seconds(text).is_ok(), "{text}");
        }
        for (text, why) in [
            ("0.0001", "less than a millisecond"),
            ("1e-300", "less than a millisecond"),
            ("-1", "not between"),
            ("x", "not a number"),
            ("NaN", "not between"),
        ] {
            let said = seconds(text).expect_err("refused");
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn what_may_download_has_more_time_to_start() {
        let of = |options: &[&str], command: &str, args: &[&str]| {
            let line = ["mcp", "completion", "bash"].iter().chain(options);
            let common = Arguments::try_parse_from(line).expect("options").common;
            let config = json!({"command": command, "args": args});
            common.start_timeout(config.as_object().expect("an object")).as_secs()
        };
        for (command, args, seconds) in [
            ("npx", &["-y", "x"][..], 300),
            ("/usr/bin/docker", &["run"], 300),
            ("npx.cmd", &[], 300),
            ("go", &["run", "."], 300),
            ("go", &["version"], 60),
            ("./server", &[], 60),
        ] {
            assert_eq!(of(&[], command, args), seconds, "{command}");
            assert_eq!(of(&["--timeout", "7"], command, args), 7, "{command}");
        }
        let unreached = Arguments::try_parse_from(["mcp", "ping", "https://x/"]).expect("options").common;
        assert_eq!(unreached.start_timeout(&Map::new()), TIMEOUT);
    }

    #[test]
    fn times_of_a_configuration_count_where_the_command_line_gives_none() {
        let of = |options: &[&str], timeouts: Value| {
            let line = ["mcp", "completion", "bash"].iter().chain(options);
            let common = Arguments::try_parse_from(line).expect("options").common;
            let config = json!({"command": "npx", "timeouts": timeouts});
            let config = config.as_object().expect("an object");
            [common.call_timeout(config), common.start_timeout(config)].map(|time| time.as_millis())
        };
        assert_eq!(of(&[], json!({})), [60_000, 300_000]);
        assert_eq!(of(&[], json!({"call_ms": 2500})), [2500, 300_000]);
        assert_eq!(of(&[], json!({"start_ms": 20_000})), [60_000, 20_000]);
        assert_eq!(of(&[], json!({"call_ms": 0, "start_ms": "x"})), [60_000, 300_000]);
        assert_eq!(of(&[], json!({"call_ms": 31_536_000_000_u64})), [86_400_000, 300_000]);
        let both = json!({"call_ms": 2500, "start_ms": 20_000});
        assert_eq!(of(&["--timeout", "7"], both.clone()), [7000, 7000]);
        assert_eq!(of(&["--timeout", "0"], both), [0, 0]);
        let of_method = |options: &[&str], method: &str| {
            let line = ["mcp", "completion", "bash"].iter().chain(options);
            let common = Arguments::try_parse_from(line).expect("options").common;
            let config = json!({"timeouts": {"call_ms": 9000, "methods": {"tools/list": 5000}}});
            common.method_timeout(config.as_object().expect("an object"), method)
        };
        assert_eq!(of_method(&[], "tools/list"), Some(Duration::from_secs(5)));
        assert_eq!(of_method(&[], "tools/call"), None);
        assert_eq!(of_method(&["--timeout", "7"], "tools/list"), None);
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("1000", 1000), ("2K", 2048), ("64M", 64 << 20), ("1gib", 1 << 30)] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "x", "1T", "-1", "99999999999999999999", "99999999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn c13_what_is_not_ready_is_not_called_by_the_program_that_starts_it() {
        for (command, args, is) in [
            ("mcp", &["bridge", "memory", "--deny", "x"][..], Some("bridge memory")),
            ("/usr/bin/mcp", &["bridge", "--login", "https://h/"], Some("bridge")),
            ("npx.cmd", &["-y", "@a/server", "s3cret"], Some("@a/server")),
            ("uvx", &["--from", "git+https://u:p@h/x", "x"], None),
            ("uv", &["run", "https://u:p@h/x.py"], Some("run https://****@h/x.py")),
            ("server", &["s3cret"], None),
            ("mcp", &[], None),
        ] {
            let config = serde_json::json!({"command": command, "args": args});
            let said = started(config.as_object().expect("an object"));
            assert_eq!(said.as_deref(), is, "{command} {args:?}");
        }
    }
}
