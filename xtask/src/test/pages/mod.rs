//! What the pages say of the project itself is true: a test that they name exists, every link leads to a file, and every demand
//! has an answer. Pages and headers are written in the words that CONTRIBUTING.md allows. Workflow files and versions are right.

mod hosting;
mod links;
mod rules;
mod words;

use std::collections::BTreeSet;

use self::rules::Tree;
use super::{Stage, counterparts};
use crate::checkout::{Checkout, read, stem};
use crate::table;

/// The file that names the words.
const LIST: &str = "xtask/src/test/pages/words.rs";

/// The headers, which have the same readers as the pages.
const HEADERS: [&str; 2] = ["include/mcp.h", "include/mcp.hpp"];

/// Where tests are.
const FOLDERS: [&str; 8] = ["crates", "src", "tests", "examples", "benches", "bindings", "fuzz", "xtask"];

/// What tools have made or installed.
const MADE: [&str; 4] = ["target", "node_modules", "artifacts", "build"];

/// The one hidden folder with pages: the templates of the service that hosts the project.
const TEMPLATES: &str = ".github";

/// How long the page of a binding may be.
const MOST_LINES: usize = 120;

/// What names of tests are looked for in.
const SOURCES: [&str; 8] = ["rs", "c", "go", "java", "lua", "py", "swift", "cs"];

/// What names of sources end with.
const COUNTED: [&str; 14] =
    ["rs", "go", "java", "lua", "py", "swift", "cs", "c", "cc", "h", "cpp", "js", "mjs", "ts"];

/// Everything that pages speak of, and the pages.
#[derive(Default)]
struct Project {
    tree: Tree,
    pages: Vec<(String, String)>,
    /// The forbidden words in sources, in lines for the reader.
    wrong_words: Vec<String>,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut project = Project::default();
    project.collect(stage.checkout, "")?;
    let Project { tree, pages, .. } = &project;
    let symbols = read(&stage.checkout.root.join("include/mcp.symbols"))?;
    let keys = rules::keys(&read(&stage.checkout.root.join("docs/reference/configuration.json"))?)?;
    let program = read(&stage.checkout.root.join("docs/reference/cli.md"))?;
    for (page, text) in pages {
        // Past versions had other names.
        let is_of_today = page != "CHANGELOG.md" && !page.starts_with("docs/history/");
        let mut findings = tree.missing(text);
        if is_of_today {
            findings.extend(rules::unknown_symbols(text, &symbols));
            findings.extend(rules::unknown_keys(text, &keys));
            findings.extend(rules::unknown_options(text, &program));
            findings.extend(too_long(page, text));
        }
        stage
            .tally
            .check(&format!("{page}: its tests, functions, keys and options are there"), none(&findings));
    }
    links::check(stage, pages)?;
    for page in table::REQUIREMENTS {
        let text = table::page(stage.checkout, page)?;
        let name = format!("every demand in {page} has its test or its reason");
        stage.tally.check(&name, none(&rules::unanswered(&text)));
    }
    let programs: BTreeSet<String> = stage.checkout.files("tests/c", "c").iter().map(|it| stem(it)).collect();
    for (table, has_all) in [("tests/windows/programs.txt", true), ("tests/targets/programs.txt", false)] {
        let findings = programs_of(&read(&stage.checkout.root.join(table))?, &programs, has_all);
        stage.tally.check(&format!("{table} has the programs of tests/c"), none(&findings));
    }
    check_words(stage, &project)?;
    hosting::check(stage)?;
    counterparts::check(stage)
}

/// The page of a binding fits on two screens.
fn too_long(page: &str, text: &str) -> Option<String> {
    let is_of_binding = page.starts_with("bindings/") && page.matches('/').count() == 2;
    let lines = text.lines().count();
    (is_of_binding && page.ends_with("/README.md") && lines > MOST_LINES).then(|| {
        format!("{page} has {lines} lines, more than {MOST_LINES}: move what few readers need to the guides")
    })
}

/// What is wrong with a table of programs: one that is not there, or if the table has all, one without its line.
fn programs_of(table: &str, programs: &BTreeSet<String>, has_all: bool) -> Vec<String> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: BTreeSet<&str> = lines
        .filter(|line| !line.contains(" unit "))
        .filter_map(|line| line.split(": ").next()?.split(' ').next_back())
        .collect();
    let stale =
        names.iter().filter(|name| !programs.contains(**name)).map(|name| format!("{name} is no program"));
    let missing = programs.iter().filter(|name| has_all && !names.contains(name.as_str()));
    stale.chain(missing.map(|name| format!("{name} has no line"))).collect()
}

/// Pages, headers and sources have no forbidden word.
fn check_words(stage: &mut Stage, project: &Project) -> Result<(), String> {
    let mut wrong = project.wrong_words.clone();
    for (page, text) in &project.pages {
        wrong.extend(told(page, text, true));
    }
    for header in HEADERS {
        wrong.extend(told(header, &read(&stage.checkout.root.join(header))?, false));
    }
    let name = "pages, headers and sources have none of the words that CONTRIBUTING.md forbids";
    stage.tally.check(name, none(&wrong));
    Ok(())
}

/// The forbidden words of a text, each in a line for the reader.
fn told(path: &str, text: &str, is_page: bool) -> Vec<String> {
    let findings = words::found(text, is_page);
    let line = |(line, (word, better)): &words::Finding| {
        format!("{path}:{line} has \"{word}\"; write for example: {better}")
    };
    findings.iter().map(line).collect()
}

fn none(findings: &[String]) -> Result<(), String> {
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

impl Project {
    /// Takes in everything below a folder; the paths are relative to the root.
    fn collect(&mut self, checkout: &Checkout, folder: &str) -> Result<(), String> {
        let root = &checkout.root;
        self.tree.add(folder, "");
        let entries =
            std::fs::read_dir(root.join(folder)).map_err(|error| format!("cannot read {folder}: {error}"))?;
        for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let place = root.join(&path);
            if name.starts_with('.') && name != TEMPLATES || MADE.contains(&name.as_str()) {
                continue;
            }
            if place.is_dir() {
                self.collect(checkout, &path)?;
                continue;
            }
            let kind = place.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if kind == "md" || table::is_table(&path) {
                let page = table::page(checkout, &path)?;
                self.tree.add(&path, "");
                self.pages.push((path, page));
            } else {
                if COUNTED.contains(&kind) && path != LIST {
                    self.wrong_words.extend(told(&path, &read(&place)?, false));
                }
                let source = if SOURCES.contains(&kind) { read(&place)? } else { String::new() };
                self.tree.add(&path, &source);
            }
        }
        self.pages.sort();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, too_long};

    #[test]
    fn the_page_of_a_binding_has_a_limit_and_others_have_none() {
        let (most, more) = ("x\n".repeat(MOST_LINES), "x\n".repeat(MOST_LINES + 1));
        assert_eq!(too_long("bindings/go/README.md", &most), None);
        assert!(too_long("bindings/go/README.md", &more).is_some_and(|why| why.contains("121 lines")));
        for page in ["bindings/README.md", "bindings/go/bench/README.md", "docs/README.md"] {
            assert_eq!(too_long(page, &more), None, "{page}");
        }
    }
}
