//! The command lines of `generate` and `tools`.

use super::emit::Language;
use crate::arguments::Place;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The arguments of `generate`.
#[derive(Args, Debug)]
pub struct Generate {
    /// The language
    #[arg(value_enum)]
    pub language: Language,
    #[command(flatten)]
    pub place: Place,
    /// Write the code into this folder: a folder for each server, an index and SKILL.md
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, required_unless_present = "index")]
    pub into: Option<PathBuf>,
    /// Write nothing; fail if the folder is not what would be written, because the server has changed
    #[arg(long, requires = "into")]
    pub check: bool,
    /// Write no code, only the index: one line for each tool, to standard output
    #[arg(long, conflicts_with = "check")]
    pub index: bool,
    /// Only this tool; may be given several times
    #[arg(long = "tool", value_name = "NAME")]
    pub tools: Vec<String>,
    /// The name of the module, instead of the server's name
    #[arg(long, value_name = "NAME")]
    pub module: Option<String>,
    /// Types of results and names of functions that the server does not give: docs/guide/generate.md
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub overrides: Option<PathBuf>,
    /// Take the tools from a file with the output of `mcp tools -o json` instead of a server
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub list: Option<PathBuf>,
}

/// The arguments of `tools`.
#[derive(Args, Debug)]
pub struct Tools {
    #[command(flatten)]
    pub place: Place,
    /// Show only the tools that have these words in their name, description or arguments, the best first
    #[arg(long, value_name = "WORDS")]
    pub search: Option<String>,
    /// The tools of all configured servers; with --search those that have the words
    #[arg(long)]
    pub all: bool,
}
