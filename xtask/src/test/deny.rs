//! What may be in the library, as `deny.toml` says: the licences, where crates come from, and no crate twice. This needs
//! neither cargo-deny nor the network; then the tool itself is asked (`cargo_deny`).

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Stage, cargo_deny};
use crate::checkout::read;
use crate::dependencies;
use crate::process;

const LIMIT: Duration = Duration::from_secs(120);
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let policy = read(&stage.checkout.root.join("deny.toml"))?;
    let allowed = list(&policy, "\nallow = [").ok_or("deny.toml has no list of allowed licences")?;
    let all = ["--workspace", "--edges", "all", "--prefix", "none", "--target", "all", "--format", "{p}|{l}"];
    let crates = tree(stage, &all)?;
    let wrong = unlicensed(&crates, &allowed, &exceptions(&policy));
    let result = if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) };
    stage.tally.check("every crate has a licence that deny.toml allows", result);

    let options = ["--package", "mcp", "--edges", "normal", "--all-features", "--duplicates"];
    let twice = tree(stage, &[options.as_slice(), &["--depth", "0", "--prefix", "none"]].concat())?;
    let twice = duplicates(&twice, &list(&policy, "\nskip = [").unwrap_or_default());
    let result = if twice.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "{}\nwhere from: cargo tree {}\nIf it cannot be helped, add it to \"skip\" in deny.toml with the reason",
            twice.join("\n"),
            options.join(" ")
        ))
    };
    stage.tally.check("no crate is in the library twice", result);

    let foreign = foreign(&read(&stage.checkout.root.join("Cargo.lock"))?);
    let result = if foreign.is_empty() { Ok(()) } else { Err(foreign.join("\n")) };
    stage.tally.check("every crate comes from crates.io", result);

    let counted = dependencies::check(stage.checkout);
    stage.tally.check("docs/dependencies.md counts the crates and their `unsafe` rightly", counted);
    cargo_deny::run(stage, &policy)
}

fn tree(stage: &Stage, options: &[&str]) -> Result<String, String> {
    let mut cargo = stage.checkout.cargo();
    cargo.args(["tree", "--locked"]).args(options);
    let finished = process::run(&mut cargo, LIMIT, &stage.checkout.scratch("deny")?.join("tree"))?;
    if finished.succeeded() { Ok(finished.stdout) } else { Err(finished.story()) }
}

/// The crates that cargo lists as there in several versions, without those that are known and borne.
fn duplicates(listed: &str, borne: &[String]) -> Vec<String> {
    let lines: BTreeSet<&str> = listed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // A crate is borne in one version, as "syn@1.0.0", or in all, as "syn".
    let is_borne = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let exact = format!("{name}@{}", version.trim_start_matches('v'));
        borne.iter().any(|one| one == name || *one == exact)
    };
    lines.into_iter().filter(|line| !is_borne(line)).map(str::to_owned).collect()
}

/// The strings from the mark to the closing bracket.
fn list(policy: &str, mark: &str) -> Option<Vec<String>> {
    let rest = policy.split_once(mark)?.1.split(']').next()?;
    Some(rest.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// `{ allow = ["LICENCE"], crate = "NAME" }` as name and licence.
fn exceptions(policy: &str) -> Vec<(String, String)> {
    let all =
        policy.split_once("\nexceptions = [").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or(""));
    all.split('{')
        .skip(1)
        .filter_map(|one| {
            let strings: Vec<&str> = one.split('"').skip(1).step_by(2).collect();
            Some(((*strings.last()?).to_owned(), (*strings.first()?).to_owned()))
        })
        .collect()
}

/// The crates, as `name vVERSION|LICENCE`, whose licence is not allowed. Ours have a path in brackets.
fn unlicensed(crates: &str, allowed: &[String], exceptions: &[(String, String)]) -> Vec<String> {
    let mut wrong = BTreeSet::new();
    for line in crates.lines().map(|line| line.trim_end_matches("(*)").trim_end()) {
        let Some((package, licence)) = line.split_once('|') else { continue };
        let name = package.split_whitespace().next().unwrap_or_default();
        let mut allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
        allowed.extend(exceptions.iter().filter(|(of, _)| of == name).map(|(_, licence)| licence.as_str()));
        if !package.contains("(/") && !is_satisfied(licence, &allowed) {
            let licence = if licence.is_empty() { "no licence" } else { licence };
            wrong.insert(format!("{package}: {licence}"));
        }
    }
    wrong.into_iter().collect()
}

/// Whether one of the alternatives of an SPDX expression has nothing but what is allowed. `/` is an old way to say OR.
fn is_satisfied(expression: &str, allowed: &[&str]) -> bool {
    // A bracket holds alternatives: "(MIT OR Apache-2.0) AND Unicode-3.0".
    if let Some((before, rest)) = expression.split_once('(')
        && let Some((inside, after)) = rest.split_once(')')
    {
        let inside =
            if is_satisfied(inside, allowed) { allowed.first().copied().unwrap_or_default() } else { "?" };
        return is_satisfied(&format!("{before}{inside}{after}"), allowed);
    }
    expression
        .split(" OR ")
        .flat_map(|part| part.split('/'))
        .any(|choice| choice.split(" AND ").all(|one| allowed.contains(&one.trim())))
}

/// The packages of the lock file that come from elsewhere. Those without a source are ours.
fn foreign(lock: &str) -> Vec<String> {
    lock.split("[[package]]")
        .filter_map(|package| {
            let field = |key: &str| {
                package.lines().find_map(|line| Some(line.strip_prefix(key)?.trim_matches([' ', '=', '"'])))
            };
            let (name, source) = (field("name")?, field("source")?);
            (source != REGISTRY).then(|| format!("{name} comes from {source}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{duplicates, exceptions, foreign, is_satisfied, list, unlicensed};

    const POLICY: &str = "[licenses]\nallow = [\n    \"MIT\",\n    \"Unicode-3.0\",\n]\n\
                          exceptions = [{ allow = [\"MPL-2.0\"], crate = \"cbindgen\" }]\n\n[bans]\n";

    #[test]
    fn expressions_of_licences_are_understood() {
        let allowed = ["MIT", "Unicode-3.0"];
        for fine in ["MIT", "GPL-3.0 OR MIT", "Unlicense/MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_satisfied(fine, &allowed), "{fine}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR X) AND MIT", "MITX"] {
            assert!(!is_satisfied(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn a_crate_with_another_licence_is_named() {
        let allowed = list(POLICY, "\nallow = [").unwrap_or_default();
        let crates = "mcp v0.1.0 (/x)|\na v1.0.0|MIT (*)\nb v1.0.0|GPL-3.0\ncbindgen v0.1.0|MPL-2.0\nc v1.0.0|MPL-2.0\n";
        assert_eq!(
            unlicensed(crates, &allowed, &exceptions(POLICY)),
            ["b v1.0.0: GPL-3.0", "c v1.0.0: MPL-2.0"]
        );
    }

    #[test]
    fn a_crate_that_is_there_twice_is_named_unless_it_is_borne() {
        let listed = "getrandom v0.2.1\n\ngetrandom v0.3.0\n\nsyn v1.0.0\nsyn v2.0.0\n";
        assert_eq!(duplicates(listed, &["syn".to_owned()]), ["getrandom v0.2.1", "getrandom v0.3.0"]);
        let one_version = ["syn@1.0.0".to_owned(), "getrandom".to_owned()];
        assert_eq!(duplicates(listed, &one_version), ["syn v2.0.0"]);
    }

    #[test]
    fn a_crate_from_elsewhere_is_named() {
        let lock = "[[package]]\nname = \"ours\"\n[[package]]\nname = \"git\"\nsource = \"git+https://x\"\n[[package]]\n\
                    name = \"fine\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        assert_eq!(foreign(lock), ["git comes from git+https://x"]);
    }
}
