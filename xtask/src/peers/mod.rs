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

pub use npm::{Conformance, Inspector, Login, Npm, pyright};
pub use places::places;
pub use protocol_schemas::protocol_schemas;
pub use python::{Major, Python, environment, environment_in};
pub use schema_suite::schema_suite;
pub use tools::{actionlint, cargo_deny, cargo_mutants, mdbook, rumdl};

/// `cargo xtask peers`
pub fn install(checkout: &Checkout) -> Result<(), String> {
    let npm = Npm::install(checkout)?;
    println!("npm servers in {}", npm.folder().display());
    let conformance = Conformance::install(checkout)?;
    println!("the conformance suite with {}", conformance.node()?.display());
    println!("the authorization server with {}", Login::install(checkout)?.node().display());
    for major in [Major::One, Major::Two] {
        let python = Python::install(checkout, major)?;
        println!("Python SDK {} with {}", major.pins(), python.interpreter().display());
    }
    println!("FastMCP with {}", Python::fastmcp(checkout)?.interpreter().display());
    println!("the server fetch with {}", Python::fetch(checkout)?.interpreter().display());
    rumdl(checkout)?;
    println!("the inspector in {}", Inspector::install(checkout)?.program().display());
    Ok(())
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
