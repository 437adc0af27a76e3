//! What the pages say of the project itself is true: a test that they name exists, every link leads to a file, and every demand
//! has an answer. Pages and headers are written in the words that CONTRIBUTING.md allows.

mod links;
mod rules;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use self::links::Places;
use self::rules::Tree;
use super::Stage;
use crate::checkout::read;

const REQUIREMENTS: &str = "docs/requirements.md";

/// Pages and headers that still have words which CONTRIBUTING.md forbids. Remove a file from the list when it has none left; add
/// no file.
const UNREVISED: [&str; 14] = [
    "SECURITY.md",
    "bindings/README.md",
    "bindings/go/README.md",
    "bindings/go/bench/README.md",
    "bindings/node/README.md",
    "bindings/python/README.md",
    "docs/architecture.md",
    "docs/authorization.md",
    "docs/configuration.md",
    "docs/dependencies.md",
    "docs/lifecycle.md",
    "docs/reliability.md",
    "docs/requirements.md",
    "docs/testing.md",
];

/// The headers, which have the same readers as the pages.
const HEADERS: [&str; 2] = ["include/mcp.h", "include/mcp.hpp"];

/// Where tests are.
const FOLDERS: [&str; 7] = ["src", "tests", "examples", "benches", "bindings", "fuzz", "xtask"];

/// What tools have made or installed.
const MADE: [&str; 4] = ["target", "node_modules", "artifacts", "build"];

/// What names of tests are looked for in.
const SOURCES: [&str; 4] = ["rs", "go", "py", "swift"];

/// Sources whose forbidden words are counted: they are not revised yet.
const COUNTED: [&str; 11] = ["rs", "go", "py", "swift", "c", "cc", "h", "cpp", "js", "mjs", "ts"];

/// Everything that pages speak of, and the pages.
#[derive(Default)]
struct Project {
    tree: Tree,
    places: Places,
    pages: Vec<(String, String)>,
    /// The forbidden words in the sources of each folder of the root.
    words: BTreeMap<String, usize>,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut project = Project::default();
    project.collect(&stage.checkout.root, "")?;
    let Project { tree, places, pages, words } = &project;
    for (page, text) in pages {
        let findings = [tree.missing(text), places.dead(page, text)].concat();
        stage.tally.check(&format!("{page}: its tests are there, its links lead somewhere"), none(&findings));
    }
    let text = read(&stage.checkout.root.join(REQUIREMENTS))?;
    let name = format!("every demand in {REQUIREMENTS} has its test or its reason");
    stage.tally.check(&name, none(&rules::unanswered(&text)));
    check_words(stage, pages)?;
    for (folder, count) in words {
        println!("        forbidden words in the sources of {folder}: {count}");
    }
    Ok(())
}

/// Pages and headers have no forbidden word; the other sources are counted.
fn check_words(stage: &mut Stage, pages: &[(String, String)]) -> Result<(), String> {
    let mut texts = pages.to_vec();
    for header in HEADERS {
        texts.push((header.to_owned(), read(&stage.checkout.root.join(header))?));
    }
    let mut wrong = Vec::new();
    for (path, text) in &texts {
        let findings = words::found(text, path.ends_with(".md"));
        let is_listed = UNREVISED.contains(&path.as_str());
        if is_listed && findings.is_empty() {
            wrong.push(format!("{path} has no forbidden word left: remove it from UNREVISED"));
        }
        if !is_listed {
            let told = |(line, (word, better)): &words::Finding| {
                format!("{path}:{line} has \"{word}\"; write for example: {better}")
            };
            wrong.extend(findings.iter().map(told));
        }
    }
    stage.tally.check("pages and headers have none of the words that CONTRIBUTING.md forbids", none(&wrong));
    Ok(())
}

fn none(findings: &[String]) -> Result<(), String> {
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

impl Project {
    /// Takes in everything below a folder; the paths are relative to the root.
    fn collect(&mut self, root: &Path, folder: &str) -> Result<(), String> {
        self.add(folder, "", "");
        let entries =
            std::fs::read_dir(root.join(folder)).map_err(|error| format!("cannot read {folder}: {error}"))?;
        for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let place = root.join(&path);
            if name.starts_with('.') || MADE.contains(&name.as_str()) {
                continue;
            }
            if place.is_dir() {
                self.collect(root, &path)?;
                continue;
            }
            let kind = place.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if kind == "md" {
                let page = read(&place)?;
                self.add(&path, &page, "");
                self.pages.push((path, page));
            } else {
                if COUNTED.contains(&kind) {
                    let top = path.split('/').next().unwrap_or_default().to_owned();
                    *self.words.entry(top).or_default() += words::found(&read(&place)?, false).len();
                }
                let source = if SOURCES.contains(&kind) { read(&place)? } else { String::new() };
                self.add(&path, "", &source);
            }
        }
        self.pages.sort();
        Ok(())
    }

    /// A file, with its text if it is a page or a source, or a folder.
    fn add(&mut self, path: &str, page: &str, source: &str) {
        self.places.add(path, page);
        self.tree.add(path, source);
    }
}
