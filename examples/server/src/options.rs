//! The command line: which eras to speak, how frames are cut, how long a list page is.

use std::fmt;

use crate::framing::Framing;

pub const USAGE: &str = "\
usage: mcp-example-server [--era both|legacy|modern] [--framing newline|content-length] [--page-size N]

A Model Context Protocol server over stdin and stdout, for demos and tests.

  --era both            (default) initialize handshake and 2026-07-28, in one process
  --era legacy          initialize only; server/discover is an unknown method
  --era modern          2026-07-28 only; initialize is refused
  --framing newline     (default) one message per line
  --framing content-length   a Content-Length header before each message
  --page-size N         cut every list into pages of N entries (default: one page)
  --help, --version";

/// What the process was asked to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    Serve(Options),
    Say(String),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    pub era: EraChoice,
    pub framing: Framing,
    pub page_size: Option<usize>,
}

/// The eras this process speaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EraChoice {
    Both,
    Legacy,
    Modern,
}

impl fmt::Display for EraChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "both",
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        })
    }
}

/// Reads the arguments after the program's name.
pub fn read(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut options = Options { era: EraChoice::Both, framing: Framing::Newline, page_size: None };
    let mut arguments = arguments;
    while let Some(name) = arguments.next() {
        // `--name=value` and `--name value` mean the same.
        let (name, inline) = match name.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (name, None),
        };
        let mut value = || inline.clone().or_else(|| arguments.next()).ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--help" | "-h" => return Ok(Command::Say(USAGE.to_owned())),
            "--version" => {
                return Ok(Command::Say(format!("mcp-example-server {}", env!("CARGO_PKG_VERSION"))));
            }
            "--era" => {
                options.era = match value()?.as_str() {
                    "both" => EraChoice::Both,
                    "legacy" => EraChoice::Legacy,
                    "modern" => EraChoice::Modern,
                    other => return Err(format!("no such era: {other}")),
                }
            }
            "--framing" => {
                options.framing = match value()?.as_str() {
                    "newline" => Framing::Newline,
                    "content-length" => Framing::ContentLength,
                    other => return Err(format!("no such framing: {other}")),
                }
            }
            "--page-size" => {
                let size = value()?.parse().ok().filter(|size| *size > 0);
                options.page_size = Some(size.ok_or("--page-size needs a number above 0")?);
            }
            other => return Err(format!("unknown argument: {other}")),
        }
    }
    Ok(Command::Serve(options))
}
