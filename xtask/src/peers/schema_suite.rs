//! The official test suite of JSON Schema, as the source package of Python's `jsonschema` brings it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, interpreter, once};
use crate::checkout::{Checkout, entries, read};
use crate::machine::PYTHON;
use crate::process;

/// The suite's folder `tests`, which has one for each draft.
pub fn schema_suite(checkout: &Checkout) -> Result<PathBuf, String> {
    let pins = checkout.root.join("tests/json-schema/requirements.txt");
    let folder = folder(checkout, "schema-suite");
    let log = checkout.scratch("peers")?.join("schema-suite-log");
    once(&folder, &read(&pins)?, || {
        let interpreter = with_pip(checkout, &log)?;
        let make = || {
            let mut command = Command::new(&interpreter);
            command.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
            command.args(["--no-binary", "jsonschema", "--dest"]).arg(&folder).arg("-r").arg(&pins);
            command
        };
        process::download(make, process::LIMIT, &log)?;
        let package = named(&folder, |name| name.ends_with(".tar.gz"))?;
        let mut unpack = Command::new(&interpreter);
        unpack.args(["-m", "tarfile", "-e"]).arg(package).arg(&folder);
        process::run(&mut unpack, process::LIMIT, &log)?.done()
    })?;
    // Unpacked beside it.
    Ok(named(&folder, |name| name.ends_with(".tar.gz"))?
        .with_extension("")
        .with_extension("")
        .join("json/tests"))
}

/// The machine's Python, or where that comes without pip the one that the interop tests use.
fn with_pip(checkout: &Checkout, log: &Path) -> Result<PathBuf, String> {
    let python = PYTHON.find()?;
    let asked = process::run(Command::new(&python).args(["-m", "pip", "--version"]), process::LIMIT, log)?;
    if asked.succeeded() {
        return Ok(python);
    }
    interpreter(checkout, "python-2")
}

/// The entry of a folder that has such a name.
fn named(folder: &Path, is: impl Fn(&str) -> bool) -> Result<PathBuf, String> {
    let found = entries(folder)?
        .into_iter()
        .find(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&is));
    found.ok_or_else(|| format!("the package is not in {}", folder.display()))
}
