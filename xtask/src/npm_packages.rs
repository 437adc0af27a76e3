//! `cargo xtask npm`: the npm packages of the Node.js binding, one with the addon for each Linux system, made from the trees of
//! `cargo xtask dist` by Zig's compiler, and one that programs use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, cleared, copy, files_below, folder_at, read, write};
use crate::machine::NODE;
use crate::natives::{self, Native};
use crate::zig::Zig;
use crate::{peers, process};

pub const HELP: &str = "\
usage: cargo xtask npm --to FOLDER --prefix PLATFORM=PREFIX…

Writes the folders that npm publishes: libmcp, and one with the addon for each PLATFORM: linux-x64-gnu, linux-arm64-gnu,
linux-x64-musl or linux-arm64-musl. PREFIX is the tree that cargo xtask dist --target has made for it; if it has the program mcp,
the package has it too. Needs Node.js and npm.
";

/// The first time Zig compiles a library of C++ too, in half a minute of processor time: with a load of 38 that took ten minutes.
const LIMIT: Duration = Duration::from_secs(1800);

/// What the package is made of; the rest of the folder comes from npm.
pub const PARTS: [&str; 6] = ["lib", "src", "scripts", "test", "examples", "bench"];

/// The systems that have packages, as Node.js and napi-rs name them, and what Zig calls each: the oldest glibc is that of Node.js 20.
pub const PLATFORMS: [(&str, &str); 4] = [
    ("linux-x64-gnu", "x86_64-linux-gnu.2.28"),
    ("linux-arm64-gnu", "aarch64-linux-gnu.2.28"),
    ("linux-x64-musl", "x86_64-linux-musl"),
    ("linux-arm64-musl", "aarch64-linux-musl"),
];

/// `cargo xtask npm`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let (to, prefixes) = natives::trees(options, HELP)?;
    for folder in make(checkout, &prefixes, &to)? {
        println!("{}", folder.display());
    }
    Ok(())
}

/// Makes the packages in a folder; the file of each of `prefixes` is a tree. Gives the folders of the packages, that of programs last.
pub fn make(checkout: &Checkout, prefixes: &[Native], to: &Path) -> Result<Vec<PathBuf>, String> {
    let (node, zig) = (NODE.find()?, Zig::install(checkout)?);
    let source = checkout.root.join("bindings/node");
    let came = peers::packages(checkout, "node-binding")?;
    let work = cleared(&checkout.scratch("npm")?.join("package"))?;
    for part in ["lib", "src", "scripts"] {
        copy_folder(&source.join(part), &work.join(part))?;
    }
    for file in ["package.json", "README.md"] {
        write(&work.join(file), &read(&source.join(file))?)?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        write(&work.join(licence), &read(&checkout.root.join(licence))?)?;
    }
    for prefix in prefixes {
        let (platform, system) = PLATFORMS
            .iter()
            .find(|(name, _)| *name == prefix.platform)
            .ok_or_else(|| format!("{}: there is no such platform\n\n{HELP}", prefix.platform))?;
        let place = work.join("prebuilds").join(platform);
        copy(&prefix.file.join("share/doc/libmcp/THIRD-PARTY.md"), &place.join("THIRD-PARTY.md"))?;
        if prefix.file.join("bin/mcp").is_file() {
            copy(&prefix.file.join("bin/mcp"), &place.join("mcp"))?;
            let notices = "THIRD-PARTY-PROGRAM.md";
            copy(&prefix.file.join("share/doc/libmcp").join(notices), &place.join(notices))?;
        }
        let addon = place.join("libmcp.node");
        let mut build = Command::new(&node);
        build.args(["scripts/build.js", "--static", "--out"]).arg(&addon).current_dir(&work);
        build.env("NODE_PATH", came.join("node_modules")).env("CXX", zig.compiler("c++", system));
        build.env("PKG_CONFIG_LIBDIR", prefix.file.join("lib/pkgconfig")).env_remove("PKG_CONFIG_PATH");
        build.envs(zig.caches("npm")).env("CXXFLAGS", "-Werror").env_remove("LDFLAGS");
        succeed(&mut build, &work.join(platform))?;
    }
    let mut packages = Command::new(&node);
    packages.args(["scripts/packages.js", "--out"]).arg(to).current_dir(&work);
    Ok(succeed(&mut packages, &work.join("packages"))?.lines().map(PathBuf::from).collect())
}

/// Copies a folder with those in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    folder_at(to)?;
    files_below(from)?
        .iter()
        .try_for_each(|file| copy(file, &to.join(file.strip_prefix(from).unwrap_or(file))))
}

/// Runs a command that must succeed; gives what it prints.
fn succeed(command: &mut Command, log: &Path) -> Result<String, String> {
    process::run(command, LIMIT, log)?.text()
}
