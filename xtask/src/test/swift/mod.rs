//! The Swift package: built without a warning, tested, and its examples run. Its module and its calls are looked at without a
//! compiler of Swift first.
//!
//! The files:
//!
//! * `module`: header and module map as Clang takes them, and the functions that the package calls
//! * `toolchain`: the machine's Swift, or Debian's in a chroot

mod module;
mod toolchain;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::Stage;
use crate::bindings::{Staged, is_fresh, stage as lay_out};
use crate::checkout::Checkout;
use crate::machine::{NODE, NPM};
use crate::peers::Npm;
use crate::ports::free_port;
use crate::process::{self, Finished, Served};
use crate::release::Built;
use toolchain::Toolchain;
pub use toolchain::make_chroot;

/// The first build compiles 11,000 lines of generated types.
const BUILD: Duration = Duration::from_secs(900);
const TESTS: Duration = Duration::from_secs(300);
const EXAMPLE: Duration = Duration::from_secs(60);

/// Set when this run of the tests has built the package.
static BUILT: OnceLock<()> = OnceLock::new();

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("what is generated is up to date", is_fresh(stage.checkout, "swift"));
    module::run(stage)?;
    let Some(work) = Work::find(stage, "the Swift package, compiled")? else { return Ok(()) };
    let began = Instant::now();
    let build = work.swift("build", "build --build-tests", BUILD)?;
    if !build.succeeded() {
        stage.tally.fail("it compiles without a warning", &build.story());
        return Ok(());
    }
    stage.tally.pass("it compiles without a warning");
    BUILT.get_or_init(|| ());
    println!("  compiled in {} s", began.elapsed().as_secs());
    let tests = work.swift("test", "test --skip-build", TESTS)?;
    count(stage, &tests);
    for (name, script) in work.examples() {
        let result = work
            .run(&name, &script, EXAMPLE)
            .and_then(|finished| if finished.succeeded() { Ok(()) } else { Err(finished.story()) });
        stage.tally.check(&name, result);
    }
    let name = "example compare: the reference server everything";
    if stage.tally.need(&NODE, name).is_some() && stage.tally.need(&NPM, name).is_some() {
        let result = everything(stage.checkout, &work);
        stage.tally.check(name, result);
    }
    Ok(())
}

/// The toolchain with the module `MCP`, for other steps: built here unless this step has run before. `None` without a toolchain, which
/// the tally told.
pub fn package(stage: &mut Stage, what: &str) -> Result<Option<Work>, String> {
    let Some(work) = Work::find(stage, what)? else { return Ok(None) };
    if BUILT.get().is_none() {
        let build = work.swift("build-module", "build --target MCP", BUILD)?;
        if !build.succeeded() {
            return Err(build.story());
        }
        BUILT.get_or_init(|| ());
    }
    Ok(Some(work))
}

/// The reference server runs outside of a chroot, which has no Node.js, and is reached over HTTP.
fn everything(checkout: &Checkout, work: &Work) -> Result<(), String> {
    let words = Npm::install(checkout)?.server("everything");
    let (program, arguments) = words.split_first().ok_or("the reference server has no command")?;
    let port = free_port()?;
    let mut command = Command::new(program);
    command.args(arguments).arg("streamableHttp").env("PORT", &port);
    let served = Served::start(&mut command, &work.log.join("everything"))?;
    let compare = quoted(&work.scratch.join("debug/compare"));
    // The example waits until the server is there.
    let finished = work.run("compare-everything", &format!("{compare} http://127.0.0.1:{port}/mcp"), EXAMPLE);
    drop(served);
    let finished = finished?;
    if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
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
        let built = stage.built()?;
        let staged = lay_out(stage.checkout, &built)?;
        Ok(Some(Self {
            toolchain,
            package: stage.checkout.root.join("bindings/swift"),
            root: stage.checkout.root.clone(),
            target: stage.checkout.target.clone(),
            scratch: stage.checkout.target.join("swift-build"),
            log: stage.checkout.scratch("swift")?,
            staged,
            built,
        }))
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

    /// Runs a script in the folder of the package. Checkout and target folder are at their own paths.
    pub fn run(&self, log: &str, script: &str, limit: Duration) -> Result<Finished, String> {
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
        let mut command = self.toolchain.command(&all, &[&self.root, &self.target]);
        process::run(&mut command, limit, &self.log.join(log.replace([' ', '/', ':'], "-")))
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

    /// Each example with the server that it is for.
    fn examples(&self) -> Vec<(String, String)> {
        let program = |name: &str| quoted(&self.scratch.join("debug").join(name));
        let own = program("server");
        let example = quoted(&self.built.example_server);
        let mut runs: Vec<(String, String)> =
            ["quickstart", "tools", "elicitation", "progress", "resources-watch"]
                .map(|name| {
                    (format!("example {name}: the example server"), format!("{} {example}", program(name)))
                })
                .to_vec();
        runs.push(("example tools: the Swift server".to_owned(), format!("{} {own}", program("tools"))));
        runs.push(("example compare: the Swift server".to_owned(), format!("{} {own}", program("compare"))));
        let over_http = format!(
            "coproc {{ exec {own} http://127.0.0.1:0/mcp; }}; trap 'kill $COPROC_PID' EXIT\n\
             read -r -t 30 url <&\"${{COPROC[0]}}\"; {} \"$url\"",
            program("compare")
        );
        runs.push(("example compare: the Swift server over HTTP".to_owned(), over_http));
        runs
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
