//! The size that a user pays: the shared library without symbols.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::machine::STRIP;
use crate::process;

/// A client with all that it can have.
const CLIENT: u64 = 6 * 1024 * 1024;
/// What the server adds to it.
const SERVER: u64 = 2 * 1024 * 1024;
/// Without the features that need much of other people's code: no HTTP, no TLS.
const PLAIN: u64 = 1024 * 1024 * 3 / 2;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let plain = build(stage, "")?;
    measure(stage, "plain", &plain, PLAIN, "without the optional features it is at most 1.5 MiB")?;
    let client = build(stage, "auth,http,schema,skills")?;
    let client = measure(
        stage,
        "client",
        &client,
        CLIENT,
        "the stripped library without the server is at most 6 MiB",
    )?;
    let whole = stage.built()?.library.clone();
    let Some(client) = client else { return Ok(()) };
    measure(stage, "whole", &whole, client + SERVER, "the server adds at most 2 MiB to it")?;
    Ok(())
}

/// Builds the library with these features only, in a folder of its own.
fn build(stage: &Stage, features: &str) -> Result<PathBuf, String> {
    let folder = stage.checkout.target.join("plain");
    let mut cargo = stage.checkout.cargo();
    cargo.args(["rustc", "--quiet", "--release", "--package", "mcp", "--lib", "--no-default-features"]);
    cargo.args(["--features", features, "--crate-type", "cdylib", "--target-dir"]).arg(&folder);
    match cargo.status() {
        Ok(status) if status.success() => Ok(folder.join("release").join("libmcp.so")),
        Ok(status) => Err(format!("cargo rustc with the features '{features}' failed: {status}")),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

/// Gives the size.
fn measure(
    stage: &mut Stage,
    what: &str,
    library: &Path,
    most: u64,
    name: &str,
) -> Result<Option<u64>, String> {
    let Some(strip) = stage.tally.need(&STRIP, name) else { return Ok(None) };
    let folder = stage.checkout.scratch("size")?;
    let stripped = folder.join(what);
    std::fs::copy(library, &stripped)
        .map_err(|error| format!("cannot copy {}: {error}", library.display()))?;
    let mut command = Command::new(strip);
    // On macOS a shared library keeps its global symbols only if told so; there -x is what --strip-unneeded is here.
    command.arg(if cfg!(target_os = "macos") { "-x" } else { "--strip-unneeded" }).arg(&stripped);
    let finished = process::run(&mut command, Duration::from_secs(60), &folder.join("strip"))?;
    if !finished.succeeded() {
        return Err(finished.story());
    }
    let bytes = std::fs::metadata(&stripped).map_err(|error| error.to_string())?.len();
    #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
    let mebibytes = bytes as f64 / (1024.0 * 1024.0);
    println!("  {what}: {bytes} bytes, {mebibytes:.2} MiB");
    let result = if bytes <= most { Ok(()) } else { Err(format!("{} bytes too many", bytes - most)) };
    stage.tally.check(name, result);
    Ok(Some(bytes))
}
