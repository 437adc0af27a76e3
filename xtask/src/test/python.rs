//! The Python binding: a wheel that has the library in it, and the tests with what was installed from that wheel.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::{Stage, bindings, pytest};
use crate::bindings::{Staged, stage as lay_out};
use crate::checkout::{Checkout, cleared};
use crate::machine::{CC, NODE, NPM, PYTHON};
use crate::peers;
use crate::process;
use crate::release::Built;
use crate::wheels::{self, must, name_of, pip};

/// The folder with what the wheel of this run of the tests installs.
static INSTALLED: OnceLock<PathBuf> = OnceLock::new();

/// What of the binding's folder goes into the one where the tests run.
const TESTS: [(&str, &str); 4] = [
    ("bindings/python", ""),
    ("bindings/python/examples", "examples"),
    ("bindings/python/tests", "tests"),
    ("bindings/python/tests/typing", "tests/typing"),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if stage.tally.need(&PYTHON, "the Python binding").is_none() {
        return Ok(());
    }
    if stage.tally.need(&CC, "the extension module of the Python binding").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let staged = lay_out(stage.checkout, &built)?;
    let python = peers::interpreter(stage.checkout, "python-pip")?;
    let wheel = wheel(stage.checkout, &python, &staged)?;
    stage.tally.pass("a wheel of the stable ABI, which auditwheel finds fit for manylinux");
    let result = clean(stage.checkout, &built, &wheel);
    stage.tally.check("the wheel works in a new environment where no compiler is", result);
    tests(stage, &built, &python, &wheel)
}

/// An interpreter, and the folder with the binding for it, for other steps: built here unless this step has run before.
pub fn installed(checkout: &Checkout, built: &Built) -> Result<(PathBuf, PathBuf), String> {
    let python = peers::interpreter(checkout, "python-pip")?;
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

/// Builds the wheel for this machine.
fn wheel(checkout: &Checkout, python: &Path, staged: &Staged) -> Result<PathBuf, String> {
    let folder = checkout.scratch("python")?;
    for old in ["installed", "run", "clean"] {
        cleared(&folder.join(old))?;
    }
    let work = folder.join("wheel");
    wheels::lay_source(checkout, &work)?;
    let variables = [
        ("LIBMCP_LIBDIR", staged.library_folder.clone().into()),
        ("LIBMCP_INCLUDE", include(checkout).into()),
    ];
    let repaired = wheels::build(python, &work, &variables)?;
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
    process::download(make, process::LIMIT, &folder.join("install"))?;
    let mut command = Command::new(&python);
    command.arg("-B").arg(checkout.root.join("bindings/python/examples/quickstart.py"));
    command.arg(&built.example_server).current_dir(&folder).env("PATH", &alone).env_remove("PYTHONPATH");
    process::run(&mut command, process::LIMIT, &folder.join("quickstart"))?.says(&["Hello from Python"])
}

/// The tests, with what the wheel installs.
fn tests(stage: &mut Stage, built: &Built, python: &Path, wheel: &Path) -> Result<(), String> {
    let folder = stage.checkout.scratch("python")?;
    let installed = install(stage.checkout, python, wheel)?;
    let place = folder.join("run");
    wheels::lay(stage.checkout, &TESTS, &place)?;
    let mut command = Command::new(python);
    command.args(["-B", "-W", "error", "-m", "tests"]).current_dir(place).env("PYTHONPATH", &installed);
    command.env("MCP_MYPY_CACHE", folder.join("mypy")).envs(bindings::servers(stage, built));
    command.env("MCP_PYTHON_SDK_SERVER", stage.checkout.root.join("tests/servers/python/server.py"));
    command.env("MCP_STORES", stage.checkout.root.join("stores"));
    for (variable, name) in [("MCP_PYTHON_SDK_1", "python-1"), ("MCP_PYTHON_SDK_2", "python-2")] {
        command.env(variable, peers::interpreter(stage.checkout, name)?);
    }
    let what = "types of Python, by pyright";
    if stage.tally.need(&NODE, what).is_some() && stage.tally.need(&NPM, what).is_some() {
        command.env(
            "MCP_PYRIGHT",
            bindings::array(&peers::command(stage.checkout, "pyright", "pyright/index.js")?),
        );
    }
    let tests = process::run(&mut command, process::LIMIT, &folder.join("tests"))?;
    bindings::count(stage, &tests);
    pytest::step(stage)
}

fn include(checkout: &Checkout) -> PathBuf {
    checkout.root.join("include")
}
