//! The Node.js binding: its tables are the header's, it compiles without a warning, its types hold, its tests and examples
//! pass under Node.js 22, those of processes and HTTP under the machine's older one (with `--deep` all, also under Bun and
//! Deno), and what npm would publish works where nothing else is installed.

mod package;
mod tap;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Stage, counterparts};
use crate::bindings;
use crate::checkout::{Checkout, read, stem, write};
use crate::machine::{GXX, NODE, NPM, PKG_CONFIG};
use crate::peers::{Major, Npm, Python};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(300);
/// What runs under the older of two versions without `--deep`: the addon is one for all versions, and this is what they do differently.
const OF_EACH: [&str; 3] = ["http", "lifecycle", "serving"];

/// The package with the addon that this run of the tests has built.
static BUILT: OnceLock<PathBuf> = OnceLock::new();

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage
        .tally
        .check("the bindings have the numbers of include/mcp.h", bindings::is_fresh(stage.checkout, "node"));
    let mut tools = Vec::new();
    for tool in [&NODE, &NPM, &GXX, &PKG_CONFIG] {
        let Some(path) = stage.tally.need(tool, "the Node.js binding") else { return Ok(()) };
        tools.push(path);
    }
    let (node, npm) = (&tools[0], &tools[1]);
    let (checkout, built) = (stage.checkout, stage.built()?);
    let pkgconfig = bindings::stage(checkout, &built)?.pkgconfig;
    let package = package::lay_out(checkout, npm)?;

    let addon = build(checkout, node, &package, &pkgconfig, &[]);
    let is_built = addon.is_ok();
    if is_built {
        BUILT.get_or_init(|| package.clone());
    }
    stage.tally.check("the addon compiles without a warning", addon);
    if !is_built {
        return Ok(());
    }
    let refusal = other_abi_is_refused(checkout, node, &package, &pkgconfig);
    stage.tally.check("an addon built for another ABI refuses to load, and says both", refusal);
    for (what, project) in [
        ("the types are right", "."),
        (
            "the types hold for programs of CommonJS and of modules (node16)",
            "test/types/tsconfig.node16.json",
        ),
        ("the types hold for programs that are bundled", "test/types/tsconfig.bundler.json"),
    ] {
        stage.tally.check(what, types(checkout, node, &package, project));
    }

    let runtimes = if stage.options.deep { package::runtimes(checkout, npm)? } else { "[]".to_owned() };
    let peers =
        Peers { npm: Npm::install(checkout)?, python: Python::install(checkout, Major::One)?, runtimes };
    let mut versions = vec![node.clone()];
    if !version(checkout, node)?.starts_with("v22.") {
        match package::node_22(checkout, npm) {
            Ok(node) => versions.push(node),
            Err(why) => stage.tally.fail("tests under Node.js 22", &why),
        }
    }
    let result = counterparts::node(stage.checkout, node, &peers.npm);
    stage.tally.check("the same program on the official SDK works", result);
    counterparts::node_servers(stage, node, &peers.npm, &package)?;
    for (place, node) in versions.iter().enumerate() {
        let is_whole = stage.options.deep || place + 1 == versions.len();
        tests(stage, node, &package, &built, &peers, is_whole)?;
    }
    let published = as_published(checkout, node, npm, &package, &pkgconfig, &built);
    stage.tally.check("what npm would publish works where only Node.js is installed", published);
    Ok(())
}

/// The package with its addon and what it is built with, for other steps: built here unless this step has run before.
pub fn package(checkout: &Checkout, built: &Built) -> Result<PathBuf, String> {
    if let Some(package) = BUILT.get() {
        return Ok(package.clone());
    }
    let package = package::lay_out(checkout, &NPM.find()?)?;
    build(checkout, &NODE.find()?, &package, &bindings::stage(checkout, built)?.pkgconfig, &[])?;
    Ok(BUILT.get_or_init(|| package).clone())
}

/// What others have written, for the tests to talk to.
struct Peers {
    npm: Npm,
    python: Python,
    /// With `--deep`: the commands of other runtimes, as JSON.
    runtimes: String,
}

/// Compiles the addon. A warning is an error.
fn build(
    checkout: &Checkout,
    node: &Path,
    package: &Path,
    pkgconfig: &Path,
    options: &[&str],
) -> Result<(), String> {
    let mut command = Command::new(node);
    command.arg("scripts/build.js").args(options).current_dir(package);
    command.env("PKG_CONFIG_PATH", pkgconfig).env("CXXFLAGS", "-Werror");
    succeed(checkout, &mut command, "build")
}

/// Builds the addon with a header of another version, and loads it with the library as it is.
fn other_abi_is_refused(
    checkout: &Checkout,
    node: &Path,
    package: &Path,
    pkgconfig: &Path,
) -> Result<(), String> {
    let folder = checkout.scratch("node/other-abi")?;
    let header =
        read(&checkout.header())?.replace("#define MCP_ABI_VERSION 1", "#define MCP_ABI_VERSION 4711");
    write(&folder.join("mcp.h"), &header)?;
    let text = read(&pkgconfig.join("mcp.pc"))?;
    let lines = text.lines().map(|line| match line.strip_prefix("includedir=") {
        Some(_) => format!("includedir={}\n", folder.display()),
        None => format!("{line}\n"),
    });
    write(&folder.join("mcp.pc"), &lines.collect::<String>())?;
    let addon = folder.join("libmcp.node").display().to_string();
    build(checkout, node, package, &folder, &["--out", &addon])?;
    let mut command = Command::new(node);
    command.args(["-e", "require(process.argv[1])", &addon]);
    let finished = process::run(&mut command, LIMIT, &folder.join("load"))?;
    let says_both = ["has ABI ", "built for ABI 4711"].iter().all(|words| finished.stderr.contains(words));
    if !finished.succeeded() && says_both { Ok(()) } else { Err(finished.story()) }
}

fn types(checkout: &Checkout, node: &Path, package: &Path, project: &str) -> Result<(), String> {
    let mut command = Command::new(node);
    command.args(["node_modules/typescript/bin/tsc", "-p", project]).current_dir(package);
    succeed(checkout, &mut command, "types")
}

fn version(checkout: &Checkout, node: &Path) -> Result<String, String> {
    let log = checkout.scratch("node")?.join("version");
    let finished = process::run(Command::new(node).arg("--version"), LIMIT, &log)?;
    if finished.succeeded() { Ok(finished.stdout.trim().to_owned()) } else { Err(finished.story()) }
}

/// Every test file in a process of its own, whose end is looked at too: a crash must not pass for the last test.
fn tests(
    stage: &mut Stage,
    node: &Path,
    package: &Path,
    built: &Built,
    peers: &Peers,
    is_whole: bool,
) -> Result<(), String> {
    let version = version(stage.checkout, node)?;
    let files: Vec<PathBuf> = Checkout::files_in(&package.join("test"), ".test.js");
    for file in files {
        let name = stem(Path::new(&stem(&file)));
        if !is_whole && !OF_EACH.contains(&&*name) {
            continue;
        }
        let log = stage.checkout.scratch("node")?.join(format!("{}-{name}", version.replace('.', "-")));
        let mut command = Command::new(node);
        // With a small space for young objects, what stays in memory shows early.
        command.args(["--expose-gc", "--max-semi-space-size=2", "--test-reporter=tap"]).arg(&file);
        command.current_dir(package).envs(servers(built));
        command.env("MCP_EVERYTHING_SERVER", json(&peers.npm.server("everything")));
        command.env("MCP_NPM_PEERS", peers.npm.folder()).env("MCP_PYTHON", peers.python.interpreter());
        command.env("MCP_RUNTIMES", &peers.runtimes);
        let finished = process::run(&mut command, LIMIT, &log)?;
        let results = tap::results(&finished.stdout);
        for result in &results.tests {
            let test = format!("{} {name}: {}", version, result.name);
            if result.is_skipped {
                stage.tally.skip(&test, "see its output");
            } else if result.passed {
                stage.tally.pass(&test);
            } else {
                stage.tally.fail(&test, &result.story);
            }
        }
        let all_passed = results.tests.iter().all(|result| result.passed);
        if results.is_whole && (finished.succeeded() || !all_passed) {
            continue;
        }
        stage.tally.fail(&format!("{version} {name}: runs to its end"), &finished.story());
    }
    Ok(())
}

fn as_published(
    checkout: &Checkout,
    node: &Path,
    npm: &Path,
    package: &Path,
    pkgconfig: &Path,
    built: &Built,
) -> Result<(), String> {
    build(checkout, node, package, pkgconfig, &["--static"])?;
    let project = package::as_published(checkout, node, npm, package)?;
    let example = project.join("quickstart.mjs");
    let source = checkout.root.join("bindings/node/examples/quickstart.mjs");
    std::fs::copy(source, &example).map_err(|error| format!("cannot copy quickstart.mjs: {error}"))?;
    let mut command = Command::new(node);
    command.arg(&example).arg(&built.example_server).current_dir(&project);
    succeed(checkout, &mut command, "published")
}

fn servers(built: &Built) -> [(&'static str, &Path); 3] {
    [
        ("MCP_EXAMPLE_SERVER", &built.example_server),
        ("MCP_SCRIPTED_SERVER", &built.scripted_server),
        ("MCP_SCRIPTED_HTTP", &built.scripted_http),
    ]
}

/// Paths of the target folder, which have nothing that JSON would escape.
fn json(words: &[String]) -> String {
    format!("[\"{}\"]", words.join("\",\""))
}

fn succeed(checkout: &Checkout, command: &mut Command, log: &str) -> Result<(), String> {
    process::run(command, LIMIT, &checkout.scratch("node")?.join(log))?.done()
}
