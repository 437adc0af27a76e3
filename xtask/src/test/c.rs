//! C programs against the built library: every example works, every program in `tests/c` passes (`CTest`).

use super::ctest::Programs;
use super::{Stage, examples, packages, programs};
use crate::checkout::stem;
use crate::compiler;
use crate::machine::CC;

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
    if let Some(programs) = Programs::of_packages(stage)? {
        programs.run(&mut stage.tally, &["-L", "^c$", "-LE", "memcheck"])?;
    }
    Ok(())
}
