//! `include/mcp.h`: written from `src/ffi` by the crate in `xtask/header`, never by hand. The step `header` proves that it compiles.
//!
//! A check never writes into `include/`: it makes its own copy and compares.

use std::path::Path;

use crate::checkout::{Checkout, read};
use crate::symbols;

/// `cargo xtask header`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    generate(checkout, &checkout.header(), &checkout.exports())?;
    println!("wrote include/mcp.h and include/mcp.exports");
    symbols::update(checkout)
}

/// `cargo xtask header --check`
pub fn check(checkout: &Checkout) -> Result<(), String> {
    is_fresh(checkout)?;
    symbols_are_told(checkout)?;
    println!("include/mcp.h and include/mcp.exports are up to date");
    Ok(())
}

/// Compares the committed files with new ones.
pub fn is_fresh(checkout: &Checkout) -> Result<(), String> {
    let folder = checkout.scratch("header")?;
    let (header, exports) = (folder.join("mcp.h"), folder.join("mcp.exports"));
    generate(checkout, &header, &exports)?;
    for (committed, new) in [(checkout.header(), header), (checkout.exports(), exports)] {
        if let Some(difference) = first_difference(&read(&committed)?, &read(&new)?) {
            return Err(format!(
                "{} is not what src/ffi says; run `cargo xtask header` and commit it\n{difference}",
                committed.display()
            ));
        }
    }
    Ok(())
}

/// Compares the table of symbols with the header.
pub fn symbols_are_told(checkout: &Checkout) -> Result<(), String> {
    let wrong = symbols::differences(checkout)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn generate(checkout: &Checkout, header: &Path, exports: &Path) -> Result<(), String> {
    let mut cargo = checkout.cargo();
    cargo.args(["run", "--quiet", "--package", "mcp-header", "--target-dir"]).arg(&checkout.target);
    cargo.arg("--").arg(header).arg(exports);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the header could not be made; see above".to_owned()),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

fn first_difference(committed: &str, new: &str) -> Option<String> {
    if committed == new {
        return None;
    }
    let (mut old_lines, mut new_lines) = (committed.lines(), new.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (old_lines.next(), new_lines.next()) {
            (None, None) => return Some("the files differ in their line ends".to_owned()),
            (old, new) if old == new => {}
            (old, new) => {
                return Some(format!(
                    "line {number}:\n- {}\n+ {}",
                    old.unwrap_or("(the end)"),
                    new.unwrap_or("(the end)")
                ));
            }
        }
    }
}
