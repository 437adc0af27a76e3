//! Servers that others made, driven by `examples/c/inspect.c` over standard input and output, in every era they speak.
//!
//! Each case starts a server, lets `inspect` list what it offers and call a tool, and looks for known facts in the
//! output: how the era is found, and how a refusal is told. What they offer at each revision is in the matrix of the step
//! `compatibility`. What the servers do was found by talking to them by hand, not by believing our own client.

mod cases;
pub mod http;
mod servers;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use self::cases::{CASES, Case, Outcome};
use self::servers::{Servers, Start};
use super::Stage;
use crate::compiler;
use crate::machine::CC;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&CC, "inspect").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let source = stage.checkout.root.join("examples/c/inspect.c");
    let inspect = compiler::program(stage.checkout, &built, &source, "interop")?;
    let folder = stage.checkout.scratch("interop")?;
    stage.checkout.scratch("interop/served")?;

    println!("  installing the servers, unless they are there");
    let servers = Servers::install(stage.checkout, built);
    for (number, case) in CASES.iter().enumerate() {
        match servers.start(case.server, &folder) {
            Start::With { command, within } => {
                let log = folder.join(format!("case-{number}"));
                let result = passes(case, &inspect, &command, &within, &log);
                stage.tally.check(case.name, result);
            }
            Start::Lacks(tool) => {
                let _ = stage.tally.need(tool, case.name);
            }
            Start::Failed(why) => stage.tally.fail(case.name, &why),
        }
    }
    Ok(())
}

fn passes(case: &Case, inspect: &Path, server: &[String], within: &Path, log: &Path) -> Result<(), String> {
    let mut command = Command::new(inspect);
    command.args(["--protocol", case.protocol]);
    if let Some((tool, arguments)) = case.call {
        command.args(["--call", tool, arguments]);
    }
    command.arg("--").args(server).current_dir(within);
    let finished = process::run(&mut command, LIMIT, log)?;
    let code = finished.code();
    let expected = match case.outcome {
        Outcome::Works => 0,
        Outcome::IsRefused => 2,
    };
    if code != Some(expected) {
        return Err(format!("expected exit status {expected}: {}", finished.story()));
    }
    if case.outcome == Outcome::IsRefused && finished.stderr.trim().is_empty() {
        return Err("it failed, as it should, but did not say why".to_owned());
    }
    let said = plain(&finished.stdout);
    let missing: Vec<&str> = case.shows.iter().copied().filter(|fact| !said.contains(fact)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("not shown: {missing:?}\n{}", finished.story())) }
}

/// The output with every run of blanks as one space, so that its columns may change.
fn plain(text: &str) -> String {
    text.lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}
