//! Servers that other programs have configured: where their files are, and what stands in them.
//!
//! [`found`] gives all, the nearest file first; [`find`] the one that a name means.
//!
//! The files:
//!
//! * `sources`: the programs, and where each keeps its servers
//! * `read`: the formats of these files
//! * `expand`: variables in values
//! * `mask`: what is shown of secrets

mod expand;
mod mask;
mod read;
mod sources;

pub use mask::{is_secret, masked, masked_url};
pub use sources::own_file;

use crate::failure::Failure;
use crate::target::Target;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A server in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub name: String,
    /// The program, such as "cursor".
    pub source: &'static str,
    pub path: PathBuf,
    pub is_disabled: bool,
    /// As the keys of a client's configuration, with variables not expanded.
    pub config: Map<String, Value>,
    /// How variables are written in this file.
    dialect: expand::Dialect,
}

/// A file that was looked for.
#[derive(Clone, Debug)]
pub struct File {
    pub source: &'static str,
    pub path: PathBuf,
    /// Why it gives no servers; "not there" is no reason.
    pub fault: Option<String>,
    pub is_there: bool,
}

impl Found {
    /// The configuration for a file of this program: variables stay variables, in the form `${NAME}`.
    pub fn portable(&self) -> Result<Map<String, Value>, String> {
        match self.dialect {
            expand::Dialect::None | expand::Dialect::Shell => Ok(self.config.clone()),
            _ => expand::expanded(self, &|variable| Some(format!("${{{variable}}}"))),
        }
    }
}

/// All servers, and all files that were looked for.
pub fn found() -> (Vec<Found>, Vec<File>) {
    let (mut servers, mut files) = (Vec::new(), Vec::new());
    for place in sources::places() {
        let text = match bounded(&place.path) {
            Ok(text) => text,
            Err(fault) => {
                files.push(File { source: place.source, path: place.path, is_there: fault.is_some(), fault });
                continue;
            }
        };
        let read = read::servers(&place, &text);
        let fault = match read {
            Ok(list) => {
                servers.extend(list);
                None
            }
            Err(why) => Some(why),
        };
        files.push(File { source: place.source, path: place.path, is_there: true, fault });
    }
    (servers, files)
}

/// The largest file that is read: Claude Code keeps a history beside its servers.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `Err(None)` if it is not there.
fn bounded(path: &Path) -> Result<String, Option<String>> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(None),
        Err(error) => return Err(Some(error.to_string())),
        Ok(about) if !about.is_file() => return Err(Some("it is no file".to_owned())),
        Ok(about) if about.len() > MOST_BYTES => {
            return Err(Some(format!("it has more than {MOST_BYTES} bytes")));
        }
        Ok(_) => {}
    }
    std::fs::read_to_string(path).map_err(|error| Some(error.to_string()))
}

/// The server called `name` (or `SOURCE:NAME`), as a target.
pub fn find(name: &str, only: Option<&Path>) -> Result<Target, Failure> {
    if let Some(path) = only {
        let text = mcp::client::load_config(path, Some(name))?;
        let config = serde_json::from_str(&text).map_err(|error| {
            Failure::machine(format!("the configuration of '{name}' is no object: {error}"))
        })?;
        return Ok(Target { shown: name.to_owned(), config });
    }
    let (servers, files) = found();
    let (source, short) = match name.split_once(':') {
        Some((source, short)) if sources::is_source(source) => (Some(source), short),
        _ => (None, name),
    };
    let is_meant = |one: &&Found| one.name == short && source.is_none_or(|source| source == one.source);
    let meant: Vec<&Found> = servers.iter().filter(is_meant).collect();
    let Some(chosen) = meant.iter().find(|one| !one.is_disabled).or(meant.first()) else {
        let broken: Vec<String> = files
            .iter()
            .filter_map(|file| {
                Some(format!("; {} cannot be used: {}", file.path.display(), file.fault.as_ref()?))
            })
            .collect();
        return Err(Failure::usage(format!(
            "there is no server '{name}': it is no URL, no path of a program (write ./{name} for one in this folder), and no \
             file of a program here has it (`mcp servers` lists those){}",
            broken.concat()
        )));
    };
    if chosen.is_disabled {
        return Err(Failure::usage(format!("the server '{name}' is disabled in {}", chosen.path.display())));
    }
    let config = expand::expanded(chosen, &|variable| std::env::var(variable).ok())
        .map_err(|why| Failure::usage(format!("the server '{name}' in {}: {why}", chosen.path.display())))?;
    Ok(Target { shown: name.to_owned(), config })
}
