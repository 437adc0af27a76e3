//! The official conformance suite against `tests/conformance/client.c`, strictly: each scenario in a run of its own, which
//! must end with 0 (the suite fails it for any warning, too), and exactly the expected checks must succeed. A check or a
//! scenario that appears or vanishes is a failure, so that no run is green by doing nothing.

mod expected;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use self::expected::{Checks, Expected, Scenario, written};
use super::Stage;
use crate::checkout::read;
use crate::compiler;
use crate::machine::{CC, NODE, NPM};
use crate::peers::Conformance;
use crate::process;

/// The suite gives up on a client after 30 s.
const LIMIT: Duration = Duration::from_secs(90);

/// Scenarios of extensions, which the suite skips at a revision unless told not to.
const EXTENSIONS: [&str; 6] = [
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/enterprise-managed-authorization",
    "auth/dpop",
    "auth/dpop-nonce",
    "auth/wif-jwt-bearer",
];

/// In `expected.txt`, what stands for a revision with the scenarios of the skills extension, which no revision's list has;
/// and the revision that they are played at.
const SKILLS: &str = "skills";
const SKILLS_AT: &str = "2026-07-28";

/// Scenarios mostly wait.
const AT_ONCE: usize = 4;

/// The revisions whose scenarios must all be in `expected.txt`.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "the conformance suite";
    if [&CC, &NODE, &NPM].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let folder = checkout.scratch("conformance")?;
    let source = checkout.root.join("tests/conformance/client.c");
    compiler::program(checkout, &built, &source, "conformance")?;
    println!("  installing the suite, unless it is there");
    let bench = Bench { suite: Conformance::install(checkout)?, folder, root: checkout.root.clone() };
    let expected = expected::read(&read(&checkout.root.join("tests/conformance/expected.txt"))?)?;
    for revision in REVISIONS {
        let result = bench.knows_all(revision, &expected);
        stage.tally.check(&format!("expected.txt has every scenario of {revision}"), result);
    }
    let mut later: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wanted = Vec::new();
    for (scenario, expected) in &expected {
        match expected {
            Expected::Checks(checks) => wanted.push((scenario, checks)),
            Expected::Later(feature) => *later.entry(feature).or_default() += 1,
        }
    }
    process::some_at_once(
        AT_ONCE,
        &wanted,
        |(scenario, checks)| bench.passes(scenario, checks),
        |(scenario, _), result| {
            stage.tally.check(&format!("{} at {}", scenario.name, scenario.revision), result);
        },
    );
    for (feature, scenarios) in later {
        println!("  {scenarios} scenarios are not required yet: they wait for {feature}");
    }
    Ok(())
}

struct Bench {
    suite: Conformance,
    folder: PathBuf,
    root: PathBuf,
}

impl Bench {
    fn knows_all(&self, revision: &str, expected: &[(Scenario, Expected)]) -> Result<(), String> {
        let mut command = self.suite.command()?;
        command.args(["list", "--requirements", revision]);
        let finished = process::run(&mut command, LIMIT, &self.folder.join(format!("list-{revision}")))?;
        if !finished.succeeded() {
            return Err(finished.story());
        }
        let listed = expected::listed(&finished.stdout);
        if listed.is_empty() {
            return Err(format!("the suite lists no client scenario: {}", finished.story()));
        }
        let named: BTreeSet<String> = expected
            .iter()
            .filter(|(scenario, _)| scenario.revision == revision)
            .map(|(scenario, _)| scenario.name.clone())
            .collect();
        let differ: Vec<&String> = listed.symmetric_difference(&named).collect();
        if differ.is_empty() { Ok(()) } else { Err(format!("only in one of suite and file: {differ:?}")) }
    }

    fn passes(&self, scenario: &Scenario, checks: &Checks) -> Result<(), String> {
        let label = format!("{}-{}", scenario.name.replace('/', "-"), scenario.revision);
        let output = self.folder.join("runs").join(&label);
        if output.exists() {
            std::fs::remove_dir_all(&output)
                .map_err(|error| format!("cannot clear {}: {error}", output.display()))?;
        }
        let mut command = self.suite.command()?;
        // The suite splits the command at blanks, so it is named from the folder that it is in.
        command.args(["client", "--command", "./client", "--scenario", &scenario.name]);
        let of_skills = scenario.revision == SKILLS;
        let revision = if of_skills { SKILLS_AT } else { &scenario.revision };
        command.args(["--spec-version", revision, "-o"]).arg(&output);
        if of_skills || EXTENSIONS.contains(&scenario.name.as_str()) {
            command.arg("--force");
        }
        let finished = process::run(command.current_dir(&self.folder), LIMIT, &self.folder.join(&label))?;
        if !finished.succeeded() {
            return Err(finished.story());
        }
        let found = checks_file(&output).ok_or_else(|| {
            format!("there is no checks.json in {}: {}", output.display(), finished.story())
        })?;
        let succeeded = self.succeeded(&found, &label)?;
        if expected::same(checks, &succeeded) {
            return Ok(());
        }
        Err(format!("expected  {}\nsucceeded {}", written(checks), written(&succeeded)))
    }

    /// The ids of the checks that succeeded; it is an error if one did not.
    fn succeeded(&self, checks: &Path, label: &str) -> Result<Checks, String> {
        let mut command = Command::new(self.suite.node()?);
        command.arg(self.root.join("tests/conformance/checks.mjs")).arg(checks);
        let finished = process::run(&mut command, LIMIT, &self.folder.join(format!("{label}-checks")))?;
        if !finished.succeeded() {
            return Err(finished.story());
        }
        let mut succeeded = Checks::new();
        for line in finished.stdout.lines() {
            match line.split_once(' ') {
                Some(("SUCCESS", id)) => *succeeded.entry(id.to_owned()).or_default() += 1,
                Some(("INFO" | "SKIPPED", _)) => {}
                _ => return Err(line.to_owned()),
            }
        }
        Ok(succeeded)
    }
}

/// The suite makes a folder whose name has the time, below one named after the scenario's group.
fn checks_file(folder: &Path) -> Option<PathBuf> {
    let direct = folder.join("checks.json");
    if direct.is_file() {
        return Some(direct);
    }
    let entries = std::fs::read_dir(folder).ok()?;
    entries.filter_map(|entry| Some(entry.ok()?.path())).find_map(|path| checks_file(&path))
}
