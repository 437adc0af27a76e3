//! The server scenarios of the official conformance suite against `tests/conformance/server.c` on stdio, through the bridge at a URL.

use std::path::Path;
use std::process::Command;

use super::Background;
use crate::checkout::read;
use crate::compiler;
use crate::machine::{CC, NODE, NPM};
use crate::peers::Conformance;
use crate::ports::free_port;
use crate::release::Built;
use crate::test::Stage;
use crate::test::conformance::expected::{self, Expected, REVISIONS};
use crate::test::conformance::servers::all_of;
use crate::test::conformance::suite::Suite;

/// What stands for a revision with the scenarios that are no part of one.
const NOT_OF_A_REVISION: &str = "skills";

/// The scenarios that cannot pass through a bridge to a server on stdio, and why.
const STAY_BEHIND: &[(&str, &str, &str)] =
    &[("2025-11-25", "server-sse-polling", "a server on stdio has no event stream that it could end")];

pub fn run(stage: &mut Stage, built: &Built, program: &Path) -> Result<(), String> {
    let what = "the official conformance suite through the bridge";
    if [&CC, &NODE, &NPM].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    let checkout = stage.checkout;
    let source = checkout.root.join("tests/conformance/server.c");
    let server = compiler::program(checkout, built, &source, "bridge-suite")?;
    let folder = checkout.scratch("bridge-suite")?;
    let suite = Suite { program: Conformance::install(checkout)?, folder, root: checkout.root.clone() };
    let expected = expected::read(&read(&suite.root.join("tests/conformance/expected-server.txt"))?)?;
    let port = free_port()?;
    let url = format!("http://127.0.0.1:{port}/mcp");
    let mut command = Command::new(program);
    command.args(["bridge", "--listen", &url, "--"]).arg(&server).arg("stdio");
    let bridge = Background::listening(&mut command, &port, &suite.folder.join("bridge.log"))?;
    for revision in REVISIONS {
        let mut found = match all_of(&suite, revision, &url, "bridged") {
            Ok(found) => found,
            Err(why) => {
                stage.tally.fail(&format!("the suite plays {revision} through the bridge"), &why);
                continue;
            }
        };
        for (scenario, expected) in expected.iter().filter(|(scenario, _)| scenario.revision == revision) {
            let Expected::Checks(checks) = expected else { continue };
            let stays = STAY_BEHIND.iter().find(|(at, name, _)| *at == revision && *name == scenario.name);
            let result = match found.remove(&scenario.name) {
                Some(found) => found.is(checks),
                None => Err("the suite wrote no checks of it".to_owned()),
            };
            let name = format!("through the bridge: {} at {revision}", scenario.name);
            match (stays, result) {
                (None, result) => stage.tally.check(&name, result),
                (Some((_, _, why)), Err(_)) => println!("  {name} cannot pass: {why}"),
                (Some(_), Ok(())) => stage.tally.fail(&name, "it passes: take it out of the list"),
            }
        }
    }
    let has_skills = expected.iter().any(|(scenario, _)| scenario.revision == NOT_OF_A_REVISION);
    if has_skills {
        println!("  the scenarios of the skills extension are played without a bridge only");
    }
    stage.tally.check("the bridge ends after the suite, and its server with it", bridge.terminate());
    Ok(())
}
