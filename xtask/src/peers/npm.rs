//! What comes from npm: the reference servers, and the conformance suite.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, once};
use crate::checkout::{Checkout, read, update, write};
use crate::machine::{NODE, NPM};
use crate::process;

const SERVERS: &str = "servers.mjs";
const BROWSER: &str = "browser.mjs";

/// The installed npm servers.
pub struct Npm {
    folder: PathBuf,
    node: PathBuf,
}

impl Npm {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        let node = NODE.find()?;
        Ok(Self { folder: packages(checkout, "tests/interop/npm", "npm")?, node })
    }

    /// Where `npx` finds the servers without a download.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The command that starts one of the reference servers.
    pub fn server(&self, name: &str) -> Vec<String> {
        let script =
            self.folder.join(format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js"));
        vec![self.node.display().to_string(), script.display().to_string()]
    }
}

/// The conformance suite, with the Node.js that it needs: Debian's may be older.
pub struct Conformance {
    folder: PathBuf,
}

impl Conformance {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        Ok(Self { folder: packages(checkout, "tests/conformance/npm", "conformance")? })
    }

    pub fn program(&self) -> PathBuf {
        self.folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js")
    }

    /// The Node.js that came with it, or else the machine's own.
    pub fn node(&self) -> Result<PathBuf, String> {
        let came_with_it = ["linux-x64", "linux-arm64", "darwin-x64"]
            .map(|machine| self.folder.join(format!("node_modules/node-{machine}/bin/node")));
        match came_with_it.into_iter().find(|node| node.is_file()) {
            Some(node) => Ok(node),
            None => NODE.find(),
        }
    }
}

/// The servers of the login tests, with the Node.js that they need.
#[derive(Clone)]
pub struct Login {
    folder: PathBuf,
    node: PathBuf,
}

impl Login {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        let folder = packages(checkout, "tests/login/npm", "login")?;
        let node = node_22(checkout)?;
        // Node looks for packages from where a module is.
        for script in [SERVERS, BROWSER, "signer.mjs"] {
            update(&folder.join(script), &read(&checkout.root.join("tests/login").join(script))?)?;
        }
        Ok(Self { folder, node })
    }

    pub fn node(&self) -> &Path {
        &self.node
    }

    /// What starts both servers.
    pub fn servers(&self) -> PathBuf {
        self.folder.join(SERVERS)
    }

    /// What plays the person.
    pub fn browser(&self) -> PathBuf {
        self.folder.join(BROWSER)
    }
}

/// The inspector, whose command line is a client, with the Node.js that it needs.
pub struct Inspector {
    folder: PathBuf,
    node: PathBuf,
}

impl Inspector {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        // Its script for after the installation fetches what its windows need, and the command line does not.
        let folder = packages_with(checkout, "tests/interop/inspector", "inspector", &["--ignore-scripts"])?;
        Ok(Self { folder, node: node_22(checkout)? })
    }

    pub fn node(&self) -> &Path {
        &self.node
    }

    pub fn program(&self) -> PathBuf {
        self.folder.join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
    }
}

/// pyright, which checks types of Python: the command that starts it.
pub fn pyright(checkout: &Checkout) -> Result<Vec<String>, String> {
    let node = NODE.find()?;
    let folder = packages(checkout, "bindings/python/tests/typing/pyright", "pyright")?;
    let program = folder.join("node_modules/pyright/index.js");
    Ok(vec![node.display().to_string(), program.display().to_string()])
}

/// Node.js 22, or where that is not to be had for this machine its own.
pub fn node_22(checkout: &Checkout) -> Result<PathBuf, String> {
    let newer = packages(checkout, "tests/interop/node-22", "node-22")?;
    let came = ["linux-x64", "linux-arm64"]
        .map(|machine| newer.join(format!("node_modules/node-{machine}/bin/node")));
    came.into_iter().find(|node| node.is_file()).map_or_else(|| NODE.find(), Ok)
}

/// The folder with Bun and Deno. Their own install scripts do not run: the programs are in packages for each machine.
pub fn runtimes(checkout: &Checkout) -> Result<PathBuf, String> {
    packages_with(checkout, "tests/interop/runtimes", "runtimes", &["--ignore-scripts"])
}

/// The folder with the programs beside which ours is measured. Their install scripts fetch what a terminal does not need.
pub fn programs(checkout: &Checkout) -> Result<PathBuf, String> {
    packages_with(checkout, "tests/interop/programs", "programs", &["--ignore-scripts"])
}

/// Installs what a folder of the checkout pins; gives the folder below the target folder.
fn packages(checkout: &Checkout, pins: &str, name: &str) -> Result<PathBuf, String> {
    packages_with(checkout, pins, name, &[])
}

/// The same with more options for npm.
fn packages_with(checkout: &Checkout, pins: &str, name: &str, options: &[&str]) -> Result<PathBuf, String> {
    let npm = NPM.find()?;
    let pins = checkout.root.join(pins);
    let (manifest, lock) = (read(&pins.join("package.json"))?, read(&pins.join("package-lock.json"))?);
    let folder = folder(checkout, name);
    once(&folder, &format!("{manifest}{lock}"), || {
        write(&folder.join("package.json"), &manifest)?;
        write(&folder.join("package-lock.json"), &lock)?;
        let make = || {
            let mut command = Command::new(&npm);
            command
                .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
                .args(options)
                .current_dir(&folder);
            command
        };
        process::download(make, process::LIMIT, &checkout.scratch("peers")?.join(name))
    })?;
    Ok(folder)
}
