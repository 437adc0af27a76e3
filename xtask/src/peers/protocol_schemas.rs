//! The JSON schemas of the protocol's revisions, as they are in the repository of the specification at a pinned commit.

use std::path::PathBuf;
use std::process::Command;

use crate::checkout::Checkout;
use crate::process;

/// The folder with `REVISION/schema.json` for each revision. Its files are the pinned ones, or it is an error.
pub fn protocol_schemas(checkout: &Checkout) -> Result<PathBuf, String> {
    let folder = checkout.root.join("tests/protocol-schemas");
    let log = checkout.scratch("peers")?.join("protocol-schemas-log");
    let mut command = Command::new("sha256sum");
    command.args(["--check", "--quiet", "pins.txt"]);
    let compared = process::run(command.current_dir(&folder), process::LIMIT, &log)?;
    if compared.succeeded() { Ok(folder) } else { Err(compared.story()) }
}
