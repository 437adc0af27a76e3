//! The things we ship, built once per run: the library as a user gets it and the servers the tests talk to.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::checkout::Checkout;
use crate::compiler;
use crate::dist;

/// The test servers that are written in Rust and share no code with the library.
const SCRIPTED: [&str; 2] = ["mcp-scripted-server", "mcp-scripted-http"];

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
                everything(checkout)
            })
            .clone()
    }
}

/// `cargo xtask servers`: the library and the servers, for a person who runs tests and examples by hand.
pub fn tell(checkout: &Checkout) -> Result<(), String> {
    let built = everything(checkout)?;
    for path in [&built.library, &built.example_server, &built.scripted_server, &built.scripted_http] {
        println!("{}", path.display());
    }
    Ok(())
}

/// The library and all servers.
pub fn everything(checkout: &Checkout) -> Result<Built, String> {
    let built = library_and_example(checkout)?;
    scripted(checkout)?;
    Ok(built)
}

/// What cargo builds of it, before a step asks for it.
pub fn build(checkout: &Checkout) -> Result<(), String> {
    library(checkout).and_then(|()| scripted(checkout))
}

/// The library, and the example server, which is a C program on it. The scripted servers are built apart from the library:
/// together, cargo would join the features they ask of shared dependencies, and the library would not be the one that a user
/// builds.
pub fn library_and_example(checkout: &Checkout) -> Result<Built, String> {
    library(checkout)?;
    let built = places(checkout);
    compiler::example_server(checkout, &built)?;
    Ok(built)
}

/// The library, with the places of the servers, which need not be there.
pub fn library_alone(checkout: &Checkout) -> Result<Built, String> {
    library(checkout).map(|()| places(checkout))
}

/// The program `mcp`, as packages have it.
pub fn program(checkout: &Checkout) -> Result<PathBuf, String> {
    dist::program::build(checkout)
}

fn places(checkout: &Checkout) -> Built {
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

/// The kinds are named because `Cargo.toml` has an rlib beside them, with which cargo leaves out the optimization over all crates:
/// the library would be half a mebibyte larger than the one that `cargo xtask dist` makes, and slower.
fn library(checkout: &Checkout) -> Result<(), String> {
    run(
        checkout,
        &checkout.target,
        &["rustc", "--package", "mcp", "--lib", "--crate-type", "cdylib,staticlib"],
    )
}

fn scripted(checkout: &Checkout) -> Result<(), String> {
    let mut words = vec!["build"];
    words.extend(SCRIPTED.iter().flat_map(|package| ["--package", package]));
    run(checkout, &checkout.target, &words)
}

fn run(checkout: &Checkout, folder: &Path, words: &[&str]) -> Result<(), String> {
    let mut cargo = checkout.cargo();
    cargo.args(words).args(["--release", "--quiet", "--target-dir"]).arg(folder);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} --release failed: {status}", words.join(" "))),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}
