//! The README's program and every C and C++ test program under Memcheck: no error, nothing definitely lost.
//!
//! The programs see `MCP_UNDER_VALGRIND=1` and may ask less of themselves. One that makes no sense there says so in its
//! source: `/* valgrind: skip REASON */`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, programs};
use crate::checkout::{Checkout, read, stem, write};
use crate::compiler;
use crate::machine::{CC, GXX, VALGRIND};
use crate::process::{self, Finished};
use crate::release::Built;
use crate::tally::Watched;

/// Memcheck runs a program some thirty times slower, and all its threads on one core.
const LIMIT: Duration = Duration::from_secs(300);

/// One program of so many runs here in every run, of those that do not speak HTTP. The two sanitizers run all of them and find the same, but
/// for reads of memory that was never written.
const IN_EVERY_RUN: usize = 6;

/// The exit status by which Memcheck says that it found something.
const FOUND: i32 = 99;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "C and C++ programs under Memcheck";
    let valgrind = stage.tally.need(&VALGRIND, what);
    let compilers = [&CC, &GXX].map(|compiler| stage.tally.need(compiler, what));
    let (Some(valgrind), [Some(_), Some(_)]) = (valgrind, compilers) else {
        return Ok(());
    };
    let built = stage.built()?;
    let result = finds_a_leak(stage, &built, &valgrind);
    stage.tally.check("Memcheck finds a leak that we planted", result);
    let mut sources = programs::watched(stage, "valgrind")?;
    if !stage.options.deep && stage.options.program.is_none() {
        let all = sources.len();
        sources.retain(|source| !speaks_http(&stem(source)));
        let mut index = 0;
        sources.retain(|_| {
            index += 1;
            index % IN_EVERY_RUN == 0
        });
        println!("  {} of {all} programs run here with --deep or by their names", all - sources.len());
    }
    sources.extend(
        programs::examples(stage, "examples/c", "c").into_iter().filter(|it| stem(it) == "quickstart"),
    );
    let checkout = stage.checkout;
    process::side_by_side(
        &sources,
        |source| is_clean(checkout, &built, &valgrind, source),
        |source, result| stage.tally.check_watched(&format!("{} under Memcheck", stem(source)), result),
    );
    Ok(())
}

/// Programs that speak HTTP spend most of their time in crates that the two sanitizers, which run all programs, see into as well, and
/// are a third of the time of this step.
fn speaks_http(name: &str) -> bool {
    let is_numbered =
        name.strip_prefix('h').is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()));
    is_numbered || name.contains("http")
}

/// A check that can only pass proves nothing.
fn finds_a_leak(stage: &Stage, built: &Built, valgrind: &Path) -> Result<(), String> {
    let source = stage.checkout.scratch("valgrind")?.join("planted.c");
    write(
        &source,
        "#include <mcp.h>\n#include <stdlib.h>\n\
         int main(void) {\n    volatile char *lost = malloc(10);\n    lost[0] = 1;\n    lost = NULL;\n    \
         return mcp_version() == NULL || lost != NULL;\n}\n",
    )?;
    let program = compiler::program(stage.checkout, built, &source, "valgrind")?;
    let finished = memcheck(stage.checkout, built, valgrind, &source, &program)?;
    match finished.status.and_then(|status| status.code()) {
        Some(FOUND) => Ok(()),
        _ => Err(format!("it did not: {}", finished.story())),
    }
}

/// What Memcheck reports fails at once. A program whose own check failed runs once more: it is thirty times slower here than
/// where that check must hold, in the steps `c` and `cpp`.
fn is_clean(checkout: &Checkout, built: &Built, valgrind: &Path, source: &Path) -> Result<Watched, String> {
    let program = compiler::program(checkout, built, source, "valgrind")?;
    let mut first = None;
    loop {
        let finished = memcheck(checkout, built, valgrind, source, &program)?;
        if finished.succeeded() {
            return Ok(first.map_or(Watched::Clean, Watched::CleanAtSecond));
        }
        let said = read(&report(checkout, source)?).unwrap_or_default();
        let lines: Vec<&str> = said.lines().take(60).collect();
        let story = format!("{}\n{}", finished.story(), lines.join("\n"));
        if first.is_some() || finished.status.and_then(|status| status.code()) == Some(FOUND) {
            return Err(story);
        }
        first = Some(story);
    }
}

fn memcheck(
    checkout: &Checkout,
    built: &Built,
    valgrind: &Path,
    source: &Path,
    program: &Path,
) -> Result<Finished, String> {
    let mut command = Command::new(valgrind);
    command
        .args(["--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"])
        .arg(format!("--error-exitcode={FOUND}"))
        .args(["--trace-children=no", "--child-silent-after-fork=yes"])
        // Without it a thread that spins while it waits can starve the one it waits for.
        .arg("--fair-sched=try")
        .arg(format!("--log-file={}", report(checkout, source)?.display()))
        .arg(program);
    // The README's program takes one argument, the tests take more.
    if source.ends_with("examples/c/quickstart.c") {
        command.arg(&built.example_server);
    } else {
        command.args(programs::arguments(built, source)?);
    }
    command.env("MCP_UNDER_VALGRIND", "1").env("MCP_SHARED_LIBRARY", &built.library);
    command.current_dir(checkout.scratch("valgrind")?);
    process::run(&mut command, LIMIT, &program.with_extension("run"))
}

fn report(checkout: &Checkout, source: &Path) -> Result<PathBuf, String> {
    Ok(checkout.scratch("valgrind")?.join(stem(source)).with_extension("memcheck"))
}
