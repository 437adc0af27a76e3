//! The program `mcp` as scripts use it: the output of every command beside golden files (`cli/tests/golden.rs`).

use super::{Stage, rust};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let built = stage.built()?;
    let mut cargo = stage.checkout.cargo();
    // With the whole workspace cargo joins the features that crates ask of others as the other tests have compiled them.
    cargo.args(["test", "--workspace", "--test", "golden", "--target-dir"]).arg(&stage.checkout.target);
    cargo.env("MCP_PROGRAM", stage.program()?).env("MCP_EXAMPLE_SERVER", &built.example_server);
    cargo.env("MCP_SCRIPTED_SERVER", &built.scripted_server);
    rust::counted(stage, &mut cargo)
}
