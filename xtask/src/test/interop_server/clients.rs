//! How each client is installed or compiled, and started.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::cases::Client;
use crate::checkout::{Checkout, read, write};
use crate::machine::{GO, NODE, NPM, PYTHON, Tool};
use crate::peers::{Inspector, Major, Npm, Python};
use crate::process;

/// The first time, Go compiles its own library too, and cargo tokio.
const LIMIT: Duration = Duration::from_secs(400);

/// The clients that could be installed, and why the others could not.
pub struct Clients {
    folder: PathBuf,
    npm: Result<Npm, String>,
    inspector: Result<Inspector, String>,
    python1: Result<Python, String>,
    python2: Result<Python, String>,
    fastmcp: Result<Python, String>,
    go: Result<PathBuf, String>,
    rmcp: Result<PathBuf, String>,
}

impl Clients {
    pub fn install(checkout: &Checkout) -> Self {
        let folder = checkout.root.join("tests/interop-server");
        Self {
            npm: Npm::install(checkout),
            inspector: Inspector::install(checkout),
            python1: Python::install(checkout, Major::One),
            python2: Python::install(checkout, Major::Two),
            fastmcp: Python::fastmcp(checkout),
            go: go(checkout, &folder),
            rmcp: rmcp(checkout, &folder),
            folder,
        }
    }

    /// The words before the era.
    pub fn command(&self, client: Client) -> Result<Vec<String>, String> {
        match client {
            Client::TypeScript1 => self.typescript("1"),
            Client::TypeScript2 => self.typescript("2"),
            Client::Python1 => self.python(&self.python1, "1"),
            Client::Python2 => self.python(&self.python2, "2"),
            Client::FastMcp => self.python(&self.fastmcp, "fastmcp"),
            Client::Go => self.go.clone().map(|program| vec![words(&program)]),
            Client::Rmcp => self.rmcp.clone().map(|program| vec![words(&program)]),
            Client::Inspector => {
                let inspector = self.inspector.as_ref().map_err(Clone::clone)?;
                let script = self.folder.join("inspector.mjs");
                Ok([inspector.node(), &script, &inspector.program()].map(words).to_vec())
            }
        }
    }

    fn typescript(&self, major: &str) -> Result<Vec<String>, String> {
        let npm = self.npm.as_ref().map_err(Clone::clone)?;
        // Node looks for packages from where a module is.
        let copy = npm.folder().join("client.mjs");
        write(&copy, &read(&self.folder.join("typescript.mjs"))?)?;
        Ok(vec![words(&NODE.find()?), words(&copy), major.to_owned()])
    }

    fn python(&self, python: &Result<Python, String>, sdk: &str) -> Result<Vec<String>, String> {
        let python = python.as_ref().map_err(Clone::clone)?;
        Ok(vec![words(python.interpreter()), words(&self.folder.join("python.py")), sdk.to_owned()])
    }
}

fn words(path: &Path) -> String {
    path.display().to_string()
}

fn go(checkout: &Checkout, folder: &Path) -> Result<PathBuf, String> {
    let tool = GO.find()?;
    let program = checkout.scratch("interop-server")?.join("mcp-interop-go");
    let make = || {
        let mut build = Command::new(&tool);
        build.args(["build", "-o"]).arg(&program).arg(".").current_dir(folder.join("go"));
        build.env("CGO_ENABLED", "0");
        build
    };
    process::download(make, LIMIT, &checkout.scratch("peers")?.join("interop-go"))?;
    Ok(program)
}

fn rmcp(checkout: &Checkout, folder: &Path) -> Result<PathBuf, String> {
    let target = checkout.target.join("peers/rmcp");
    let make = || {
        let mut build = checkout.cargo();
        build.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(folder.join("rmcp/Cargo.toml"));
        build.arg("--target-dir").arg(&target);
        build
    };
    process::download(make, LIMIT, &checkout.scratch("peers")?.join("interop-rmcp"))?;
    Ok(target.join("debug/mcp-interop-rmcp"))
}

pub fn needs(client: Client) -> &'static [&'static Tool] {
    match client {
        Client::TypeScript1 | Client::TypeScript2 | Client::Inspector => &[&NODE, &NPM],
        Client::Python1 | Client::Python2 | Client::FastMcp => &[&PYTHON],
        Client::Go => &[&GO],
        Client::Rmcp => &[],
    }
}
