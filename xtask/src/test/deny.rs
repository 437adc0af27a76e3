//! What may be in the library, as `deny.toml` says: licences, where crates come from, no crate twice, and no advisory of
//! `RustSec`. cargo-deny judges it, on a machine that tests for everyone with `--deep`; a person may go without. What it cannot
//! say is how `docs/design/dependencies.md` counts the crates, and whether the records of `docs/history/audits.md` are of their versions.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::audits;
use crate::checkout::{read, write};
use crate::dependencies;
use crate::machine::{CARGO_DENY, is_ci};
use crate::peers;
use crate::process::{self, Finished};

/// The database of advisories is a hundred times as fast, unless something holds the packets back.
const LIMIT: Duration = Duration::from_secs(90);
const ADVISORIES: &str = "cargo-deny: no advisory concerns a crate, and none is yanked";
/// What it says when there is no way to the database.
const NO_DATABASE: &str = "failed to fetch advisory database";

/// A policy that the crates break: a check that can only pass proves nothing.
struct Planted {
    what: &'static str,
    check: &'static str,
    /// What `deny.toml` has, and what stands there instead.
    change: [&'static str; 2],
    says: &'static str,
}

const PLANTED: [Planted; 3] = [
    Planted {
        what: "a licence that is not allowed",
        check: "licenses",
        change: ["    \"MIT\",\n", ""],
        says: "license is not explicitly allowed",
    },
    Planted {
        what: "a crate in two versions",
        check: "bans",
        change: ["crate = \"windows-sys@", "crate = \"none@"],
        says: "error[duplicate]",
    },
    Planted {
        what: "a crate from another registry",
        check: "sources",
        change: ["github.com/rust-lang/crates.io-index", "github.com/none/none"],
        says: "error[source-not-allowed]",
    },
];

impl Planted {
    fn stricter(&self, policy: &str) -> Result<String, String> {
        let [has, instead] = self.change;
        if policy.contains(has) {
            Ok(policy.replace(has, instead))
        } else {
            Err(format!("deny.toml does not have {has:?}, which is changed to see that it matters"))
        }
    }
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let counted = dependencies::check(stage.checkout);
    stage.tally.check("docs/design/dependencies.md counts the crates and their `unsafe` rightly", counted);
    let records = audits::check(stage.checkout);
    stage.tally.check("the records in docs/history/audits.md are of the crates in Cargo.lock", records);
    // It takes a minute to compile, and what it looks at changes with Cargo.lock, whose records were compared just now.
    if !stage.options.deep && is_ci() {
        return Ok(());
    }
    let policy = read(&stage.checkout.root.join("deny.toml"))?;
    let Some(tool) = tool(stage)? else { return Ok(()) };
    let scratch = stage.checkout.scratch("deny")?;

    for planted in &PLANTED {
        let stricter = scratch.join("stricter.toml");
        write(&stricter, &planted.stricter(&policy)?)?;
        let judged = ask(stage, &tool, &["--offline"], &[planted.check], Some(&stricter))?;
        let found = !judged.succeeded() && judged.stderr.contains(planted.says);
        let result = if found { Ok(()) } else { Err(judged.story()) };
        stage.tally.check(&format!("cargo-deny finds {}", planted.what), result);
    }

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
    Ok(stage.tally.need(&CARGO_DENY, "licences, sources, duplicates and advisories of all crates"))
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
    let result = judged.done();
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

#[cfg(test)]
mod tests {
    use super::no_database;
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
}
