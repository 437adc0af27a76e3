//! How each server of the cases is started, once it is installed.

use std::path::{Path, PathBuf};

use super::cases::Server;
use crate::checkout::Checkout;
use crate::machine::{NODE, NPM, NPX, PYTHON, Tool};
use crate::peers::{Major, Npm, Python};
use crate::release::Built;

/// What is known about starting one server.
pub enum Start {
    With { command: Vec<String>, within: PathBuf },
    Lacks(&'static Tool),
    Failed(String),
}

/// The servers that could be installed, and why the others could not.
pub struct Servers {
    example: PathBuf,
    script: PathBuf,
    npm: Result<Npm, String>,
    python1: Result<Python, String>,
    python2: Result<Python, String>,
}

impl Servers {
    pub fn install(checkout: &Checkout, built: Built) -> Self {
        Self {
            example: built.example_server,
            script: checkout.root.join("tests/servers/python/server.py"),
            npm: Npm::install(checkout),
            python1: Python::install(checkout, Major::One),
            python2: Python::install(checkout, Major::Two),
        }
    }

    /// The command, and the folder to start it in. `folder` is where the tests keep their files.
    pub fn start(&self, server: Server, folder: &Path) -> Start {
        if let Some(tool) = needs(server).iter().find(|tool| tool.find().is_err()) {
            return Start::Lacks(tool);
        }
        let mut within = folder.to_path_buf();
        let command = match server {
            Server::Everything => self.npm(|npm| npm.server("everything")),
            Server::EverythingByNpx => self.npm(|npm| {
                // npx looks for the server from the folder it is started in, and then needs no download.
                within = npm.folder().to_path_buf();
                ["npx", "-y", "@modelcontextprotocol/server-everything"].map(str::to_owned).to_vec()
            }),
            Server::Filesystem => self.npm(|npm| {
                let mut command = npm.server("filesystem");
                command.push(folder.join("served").display().to_string());
                command
            }),
            Server::Python1 => self.python(&self.python1),
            Server::Python2 => self.python(&self.python2),
            Server::Example => Ok(vec![self.example.display().to_string()]),
        };
        match command {
            Ok(command) => Start::With { command, within },
            Err(why) => Start::Failed(why),
        }
    }

    fn npm(&self, command: impl FnOnce(&Npm) -> Vec<String>) -> Result<Vec<String>, String> {
        self.npm.as_ref().map(command).map_err(Clone::clone)
    }

    fn python(&self, python: &Result<Python, String>) -> Result<Vec<String>, String> {
        let python = python.as_ref().map_err(Clone::clone)?;
        Ok(vec![python.interpreter().display().to_string(), self.script.display().to_string()])
    }
}

fn needs(server: Server) -> &'static [&'static Tool] {
    match server {
        Server::Everything | Server::Filesystem => &[&NODE, &NPM],
        Server::EverythingByNpx => &[&NODE, &NPM, &NPX],
        Server::Python1 | Server::Python2 => &[&PYTHON],
        Server::Example => &[],
    }
}
