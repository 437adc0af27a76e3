//! The examples in C that end by themselves: each is run against the example server and must say what it
//! says. Their input is empty.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, stem};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(30);

/// An example: its arguments behind the server, and what it prints.
struct Run {
    name: &'static str,
    arguments: &'static [&'static str],
    says: &'static [&'static str],
}

const RUNS: [Run; 7] = [
    Run { name: "quickstart", arguments: &[], says: &["tool: echo", "Hello from C"] },
    Run {
        name: "tools",
        arguments: &[],
        says: &["tool add: Adds two numbers", "add: 5", "fail: the tool failed"],
    },
    Run {
        name: "resources_watch",
        arguments: &["demo://greeting", "1"],
        says: &["demo://greeting: Hello, world!", "changed: {"],
    },
    Run {
        name: "prompts",
        arguments: &[],
        says: &["prompt greet with name", "\"values\":[\"Ada\"", "greeting for Ada"],
    },
    Run { name: "progress", arguments: &[], says: &["] 100 %", "waited 400 ms"] },
    Run {
        name: "elicitation",
        arguments: &[],
        says: &["The server asks: Which colour?", "The tool says: No answer: cancel"],
    },
    Run {
        name: "tasks",
        arguments: &[],
        says: &[
            "task research-000001: working",
            "the server asks: Which colour?",
            "task research-000001: completed",
            "the outcome: researched honey: amber",
        ],
    },
];

/// Runs the example of this source, if it is one of those.
pub fn run(checkout: &Checkout, built: &Built, source: &Path, program: &Path) -> Option<Result<(), String>> {
    let run = RUNS.iter().find(|run| run.name == stem(source))?;
    Some(says(checkout, built, run, program))
}

fn says(checkout: &Checkout, built: &Built, run: &Run, program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg(&built.example_server).args(run.arguments).current_dir(checkout.scratch("examples")?);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    if !finished.succeeded() {
        return Err(finished.story());
    }
    match run.says.iter().find(|part| !finished.stdout.contains(**part)) {
        Some(part) => Err(format!("it does not say \"{part}\" but:\n{}", finished.stdout)),
        None => Ok(()),
    }
}
