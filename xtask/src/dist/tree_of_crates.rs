//! The crates that a package is compiled with, as `cargo tree` tells them.

use std::time::Duration;

use crate::checkout::Checkout;
use crate::process;

const LIMIT: Duration = Duration::from_secs(120);

/// A crate at a place of the tree.
#[derive(Debug, PartialEq)]
pub struct Crate {
    pub depth: usize,
    pub name: String,
    pub version: String,
    /// As SPDX has it.
    pub licence: String,
    /// Whether it comes from this checkout.
    pub is_ours: bool,
}

/// Every place of the tree, the package itself first, for a system. `words` are the features, and which edges there are, if not the normal
/// ones.
pub fn tree(checkout: &Checkout, package: &str, system: &str, words: &[&str]) -> Result<Vec<Crate>, String> {
    let mut cargo = checkout.cargo();
    cargo
        .args("tree --locked --prefix depth --no-dedupe --format |{p}|{l} --package".split(' '))
        .arg(package);
    cargo.args(["--target", system]).args(words);
    if !words.contains(&"--edges") {
        cargo.args(["--edges", "normal"]);
    }
    let listed = process::run(&mut cargo, LIMIT, &checkout.scratch("tree")?.join(package))?
        .well()
        .map_err(|why| format!("cargo tree failed: {why}"))?;
    crates(&listed.stdout)
}

/// From lines `DEPTH|NAME vVERSION …|LICENCE`; ours have their path behind the version.
pub fn crates(listed: &str) -> Result<Vec<Crate>, String> {
    let one = |line: &str| {
        let (depth, rest) = line.split_once('|')?;
        let (package, licence) = rest.split_once('|')?;
        let mut words = package.split_whitespace();
        Some(Crate {
            depth: depth.parse().ok()?,
            name: words.next()?.to_owned(),
            version: words.next()?.trim_start_matches('v').to_owned(),
            // Some crates still write a slash.
            licence: licence.trim().replace('/', " OR "),
            is_ours: words.next().is_some_and(|path| path.starts_with("(/")),
        })
    };
    let lines = listed.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            one(line).ok_or_else(|| format!("cargo tree printed a line that is not understood: {line}"))
        })
        .collect()
}
