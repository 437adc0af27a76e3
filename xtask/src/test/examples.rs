//! The examples in C and C++ that end by themselves: each is run against the example server, or what else it wants, and must say
//! what it says. Their input is empty.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, stem};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(30);

/// What an example is given first.
enum First {
    Server,
    /// The server that does as it is told.
    Scripted,
    /// A file with two servers, and one that cannot be started.
    File,
}

/// An example: its arguments behind the first, and what it prints.
struct Run {
    name: &'static str,
    first: First,
    arguments: &'static [&'static str],
    says: &'static [&'static str],
}

const RUNS: [Run; 9] = [
    Run {
        name: "quickstart",
        first: First::Server,
        arguments: &[],
        says: &["11 tools: {", "\"name\":\"echo\"", "Hello from C"],
    },
    Run {
        name: "tools",
        first: First::Server,
        arguments: &[],
        says: &["11 tools: {", "Adds two numbers", "add: 5", "fail: the tool failed"],
    },
    Run {
        name: "resources_watch",
        first: First::Server,
        arguments: &["demo://greeting", "1"],
        says: &["demo://greeting: Hello, world!", "changed: {"],
    },
    Run {
        name: "prompts",
        first: First::Server,
        arguments: &[],
        says: &["prompt greet with name", "\"values\":[\"Ada\"", "greeting for Ada"],
    },
    Run { name: "progress", first: First::Server, arguments: &[], says: &["] 100 %", "waited 400 ms"] },
    Run {
        name: "elicitation",
        first: First::Server,
        arguments: &[],
        says: &["The server asks: Which colour?", "The tool says: No answer: cancel"],
    },
    Run {
        name: "sampling",
        first: First::Scripted,
        arguments: &["ask_forever", "{\"method\": \"sampling/createMessage\"}"],
        says: &[
            "The server asks the model: Say something (at most 10",
            "\"text\":\"I was told: Say something\"",
        ],
    },
    Run {
        name: "multi_server",
        first: First::File,
        arguments: &[],
        says: &["first has 11 tools, the first is echo", "second has ", "2 of 3 servers answered"],
    },
    Run {
        name: "tasks",
        first: First::Server,
        arguments: &[],
        says: &[
            "task research-000001: working",
            "the server asks: Which colour?",
            "task research-000001: completed",
            "the outcome: researched honey: amber",
        ],
    },
];

/// Writes a file of the well-known format.
fn servers_file(checkout: &Checkout, built: &Built) -> Result<PathBuf, String> {
    let path = checkout.scratch("examples")?.join("servers.json");
    let server = |path: &Path| format!("{{\"command\": {:?}}}", path.display().to_string());
    let text = format!(
        "{{\"mcpServers\": {{\"first\": {}, \"second\": {}, \"missing\": {{\"command\": \"/nowhere/at/all\"}}}}}}\n",
        server(&built.example_server),
        server(&built.scripted_server),
    );
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Runs the example of this source, if it is one of those.
pub fn run(checkout: &Checkout, built: &Built, source: &Path, program: &Path) -> Option<Result<(), String>> {
    let run = RUNS.iter().find(|run| run.name == stem(source))?;
    Some(says(checkout, built, run, program))
}

fn says(checkout: &Checkout, built: &Built, run: &Run, program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    match run.first {
        First::Server => command.arg(&built.example_server),
        First::Scripted => command.arg(&built.scripted_server),
        First::File => command.arg(servers_file(checkout, built)?),
    };
    command.args(run.arguments).current_dir(checkout.scratch("examples")?);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    if !finished.succeeded() {
        return Err(finished.story());
    }
    match run.says.iter().find(|part| !finished.stdout.contains(**part)) {
        Some(part) => Err(format!("it does not say \"{part}\" but:\n{}", finished.stdout)),
        None => Ok(()),
    }
}
