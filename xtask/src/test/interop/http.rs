//! Servers that others made, over HTTP in every shape that they have, driven by `tests/interop/http.c`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, read, write};
use crate::compiler;
use crate::machine::{CC, NODE, NPM, PYTHON, Tool};
use crate::peers::{Major, Npm, Python};
use crate::ports::free_port;
use crate::process;
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(90);

#[derive(Clone, Copy)]
enum Server {
    /// The reference server, with the name of a transport.
    Everything(&'static str),
    Python(Major, &'static str),
    TypeScript,
}

struct Case {
    name: &'static str,
    server: Server,
    path: &'static str,
    protocol: &'static str,
    revision: &'static str,
    plan: &'static str,
}

const EVERYTHING: &str = include_str!("plans/http-everything.json");

/// The same with a tool that runs as a task, which 2025-11-25 alone has.
const EVERYTHING_TASKS: &str = include_str!("plans/http-everything-tasks.json");

const OURS: &str = include_str!("plans/http-ours.json");

/// The SDK asks back in this way in the modern era only through another interface.
const OURS_UNASKED: &str = include_str!("plans/http-ours-unasked.json");

const TYPESCRIPT: &str = include_str!("plans/http-typescript.json");

const fn case(
    name: &'static str,
    server: Server,
    path: &'static str,
    protocol: &'static str,
    revision: &'static str,
    plan: &'static str,
) -> Case {
    Case { name, server, path, protocol, revision, plan }
}

const CASES: [Case; 10] = [
    case(
        "everything, streamable HTTP",
        Server::Everything("streamableHttp"),
        "/mcp",
        "auto",
        "2025-11-25",
        EVERYTHING_TASKS,
    ),
    case(
        "everything, streamable HTTP, 2025-03-26",
        Server::Everything("streamableHttp"),
        "/mcp",
        "2025-03-26",
        "2025-03-26",
        EVERYTHING,
    ),
    case("everything, HTTP+SSE", Server::Everything("sse"), "/sse", "auto", "2025-11-25", EVERYTHING_TASKS),
    case(
        "python 1.x, streamable HTTP",
        Server::Python(Major::One, "streamable-http"),
        "/mcp",
        "auto",
        "2025-11-25",
        OURS,
    ),
    case(
        "python 1.x, streamable HTTP, 2025-06-18",
        Server::Python(Major::One, "streamable-http"),
        "/mcp",
        "2025-06-18",
        "2025-06-18",
        OURS,
    ),
    case("python 1.x, HTTP+SSE", Server::Python(Major::One, "sse"), "/sse", "auto", "2025-11-25", OURS),
    case(
        "python 2.x, modern",
        Server::Python(Major::Two, "streamable-http"),
        "/mcp",
        "auto",
        "2026-07-28",
        OURS_UNASKED,
    ),
    case(
        "python 2.x, legacy",
        Server::Python(Major::Two, "streamable-http"),
        "/mcp",
        "legacy",
        "2025-11-25",
        OURS,
    ),
    case("typescript 2.x, modern", Server::TypeScript, "/mcp", "auto", "2026-07-28", TYPESCRIPT),
    case("typescript 2.x, legacy", Server::TypeScript, "/mcp", "legacy", "2025-11-25", OURS_UNASKED),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&CC, "interop over HTTP").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let source = checkout.root.join("tests/interop/http.c");
    let program = compiler::program(checkout, &built, &source, "interop-http")?;
    println!("  installing the servers, unless they are there");
    let ready = CASES.iter().filter(|case| match needs(case.server).iter().find(|it| it.find().is_err()) {
        Some(tool) => stage.tally.need(tool, case.name).is_some(),
        None => true,
    });
    let ready: Vec<(&Case, Result<Vec<String>, String>)> =
        ready.map(|case| (case, command(checkout, case.server))).collect();
    process::side_by_side(
        &ready,
        |(case, command)| passes(checkout, &program, case, command),
        |(case, _), result| stage.tally.check(case.name, result),
    );
    Ok(())
}

fn needs(server: Server) -> &'static [&'static Tool] {
    match server {
        Server::Everything(_) | Server::TypeScript => &[&NODE, &NPM],
        Server::Python(..) => &[&PYTHON],
    }
}

/// What starts the server; `{port}` is to be filled in where it does not look into its environment.
fn command(checkout: &Checkout, server: Server) -> Result<Vec<String>, String> {
    let script = |name: &str| checkout.root.join("tests/servers").join(name);
    match server {
        Server::Everything(transport) => {
            let mut command = Npm::install(checkout)?.server("everything");
            command.push(transport.to_owned());
            Ok(command)
        }
        Server::Python(major, transport) => {
            let python = Python::install(checkout, major)?;
            let words =
                [python.interpreter(), &script("python/server.py")].map(|it| it.display().to_string());
            Ok([&words[..], &[transport.to_owned(), "{port}".to_owned()]].concat())
        }
        Server::TypeScript => {
            let npm = Npm::install(checkout)?;
            // Node looks for packages from where a module is.
            let copy = npm.folder().join("server.mjs");
            write(&copy, &read(&script("typescript/server.mjs"))?)?;
            Ok(vec![NODE.find()?.display().to_string(), copy.display().to_string()])
        }
    }
}

fn passes(
    checkout: &Checkout,
    program: &Path,
    case: &Case,
    server: &Result<Vec<String>, String>,
) -> Result<(), String> {
    let port = free_port()?;
    let server = server.as_ref().map_err(Clone::clone)?;
    let mut command = Command::new(program);
    command.args([&port, case.path, case.protocol, case.revision, case.plan]);
    command.args(server.iter().map(|word| word.replace("{port}", &port)));
    let folder = checkout.scratch("interop-http")?;
    process::run(command.current_dir(&folder), LIMIT, &folder.join(format!("port-{port}")))?.done()
}
