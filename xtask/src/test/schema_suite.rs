//! The official test suite of JSON Schema: every required test of both drafts passes, but for the exceptions in
//! `tests/json-schema/exceptions.txt`, each with its reason; one that passes is not an exception any more, and fails the step.

use std::time::Duration;

use super::Stage;
use crate::machine::PYTHON;
use crate::peers::schema_suite;
use crate::process;

/// The crate's tests may have to be compiled first.
const LIMIT: Duration = Duration::from_secs(1800);

const DRAFTS: [(&str, &str); 2] = [
    ("draft2020-12", "schema::tests::the_suite_of_draft_2020_12_passes"),
    ("draft7", "schema::tests::the_suite_of_draft_7_passes"),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&PYTHON, "the test suite of JSON Schema").is_none() {
        return Ok(());
    }
    println!("  getting the suite, unless it is there");
    let suite = schema_suite(stage.checkout)?;
    let mut cargo = stage.checkout.cargo();
    // Of the whole workspace, though all of it is in one crate: alone, that crate and 17 others would be compiled once more, since
    // cargo joins the features that the crates it builds ask of shared dependencies.
    cargo.args(["test", "--workspace", "--tests", "--no-fail-fast", "--target-dir"]);
    cargo.arg(&stage.checkout.target).args(["--", "schema::tests::the_suite", "--ignored", "--show-output"]);
    cargo.env("MCP_SCHEMA_SUITE", &suite);
    cargo.env("MCP_SCHEMA_EXCEPTIONS", stage.checkout.root.join("tests/json-schema/exceptions.txt"));
    let log = stage.checkout.scratch("schema-suite")?.join("log");
    let finished = process::run(&mut cargo, LIMIT, &log)?;
    for (draft, test) in DRAFTS {
        if let Some(line) = finished.stdout.lines().find(|line| line.starts_with(&format!("{draft}: "))) {
            println!("  {line}");
        }
        let passed = finished.stdout.lines().any(|line| line == format!("test {test} ... ok"));
        let result = if passed { Ok(()) } else { Err(finished.story()) };
        stage
            .tally
            .check(&format!("the required tests of {draft} pass, but for the known exceptions"), result);
    }
    Ok(())
}
