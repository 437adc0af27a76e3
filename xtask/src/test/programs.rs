//! The C and C++ programs: examples, and tests that steps other than those by `CTest` run. `--program NAME` leaves only those with NAME in
//! their names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{Checkout, read, stem};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);

/// A folder of programs, and how their names end.
type Folder = (&'static str, &'static str);

const C: Folder = ("tests/c", "c");
const CPP: Folder = ("tests/cpp", "cpp");

pub fn c(stage: &Stage) -> Result<Vec<PathBuf>, String> {
    found(stage, &[C])
}

pub fn cpp(stage: &Stage) -> Result<Vec<PathBuf>, String> {
    found(stage, &[CPP])
}

/// The examples in a folder; none if only some test programs are wanted.
pub fn examples(stage: &Stage, folder: &str, extension: &str) -> Vec<PathBuf> {
    if stage.options.program.is_some() { Vec::new() } else { stage.checkout.files(folder, extension) }
}

/// What a program is run with: the servers it may start.
pub fn arguments(built: &Built, source: &Path) -> Result<Vec<PathBuf>, String> {
    let mut servers = vec![built.example_server.clone(), built.scripted_server.clone()];
    if calls_over_http(source)? {
        servers.push(built.scripted_http.clone());
    }
    Ok(servers)
}

/// Whether a program gets the HTTP server, too: it includes `http.h` or `http.hpp`.
pub fn calls_over_http(source: &Path) -> Result<bool, String> {
    let text = read(source)?;
    Ok(text.contains("#include \"http.h\"") || text.contains("#include \"http.hpp\""))
}

/// Runs an example on the example server. It works when it exits with 0 and has printed something.
pub fn example_works(checkout: &Checkout, built: &Built, program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    // inspect takes a whole command line.
    if stem(program) == "inspect" {
        command.args(["--call", "add", r#"{"a": 2, "b": 3}"#, "--"]);
    }
    command.arg(&built.example_server).current_dir(checkout.scratch("examples")?);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    match (finished.succeeded(), finished.stdout.trim().is_empty()) {
        (true, false) => Ok(()),
        (true, true) => Err("it printed nothing".to_owned()),
        (false, _) => Err(finished.story()),
    }
}

fn found(stage: &Stage, folders: &[Folder]) -> Result<Vec<PathBuf>, String> {
    let mut sources = Vec::new();
    for (folder, extension) in folders {
        let files = stage.checkout.files(folder, extension);
        if files.is_empty() {
            return Err(format!("there are no programs in {folder}"));
        }
        sources.extend(files);
    }
    let Some(name) = &stage.options.program else { return Ok(sources) };
    sources.retain(|source| stem(source).contains(name));
    if sources.is_empty() {
        let folders: Vec<&str> = folders.iter().map(|(folder, _)| *folder).collect();
        return Err(format!("no program in {} has {name} in its name", folders.join(" and ")));
    }
    Ok(sources)
}
