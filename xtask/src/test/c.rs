//! C programs against the built library: every example works, every program in `tests/c` passes.
//!
//! A test program is run as `PROGRAM EXAMPLE_SERVER SCRIPTED_SERVER [HTTP_SERVER]` and passes when it exits with 0 in
//! time. One that needs of the system what not every system permits ends with 77 and prints why: it is skipped, also in CI.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, examples, packages, programs};
use crate::checkout::{Checkout, stem};
use crate::compiler;
use crate::machine::CC;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);
/// The exit status of a program that the system does not permit what it needs.
const SKIPPED: i32 = 77;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&CC, "C programs").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    for source in programs::examples(stage, "examples/c", "c") {
        let name = format!("examples/c/{}.c", stem(&source));
        let Some(flags) = packages::flags(stage, &source, &name) else { continue };
        let result = compiler::program_with(&flags, stage.checkout, &built, &source, "examples");
        // The step of that name has a server that it can log in at.
        if stem(&source) == "login" {
            stage.tally.check(&format!("{name} compiles"), result.map(drop));
            continue;
        }
        let result = result.and_then(|program| {
            examples::run(stage.checkout, &built, &source, &program)
                .unwrap_or_else(|| programs::example_works(stage.checkout, &built, &program))
        });
        stage.tally.check(&format!("{name} works"), result);
    }
    let sources = programs::c(stage)?;
    pass(stage, &built, &sources, "c");
    Ok(())
}

/// Compiles the programs in a folder of that name, runs them and counts what came of each.
pub fn pass(stage: &mut Stage, built: &Built, sources: &[PathBuf], folder: &str) {
    let checkout = stage.checkout;
    process::side_by_side(
        sources,
        |source| passes(checkout, built, source, folder),
        |source, result| {
            let name = format!("tests/c/{}", stem(source));
            match result {
                Ok(Some(why)) => stage.tally.skip(&name, &why),
                result => stage.tally.check(&name, result.map(drop)),
            }
        },
    );
}

/// Says why a program was skipped, if it was.
fn passes(checkout: &Checkout, built: &Built, source: &Path, folder: &str) -> Result<Option<String>, String> {
    let program = compiler::program(checkout, built, source, folder)?;
    let mut command = Command::new(&program);
    command.args(programs::arguments(built, source)?).current_dir(checkout.scratch(folder)?);
    command.env("MCP_SHARED_LIBRARY", &built.library);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    let status = finished.status.and_then(|status| status.code());
    match (status, finished.stdout.trim().strip_prefix("skip: ")) {
        (Some(0), _) => Ok(None),
        (Some(SKIPPED), Some(why)) => Ok(Some(why.to_owned())),
        _ => Err(finished.story()),
    }
}
