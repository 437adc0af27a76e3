//! Compiling C against the header and the built library, with the warnings we promise to be free of.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, stem};
use crate::machine;
use crate::process::{self, Finished};
use crate::release::Built;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// A compiler command for C11, with the warnings and our include folder set.
pub fn command(checkout: &Checkout, compiler: &Path) -> Command {
    let mut command = Command::new(compiler);
    command.arg("-std=c11").args(WARNINGS);
    command.arg("-I").arg(checkout.root.join("include"));
    command
}

/// Runs a compiler command; a failure tells what the compiler said.
pub fn compile(command: &mut Command, log: &Path) -> Result<(), String> {
    let finished: Finished = process::run(command, process::LIMIT, log)?;
    finished.done()
}

/// Adds what links a program to the shared library and lets it find the library again when it runs.
pub fn link<'a>(command: &'a mut Command, built: &Built) -> &'a mut Command {
    let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
    rpath.push(&built.folder);
    command.arg("-L").arg(&built.folder).arg("-lmcp").arg(rpath).arg("-pthread")
}

/// Compiles the example server, a C program of several files. It is put in its place when it is complete, so that a test that
/// starts it meanwhile gets the old one.
pub fn example_server(checkout: &Checkout, built: &Built) -> Result<(), String> {
    let folder = checkout.scratch("example-server")?;
    let program = folder.join("mcp-example-server");
    let mut compile_it = command(checkout, &c_compiler()?);
    compile_it.args(["-O2", "-g"]).args(checkout.files("examples/server", "c")).arg("-o").arg(&program);
    compile(link(&mut compile_it, built), &folder.join("compile"))?;
    std::fs::rename(&program, &built.example_server)
        .map_err(|error| format!("cannot make {}: {error}", built.example_server.display()))
}

/// Compiles a C program of one file and links it to the shared library; gives the program's path.
pub fn program(checkout: &Checkout, built: &Built, source: &Path, folder: &str) -> Result<PathBuf, String> {
    let program = checkout.scratch(folder)?.join(stem(source));
    let mut compile_it = command(checkout, &c_compiler()?);
    compile_it.args(["-O1", "-g"]).arg(source).arg("-o").arg(&program);
    compile(link(&mut compile_it, built), &program.with_extension("compile"))?;
    Ok(program)
}

pub fn c_compiler() -> Result<PathBuf, String> {
    machine::CC.find()
}
