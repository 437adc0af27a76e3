//! `cargo xtask bindings`: what the bindings for other languages take from `include/mcp.h`, the keys of configurations, the method table and
//! the official schemas, which `bindings/generate` writes; and where the bindings find the library: a folder laid out as an installed one, so
//! that they are built with `pkg-config` as their users build them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, folder_at, replace, update};
use crate::dist::Version;
use crate::machine::PYTHON;
use crate::release::Built;
use crate::{peers, process};

/// How the generator ends where Jinja2 is missing.
const LACKS: i32 = 77;

/// `cargo xtask bindings`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    print!("{}", generate(checkout, &peers::interpreter(checkout, "bindings")?, &[])?.text()?);
    Ok(())
}

/// `cargo xtask bindings --check`: compares the committed files with new ones, and looks whether each binding has a function for each method.
/// Gives false where Jinja2 is missing: the core of the tests downloads nothing.
pub fn check(checkout: &Checkout, downloads: bool) -> Result<bool, String> {
    let own = peers::folder(checkout, "bindings").join("bin/python");
    let python = match downloads {
        true => peers::interpreter(checkout, "bindings")?,
        false if own.is_file() => own,
        false => PYTHON.find()?,
    };
    let finished = generate(checkout, &python, &["--check"])?;
    let lacks = !downloads && finished.status.and_then(|status| status.code()) == Some(LACKS);
    if lacks { Ok(false) } else { finished.done().map(|()| true) }
}

fn generate(checkout: &Checkout, python: &Path, words: &[&str]) -> Result<process::Finished, String> {
    let mut command = Command::new(python);
    command.arg("-B").arg(checkout.root.join("bindings/generate")).args(words);
    process::run(&mut command, process::LIMIT, &checkout.scratch("bindings")?.join("generate"))
}

/// The folders of a prefix that programs need to know.
pub struct Staged {
    pub library_folder: PathBuf,
    pub pkgconfig: PathBuf,
}

/// Lays the build of a run of the tests out below `target/xtask/stage`.
pub fn stage(checkout: &Checkout, built: &Built) -> Result<Staged, String> {
    lay_out(checkout, built, &checkout.scratch("stage")?)
}

/// `cargo xtask prefix`: the library and the program as cargo's development profile builds them, in `target/prefix`, beside a file for the
/// shell with the variables that the test runner of each language needs.
pub fn prefix(checkout: &Checkout) -> Result<(), String> {
    println!("building the library, the program and the servers that tests talk to");
    let built = crate::release::by_hand(checkout)?;
    let prefix = checkout.target.join("prefix");
    let staged = lay_out(checkout, &built, &prefix)?;
    let programs = made(prefix.join("bin"))?;
    replace(&built.folder.join("mcp"), &programs)?;
    let library = staged.library_folder.join(built.library.file_name().unwrap_or_default());
    let variables = [
        ("PATH", format!("{}:$PATH", programs.display())),
        ("PKG_CONFIG_PATH", staged.pkgconfig.display().to_string()),
        ("LD_LIBRARY_PATH", staged.library_folder.display().to_string()),
        ("CGO_LDFLAGS", format!("-Wl,-rpath,{}", staged.library_folder.display())),
        ("LIBMCP_INCLUDE", prefix.join("include").display().to_string()),
        ("LIBMCP_LIBDIR", staged.library_folder.display().to_string()),
        ("MCP_LIBRARY", library.display().to_string()),
        ("MCP_EXAMPLE_SERVER", built.example_server.display().to_string()),
        ("MCP_SCRIPTED_SERVER", built.scripted_server.display().to_string()),
        ("MCP_SCRIPTED_HTTP", built.scripted_http.display().to_string()),
    ];
    let lines = variables.map(|(name, value)| format!("export {name}=\"{value}\"\n"));
    let file = prefix.join("env");
    update(&file, &lines.concat())?;
    println!("before the tests of a language, in its folder: . {}", file.display());
    Ok(())
}

fn made(folder: PathBuf) -> Result<PathBuf, String> {
    folder_at(&folder).map(|()| folder)
}

fn lay_out(checkout: &Checkout, built: &Built, prefix: &Path) -> Result<Staged, String> {
    let include = made(prefix.join("include"))?;
    let library_folder = made(prefix.join("lib"))?;
    let pkgconfig = made(library_folder.join("pkgconfig"))?;
    replace(&checkout.header(), &include)?;
    replace(&checkout.root.join("include/mcp.hpp"), &include)?;
    replace(&built.library, &library_folder)?;
    replace(&built.folder.join("libmcp.a"), &library_folder)?;
    let version = Version::read(checkout)?;
    let text = format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: mcp\n\
         Description: Model Context Protocol client\nVersion: {}\nLibs: -L${{libdir}} -lmcp\n\
         Libs.private: -lpthread -ldl -lm\nCflags: -I${{includedir}}\n",
        prefix.display(),
        version,
    );
    update(&pkgconfig.join("mcp.pc"), &text)?;
    Ok(Staged { library_folder, pkgconfig })
}
