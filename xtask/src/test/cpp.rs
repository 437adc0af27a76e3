//! C++ programs against the built library: every example does what it says and every program in `tests/cpp` passes,
//! compiled by GCC and, where it is, Clang.
//!
//! Run as the programs in `tests/c` are: `PROGRAM EXAMPLE_SERVER SCRIPTED_SERVER`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Stage, examples, packages, programs};
use crate::checkout::{Checkout, stem};
use crate::compiler;
use crate::machine::{CLANGXX, GXX};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let sources = programs::cpp(stage)?;
    for (tool, folder) in [(&GXX, "cpp"), (&CLANGXX, "cpp-clang")] {
        let Some(compiler) = stage.tally.need(tool, &format!("C++ programs with {}", tool.is)) else {
            continue;
        };
        let (checkout, built) = (stage.checkout, stage.built()?);
        for source in programs::examples(stage, "examples/cpp", "cpp") {
            let name = format!("examples/cpp/{}, {}", stem(&source), tool.names[0]);
            let Some(flags) = packages::flags(stage, &source, &name) else { continue };
            let result = example(checkout, &built, &compiler, &flags, &source, &format!("examples/{folder}"));
            stage.tally.check(&name, result);
        }
        process::side_by_side(
            &sources,
            |source| passes(checkout, &built, &compiler, source, folder),
            |source, result| {
                stage.tally.check(&format!("tests/cpp/{}, {}", stem(source), tool.names[0]), result);
            },
        );
    }
    Ok(())
}

/// An example works when it says what the one in C of its name says, or at least prints something and exits with 0.
fn example(
    checkout: &Checkout,
    built: &Built,
    compiler: &Path,
    flags: &[String],
    source: &Path,
    folder: &str,
) -> Result<(), String> {
    let standard = compiler::cpp_standard(source)?;
    let program = compiler::compiled(compiler, standard, flags, checkout, built, source, folder)?;
    // The step of that name has a server that it can log in at.
    if stem(source) == "login" {
        return Ok(());
    }
    examples::run(checkout, built, source, &program)
        .unwrap_or_else(|| programs::example_works(checkout, built, &program))
}

fn passes(
    checkout: &Checkout,
    built: &Built,
    compiler: &Path,
    source: &Path,
    folder: &str,
) -> Result<(), String> {
    let program =
        compiler::program_by(compiler, compiler::cpp_standard(source)?, checkout, built, source, folder)?;
    let mut command = Command::new(&program);
    command.args(programs::arguments(built, source)?).current_dir(checkout.scratch(folder)?);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
}
