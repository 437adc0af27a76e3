//! Pages that say which test shows what: a test that they name is there, and no demand is without an answer.

mod rules;

use std::path::Path;

use self::rules::Tree;
use super::Stage;
use crate::checkout::read;

const REQUIREMENTS: &str = "docs/requirements.md";
const RELIABILITY: &str = "docs/reliability.md";

/// Where tests are.
const FOLDERS: [&str; 5] = ["src", "tests", "examples", "benches", "xtask"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let root = &stage.checkout.root;
    let mut tree = Tree::default();
    for folder in FOLDERS {
        collect(root, folder, &mut tree)?;
    }
    for page in [REQUIREMENTS, RELIABILITY] {
        let text = read(&root.join(page))?;
        stage.tally.check(&format!("every test that {page} names is there"), none(&tree.missing(&text)));
    }
    let text = read(&root.join(REQUIREMENTS))?;
    let name = format!("every demand in {REQUIREMENTS} has its test or its reason");
    stage.tally.check(&name, none(&rules::unanswered(&text)));
    Ok(())
}

fn none(findings: &[String]) -> Result<(), String> {
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// Takes in everything below a folder; the paths are relative to the root.
fn collect(root: &Path, folder: &str, tree: &mut Tree) -> Result<(), String> {
    tree.add(folder, "");
    let entries =
        std::fs::read_dir(root.join(folder)).map_err(|error| format!("cannot read {folder}: {error}"))?;
    for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
        let path = format!("{folder}/{name}");
        let place = root.join(&path);
        // What npm and pip install among the tests is no test.
        if place.is_dir() && name != "node_modules" && name != "target" {
            collect(root, &path, tree)?;
        } else {
            let is_rust = place.extension().is_some_and(|it| it == "rs");
            tree.add(&path, &if is_rust { read(&place)? } else { String::new() });
        }
    }
    Ok(())
}
