//! What the pages say of the project itself is true: a test that they name is there, a link leads somewhere, and no demand is
//! without an answer.

mod links;
mod rules;

use std::path::Path;

use self::links::Places;
use self::rules::Tree;
use super::Stage;
use crate::checkout::read;

const REQUIREMENTS: &str = "docs/requirements.md";

/// Where tests are.
const FOLDERS: [&str; 7] = ["src", "tests", "examples", "benches", "bindings", "fuzz", "xtask"];

/// What tools have made or installed.
const MADE: [&str; 4] = ["target", "node_modules", "artifacts", "build"];

/// What names of tests are looked for in.
const SOURCES: [&str; 4] = ["rs", "go", "py", "swift"];

/// Everything that pages speak of, and the pages.
#[derive(Default)]
struct Project {
    tree: Tree,
    places: Places,
    pages: Vec<(String, String)>,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut project = Project::default();
    project.collect(&stage.checkout.root, "")?;
    let Project { tree, places, pages } = &project;
    for (page, text) in pages {
        let findings = [tree.missing(text), places.dead(page, text)].concat();
        stage.tally.check(&format!("{page}: its tests are there, its links lead somewhere"), none(&findings));
    }
    let text = read(&stage.checkout.root.join(REQUIREMENTS))?;
    let name = format!("every demand in {REQUIREMENTS} has its test or its reason");
    stage.tally.check(&name, none(&rules::unanswered(&text)));
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
