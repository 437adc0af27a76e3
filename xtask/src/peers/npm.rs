//! What comes from npm.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, once};
use crate::checkout::{Checkout, read, write};
use crate::machine::{NODE, NPM};
use crate::process;

/// No script of a package runs after it is installed: it would fetch what these tests do not use.
const QUIET: &[&str] = &["--ignore-scripts"];

/// The packages: the names of their folders, where in the checkout they are pinned, and more options of npm.
const PACKAGES: [(&str, &str, &[&str]); 10] = [
    ("conformance", "tests/conformance/npm", &[]),
    ("inspector", "tests/interop/inspector", QUIET),
    ("login", "tests/login/npm", &[]),
    ("node-22", "tests/interop/node-22", &[]),
    // What the addon of the binding is built and tested with: its install script would build it before its sources are there.
    ("node-binding", "bindings/node", QUIET),
    // The reference servers, where `npx` finds them without a download.
    ("npm", "tests/interop/npm", &[]),
    // The libraries of the page of `mcp inspect`, and what makes one file of them.
    ("page", "cli/page", QUIET),
    // The programs beside which ours is measured.
    ("programs", "tests/interop/programs", QUIET),
    ("pyright", "bindings/python/tests/typing/pyright", &[]),
    // Bun and Deno: the programs are in packages for each machine.
    ("runtimes", "tests/interop/runtimes", QUIET),
];

/// The command that starts a script of one of these packages by the machine's Node.js.
pub fn command(checkout: &Checkout, name: &str, script: &str) -> Result<Vec<String>, String> {
    let node = NODE.find()?;
    let script = packages(checkout, name)?.join("node_modules").join(script);
    Ok(vec![node.display().to_string(), script.display().to_string()])
}

/// The Node.js that came with packages, or where none is to be had for this machine its own, which may be older.
pub fn node_of(packages: &Path) -> Result<PathBuf, String> {
    let came = ["linux-x64", "linux-arm64", "darwin-x64"]
        .map(|machine| packages.join(format!("node_modules/node-{machine}/bin/node")));
    came.into_iter().find(|node| node.is_file()).map_or_else(|| NODE.find(), Ok)
}

/// Node.js 22.
pub fn node_22(checkout: &Checkout) -> Result<PathBuf, String> {
    node_of(&packages(checkout, "node-22")?)
}

/// Installs packages; gives their folder below the target folder.
pub fn packages(checkout: &Checkout, name: &str) -> Result<PathBuf, String> {
    let row = PACKAGES.iter().find(|(its, ..)| *its == name);
    let (_, pins, options) = row.ok_or_else(|| format!("no packages of npm are known as {name}"))?;
    let npm = NPM.find()?;
    let pins = checkout.root.join(pins);
    let (manifest, lock) = (read(&pins.join("package.json"))?, read(&pins.join("package-lock.json"))?);
    let folder = folder(checkout, name);
    once(&folder, &format!("{manifest}{lock}"), || {
        write(&folder.join("package.json"), &manifest)?;
        write(&folder.join("package-lock.json"), &lock)?;
        let make = || {
            let mut command = Command::new(&npm);
            command
                .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
                .args(*options)
                .current_dir(&folder);
            command
        };
        process::download(make, process::LIMIT, &checkout.scratch("peers")?.join(name))
    })?;
    Ok(folder)
}
