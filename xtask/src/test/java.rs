//! The Java binding, as its users have it: a jar with the library in it, compiled without a warning, documented, and its tests by Maven. What
//! the jar does is in `tests/java`: the examples, the same programs on the official SDK, a project that has it as a dependency.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{Stage, bindings, pytest};
use crate::checkout::{Checkout, cleared, entries};
use crate::jar::{self, Publication};
use crate::jdk::Jdk;
use crate::machine::MVN;
use crate::natives::Native;
use crate::process;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let jdk = match Jdk::find() {
        Ok(jdk) => jdk,
        Err(why) => {
            stage.tally.lack("the Java binding", &why);
            return Ok(());
        }
    };
    println!("  Java {}", jdk.version);
    let Some(mvn) = stage.tally.need(&MVN, "the Java binding") else { return Ok(()) };
    let (checkout, built) = (stage.checkout, stage.built()?);
    let log = checkout.scratch("java")?;
    let classes = jar::compile(checkout, &jdk, &log)?;
    stage.tally.pass("it compiles without a warning");
    let reference = jar::document(checkout, &jdk, &log)?;
    stage.tally.pass("the reference is made without a warning");
    let libraries = [jar::host(built.library.clone())];
    let repository = cleared(&log.join("repository"))?;
    let publication = jar::publish(checkout, &jdk, &classes, &reference, &libraries, &repository)?;
    if stage.options.deep {
        let result = is_reproducible(checkout, &jdk, &log, &libraries, &publication);
        stage.tally.check("a second build gives the same bytes", result);
    }
    let local = checkout.target.join("peers/maven");
    let temporary = cleared(&log.join("tmp"))?;
    let maven = || {
        let mut command = Command::new(&mvn);
        command.args(["-B", "-q", "--strict-checksums", "test"]);
        command.arg(format!("-Dmaven.repo.local={}", local.display()));
        command.arg(format!("-Dtemporary={}", temporary.display()));
        command.arg(format!("-Dbuilt={}", log.join("maven").display()));
        command.current_dir(checkout.root.join("bindings/java")).env("JAVA_HOME", jdk.home());
        command
    };
    // All but the tests, so that a network that fails for a moment does not fail them.
    let fetch = || {
        let mut command = maven();
        command.arg("-Dexec.skip=true");
        command
    };
    process::download(fetch, process::LIMIT, &log.join("fetch"))?;
    let mut tests = maven();
    tests.env("MCP_LIBRARY", &built.library).envs(bindings::servers(stage, &built));
    let tests = process::run(&mut tests, process::LIMIT, &log.join("test"))?;
    bindings::count(stage, &tests);
    for line in tests.stdout.lines().filter(|line| line.starts_with("    ") && line.contains(" after")) {
        println!("  {}", line.trim());
    }
    let left = entries(&temporary)?;
    let result = if left.is_empty() { Ok(()) } else { Err(format!("there is {left:?}")) };
    stage.tally.check("the tests leave no file", result);
    let place = json!({
        "home": jdk.home(), "repository": repository, "local": local, "classes": log.join("maven/test-classes"),
        "jar": publication.jar(), "sources": publication.sources(), "reference": publication.reference(),
        "pom": publication.pom(), "library": built.library,
    });
    pytest::with(stage, &[("java", place)])
}

/// All of it made again, in other folders.
fn is_reproducible(
    checkout: &Checkout,
    jdk: &Jdk,
    log: &Path,
    libraries: &[Native],
    first: &Publication,
) -> Result<(), String> {
    let again = cleared(&log.join("again"))?;
    let classes = jar::compile(checkout, jdk, &again)?;
    let reference = jar::document(checkout, jdk, &again)?;
    let second = jar::publish(checkout, jdk, &classes, &reference, libraries, &again.join("repository"))?;
    let bytes =
        |file: &Path| std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()));
    for (one, other) in first.files().iter().zip(second.files()) {
        if bytes(one)? != bytes(&other)? {
            return Err(format!("{} and {} differ", one.display(), other.display()));
        }
    }
    Ok(())
}
