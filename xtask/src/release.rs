//! The things we ship, built once per run: the library as a user gets it and the servers the tests talk to.

use std::cell::OnceCell;
use std::path::PathBuf;

use crate::checkout::Checkout;

/// Where the built things are.
#[derive(Clone)]
pub struct Built {
    /// The folder to link from.
    pub folder: PathBuf,
    pub library: PathBuf,
    pub example_server: PathBuf,
    pub scripted_server: PathBuf,
    pub scripted_http: PathBuf,
}

/// Builds on the first request and remembers the outcome.
#[derive(Default)]
pub struct Release {
    outcome: OnceCell<Result<Built, String>>,
}

impl Release {
    pub fn get(&self, checkout: &Checkout) -> Result<Built, String> {
        self.outcome
            .get_or_init(|| {
                println!("  building the release library and the test servers");
                library(checkout)?;
                servers(checkout, &["mcp-example-server", "mcp-scripted-server", "mcp-scripted-http"])?;
                Ok(places(checkout))
            })
            .clone()
    }
}

/// The library alone. The servers are built apart from it: together, cargo would join the features they ask of shared
/// dependencies, and the library would not be the one that a user builds.
pub fn library(checkout: &Checkout) -> Result<(), String> {
    build(checkout, &["mcp"])
}

pub fn servers(checkout: &Checkout, packages: &[&str]) -> Result<(), String> {
    build(checkout, packages)
}

pub fn places(checkout: &Checkout) -> Built {
    let folder = checkout.target.join("release");
    let library = if cfg!(target_os = "macos") { "libmcp.dylib" } else { "libmcp.so" };
    Built {
        library: folder.join(library),
        example_server: folder.join("mcp-example-server"),
        scripted_server: folder.join("mcp-scripted-server"),
        scripted_http: folder.join("mcp-scripted-http"),
        folder,
    }
}

fn build(checkout: &Checkout, packages: &[&str]) -> Result<(), String> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--release", "--quiet", "--target-dir"]).arg(&checkout.target);
    for package in packages {
        cargo.args(["--package", package]);
    }
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo build --release of {} failed: {status}", packages.join(", "))),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}
