//! Every frame that a server sends in the tests of the engine is what the schema of its revision has for it.

use std::time::Duration;

use super::Stage;
use crate::peers::protocol_schemas;
use crate::process;

/// The crate's tests may have to be compiled first.
const LIMIT: Duration = Duration::from_secs(1800);
/// Without this one the others would prove nothing.
const FINDS: &str = "engine::server::tests::wire::frames_that_break_the_schema_of_their_revision_are_found";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let schemas = protocol_schemas(stage.checkout)?;
    let mut cargo = stage.checkout.cargo();
    // Of the whole workspace, for the reason that `schema_suite` has.
    cargo.args(["test", "--workspace", "--tests", "--no-fail-fast", "--target-dir"]);
    cargo.arg(&stage.checkout.target).args(["--", "engine::server::tests", "--include-ignored"]);
    cargo.env("MCP_PROTOCOL_SCHEMAS", &schemas).env("MCP_SIM_SEEDS", "100");
    let log = stage.checkout.scratch("protocol-schemas")?.join("log");
    let finished = process::run(&mut cargo, LIMIT, &log)?;
    let found = finished.stdout.lines().any(|line| line == format!("test {FINDS} ... ok"));
    let result = if finished.succeeded() && found { Ok(()) } else { Err(finished.story()) };
    stage.tally.check("what a server sends is what the schema of its revision has", result);
    Ok(())
}
