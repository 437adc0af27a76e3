//! The C programs of `tests/c` and the examples in C against the built library, by `CTest`.

use super::Stage;
use super::ctest::Programs;
use crate::machine::CC;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&CC, "C programs").is_none() {
        return Ok(());
    }
    match Programs::of_packages(stage)? {
        Some(programs) => programs.run(&mut stage.tally, &["-L", "^c$", "-LE", "memcheck"]),
        None => Ok(()),
    }
}
