//! `cargo xtask fuzz`: the targets in `fuzz/`, built as cargo-fuzz builds them and run one beside the other.
//!
//! libFuzzer comes with the crate libfuzzer-sys and the sanitizer with Rust, so that nothing need be installed. The flags are
//! for nightly Rust only, hence `RUSTC_BOOTSTRAP`; nothing that is shipped is built so.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, read, stem};
use crate::process::{self, Finished};
use crate::rustc;

/// `AddressSanitizer`, and LLVM's counting of what was reached, as libFuzzer wants it.
const FLAGS: [&str; 10] = [
    "-Zsanitizer=address",
    "-Cunsafe-allow-abi-mismatch=sanitizer",
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-sanitizer-coverage-stack-depth",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];

/// How long one input may take, in seconds; a busy machine and the sanitizer included.
const PATIENCE: u64 = 60;

/// How much the compiler optimizes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Optimization {
    /// As `fuzz/Cargo.toml` says, for runs of minutes and hours.
    Full,
    /// Next to nothing: where each target runs for seconds, most of the time goes to the compiler.
    Little,
}

/// What cargo is told besides, to optimize little: also of the packages for which `fuzz/Cargo.toml` says something of its own.
const LITTLE: [&str; 4] = [
    "profile.release.opt-level=0",
    "profile.release.package.mcp.opt-level=0",
    "profile.release.package.mcp-core.opt-level=0",
    "profile.release.debug=false",
];

/// The built targets.
pub struct Targets {
    folder: PathBuf,
    names: Vec<String>,
}

/// Which inputs libFuzzer makes.
#[derive(Clone, Copy)]
pub enum Inputs {
    /// Others in each run.
    Random,
    /// The same in each run of the same program, as far as its time allows: a fault that a run finds is there for
    /// everyone, and none appears by chance in a change that has nothing to do with it.
    Repeatable,
}

/// What a run of one target did.
#[derive(Debug, PartialEq, Eq)]
pub struct Figures {
    pub executions: u64,
    /// Edges of the program, and features: edges with how often they were taken.
    pub edges: u64,
    pub features: u64,
}

/// The command.
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    let (mut target, mut seconds) = (None, 60);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match (*word, words.next()) {
            ("--target", Some(name)) => target = Some(*name),
            ("--seconds", Some(number)) => {
                seconds = number.parse().map_err(|_| format!("--seconds needs a number, not {number}"))?;
            }
            _ => return Err(format!("fuzz takes --target NAME and --seconds N, not {word}")),
        }
    }
    let targets = build(checkout, target, Optimization::Full)?;
    let mut failed = 0;
    targets.run(checkout, seconds, Inputs::Random, |name, result| match result {
        Ok(figures) => println!("  {name}: {}", figures.say()),
        Err(why) => {
            failed += 1;
            println!("  {name} FAILED\n{why}");
        }
    });
    if failed == 0 { Ok(()) } else { Err(format!("{failed} targets failed")) }
}

/// The names of all targets.
fn names(checkout: &Checkout) -> Vec<String> {
    checkout.files("fuzz/fuzz_targets", "rs").iter().map(|path| stem(path)).collect()
}

/// Builds all targets, or one.
pub fn build(checkout: &Checkout, only: Option<&str>, optimization: Optimization) -> Result<Targets, String> {
    let all = names(checkout);
    let names = match only {
        None => all,
        Some(name) if all.iter().any(|own| own == name) => vec![name.to_owned()],
        Some(name) => return Err(format!("there is no target {name}; there are {}", all.join(", "))),
    };
    println!("  building the fuzz targets");
    let host = rustc::host(checkout)?;
    let folder = checkout.target.join("fuzz");
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml"]);
    // With --target the flags are not for build scripts and macros.
    cargo.args(["--target", &host, "--target-dir"]).arg(&folder);
    if let Some(name) = only {
        cargo.args(["--bin", name]);
    }
    if optimization == Optimization::Little {
        cargo.args(LITTLE.iter().flat_map(|line| ["--config", line]));
    }
    cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    match cargo.status() {
        Ok(status) if status.success() => Ok(Targets { folder: folder.join(host).join("release"), names }),
        Ok(status) => Err(format!("the fuzz targets do not build: {status}")),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

impl Targets {
    /// Runs each for so many seconds, as many at a time as the machine has processors; `done` hears of each as it ends.
    pub fn run(
        &self,
        checkout: &Checkout,
        seconds: u64,
        inputs: Inputs,
        mut done: impl FnMut(&str, Result<Figures, String>),
    ) {
        process::side_by_side(
            &self.names,
            |name| self.run_one(checkout, name, seconds, inputs),
            |name, result| done(name, result),
        );
    }

    /// Starts from the inputs in `fuzz/corpus` and those that earlier runs on this machine found.
    fn run_one(
        &self,
        checkout: &Checkout,
        name: &str,
        seconds: u64,
        inputs: Inputs,
    ) -> Result<Figures, String> {
        let found = checkout.scratch(&format!("fuzz/{name}/found"))?;
        let failures = checkout.scratch(&format!("fuzz/{name}/failures"))?;
        let mut command = Command::new(self.folder.join(name));
        command.arg(format!("-max_total_time={seconds}")).arg(format!("-timeout={PATIENCE}"));
        if let Inputs::Repeatable = inputs {
            command.arg("-seed=1");
        }
        command.args(["-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1"]);
        command.arg(format!("-artifact_prefix={}/", failures.display()));
        command.arg(&found).arg(checkout.root.join("fuzz/corpus").join(name));
        command.env("RUST_BACKTRACE", "1");
        let log = checkout.scratch("fuzz")?.join(name);
        let limit = Duration::from_secs(seconds + 2 * PATIENCE + 60);
        let finished = process::run(&mut command, limit, &log)?;
        if !finished.succeeded() {
            return Err(failure(&finished, &log.with_extension("err"), &self.folder.join(name)));
        }
        Figures::read(&finished.stderr)
            .ok_or_else(|| format!("it says nothing of what it did: {}", finished.story()))
    }
}

/// What went wrong, with which input, and how to see it again.
fn failure(finished: &Finished, log: &Path, program: &Path) -> String {
    let written = read(log).unwrap_or_default();
    let says = |line: &&str| ["panicked at", "ERROR: ", "SUMMARY: "].iter().any(|mark| line.contains(mark));
    let lines: Vec<&str> = written.lines().collect();
    // The line after a panic's place is its message.
    let mut story: Vec<&str> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if says(line) {
            story.push(line);
            story.extend(lines.get(at + 1).filter(|_| line.contains("panicked at")));
        }
    }
    let input = lines.iter().find_map(|line| line.split("Test unit written to ").nth(1));
    let again = match input {
        Some(input) => format!("the input: {input}\nagain: {} {input}", program.display()),
        None => finished.story(),
    };
    format!("{}\n{again}\nall of it: {}", story.join("\n"), log.display())
}

impl Figures {
    /// From the last lines of libFuzzer, such as `#709 DONE cov: 5478 ft: 15832 corp: …`.
    fn read(text: &str) -> Option<Figures> {
        let after = |mark: &str| {
            let line = text.lines().rev().find(|line| line.contains(mark))?;
            line.split(mark).nth(1)?.split_whitespace().next()?.parse().ok()
        };
        Some(Figures {
            executions: after("stat::number_of_executed_units:")?,
            edges: after(" cov:")?,
            features: after(" ft:")?,
        })
    }

    pub fn say(&self) -> String {
        format!("{} executions, {} edges, {} features", self.executions, self.edges, self.features)
    }
}
