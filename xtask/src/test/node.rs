//! The Node.js binding: its addon compiles without a warning, and its tests (`tests/node`). The package is built
//! in a folder of its own, with what it is built and tested with, so that the checkout stays clean.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::{Stage, pytest};
use crate::bindings;
use crate::checkout::{Checkout, read, removed, write};
use crate::machine::{GXX, NODE, NPM, PKG_CONFIG};
use crate::npm_packages::{PARTS, copy_folder};
use crate::release::Built;
use crate::{peers, process};

/// The package with the addon that this run of the tests has built.
static BUILT: OnceLock<PathBuf> = OnceLock::new();

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if [&NODE, &NPM, &GXX, &PKG_CONFIG]
        .iter()
        .any(|tool| stage.tally.need(tool, "the Node.js binding").is_none())
    {
        return Ok(());
    }
    package(stage.checkout, &stage.built()?)?;
    stage.tally.pass("the addon compiles without a warning");
    pytest::step(stage)
}

/// The package with its addon and what it is built with, for other steps, too: built unless this run has done so.
pub fn package(checkout: &Checkout, built: &Built) -> Result<PathBuf, String> {
    if let Some(package) = BUILT.get() {
        return Ok(package.clone());
    }
    let package = lay_out(checkout)?;
    let mut command = Command::new(NODE.find()?);
    command.arg("scripts/build.js").current_dir(&package).env("CXXFLAGS", "-Werror");
    command.env("PKG_CONFIG_PATH", bindings::stage(checkout, built)?.pkgconfig);
    process::run(&mut command, process::LIMIT, &checkout.scratch("node")?.join("build"))?.done()?;
    Ok(BUILT.get_or_init(|| package).clone())
}

/// Copies the package beside its dependencies, which are downloaded if they are not there.
fn lay_out(checkout: &Checkout) -> Result<PathBuf, String> {
    let source = checkout.root.join("bindings/node");
    let folder = peers::packages(checkout, "node-binding")?;
    // Addons of an earlier run would be loaded, or packed, in place of this one's.
    for part in PARTS.iter().chain(&["build", "prebuilds", "npm"]) {
        removed(&folder.join(part))?;
    }
    for part in PARTS {
        copy_folder(&source.join(part), &folder.join(part))?;
    }
    for file in ["tsconfig.json", "README.md"] {
        write(&folder.join(file), &read(&source.join(file))?)?;
    }
    Ok(folder)
}
