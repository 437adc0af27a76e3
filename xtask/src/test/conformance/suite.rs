//! The suite as a program: what it lists, and what it wrote about its runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::expected::{self, Checks, Expected, Scenario, Side};
use crate::checkout::files_below;
use crate::peers::Conformance;
use crate::process;

/// For a command that only reads or lists.
const LIMIT: Duration = Duration::from_secs(90);

/// What a check has in front of its id in the lists when the suite skipped it.
const SKIPPED: &str = "skipped:";

pub struct Suite {
    pub program: Conformance,
    /// Where its output goes.
    pub folder: PathBuf,
    /// The checkout.
    pub root: PathBuf,
}

impl Suite {
    /// Whether the expectations name exactly the scenarios that the suite has for one side at a revision.
    pub fn knows_all(
        &self,
        side: Side,
        revision: &str,
        expected: &[(Scenario, Expected)],
    ) -> Result<(), String> {
        let mut command = self.program.command()?;
        command.args(["list", "--requirements", revision]);
        let log = self.folder.join(format!("list-{side}-{revision}"));
        let finished = process::run(&mut command, LIMIT, &log)?.well()?;
        let listed = expected::listed(&finished.stdout, side);
        if listed.is_empty() {
            return Err(format!("the suite lists no {side} scenario: {}", finished.story()));
        }
        let named: BTreeSet<String> = expected
            .iter()
            .filter(|(scenario, _)| scenario.revision == revision)
            .map(|(scenario, _)| scenario.name.clone())
            .collect();
        let differ: Vec<&String> = listed.symmetric_difference(&named).collect();
        if differ.is_empty() { Ok(()) } else { Err(format!("only in one of suite and file: {differ:?}")) }
    }

    /// What each of these files of checks has.
    pub fn found(&self, files: &[PathBuf], label: &str) -> Result<BTreeMap<PathBuf, Found>, String> {
        let mut command = Command::new(self.program.node()?);
        command.arg(self.root.join("tests/conformance/checks.mjs")).args(files);
        let finished = process::run(&mut command, LIMIT, &self.folder.join(format!("{label}-checks")))?;
        if finished.succeeded() { read(&finished.stdout) } else { Err(finished.story()) }
    }
}

/// A check that is not a success.
#[derive(Debug, PartialEq, Eq)]
pub struct Failed {
    pub status: String,
    pub id: String,
    pub why: String,
}

/// The checks of one run of a scenario.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Those that succeeded and, marked, those that were skipped. What the suite only notes is not among them.
    pub succeeded: Checks,
    pub failed: Vec<Failed>,
}

impl Found {
    /// Exactly the expected checks succeeded, and none failed.
    pub fn is(&self, expected: &Checks) -> Result<(), String> {
        let mut story: Vec<String> = self
            .failed
            .iter()
            .map(|failed| format!("{} {}: {}", failed.status, failed.id, failed.why))
            .collect();
        if !expected::same(expected, &self.succeeded) {
            story.push(format!("expected  {}", expected::written(expected)));
            story.push(format!("succeeded {}", expected::written(&self.succeeded)));
        }
        if story.is_empty() { Ok(()) } else { Err(story.join("\n")) }
    }

    /// The same without what was skipped.
    pub fn without_skipped(mut self) -> Self {
        self.succeeded.retain(|id, _| !id.starts_with(SKIPPED));
        self
    }
}

/// Reads what `checks.mjs` prints.
fn read(text: &str) -> Result<BTreeMap<PathBuf, Found>, String> {
    let mut all = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("# ") {
            current = Some(all.entry(PathBuf::from(path)).or_insert_with(Found::default));
            continue;
        }
        let found = current.as_deref_mut().ok_or_else(|| format!("a check of no file: '{line}'"))?;
        let mut words = line.splitn(3, ' ');
        let (Some(status), Some(id)) = (words.next(), words.next()) else {
            return Err(format!("this is no check: '{line}'"));
        };
        match status {
            "SUCCESS" => *found.succeeded.entry(id.to_owned()).or_default() += 1,
            "SKIPPED" => *found.succeeded.entry(format!("{SKIPPED}{id}")).or_default() += 1,
            "INFO" => {}
            _ => found.failed.push(Failed {
                status: status.to_owned(),
                id: id.to_owned(),
                why: words.next().unwrap_or("no reason is given").to_owned(),
            }),
        }
    }
    Ok(all)
}

/// The files of checks below a folder: the suite makes a folder for each scenario whose name has the time.
pub fn checks_files(folder: &Path) -> Vec<PathBuf> {
    let files = files_below(folder).unwrap_or_default();
    files.into_iter().filter(|file| file.ends_with("checks.json")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Found, read};
    use std::path::Path;

    fn found(text: &str) -> Found {
        let mut all = read(text).unwrap_or_default();
        all.remove(Path::new("/x/checks.json")).unwrap_or_default()
    }

    #[test]
    fn failures_warnings_and_missing_checks_fail_a_scenario() {
        let good = found("# /x/checks.json\nSUCCESS a\nINFO note\nSUCCESS a\nSKIPPED b not here\n");
        assert_eq!(good.is(&[("a".to_owned(), 2), ("skipped:b".to_owned(), 1)].into()), Ok(()));
        assert!(good.is(&[("a".to_owned(), 2)].into()).is_err(), "one more than expected");
        assert!(good.is(&[("a".to_owned(), 1), ("skipped:b".to_owned(), 1)].into()).is_err());
        for status in ["FAILURE", "WARNING", "ODD"] {
            let bad = found(&format!("# /x/checks.json\nSUCCESS a\n{status} b for a reason\n"));
            let story = bad.is(&[("a".to_owned(), 1)].into()).unwrap_err();
            assert_eq!(story, format!("{status} b: for a reason"));
        }
    }

    #[test]
    fn checks_belong_to_the_file_above_them() {
        let all = read("# /a\nSUCCESS x\n# /b\nSUCCESS y\n").unwrap_or_default();
        assert_eq!(all.len(), 2);
        assert!(all[Path::new("/b")].succeeded.contains_key("y"));
        assert!(read("SUCCESS x\n").is_err() && read("# /a\nnothing\n").is_err());
    }
}
