//! The servers of others that we test against, installed below `target/peers` in the versions of `tests/interop`.
//!
//! What is there already is left alone: each folder has a stamp with the pins it was installed from.

mod keycloak;
mod npm;
mod places;
mod protocol_schemas;
mod python;
mod schema_suite;
mod tools;

use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, cleared, folder_at, read, write};
use crate::lock::Lock;

pub use npm::{command, packages};
pub use places::places;
pub use protocol_schemas::protocol_schemas;
pub use python::{environment, environment_in, interpreter};
pub use schema_suite::schema_suite;
pub use tools::{actionlint, cargo_deny, cargo_mutants};

/// `cargo xtask peers`
pub fn install(checkout: &Checkout) -> Result<(), String> {
    for name in ["npm", "conformance", "login", "python-1", "python-2", "fastmcp", "fetch", "inspector"] {
        println!("{name}: {}", places::installed(checkout, name)?);
    }
    ["rumdl", "bindings"].iter().try_for_each(|name| environment(checkout, name).map(drop))
}

pub fn folder(checkout: &Checkout, name: &str) -> PathBuf {
    checkout.target.join("peers").join(name)
}

/// Installs into an empty folder unless its stamp says that these pins are there.
pub fn once(folder: &Path, pins: &str, install: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let stamp = folder.join("installed-from");
    // Installed things know the folder they were made in, so a moved one is made again.
    let mark = format!("{}\n{pins}", folder.display());
    let is_there = || read(&stamp).is_ok_and(|found| found == mark);
    if is_there() {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(folder);
    folder_at(parent)?;
    // What is made ahead of the steps and a step may want the same.
    let _lock = Lock::if_there_is_one(&folder.with_extension("lock"), "installs that")?;
    if is_there() {
        return Ok(());
    }
    cleared(folder)?;
    install()?;
    write(&stamp, &mark)
}
