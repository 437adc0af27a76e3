//! `cargo xtask dist`: the library as it is installed. `CMake` runs this command too, so that there is one place that says
//! what a package of libmcp is made of.
//!
//! cargo makes the static library; everything else is made from that: the shared library with its SONAME and symbol
//! versions, a static library that shows nothing but `mcp_*`, and the files by which pkg-config and `CMake` find them. For Windows it
//! is a DLL with its import library.

mod archive;
mod dll;
mod features;
mod libraries;
mod licences;
pub mod program;
mod sbom;
mod tarball;
mod template;
mod tools;
mod tree;
mod tree_of_crates;
mod version;
mod wish;

use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, folder_at, read, write};

pub use archive::{Archive, crates, flags};
pub use tarball::time;
pub use tree_of_crates::tree;
pub use version::Version;
pub use wish::{WINDOWS, Wish};

/// The kinds of files in `packaging/debugging` that are installed.
const DEBUGGING: [&str; 2] = ["py", "supp"];

/// What was made.
pub struct Made {
    /// The prefix: it has `lib`, `include` and `share`, and for Windows `bin`.
    pub tree: PathBuf,
    pub version: Version,
    pub tarball: Option<PathBuf>,
}

/// `cargo xtask dist`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{}", wish::HELP);
        return Ok(());
    }
    let made = make(checkout, &Wish::read(checkout, options)?)?;
    println!("libmcp {} is in {}", made.version, made.tree.display());
    if let Some(tarball) = made.tarball {
        println!("tarball: {}", tarball.display());
    }
    Ok(())
}

/// `cargo xtask sbom`: the bills of materials that packages have, without building anything.
pub fn bills(checkout: &Checkout) -> Result<(), String> {
    let folder = checkout.target.join("sbom");
    folder_at(&folder)?;
    let wish = Wish::read(checkout, &[])?;
    for (name, bill) in [
        ("sbom.cdx.json", sbom::of_library(checkout, &wish)?),
        ("sbom-program.cdx.json", sbom::of_program(checkout, &wish)?),
    ] {
        write(&folder.join(name), &bill)?;
        println!("wrote {}", folder.join(name).display());
    }
    Ok(())
}

pub fn make(checkout: &Checkout, wish: &Wish) -> Result<Made, String> {
    if !wish.system().contains("linux") && !wish.is_for_windows() {
        return Err(format!(
            "cannot make an install tree for {}: packages are made for Linux and {}, so far",
            wish.system(),
            wish::WINDOWS
        ));
    }
    let version = Version::read(checkout)?;
    let work = wish.work()?;
    println!("building the library (the first time takes a minute)");
    let archive = archive::build(checkout, wish, &work)?;
    let parts = if wish.is_for_windows() {
        dll::make(checkout, wish, &archive, &work)?
    } else {
        libraries::make(checkout, wish, &version, &archive, &work)?
    };
    let files = tree::lay(checkout, wish, &version, &parts, &work)?;
    let tarball = if wish.tarball { Some(tarball::pack(checkout, wish, &files, &work)?) } else { None };
    if let Some(depfile) = &wish.depfile {
        dependencies(checkout, &archive, depfile, &wish.stamp()?)?;
    }
    Ok(Made { tree: wish.tree.clone(), version, tarball })
}

/// What everything is made from in the tree for this machine, in the folder where [`make`] builds it.
pub fn build_archive(checkout: &Checkout) -> Result<Archive, String> {
    let wish = Wish::read(checkout, &[])?;
    archive::build(checkout, &wish, &wish.work()?)
}

/// The licences of what is in the library with its default features, as a page that goes along with it.
pub fn third_party(checkout: &Checkout) -> Result<String, String> {
    licences::page(checkout, &Wish::read(checkout, &[])?)
}

/// Tells make and Ninja what the tree was made from: the library's sources as cargo knows them, and our own.
fn dependencies(checkout: &Checkout, archive: &Archive, depfile: &Path, stamp: &Path) -> Result<(), String> {
    let known = read(&archive.dep_info)?;
    let sources = known.split_once(": ").map_or("", |(_, sources)| sources).trim_end();
    let mut text = format!("{}: {sources}", escaped(stamp));
    let mut own = vec![checkout.root.join("Cargo.toml"), checkout.root.join("Cargo.lock")];
    own.push(checkout.root.join("include/mcp.symbols"));
    own.extend(checkout.files("cmake", "in"));
    for extension in DEBUGGING {
        own.extend(checkout.files("packaging/debugging", extension));
    }
    for extension in ["h", "hpp", "exports"] {
        own.extend(checkout.files("include", extension));
    }
    for folder in ["xtask/src", "xtask/src/dist"] {
        own.extend(checkout.files(folder, "rs"));
    }
    for path in own {
        text.push(' ');
        text.push_str(&escaped(&path));
    }
    text.push('\n');
    write(depfile, &text)
}

fn escaped(path: &Path) -> String {
    path.display().to_string().replace(' ', "\\ ")
}
