//! Tools that machines lack: subcommands of cargo, and the linter of workflow files.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, once};
use crate::checkout::{Checkout, removed};
use crate::process;

/// The newest that the promised Rust compiles.
const CARGO_DENY: &str = "0.20.2";

/// What changes the code to see whether a test fails.
const CARGO_MUTANTS: &str = "27.1.0";

/// The linter of workflow files. It compiles with Go 1.24.
const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.11";

/// cargo-deny: it works for a second, so that it is compiled as fast as can be, about a minute of two processors. Optimized as it comes,
/// it takes two and a half.
pub fn cargo_deny(checkout: &Checkout) -> Result<PathBuf, String> {
    of_cargo(checkout, "cargo-deny", CARGO_DENY)
}

/// cargo-mutants, which waits for cargo most of its time.
pub fn cargo_mutants(checkout: &Checkout) -> Result<PathBuf, String> {
    of_cargo(checkout, "cargo-mutants", CARGO_MUTANTS)
}

/// A subcommand of cargo, compiled here from crates.io.
fn of_cargo(checkout: &Checkout, name: &str, version: &str) -> Result<PathBuf, String> {
    let folder = folder(checkout, name);
    once(&folder, version, || {
        let build = folder.join("build");
        let make = || {
            let mut cargo = checkout.cargo();
            cargo.args(["install", "--quiet", "--locked", "--debug", "--version", version, name]);
            cargo.arg("--root").arg(&folder).arg("--target-dir").arg(&build);
            cargo.envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_INCREMENTAL", "0")]);
            cargo
        };
        process::download(make, process::LIMIT, &checkout.scratch("peers")?.join(name))?;
        removed(&build)
    })?;
    Ok(folder.join("bin").join(name))
}

/// actionlint, compiled here by Go from its module proxy.
pub fn actionlint(checkout: &Checkout, go: &Path) -> Result<PathBuf, String> {
    let folder = folder(checkout, "actionlint");
    once(&folder, ACTIONLINT, || {
        let make = || {
            let mut command = Command::new(go);
            command.args(["install", ACTIONLINT]).env("GOBIN", &folder).env("GOTOOLCHAIN", "local");
            // A file `go.work` of the machine is about other modules.
            command.env("GOWORK", "off").env("GOFLAGS", "");
            command
        };
        process::download(make, process::LIMIT, &checkout.scratch("peers")?.join("actionlint"))
    })?;
    Ok(folder.join("actionlint"))
}
