//! `cargo xtask bench`: the benchmark's own program does the work (`benches/`), built in release mode. With `--bindings` or `--public` a script
//! compares the bindings with the official SDKs (`benches/languages.py`).

use std::path::PathBuf;
use std::process::Command;

use crate::checkout::Checkout;
use crate::release;
use crate::test::pytest;

pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    match options {
        ["--bindings", words @ ..] => return pytest::languages(checkout, &server(checkout)?, words),
        ["--public", ..] => return pytest::languages(checkout, &server(checkout)?, options),
        _ => {}
    }
    let status =
        command(checkout, options)?.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("the benchmark ended with {status}")) }
}

/// With the library that the tests use, too: it takes minutes to build.
pub fn command(checkout: &Checkout, options: &[&str]) -> Result<Command, String> {
    let mut cargo = checkout.cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "mcp-bench", "--"]).args(options);
    if !options.contains(&"--help") {
        cargo.env("MCP_BENCH_LIBRARY", release::library_alone(checkout)?.folder);
    }
    Ok(cargo)
}

/// The neutral server that every client calls.
fn server(checkout: &Checkout) -> Result<PathBuf, String> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "--release", "--package", "mcp-bench", "--bin", "mcp-bench-server"]);
    let status = cargo.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err(format!("mcp-bench-server was not built: {status}"));
    }
    Ok(checkout.target.join("release/mcp-bench-server"))
}
