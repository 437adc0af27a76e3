//! The JSON schemas of the protocol's revisions, from the repository of the specification at a pinned commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, folder, once};
use crate::checkout::{Checkout, read};
use crate::process;

const REPOSITORY: &str = "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol";

/// The folder with `REVISION/schema.json` for each revision: the one that `MCP_PROTOCOL_SCHEMAS` names, for a machine that
/// cannot reach the repository, else one below `target`. Both have the pinned files, or it is an error.
pub fn protocol_schemas(checkout: &Checkout) -> Result<PathBuf, String> {
    let pins = read(&checkout.root.join("tests/protocol-schemas/pins.txt"))?;
    let log = checkout.scratch("peers")?.join("protocol-schemas-log");
    if let Some(given) = std::env::var_os("MCP_PROTOCOL_SCHEMAS") {
        let given = std::path::absolute(PathBuf::from(given)).map_err(|error| error.to_string())?;
        compare(checkout, &given, &log)?;
        return Ok(given);
    }
    let folder = folder(checkout, "protocol-schemas");
    once(&folder, &pins, || {
        let commit = pins.lines().find_map(|line| line.strip_prefix("# commit "));
        let commit = commit.ok_or("tests/protocol-schemas/pins.txt names no commit")?;
        for line in pins.lines().filter(|line| !line.starts_with('#')) {
            let (_, file) = line.split_once("  ").ok_or_else(|| format!("no pin of a file: {line}"))?;
            let make = || {
                let mut curl = Command::new("curl");
                curl.args(["--fail", "--silent", "--show-error", "--location", "--create-dirs"]);
                curl.arg("--output").arg(folder.join(file));
                curl.arg(format!("{REPOSITORY}/{commit}/schema/{file}"));
                curl
            };
            process::download(make, LIMIT, &log)?;
        }
        compare(checkout, &folder, &log)
    })?;
    Ok(folder)
}

/// Whether a folder has the pinned files.
fn compare(checkout: &Checkout, folder: &Path, log: &Path) -> Result<(), String> {
    let mut command = Command::new("sha256sum");
    command.args(["--check", "--quiet"]).arg(checkout.root.join("tests/protocol-schemas/pins.txt"));
    let compared = process::run(command.current_dir(folder), LIMIT, log)?;
    if compared.succeeded() { Ok(()) } else { Err(compared.story()) }
}
