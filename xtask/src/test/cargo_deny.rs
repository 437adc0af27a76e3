//! cargo-deny itself: what `deny` finds out by its own means, judged by the tool that `deny.toml` is written for, and the
//! advisories of `RustSec`, which nothing else reads. A machine that tests for everyone compiles it; a person may go without.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::write;
use crate::machine::{CARGO_DENY, is_ci};
use crate::peers;
use crate::process::{self, Finished};

/// The database of advisories is a hundred times as fast, unless something holds the packets back.
const LIMIT: Duration = Duration::from_secs(90);
const ADVISORIES: &str = "cargo-deny: no advisory concerns a crate, and none is yanked";
/// What it says when there is no way to the database.
const NO_DATABASE: &str = "failed to fetch advisory database";

pub fn run(stage: &mut Stage, policy: &str) -> Result<(), String> {
    let Some(tool) = tool(stage)? else { return Ok(()) };
    let scratch = stage.checkout.scratch("deny")?;

    let stricter = scratch.join("stricter.toml");
    write(&stricter, &without(policy, "MIT")?)?;
    let planted = ask(stage, &tool, &["--workspace", "--offline"], &["licenses"], Some(&stricter))?;
    let found = !planted.succeeded() && planted.stderr.contains("license is not explicitly allowed");
    let result = if found { Ok(()) } else { Err(planted.story()) };
    stage.tally.check("cargo-deny finds a licence that is not allowed", result);

    let everything =
        ["-D", "license-not-encountered", "-D", "license-exception-not-encountered", "licenses", "sources"];
    let judged = ask(stage, &tool, &["--workspace", "--offline"], &everything, None)?;
    check(
        stage,
        "cargo-deny: licences and sources of all crates are as deny.toml says, and it says no more",
        &judged,
    );
    let judged = ask(stage, &tool, &["--offline"], &["-D", "warnings", "bans"], None)?;
    check(stage, "cargo-deny: no crate is in the library twice", &judged);

    let judged = ask(stage, &tool, &["--workspace"], &["advisories"], None)?;
    match no_database(&judged) {
        Some(why) => stage.tally.skip(ADVISORIES, &why),
        None => check(stage, ADVISORIES, &judged),
    }
    Ok(())
}

/// The tool. In CI it is the one version that is known to work, whatever else is there.
fn tool(stage: &mut Stage) -> Result<Option<PathBuf>, String> {
    if is_ci() {
        println!("  compiling cargo-deny, unless it is there");
        return peers::cargo_deny(stage.checkout).map(Some);
    }
    Ok(stage.tally.need(&CARGO_DENY, "cargo-deny says the same, and knows of no advisory"))
}

fn ask(
    stage: &Stage,
    tool: &Path,
    about: &[&str],
    checks: &[&str],
    policy: Option<&Path>,
) -> Result<Finished, String> {
    let mut command = Command::new(tool);
    command.current_dir(&stage.checkout.root).args(["--locked", "--color", "never"]).args(about);
    if let Some(policy) = policy {
        command.arg("--config").arg(policy);
    }
    command.args(["check", "--hide-inclusion-graph"]).args(checks);
    process::run(&mut command, LIMIT, &stage.checkout.scratch("deny")?.join("cargo-deny"))
}

fn check(stage: &mut Stage, name: &str, judged: &Finished) {
    let result = if judged.succeeded() { Ok(()) } else { Err(judged.story()) };
    stage.tally.check(name, result);
}

/// Why the advisories could not be looked at, if that is it: the machine has no way to the database.
fn no_database(judged: &Finished) -> Option<String> {
    let why = match judged.status {
        Some(_) => {
            let (_, why) = judged.stderr.split_once(NO_DATABASE)?;
            let database = why.split([' ', '\n']).find(|word| word.contains("://")).unwrap_or_default();
            format!("no way to {database}")
        }
        None => format!("nothing came in {} s", LIMIT.as_secs()),
    };
    Some(format!("{why}; where there is a way: cargo deny --workspace check advisories"))
}

/// The policy with one licence less.
fn without(policy: &str, licence: &str) -> Result<String, String> {
    let line = format!("    \"{licence}\",\n");
    if policy.contains(&line) {
        Ok(policy.replace(&line, ""))
    } else {
        Err(format!("deny.toml does not list {licence} on a line of its own"))
    }
}

#[cfg(test)]
mod tests {
    use super::{no_database, without};
    use crate::process::Finished;

    fn said(stderr: &str) -> Finished {
        let status = Some(std::process::ExitStatus::default());
        Finished { status, stdout: String::new(), stderr: stderr.to_owned() }
    }

    #[test]
    fn only_a_database_out_of_reach_is_passed_over() {
        let away = "2026-01-01 [ERROR] failed to fetch advisory database https://x/db with cli: failed to clone: []\n";
        let why = no_database(&said(away)).unwrap_or_default();
        assert!(why.starts_with("no way to https://x/db; where"), "{why}");
        assert_eq!(no_database(&said("error[vulnerability]: a thing\n")), None);
        let killed = Finished { status: None, ..said("") };
        assert!(no_database(&killed).is_some_and(|why| why.starts_with("nothing came in 90 s")));
    }

    #[test]
    fn one_licence_can_be_taken_away() {
        let policy = "allow = [\n    \"ISC\",\n    \"MIT\",\n]\n";
        assert_eq!(without(policy, "MIT").as_deref(), Ok("allow = [\n    \"ISC\",\n]\n"));
        assert!(without(policy, "Zlib").is_err());
    }
}
