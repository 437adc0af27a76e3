//! The program `mcp`: what curl is to libcurl.
//!
//! Results go to standard output, everything else to standard error. `docs/reference/cli.md` has every command.
//!
//! The files:
//!
//! * `arguments`: the command line
//! * `target`: which server it means
//! * `servers`: servers that other programs have configured
//! * `session`: a connection for the time of one command
//! * `login`: where logins are kept, and what they ask
//! * `folders`: folders and files of this program
//! * `known`: what is known of servers from earlier commands, for completion
//! * `questions`: what servers ask the person
//! * `sampling`: what servers ask a model
//! * `progress`: spinners and bars
//! * `values`: arguments of tools from words
//! * `variables`: variables of the environment that others may not set
//! * `checked`: arguments of tools against their schemas
//! * `signature`: schemas as signatures
//! * `content`: contents of results for people
//! * `redact`: messages without secrets
//! * `recording`: files of what was spoken
//! * `output`: standard output: tables, JSON, names, colours
//! * `failure`: exit codes and error texts
//! * `commands`: the commands
//! * `listen`: where the two below offer what they have
//! * `session_daemon`: connections that outlive a command
//! * `serve`: programs as tools, from a file
//! * `bridge`: servers offered in other revisions and over other transports
//! * `inspect`: servers on a page of this machine, in a browser
//! * `run`: a program that reaches allowed tools and no credentials
//! * `generate`: typed functions for the tools of a server
//! * `init`: new servers from templates
//! * `bundle`: servers in one file (`.mcpb`)
//! * `registry`: registries of servers
//! * `settings`: what a bundle or a registry asks for a server
//! * `telemetry`: spans and metrics of this program, to a collector
//! * `shape`: the form of documents of others

#![forbid(unsafe_code)]

mod arguments;
mod bridge;
mod bundle;
mod checked;
mod commands;
mod content;
mod failure;
mod folders;
mod generate;
mod group;
mod init;
#[cfg(feature = "page")]
mod inspect;
mod known;
mod listen;
mod login;
mod ordered;
mod output;
mod progress;
mod questions;
mod recording;
mod redact;
mod registry;
mod run;
mod sampling;
mod serve;
mod servers;
mod session;
mod session_daemon;
mod settings;
mod shape;
mod signature;
mod store;
mod target;
mod telemetry;
mod values;
mod variables;

use crate::arguments::{Arguments, Format};
use crate::failure::Failure;
use crate::output::{ERROR, Screen, styled, text};
use crate::telemetry::Telemetry;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::var_os("COMPLETE").is_some() {
        // A shell asks what may stand at the end of a line; this ends the program.
        clap_complete::CompleteEnv::with_factory(Arguments::command).complete();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => match (error.kind(), overview()) {
            (
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand,
                Some(arguments),
            ) => arguments,
            _ => return misused(&error),
        },
    };
    let format = arguments.common.output.format();
    let telemetry = Telemetry::begin();
    let ended = commands::run(arguments);
    if let Some(telemetry) = telemetry {
        telemetry.end();
    }
    // What threads still have at work, such as a build, is not left behind.
    group::end();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failed(&failure, format),
    }
}

/// Help and version are results; everything else is a wrong command line, which is 1 and not clap's 2.
fn misused(error: &clap::Error) -> ExitCode {
    let is_result = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_result || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // A reader that has seen enough of the help is not a failure.
        if let Err(error) = error.print()
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            return failed(
                &Failure::machine(format!("cannot write to standard output: {error}")),
                Format::Text,
            );
        }
        return if is_result { ExitCode::SUCCESS } else { ExitCode::from(failure::OTHER) };
    }
    let format = if wants_json() { Format::Json } else { Format::Text };
    if let Some(advice) = argument_as_option(error) {
        return failed(&Failure::usage(advice), format);
    }
    let text = error.render().to_string();
    failed(&Failure::usage(complaint(&text)), format)
}

/// What is wrong with a command line in the style of all other messages: what is wrong, a hint, and how it is written.
fn complaint(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split("\n\n").filter(|part| !part.starts_with("For more information")) {
        let words = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.strip_prefix("error: ").unwrap_or(&words);
        let words = words.strip_prefix("tip: ").unwrap_or(words);
        // Behind `--` stands the command of a server.
        if words.starts_with("to pass '") && words.contains("as a value, use '-- ") {
            continue;
        }
        if let Some(usage) = words.strip_prefix("Usage: ") {
            // Of several ways to write it one is enough.
            let usage =
                part.lines().next().and_then(|line| line.split_once("Usage: ")).map_or(usage, |(_, it)| it);
            parts.push(match usage.trim() {
                // Which command was meant is the question.
                "mcp [OPTIONS] <COMMAND>" => "`mcp --help` lists the commands".to_owned(),
                usage => format!("write {usage}"),
            });
        } else if !words.is_empty() {
            parts.push(words.to_owned());
        }
    }
    parts.join("; ")
}

/// The command line of `mcp` alone, or with options alone, in a terminal: it shows the configured servers.
fn overview() -> Option<Arguments> {
    use std::io::IsTerminal as _;
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let is_command = |word: &std::ffi::OsString| {
        let command = Arguments::command();
        command
            .get_subcommands()
            .any(|one| word == one.get_name() || one.get_all_aliases().any(|name| word == name))
    };
    if !std::io::stdout().is_terminal() || words.iter().skip(1).any(is_command) {
        return None;
    }
    Arguments::try_parse_from(words.into_iter().chain(["list".into()])).ok()
}

/// The commands whose last words are arguments of a tool or prompt.
const TAKE_ARGUMENTS: [&str; 5] = ["call", "get", "prompt", "bench", "trace"];

/// Other programs have an option for each argument of a tool: what to write here.
fn argument_as_option(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let ContextValue::String(option) = error.get(ContextKind::InvalidArg)? else { return None };
    let words = words();
    let command = words.iter().find(|word| TAKE_ARGUMENTS.contains(&word.as_str()))?;
    // The parser names the option without its value.
    let whole = words.iter().find(|word| word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')));
    let option = whole.unwrap_or(option);
    let name = option.strip_prefix("--").filter(|name| !name.is_empty())?;
    let near = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(near)) => format!(" (did you mean '{near}'?)"),
        _ => String::new(),
    };
    let (name, value) = match name.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => {
            let next = words.iter().skip_while(|word| *word != option).nth(1);
            (name, next.filter(|next| !next.starts_with('-')).cloned())
        }
    };
    let value = value.unwrap_or_else(|| "VALUE".to_owned());
    Some(format!(
        "`mcp {command}` has no option '--{name}'{near}; an argument is written NAME=VALUE: {name}={value}"
    ))
}

/// The words of the command line before `--`.
fn words() -> Vec<String> {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    words.take_while(|word| word != "--").collect()
}

/// Whether a command line that could not be read asks for JSON.
fn wants_json() -> bool {
    let words = words();
    words.iter().any(|word| matches!(word.as_str(), "-ojson" | "-o=json" | "--output=json"))
        || words.windows(2).any(|pair| matches!(pair[0].as_str(), "-o" | "--output") && pair[1] == "json")
}

fn failed(failure: &Failure, format: Format) -> ExitCode {
    match format {
        _ if failure.is_told => {}
        Format::Json | Format::Yaml => Screen::note_json(&failure.json()),
        _ => Screen::note(text![styled(ERROR, "mcp:"), " ", failure.text()]),
    }
    ExitCode::from(failure.exit)
}
