//! The C and C++ test programs under `AddressSanitizer` (with its search for leaks) and under `ThreadSanitizer`, with
//! the library compiled for the sanitizer too.
//!
//! Exactly one runtime of the sanitizer may be in a process. It is the one that comes with Rust: the C compiler
//! instruments the program and does not link it, and the shared library takes the runtime from the program. The standard
//! library is the one that Rust ships, compiled without a sanitizer; what `ThreadSanitizer` must know of it, and of the epoll
//! set that tokio waits on, is in `locks.c`. The runtime of `AddressSanitizer` has that of `UndefinedBehaviorSanitizer` in
//! it: the programs are compiled for both.
//!
//! There is no list of suppressions, and what a sanitizer reports fails at once. (A program whose own check failed, without a
//! report, runs once more: it runs ten times slower here than where that check must hold, in the steps `c` and `cpp`. The
//! first failure is printed, and few programs of a step may need it.) A suppression (`race:FUNCTION`) hides every report
//! with that function anywhere in one of its stacks, also a race of ours that tokio called; and it needs the symbolizer, a
//! child with descriptors that the programs do not expect. A report that is false is answered in `locks.c` instead, where
//! `ThreadSanitizer` is told which function orders what.
//!
//! The flags that do this are for nightly Rust only, hence `RUSTC_BOOTSTRAP`; nothing that is shipped is built so.

mod locks;
mod planted;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, programs};
use crate::checkout::{Checkout, stem};
use crate::compiler;
use crate::machine::{self, CC, GXX};
use crate::process::{self, Finished};
use crate::release::Built;
use crate::rustc;
use crate::tally::Watched;

const LIMIT: Duration = Duration::from_secs(120);

/// The exit status by which a sanitizer says that it found something.
const FOUND: i32 = 99;

/// What loads are divided by.
const SCALE: &str = "4";

/// One sanitizer.
pub struct Sanitizer {
    pub step: &'static str,
    pub title: &'static str,
    /// As both compilers call it.
    flag: &'static str,
    /// What the C and C++ compilers are told besides.
    also: &'static [&'static str],
    /// How a report begins. A leak's begins otherwise, see `is_clean`.
    heading: &'static str,
    variable: &'static str,
    options: &'static str,
    planted: &'static [planted::Planted],
    planted_options: &'static str,
}

const ADDRESS: Sanitizer = Sanitizer {
    step: "asan",
    title: "AddressSanitizer",
    flag: "address",
    // `vptr` needs C++'s part of the runtime, which Rust does not bring.
    also: &["-fsanitize=undefined", "-fno-sanitize=vptr", "-fno-sanitize-recover=undefined"],
    heading: "ERROR: AddressSanitizer: ",
    variable: "ASAN_OPTIONS",
    options: "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1",
    planted: &planted::ADDRESS,
    planted_options: "",
};

const THREAD: Sanitizer = Sanitizer {
    step: "tsan",
    title: "ThreadSanitizer",
    flag: "thread",
    also: &[],
    heading: "WARNING: ThreadSanitizer: ",
    variable: "TSAN_OPTIONS",
    // Going on after a report would start the symbolizer, a child and descriptors that the programs do not expect.
    options: "halt_on_error=1:atexit_sleep_ms=0",
    planted: &planted::THREAD,
    // Of a race whose first access it has forgotten it says nothing: 31 of 40 runs of one reported it, and 40 of 40 with this.
    planted_options: ":history_size=7",
};

pub fn asan(stage: &mut Stage) -> Result<(), String> {
    run(stage, &ADDRESS)
}

pub fn tsan(stage: &mut Stage) -> Result<(), String> {
    run(stage, &THREAD)
}

/// The library of the step, before it.
pub fn build_asan(checkout: &Checkout) -> Result<(), String> {
    library(checkout, &ADDRESS, &Rust::ask(checkout)?).map(drop)
}

pub fn build_tsan(checkout: &Checkout) -> Result<(), String> {
    library(checkout, &THREAD, &Rust::ask(checkout)?).map(drop)
}

/// What the programs are built and run with.
struct Bench<'a> {
    checkout: &'a Checkout,
    sanitizer: &'a Sanitizer,
    runtime: PathBuf,
    built: Built,
}

fn run(stage: &mut Stage, sanitizer: &Sanitizer) -> Result<(), String> {
    let what = format!("C and C++ programs under {}", sanitizer.title);
    let (Some(_), Some(_)) = (stage.tally.need(&CC, &what), stage.tally.need(&GXX, &what)) else {
        return Ok(());
    };
    let rust = Rust::ask(stage.checkout)?;
    let Some(runtime) = rust.runtime(sanitizer) else {
        let why = format!("Rust for {} comes without {}", rust.target, sanitizer.title);
        if machine::is_ci() {
            stage.tally.fail(&what, &why);
        } else {
            stage.tally.skip(&what, &why);
        }
        return Ok(());
    };
    let folder = library(stage.checkout, sanitizer, &rust)?;
    let built = Built { library: folder.join("libmcp.so"), folder, ..stage.built()? };
    let checkout = stage.checkout;
    let bench = Bench { checkout, sanitizer, runtime, built };
    for planted in sanitizer.planted {
        let result = planted.is_found(&bench);
        stage.tally.check(&format!("{} finds {}", sanitizer.title, planted.what), result);
    }
    let sources = programs::watched(stage, sanitizer.step)?;
    process::side_by_side(
        &sources,
        |source| bench.is_clean(source),
        |source, result| {
            stage.tally.check_watched(&format!("{} under {}", stem(source), sanitizer.title), result);
        },
    );
    Ok(())
}

/// The Rust that compiles the library.
struct Rust {
    target: String,
    libraries: PathBuf,
}

impl Rust {
    fn ask(checkout: &Checkout) -> Result<Self, String> {
        let target = rustc::host(checkout)?;
        let libraries = rustc::libraries(checkout, &target)?;
        Ok(Self { target, libraries })
    }

    /// The archive with the sanitizer's runtime, whose name holds the channel; not every target has one.
    fn runtime(&self, sanitizer: &Sanitizer) -> Option<PathBuf> {
        let end = format!("_rt.{}.a", sanitizer.step);
        let entries = std::fs::read_dir(&self.libraries).ok()?;
        let is_it = |path: &PathBuf| path.to_string_lossy().ends_with(&end);
        entries.filter_map(|entry| Some(entry.ok()?.path())).find(is_it).filter(|_| cfg!(target_os = "linux"))
    }
}

/// Builds the shared library for a sanitizer, in a folder of its own; gives the folder to link from.
fn library(checkout: &Checkout, sanitizer: &Sanitizer, rust: &Rust) -> Result<PathBuf, String> {
    println!("  building the library for {}", sanitizer.title);
    let target_folder = checkout.target.join("sanitize").join(sanitizer.flag);
    let mut cargo = checkout.cargo();
    // With --target the flags are not for build scripts and macros. Only the library's own link gets what follows `--`.
    cargo.args(["rustc", "--quiet", "--package", "libmcp", "--crate-type", "cdylib"]);
    // A report names lines of ours, whatever else is compiled without.
    cargo.args(["--config", "profile.dev.package.mcp.debug=\"line-tables-only\""]);
    // A little optimization, of ours alone: quick to build, and quick enough to meet deadlines.
    cargo.args(["--config", "profile.dev.package.mcp.opt-level=1"]);
    cargo.args(["--target", &rust.target, "--target-dir"]).arg(&target_folder).arg("--");
    if sanitizer.step == "tsan" {
        cargo.args(locks::link_arguments(checkout, &rust.libraries)?);
    }
    let flag = sanitizer.flag;
    let flags = [
        &format!("-Zsanitizer={flag}"),
        "-Cunsafe-allow-abi-mismatch=sanitizer",
        "--cfg",
        &format!("mcp_{flag}_sanitizer"),
        // Stacks of leaks are made by walking frame pointers: without them a stack ends at the first function that has none.
        "-Cforce-frame-pointers=yes",
    ]
    .join("\u{1f}");
    cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", flags);
    match cargo.status() {
        Ok(status) if status.success() => Ok(target_folder.join(&rust.target).join("debug")),
        Ok(status) => Err(format!("cargo rustc for {} failed: {status}", sanitizer.title)),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

impl Bench<'_> {
    /// A child of the program may report something too, and the program need not pass its status on. What a child of
    /// `fork` leaks does not count: it holds the memory of threads that it does not have.
    fn is_clean(&self, source: &Path) -> Result<Watched, String> {
        let program = self.program(source)?;
        let Some(first) = self.failure(source, &program)? else { return Ok(Watched::Clean) };
        match self.failure(source, &program)? {
            None => Ok(Watched::CleanAtSecond(first)),
            Some(second) => Err(second),
        }
    }

    /// What failed in the program itself. A report of the sanitizer is an error.
    fn failure(&self, source: &Path, program: &Path) -> Result<Option<String>, String> {
        let finished = self.run(source, program)?;
        match report(&finished) {
            _ if finished.succeeded() && !finished.stderr.contains(self.sanitizer.heading) => Ok(None),
            Some(report) => Err(report.lines().take(60).collect::<Vec<_>>().join("\n")),
            None => Ok(Some(finished.story())),
        }
    }

    fn run(&self, source: &Path, program: &Path) -> Result<Finished, String> {
        self.run_with(source, program, "")
    }

    fn run_with(&self, source: &Path, program: &Path, more: &str) -> Result<Finished, String> {
        let mut command = Command::new(program);
        command.args(programs::arguments(&self.built, source)?);
        command.env("MCP_UNDER_SANITIZER", "1").env("MCP_TEST_SCALE", SCALE);
        command.env("MCP_SHARED_LIBRARY", &self.built.library);
        let options = format!("exitcode={FOUND}:allow_addr2line=1:{}{more}", self.sanitizer.options);
        command.env(self.sanitizer.variable, options);
        command.current_dir(self.checkout.scratch(self.sanitizer.step)?);
        process::run(&mut command, LIMIT, &program.with_extension("run"))
    }

    /// Compiled and linked in two steps: a compiler that links for a sanitizer brings its own runtime.
    fn program(&self, source: &Path) -> Result<PathBuf, String> {
        let (compiler, standard) = compiler::of(source)?;
        let program = self.checkout.scratch(self.sanitizer.step)?.join(stem(source));
        let object = program.with_extension("o");
        let mut compile = compiler::command(self.checkout, &compiler, standard);
        // With optimization the C++ header takes twice as long; what is watched is the library.
        compile.args(["-O0", "-g1", "-fno-omit-frame-pointer", "-c"]);
        compile.arg(format!("-fsanitize={}", self.sanitizer.flag)).args(self.sanitizer.also);
        compile.arg(source).arg("-o").arg(&object);
        compiler::compile(&mut compile, &program.with_extension("compile"))?;
        let mut link = Command::new(&compiler);
        link.arg(&object).arg("-o").arg(&program);
        link.arg("-Wl,--whole-archive").arg(&self.runtime).arg("-Wl,--no-whole-archive");
        // The library finds the runtime in the program, also when it is loaded with dlopen.
        link.arg("-rdynamic");
        compiler::link(&mut link, &self.built).args(["-ldl", "-lm", "-lrt"]);
        compiler::compile(&mut link, &program.with_extension("link"))?;
        Ok(program)
    }
}

/// What a sanitizer printed, from its first line on.
fn report(finished: &Finished) -> Option<&str> {
    let at = ["runtime error: ", "Sanitizer: "].iter().find_map(|mark| finished.stderr.find(mark))?;
    let start = finished.stderr[..at].rfind('\n').map_or(0, |end| end + 1);
    Some(&finished.stderr[start..])
}
