//! The architecture as a test: a module of the library imports only from lower layers, and the first comment of each folder lists
//! its files. `unsafe` is denied by the compiler but in the files that allow it, and what panics on purpose by clippy.

mod cycles;
mod graph;
mod imports;
mod listing;
mod rules;

use std::path::PathBuf;

use super::Stage;
use crate::checkout::{Checkout, files_below, read};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    for root in ROOTS {
        let files = sources(stage.checkout, root)?;
        let codes = rules::codes(&files)?;
        let result = cycles::check(root, &rules::graph(&codes));
        stage.tally.check(&format!("{root}: no import closes a cycle between files"), result);
        let findings = rules::check(root, &codes);
        for rule in rules::RULES {
            let found: Vec<String> =
                findings.iter().filter(|it| it.rule == rule).map(ToString::to_string).collect();
            let result = if found.is_empty() { Ok(()) } else { Err(found.join("\n")) };
            stage.tally.check(&format!("{root}: {}", rule.says()), result);
        }
    }
    Ok(())
}

/// The sources of the packages that make the library.
pub const ROOTS: [&str; 3] = ["crates/base/src", "crates/core/src", "src"];

/// The Rust files of a folder, with their texts; the paths are relative to it.
fn sources(checkout: &Checkout, root: &str) -> Result<Vec<(PathBuf, String)>, String> {
    let root = checkout.root.join(root);
    let files = files_below(&root)?.into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "rs"));
    files.map(|path| Ok((path.strip_prefix(&root).unwrap_or(&path).to_path_buf(), read(&path)?))).collect()
}
