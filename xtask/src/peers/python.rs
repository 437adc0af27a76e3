//! The Python SDK, from Python's package index: each major version in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, once};
use crate::checkout::{Checkout, read};
use crate::machine::PYTHON;
use crate::process;

#[derive(Clone, Copy)]
pub enum Major {
    /// Knows the legacy era only.
    One,
    /// Serves both eras.
    Two,
}

impl Major {
    /// The name of the file with the pins.
    pub fn pins(self) -> &'static str {
        match self {
            Self::One => "1.x",
            Self::Two => "2.x",
        }
    }
}

/// An environment with one version of the SDK.
pub struct Python {
    interpreter: PathBuf,
}

impl Python {
    pub fn install(checkout: &Checkout, major: Major) -> Result<Self, String> {
        let requirements = checkout.root.join(format!("tests/interop/python/{}.txt", major.pins()));
        let folder = environment(checkout, &format!("python-{}", major.pins()), &requirements)?;
        Ok(Self { interpreter: folder.join("bin/python") })
    }

    /// The client of `fastmcp`, which stands on an SDK of a version of its own.
    pub fn fastmcp(checkout: &Checkout) -> Result<Self, String> {
        let requirements = checkout.root.join("tests/interop/python/fastmcp.txt");
        let folder = environment(checkout, "python-fastmcp", &requirements)?;
        Ok(Self { interpreter: folder.join("bin/python") })
    }

    /// The reference server *fetch*.
    pub fn fetch(checkout: &Checkout) -> Result<Self, String> {
        let requirements = checkout.root.join("tests/interop/python/fetch.txt");
        let folder = environment(checkout, "python-fetch", &requirements)?;
        Ok(Self { interpreter: folder.join("bin/python") })
    }

    /// What the tests of the Python binding need.
    pub fn for_binding(checkout: &Checkout) -> Result<Self, String> {
        let requirements = checkout.root.join("bindings/python/requirements.txt");
        let folder = environment(checkout, "python-binding", &requirements)?;
        Ok(Self { interpreter: folder.join("bin/python") })
    }

    pub fn interpreter(&self) -> &Path {
        &self.interpreter
    }
}

/// A folder with an interpreter of its own and the packages of a requirements file.
pub fn environment(checkout: &Checkout, name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let folder = folder(checkout, name);
    environment_in(checkout, &folder, requirements)?;
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
