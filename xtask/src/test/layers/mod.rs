//! The architecture as a test: a module of `src` imports only from lower layers, nothing in the library panics on purpose, and
//! the first comment of each folder lists its files. `unsafe` is denied by the compiler but in the files that allow it.

mod cycles;
mod graph;
mod imports;
mod listing;
mod rules;

use std::path::{Path, PathBuf};

use super::Stage;
use crate::bindings;
use crate::checkout::{Checkout, read};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let files = sources(stage.checkout)?;
    let codes = rules::codes(&files);
    stage.tally.check("no import closes a cycle between files", cycles::check(&rules::graph(&codes)));
    let result = bindings::name_every_method(stage.checkout);
    stage.tally.check("each binding has a function for each method of the method table", result);
    let findings = rules::check(&files, &codes);
    for rule in rules::RULES {
        let found: Vec<String> =
            findings.iter().filter(|it| it.rule == rule).map(ToString::to_string).collect();
        let result = if found.is_empty() { Ok(()) } else { Err(found.join("\n")) };
        stage.tally.check(rule.says(), result);
    }
    Ok(())
}

/// The Rust files of `src`, with their texts.
fn sources(checkout: &Checkout) -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = Vec::new();
    collect(&checkout.root.join("src"), Path::new(""), &mut files)?;
    Ok(files)
}

/// Reads every Rust file below a folder; the paths are relative to `src`.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, String)>) -> Result<(), String> {
    let here = root.join(folder);
    let entries =
        std::fs::read_dir(&here).map_err(|error| format!("cannot read {}: {error}", here.display()))?;
    let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    names.sort();
    for name in names {
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = read(&root.join(&path))?;
            files.push((path, text));
        }
    }
    Ok(())
}
