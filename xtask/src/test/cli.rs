//! The program `mcp` as scripts use it: the output of every command beside golden files (`cli/tests/golden.rs`); and the tests of crates that
//! are slow with an unoptimized program.

use super::{Stage, rust};

/// The programs of tests that `cli/Cargo.toml` leaves out of others.
const TESTS: [&str; 3] = ["golden", "floods", "hostile_text"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let built = stage.built()?;
    let mut cargo = stage.checkout.cargo();
    // With the whole workspace cargo joins the features that crates ask of others as the other tests have compiled them.
    cargo.args(["test", "--workspace", "--no-fail-fast", "--target-dir"]).arg(&stage.checkout.target);
    cargo.args(TESTS.into_iter().flat_map(|name| ["--test", name]));
    cargo.env("MCP_PROGRAM", stage.program()?).env("MCP_EXAMPLE_SERVER", &built.example_server);
    cargo.env("MCP_SCRIPTED_SERVER", &built.scripted_server);
    rust::counted(stage, &mut cargo)
}
