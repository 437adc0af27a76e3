//! The official conformance suite against `tests/conformance/client.c` and `tests/conformance/server.c`, strictly: exactly the
//! expected checks of every scenario must succeed. A check or a scenario that appears or vanishes is a failure, so that no run
//! is green by doing nothing.

pub mod clients;
pub mod expected;
pub mod servers;
pub mod suite;

use self::suite::Suite;
use super::Stage;
use crate::machine::{CC, NODE, NPM};
use crate::peers::Conformance;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "the conformance suite";
    if [&CC, &NODE, &NPM].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let folder = checkout.scratch("conformance")?;
    println!("  installing the suite, unless it is there");
    let suite = Suite { program: Conformance::install(checkout)?, folder, root: checkout.root.clone() };
    clients::run(stage, &built, &suite)?;
    servers::run(stage, &built, &suite)
}
