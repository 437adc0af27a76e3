//! The static library that cargo makes. It holds everything: ours, the crates' and the standard library's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::tools;
use super::wish::Wish;
use crate::checkout::Checkout;
use crate::process;

/// A build with everything optimised as one is slow on a small machine, but not for ever.
const LIMIT: Duration = Duration::from_secs(3600);

/// How all crates are optimized as one. What is worth inlining within its crate has been inlined already. Loops are not moved to multiples
/// of 16 bytes, and functions to even addresses only (two to the power of 1): else 100 KB of instructions do nothing. The step `size` reads
/// both lines.
const QUICK: &str = "-Cllvm-args=-inline-threshold=25 -x86-experimental-pref-innermost-loop-alignment=0 -align-all-functions=1";
const SMALL: &str = "-Cllvm-args=-inline-threshold=10 -x86-experimental-pref-innermost-loop-alignment=0 -align-all-functions=1";

pub struct Archive {
    pub path: PathBuf,
    /// The shared library as cargo links it, without SONAME and versions, where it is made: see [`kinds`].
    pub plain: Option<PathBuf>,
    /// What make would want to know: the files it was made from.
    pub dep_info: PathBuf,
    /// What a program that links it has to link too, as rustc says, such as `-lpthread`.
    pub native: Vec<String>,
}

pub fn build(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<Archive, String> {
    let mut cargo = checkout.cargo();
    cargo.args(["rustc", "--locked", "--package", "libmcp", "--crate-type", kinds(wish)]);
    cargo.arg("--profile").arg(&wish.profile).arg("--target-dir").arg(&wish.target_dir);
    if let Some(target) = &wish.target {
        cargo.arg("--target").arg(target);
        if !wish.debug_file {
            cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        }
    }
    let is_small = is_small(&wish.features.iter().map(String::as_str).collect::<Vec<_>>());
    if is_small {
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s");
    }
    // Always in full: to cargo "default" is a feature too, and a build with it another one.
    cargo.arg("--no-default-features").arg("--features").arg(wish.features.join(","));
    cargo.args(["--", "--print", "native-static-libs"]);
    // LLVM takes this alignment also where a processor needs more, as ARM's do.
    let system = wish.target.as_deref().unwrap_or(std::env::consts::ARCH);
    let is_x86 = ["x86", "i686"].iter().any(|family| system.starts_with(family));
    let how = if is_small { SMALL } else { QUICK };
    cargo.arg(if is_x86 { how.to_owned() } else { how.replace(" -align-all-functions=1", "") });
    // Crates with C in them are compiled again when these differ, so they are always said, and in full.
    let tools = tools::of(wish);
    cargo.env("CC", tools.cc.find()?).env("AR", tools.ar.find()?);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(checkout, wish, work)?);
    let finished = process::run(&mut cargo, LIMIT, &work.join("cargo"))?
        .well()
        .map_err(|why| format!("cargo could not build the library: {why}"))?;
    let native = native_libraries(&finished.stderr)
        .ok_or_else(|| format!("rustc named no native libraries: {}", finished.story()))?;

    let mut folder = wish.target_dir.clone();
    folder.extend(&wish.target);
    folder.push(if wish.profile == "dev" { "debug" } else { &wish.profile });
    let plain = (kinds(wish) == BOTH).then(|| folder.join("libmcp.so"));
    Ok(Archive { path: folder.join("libmcp.a"), plain, dep_info: folder.join("libmcp.d"), native })
}

/// A library without HTTP is for hosts with little room, and is made small.
fn is_small(features: &[&str]) -> bool {
    !features.iter().any(|feature| ["auth", "http"].contains(feature))
}

const BOTH: &str = "cdylib,staticlib";

/// What cargo makes. The tests use its shared library, which is linked from the same code; for this machine it is linked, too, so that
/// the optimization over all crates, which takes minutes, is done once. A linker for another system need not be there, and a Rust of
/// musl's makes no shared library.
fn kinds(wish: &Wish) -> &'static str {
    if wish.target.is_none() && !wish.is_for_musl() { BOTH } else { "staticlib" }
}

/// The person's own flags, and the folders of this machine renamed, so that the library is the same wherever it is
/// built.
pub fn flags(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<OsString, String> {
    let mut flags: Vec<OsString> = Vec::new();
    if let Some(encoded) = std::env::var_os("CARGO_ENCODED_RUSTFLAGS").filter(|flags| !flags.is_empty()) {
        flags.push(encoded);
    } else if let Ok(plain) = std::env::var("RUSTFLAGS") {
        flags.extend(plain.split_whitespace().map(OsString::from));
    }
    let mut rename = |folder: &Path, name: &str| {
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(folder);
        flag.push("=");
        flag.push(name);
        flags.push(flag);
    };
    rename(&checkout.root, "/libmcp");
    let mut sources = registries()?;
    if sources.is_empty() {
        fetch(checkout, wish, work)?;
        sources = registries()?;
    }
    for folder in sources {
        rename(&folder, "/crates");
    }
    Ok(flags.join(OsString::from("\u{1f}").as_os_str()))
}

/// The first build on a machine: the folders to rename must be there before it.
fn fetch(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<(), String> {
    let make = || {
        let mut cargo = checkout.cargo();
        cargo.args(["fetch", "--locked", "--target", wish.system()]);
        cargo
    };
    process::download(make, LIMIT, &work.join("fetch"))
}

/// Where cargo keeps what it downloads.
pub fn crates() -> Result<PathBuf, String> {
    match std::env::var_os("CARGO_HOME") {
        Some(home) => Ok(PathBuf::from(home)),
        None => match std::env::var_os("HOME") {
            Some(home) => Ok(PathBuf::from(home).join(".cargo")),
            None => Err("neither CARGO_HOME nor HOME is set".to_owned()),
        },
    }
}

/// Where cargo keeps the sources of crates: a folder for each registry.
pub fn registries() -> Result<Vec<PathBuf>, String> {
    let sources = crates()?.join("registry/src");
    let Ok(entries) = std::fs::read_dir(&sources) else {
        // Crates from a vendored folder: nothing was unpacked here.
        return Ok(Vec::new());
    };
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    Ok(folders)
}

fn native_libraries(stderr: &str) -> Option<Vec<String>> {
    let line = stderr.lines().find_map(|line| line.split_once("native-static-libs:"))?.1;
    Some(line.split_whitespace().map(str::to_owned).collect())
}
