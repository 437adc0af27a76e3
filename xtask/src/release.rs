//! The things we ship, built once per run: the library as a user gets it and the servers the tests talk to.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, folder_at, replace};
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
pub struct Release {
    is_quick: bool,
    outcome: OnceCell<Result<Built, String>>,
}

impl Release {
    /// Quick: by cargo's development profile, and not as packages have it.
    pub fn new(is_quick: bool) -> Self {
        Self { is_quick, outcome: OnceCell::new() }
    }

    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    pub fn get(&self, checkout: &Checkout) -> Result<Built, String> {
        let build = || {
            if self.is_quick {
                println!("  building the library and the test servers");
                return quick(checkout);
            }
            println!("  building the release library and the test servers");
            everything(checkout)
        };
        self.outcome.get_or_init(build).clone()
    }

    /// The program `mcp`.
    pub fn program(&self, checkout: &Checkout) -> Result<PathBuf, String> {
        if self.is_quick {
            self.get(checkout).map(|built| built.folder.join("mcp"))
        } else {
            program(checkout)
        }
    }
}

/// The library, the program and all servers in one build, with the features that the tests of Rust have compiled crates with.
pub fn quick(checkout: &Checkout) -> Result<Built, String> {
    let mut words = vec!["build", "--workspace", "--lib", "--bin", "mcp"];
    words.extend(SCRIPTED.iter().flat_map(|name| ["--bin", name]));
    run(checkout, &words)?;
    let built = places(checkout, "debug");
    compiler::example_server(checkout, &built)?;
    Ok(built)
}

/// `cargo xtask release`: the script, which is the one place that says what a release has. It takes hours, and prints what it does.
pub fn all(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    // Hours later it is missed.
    crate::jdk::Jdk::find()?;
    script(checkout, "build.sh", |command| command.args(options))
}

/// `cargo xtask deb`: the Debian packages in target/dist/deb.
pub fn deb(checkout: &Checkout) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    script(checkout, "deb.py", |command| {
        command.arg(checkout.target.join("dist/deb")).arg("--xtask").arg(own)
    })
}

/// Runs a script of packaging/release, which prints what it does.
fn script(
    checkout: &Checkout,
    name: &str,
    with: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<(), String> {
    let file = checkout.root.join("packaging/release").join(name);
    match with(&mut Command::new(&file)).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} failed: {status}", file.display())),
        Err(error) => Err(format!("cannot start {}: {error}", file.display())),
    }
}

/// The same for a person who runs tests by hand, with the features with which the demo has compiled the library and the program.
pub fn by_hand(checkout: &Checkout) -> Result<Built, String> {
    run(checkout, &["build", "--package", "libmcp", "--package", "mcp-cli"])?;
    let [pipes, http] = SCRIPTED;
    run(checkout, &["build", "--package", pipes, "--package", http])?;
    let built = places(checkout, "debug");
    compiler::example_server(checkout, &built)?;
    Ok(built)
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

/// The library, and the example server, which is a C program on it.
pub fn library_and_example(checkout: &Checkout) -> Result<Built, String> {
    library(checkout)?;
    let built = places(checkout, "release");
    compiler::example_server(checkout, &built)?;
    Ok(built)
}

/// The library, with the places of the servers, which need not be there.
pub fn library_alone(checkout: &Checkout) -> Result<Built, String> {
    library(checkout).map(|()| places(checkout, "release"))
}

/// The program `mcp`, as packages have it.
pub fn program(checkout: &Checkout) -> Result<PathBuf, String> {
    dist::program::build(checkout)
}

fn places(checkout: &Checkout, profile: &str) -> Built {
    let folder = checkout.target.join(profile);
    let debug = checkout.target.join("debug");
    let library = if cfg!(target_os = "macos") { "libmcp.dylib" } else { "libmcp.so" };
    Built {
        library: folder.join(library),
        example_server: folder.join("mcp-example-server"),
        scripted_server: debug.join("mcp-scripted-server"),
        scripted_http: debug.join("mcp-scripted-http"),
        folder,
    }
}

/// The library that packages are made from, as cargo links it: everything is optimized as one, which takes minutes, and once is enough.
/// It is copied to where a person looks for what cargo builds.
fn library(checkout: &Checkout) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return library_of_cargo(checkout);
    }
    let archive = dist::build_archive(checkout)?;
    let Some(shared) = archive.plain else { return library_of_cargo(checkout) };
    let folder = checkout.target.join("release");
    folder_at(&folder)?;
    [&shared, &archive.path].into_iter().try_for_each(|file| copy_if_newer(file, &folder))
}

/// The library where no package is made.
fn library_of_cargo(checkout: &Checkout) -> Result<(), String> {
    run(checkout, &["build", "--package", "libmcp", "--release"])
}

fn copy_if_newer(file: &Path, folder: &Path) -> Result<(), String> {
    let time = |file: &Path| file.metadata().and_then(|it| it.modified()).ok();
    let there = folder.join(file.file_name().unwrap_or_default());
    if time(&there).zip(time(file)).is_some_and(|(there, here)| here <= there) {
        return Ok(());
    }
    replace(file, folder)
}

/// The servers that misbehave. With the whole workspace cargo joins the features that the crates ask of others as the tests of Rust do, so
/// that what these have compiled is taken. They wait most of the time: optimized through all crates they would take a minute.
fn scripted(checkout: &Checkout) -> Result<(), String> {
    let mut words = vec!["build", "--workspace"];
    words.extend(SCRIPTED.iter().flat_map(|name| ["--bin", name]));
    run(checkout, &words)
}

fn run(checkout: &Checkout, words: &[&str]) -> Result<(), String> {
    let mut cargo = checkout.cargo();
    cargo.args(words).args(["--quiet", "--target-dir"]).arg(&checkout.target);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} failed: {status}", words.join(" "))),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}
