//! The arguments of the commands that watch, compare and measure a server.

use super::Place;
use super::common::seconds;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// How long notifications are shown.
#[derive(Args, Debug)]
pub struct Watch {
    #[command(flatten)]
    pub place: Place,
    /// End after so many
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// End after so many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub duration: Option<std::time::Duration>,
}

/// The arguments of `log`.
#[derive(Args, Debug)]
pub struct Log {
    #[command(flatten)]
    pub watch: Watch,
    /// The least level that the server sends
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = LEVELS)]
    pub level: String,
}

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The arguments of `snapshot`.
#[derive(Args, Debug)]
pub struct Snapshot {
    #[command(flatten)]
    pub place: Place,
    /// Write it into this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub into: Option<PathBuf>,
}

/// The arguments of `test`.
#[derive(Args, Debug)]
pub struct Test {
    /// The file with the calls
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub place: Place,
}

/// The arguments of `trace`.
#[derive(Args, Debug)]
pub struct Trace {
    #[command(flatten)]
    pub place: Place,
    /// Show each message as indented JSON instead of the beginning of its text; -v does so, too
    #[arg(long)]
    pub full: bool,
    /// Send the arguments as they are, also those that the tool's schema does not allow
    #[arg(long)]
    pub no_check: bool,
    /// Write it into this file instead, as JSON lines, which `mcp replay` plays: messages, exchanges of HTTP, standard error. Only this
    /// user may read it; at the end of a trace that is there
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub to: Option<PathBuf>,
    /// Write it into this file instead, as the page of `mcp inspect`, which a browser opens without a server. Only this user may read it
    #[cfg(feature = "page")]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
}

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// The file of `mcp trace --to` or `mcp bridge --trace`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub place: Place,
}

/// The arguments of `bench`.
#[derive(Args, Debug)]
pub struct Bench {
    #[command(flatten)]
    pub place: Place,
    /// All arguments as one JSON object, as for `call`
    #[arg(long, value_name = "JSON")]
    pub json: Option<String>,
    /// How many calls, after the warm-up
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub calls: u32,
    /// How many calls that are not counted come first
    #[arg(long, default_value_t = 10, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub warm_up: u32,
    /// How many calls are under way at the same time
    #[arg(short, long, default_value_t = 1, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub parallel: u32,
    /// Draw the distribution into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
}

/// The arguments of `inspect`.
#[cfg(feature = "page")]
#[derive(Args, Debug)]
pub struct Inspect {
    /// The servers, or a file of `trace --to`, unless a command is given behind `--`; without any, all configured servers
    #[command(flatten)]
    pub place: Place,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// The port of the page; without it, one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
}

/// The arguments of `dev`.
#[cfg(feature = "page")]
#[derive(Args, Debug)]
pub struct Dev {
    /// Files that are watched, too, such as 'src/**/*.py'; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub watch: Vec<String>,
    /// What is run before the server is started again, split as a shell does; where it fails, the server stays as it is
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// The URL at which the command serves; without it, the server speaks over its standard streams
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Serve no page: what happens is written to standard error
    #[arg(long, conflicts_with = "port")]
    pub no_page: bool,
    /// Be this server for the program that starts `mcp dev`, which stays connected while the server is started again
    #[arg(long, conflicts_with_all = ["url", "no_page", "port"])]
    pub stdio: bool,
    /// Start the server on these standard streams, and end with it when its files change; the file has what the next start has to know
    #[arg(long, hide = true, value_name = "FILE")]
    pub until_change: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// The port of the page; without it, one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The command that starts the server, with its arguments
    #[arg(last = true, required = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
}
