//! Steps that a program in Python of the folder `tests` does, with the standard library alone. It reports as `go test -v` does, and is told
//! here where tools are.

use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::check as generated;
use crate::header::{is_fresh, symbols_are_told};
use crate::machine::{CARGO_DENY, CLANG, CLANGXX, GCC, GO, GXX, PYTHON, is_ci};
use crate::{dependencies, peers, process};

/// Under a load of much else the compilers of the step `header` take minutes.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// `tests/STEP/check.py`, with what `told` adds to its command.
fn run(
    stage: &mut Stage,
    told: impl FnOnce(&mut Stage, &mut Command) -> Result<(), String>,
) -> Result<(), String> {
    let Some(python) = stage.tally.need(&PYTHON, "the checks of this step") else { return Ok(()) };
    let folder = stage.checkout.root.join("tests").join(stage.step);
    let mut command = Command::new(python);
    command.arg("-B").arg(folder.join("check.py"));
    told(stage, &mut command)?;
    let log = stage.checkout.scratch(stage.step)?.join("check");
    bindings::count(stage, &process::run(&mut command, LIMIT, &log)?);
    Ok(())
}

/// What the pages and headers say of the project is true, in plain words.
pub fn pages(stage: &mut Stage) -> Result<(), String> {
    run(stage, |stage, command| {
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
    run(stage, |stage, command| {
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
    run(stage, |stage, command| {
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
