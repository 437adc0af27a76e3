//! The oldest Rust we promise. Few machines have that compiler, so the promise is kept by three facts: it is written
//! down, Clippy denies newer standard-library calls, and no dependency asks for a newer compiler. Where rustup has the
//! old toolchain, the library is compiled with it too.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::read;
use crate::process;

const LIMIT: Duration = Duration::from_secs(300);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let manifest = read(&stage.checkout.root.join("Cargo.toml"))?;
    let promised = value(&manifest, "rust-version").ok_or("Cargo.toml has no rust-version = \"…\"")?;
    stage.tally.pass(&format!("rust-version is written down: {promised}"));

    let is_denied = value(&manifest, "incompatible_msrv").is_some_and(|level| level == "deny");
    let result =
        if is_denied { Ok(()) } else { Err("Cargo.toml must deny clippy::incompatible_msrv".to_owned()) };
    stage.tally.check("clippy denies calls that are newer", result);

    let result = dependencies(stage, promised);
    stage.tally.check("no dependency needs a newer Rust", result);
    if has_toolchain(stage, promised)? {
        let result = compile(stage, promised);
        stage.tally.check(&format!("the library compiles with Rust {promised}"), result);
    }
    Ok(())
}

/// The text that a line `key = "…"` gives.
fn value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    manifest.lines().find_map(|line| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(rest.trim().trim_matches('"'))
    })
}

fn dependencies(stage: &Stage, promised: &str) -> Result<(), String> {
    let mut cargo = stage.checkout.cargo();
    cargo.args(["metadata", "--format-version", "1"]);
    let finished =
        process::run(&mut cargo, LIMIT, &stage.checkout.scratch("msrv")?.join("metadata"))?.well()?;
    let newer: Vec<String> = packages(&finished.stdout)
        .into_iter()
        .filter(|(_, needed)| numbers(needed) > numbers(promised))
        .map(|(package, needed)| format!("{package} needs Rust {needed}"))
        .collect();
    if newer.is_empty() { Ok(()) } else { Err(newer.join("\n")) }
}

/// Name and `rust_version` of each package in cargo's metadata that has one.
fn packages(metadata: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut name = "";
    for part in metadata.split("{\"name\":\"") {
        // A dependency, inside a package's own entry, goes on with its source.
        if let Some((package, _)) = part.split_once('"').filter(|(_, rest)| rest.starts_with(",\"version\":"))
        {
            name = package;
        }
        if let Some((_, rest)) = part.split_once("\"rust_version\":\"") {
            found.push((name, rest.split('"').next().unwrap_or_default()));
        }
    }
    found
}

fn numbers(version: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).collect();
    numbers.resize(3, 0);
    numbers
}

fn has_toolchain(stage: &Stage, promised: &str) -> Result<bool, String> {
    let log = stage.checkout.scratch("msrv")?.join("toolchains");
    let Ok(finished) = process::run(Command::new("rustup").args(["toolchain", "list"]), LIMIT, &log) else {
        return Ok(false);
    };
    Ok(finished
        .stdout
        .lines()
        .any(|line| line.starts_with(&format!("{promised}-")) || line.starts_with(&format!("{promised}."))))
}

fn compile(stage: &Stage, promised: &str) -> Result<(), String> {
    let folder = stage.checkout.scratch("msrv")?;
    let mut rustup = Command::new("rustup");
    rustup.args(["run", promised, "cargo", "check", "--package", "mcp", "--target-dir"]).arg(&folder);
    rustup.current_dir(&stage.checkout.root).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    process::run(&mut rustup, LIMIT, Path::new(&folder.join("check")))?.done()
}

#[cfg(test)]
mod tests {
    use super::{numbers, packages, value};

    #[test]
    fn values_are_read_from_their_own_line() {
        let manifest = "# rust-version = \"1.0\"\nrust-version = \"1.88\"\nincompatible_msrv = \"deny\"\n";
        assert_eq!(value(manifest, "rust-version"), Some("1.88"));
        assert_eq!(value(manifest, "incompatible_msrv"), Some("deny"));
        assert_eq!(value(manifest, "edition"), None);
    }

    #[test]
    fn packages_are_told_from_their_dependencies() {
        let metadata = concat!(
            r#"{"packages":[{"name":"a","version":"1.0.0","dependencies":[{"name":"b","source":null}],"rust_version":"1.63"},"#,
            r#"{"name":"b","version":"2.0.0","rust_version":"1.90.0"}]}"#
        );
        assert_eq!(packages(metadata), [("a", "1.63"), ("b", "1.90.0")]);
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(numbers("1.9") < numbers("1.88"));
        assert_eq!(numbers("1.88"), numbers("1.88.0"));
    }
}
