//! The architecture as a test: a module of `src` imports only from lower layers, files stay small enough to read,
//! `unsafe` stays in the modules that need it, and nothing in the library panics on purpose.

mod imports;
mod rules;

use std::path::{Path, PathBuf};

use super::Stage;
use crate::checkout::read;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let root = stage.checkout.root.join("src");
    let mut files = Vec::new();
    collect(&root, Path::new(""), &mut files)?;
    let findings = rules::check(&files);
    for rule in rules::RULES {
        let found: Vec<String> =
            findings.iter().filter(|it| it.rule == rule).map(ToString::to_string).collect();
        let result = if found.is_empty() { Ok(()) } else { Err(found.join("\n")) };
        stage.tally.check(rule.says(), result);
    }
    Ok(())
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
