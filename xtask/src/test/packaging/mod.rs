//! The package as its users meet it: the install tree is made, moved to another prefix, and used from there in every way
//! that docs/guide/packaging.md promises. Each program calls the example server.

mod rows;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{Checkout, folder_at};
use crate::dist::{self, Wish};
use crate::machine::PYTHON;
use crate::peers;
use crate::process;
use crate::release::Built;

use rows::{ROWS, Row};

/// Building the library as a part of a program takes a minute or two on a machine that does other things too.
const LIMIT: Duration = Duration::from_secs(900);

/// `!` would not end the script: the shell's -e takes no notice of a command after it.
const REFUSE: &str = "refuse() { if \"$@\"; then echo \"this should have failed: $*\" >&2; exit 1; fi; }\n";

/// Where the things are that a row names.
struct Places {
    /// What Conan calls how much is optimized: its package is run for a moment, and most of the time would go to the compiler.
    build_type: &'static str,
    prefix: PathBuf,
    tools: Option<PathBuf>,
    built: Built,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the package", "it is made on Linux only, so far");
        return Ok(());
    }
    let built = stage.built()?;
    let prefix = moved(stage.checkout)?;
    let tools = match stage.tally.need(&PYTHON, "consumers built with Meson") {
        Some(_) => Some(peers::packaging_tools(stage.checkout)?),
        None => None,
    };
    let build_type = if stage.options.deep { "Release" } else { "Debug" };
    let places = Places { build_type, prefix, tools, built };
    let mut rows = Vec::new();
    for row in ROWS.iter().filter(|row| stage.options.deep || !row.is_deep) {
        let has_all = row.needs.iter().all(|tool| stage.tally.need(tool, row.name).is_some());
        if has_all && (places.tools.is_some() || !row.uses_python) {
            rows.push(row);
        }
    }
    let checkout = stage.checkout;
    process::side_by_side(
        &rows,
        |row| works(checkout, &places, row),
        |row, result| stage.tally.check(row.name, result),
    );
    Ok(())
}

/// The tree in a folder that it was not made in.
fn moved(checkout: &Checkout) -> Result<PathBuf, String> {
    let scratch = checkout.scratch("packaging")?;
    let (made, prefix) = (scratch.join("made"), scratch.join("elsewhere/opt"));
    for folder in [&made, &prefix] {
        clear(folder)?;
    }
    let to = made.display().to_string();
    dist::make(checkout, &Wish::read(checkout, &["--to", &to, "--no-tarball"])?)?;
    if let Some(parent) = prefix.parent() {
        folder_at(parent)?;
    }
    std::fs::rename(&made, &prefix).map_err(|error| format!("cannot move {}: {error}", made.display()))?;
    Ok(prefix)
}

pub fn clear(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot clear {}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Runs what a user would type, in an empty folder.
fn works(checkout: &Checkout, places: &Places, row: &Row) -> Result<(), String> {
    let folder = checkout.scratch("packaging")?.join(row.folder);
    clear(&folder)?;
    folder_at(&folder)?;
    let mut sh = Command::new("sh");
    sh.arg("-euc").arg(format!("{REFUSE}{}", row.script)).current_dir(&folder);
    sh.env("PREFIX", &places.prefix)
        .env("PKG_CONFIG_PATH", places.prefix.join("lib/pkgconfig"))
        .env("CMAKE_PREFIX_PATH", &places.prefix)
        .env("BUILD_TYPE", places.build_type)
        .env("SERVER", &places.built.example_server)
        .env("SCRIPTED", &places.built.scripted_server)
        .env("ROOT", &checkout.root)
        .env("TARGET", &checkout.target)
        .env("TESTS", checkout.root.join("tests/packaging"))
        .env("STRICT_C", "-std=c11 -Wall -Wextra -pedantic -Werror")
        .env("STRICT_CPP", "-Wall -Wextra -pedantic -Werror");
    if let Some(tools) = &places.tools {
        sh.env("TOOLS", tools);
    }
    process::run(&mut sh, LIMIT, &folder.with_extension("log"))?.done()
}
