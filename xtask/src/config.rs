//! The keys of the configuration: docs/reference/configuration.json comes from the definitions in the library.
//!
//! The library describes its keys in tests only, so that a program that uses it does not carry the texts. This command therefore runs the
//! tests that make the file.

use std::path::PathBuf;
use std::time::Duration;

use crate::checkout::{Checkout, read, write as write_file};
use crate::process;

/// One test of the client's side, and one of the server's: with a folder in the environment they write, and do not compare.
const TESTS: [&str; 2] = [
    "the_documents_have_every_defined_key_with_its_bounds_and_default",
    "the_documents_have_every_key_with_its_bounds_and_default",
];
const FILE: &str = "docs/reference/configuration.json";

/// `cargo xtask config`: writes the file.
pub fn write(checkout: &Checkout) -> Result<(), String> {
    let made = make(checkout)?;
    write_file(&checkout.root.join(FILE), &read(&made)?)?;
    println!("wrote {FILE}");
    Ok(())
}

/// `cargo xtask config --json`: prints every key with its type, bounds, unit, default and documentation.
pub fn print(checkout: &Checkout) -> Result<(), String> {
    print!("{}", read(&make(checkout)?)?);
    Ok(())
}

/// Has the library's tests make the file.
fn make(checkout: &Checkout) -> Result<PathBuf, String> {
    let folder = checkout.scratch("config")?;
    let made = folder.join("configuration.json");
    if made.exists() {
        std::fs::remove_file(&made).map_err(|error| format!("cannot remove {}: {error}", made.display()))?;
    }
    let mut cargo = checkout.cargo();
    cargo.args(["test", "--quiet", "--package", "mcp", "--lib", "--"]).args(TESTS);
    cargo.arg("--test-threads=1"); // one after the other: both write the file
    cargo.env("MCP_CONFIGURATION_FOLDER", &folder);
    let finished = process::run(&mut cargo, Duration::from_secs(1800), &folder.join("cargo"))?;
    if finished.succeeded() { Ok(made) } else { Err(finished.story()) }
}
