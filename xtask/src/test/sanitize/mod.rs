//! The C and C++ test programs under `AddressSanitizer` (with its search for leaks) and under `ThreadSanitizer`, with
//! the library compiled for the sanitizer too.
//!
//! Exactly one runtime of the sanitizer may be in a process. It is the one that comes with Rust: the C compiler
//! instruments the program and does not link it, and the shared library takes the runtime from the program. The standard
//! library is the one that Rust ships, compiled without a sanitizer; what `ThreadSanitizer` must know of it, and of the epoll
//! set that tokio waits on, is in `locks.c`. The runtime of `AddressSanitizer` has that of `UndefinedBehaviorSanitizer` in
//! it: the programs are compiled for both.
//!
//! There is no list of suppressions, and what a sanitizer reports fails at once. A suppression (`race:FUNCTION`) hides every report
//! with that function anywhere in one of its stacks, also a race of ours that tokio called; and it needs the symbolizer, a
//! child with descriptors that the programs do not expect. A report that is false is answered in `locks.c` instead, where
//! `ThreadSanitizer` is told which function orders what.
//!
//! The flags that do this are for nightly Rust only, hence `RUSTC_BOOTSTRAP`; nothing that is shipped is built so.

mod locks;

use std::path::PathBuf;

use super::Stage;
use super::ctest::Programs;
use crate::checkout::Checkout;
use crate::machine::{self, CC, GXX};
use crate::release::Built;
use crate::rustc;

/// One sanitizer.
pub struct Sanitizer {
    pub step: &'static str,
    pub title: &'static str,
    /// As both compilers call it.
    flag: &'static str,
}

const ADDRESS: Sanitizer = Sanitizer { step: "asan", title: "AddressSanitizer", flag: "address" };
const THREAD: Sanitizer = Sanitizer { step: "tsan", title: "ThreadSanitizer", flag: "thread" };

/// How often a planted fault runs at most: `ThreadSanitizer` says nothing of a race whose first access it has forgotten, which depends on
/// how the system runs the two threads.
const PLANTED_RUNS: &str = "until-pass:20";

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

/// `cargo xtask sanitized address` (or `thread`), for `CMake`: builds the library for that sanitizer, and prints its folder and the
/// sanitizer's runtime.
pub fn tell(checkout: &Checkout, flag: &str) -> Result<(), String> {
    let sanitizer = [&ADDRESS, &THREAD].into_iter().find(|sanitizer| sanitizer.flag == flag);
    let sanitizer = sanitizer.ok_or_else(|| format!("there is no sanitizer '{flag}': address or thread"))?;
    let rust = Rust::ask(checkout)?;
    let runtime = rust.runtime(sanitizer);
    let runtime =
        runtime.ok_or_else(|| format!("Rust for {} comes without {}", rust.target, sanitizer.title))?;
    println!("{}\n{}", library(checkout, sanitizer, &rust)?.display(), runtime.display());
    Ok(())
}

fn run(stage: &mut Stage, sanitizer: &Sanitizer) -> Result<(), String> {
    let what = format!("C and C++ programs under {}", sanitizer.title);
    let (Some(_), Some(_)) = (stage.tally.need(&CC, &what), stage.tally.need(&GXX, &what)) else {
        return Ok(());
    };
    let rust = Rust::ask(stage.checkout)?;
    if rust.runtime(sanitizer).is_none() {
        let why = format!("Rust for {} comes without {}", rust.target, sanitizer.title);
        if machine::is_ci() {
            stage.tally.fail(&what, &why);
        } else {
            stage.tally.skip(&what, &why);
        }
        return Ok(());
    }
    let folder = library(stage.checkout, sanitizer, &rust)?;
    let built = Built { library: folder.join("libmcp.so"), folder, ..stage.built()? };
    let option = format!("-DMCP_SANITIZER={}", sanitizer.flag);
    // What a program without threads of its own has of the library's is nearly all safe Rust, which the compiler keeps free of races.
    let is_part = sanitizer.step == THREAD.step && !stage.options.deep && stage.options.program.is_none();
    if is_part {
        println!("  programs without threads of their own run with --deep or by their names");
    }
    let threaded = format!("-DMCP_THREADED={}", if is_part { "ON" } else { "OFF" });
    let built = Programs::build(stage, sanitizer.step, &built, &[&option, &threaded])?;
    let Some(programs) = built else { return Ok(()) };
    if stage.options.program.is_none() {
        programs.run(&mut stage.tally, &["-L", "planted", "--repeat", PLANTED_RUNS])?;
    }
    programs.run(&mut stage.tally, &["-LE", "planted"])
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
    for package in ["mcp", "mcp-base", "mcp-core"] {
        // A report names lines of ours, whatever else is compiled without.
        cargo.args(["--config", &format!("profile.dev.package.{package}.debug=\"line-tables-only\"")]);
        // A little optimization, of ours alone: quick to build, and quick enough to meet deadlines.
        cargo.args(["--config", &format!("profile.dev.package.{package}.opt-level=1")]);
    }
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
