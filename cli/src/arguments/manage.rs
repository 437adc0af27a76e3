//! The commands below `tasks` and `config`.

use super::{Place, Read, Servers};
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// The commands below `tasks`.
#[derive(Debug, Subcommand)]
pub enum Tasks {
    /// List the tasks of a server (2025-11-25 only)
    #[command(after_help = "Example:\n  mcp tasks list research")]
    List(Place),
    /// Show the state of a task
    #[command(
        override_usage = "mcp tasks get [OPTIONS] TARGET TASK\n       mcp tasks get [OPTIONS] TASK -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp tasks get research 7f3a"
    )]
    Get(Place),
    /// Wait for the result of a task, and write it as `call` does
    #[command(
        override_usage = "mcp tasks wait [OPTIONS] TARGET TASK\n       mcp tasks wait [OPTIONS] TASK -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp tasks wait --timeout 3600 research 7f3a"
    )]
    Wait(Read),
    /// Cancel a task
    #[command(
        override_usage = "mcp tasks cancel [OPTIONS] TARGET TASK\n       mcp tasks cancel [OPTIONS] TASK -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp tasks cancel research 7f3a"
    )]
    Cancel(Place),
}

/// The commands below `config`.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// List the servers that programs on this machine have configured: the same as `mcp servers`
    #[command(after_help = "Example:\n  mcp config list --files")]
    List(Servers),
    /// Copy servers into a file of this program, as they are written there
    ///
    /// Variables such as ${TOKEN} are copied as variables, and never their values. A secret that is written in full is copied, too, so
    /// only the owner may read the new file. A name that the file has already is left as it is. Without a name all servers are copied but
    /// those of the project; one of these is named, and must be approved.
    #[command(
        after_help = "Example:\n  mcp config import\n  mcp config import cursor:github --into .mcp.json"
    )]
    Import(Import),
    /// Say what of the files with servers does not work: their syntax, programs and variables that are missing, equal names, keys that
    /// change nothing. The exit code is 6 if there is something
    #[command(after_help = "Example:\n  mcp config check\n  mcp config check --connect -o json")]
    Check(Check),
    /// Approve servers that files of this project name
    ///
    /// Such a file may be written by others. Its servers are started or reached only after this command, or a question at the
    /// terminal, has shown the whole entry and the person has approved it. A changed entry must be approved again. At a terminal each entry is
    /// a question; without one an entry that is named is approved.
    #[command(
        after_help = "Example:\n  mcp config trust\n  mcp config trust build-tools\n  mcp config trust --revoke build-tools"
    )]
    Trust(Trust),
}

/// The arguments of `add`.
#[derive(Args, Debug)]
pub struct Add {
    /// The name of the server; alone, that of one of the registry, such as io.github.owner/name or io.github.owner/name@1.0.0
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its URL, or a command line in one word
    #[arg(value_name = "URL")]
    pub server: Option<String>,
    /// The command that starts it, with its arguments
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
    /// The program whose file is changed, such as cursor, or project for `.mcp.json`; without it the file of this program
    #[arg(long, value_name = "SOURCE")]
    pub to: Option<String>,
    /// Only show the change
    #[arg(long)]
    pub dry_run: bool,
    /// Write secrets as they are, into the file of this program alone
    #[arg(long)]
    pub literal: bool,
    /// The registry; without it that of the project, `registry.modelcontextprotocol.io`
    #[arg(long, value_name = "URL")]
    pub registry: Option<String>,
    /// The name that a server of the registry gets; without it the part behind the slash
    #[arg(long = "as", value_name = "NAME")]
    pub rename: Option<String>,
    /// Write a server of the registry without a question; values come from --input
    #[arg(long)]
    pub yes: bool,
}

/// The arguments of `remove`.
#[derive(Args, Debug)]
pub struct Remove {
    /// The name of the server, or SOURCE:NAME
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The program whose file is changed; without it this one
    #[arg(long, value_name = "SOURCE")]
    pub from: Option<String>,
    /// Only show the change
    #[arg(long)]
    pub dry_run: bool,
}

/// The argument of `config check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Connect to each server, too
    #[arg(long)]
    pub connect: bool,
}

/// The arguments of `config trust`.
#[derive(Args, Debug)]
pub struct Trust {
    /// Only these servers of the project, as NAME or project:NAME; without one, all of them
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Take the approval back
    #[arg(long)]
    pub revoke: bool,
}

/// The arguments of `config import`.
#[derive(Args, Debug)]
pub struct Import {
    /// Only these servers, as NAME or SOURCE:NAME
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The file, of the form {"mcpServers": {…}}; without it `libmcp/servers.json` in the folder of configurations, which every
    /// command reads
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub into: Option<PathBuf>,
}
