//! The keys of the configuration: pages and docs/reference/configuration.json come from the definitions in the library.
//!
//! The library describes its keys in tests only, so that a program that uses it does not carry the texts. This command therefore runs the
//! tests that make the files.

use std::path::PathBuf;
use std::time::Duration;

use crate::checkout::{Checkout, read, write as write_file};
use crate::process;

/// One test of the client's side, and one of the server's: with a folder in the environment they write, and do not compare.
const TESTS: [&str; 2] = [
    "the_documents_have_every_defined_key_with_its_bounds_and_default",
    "the_page_has_every_key_with_its_bounds_and_default",
];
const FILES: [&str; 3] = ["configuration.json", "configuration.md", "server-configuration.md"];
const FOLDER: &str = "docs/reference";

/// `cargo xtask config`: writes the pages.
pub fn write(checkout: &Checkout) -> Result<(), String> {
    let made = make(checkout)?;
    for name in FILES {
        write_file(&checkout.root.join(FOLDER).join(name), &read(&made.join(name))?)?;
    }
    println!("wrote {}", FILES.map(|name| format!("{FOLDER}/{name}")).join(", "));
    Ok(())
}

/// `cargo xtask config --json`: prints every key with its type, bounds, unit, default and documentation.
pub fn print(checkout: &Checkout) -> Result<(), String> {
    print!("{}", read(&make(checkout)?.join("configuration.json"))?);
    Ok(())
}

/// Has the library's test make the files, and gives the folder.
fn make(checkout: &Checkout) -> Result<PathBuf, String> {
    let folder = checkout.scratch("config")?;
    for name in FILES {
        let old = folder.join(name);
        if old.exists() {
            std::fs::remove_file(&old)
                .map_err(|error| format!("cannot remove {}: {error}", old.display()))?;
        }
    }
    let mut cargo = checkout.cargo();
    cargo.args(["test", "--quiet", "--package", "mcp", "--lib", "--"]).args(TESTS);
    cargo.arg("--test-threads=1"); // one after the other: both write configuration.json
    cargo.env("MCP_CONFIGURATION_FOLDER", &folder);
    let finished = process::run(&mut cargo, Duration::from_secs(1800), &folder.join("cargo"))?;
    if finished.succeeded() { Ok(folder) } else { Err(finished.story()) }
}
