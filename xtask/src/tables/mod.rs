//! The numbers of `include/mcp.h` as the bindings have them: statuses, kinds, states and log levels, written from the
//! header, so that no binding can fall behind it.

mod node;
mod numbers;
mod swift;

use std::path::PathBuf;

use self::numbers::Numbers;
use crate::checkout::{Checkout, read, write};

/// `cargo xtask tables`
pub fn write_all(checkout: &Checkout) -> Result<(), String> {
    for (path, text) in of(checkout)? {
        write(&path, &text)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

/// `cargo xtask tables --check`, and part of the steps of the bindings.
pub fn check(checkout: &Checkout) -> Result<(), String> {
    for (path, text) in of(checkout)? {
        if read(&path)? != text {
            return Err(format!(
                "{} is not what include/mcp.h says; write it with: cargo xtask tables",
                path.display()
            ));
        }
    }
    Ok(())
}

fn of(checkout: &Checkout) -> Result<[(PathBuf, String); 3], String> {
    let numbers = Numbers::of(&read(&checkout.header())?)?;
    let at = |path: &str| checkout.root.join("bindings").join(path);
    Ok([
        (at("node/lib/constants.js"), node::values(&numbers)),
        (at("node/lib/constants.d.ts"), node::types(&numbers)),
        (at("swift/Sources/MCP/Numbers.swift"), swift::enums(&numbers)),
    ])
}
