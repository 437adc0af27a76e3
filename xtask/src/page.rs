//! `cargo xtask page`: the libraries of the page of `mcp inspect` as one file, `cli/page/vendor.js`, with its digest and their licences, from
//! the npm packages that `cli/page/package-lock.json` pins. What is committed is what is made: no build of the program needs Node.js. The
//! check reads the page's own modules, too: they are JavaScript as it is served, with their types in comments and `.d.ts` files.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, cleared, copy, entries, folder_at, read, update};
use crate::machine::NODE;
use crate::{peers, process};

/// The packages whose code is in the file.
const INSIDE: [&str; 4] = ["preact", "@preact/signals", "@preact/signals-core", "htm"];

/// Where the packages are, and Node.js.
pub struct Packages {
    pub folder: PathBuf,
    pub node: PathBuf,
}

impl Packages {
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        let folder = peers::packages(checkout, "page")?;
        Ok(Self { folder, node: NODE.find()? })
    }
}

fn source(checkout: &Checkout) -> PathBuf {
    checkout.root.join("cli/page")
}

/// `cargo xtask page`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    let made = make(checkout, &Packages::install(checkout)?)?;
    made.iter().try_for_each(|(name, text)| update(&source(checkout).join(name), text))
}

/// `cargo xtask page --check`: whether the committed files are what is made of the packages, and the modules fit their types.
pub fn check(checkout: &Checkout) -> Result<(), String> {
    let packages = Packages::install(checkout)?;
    types(checkout, &packages)?;
    for (name, text) in make(checkout, &packages)? {
        if read(&source(checkout).join(name))? != text {
            return Err(format!("cli/page/{name} is not what is made of the packages: run cargo xtask page"));
        }
    }
    Ok(())
}

/// The files, by name.
fn make(checkout: &Checkout, packages: &Packages) -> Result<[(&'static str, String); 3], String> {
    let work = checkout.scratch("page")?.join("vendor");
    folder_at(&work)?;
    let entry = packages.folder.join("vendor.mjs");
    update(&entry, &read(&source(checkout).join("vendor.mjs"))?)?;
    let made = work.join("vendor.js");
    let mut command = Command::new(&packages.node);
    command.arg(packages.folder.join("node_modules/esbuild/bin/esbuild")).arg(&entry).args([
        "--bundle",
        "--format=esm",
        "--minify",
        "--legal-comments=none",
        "--target=es2022",
        "--log-level=error",
    ]);
    command.arg(format!("--outfile={}", made.display())).current_dir(&packages.folder);
    process::run(&mut command, process::LIMIT, &work.join("esbuild"))?.done()?;
    let mut digest = Command::new("sha256sum");
    digest.arg("vendor.js").current_dir(&work);
    let digest = process::run(&mut digest, process::LIMIT, &work.join("digest"))?.text()?;
    Ok([
        ("vendor.js", read(&made)?),
        ("vendor.sha256", digest),
        ("vendor.licenses.txt", licences(&packages.folder)?),
    ])
}

/// Has TypeScript check the modules, as `cli/page/tsconfig.json` says: beside the packages, whose types they use.
fn types(checkout: &Checkout, packages: &Packages) -> Result<(), String> {
    let work = cleared(&packages.folder.join("page"))?;
    for file in entries(&source(checkout))?.iter().filter(|file| file.is_file()) {
        copy(file, &work.join(file.file_name().unwrap_or_default()))?;
    }
    let mut command = Command::new(&packages.node);
    command
        .arg(packages.folder.join("node_modules/typescript/bin/tsc"))
        .args(["--project", "."])
        .current_dir(&work);
    process::run(&mut command, process::LIMIT, &checkout.scratch("page")?.join("types"))?.done()
}

fn licences(folder: &Path) -> Result<String, String> {
    let mut text = String::new();
    for name in INSIDE {
        let licence = read(&folder.join("node_modules").join(name).join("LICENSE"))?;
        text = format!("{text}{name}\n\n{}\n\n", licence.trim_matches('\n').trim_end());
    }
    Ok(format!("{}\n", text.trim_end()))
}
