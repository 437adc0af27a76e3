//! What the pages and headers say of the project is true, in plain words, as `tests/pages/check.py` looks. It uses Python's standard library
//! alone; here its two linters are found.

use std::process::Command;

use super::{Stage, bindings};
use crate::machine::{GO, PYTHON};
use crate::{peers, process};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let Some(python) = stage.tally.need(&PYTHON, "what the pages say") else { return Ok(()) };
    let checkout = stage.checkout;
    let mut command = Command::new(python);
    command.arg("-B").arg(checkout.root.join("tests/pages/check.py"));
    let rumdl = peers::folder(checkout, "rumdl").join("bin/rumdl");
    // The core of the tests downloads nothing, and leaves it to runs of everything if it is not there.
    if stage.release.is_quick() && !rumdl.is_file() {
        stage
            .tally
            .skip("every link of a page leads somewhere", "rumdl is missing. To get it: cargo xtask peers");
    } else {
        peers::environment(checkout, "rumdl")?;
        command.env("MCP_RUMDL", rumdl);
    }
    let linted = "actionlint has nothing to say of the workflow files";
    if let Some(go) = stage.tally.need(&GO, linted) {
        match peers::actionlint(checkout, &go) {
            Ok(actionlint) => drop(command.env("MCP_ACTIONLINT", actionlint)),
            Err(why) => stage.tally.lack(linted, &format!("Go could not install it from its proxy: {why}")),
        }
    }
    bindings::count(
        stage,
        &process::run(&mut command, process::LIMIT, &checkout.scratch("pages")?.join("check"))?,
    );
    Ok(())
}
