//! C++ programs against the built library: every example does what it says and every program in `tests/cpp` passes,
//! compiled by GCC. Clang, where it is, compiles the same without a warning; what it makes runs with `--deep`.
//!
//! A program that must also work when it is compiled with other flags says so in its source, a line for each set of flags:
//! `// modes: -fno-exceptions -fno-rtti`.

use std::path::{Path, PathBuf};

use super::ctest::Programs;
use super::{Stage, examples, packages, programs};
use crate::checkout::{Checkout, read, stem};
use crate::compiler;
use crate::machine::{CLANGXX, GXX};
use crate::process;
use crate::release::Built;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let sources = programs::cpp(stage)?;
    for (tool, folder) in [(&GXX, "cpp"), (&CLANGXX, "cpp-clang")] {
        let Some(compiler) = stage.tally.need(tool, &format!("C++ programs with {}", tool.is)) else {
            continue;
        };
        let (checkout, built) = (stage.checkout, stage.built()?);
        if tool.names == CLANGXX.names && !stage.options.deep {
            syntax(stage, &compiler, &sources)?;
            continue;
        }
        for source in programs::examples(stage, "examples/cpp", "cpp") {
            let name = format!("examples/cpp/{}, {}", stem(&source), tool.names[0]);
            let Some(flags) = packages::flags(stage, &source, &name) else { continue };
            let result = example(checkout, &built, &compiler, &flags, &source, &format!("examples/{folder}"));
            stage.tally.check(&name, result);
        }
        let name = format!("-DCMAKE_CXX_COMPILER={}", compiler.display());
        let programs = match tool.names == CLANGXX.names {
            true => Programs::build(stage, folder, &built, &["-DMCP_OPTIMIZED=ON", &name])?,
            false => Programs::of_packages(stage)?,
        };
        if let Some(programs) = programs {
            programs.run(&mut stage.tally, &["-L", "^cpp$", "-LE", "memcheck"])?;
        }
    }
    Ok(())
}

/// The compiler finds nothing in the programs and examples. What GCC makes of them runs.
fn syntax(stage: &mut Stage, compiler: &Path, sources: &[PathBuf]) -> Result<(), String> {
    let mut all = runs(sources)?;
    for source in programs::examples(stage, "examples/cpp", "cpp") {
        let name = format!("examples/cpp/{}, clang++", stem(&source));
        all.extend(packages::flags(stage, &source, &name).map(|flags| (source, flags)));
    }
    let checkout = stage.checkout;
    process::side_by_side(
        &all,
        |(source, flags)| {
            compiler::check_syntax(compiler, compiler::cpp_standard(source)?, flags, checkout, source)
        },
        |(source, flags), result| {
            let with = flags.iter().fold(String::new(), |all, flag| all + " " + flag);
            stage.tally.check(&format!("{}, checked by clang++{with}", stem(source)), result);
        },
    );
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

/// A program, and the flags that it is compiled with besides.
type Run = (PathBuf, Vec<String>);

/// Every program without more flags, and in each of its modes.
fn runs(sources: &[PathBuf]) -> Result<Vec<Run>, String> {
    let mut runs = Vec::new();
    for source in sources {
        runs.push((source.clone(), Vec::new()));
        runs.extend(modes(&read(source)?).into_iter().map(|flags| (source.clone(), flags)));
    }
    Ok(runs)
}

/// The sets of flags in a source.
fn modes(source: &str) -> Vec<Vec<String>> {
    let lines = source.lines().filter_map(|line| line.strip_prefix("// modes: "));
    lines.map(|flags| flags.split_whitespace().map(str::to_owned).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::modes;

    #[test]
    fn a_source_has_a_mode_for_each_line_that_says_so() {
        let source =
            "// modes: -fno-rtti\n//\n// modes: -fno-exceptions  -fno-rtti\nint main() {} // modes: -x\n";
        assert_eq!(modes(source), [vec!["-fno-rtti"], vec!["-fno-exceptions", "-fno-rtti"]]);
        assert!(modes("int main() {}").is_empty());
    }
}
