//! The licences of everything that is in the library: a package has to carry them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::tree_of_crates::{Crate, tree};
use super::wish::Wish;
use crate::checkout::{Checkout, entries, read};

/// Crates that bring no text, each with one of the same authors and repository that brings theirs.
const SIBLINGS: [(&str, &str); 1] = [("alloc-stdlib", "alloc-no-stdlib")];

/// The page with one chapter for each crate: its licence as the crate says it, and the texts that it comes with.
pub fn page(checkout: &Checkout, wish: &Wish) -> Result<String, String> {
    let features = wish.features.join(",");
    of_package(checkout, wish, "mcp", &["--no-default-features", "--features", &features])
}

/// The same for the program `mcp`, which has crates of its own.
pub fn page_of_program(checkout: &Checkout, wish: &Wish) -> Result<String, String> {
    of_package(checkout, wish, "mcp-cli", &[])
}

fn of_package(checkout: &Checkout, wish: &Wish, package: &str, words: &[&str]) -> Result<String, String> {
    let mut crates = tree(checkout, package, wish.system(), words)?;
    crates.retain(|it| !it.is_ours);
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    crates.dedup_by(|a, b| (&a.name, &a.version) == (&b.name, &b.version));
    let places = checkout.metadata(&["--locked", "--filter-platform", wish.system()])?;

    let mut page = String::from(
        "# Licences of what is in libmcp\n\n\
         libmcp itself is under the Apache License 2.0 (LICENSE-APACHE) or the MIT licence (LICENSE-MIT), as you choose. \
         It contains the Rust standard library, which is under the same two licences (copyright The Rust Project \
         contributors), and these crates.\n",
    );
    if wish.is_for_musl() {
        page.push_str(
            "\nIt also contains the unwinder of the LLVM Project (libunwind), as Rust's standard library for musl brings it, which is \
             under the Apache License 2.0 with LLVM exceptions.\n",
        );
    }
    for one in &crates {
        let sibling = SIBLINGS.iter().find(|(name, _)| *name == one.name).map(|(_, sibling)| *sibling);
        let source = sibling.and_then(|name| crates.iter().find(|it| it.name == name)).unwrap_or(one);
        let folder = folder(&places, source).ok_or_else(|| {
            format!("cargo metadata does not say where {} {} is", source.name, source.version)
        })?;
        let texts = texts(&folder)?;
        if texts.is_empty() {
            return Err(format!(
                "{} {} brings no licence text: look what it is, and say so in xtask/src/dist/licences.rs",
                one.name, one.version
            ));
        }
        let _ = write!(page, "\n## {} {}\n\nLicence: {}\n", one.name, one.version, one.licence);
        for (name, text) in texts {
            let _ = write!(page, "\n{name}:\n\n");
            for line in text.trim_end().lines() {
                let line = if line.is_empty() { String::new() } else { format!("    {line}") };
                page.push_str(line.trim_end());
                page.push('\n');
            }
        }
    }
    Ok(page)
}

/// The crate's folder.
fn folder(metadata: &[Value], one: &Crate) -> Option<PathBuf> {
    let is_it = |it: &&Value| it["name"] == *one.name && it["version"] == *one.version;
    let manifest = metadata.iter().find(is_it)?["manifest_path"].as_str()?;
    Path::new(manifest).parent().map(Path::to_path_buf)
}

/// The licence files in the crate's folder, by name.
fn texts(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let is_text = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|word| upper.starts_with(word));
        if is_text && path.is_file() {
            found.push((name, read(&path)?));
        }
    }
    Ok(found)
}
