//! Tools that machines lack: build tools from Python's package index, in an environment of their own, and cargo-deny.

use std::path::PathBuf;
use std::time::Duration;

use super::{folder, once, python};
use crate::checkout::Checkout;
use crate::process;

/// The newest that the promised Rust compiles.
const CARGO_DENY: &str = "0.20.2";

/// The environment with Meson and what else `tests/packaging/requirements.txt` names.
pub fn packaging_tools(checkout: &Checkout) -> Result<PathBuf, String> {
    python::environment(checkout, "packaging", &checkout.root.join("tests/packaging/requirements.txt"))
}

/// cargo-deny, compiled here from crates.io. It works for a second, so that it is compiled as fast as can be: about a minute of two
/// processors. Optimized as it comes, it takes two and a half.
pub fn cargo_deny(checkout: &Checkout) -> Result<PathBuf, String> {
    let folder = folder(checkout, "cargo-deny");
    once(&folder, CARGO_DENY, || {
        let build = folder.join("build");
        let make = || {
            let mut cargo = checkout.cargo();
            cargo.args(["install", "--quiet", "--locked", "--debug", "--version", CARGO_DENY, "cargo-deny"]);
            cargo.arg("--root").arg(&folder).arg("--target-dir").arg(&build);
            cargo.envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_INCREMENTAL", "0")]);
            cargo
        };
        process::download(make, Duration::from_secs(900), &checkout.scratch("peers")?.join("cargo-deny"))?;
        std::fs::remove_dir_all(&build).map_err(|error| format!("cannot clear {}: {error}", build.display()))
    })?;
    Ok(folder.join("bin").join("cargo-deny"))
}
