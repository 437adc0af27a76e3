//! The package in a folder of its own, with what it is built and tested with, so that the checkout stays clean.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, cleared, read, removed, write};
use crate::npm_packages::{PARTS, copy_folder, dependencies};
use crate::process;

const LIMIT: Duration = Duration::from_secs(300);

/// Copies the package beside its dependencies, which are downloaded if they are not there.
pub fn lay_out(checkout: &Checkout, npm: &Path) -> Result<PathBuf, String> {
    let source = checkout.root.join("bindings/node");
    let folder = dependencies(checkout, npm, &source, "node-binding")?;
    // Addons of an earlier run would be loaded, or packed, in place of this one's.
    for part in PARTS.iter().chain(&["build", "prebuilds", "npm"]) {
        removed(&folder.join(part))?;
    }
    for part in PARTS {
        copy_folder(&source.join(part), &folder.join(part))?;
    }
    for file in ["tsconfig.json", "README.md"] {
        write(&folder.join(file), &read(&source.join(file))?)?;
    }
    Ok(folder)
}

/// Node.js 22 from npm, for where the machine's own is another.
pub fn node_22(checkout: &Checkout, npm: &Path) -> Result<PathBuf, String> {
    let folder = dependencies(checkout, npm, &checkout.root.join("tests/interop/node-22"), "node-22")?;
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let node = folder.join(format!("node_modules/node-linux-{arch}/bin/node"));
    if node.is_file() { Ok(node) } else { Err("npm has no Node.js 22 for this machine".to_owned()) }
}

/// The commands of Bun and Deno, as JSON. Their own install scripts do not run: the programs are in packages for each machine.
pub fn runtimes(checkout: &Checkout, npm: &Path) -> Result<String, String> {
    let folder = dependencies(checkout, npm, &checkout.root.join("tests/interop/runtimes"), "runtimes")?;
    let (of_bun, of_deno) = if cfg!(target_arch = "aarch64") {
        ("linux-aarch64", "linux-arm64")
    } else {
        ("linux-x64", "linux-x64")
    };
    let bun = folder.join(format!("node_modules/@oven/bun-{of_bun}/bin/bun"));
    let deno = folder.join(format!("node_modules/@deno/{of_deno}-glibc/deno"));
    for program in [&bun, &deno] {
        if !program.is_file() {
            return Err(format!("npm has no {} for this machine", program.display()));
        }
    }
    Ok(format!("[[\"{}\"],[\"{}\",\"run\",\"-A\"]]", bun.display(), deno.display()))
}

/// What users get: the packages, packed by npm, and installed into an empty project without a registry and a compiler.
pub fn as_published(checkout: &Checkout, node: &Path, npm: &Path, package: &Path) -> Result<PathBuf, String> {
    let project = cleared(&checkout.scratch("node/project")?)?;
    write(&project.join("package.json"), "{ \"name\": \"project\", \"private\": true }\n")?;
    let log = checkout.scratch("node")?.join("pack");
    let mut packages = Command::new(node);
    packages.arg("scripts/packages.js").current_dir(package);
    let laid_out = process::run(&mut packages, LIMIT, &log)?
        .well()
        .map_err(|why| format!("the packages cannot be laid out: {why}"))?;
    let mut tarballs = Vec::new();
    for folder in laid_out.stdout.lines() {
        let mut pack = Command::new(npm);
        pack.args(["pack", "--silent", "--pack-destination"]).arg(&project).current_dir(folder);
        let packed =
            process::run(&mut pack, LIMIT, &log)?.well().map_err(|why| format!("npm pack failed: {why}"))?;
        tarballs.push(project.join(packed.stdout.trim()));
    }
    let mut install = Command::new(npm);
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"]).args(tarballs);
    install.current_dir(&project).env("CXX", "no-compiler-is-needed");
    let installed = process::run(&mut install, LIMIT, &log)?;
    if installed.succeeded() { Ok(project) } else { Err(installed.story()) }
}
