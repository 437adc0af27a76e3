//! Steps that a program in Python does, with the standard library alone. It reports as `go test -v` does, and is told here where tools are.

use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::check as generated;
use crate::checkout::Checkout;
use crate::header::{is_fresh, symbols_are_told};
use crate::machine::{CARGO_DENY, CC, CLANG, CLANGXX, GCC, GO, GXX, PYTHON, is_ci};
use crate::{dependencies, peers, process};

/// Under a load of much else the compilers of the step `header` take minutes; with `--deep` each fuzz target runs for half an hour.
const LIMIT: Duration = Duration::from_secs(40 * 60);
const DEEP_LIMIT: Duration = Duration::from_secs(24 * 3600);

/// A program of the checkout, with what `told` adds to its command.
fn run(
    stage: &mut Stage,
    program: &str,
    told: impl FnOnce(&mut Stage, &mut Command) -> Result<(), String>,
) -> Result<(), String> {
    let Some(python) = stage.tally.need(&PYTHON, "the checks of this step") else { return Ok(()) };
    let mut command = Command::new(python);
    command.arg("-B").arg(stage.checkout.root.join(program));
    told(stage, &mut command)?;
    let log = stage.checkout.scratch(stage.step)?.join("check");
    let limit = if stage.options.deep { DEEP_LIMIT } else { LIMIT };
    bindings::count(stage, &process::run(&mut command, limit, &log)?);
    Ok(())
}

/// What the pages and headers say of the project is true, in plain words.
pub fn pages(stage: &mut Stage) -> Result<(), String> {
    run(stage, "tests/pages/check.py", |stage, command| {
        let rumdl = peers::folder(stage.checkout, "rumdl").join("bin/rumdl");
        // The core of the tests downloads nothing, and leaves it to runs of everything if it is not there.
        if stage.release.is_quick() && !rumdl.is_file() {
            let why = "rumdl is missing. To get it: cargo xtask peers";
            stage.tally.skip("every link of a page leads somewhere", why);
        } else {
            peers::environment(stage.checkout, "rumdl")?;
            command.env("MCP_RUMDL", rumdl);
        }
        let linted = "actionlint has nothing to say of the workflow files";
        if let Some(go) = stage.tally.need(&GO, linted) {
            match peers::actionlint(stage.checkout, &go) {
                Ok(actionlint) => drop(command.env("MCP_ACTIONLINT", actionlint)),
                Err(why) => stage.tally.lack(linted, &format!("Go could not install it: {why}")),
            }
        }
        Ok(())
    })
}

/// The committed header is what `src/ffi` says, what is generated from it is up to date, and every compiler takes it.
pub fn header(stage: &mut Stage) -> Result<(), String> {
    let result = is_fresh(stage.checkout);
    stage.tally.check("include/mcp.h and include/mcp.exports are up to date", result);
    let name = "what is generated for the bindings is up to date, and each has a function for each method";
    match generated(stage.checkout, !stage.release.is_quick()) {
        Ok(false) => stage.tally.skip(name, "Jinja2 is missing. To get it: cargo xtask peers"),
        result => stage.tally.check(name, result.map(drop)),
    }
    let result = symbols_are_told(stage.checkout);
    stage.tally.check("include/mcp.symbols has every name of the header, and no number has changed", result);
    run(stage, "tests/header/check.py", |stage, command| {
        command.arg(stage.built()?.folder).arg(stage.checkout.scratch("header")?);
        for tool in [&GCC, &GXX, &CLANG, &CLANGXX] {
            command.args(stage.tally.need(tool, "the headers compile everywhere"));
        }
        Ok(())
    })
}

/// What may be in the library, as `deny.toml` says, which cargo-deny judges: on a machine that tests for everyone with `--deep`, as it takes a
/// minute to compile, and what it looks at changes with Cargo.lock; and what pages say of these crates. A person may go without.
pub fn deny(stage: &mut Stage) -> Result<(), String> {
    let counted = dependencies::check(stage.checkout);
    stage.tally.check("docs/design/dependencies.md counts the crates and their `unsafe` rightly", counted);
    run(stage, "tests/deny/check.py", |stage, command| {
        let tool = match (is_ci(), stage.options.deep) {
            // The one version that is known to work, whatever else is there.
            (true, true) => Some(peers::cargo_deny(stage.checkout)?),
            (true, false) => None,
            _ => stage.tally.need(&CARGO_DENY, "licences, sources, duplicates and advisories of all crates"),
        };
        command.args(tool);
        Ok(())
    })
}

/// The programs of README.md and docs/guide/serving.md work as printed.
pub fn readme(stage: &mut Stage) -> Result<(), String> {
    let Some(cc) = stage.tally.need(&CC, "the examples work") else { return Ok(()) };
    run(stage, "tests/readme/check.py", |stage, command| {
        let built = stage.built()?;
        command.args([built.folder, built.example_server, stage.checkout.scratch("readme")?, cc]);
        Ok(())
    })
}

const FUZZ: &str = "fuzz/run.py";

/// Every fuzz target runs for a while and finds nothing.
pub fn fuzz(stage: &mut Stage) -> Result<(), String> {
    let what = "the fuzz targets";
    // libFuzzer is C++.
    if stage.tally.need(&GXX, what).is_none() {
        return Ok(());
    }
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        stage.tally.skip(what, "Rust has the sanitizer for them on Linux with the GNU C library");
        return Ok(());
    }
    println!("  building the fuzz targets");
    run(stage, FUZZ, |stage, command| {
        command.arg("--folder").arg(&stage.checkout.target);
        match (stage.options.deep, is_ci()) {
            (true, _) => command.args(["--seconds", "1800"]),
            (false, true) => command.args(["--seconds", "4", "--little", "--repeatable"]),
            (false, false) => command.args(["--seconds", "4", "--little"]),
        };
        Ok(())
    })
}

/// `cargo xtask fuzz`, and what the step has compiled, before it.
pub fn fuzz_with(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    let mut command = Command::new(PYTHON.find()?);
    command.arg("-B").arg(checkout.root.join(FUZZ)).arg("--folder").arg(&checkout.target).args(options);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{FUZZ} failed: {status}")),
        Err(error) => Err(format!("cannot start Python: {error}")),
    }
}
