//! `cargo xtask bindings`: what the bindings for other languages take from `include/mcp.h`, written from it and never by
//! hand. A test compares what is committed with what the header says.
//!
//! A further binding adds a module that turns [`Constants`] into a file of its language, and a row in [`files`].

mod constants;
mod go;
mod node;
mod python;
mod stage;
mod swift;

use std::path::Path;

use self::constants::Constants;
use crate::checkout::{Checkout, read, write as write_file};

pub use stage::{Staged, stage};

/// A file of a binding, below `bindings`, and its text.
struct Written {
    place: &'static str,
    text: String,
}

fn files(checkout: &Checkout) -> Result<Vec<Written>, String> {
    let header = read(&checkout.header())?;
    let constants = Constants::of(&header)?;
    Ok(vec![
        Written { place: "go/constants.go", text: go::text(&constants) },
        Written { place: "node/lib/constants.js", text: node::values(&constants) },
        Written { place: "node/lib/constants.d.ts", text: node::types(&constants) },
        Written { place: "python/libmcp/_abi.py", text: python::text(&constants, &header) },
        Written { place: "swift/Sources/MCP/Numbers.swift", text: swift::enums(&constants) },
    ])
}

/// `cargo xtask bindings`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    for Written { place, text } in files(checkout)? {
        write_file(&checkout.root.join("bindings").join(place), &text)?;
        println!("wrote bindings/{place}");
    }
    Ok(())
}

/// `cargo xtask bindings --check`
pub fn check(checkout: &Checkout) -> Result<(), String> {
    for language in ["go", "node", "python", "swift"] {
        is_fresh(checkout, language)?;
    }
    println!("what the bindings take from include/mcp.h is up to date");
    Ok(())
}

/// Compares the committed files of one language with new ones.
pub fn is_fresh(checkout: &Checkout, language: &str) -> Result<(), String> {
    for Written { place, text } in files(checkout)? {
        if Path::new(place).starts_with(language)
            && read(&checkout.root.join("bindings").join(place))? != text
        {
            return Err(format!(
                "bindings/{place} is not what include/mcp.h says; run `cargo xtask bindings` and commit it"
            ));
        }
    }
    Ok(())
}
