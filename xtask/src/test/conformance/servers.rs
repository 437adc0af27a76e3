//! The suite's server scenarios against `tests/conformance/server.c`: one process of it serves all scenarios of all revisions.
//! And against no server at all: what succeeds there as well proves nothing, and is named.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::expected::{self, Checks, Expected, REVISIONS, Scenario, Side};
use super::suite::{Found, Suite, checks_files};
use crate::checkout::{read, removed};
use crate::compiler;
use crate::process::{self, Served};
use crate::release::Built;
use crate::test::Stage;

/// For all scenarios of a revision together, which take seconds; the suite gives up on one after 30 s.
const LIMIT: Duration = Duration::from_secs(300);

/// How long the server has to end.
const END: Duration = Duration::from_secs(10);

const EXPECTED: &str = "expected-server.txt";

/// In the file, what stands for a revision with the scenarios that no revision's list has; and the revision that they are
/// played at.
const SKILLS: &str = "skills";
const SKILLS_AT: &str = "2026-07-28";

/// In the file, what is behind a revision in the lines that say what succeeds against no server.
const WITHOUT: &str = "-without-server";

/// Nothing listens at port 2. A browser, and so the suite, refuses port 1.
const NO_SERVER: &str = "http://127.0.0.1:2/mcp";

/// What the suite notes when no message broke the schema: also when there was no message.
const PROVES_NOTHING: &str = "wire-schema-valid";

pub fn run(stage: &mut Stage, built: &Built, suite: &Suite) -> Result<(), String> {
    let source = suite.root.join("tests/conformance/server.c");
    let program = compiler::program(stage.checkout, built, &source, "conformance")?;
    let expected = expectations(suite)?;
    for revision in REVISIONS {
        let result = suite.knows_all(Side::Server, revision, &expected);
        stage.tally.check(&format!("{EXPECTED} has every server scenario of {revision}"), result);
    }
    play(stage, suite, &mut Command::new(&program), &program.with_extension("run"))?;
    for revision in REVISIONS {
        let found = all_of(suite, revision, NO_SERVER, "without");
        stage.tally.check(
            &format!("{EXPECTED} has what succeeds at {revision} without a server"),
            found.and_then(|found| without_a_server(revision, &expected, &found)),
        );
    }
    Ok(())
}

fn expectations(suite: &Suite) -> Result<Vec<(Scenario, Expected)>, String> {
    expected::read(&read(&suite.root.join("tests/conformance").join(EXPECTED))?)
}

/// Plays all scenarios against the server that a command starts, which says its URL and ends with its input. Its stderr goes
/// through the file `log`.err.
pub fn play(stage: &mut Stage, suite: &Suite, command: &mut Command, log: &Path) -> Result<(), String> {
    let expected = expectations(suite)?;
    let mut server = Served::start(command, log)?;
    let url = server.first_line()?;
    for revision in REVISIONS {
        judge(stage, revision, &expected, all_of(suite, revision, &url, "served"));
    }
    judge(stage, SKILLS, &expected, skills(suite, &url, &expected));
    let result = server.end(END).and_then(|end| end.done());
    stage.tally.check("the server of the conformance suite ends with its input", result);
    Ok(())
}

/// Plays every scenario that a revision requires, and those beside them; gives what was found, by name.
pub fn all_of(
    suite: &Suite,
    revision: &str,
    url: &str,
    label: &str,
) -> Result<BTreeMap<String, Found>, String> {
    let label = format!("servers-{label}-{revision}");
    let output = suite.folder.join("runs").join(&label);
    removed(&output)?;
    let mut command = suite.program.command()?;
    command.args(["server", "--url", url, "--requirements", revision, "-o"]).arg(&output);
    // Its status is about the scenarios that are scored; the files tell of all.
    let finished = process::run(&mut command, LIMIT, &suite.folder.join(&label))?;
    if finished.status.is_none() {
        return Err(finished.story());
    }
    by_name(suite, &output, &label).map_err(|error| format!("{error}\n{}", finished.story()))
}

/// The same for the scenarios of the skills extension.
fn skills(
    suite: &Suite,
    url: &str,
    expected: &[(Scenario, Expected)],
) -> Result<BTreeMap<String, Found>, String> {
    let mut all = BTreeMap::new();
    for (scenario, expected) in expected {
        if scenario.revision != SKILLS || matches!(expected, Expected::Later(_)) {
            continue;
        }
        let label = format!("servers-{}", scenario.name);
        let output = suite.folder.join("runs").join(&label);
        removed(&output)?;
        let mut command = suite.program.command()?;
        command.args(["server", "--url", url, "--scenario", &scenario.name, "--force"]);
        command.args(["--spec-version", SKILLS_AT, "-o"]).arg(&output);
        let finished = process::run(&mut command, LIMIT, &suite.folder.join(&label))?;
        let found =
            by_name(suite, &output, &label).map_err(|error| format!("{error}\n{}", finished.story()))?;
        all.extend(found);
    }
    Ok(all)
}

fn by_name(suite: &Suite, output: &Path, label: &str) -> Result<BTreeMap<String, Found>, String> {
    let files = checks_files(output);
    if files.is_empty() {
        return Err(format!("the suite wrote no checks.json below {}", output.display()));
    }
    let found = suite.found(&files, label)?;
    let named = found.into_iter().map(|(path, found)| {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = scenario_of(&folder).ok_or_else(|| format!("which scenario is {}?", path.display()))?;
        Ok((name.to_owned(), found))
    });
    named.collect()
}

/// The scenario in the name of a folder such as `server-tools-list-2026-11-23T17-30-35-509Z`.
fn scenario_of(folder: &str) -> Option<&str> {
    let (name, time) = folder.strip_prefix("server-")?.split_at_checked(folder.len().checked_sub(7 + 25)?)?;
    let is_time = time.starts_with('-') && time.ends_with('Z') && time.chars().nth(11) == Some('T');
    is_time.then_some(name)
}

/// Compares what was found at a revision with what is expected.
fn judge(
    stage: &mut Stage,
    revision: &str,
    expected: &[(Scenario, Expected)],
    found: Result<BTreeMap<String, Found>, String>,
) {
    let mut found = match found {
        Ok(found) => found,
        Err(why) => {
            return stage.tally.fail(&format!("the suite plays server scenarios of {revision}"), &why);
        }
    };
    let mut later: BTreeMap<&str, usize> = BTreeMap::new();
    for (scenario, expected) in expected.iter().filter(|(scenario, _)| scenario.revision == revision) {
        let checks = match expected {
            Expected::Checks(checks) => checks,
            Expected::Later(feature) => {
                *later.entry(feature).or_default() += 1;
                found.remove(&scenario.name);
                continue;
            }
        };
        let result = match found.remove(&scenario.name) {
            Some(found) => found.is(checks),
            None => Err("the suite wrote no checks of it".to_owned()),
        };
        stage.tally.check(&format!("server: {} at {revision}", scenario.name), result);
    }
    for name in found.keys() {
        stage.tally.fail(&format!("server: {name} at {revision}"), "it is not in the file of expectations");
    }
    for (feature, scenarios) in later {
        println!(
            "  {scenarios} server scenarios at {revision} are not required yet: they wait for {feature}"
        );
    }
}

/// Whether exactly the expected checks succeed where no server is; names the scenarios that prove nothing.
fn without_a_server(
    revision: &str,
    expected: &[(Scenario, Expected)],
    found: &BTreeMap<String, Found>,
) -> Result<(), String> {
    let of = |revision: &str| -> BTreeMap<&str, &Checks> {
        let lines = expected.iter().filter(|(scenario, _)| scenario.revision == revision);
        lines.filter_map(|(scenario, expected)| Some((scenario.name.as_str(), expected.checks()?))).collect()
    };
    let (required, known) = (of(revision), of(&format!("{revision}{WITHOUT}")));
    let mut story = Vec::new();
    let mut empty = Vec::new();
    for (name, found) in found {
        let mut succeeded = found.succeeded.clone();
        succeeded.remove(PROVES_NOTHING);
        let known = known.get(name.as_str()).copied().cloned().unwrap_or_default();
        if !expected::same(&known, &succeeded) {
            story.push(format!("{name}: {}", expected::written(&succeeded)));
        }
        let proof = required.get(name.as_str()).is_some_and(|checks| {
            checks.keys().any(|id| id != PROVES_NOTHING && !succeeded.contains_key(id))
        });
        if required.contains_key(name.as_str()) && !proof {
            empty.push(name.as_str());
        }
    }
    story.extend(
        known.keys().filter(|name| !found.contains_key(**name)).map(|name| format!("{name}: not run")),
    );
    if !empty.is_empty() {
        println!("  these pass at {revision} without a server, too, and prove nothing: {}", empty.join(", "));
    }
    if story.is_empty() { Ok(()) } else { Err(format!("what succeeds differs:\n{}", story.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::{Found, scenario_of, without_a_server};
    use crate::test::conformance::expected;

    #[test]
    fn a_folder_has_the_scenario_in_its_name() {
        assert_eq!(scenario_of("server-tools-list-2026-11-23T17-30-35-509Z"), Some("tools-list"));
        assert_eq!(scenario_of("server-server-stateless-2026-11-23T17-30-35-509Z"), Some("server-stateless"));
        assert_eq!(scenario_of("server-tools-list"), None);
        assert_eq!(scenario_of("client-tools-list-2026-11-23T17-30-35-509Z"), None);
    }

    #[test]
    fn what_succeeds_without_a_server_is_known() {
        let expected =
            expected::read("R a: x y wire-schema-valid\nR-without-server a: x\n").unwrap_or_default();
        let run = |ids: &[&str]| {
            let succeeded = ids.iter().map(|id| ((*id).to_owned(), 1)).collect();
            let found = Found { succeeded, failed: Vec::new() };
            without_a_server("R", &expected, &[("a".to_owned(), found)].into())
        };
        assert_eq!(run(&["x", "wire-schema-valid"]), Ok(()));
        assert!(run(&["x", "y"]).is_err() && run(&[]).is_err());
        assert!(without_a_server("R", &expected, &[].into()).is_err());
    }
}
