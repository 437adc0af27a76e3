//! What comes from Python's package index, each in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, once};
use crate::checkout::{Checkout, read};
use crate::machine::PYTHON;
use crate::process;

/// The environments: the names of their folders, and the files of the checkout that pin what is in them.
const ENVIRONMENTS: [(&str, &str); 11] = [
    // The SDK: version 1 knows the legacy era only, version 2 serves both. The client of FastMCP stands on one of its own.
    ("python-1", "tests/interop/python/1.x.txt"),
    ("python-2", "tests/interop/python/2.x.txt"),
    ("fastmcp", "tests/interop/python/fastmcp.txt"),
    // A reference server.
    ("fetch", "tests/interop/python/fetch.txt"),
    // What the tests of the Python binding need.
    ("python-pip", "bindings/python/requirements.txt"),
    ("pytest", "tests/requirements.txt"),
    // Envoy, and what checks files for Kubernetes.
    ("python-balancer", "tests/balancer/requirements.txt"),
    // Meson, and what else packages are tested with.
    ("packaging", "tests/packaging/requirements.txt"),
    // The linter that checks links of pages; the program that makes the book.
    ("rumdl", "tests/pages/requirements.txt"),
    ("mdbook", "docs/book/requirements.txt"),
    // What writes the generated files of the bindings.
    ("bindings", "bindings/generate/requirements.txt"),
];

/// The interpreter of an environment.
pub fn interpreter(checkout: &Checkout, name: &str) -> Result<PathBuf, String> {
    Ok(environment(checkout, name)?.join("bin/python"))
}

/// A folder with an interpreter of its own and the packages that are pinned for it.
pub fn environment(checkout: &Checkout, name: &str) -> Result<PathBuf, String> {
    let row = ENVIRONMENTS.iter().find(|(its, _)| *its == name);
    let (_, pins) = row.ok_or_else(|| format!("no environment of Python is known as {name}"))?;
    let folder = folder(checkout, name);
    environment_in(checkout, &folder, &checkout.root.join(pins))?;
    Ok(folder)
}

/// The same in a folder of the caller's choice.
pub fn environment_in(checkout: &Checkout, folder: &Path, requirements: &Path) -> Result<(), String> {
    let python = PYTHON.find()?;
    let name = folder.file_name().unwrap_or_default().display();
    let log = checkout.scratch("peers")?.join(format!("{name}-log"));
    once(folder, &read(requirements)?, || {
        let made =
            process::run(Command::new(&python).args(["-m", "venv"]).arg(folder), process::LIMIT, &log)?;
        if !made.succeeded() {
            return Err(format!("python3 -m venv failed ({}): {}", PYTHON.get, made.story()));
        }
        let make = || {
            let mut command = Command::new(folder.join("bin/python"));
            command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
            command.arg(requirements);
            command
        };
        process::download(make, process::LIMIT, &log)
    })
}
