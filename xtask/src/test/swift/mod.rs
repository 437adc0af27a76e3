//! The Swift package: built without a warning, tested, and its examples run. Its calls are looked at also without a compiler of Swift.
//!
//! The files:
//!
//! * `toolchain`: the machine's Swift, or Debian's in a chroot

mod toolchain;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{Stage, pytest};
use crate::bindings::{Staged, stage as lay_out};
use crate::checkout::{Checkout, write};
use crate::process::{self, Finished};
use crate::release::{self, Built};
use toolchain::Toolchain;
pub use toolchain::make_chroot;

/// The first build compiles 11,000 lines of generated types.
const BUILD: Duration = Duration::from_secs(900);
const TESTS: Duration = Duration::from_secs(300);

/// Stands for a script in the line that runs it.
const SCRIPT: &str = "the script";

/// Set when this run of the tests has built the package.
static BUILT: OnceLock<()> = OnceLock::new();

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let Some(work) = Work::find(stage, "the Swift package, compiled")? else { return pytest::step(stage) };
    let began = Instant::now();
    let build = work.build("build")?;
    if !build.succeeded() {
        stage.tally.fail("it compiles without a warning", &build.story());
        return Ok(());
    }
    stage.tally.pass("it compiles without a warning");
    BUILT.get_or_init(|| ());
    println!("  compiled in {} s", began.elapsed().as_secs());
    let tests = work.swift("test", "test --skip-build", TESTS)?;
    count(stage, &tests);
    // The calls, the examples, and the package as another one has it.
    pytest::step(stage)
}

/// What the step has compiled, before it.
pub fn build_all(checkout: &Checkout) -> Result<(), String> {
    let Some(toolchain) = Toolchain::that_is_there(checkout)? else { return Ok(()) };
    let work = Work::new(checkout, toolchain, release::library_alone(checkout)?)?;
    work.build("ahead")?.done()
}

/// The toolchain with the module `MCP`, for other steps: built here unless this step has run before. `None` without a toolchain, which
/// the tally told.
pub fn package(stage: &mut Stage, what: &str) -> Result<Option<Work>, String> {
    let Some(work) = Work::find(stage, what)? else { return Ok(None) };
    if BUILT.get().is_none() {
        work.swift("build-module", "build --target MCP", BUILD)?.well()?;
        BUILT.get_or_init(|| ());
    }
    Ok(Some(work))
}

/// A toolchain, and where it works.
pub struct Work {
    toolchain: Toolchain,
    package: PathBuf,
    root: PathBuf,
    target: PathBuf,
    scratch: PathBuf,
    log: PathBuf,
    staged: Staged,
    built: Built,
}

impl Work {
    fn find(stage: &mut Stage, what: &str) -> Result<Option<Self>, String> {
        let Some(toolchain) = Toolchain::find(stage.checkout, &mut stage.tally, what)? else {
            return Ok(None);
        };
        Self::new(stage.checkout, toolchain, stage.built()?).map(Some)
    }

    fn new(checkout: &Checkout, toolchain: Toolchain, built: Built) -> Result<Self, String> {
        let staged = lay_out(checkout, &built)?;
        Ok(Self {
            toolchain,
            package: checkout.root.join("bindings/swift"),
            root: checkout.root.clone(),
            target: checkout.target.clone(),
            scratch: checkout.target.join("swift-build"),
            log: checkout.scratch("swift")?,
            staged,
            built,
        })
    }

    /// Compiles the package and its tests.
    fn build(&self, log: &str) -> Result<Finished, String> {
        self.swift(log, "build --build-tests", BUILD)
    }

    /// The options of `swiftc` for code that imports the binding.
    pub fn imports(&self) -> String {
        format!(
            "-I {} -Xcc -fmodule-map-file={} -Xcc -I{}",
            quoted(&self.scratch.join("debug/Modules")),
            quoted(&self.package.join("Sources/CMCP/module.modulemap")),
            quoted(&self.root.join("include")),
        )
    }

    /// What a program of such code is linked to: the binding's objects, and the library where it is now.
    pub fn links(&self) -> String {
        let library = quoted(&self.staged.library_folder);
        format!(
            "{}/*.o -L {library} -lmcp -Xlinker -rpath -Xlinker {library}",
            quoted(&self.scratch.join("debug/MCP.build"))
        )
    }

    /// A line of the shell that runs a script as `run` does, with the standard streams of the program that runs the line.
    pub fn line(&self, script: &str) -> String {
        let command = self.toolchain.command(script, &[&self.root, &self.target]);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| quoted(Path::new(word))).collect::<Vec<_>>().join(" ")
    }

    /// What tests in Python need: a program that runs a script where the toolchain is, and the options of `swiftc`.
    pub fn places(&self) -> Result<serde_json::Value, String> {
        let enter = self.log.join("enter");
        let command = self.toolchain.command(SCRIPT, &[&self.root, &self.target]);
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let variables: Vec<String> = variables
            .map(|(name, value)| format!("{}={}", name.display(), quoted(Path::new(value))))
            .collect();
        // In a chroot the variables of this machine mean nothing.
        let clean = if variables.is_empty() { "" } else { "env -i" };
        let line = self.line(SCRIPT).replace(&quoted(Path::new(SCRIPT)), "\"$1\"");
        write(&enter, &format!("#!/bin/sh\nexec {clean} {} {line}\n", variables.join(" ")))?;
        process::make_executable(&enter)?;
        Ok(serde_json::json!({ "enter": enter, "imports": self.imports(), "links": self.links(),
            "programs": self.scratch.join("debug") }))
    }

    /// Runs a script in the folder of the package. Checkout and target folder are at their own paths.
    pub fn run(&self, log: &str, script: &str, limit: Duration) -> Result<Finished, String> {
        let log = self.log.join(log.replace([' ', '/', ':'], "-"));
        process::run(&mut self.command(script), limit, &log)
    }

    fn command(&self, script: &str) -> Command {
        let servers = [
            ("MCP_EXAMPLE_SERVER", &self.built.example_server),
            ("MCP_SCRIPTED_SERVER", &self.built.scripted_server),
            ("MCP_SCRIPTED_HTTP", &self.built.scripted_http),
            ("PKG_CONFIG_PATH", &self.staged.pkgconfig),
        ];
        let mut all = format!("set -eu; cd {}\n", quoted(&self.package));
        for (name, value) in servers {
            let _ = writeln!(all, "export {name}={}", quoted(value));
        }
        all += script;
        self.toolchain.command(&all, &[&self.root, &self.target])
    }

    /// A run-time path, so that programs find the library also where a client starts them with few variables.
    fn swift(&self, log: &str, words: &str, limit: Duration) -> Result<Finished, String> {
        let script = format!(
            "swift {words} --scratch-path {} -Xswiftc -warnings-as-errors -Xlinker -rpath -Xlinker {}",
            quoted(&self.scratch),
            quoted(&self.staged.library_folder),
        );
        self.run(log, &script, limit)
    }
}

/// A word of bash.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// Counts the tests of a run of `XCTest`: `Test Case 'Suite.test' passed (0.1 seconds)`.
fn count(stage: &mut Stage, tests: &Finished) {
    let mut failed = false;
    let mut seen = false;
    for (name, how) in outcomes(&tests.stdout) {
        seen = true;
        let story = || {
            let about = tests.stdout.lines().filter(|line| line.contains(name.as_str()));
            about.collect::<Vec<_>>().join("\n")
        };
        match how {
            "passed" => stage.tally.pass(&name),
            "skipped" => stage.tally.skip(&name, &story()),
            _ => {
                failed = true;
                stage.tally.fail(&name, &story());
            }
        }
    }
    if !seen || (!tests.succeeded() && !failed) {
        stage.tally.fail("the run of the tests", &tests.story());
    }
}

fn outcomes(report: &str) -> Vec<(String, &str)> {
    let cases = report.lines().filter_map(|line| line.strip_prefix("Test Case '")?.split_once("' "));
    cases
        .filter_map(|(name, rest)| {
            let how = rest.split(' ').next()?;
            (how != "started").then(|| (name.to_owned(), how))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::outcomes;

    #[test]
    fn each_test_is_counted_once() {
        let report = "Test Suite 'A' started at 1\nTest Case 'A.testX' started at 2\nTest Case 'A.testX' passed (0.1 seconds)\n\
            Test Case 'A.testY' started at 2\nx.swift:1: error: A.testY : failed\nTest Case 'A.testY' failed (0.1 seconds)\n";
        assert_eq!(outcomes(report), [("A.testX".to_owned(), "passed"), ("A.testY".to_owned(), "failed")]);
    }
}
