//! The suite's client scenarios against `tests/conformance/client.c`: each scenario in a run of its own, which must end with 0
//! (the suite fails it for any warning, too).

use std::collections::BTreeMap;
use std::time::Duration;

use super::expected::{self, Checks, Expected, REVISIONS, Scenario, Side};
use super::suite::{Suite, checks_files};
use crate::checkout::{read, removed};
use crate::compiler;
use crate::process;
use crate::release::Built;
use crate::test::Stage;

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

pub fn run(stage: &mut Stage, built: &Built, suite: &Suite) -> Result<(), String> {
    let source = suite.root.join("tests/conformance/client.c");
    compiler::program(stage.checkout, built, &source, "conformance")?;
    play(stage, suite, AT_ONCE)
}

/// Plays all scenarios against the program `client` in the folder of the suite.
pub fn play(stage: &mut Stage, suite: &Suite, at_once: usize) -> Result<(), String> {
    let expected = expected::read(&read(&suite.root.join("tests/conformance/expected.txt"))?)?;
    for revision in REVISIONS {
        let result = suite.knows_all(Side::Client, revision, &expected);
        stage.tally.check(&format!("expected.txt has every client scenario of {revision}"), result);
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
        at_once,
        &wanted,
        |(scenario, checks)| passes(suite, scenario, checks),
        |(scenario, _), result| {
            stage.tally.check(&format!("client: {} at {}", scenario.name, scenario.revision), result);
        },
    );
    for (feature, scenarios) in later {
        println!("  {scenarios} client scenarios are not required yet: they wait for {feature}");
    }
    Ok(())
}

fn passes(suite: &Suite, scenario: &Scenario, checks: &Checks) -> Result<(), String> {
    let label = format!("{}-{}", scenario.name.replace('/', "-"), scenario.revision);
    let output = suite.folder.join("runs").join(&label);
    removed(&output)?;
    let mut command = suite.program.command()?;
    // The suite splits the command at blanks, so it is named from the folder that it is in.
    command.args(["client", "--command", "./client", "--scenario", &scenario.name]);
    let of_skills = scenario.revision == SKILLS;
    let revision = if of_skills { SKILLS_AT } else { &scenario.revision };
    command.args(["--spec-version", revision, "-o"]).arg(&output);
    if of_skills || EXTENSIONS.contains(&scenario.name.as_str()) {
        command.arg("--force");
    }
    let finished =
        process::run(command.current_dir(&suite.folder), LIMIT, &suite.folder.join(&label))?.well()?;
    let files = checks_files(&output);
    let found = suite.found(&files, &label)?;
    // What a client does not do, such as a login that it may refuse, the suite skips in some runs only.
    let found = found
        .into_values()
        .next()
        .ok_or_else(|| format!("there is no checks.json in {}: {}", output.display(), finished.story()))?;
    found.without_skipped().is(checks)
}
