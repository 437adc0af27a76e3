//! The reference servers, from npm.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, folder, once};
use crate::checkout::{Checkout, read, write};
use crate::machine::{NODE, NPM};
use crate::process;

/// The installed npm servers.
pub struct Npm {
    folder: PathBuf,
    node: PathBuf,
}

impl Npm {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        let (node, npm) = (NODE.find()?, NPM.find()?);
        let pins = checkout.root.join("tests/interop/npm");
        let (manifest, lock) = (read(&pins.join("package.json"))?, read(&pins.join("package-lock.json"))?);
        let folder = folder(checkout, "npm");
        once(&folder, &format!("{manifest}{lock}"), || {
            write(&folder.join("package.json"), &manifest)?;
            write(&folder.join("package-lock.json"), &lock)?;
            let make = || {
                let mut command = Command::new(&npm);
                command.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
                command
            };
            process::download(make, LIMIT, &checkout.scratch("peers")?.join("npm"))
        })?;
        Ok(Self { folder, node })
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
