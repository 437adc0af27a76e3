//! The packages of the bindings for other Linux systems, made from the trees of `cargo xtask dist` by the commands that make them for
//! publishing: wheels, npm packages, the Go module. What can run on x86-64 runs: programs for musl natively, those for ARM under QEMU. With
//! every test two systems, as in the step `linux-targets`, with `--deep` three.

use super::workshop::Workshop;
use super::{go, nodes, pythons, ready, wanted};
use crate::machine::{NODE, NPM, PYTHON};
use crate::test::Stage;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let workshop = match Workshop::find(stage.checkout)? {
        Ok(workshop) => workshop,
        Err(why) => {
            stage.tally.lack("packages for other Linux systems", &why);
            return Ok(());
        }
    };
    let built = stage.built()?;
    let mut shops = Vec::new();
    for target in wanted(stage)?.into_iter().filter(|target| target.packages.is_some()) {
        if let Some(shop) = ready(stage, &workshop, target, &built)? {
            shops.push(shop);
        }
    }
    if stage.tally.need(&PYTHON, "wheels for other Linux systems").is_none() {
        return Ok(());
    }
    pythons::check(stage, &shops)?;
    let what = "npm packages for other Linux systems";
    if stage.tally.need(&NODE, what).is_some() && stage.tally.need(&NPM, what).is_some() {
        nodes::check(stage, &shops)?;
    }
    go::check(stage, &shops)
}
