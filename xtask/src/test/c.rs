//! C programs against the built library: every example works, every program in `tests/c` passes.
//!
//! A test program is run as `PROGRAM EXAMPLE_SERVER SCRIPTED_SERVER [HTTP_SERVER]` and passes when it exits with 0 in
//! time.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Stage, examples, programs};
use crate::checkout::{Checkout, stem};
use crate::compiler;
use crate::machine::CC;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&CC, "C programs").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    for source in stage.checkout.files("examples/c", "c") {
        let name = format!("examples/c/{}.c", stem(&source));
        let result = compiler::program(stage.checkout, &built, &source, "examples");
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
    let checkout = stage.checkout;
    process::side_by_side(
        &sources,
        |source| passes(checkout, &built, source),
        |source, result| stage.tally.check(&format!("tests/c/{}", stem(source)), result),
    );
    Ok(())
}

fn passes(checkout: &Checkout, built: &Built, source: &Path) -> Result<(), String> {
    let program = compiler::program(checkout, built, source, "c")?;
    let mut command = Command::new(&program);
    command.args(programs::arguments(built, source)?).current_dir(checkout.scratch("c")?);
    command.env("MCP_SHARED_LIBRARY", &built.library);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
}
