//! The C++ programs of `tests/cpp` and the examples in C++ against the built library, compiled by GCC, by `CTest`. Clang, where it is,
//! compiles the same without a warning; what it makes runs with `--deep`.

use super::Stage;
use super::ctest::Programs;
use crate::machine::{CLANGXX, GXX};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let all = ["-L", "^cpp$", "-LE", "memcheck"];
    if stage.tally.need(&GXX, "C++ programs with g++").is_some()
        && let Some(programs) = Programs::of_packages(stage)?
    {
        programs.run(&mut stage.tally, &all)?;
    }
    let what = "Clang takes every program and example in C++ without a warning";
    let (Some(clang), built) = (stage.tally.need(&CLANGXX, what), stage.built()?) else { return Ok(()) };
    let name = format!("-DCMAKE_CXX_COMPILER={}", clang.display());
    if !stage.options.deep {
        let made = Programs::build(stage, "cpp-clang", &built, &["-DMCP_OBJECTS=ON", &name]);
        stage.tally.check(what, made.map(drop));
        return Ok(());
    }
    match Programs::build(stage, "cpp-clang-run", &built, &["-DMCP_OPTIMIZED=ON", &name])? {
        Some(programs) => programs.run(&mut stage.tally, &all),
        None => Ok(()),
    }
}
