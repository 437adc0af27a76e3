//! The README's program and the C and C++ test programs under Memcheck: no error, nothing definitely lost.
//!
//! The programs see `MCP_UNDER_VALGRIND=1` and may ask less of themselves. One that makes no sense there says so in its
//! source: `/* valgrind: skip REASON */`.

use super::Stage;
use super::ctest::Programs;
use crate::machine::VALGRIND;

/// One program of six runs here in every run, of those that do not speak HTTP: these spend most of their time in crates that the two
/// sanitizers see into as well. The sanitizers run all of them and find the same, but for reads of memory that was never written.
const IN_EVERY_RUN: [&str; 6] = ["-L", "memcheck", "-E", "memcheck.(h[0-9]|.*http)", "-I", "1,,6"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&VALGRIND, "C and C++ programs under Memcheck").is_none() {
        return Ok(());
    }
    let Some(programs) = Programs::of_packages(stage)? else { return Ok(()) };
    if stage.options.deep || stage.options.program.is_some() {
        return programs.run(&mut stage.tally, &["-L", "memcheck"]);
    }
    println!("  the others run with --deep or by their names");
    programs.run(&mut stage.tally, &["-R", "memcheck.(planted.leak|quickstart)$"])?;
    programs.run(&mut stage.tally, &IN_EVERY_RUN)
}
