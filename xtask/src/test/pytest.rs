//! The tests in Python, by pytest: `tests/NAME/test_*.py`. They are told in a file what is built and installed for them (`tests/support.py`),
//! and each of them is counted.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::ctest::{attribute, unescaped};
use super::options::Options;
use super::{Stage, node, python, swift};
use crate::bindings::stage as lay_out;
use crate::checkout::{Checkout, read, write};
use crate::machine::{CC, NODE, NPM, PYTHON};
use crate::peers;
use crate::process;
use crate::release::Release;
use crate::tally::Tally;

const LIMIT: Duration = Duration::from_secs(40 * 60);
const DEEP_LIMIT: Duration = Duration::from_secs(24 * 3600);

/// What the tests of a step need of others.
const INTEROP: [&str; 5] = ["node", "npm", "npx", "python-1", "python-2"];
const CLIENTS: [&str; 8] =
    ["node", "npm", "inspector", "python-1", "python-2", "fastmcp", "interop-go", "interop-rmcp"];

pub fn bridge(stage: &mut Stage) -> Result<(), String> {
    run(stage, "bridge", &["tests/bridge"], &["node", "npm", "python-2", "login", "conformance"], &[])
}

pub fn interop(stage: &mut Stage) -> Result<(), String> {
    run(stage, "interop", &["tests/interop/test_interop.py"], &INTEROP, &[])
}

pub fn interop_http(stage: &mut Stage) -> Result<(), String> {
    run(stage, "interop-http", &["tests/interop/test_http.py"], &INTEROP, &[])
}

pub fn interop_server(stage: &mut Stage) -> Result<(), String> {
    run(stage, "interop-server", &["tests/interop-server"], &CLIENTS, &[])
}

/// The clients of [`interop_server`], before the step.
pub fn install_clients(checkout: &Checkout) {
    // What fails here fails again in the step, which tells it.
    peers::places(checkout, &CLIENTS);
}

pub fn compatibility(stage: &mut Stage) -> Result<(), String> {
    run(stage, "compatibility", &["tests/interop/test_compatibility.py"], &INTEROP, &[])
}

/// `cargo xtask compatibility [--check]`: writes docs/reference/compatibility.md from a run, or compares.
pub fn compatibility_command(checkout: &Checkout, checks: bool) -> Result<(), String> {
    let (release, options) = (Release::new(false), Options::default());
    let mut stage = Stage { checkout, release: &release, options: &options, tally: Tally::default() };
    let writes = [("MCP_PAGE_WRITE", "1".to_owned())];
    let variables = if checks { &[][..] } else { &writes };
    run(&mut stage, "compatibility", &["tests/interop/test_compatibility.py"], &INTEROP, variables)?;
    println!("\n{}", stage.tally.closing_line());
    if stage.tally.failed == 0 { Ok(()) } else { Err(String::new()) }
}

pub fn conformance(stage: &mut Stage) -> Result<(), String> {
    run(stage, "conformance", &["tests/conformance"], &["conformance"], &[])
}

/// The suite against a client and a server that another system has, so many scenarios of the client at once.
pub fn conformance_of(
    stage: &mut Stage,
    name: &str,
    client: &Path,
    server: &[String],
    at_once: usize,
) -> Result<(), String> {
    let variables = [
        ("MCP_CONFORMANCE_CLIENT", client.display().to_string()),
        ("MCP_CONFORMANCE_SERVER", json!(server).to_string()),
        ("MCP_CONFORMANCE_AT_ONCE", at_once.to_string()),
    ];
    let chosen = "client_scenario or server_scenario or ends_with_its_input";
    run(stage, name, &["tests/conformance", "-k", chosen], &["conformance"], &variables)
}

pub fn generate(stage: &mut Stage) -> Result<(), String> {
    run(
        stage,
        "generate",
        &["tests/generate"],
        &["node", "npm", "python-binding", "node-package", "swift"],
        &[],
    )
}

pub fn terminal(stage: &mut Stage) -> Result<(), String> {
    run(stage, "terminal", &["tests/cli"], &["node", "npm", "fetch"], &[])
}

/// What the step `java` has built.
pub fn java(stage: &mut Stage, place: Value) -> Result<(), String> {
    let others = ["node", "npm", "python-1"];
    run_with(stage, "java", &["tests/java"], &others, &[], &[("java", place)])
}

pub fn go(stage: &mut Stage) -> Result<(), String> {
    run(stage, "go", &["tests/go"], &["node", "npm", "python-1"], &[])
}

pub fn node(stage: &mut Stage) -> Result<(), String> {
    let others = ["node", "npm", "node-22", "python-1", "node-package", "runtimes"];
    let needed = if stage.options.deep { &others[..] } else { &others[..5] };
    run(stage, "node", &["tests/node"], needed, &[])
}

/// The same programs on the official SDK for Python.
pub fn python(stage: &mut Stage) -> Result<(), String> {
    let others = ["node", "npm", "python-2", "python-binding"];
    run(stage, "python", &["tests/counterparts/test_python.py"], &others, &[])
}

/// What the step `swift` has built.
pub fn swift(stage: &mut Stage) -> Result<(), String> {
    run(stage, "swift", &["tests/swift"], &["swift", "node", "npm", "python-1", "login"], &[])
}

/// Where a binding is that a test needs, built by the step of its language.
fn binding(stage: &mut Stage, name: &str) -> Result<Option<Value>, String> {
    let (checkout, built) = (stage.checkout, stage.built()?);
    let lacks = |why: &str| json!({ "missing": why, "is_tool": true });
    Ok(Some(match name {
        "python-binding" => {
            let (interpreter, folder) = python::installed(checkout, &built)?;
            json!({ "interpreter": interpreter, "folder": folder })
        }
        "node-package" => match NODE.find().and(NPM.find()) {
            Ok(_) => json!(node::package(checkout, &built)?),
            Err(why) => lacks(&why),
        },
        "swift" => match swift::package(stage, "code in Swift")? {
            Some(work) => work.places()?,
            None => lacks("there is no Swift, as said above"),
        },
        _ => return Ok(None),
    }))
}

/// Runs the tests that the words for pytest choose. `name` is that of the files with what they need and what they found.
fn run(
    stage: &mut Stage,
    name: &str,
    words: &[&str],
    others: &[&str],
    variables: &[(&str, String)],
) -> Result<(), String> {
    run_with(stage, name, words, others, variables, &[])
}

/// The same with what a step has built by itself.
fn run_with(
    stage: &mut Stage,
    name: &str,
    words: &[&str],
    others: &[&str],
    variables: &[(&str, String)],
    more: &[(&str, Value)],
) -> Result<(), String> {
    let what = "tests in Python";
    if stage.tally.need(&PYTHON, what).is_none() || stage.tally.need(&CC, what).is_none() {
        return Ok(());
    }
    let checkout = stage.checkout;
    let built = stage.built()?;
    println!("  installing what these tests need of others, unless it is there");
    let python = peers::environment(checkout, "pytest", &checkout.root.join("tests/requirements.txt"))?;
    let staged = lay_out(checkout, &built)?;
    let mut known = peers::places(checkout, others);
    for name in others {
        if let Some(place) = binding(stage, name)? {
            known[*name] = place;
        }
    }
    for (name, place) in more {
        known[*name] = place.clone();
    }
    let places = json!({
        "stage": { "library": staged.library_folder, "pkgconfig": staged.pkgconfig },
        "program": stage.program()?,
        "xtask": std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?,
        "library_folder": built.folder,
        "example_server": built.example_server,
        "scripted_server": built.scripted_server,
        "scripted_http": built.scripted_http,
        "scratch": checkout.target.join("xtask"),
        "deep": stage.options.deep,
        "quick": stage.release.is_quick(),
        "peers": known,
    });
    // Steps may run beside each other. For runs by hand there is one without the name of a step.
    let folder = checkout.scratch("pytest")?;
    let file = |extension: &str| folder.join(name).with_extension(extension);
    write(&file("json"), &places.to_string())?;
    write(&folder.join("places.json"), &places.to_string())?;
    // Results of an earlier run are not those of this one.
    let _ = std::fs::remove_file(file("xml"));
    let mut command = std::process::Command::new(python.join("bin/python"));
    command.args(["-B", "-m", "pytest", "-q"]).args(words).arg("--junitxml").arg(file("xml"));
    command.current_dir(&checkout.root).env("MCP_TEST_PLACES", file("json"));
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let limit = if stage.options.deep { DEEP_LIMIT } else { LIMIT };
    let finished = process::run(&mut command, limit, &file("log"))?;
    let results = read(&file("xml")).map_err(|_| finished.story())?;
    let before = stage.tally.failed;
    count(&mut stage.tally, &results);
    if finished.succeeded() || stage.tally.failed > before { Ok(()) } else { Err(finished.story()) }
}

/// Counts the results in a file in the form of `JUnit`, as pytest writes it.
fn count(tally: &mut Tally, text: &str) {
    for case in text.split("<testcase ").skip(1) {
        let case = case.split("</testcase>").next().unwrap_or(case);
        let name = attribute(case, " name");
        let part = |tag: &str| case.split_once(&format!("<{tag} ")).map(|(_, rest)| rest);
        if let Some(failed) = part("failure").or_else(|| part("error")) {
            let story = failed.split_once('>').map_or("", |(_, rest)| rest);
            tally.fail(&name, &unescaped(story.split("</").next().unwrap_or(story)));
        } else if let Some(skipped) = part("skipped") {
            tally.skip(&name, &attribute(skipped, "message"));
        } else {
            tally.pass(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tally, count};

    #[test]
    fn passed_failed_and_skipped_tests_are_told_apart() {
        let mut tally = Tally::default();
        count(
            &mut tally,
            "<testsuite><testcase classname=\"a\" name=\"one\" time=\"0.1\" />\
             <testcase name=\"two\"><failure message=\"m\">a &lt; b</failure></testcase>\
             <testcase name=\"three\"><skipped type=\"pytest.skip\" message=\"no tool\">x</skipped></testcase>\
             <testcase name=\"four\"><system-out>failure </system-out></testcase>\
             <testcase name=\"five\"><error message=\"m\">the fixture</error></testcase></testsuite>",
        );
        assert_eq!((tally.passed, tally.failed, tally.skipped), (2, 2, 1));
    }
}
