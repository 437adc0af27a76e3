//! The tests in Python, by pytest: `tests/NAME/test_*.py`. They are told in a file what is built and installed for them (`tests/support.py`),
//! and each of them is counted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::ctest::{attribute, unescaped};
use super::options::Options;
use super::{Stage, Step, find, node, python, swift};
use crate::bindings::stage as lay_out;
use crate::checkout::{Checkout, read, write};
use crate::jar;
use crate::jdk::Jdk;
use crate::machine::{CC, NODE, NPM, PYTHON};
use crate::peers;
use crate::process;
use crate::release::Release;
use crate::tally::Tally;

const LIMIT: Duration = Duration::from_secs(40 * 60);
const DEEP_LIMIT: Duration = Duration::from_secs(24 * 3600);

fn needs(others: &str) -> Vec<&str> {
    others.split_whitespace().collect()
}

/// A step that has nothing else.
pub fn step(stage: &mut Stage) -> Result<(), String> {
    with(stage, &[])
}

/// The same with what the step has built by itself.
pub fn with(stage: &mut Stage, more: &[(&str, Value)]) -> Result<(), String> {
    let step = find(stage.step)?;
    let mut words: Vec<&str> = step.tests.split(' ').collect();
    if let Some(program) = &stage.options.program {
        words.extend(["-k", program]);
    }
    run(stage, step.name, &words, step.needs, &[], more)
}

/// What a step needs of others, before it. What fails here fails again in the step, which tells it.
pub fn install(checkout: &Checkout, step: &str) -> Result<(), String> {
    peers::places(checkout, &needs(find(step)?.needs));
    Ok(())
}

/// Has a step compile, before it, what its tests marked `ahead` compile without `--deep`, where it is not built for this machine.
pub fn build_ahead(checkout: &Checkout, step: &str) -> Result<(), String> {
    let &Step { name, tests, needs: others, .. } = find(step)?;
    let python = peers::environment(checkout, "pytest")?;
    let folder = checkout.scratch("ahead")?;
    let places = folder.join(name).with_extension("json");
    let known = json!({
        "scratch": folder, "target": checkout.target, "deep": false, "quick": false, "ahead": true, "peers": peers::places(checkout, &needs(others)),
    });
    write(&places, &known.to_string())?;
    let mut command = std::process::Command::new(python.join("bin/python"));
    command.args(["-B", "-m", "pytest", "-q", "-m", "ahead"]).args(tests.split(' '));
    command.current_dir(&checkout.root).env("MCP_TEST_PLACES", &places);
    process::run(&mut command, LIMIT, &folder.join(name))?.done()
}

/// `cargo xtask compatibility [--check]`: writes docs/reference/compatibility.md from a run, or compares.
pub fn compatibility_command(checkout: &Checkout, checks: bool) -> Result<(), String> {
    let (release, options) = (Release::new(false), Options::default());
    let &Step { name, tests, needs: others, .. } = find("compatibility")?;
    let mut stage =
        Stage { checkout, release: &release, options: &options, tally: Tally::default(), step: name };
    let writes = [("MCP_PAGE_WRITE", "1".to_owned())];
    let variables = if checks { &[][..] } else { &writes };
    run(&mut stage, name, &[tests], others, variables, &[])?;
    println!("\n{}", stage.tally.closing_line());
    if stage.tally.failed == 0 { Ok(()) } else { Err(String::new()) }
}

/// `cargo xtask soak`: the script of the step, on the library as packages have it.
pub fn soak(checkout: &Checkout, words: &[&str]) -> Result<(), String> {
    script(checkout, "soak", "tests/soak/soak.py", "", &[], words)
}

/// `cargo xtask bench --bindings` and `--public`: the bindings beside the official SDKs.
pub fn languages(checkout: &Checkout, server: &Path, words: &[&str]) -> Result<(), String> {
    const OTHERS: &str = "go node npm python-2 python-binding node-package java-binding swift";
    script(checkout, "languages", "benches/languages.py", OTHERS, &[("bench_server", json!(server))], words)
}

/// A script that needs what the tests need, on the library as packages have it.
fn script(
    checkout: &Checkout,
    step: &'static str,
    path: &str,
    others: &str,
    more: &[(&str, Value)],
    words: &[&str],
) -> Result<(), String> {
    let (release, options) = (Release::new(false), Options::default());
    let stage = &mut Stage { checkout, release: &release, options: &options, tally: Tally::default(), step };
    let python = ready(stage, step, others, more)?;
    let mut script = std::process::Command::new(python);
    script.arg("-B").arg(checkout.root.join(path)).args(words);
    script.env("PYTHONPATH", checkout.root.join("tests"));
    let status = script.status().map_err(|error| format!("cannot start Python: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{path} failed: {status}")) }
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
        "java-binding" => match Jdk::find() {
            Ok(jdk) => {
                let classes = jar::compile(checkout, &jdk, &checkout.scratch("java-binding")?)?;
                json!({ "home": jdk.home(), "classes": classes, "library": built.library })
            }
            Err(why) => lacks(&why),
        },
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
    others: &str,
    variables: &[(&str, String)],
    more: &[(&str, Value)],
) -> Result<(), String> {
    let what = "tests in Python";
    if stage.tally.need(&PYTHON, what).is_none() || stage.tally.need(&CC, what).is_none() {
        return Ok(());
    }
    let python = ready(stage, name, others, more)?;
    let checkout = stage.checkout;
    let file = |extension: &str| checkout.target.join("xtask/pytest").join(name).with_extension(extension);
    // Results of an earlier run are not those of this one.
    let _ = std::fs::remove_file(file("xml"));
    let mut command = std::process::Command::new(python);
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

/// Builds and installs what tests need, and writes where it is into a file of this name; gives the interpreter that has pytest.
fn ready(stage: &mut Stage, name: &str, others: &str, more: &[(&str, Value)]) -> Result<PathBuf, String> {
    let checkout = stage.checkout;
    let built = stage.built()?;
    println!("  installing what these tests need of others, unless it is there");
    let python = peers::environment(checkout, "pytest")?;
    let staged = lay_out(checkout, &built)?;
    let deep = find(name).map_or("", |step| if stage.options.deep { step.deep } else { "" });
    let others = [needs(others), needs(deep)].concat();
    let mut known = peers::places(checkout, &others);
    for name in others {
        if let Some(place) = binding(stage, name)? {
            known[name] = place;
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
        "target": checkout.target,
        "deep": stage.options.deep,
        "program_named": stage.options.program.is_some(),
        "quick": stage.release.is_quick(),
        "peers": known,
    });
    // Steps may run beside each other. For runs by hand there is one without the name of a step.
    let folder = checkout.scratch("pytest")?;
    write(&folder.join(name).with_extension("json"), &places.to_string())?;
    write(&folder.join("places.json"), &places.to_string())?;
    Ok(python.join("bin/python"))
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
