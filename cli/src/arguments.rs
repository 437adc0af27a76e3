//! The command line: every command and option, with the texts of help, manual pages and completion.

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Use servers of the Model Context Protocol from a terminal, a script or an agent.
///
/// A TARGET is the name of a configured server (`mcp servers` lists them), a URL, a socket (`unix:PATH`, `tcp:HOST:PORT`), a
/// program (a path, or a command line in one word), or a command behind `--`.
#[derive(Debug, Parser)]
#[command(name = "mcp", version, max_term_width = 100, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "\
Examples:
  mcp tools https://example.com/mcp
  mcp call github create_issue title='It fails' labels:='[\"bug\"]'
  mcp call add a=1 b=2 -- ./my-server --verbose

Exit codes:
  0    success
  1    wrong arguments, or a failure without a code of its own
  3    authorization is needed
  4    the server was not reached, or did not answer in time
  5    the tool reported an error
  130  interrupted";

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// How results are written: for people, as JSON, or only the names of a list
    #[arg(short, long, global = true, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub output: Format,
    /// How long the connection, and then each call, may take; 0 means without a limit
    #[arg(long, global = true, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// A header for requests to a URL; may be given several times
    #[arg(short = 'H', long = "header", global = true, value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// A variable for a server that is started: NAME=VALUE, or NAME for the value that it has here
    #[arg(short = 'e', long = "env", global = true, value_name = "NAME[=VALUE]")]
    pub environment: Vec<String>,
    /// The folder in which the server is started
    #[arg(long, global = true, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
    /// Read names of servers from this file only
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// The revisions that may be spoken: auto, legacy, modern, or one such as 2025-06-18
    #[arg(long, global = true, value_name = "REVISION", default_value = "auto")]
    pub protocol: String,
    /// Show what the server writes to standard error and what the library does; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// JSON as the server sent it, indented
    Json,
    /// One name a line
    Names,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the tools of a server, or show one
    #[command(
        override_usage = "mcp tools [OPTIONS] TARGET [TOOL]\n       mcp tools [OPTIONS] [TOOL] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp tools https://example.com/mcp\n  mcp tools github create_issue\n  mcp tools github --search 'create issue'"
    )]
    Tools(crate::generate::Tools),
    /// Call a tool
    ///
    /// Arguments are `name=value`, read as the type that the tool's schema says; `name:=JSON`; `name=@FILE` for the text of a
    /// file and `name:=@FILE` for JSON in a file. `@@` begins a value that begins with `@`.
    #[command(
        override_usage = "mcp call [OPTIONS] TARGET TOOL [NAME=VALUE]...\n       mcp call [OPTIONS] TOOL [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp call github create_issue title='It fails' labels:='[\"bug\"]'\n  \
                      echo '{\"a\":1,\"b\":2}' | mcp call add --json - -- ./my-server"
    )]
    Call(Call),
    /// List the resources of a server and its templates
    #[command(
        override_usage = "mcp resources [OPTIONS] TARGET\n       mcp resources [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp resources -o names https://example.com/mcp"
    )]
    Resources(Place),
    /// Read a resource
    #[command(
        override_usage = "mcp read [OPTIONS] TARGET URI\n       mcp read [OPTIONS] URI -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp read notes note://today\n  mcp read --save . gallery image://logo"
    )]
    Read(Read),
    /// List the prompts of a server, or show one
    #[command(
        override_usage = "mcp prompts [OPTIONS] TARGET [PROMPT]\n       mcp prompts [OPTIONS] [PROMPT] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp prompts https://example.com/mcp"
    )]
    Prompts(Place),
    /// Get a prompt, filled in
    #[command(
        override_usage = "mcp prompt [OPTIONS] TARGET PROMPT [NAME=VALUE]...\n       mcp prompt [OPTIONS] PROMPT [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp prompt github review number=42"
    )]
    Prompt(Read),
    /// Say what a server is and which capabilities it has
    #[command(
        override_usage = "mcp info [OPTIONS] TARGET\n       mcp info [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp info https://example.com/mcp"
    )]
    Info(Place),
    /// Measure how long a server takes to answer
    #[command(
        override_usage = "mcp ping [OPTIONS] TARGET\n       mcp ping [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp ping --count 5 https://example.com/mcp"
    )]
    Ping(Ping),
    /// List the servers that programs on this machine have configured
    ///
    /// Read are the files of this project and of this user: .mcp.json, Claude Code, Claude Desktop, Cursor, VS Code, Windsurf,
    /// Codex, Gemini and Zed. Values of variables and headers, and what looks like a secret, are masked.
    #[command(after_help = "Example:\n  mcp servers\n  mcp servers -o json | jq '.servers[].name'")]
    Servers(Servers),
    /// Log in to a server with a browser, and keep the login
    #[command(
        after_help = "Example:\n  mcp login https://example.com/mcp\n  mcp login --no-browser https://example.com/mcp"
    )]
    Login(Login),
    /// Forget the login to a server, here and at its authorization server
    #[command(after_help = "Example:\n  mcp logout https://example.com/mcp")]
    Logout(Logout),
    /// Use a server interactively, with completion of tools and arguments
    #[command(
        override_usage = "mcp shell [OPTIONS] TARGET\n       mcp shell [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp shell github"
    )]
    Shell(Place),
    /// Write typed functions for the tools of a server
    ///
    /// The folder gets a module for the server with a file for each tool, an index with one line for each tool, and SKILL.md for
    /// agents that write code.
    #[command(
        override_usage = "mcp generate [OPTIONS] LANGUAGE TARGET --into FOLDER\n       mcp generate [OPTIONS] LANGUAGE --into FOLDER -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp generate typescript --into src/tools https://example.com/mcp\n  \
                      mcp generate python --check --into tools github"
    )]
    Generate(crate::generate::Generate),
    /// Write a script that completes commands and options for a shell
    #[command(
        after_help = "Example:\n  mcp completion bash > ~/.local/share/bash-completion/completions/mcp"
    )]
    Completion(Completion),
    /// Write the manual pages into a folder, or that of one command to standard output
    #[command(
        after_help = "Example:\n  mcp manual call | man -l -\n  mcp manual --into /usr/local/share/man/man1"
    )]
    Manual(Manual),
}

/// A server, and what of it.
#[derive(Args, Debug)]
pub struct Place {
    /// The server, unless a command is given behind `--`; and the name of what is to be shown
    #[arg(value_name = "TARGET")]
    pub words: Vec<String>,
    /// The command that starts the server, with its arguments
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
}

/// The arguments of `call`.
#[derive(Args, Debug)]
pub struct Call {
    #[command(flatten)]
    pub place: Place,
    /// All arguments as one JSON object: the text, `@FILE`, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub json: Option<String>,
    /// Save images, audio and files of the result into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub save: Option<PathBuf>,
    /// Answers to what the server asks, a JSON object by the names of the form; `@FILE` and `-` as above. Without it and
    /// without a terminal, questions are declined
    #[arg(long, value_name = "JSON")]
    pub answers: Option<String>,
}

/// The arguments of `read` and `prompt`.
#[derive(Args, Debug)]
pub struct Read {
    #[command(flatten)]
    pub place: Place,
    /// Save binary contents into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub save: Option<PathBuf>,
}

/// The arguments of `ping`.
#[derive(Args, Debug)]
pub struct Ping {
    #[command(flatten)]
    pub place: Place,
    /// How many times
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: u32,
}

/// The arguments of `servers`.
#[derive(Args, Debug)]
pub struct Servers {
    /// Only this server, with its command or URL in full
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Show the files that were looked for, too
    #[arg(long)]
    pub files: bool,
}

/// The arguments of `login`.
#[derive(Args, Debug)]
pub struct Login {
    /// A URL, or the name of a configured server with one
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Only print the URL, and read the URL to which the browser was redirected from standard input
    #[arg(long)]
    pub no_browser: bool,
    /// A scope to ask for; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    pub scopes: Vec<String>,
}

/// The argument of `logout`.
#[derive(Args, Debug)]
pub struct Logout {
    /// A URL, or the name of a configured server with one
    #[arg(value_name = "TARGET")]
    pub target: String,
}

/// The argument of `completion`.
#[derive(Args, Debug)]
pub struct Completion {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// The arguments of `manual`.
#[derive(Args, Debug)]
pub struct Manual {
    /// The command; without one, the page of the program
    pub command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub into: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let invalid = || format!("'{text}' is no number of seconds, such as 2.5");
    let seconds: f64 = text.parse().map_err(|_| invalid())?;
    if !(0.0..=86_400.0).contains(&seconds) {
        return Err(format!("'{text}' is not between 0 and 86400 seconds"));
    }
    std::time::Duration::try_from_secs_f64(seconds).map_err(|_| invalid())
}
