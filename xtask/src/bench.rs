//! `cargo xtask bench`: the benchmark's own program does the work (`benches/`), built in release mode.

use std::process::Command;

use crate::checkout::Checkout;
use crate::release;

pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
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
